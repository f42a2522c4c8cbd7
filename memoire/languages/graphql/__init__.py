"""Schemas and operations of GraphQL."""
