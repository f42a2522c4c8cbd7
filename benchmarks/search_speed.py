"""Measures the search index on real source files: first index, one update, queries, memory, disk.

    python benchmarks/search_speed.py [--files 1000] [--source FOLDER]

The source defaults to the site-packages of the running interpreter; where it has fewer files than asked for, they are
taken again under other folders. Each size wants a process of its own, or the memory of one is counted to the next.
"""

import argparse
import random
import re
import statistics
import sysconfig
import tempfile
import time
from datetime import UTC, datetime
from itertools import cycle
from pathlib import Path

from memoire.model import Definition, Event
from memoire.search import Entry, SearchIndex
from memoire.tokens import body_terms, index_words

DEFINITION = re.compile(r"^([ \t]*)(?:async\s+)?(def|class)\s+(\w+)", re.MULTILINE)
SOURCE_LIMIT = 300_000
PAUSE_S = 1.0


def files_of(source: Path, wanted: int) -> list[tuple[str, Path]]:
    found = sorted(path for path in source.rglob("*.py") if path.is_file() and 0 < path.stat().st_size < SOURCE_LIMIT)
    random.Random(1).shuffle(found)
    taken = []
    for number, path in enumerate(cycle(found)):
        if number >= wanted:
            break
        taken.append((f"part{number // len(found)}/{path.relative_to(source).as_posix()}", path))
    return taken


def definitions_of(text: str) -> tuple[Definition, ...]:
    """A stand-in for extraction, which is measured elsewhere."""
    found, above = [], ""
    for match in DEFINITION.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        if not match[1]:
            above = match[3] if match[2] == "class" else ""
        name = f"{above}.{match[3]}" if match[1] and above else match[3]
        found.append(Definition(name, "class" if match[2] == "class" else "function", line, line + 20))
    return tuple(found)


def rss_mb() -> float:
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6
    except OSError:
        return 0.0


def peak_mb() -> float:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) / 1024
    return 0.0


def p(values: list[float], share: float) -> float:
    return sorted(values)[min(int(len(values) * share), len(values) - 1)]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--source", type=Path, default=Path(sysconfig.get_paths()["purelib"]))
    parser.add_argument("--queries", type=int, default=200)
    arguments = parser.parse_args()
    files = files_of(arguments.source, arguments.files)
    paths = dict(files)
    size = sum(path.stat().st_size for _, path in files)
    before = rss_mb()
    with tempfile.TemporaryDirectory() as folder:
        index = SearchIndex.open(Path(folder), version="benchmark")
        words_s = symbols = 0.0
        names: list[str] = []
        wall, cpu = time.perf_counter(), time.process_time()
        for name, path in files:
            data = path.read_bytes()
            started = time.process_time()
            words = index_words(data)
            words_s += time.process_time() - started
            definitions = definitions_of(data.decode("utf-8", "replace"))
            symbols += len(definitions)
            if len(names) < 20_000:
                names += [one.name for one in definitions]
            index.add([Entry(path=name, kind="file", language="python", words=words, definitions=definitions)])
        index.commit(1)
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
        print(f"{len(files)} files, {size / 1e6:.1f} MB, {symbols:.0f} symbols")
        print(f"words         {words_s / size * 1e6:.3f} us CPU a byte, {words_s:.2f} s")
        print(f"first index   {cpu / size * 1e6:.3f} s CPU a MB (words included), {cpu:.2f} s CPU, {wall:.2f} s")
        print(f"memory        {before:.0f} MB before, {rss_mb():.0f} MB after, {peak_mb():.0f} MB at most")
        disk = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())
        print(f"disk          {disk / 1e6:.1f} MB, {disk / size:.0%} of the source")
        # Segments are merged once in about seven *different* files saved; a session saves few of them often.
        update(index, "a few files", files[:4] * 5, 2)
        update(index, "many files", files[:20], 100)
        ask(index, paths, names, arguments.queries)
        disk = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())
        print(f"afterwards    {rss_mb():.0f} MB of memory, {disk / 1e6:.1f} MB on disk")
        started = time.perf_counter()
        index.close()
        SearchIndex.open(Path(folder), version="benchmark").close()
        print(f"close, open   {(time.perf_counter() - started) * 1e3:.0f} ms")


def update(index: SearchIndex, label: str, files: list[tuple[str, Path]], first: int) -> None:
    walls, cpus, own, sizes = [], [], [], []
    begun = time.process_time()
    for generation, (name, path) in enumerate(files, first):
        data = path.read_bytes()
        wall, cpu, thread = time.perf_counter(), time.process_time(), time.thread_time()
        definitions = definitions_of(data.decode("utf-8", "replace"))
        entry = Entry(path=name, kind="file", language="python", words=index_words(data), definitions=definitions)
        at = datetime.now(UTC)
        event = Event(f"{generation:012x}-{0:016x}", "file_edit", at, f"Edited {name}", 0.5, (name,))
        index.apply([entry], (), [event], generation)
        walls.append(time.perf_counter() - wall)
        cpus.append(time.process_time() - cpu)
        own.append(time.thread_time() - thread)
        sizes.append(len(data))
        time.sleep(PAUSE_S)  # people pause between saves, and a merge that a save interrupts has to begin again
    whole = (time.process_time() - begun) / len(files)
    print(
        f"save {label:11}  p50 {p(walls, 0.5) * 1e3:.1f} ms, p95 {p(walls, 0.95) * 1e3:.1f} ms, "
        f"CPU p50 {p(cpus, 0.5) * 1e3:.1f} ms (Python {p(own, 0.5) * 1e3:.1f}), merges too {whole * 1e3:.1f} ms a save "
        f"(of one file of {statistics.mean(sizes) / 1e3:.0f} kB, and its event)"
    )


def ask(index: SearchIndex, paths: dict[str, Path], names: list[str], queries: int) -> None:
    rng = random.Random(2)

    def read(path: str) -> str | None:
        return paths[path].read_text("utf-8", "replace") if path in paths else None

    def words() -> str:
        return " ".join(" ".join(body_terms(name)) for name in rng.sample(names, 2))

    kinds = {
        "words": [words() for _ in range(queries)],
        "symbol": [rng.choice(names) for _ in range(queries)],
        "sentence": [" ".join(words() for _ in range(4)) for _ in range(queries // 4)],
        "phrase": [f'"{" ".join(body_terms(rng.choice(names)))}"' for _ in range(queries // 4)],
    }
    for kind, texts in kinds.items():
        for label, reader in (("", read), (", no snippets", lambda _path: None)):
            walls, cpus = [], []
            for text in texts:
                wall, cpu = time.perf_counter(), time.process_time()
                index.search(text, read=reader)
                walls.append(time.perf_counter() - wall)
                cpus.append(time.process_time() - cpu)
            print(
                f"{kind + label:22} p50 {p(walls, 0.5) * 1e3:.1f} ms, p95 {p(walls, 0.95) * 1e3:.1f} ms, "
                f"CPU p50 {p(cpus, 0.5) * 1e3:.1f}, p95 {p(cpus, 0.95) * 1e3:.1f} ms"
            )


if __name__ == "__main__":
    main()
