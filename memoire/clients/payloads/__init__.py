"""Reads what assistants and shells report: one module for each, from the bytes it sends to `episodes.actions`."""
