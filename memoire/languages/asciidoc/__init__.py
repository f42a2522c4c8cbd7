"""The AsciiDoc language."""
