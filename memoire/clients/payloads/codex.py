"""What the hooks of Codex CLI report.

Source: what version 0.171.0 sends. Its shell comes as `Bash`, whatever the model calls it, and so do files
that it reads; what a command printed comes
as text, without its status; a call that fails is not reported at all.
"""

from memoire.clients.payloads._reports import Dialect

DIALECT = Dialect(
    client="codex",
    file_tools={"view_image": "read"},
    path_arguments=("path",),
    shell_tools=frozenset({"Bash"}),
    patch_tools={"apply_patch": "command"},
    reads_by_shell=True,
    is_status_told=False,
)
