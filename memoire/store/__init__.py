"""The embedded SurrealDB store and the event log beside it."""
