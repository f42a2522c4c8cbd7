"""Checks whether memoire works for a project, and says what to do about what does not."""

import os
import platform
import shutil
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from memoire import config, jsonedit, launch, paths, setup
from memoire.ages import age
from memoire.clients import claude_code
from memoire.errors import MemoireError
from memoire.sdk import Memoire
from memoire.setup_work import CREATED, LEFT_ALONE, UPDATED
from memoire.terminal import asking_clients

MIN_FREE_MB = 200
"""Less free space than this is a warning: the store writes before it can compact."""

MAX_APART_S = 5
"""Seconds that the clock of a disk may differ."""

OK, WARNING, FAILED = "ok", "warning", "failed"


class Finding(NamedTuple):
    """The result of one check."""

    check: str
    state: str
    """ok, warning or failed."""
    found: str
    advice: str = ""
    """What to do; empty where nothing is wrong."""


def examine(folder: str) -> list[Finding]:
    """Return the findings on the project that the folder belongs to, in the order in which to mend them."""
    root = paths.find_root(folder)
    findings = [_system(), _git(), _project(root)]
    if findings[-1].state == FAILED:
        return findings
    findings += [_caught("settings", _settings, root), _caught("assistants", _assistants, root)]
    findings += [_caught("hooks", _hooks, root)] if claude_code.CLIENT.detect(root) else []
    findings += [_registration(answer) for answer in asking_clients.ask(root)]
    findings += [_caught("state folder", _state_folder, root)]
    if findings[-1].state == FAILED:
        return findings
    try:
        status = Memoire(root).status()
    except (MemoireError, OSError) as error:
        return [*findings, Finding("daemon", FAILED, str(error), "See `memoire logs`.")]
    findings += [_daemon(status), *_store(status)]
    if not status.get("project"):
        return findings
    return [
        *findings,
        _caught("notes", _notes, root),
        _caught("sources", _sources, root),
        _caught("clock", _clock, root),
    ]


def _system() -> Finding:
    found = f"Python {platform.python_version()} on {sys.platform}"
    if sys.platform.startswith(("linux", "darwin")):
        return Finding("system", OK, found)
    return Finding("system", FAILED, found, "memoire runs on Linux and macOS; on Windows, run it inside WSL.")


def _git() -> Finding:
    where = shutil.which("git")
    if where:
        return Finding("git", OK, where)
    return Finding("git", WARNING, "not found", "Install git: without it there is no history, and no global ignores.")


def _project(root: str) -> Finding:
    why = paths.refuse_reason(root)
    if why:
        return Finding("project", FAILED, f"{root} is {why}", "Go into a project.")
    if not paths.is_initialized(root):
        return Finding("project", FAILED, f"{root} is not set up", "Run `memoire init` there.")
    return Finding("project", OK, f"{paths.project_id(root)} at {root}")


def _settings(root: str) -> Finding:
    _, warnings = config.load(root)
    if warnings:
        return Finding("settings", WARNING, " ".join(warnings), "Mend or remove these settings.")
    return Finding("settings", OK, "all understood")


def _assistants(root: str) -> Finding:
    actions = setup.init(root, force=True, dry_run=True)
    missing = [each for each in actions if each.state in {CREATED, UPDATED}]
    refused = [each for each in actions if each.state == LEFT_ALONE]
    if missing or refused:
        found = [f"{each.what}: not in {each.path}" for each in missing]
        found += [f"{each.what}: {each.path} is left alone, {each.why}" for each in refused]
        return Finding("assistants", WARNING, "; ".join(found), "Run `memoire init`.")
    if shutil.which("memoire") is None:
        advice = "Install memoire with pipx, or put its folder on PATH: assistants run `memoire mcp`."
        return Finding("assistants", WARNING, "`memoire` is not on PATH", advice)
    return Finding("assistants", OK, "configured")


def _registration(answer: asking_clients.Answer) -> Finding:
    """Judge what a client says of memoire's server."""
    client = answer.client
    check, command = f"server in {client.title}", " ".join(client.lists)
    todo = next((edit.todo for edit in client.edits if edit.command and edit.todo), "")
    if answer.state == "known":
        return Finding(check, OK, f"`{command}`: {answer.said}")
    if answer.state == "silent":
        return Finding(check, WARNING, f"`{command}` does not say: {answer.said}", f"Run `{command}` yourself.")
    if answer.state == "pending":
        return Finding(check, WARNING, f"it waits for you: {answer.said}", todo or f"Approve it in {client.title}.")
    if answer.state == "broken":
        return Finding(check, WARNING, f"`{command}`: {answer.said}", "Run `memoire mcp` here to see why.")
    advice = f"{todo} " if todo else ""
    return Finding(
        check, WARNING, f"`{command}` does not name memoire", f"{advice}Or run `memoire init --client {client.name}`."
    )


def _sources(root: str) -> Finding:
    """Tell when something was last heard of each source of events."""
    events = Memoire(root).call("recent_events", limit=200)["events"]
    last: dict[str, str] = {}
    for event in events:
        source = event.get("client") or {"git": "git", "memoire": ""}.get(event.get("actor", ""), "files")
        if source:
            last.setdefault(source, event["created_at"])
    if not last:
        return Finding("sources", WARNING, "nothing was heard of yet", "Save a file, and ask again.")
    now = datetime.now(UTC)
    told = [f"{source} {age((now - datetime.fromisoformat(at)).total_seconds())}" for source, at in last.items()]
    return Finding("sources", OK, f"last heard of: {', '.join(told)}")


