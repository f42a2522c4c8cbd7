"""Workflows and actions of GitHub."""
