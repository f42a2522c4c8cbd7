"""Measures what an index costs on a real project: extraction against parsing, the first index, a reopening, one save.

    python -m benchmarks.index_cost FOLDER [--peer "COMMAND"]

Works on a copy, in a home of its own. All times are CPU seconds, of the children too; figures of one run are only
comparable with each other. A peer is a command that indexes its working directory, a copy of the same folder.
"""

import argparse
import asyncio
import json
import os
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path

from memoire.dispatch import extract
from memoire.extract.reader import reader
from memoire.languages import language_of
from memoire.project import Project

ROUNDS = 7
SAVES = 15
SHARE_OF_FILES = 400
"""Files of one grammar that are measured, evenly spread, at most."""


def _cpu(function: Callable[..., object], calls: Sequence[tuple[object, ...]]) -> float:
    before = time.process_time()
    for arguments in calls:
        function(*arguments)
    return time.process_time() - before


def extraction(folder: Path) -> None:
    """Print, per grammar, the speed of parsing and how many times as long the whole extraction takes."""
    groups: dict[str, list[tuple[str, bytes]]] = defaultdict(list)
    for file in sorted(folder.rglob("*")):
        language = language_of(file.name)
        if language is not None and language.kind == "file" and file.is_file() and ".git" not in file.parts:
            groups[file.suffix].append((file.name, file.read_bytes()))
    for suffix, found in sorted(groups.items()):
        files = found[:: -(-len(found) // SHARE_OF_FILES)]
        language = language_of(files[0][0])
        syntax = language.syntax if language else None
        if syntax is None or suffix not in syntax.grammars:
            continue
        parse = reader(syntax.grammars[suffix], syntax.folder, syntax.queries[suffix]).parser.parse
        parsing, extracting = [], []
        for _ in range(ROUNDS):
            parsing.append(_cpu(parse, [(data,) for _, data in files]))
            extracting.append(_cpu(extract, files))
        ratios = sorted(whole / part for part, whole in zip(parsing, extracting, strict=True))
        size = sum(len(data) for _, data in files) / 1e6
        print(
            f"{suffix}: {len(files)} files, {size:.1f} MB: parse {size / min(parsing):.1f} MB/s, "
            f"extraction {statistics.median(ratios):.2f} x parse (of {ROUNDS} rounds {ratios[0]:.2f}-{ratios[-1]:.2f})"
        )


def _run(command: list[str], folder: Path, home: Path) -> tuple[float, float, str]:
    """Return (CPU seconds, peak RSS in MB, last line written) of a command that runs in a folder."""
    with tempfile.TemporaryFile("w+") as out:
        environment = {**os.environ, "HOME": str(home), "PYTHONPATH": str(Path(__file__).parent.parent)}
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=out, stderr=sys.stderr)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        lines = out.read().splitlines()
    if process.returncode:
        print(f"{command[0]} ended with {process.returncode}")
    peak = usage.ru_maxrss / (1e6 if sys.platform == "darwin" else 1024)
    return usage.ru_utime + usage.ru_stime, peak, lines[-1] if lines else ""


async def _ingest(saves: int) -> None:
    """Open the project of the working directory, index it, save one file so many times; write what it took as JSON."""
    project = await Project.open(Path.cwd())
    await project.start()
    report = await project.ingest()
    cost = 0.0
    if saves:
        file = next(path for path in sorted(Path.cwd().rglob("*.py")) if path.stat().st_size > 2000)
        text = file.read_text()
        reader = project.intake.readers.process_id
        cost = -_own_and_reader(reader)
        for number in range(saves):
            file.write_text(f"{text}\n\ndef added_{number}():\n    return {number}\n")
            await project.settle(30)
        cost += _own_and_reader(reader)
    await project.close()
    print(json.dumps({"files": report["files"], "edges": report["edges"], "save": cost / max(1, saves)}))


def _own_and_reader(reader: int | None) -> float:
    """Return the CPU seconds of this process and of the one that reads files for it. Source: proc(5), on Linux."""
    stat = Path(f"/proc/{reader}/stat")
    fields = stat.read_text().rpartition(")")[2].split()[11:13] if reader is not None and stat.exists() else []
    return time.process_time() + sum(map(int, fields)) / os.sysconf("SC_CLK_TCK")


def indexing(folder: Path, peer: str) -> None:
    """Print what the first index, a reopening and a save cost, and the peer beside them."""
    with tempfile.TemporaryDirectory() as temporary:
        home = Path(temporary, "home")
        home.mkdir()
        copy = Path(temporary, "copy")
        shutil.copytree(folder, copy, symlinks=True, ignore=shutil.ignore_patterns(".memoire"))
        this = [sys.executable, "-m", "benchmarks.index_cost", "--ingest"]
        first, peak, line = _run([*this, "0"], copy, home)
        found = json.loads(line)
        print(f"first index: {found['files']} files, {found['edges']} edges: {first:.2f} s, at most {peak:.0f} MB")
        again, _, _ = _run([*this, "0"], copy, home)
        print(f"process, reopening and unchanged ingest: {again:.2f} s, {again / first:.0%} of the first index")
        if any(copy.rglob("*.py")):
            _, _, line = _run([*this, str(SAVES)], copy, home)
            print(f"one save: {json.loads(line)['save'] * 1e3:.0f} ms, the mean of {SAVES}")
        if peer:
            other = Path(temporary, "other")
            shutil.copytree(folder, other, symlinks=True, ignore=shutil.ignore_patterns(".memoire"))
            cost, peak, _ = _run(shlex.split(peer), other, home)
            print(f"peer: {cost:.2f} s, at most {peak:.0f} MB; memoire takes {first / cost:.2f} of its time")


def main() -> None:
    """Measure, or be one of the measured processes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--peer", default="", help="a command that indexes its working directory")
    parser.add_argument("--ingest", type=int, metavar="SAVES", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.ingest is not None:
        asyncio.run(_ingest(options.ingest))
        return
    if options.folder is None or not options.folder.is_dir():
        parser.error("name the folder of a project")
    extraction(options.folder)
    indexing(options.folder, options.peer)


if __name__ == "__main__":
    main()
