"""Does a note go stale when, and only when, the code that it is about changes what it does: `README.md`."""
