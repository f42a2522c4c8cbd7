"""Lets the system start the daemon of one project at login: a systemd user unit on Linux, a LaunchAgent on macOS.

Clients start the daemon by themselves, so nobody needs this: it is for who wants the project followed all the time.
What was written is known by a checksum inside, and only that is overwritten or removed: an edited file is the user's.
"""

import binascii
import os
import plistlib
import re
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from memoire import launch, paths
from memoire.errors import InvalidArgumentError

CREATED, UPDATED, REMOVED, UNCHANGED, LEFT_ALONE = "created", "updated", "removed", "unchanged", "left alone"

COMMAND_S = 30.0
"""How long the service manager may take for one command: `disable --now` waits for the daemon to close its store."""

STOP_S = 90
"""How long a daemon may take to end before it is killed, seconds: longer than its drain and the close of its store."""

_MARK = re.compile(r"Written by `memoire service install`; folders made: (\d+), checksum: ([0-9a-f]{8})\.")


class Step(NamedTuple):
    """What was done about one thing, or would be."""

    path: str
    state: str
    """created, updated, removed, unchanged or left alone."""
    why: str = ""
    text: str = ""
    """The file as it was written or would be."""
    ran: tuple[str, ...] = ()
    """Commands of the service manager that were run."""
    todo: tuple[str, ...] = ()
    """Commands that the user must run: the service manager cannot be reached from here, or refused."""


class Manager(NamedTuple):
    """The service manager of one system: where it reads the service of one project, and how it is told of it."""

    file: Path
    text: str
    comment: str
    """How the text is marked: a format with one field."""
    probe: tuple[str, ...]
    """Ends with 0 where the manager can be reached."""
    enable: tuple[tuple[str, ...], ...]
    disable: tuple[tuple[str, ...], ...]
    forget: tuple[tuple[str, ...], ...]
    """After the file is gone."""
    later: tuple[tuple[str, ...], ...]
    """Instead of `disable` and `forget`, where the file went before the manager could be told."""
    active: tuple[str, ...]
    """Ends with 0 where the service runs."""
    link: Path | None = None
    """What enabling leaves behind, where it cannot be disabled."""


def install(root: str, *, dry_run: bool = False, platform: str = sys.platform) -> Step:
    """Write the service of the project, and start it where its manager can be reached.

    Args:
        root: Top folder of the project, its real path.
        dry_run: Write and run nothing.
        platform: `sys.platform` of the system.

    Raises:
        InvalidArgumentError: The system has no service manager that is known, or the path cannot be written for it.
        OSError: The file cannot be written.
    """
    manager = manager_of(root, platform)
    old = _read(manager.file)
    made = _made(old)
    if old is not None and made is None:
        return Step(str(manager.file), LEFT_ALONE, "it was edited, or is not memoire's; remove it to install anew")
    folders = _missing(manager.file.parent)
    text = _marked(manager, made if made is not None else len(folders))
    state = CREATED if old is None else UNCHANGED if old == text else UPDATED
    if dry_run:
        return Step(str(manager.file), state, text=text, todo=_shown(manager.enable))
    if state != UNCHANGED:
        _write(manager.file, text)
    return _told(manager, state, manager.enable, text)


def uninstall(root: str, *, dry_run: bool = False, platform: str = sys.platform) -> Step | None:
    """Stop the service of the project and remove what `install` wrote; None where there is nothing.

    Args:
        root: Top folder of the project, its real path; it need not exist any more.
        dry_run: Remove and run nothing.
        platform: `sys.platform` of the system.

    Raises:
        OSError: The file cannot be removed.
    """
    try:
        manager = manager_of(root, platform)
    except InvalidArgumentError:
        return None
    old = _read(manager.file)
    if old is None:
        return None
    made = _made(old)
    if made is None:
        return Step(str(manager.file), LEFT_ALONE, "it was edited, or is not memoire's; remove it yourself")
    if dry_run:
        return Step(str(manager.file), REMOVED, todo=_shown((*manager.disable, *manager.forget)))
    step = _told(manager, REMOVED, manager.disable)
    manager.file.unlink(missing_ok=True)
    _unlink_dangling(manager.link)
    folder = manager.file.parent
    for _ in range(made):
        with suppress(OSError):  # something else is in it by now
            folder.rmdir()
        folder = folder.parent
    if not step.ran:
        return step._replace(todo=_shown(manager.later))
    return _with(step, _told(manager, REMOVED, manager.forget))


