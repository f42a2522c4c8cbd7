"""Everything that becomes an event."""
