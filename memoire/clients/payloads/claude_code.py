"""What Claude Code's hooks report, and VS Code's, which runs the same hooks.

Source: Claude Code's documentation of August 2026, and what version 2.1.197 sends: a command that ends with a status
other than 0 comes as PostToolUseFailure whose `error` begins with `Exit code 3`; one that went well carries no status.
PreToolUse takes `additionalContext`, and shows it to the model beside the tool's result: before an edit that is what
was told when the file was read, which Claude Code insists on. VS Code names fields in camel case and tools its own way.
"""

from memoire.clients.payloads._reports import VSCODE_FILE_TOOLS, VSCODE_SHELL_TOOL, Dialect

DIALECT = Dialect(
    client="claude-code",
    names={
        "session_id": ("sessionId",),
        "hook_event_name": ("hookEventName",),
        "tool_use_id": ("toolUseId",),
        "tool_name": ("toolName",),
        "tool_input": ("toolInput",),
        "tool_response": ("toolResponse",),
    },
    file_tools={
        "Read": "read",
        "Edit": "edit",
        "Write": "edit",
        "MultiEdit": "edit",
        "NotebookEdit": "edit",
        **VSCODE_FILE_TOOLS,
    },
    path_arguments=("file_path", "notebook_path", "filePath"),
    shell_tools=frozenset({"Bash", VSCODE_SHELL_TOOL}),
    patch_tools={"apply_patch": "input"},
)
