"""The reStructuredText language."""
