"""The swift language."""
