"""The typescript language."""
