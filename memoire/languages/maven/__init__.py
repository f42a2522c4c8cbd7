"""Manifests of Maven projects."""
