"""Interim."""

from datetime import UTC, datetime

from memoire.episodes.actions import Action

SHELLS = frozenset({"bash", "zsh", "fish"})


def action(client: str, name: str, data: bytes) -> Action | None:
    """Interim."""
    parts = data.decode("utf-8", "replace").split("\x1f")
    if len(parts) != 6:
        return None
    return Action(
        kind="command",
        client=client,
        at=datetime.fromtimestamp(int(parts[1]) / 1e6, UTC),
        key=name,
        cwd=parts[4],
        text=parts[5],
        exit_status=int(parts[3]),
        duration_ms=int(parts[2]) // 1000,
    )
