"""Compares the versions of memoire that are at work on this machine: nothing is asked over a network."""

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

from memoire import __version__, jsonedit, launch, paths
from memoire.clients import claude_code
from memoire.errors import MemoireError
from memoire.terminal import service

SAME, OTHER, ABSENT = "same", "other", "absent"
LIMIT_S = 20.0
"""That a program may take to say its version."""


class Found(NamedTuple):
    """One place where memoire is at work."""

    where: str
    state: str
    """same, other or absent: as this one is."""
    version: str
    advice: str = ""


def compare(root: str) -> list[Found]:
    """Return this version first, then the program on PATH, what hooks run, and the daemon of the project."""
    found = [Found(f"this command, {Path(sys.argv[0]).absolute()}", SAME, __version__)]
    on_path = shutil.which("memoire")
    if on_path is None:
        advice = "Put its folder on PATH: assistants run `memoire mcp`."
        found.append(Found("on PATH", ABSENT, "", advice))
    else:
        found.append(_program(f"on PATH, {on_path}", on_path, "Install this version over it, or take it off PATH."))
    hooked = sorted(_hooked(root) - {on_path or ""})
    found += [_program(f"hooks of Claude Code, {program}", program, "Run `memoire init`.") for program in hooked]
    return [*found, _daemon(root)]


def result(found: list[Found]) -> dict[str, Any]:
    """Return the same as commands show it."""
    return {"versions": [{key: value for key, value in each._asdict().items() if value} for each in found]}


def status(found: list[Found]) -> int:
    """Return the exit status: 1 where another version is at work."""
    return int(any(each.state == OTHER for each in found))


def _program(where: str, program: str, advice: str) -> Found:
    try:
        done = subprocess.run(
            [program, "--version"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT_S,
            check=False,
        )  # fmt: skip
        name, _, version = done.stdout.strip().rpartition(" ")
    except (OSError, subprocess.TimeoutExpired) as error:
        return Found(where, OTHER, f"does not say ({error})", advice)
    if name != "memoire":
        return Found(where, OTHER, "does not say", advice)
    return Found(where, SAME, version) if version == __version__ else Found(where, OTHER, version, advice)


def _hooked(root: str) -> set[str]:
    """Return the programs that settings of the project and of the user run at each step of Claude Code."""
    files = (Path(root, claude_code.SETTINGS_FILE), Path(paths.home_dir(), ".claude", "settings.json"))
    programs: set[str] = set()
    for file in files:
        try:
            programs |= set(claude_code.hook_programs(jsonedit.parse(file.read_text("utf-8-sig"))).values())
        except (OSError, ValueError):
            continue  # `memoire doctor` says what is wrong with it
    return {shutil.which(program) or program for program in programs}


def _daemon(root: str) -> Found:
    try:
        told = service.status(root)
    except MemoireError as error:
        return Found("daemon", OTHER, f"does not say ({error})", "Run `memoire restart`.")
    if told["state"] == service.STOPPED:
        return Found("daemon", ABSENT, "")
    if told["build"] == launch.build_id():
        return Found("daemon", SAME, str(told["version"]))
    return Found("daemon", OTHER, str(told["version"]), "Run `memoire restart`.")
