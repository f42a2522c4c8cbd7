"""The python language."""
