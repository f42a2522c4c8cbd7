"""YAML: files of data and settings."""
