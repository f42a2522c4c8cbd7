"""Measures what the hooks cost a prompt: many prompts of each shell in a project, with and without its hook.

    python benchmarks/shell_hook_cost.py [--prompts 500] [--rounds 3] [SHELL ...]

Per prompt, the least of the rounds: CPU (user and system, of the shell and all it started) and wall time between the
first prompt and the last. Outside a project and in one; the difference to no hook is what counts.
"""

import argparse
import os
import pty
import shutil
import tempfile
import threading
import time
from pathlib import Path

from memoire import shells

TARGET_MS = {"bash": 2.5, "zsh": 0.5, "fish": 0.5}
START_FILES = {"bash": ".bashrc", "zsh": ".zshrc", "fish": ".config/fish/config.fish"}
PLAIN = {"bash": "PS1='$ '\n", "zsh": "PS1='$ '\nunsetopt zle\n", "fish": "function fish_prompt; end\n"}


def measure(name: str, program: str, prompts: int, *, hooked: bool, in_project: bool) -> tuple[float, float, int]:
    """Return CPU and wall time of a prompt, ms, and how many records there are."""
    with tempfile.TemporaryDirectory() as given:
        home = Path(given).resolve()
        project = home / "project"
        state = home / ".local" / "state" / "memoire" / "project-1"
        state.mkdir(parents=True, mode=0o700)
        (project / "src" / "deep").mkdir(parents=True)
        if in_project:
            (project / ".memoire").mkdir()
            (project / ".memoire" / "local").write_text(f"{state}\n")
        start = home / START_FILES[name]
        start.parent.mkdir(parents=True, exist_ok=True)
        start.write_text(PLAIN[name] + (shells.script(name) if hooked else ""))
        argv = {"bash": ["bash", "--noediting", "--rcfile", str(start), "-i"]}.get(name, [name, "-i"])
        # Where this is missing fish reads every manual page of the machine.
        Path(given, ".local", "share", "fish", "generated_completions").mkdir(parents=True, exist_ok=True)
        environment = {"HOME": given, "ZDOTDIR": given, "TERM": "dumb", "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}
        wall, cpu = time_prompts(program, argv, environment, project / "src" / "deep", prompts)
        spool = state / "spool"
        return cpu, wall, len(list(spool.iterdir())) if spool.is_dir() else 0


def time_prompts(
    program: str, argv: list[str], environment: dict[str, str], folder: Path, prompts: int
) -> tuple[float, float]:
    begun, done = folder / "begun", folder / "done"
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(folder)
        os.execve(program, argv, environment)
    drain = threading.Thread(target=read_all, args=(terminal,), daemon=True)
    drain.start()
    os.write(terminal, b"true >begun\n")
    wait_for(begun)
    cpu, wall = cpu_s(pid), time.perf_counter()
    for number in range(prompts):
        os.write(terminal, b"true number %d\n" % number)
        if number % 50 == 49:  # a terminal takes 4 kB ahead
            os.write(terminal, b"true >mark%d\n" % number)
            wait_for(folder / f"mark{number}")
    os.write(terminal, b"true >done\n")
    wait_for(done)
    wall, cpu = time.perf_counter() - wall, cpu_s(pid) - cpu
    os.write(terminal, b"exit\n")
    os.waitpid(pid, 0)
    drain.join(2)
    os.close(terminal)
    return wall / prompts * 1e3, cpu / prompts * 1e3


def cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def read_all(terminal: int) -> None:
    try:
        while os.read(terminal, 65536):
            pass
    except OSError:
        return


def wait_for(file: Path) -> None:
    end = time.monotonic() + 60
    while not file.exists():
        assert time.monotonic() < end, file
        time.sleep(0.0005)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shells", nargs="*", metavar="SHELL", help="bash, zsh, fish, or the file of one")
    parser.add_argument("--prompts", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    print(f"{'shell':<12}{'':<12}{'CPU ms':>8}{'wall ms':>9}   per prompt, more than without the hook")
    for given in options.shells or shells.NAMES:
        name = Path(given).name.partition("-")[0]
        program = shutil.which(given)
        if program is None:
            print(f"{given:<12}not installed")
            continue
        bare, outside, inside = (
            [
                measure(name, program, options.prompts, hooked=hooked, in_project=in_project)
                for _ in range(options.rounds)
            ]
            for hooked, in_project in ((False, True), (True, False), (True, True))
        )
        assert all(count >= options.prompts for _, _, count in inside), "records are missing"
        base = [min(column) for column in zip(*bare, strict=True)]
        print(f"{Path(given).name:<12}{'no hook':<12}{base[0]:>8.3f}{base[1]:>9.3f}   in all")
        for title, rows in (("no project", outside), ("project", inside)):
            cpu, wall, _ = (min(column) for column in zip(*rows, strict=True))
            print(f"{'':<12}{title:<12}{cpu - base[0]:>8.3f}{wall - base[1]:>9.3f}   target {TARGET_MS[name]}")


if __name__ == "__main__":
    main()
