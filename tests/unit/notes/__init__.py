"""Notes: the values, the journal, the rules of writing."""
