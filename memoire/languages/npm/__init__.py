"""Manifests of packages of JavaScript."""
