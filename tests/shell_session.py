"""A real shell in a pseudo-terminal, with the hook in its start file, in a project whose state folder is there."""

import os
import pty
import select
import shutil
import signal
import time
from pathlib import Path

import pytest

from memoire import shells
from memoire.clients.payloads import shell

WAIT_S = 5.0
"""How long a prompt is waited for."""

_START_FILES = {"bash": ".bashrc", "zsh": ".zshrc", "fish": ".config/fish/config.fish"}
# Each prompt adds a byte to a file, by a hook that was there before ours.
_TICKS = {
    "bash": "PROMPT_COMMAND='builtin printf . >>\"$TICKS\"'\nPS1='$ '\n",
    "zsh": "PS1='$ '\nfunction tick { builtin print -n . >>\"$TICKS\" }\nprecmd_functions=(tick)\n",
    "fish": "set -g fish_greeting\nfunction tick --on-event fish_prompt\nbuiltin printf . >>$TICKS\nend\n",
}


class Session:
    """One interactive shell.

    Args:
        name: bash, zsh or fish.
        folder: Taken for the home, with the project in it.
        before: Lines of the start file before the hook.
        after: Lines of the start file after it.
        program: The shell's file, where it is not the one on PATH.
        edits: Whether lines can be edited while they are typed; else they are taken as they are, odd bytes too.
    """

    def __init__(
        self, name: str, folder: Path, before: str = "", after: str = "", program: str = "", *, edits: bool = True
    ) -> None:
        found = program or shutil.which(name)
        if not found:
            pytest.skip(f"{name} is not installed")
        self.name = name
        self.root = folder / "project"
        self.state = folder / ".local" / "state" / "memoire" / "project-1"
        self.spool = self.state / "spool"
        self.ticks = folder / "ticks"
        self.output = b""
        self._seen = 0
        self.ticks.touch()
        self.prepare()
        start = folder / _START_FILES[name]
        start.parent.mkdir(parents=True, exist_ok=True)
        # Where this is missing fish reads every manual page of the machine, in processes that outlive it.
        (folder / ".local" / "share" / "fish" / "generated_completions").mkdir(parents=True)
        hook = folder / "hook"
        hook.write_text(shells.script(name))
        load = f"cat {hook} | source" if name == "fish" else f'eval "$(cat {hook})"'
        start.write_text(f"{_TICKS[name]}{before}\n{load}\n{after}\n")
        arguments = {"bash": ["bash", "--rcfile", str(start), "-i"], "zsh": ["zsh", "-d", "-i"], "fish": ["fish", "-i"]}
        if not edits:
            arguments["bash"].insert(1, "--noediting")
            arguments["zsh"][1:1] = ["+Z"]
        environment = {
            "HOME": str(folder), "ZDOTDIR": str(folder), "TICKS": str(self.ticks), "TERM": "dumb", "LC_ALL": "C.UTF-8",
            "PATH": os.environ["PATH"],
        }  # fmt: skip
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # ignored where the tests run in the background
            os.chdir(self.root)
            os.execve(found, arguments[name], environment)
        self._wait()

    def prepare(self) -> None:
        """Make the project and its state folder, as `memoire init` and the daemon do."""
        (self.root / ".memoire").mkdir(parents=True, exist_ok=True)
        self.state.mkdir(parents=True, mode=0o700, exist_ok=True)
        (self.root / ".memoire" / "local").write_text(f"{self.state}\n")

    def run(self, *lines: str | bytes) -> str:
        """Type each line and wait for the prompt after it; return what the terminal showed."""
        start = len(self.output)
        for line in lines:
            self.type(os.fsencode(line) + b"\n" if isinstance(line, str) else line)
            self._wait()
        return self.output[start:].decode("utf-8", "replace")

    def type(self, keys: bytes) -> None:
        os.write(self.terminal, keys)

    def wait_for(self, file: Path) -> None:
        end = time.monotonic() + WAIT_S
        while not file.exists():
            assert time.monotonic() < end, self.output
            self._read(0.01)

    def interrupt(self, line: str, marker: str) -> None:
        """Run a line that makes the marker file and goes on; press Ctrl-C."""
        self.type(os.fsencode(line) + b"\n")
        self.wait_for(self.root / marker)
        end = time.monotonic() + WAIT_S
        while self.ticks.stat().st_size <= self._seen:  # the first may come before the terminal is the command's
            assert time.monotonic() < end, self.output
            self.type(b"\x03")
            again = time.monotonic() + 0.5
            while self.ticks.stat().st_size <= self._seen and time.monotonic() < again:
                self._read(0.01)
        self._seen = self.ticks.stat().st_size

    def files(self) -> list[Path]:
        """Return the records, in the order they were written."""
        found = self.spool.iterdir() if self.spool.is_dir() else []
        return sorted(found, key=lambda path: int(path.stem.rpartition("-")[2]))

    def commands(self) -> list[shell.Command]:
        """Return what was recorded; each record must be whole."""
        found = []
        for path in self.files():
            data = path.read_bytes()
            assert data.endswith(b"\x1e\n"), data
            command = shell.parse(data)
            assert command is not None, data
            found.append(command)
        return found

    def texts(self) -> list[str]:
        return [command.command for command in self.commands()]

    def close(self) -> None:
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.terminal)

    def _wait(self) -> None:
        """Wait for one more prompt."""
        end = time.monotonic() + WAIT_S
        while self.ticks.stat().st_size <= self._seen:
            assert time.monotonic() < end, self.output
            self._read(0.01)
        self._seen = self.ticks.stat().st_size
        self._read(0.0)

    def _read(self, timeout: float) -> None:
        while select.select([self.terminal], [], [], timeout)[0]:
            try:
                data = os.read(self.terminal, 65536)
            except OSError:
                return
            if not data:
                return
            self.output += data
            timeout = 0.0