def status(root: str, *, platform: str = sys.platform) -> dict[str, str]:
    """Return `service` (installed, edited, outdated or not installed), `file`, and `state` (active, inactive, unknown).

    Raises:
        InvalidArgumentError: The system has no service manager that is known.
    """
    manager = manager_of(root, platform)
    old = _read(manager.file)
    made = _made(old)
    if old is None:
        service = "not installed"
    elif made is None:
        service = "edited"
    else:
        service = "installed" if old == _marked(manager, made) else "outdated: run `memoire service install`"
    state = "unknown"
    if _run(manager.probe) is not None:
        state = "inactive" if _run(manager.active) is None else "active"
    return {"service": service, "state": state, "file": str(manager.file)}


def manager_of(root: str, platform: str = sys.platform) -> Manager:
    """Return the service manager of the system, for one project.

    Raises:
        InvalidArgumentError: None is known for the system, or the path cannot be written for it.
    """
    for what in (root, *launch.service_command(root)):
        if any(ord(letter) < 32 or ord(letter) == 127 or "\ud800" <= letter <= "\udfff" for letter in what):
            shown = what.encode("utf-8", "backslashreplace").decode()
            raise InvalidArgumentError("service", f"{shown!r} has letters that no service file can hold")
    name = Path(paths.state_path(root)).name  # of the real path: two clones share their project id
    if platform.startswith("linux"):
        return _systemd(root, f"memoire-{name}.service")
    if platform == "darwin":
        return _launchd(root, f"memoire.{name}")
    raise InvalidArgumentError("service", "is for Linux (systemd) and macOS (launchd); elsewhere, clients start it")


def _systemd(root: str, unit: str) -> Manager:
    folder = Path(paths.home_dir(), ".config", "systemd", "user")  # of HOME alone, as all that memoire writes
    program, *arguments = launch.service_command(root)
    command = " ".join([_quoted(program), *(_quoted(argument).replace("$", "$$") for argument in arguments)])
    variables = launch.code_path()
    environment = f"Environment={_quoted(f'PYTHONPATH={variables}')}\n" if variables else ""
    # Source: systemd.unit(5), systemd.service(5). Exit status 2: it cannot be started as asked, and trying again does
    # not help. `mixed`: the daemon ends its workers itself.
    text = f"""\
[Unit]
Description=memoire daemon of {_percent(root)}
ConditionPathIsDirectory={_percent(root)}/.memoire
StartLimitIntervalSec=300
StartLimitBurst=10

[Service]
Type=exec
ExecStart={command}
{environment}WorkingDirectory=/
UMask=0077
Restart=on-failure
RestartSec=5
RestartPreventExitStatus=2
KillMode=mixed
TimeoutStopSec={STOP_S}

[Install]
WantedBy=default.target
"""
    user = ("systemctl", "--user")
    return Manager(
        file=folder / unit,
        text=text,
        comment="# {}\n",
        probe=(*user, "show-environment"),
        enable=((*user, "daemon-reload"), (*user, "enable", "--now", unit)),
        disable=((*user, "disable", "--now", unit),),
        forget=((*user, "daemon-reload"),),
        later=((*user, "stop", unit), (*user, "daemon-reload")),
        active=(*user, "is-active", unit),
        link=folder / "default.target.wants" / unit,
    )


