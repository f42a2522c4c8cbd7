"""Pipelines of other services than GitHub."""
