"""Manifests of Rust crates."""
