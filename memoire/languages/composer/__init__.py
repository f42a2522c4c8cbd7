"""Manifests of PHP packages."""
