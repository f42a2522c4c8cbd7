"""Manifests of Python projects before pyproject.toml."""
