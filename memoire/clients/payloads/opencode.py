"""What memoire's plug-in of OpenCode reports: `clients/opencode_plugin.js` says it in Claude Code's names.

Source: OpenCode 1.18.33 as it runs.
"""

from memoire.clients.payloads._reports import Dialect

DIALECT = Dialect(
    client="opencode",
    file_tools={"read": "read", "edit": "edit", "write": "edit"},
    path_arguments=("filePath",),
    shell_tools=frozenset({"bash"}),
    patch_tools={"patch": "patchText", "apply_patch": "patchText"},
    is_status_told=False,
)
