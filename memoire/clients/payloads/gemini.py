"""What the hooks of Gemini CLI report.

Source: its documentation of August 2026. The model can be told something at the start of a session and beside the
result of a tool, not before it.
"""

import re

from memoire.clients.payloads._reports import Dialect

DIALECT = Dialect(
    client="gemini",
    events={
        "BeforeAgent": "UserPromptSubmit",
        "AfterAgent": "Stop",
        "BeforeTool": "PreToolUse",
        "AfterTool": "PostToolUse",
        "PreCompress": "PreCompact",
    },
    file_tools={"read_file": "read", "write_file": "edit", "replace": "edit"},
    path_arguments=("file_path", "absolute_path", "path"),
    shell_tools=frozenset({"run_shell_command"}),
    status=re.compile(r"(?m)^Exit Code: (-?[0-9]{1,9})$"),
    asks=frozenset({"SessionStart", "PostToolUse"}),
)
