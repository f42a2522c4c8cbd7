"""Shows what `memoire service` did or would do."""

from typing import Any

from memoire.service_unit import LEFT_ALONE, Step

ACTIONS = ("install", "uninstall", "status")

ABSENT = "not installed"
"""The `service` of a project that has none."""


def summary(step: Step | None, *, is_dry: bool) -> dict[str, Any]:
    """Return the step for a person and for `--json`; None is a service that is not there."""
    if step is None:
        return {"service": ABSENT, "dry_run": is_dry}
    shown: dict[str, Any] = {"service": step.state, "file": step.path, "dry_run": is_dry}
    if step.why:
        shown["why"] = step.why
    if is_dry and step.text:
        shown["content"] = step.text
    if step.ran:
        shown["ran"] = list(step.ran)
    if step.todo:
        shown["would_run" if is_dry else "to_do"] = list(step.todo)
    return shown


def status(step: Step | None) -> int:
    """Return the exit status: 1 where something had to be left alone."""
    return int(step is not None and step.state == LEFT_ALONE)
