"""SQL: scripts, migrations, models."""
