"""The background daemon of one project."""
