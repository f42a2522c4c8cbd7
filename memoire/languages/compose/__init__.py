"""Services that run together in containers."""
