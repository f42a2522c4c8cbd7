"""Manifests of Python projects."""
