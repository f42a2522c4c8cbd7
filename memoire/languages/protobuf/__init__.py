"""Schemas of protocol buffers."""