def _clock(root: str) -> Finding:
    """Judge whether the clock of this machine and that of the disk agree: what is newest is told by both."""
    folder = Path(paths.state_dir(root))
    probe = folder / f".clock-{os.getpid()}"
    try:
        probe.touch()
        apart = abs(probe.stat().st_mtime - time.time())
    finally:
        probe.unlink(missing_ok=True)
    if apart > MAX_APART_S:
        found = f"the disk of {folder} is {apart:.0f} s apart from this machine"
        return Finding("clock", WARNING, found, "Set the clocks: which of two changes came first is told by them.")
    return Finding("clock", OK, "this machine and its disk agree")


def _hooks(root: str) -> Finding:
    """Judge what Claude Code runs at each step: without it, what an assistant does is not recorded."""
    settings = {file: _json(Path(root, file)) for file in (claude_code.SETTINGS_FILE, ".claude/settings.json")}
    settings["~/.claude/settings.json"] = _json(Path(paths.home_dir(), ".claude", "settings.json"))
    programs = claude_code.hook_programs(settings[claude_code.SETTINGS_FILE])
    missing = [event for event in claude_code.HOOKS if event not in programs]
    lost = sorted({program for program in programs.values() if shutil.which(program) is None})
    off = [file for file, found in settings.items() if isinstance(found, dict) and found.get("disableAllHooks") is True]
    if missing:
        told = "none" if not programs else f"none for {', '.join(missing)}"
        return Finding("hooks", WARNING, f"{told} in {claude_code.SETTINGS_FILE}", "Run `memoire init`.")
    if lost:
        return Finding("hooks", WARNING, f"they run {', '.join(lost)}, which is not there", "Run `memoire init`.")
    if off:
        return Finding("hooks", WARNING, f"switched off in {', '.join(off)}", "Take `disableAllHooks` out of it.")
    return Finding("hooks", OK, f"Claude Code runs {', '.join(sorted(set(programs.values())))} at each step")


def _json(file: Path) -> object:
    """Return what a file of settings holds; None where there is none, or none that can be read."""
    try:
        return jsonedit.parse(file.read_text("utf-8-sig"))
    except (OSError, ValueError):
        return None


def _state_folder(root: str) -> Finding:
    folder = paths.state_dir(root)
    free_mb = shutil.disk_usage(folder).free // 2**20
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        return Finding("state folder", FAILED, f"{folder} cannot be written", "Give it back to your user.")
    if free_mb < MIN_FREE_MB:
        return Finding("state folder", WARNING, f"{free_mb} MB are free at {folder}", "Make room on that disk.")
    return Finding("state folder", OK, folder)


def _daemon(status: dict[str, Any]) -> Finding:
    found = f"process {status['pid']}, version {status['version']}, {status['state']}"
    if "problem" in status:
        return Finding("daemon", FAILED, f"{found}: {status['problem']['message']}", "See `memoire logs`.")
    if status["build"] != launch.build_id():
        return Finding("daemon", WARNING, f"{found}, another build than this one", "Run `memoire restart`.")
    return Finding("daemon", OK, found)


def _store(status: dict[str, Any]) -> list[Finding]:
    project = status.get("project")
    if not project:
        return [Finding("index", WARNING, "not opened yet", "Ask again in a moment.")]
    found = f"{project['files']} files, {project['edges']} edges, generation {project['generation']}"
    index = Finding("index", OK, found)
    if project.get("failure"):
        index = Finding("index", FAILED, f"{found}; {project['failure']}", "See `memoire logs`, then `memoire ingest`.")
    elif project.get("rebuilt"):
        index = Finding(
            "index", WARNING, f"{found}; it was rebuilt: {project['rebuilt']}", "Nothing: it is whole again."
        )
    findings = [index, *(Finding("watcher", WARNING, text, "See what it says.") for text in project["warnings"])]
    if len(findings) == 1:
        findings.append(Finding("watcher", OK, "sees every change at once"))
    if project.get("problems"):
        advice = "`memoire ingest` lists them; what can be understood around an error is kept."
        findings.append(Finding("files", WARNING, f"{project['problems']} could not be read whole", advice))
    if project.get("lost_reports"):
        lost = f"{project['lost_reports']} reports of hooks could not be taken in"
        findings.append(Finding("reports", WARNING, lost, "`memoire logs` says which, and why."))
    return findings


def _notes(root: str) -> Finding:
    """Judge the journals of notes, and what came into them by merges."""
    project = Memoire(root)
    swept = project.call("notes_gc")
    health = project.call("memory_check", audit=["health"], limit=500)["findings"]
    found = [f"{one['path']}: {told}" for one in swept["journals"] for told in _told_of(one)]
    found += [f"{name} is left of a writer that was killed" for name in swept["files"]]
    is_mendable = bool(found)
    found += [each["text"] for each in health if each["kind"] != "unreadable" or "merge left" not in each["text"]]
    if not found:
        count = sum(one["versions"] for one in swept["journals"])
        return Finding("notes", OK, f"{count} versions of notes, every line is understood" if count else "none yet")
    advice = "Run `memoire doctor --fix`." if is_mendable else "`memoire notes check --audit health` says what to do."
    return Finding("notes", WARNING, "; ".join(found), advice)


def _told_of(journal: dict[str, Any]) -> list[str]:
    """Return what of a journal can be mended, in words."""
    told = [
        (journal["marks"], "lines of a conflict that git could not join"),
        (journal["doubled"], "lines stand in it twice"),
        (journal["empty"], "lines are empty"),
    ]
    found = [f"{count} {what}" for count, what in told if count]
    return [*found, "its last line has no end"] if journal["torn"] else found


def _caught(check: str, examine_one: Callable[[str], Finding], root: str) -> Finding:
    """Return the finding, or the error that kept it from being made."""
    try:
        return examine_one(root)
    except (MemoireError, OSError) as error:
        return Finding(check, FAILED, str(error), "Mend what it names.")
