"""JSON: files of data and settings."""
