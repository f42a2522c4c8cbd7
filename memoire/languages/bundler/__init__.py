"""Lists of Ruby gems."""
