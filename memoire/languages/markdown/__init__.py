"""The markdown language."""
