"""Plain text."""
