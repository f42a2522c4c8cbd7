"""Claude Code: its MCP server entry and its instructions."""
