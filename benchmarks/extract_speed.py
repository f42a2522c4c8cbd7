"""Measures what extraction costs in each language, and what an index of the same folders costs memoire and others.

    python -m benchmarks.extract_speed FOLDER… [--language NAME]… [--rounds 5] [--peer codegraph[=PROGRAM]]…

Per language: the files, their size, CPU seconds of the bare parse and of the whole extraction, each the best of the
rounds, which are interleaved; the ratio of the two; and the speed of extraction. Known peers are `codegraph` (npm
`@colbymchenry/codegraph`) and `code-review-graph` (PyPI); PROGRAM is where one is installed. Each indexes a copy of
its own, committed to git, in a home of its own; CPU seconds include its children. Figures of one run are comparable
with each other, and with those of no other run.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
from tree_sitter import Parser

from memoire.dispatch import extract
from memoire.extract.reader import reader
from memoire.languages import LANGUAGES, language_of, suffix_of

MOST_FILES = 400
"""Files of one language that are measured, evenly spread."""
LARGEST = 1_000_000
"""Bytes; larger files are not parsed."""
PEERS = {"codegraph": ("init", "-y"), "code-review-graph": ("build", "-q")}
"""What indexes the working directory -> its arguments."""
_GIT = ("git", "-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")


class Speed(msgspec.Struct):
    """What one language took, CPU seconds of each round."""

    files: list[tuple[str, bytes]]
    parsing: list[float] = []
    extracting: list[float] = []

    def row(self, name: str) -> str:
        """Return the line of the table."""
        size = sum(len(data) for _, data in self.files) / 1e6
        whole = min(self.extracting)
        line = f"{name:14} {len(self.files):6} {size:7.2f} "
        if self.parsing:
            ratios = [whole / part for part, whole in zip(self.parsing, self.extracting, strict=True)]
            line += f"{min(self.parsing):9.3f} {whole:9.3f} {statistics.median(ratios):7.2f} "
        else:
            line += f"{'-':>9} {whole:9.3f} {'-':>7} "
        return f"{line}{size / whole:8.2f}"


def _cpu(function: Callable[..., object], calls: Sequence[tuple[object, ...]]) -> float:
    before = time.process_time()
    for arguments in calls:
        function(*arguments)
    return time.process_time() - before


def collect(folders: Sequence[Path], wanted: Sequence[str]) -> dict[str, Speed]:
    """Return language -> its files in some folders."""
    groups: dict[str, list[tuple[str, bytes]]] = defaultdict(list)
    for folder in folders:
        for file in sorted(folder.rglob("*")):
            language = language_of(file.name)
            if language is None or (wanted and language.name not in wanted) or ".git" in file.parts:
                continue
            if file.is_file() and not file.is_symlink() and file.stat().st_size <= LARGEST:
                groups[language.name].append((file.name, file.read_bytes()))
    return {name: Speed(found[:: -(-len(found) // MOST_FILES)], [], []) for name, found in sorted(groups.items())}


def _parser(name: str) -> Parser | None:
    """Return the parser for a file name, None where nothing but the language's own reader reads it."""
    language = language_of(name)
    syntax = language.syntax if language else None
    if syntax is None:
        return None
    suffix = suffix_of(name)
    grammar = syntax.grammars.get(suffix)
    return reader(grammar, syntax.folder, syntax.queries[suffix]).parser if grammar else None


def measure(groups: dict[str, Speed], rounds: int) -> None:
    """Parse and extract all files so many times, one language after another in each round."""
    for number in range(rounds + 1):
        for speed in groups.values():
            parsed = [(parser, data) for name, data in speed.files if (parser := _parser(name)) is not None]
            parsing = _cpu(lambda parser, data: parser.parse(data), parsed)
            extracting = _cpu(extract, speed.files)
            if number:  # the first round compiles the queries
                speed.extracting.append(extracting)
                if parsed:
                    speed.parsing.append(parsing)


def _run(command: Sequence[str], folder: Path, home: Path) -> str:
    """Return what a command that indexes a folder takes, CPU and wall time."""
    environment = {**os.environ, "HOME": str(home), "DO_NOT_TRACK": "1", "PYTHONPATH": str(Path(__file__).parents[1])}
    with tempfile.TemporaryFile() as out:
        before = time.perf_counter()
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=out
        )
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - before
        process.returncode = os.waitstatus_to_exitcode(status)
    peak = usage.ru_maxrss / (1e6 if sys.platform == "darwin" else 1024)
    failed = f", ended with status {process.returncode}" if process.returncode else ""
    return f"{usage.ru_utime + usage.ru_stime:.2f} s CPU, {wall:.2f} s wall, at most {peak:.0f} MB{failed}"


def compare(folders: Sequence[Path], peers: Sequence[str], rounds: int) -> None:
    """Print what an index of each folder costs memoire and the peers, in turn."""
    commands = {"memoire": [sys.executable, "-m", "benchmarks.index_cost", "--ingest", "0"]}
    for peer in peers:
        name, _, program = peer.partition("=")
        commands[name] = [program or name, *PEERS[name]]
    for folder in folders:
        for _ in range(rounds):
            for name, command in commands.items():
                with tempfile.TemporaryDirectory() as temporary:
                    copy, home = Path(temporary, folder.resolve().name), Path(temporary, "home")
                    home.mkdir()
                    shutil.copytree(folder, copy, symlinks=True, ignore=shutil.ignore_patterns(".git", ".memoire"))
                    for step in (("init", "-q"), ("add", "-A"), ("commit", "-q", "-m", "all")):
                        subprocess.run([*_GIT, *step], cwd=copy, check=True)
                    print(f"{folder.name}: {name}: {_run(command, copy, home)}", flush=True)


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--language", action="append", default=[], help="only this one; may be repeated")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--peer", action="append", default=[], metavar="NAME[=PROGRAM]", help=" or ".join(PEERS))
    parser.add_argument("--indexes", type=int, default=1, help="how often each indexes each folder")
    options = parser.parse_args()
    unknown = {peer.partition("=")[0] for peer in options.peer} - set(PEERS)
    unknown |= set(options.language) - {language.name for language in LANGUAGES}
    if unknown:
        parser.error(f"unknown: {', '.join(sorted(unknown))}")
    groups = collect(options.folders, options.language)
    measure(groups, options.rounds)
    print(f"{'language':14} {'files':>6} {'MB':>7} {'parse s':>9} {'extract s':>9} {'ratio':>7} {'MB/s':>8}")
    for name, speed in groups.items():
        print(speed.row(name))
    if options.peer:
        compare(options.folders, options.peer, options.indexes)


if __name__ == "__main__":
    main()
