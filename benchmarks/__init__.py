"""Long measurements, a command each."""
