"""Manifests of Go modules."""
