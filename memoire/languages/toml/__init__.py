"""TOML: files of data and settings."""