def _launchd(root: str, label: str) -> Manager:
    variables = launch.code_path()
    # Source: launchd.plist(5). It is started at login, and again unless it ended with status 0.
    description = {
        "Label": label,
        "ProgramArguments": launch.service_command(root),
        **({"EnvironmentVariables": {"PYTHONPATH": variables}} if variables else {}),
        "RunAtLoad": True,
        "KeepAlive": {"SuccessfulExit": False},
        "ThrottleInterval": 10,
        "ExitTimeOut": STOP_S,
        "ProcessType": "Background",
        "Umask": 0o77,
        "WorkingDirectory": "/",
    }
    file = Path(paths.home_dir(), "Library", "LaunchAgents", f"{label}.plist")
    domain = f"gui/{os.getuid()}"
    return Manager(
        file=file,
        text=plistlib.dumps(description, sort_keys=False).decode(),
        comment="<!-- {} -->\n",
        probe=("launchctl", "print", domain),
        enable=(("launchctl", "bootstrap", domain, str(file)),),
        disable=(("launchctl", "bootout", f"{domain}/{label}"),),
        forget=(),
        later=(("launchctl", "bootout", f"{domain}/{label}"),),
        active=("launchctl", "print", f"{domain}/{label}"),
    )


def _quoted(text: str) -> str:
    """Return the text as one word of a unit file. Source: systemd.syntax(7), quoting; systemd.unit(5), specifiers."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{_percent(escaped)}"'


def _percent(text: str) -> str:
    return text.replace("%", "%%")


def _marked(manager: Manager, made: int) -> str:
    """Return the text with the mark by which it is known again: before a unit, after the document type of a plist."""
    checksum = binascii.crc32(f"{made} {manager.text}".encode())
    mark = f"Written by `memoire service install`; folders made: {made}, checksum: {checksum:08x}."
    head, doctype, rest = manager.text.rpartition('PropertyList-1.0.dtd">\n')
    return head + doctype + manager.comment.format(mark) + rest


def _made(text: str | None) -> int | None:
    """Return how many folders were made for the file; None where it is not as it was written."""
    found = _MARK.search(text or "")
    if text is None or found is None:
        return None
    lines = text.splitlines(keepends=True)
    rest = "".join(line for line in lines if found[0] not in line)
    is_whole = (
        len(lines) - 1 == len(rest.splitlines()) and found[2] == f"{binascii.crc32(f'{found[1]} {rest}'.encode()):08x}"
    )
    return int(found[1]) if is_whole else None


def _read(file: Path) -> str | None:
    if file.is_symlink():
        return ""  # somebody else's: never written through
    try:
        return file.read_bytes().decode("utf-8", "replace")
    except FileNotFoundError:
        return None


def _missing(folder: Path) -> list[Path]:
    found = []
    while not folder.exists():
        found.append(folder)
        folder = folder.parent
    return found


def _write(file: Path, text: str) -> None:
    for folder in reversed(_missing(file.parent)):
        folder.mkdir(mode=0o755, exist_ok=True)
    fresh = file.with_name(f".{file.name}.{os.getpid()}")
    with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o644), "wb") as stream:  # noqa: PTH123 - Path.open takes no flags
        stream.write(text.encode())
        stream.flush()
        os.fsync(stream.fileno())
    fresh.replace(file)


def _unlink_dangling(link: Path | None) -> None:
    if link is not None and link.is_symlink() and not link.exists():
        link.unlink()
        with suppress(OSError):  # it enables other services, too
            link.parent.rmdir()


def _told(manager: Manager, state: str, commands: Sequence[Sequence[str]], text: str = "") -> Step:
    """Return the step, after the manager was told; what it could not be told is for the user to do."""
    ran: list[Sequence[str]] = []
    why = ""
    if commands and _run(manager.probe) is None:
        why = f"`{manager.probe[0]}` does not reach the service manager of this user from here"
    else:
        for command in commands:
            if _run(command) is None:
                why = f"`{' '.join(command)}` failed"
                break
            ran.append(command)
    return Step(str(manager.file), state, why, text, _shown(ran), _shown(commands[len(ran) :]))


def _with(first: Step, second: Step) -> Step:
    return first._replace(why=first.why or second.why, ran=(*first.ran, *second.ran), todo=(*first.todo, *second.todo))


def _shown(commands: Sequence[Sequence[str]]) -> tuple[str, ...]:
    return tuple(" ".join(command) for command in commands)


def _run(command: Sequence[str]) -> str | None:
    """Return what the command writes, None where it fails or there is no such program."""
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=COMMAND_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None
