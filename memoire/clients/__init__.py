"""The assistants and editors that are configured by memoire: one module each."""

from memoire.clients import (
    amp,
    antigravity,
    claude_code,
    cline,
    codex,
    copilot_cli,
    cursor,
    devin,
    gemini,
    goose,
    junie,
    kiro,
    lm_studio,
    opencode,
    vscode,
    zed,
)
from memoire.clients._spec import Client

CLIENTS: tuple[Client, ...] = (
    claude_code.CLIENT, codex.CLIENT, cursor.CLIENT, vscode.CLIENT, copilot_cli.CLIENT, gemini.CLIENT,
    antigravity.CLIENT, opencode.CLIENT, devin.CLIENT, zed.CLIENT, cline.CLIENT, junie.CLIENT, goose.CLIENT, amp.CLIENT,
    kiro.CLIENT, lm_studio.CLIENT,
)  # fmt: skip
"""Every client. The first is set up where none is detected: others read its files too."""
