"""The dart language."""
