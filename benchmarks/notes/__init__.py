"""What the memory of a project is measured by: finding notes, telling restatements, stale answers, cost."""
