"""Measures what stands before every index: the walk, the ignore rules, reading, redaction, and the watcher.

    python -m benchmarks.tree_speed [--files 10000] [--text FOLDER]

CPU time of this process, so that a busy machine matters little; the watcher's delays are wall time.
"""

import argparse
import os
import queue
import tempfile
import time
from pathlib import Path

from memoire.episodes.changes import Change
from memoire.episodes.redact import redact
from memoire.episodes.watcher import Watcher
from memoire.ignore import Ignore
from memoire.scan import read_file, scan

_RULES = """__pycache__/ *.py[cod] *$py.class *.so build/ dist/ downloads/ eggs/ lib/ lib64/ var/ wheels/ *.egg-info/
*.egg MANIFEST *.manifest *.spec pip-log.txt htmlcov/ .tox/ .nox/ .coverage .coverage.* .cache coverage.xml *.cover *.mo
*.pot *.log local_settings.py db.sqlite3 instance/ docs/_build/ target/ profile_default/ celerybeat-schedule .env .venv
env/ venv/ ENV/ /site .mypy_cache/ logs *.log.* npm-debug.log* report.[0-9]*.json pids *.pid lib-cov *.lcov"""


def _make(root: Path, files: int) -> None:
    for number in range(files):
        folder = root / f"pkg{number // 500 % 20}" / f"sub{number // 20 % 7}" / f"mod{number // 20}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"file_{number % 20}.py").write_text("x = 1\n")
    (root / ".gitignore").write_text("\n".join(_RULES.split()))


def _walk(root: Path) -> None:
    ignore = Ignore(root, ["*.snap", "fixtures/"])
    times = []
    for _ in range(5):
        began = time.process_time()
        found = scan(root, ignore)
        times.append(time.process_time() - began)
    print(f"scan: {len(found.files)} files, {len(found.folders)} folders, {min(times):.3f} s CPU")
    began = time.process_time()
    for entry in found.files:
        ignore.is_ignored(entry.path)
    print(f"is_ignored: {(time.process_time() - began) / len(found.files) * 1e6:.1f} us")
    began = time.process_time()
    for entry in found.files:
        read_file(root, entry.path, 1 << 20)
    print(f"read_file: {(time.process_time() - began) / len(found.files) * 1e6:.1f} us")


def _watch(root: Path) -> None:
    batches: queue.Queue[tuple[float, list[Change]]] = queue.Queue()
    watcher = Watcher(root, Ignore(root), lambda batch: batches.put((time.perf_counter(), batch)))
    began = time.process_time()
    watcher.start()
    print(f"watcher: started in {time.process_time() - began:.3f} s CPU")
    file = root / "pkg0" / "new.py"
    saved, flushed = [], []
    for number in range(20):
        at = time.perf_counter()
        file.write_text(str(number))
        saved.append(batches.get(timeout=5)[0] - at)
    for number in range(100):
        file.write_text(str(number))
        at = time.perf_counter()
        assert watcher.flush(5)
        flushed.append(time.perf_counter() - at)
        batches.get(timeout=5)
    watcher.stop()
    for name, delays in (("save to report", saved), ("flush before a query", flushed)):
        delays.sort()
        median, p95 = delays[len(delays) // 2] * 1e3, delays[len(delays) * 95 // 100] * 1e3
        print(f"{name}: median {median:.1f} ms, p95 {p95:.1f} ms")


def _redact(folder: Path) -> None:
    texts = []
    for file in sorted(folder.rglob("*.py")):
        texts.append(file.read_text("utf-8", "replace"))
        if sum(map(len, texts)) > 8e6:
            break
    size_mb = sum(map(len, texts)) / 1e6
    began = time.process_time()
    changed = sum(redact(text) != text for text in texts)
    print(f"redact: {size_mb / (time.process_time() - began):.1f} MB/s, {changed} of {len(texts)} files changed")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--text", type=Path, default=Path(os.__file__).parent, help="folder of Python files to redact")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HOME"] = folder
        root = Path(folder) / "project"
        root.mkdir()
        _make(root, options.files)
        _walk(root)
        _watch(root)
    _redact(options.text)


if __name__ == "__main__":
    main()
