"""Feeds mutated real files to extraction, and prints the smallest inputs on which it fails.

    python -m benchmarks.fuzz_extract [FOLDER…] [--minutes 5] [--language NAME]… [--seed 1] [--keep FOLDER]

Seeds are the fixtures of each language, and the files of the folders that are named. Every input is extracted in a
child process with limits of CPU time and memory, and its facts must obey `tests.fact_laws`. A failure is an exception,
a broken law, the death of the child, or more than `SLOW` seconds. What fails is made smaller while it fails likewise.
The same seed gives the same inputs. Ends with status 1 where anything failed.
"""

import argparse
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.caged import Cage
from memoire.extract import guards
from memoire.languages import LANGUAGES, language_of
from memoire.worker import CODE_SECONDS, MEMORY_BYTES
from tests import hostile
from tests.fact_laws import check_extraction
from tests.mutations import mutate

SLOW = 2 * (guards.PARSE_SECONDS + 0.5)
"""CPU seconds of one check, which extracts twice: a parse may use up its deadline, what follows it hardly anything."""
SHRINKS = 150
"""Attempts to make one failing input smaller."""
LARGEST_SEED = 40_000
"""Bytes of a file that is taken as a seed."""
MOST_SEEDS = 300
"""Files of one language that are taken, evenly spread."""
_NUMBER = re.compile(r"\d+")


def check(path: str, data: bytes) -> str:
    """Extract a file and check its facts. Runs in the child."""
    return ",".join(problem.code for problem in check_extraction(path, data).problems) or "fine"


class Fuzzer:
    """The work on one language.

    Args:
        name: Of the language.
        seeds: (suffix or name, content).
        chance: Where all choices come from.
    """

    def __init__(self, name: str, seeds: Sequence[tuple[str, bytes]], chance: random.Random) -> None:
        self._name = name
        self._seeds = seeds
        self._texts = [data for _, data in seeds]
        self._chance = chance
        self._cage = Cage("benchmarks.fuzz_extract:check", cpu=int(2 * CODE_SECONDS), memory_mb=MEMORY_BYTES // 10**6)
        self.counts: Counter[str] = Counter()
        self.failures: dict[str, tuple[str, bytes]] = {}
        """What failed -> (path, smallest input)."""

    def run(self, seconds: float, others: Sequence[bytes]) -> None:
        """Try inputs for so long, now and then with pieces of other languages."""
        until = time.monotonic() + seconds
        while time.monotonic() < until and self._seeds:
            path, data = self._chance.choice(self._seeds)
            pool = others if self._chance.random() < 0.1 else self._texts
            self._try(path, mutate(self._chance, data, pool))
        self._cage.close()

    def _try(self, path: str, data: bytes) -> None:
        failure = self._failure(path, data)
        self.counts["inputs"] += 1
        if failure and failure not in self.failures:
            self.failures[failure] = (path, self._smallest(path, data, failure))
        self.counts[failure or "fine"] += 1

    def _failure(self, path: str, data: bytes) -> str:
        """Return how an input fails, alike for alike failures; empty where it does not."""
        answer = self._cage.call(path, data)
        if answer.is_failure:
            return _NUMBER.sub("N", answer.outcome)[:120]
        return f"takes more than {SLOW:g} s" if answer.cpu > SLOW else ""

    def _smallest(self, path: str, data: bytes, failure: str) -> bytes:
        """Return a smaller input that fails likewise: pieces are left out, ever smaller ones."""
        left = SHRINKS
        size = max(1, len(data) // 2)
        while size and left:
            at = 0
            while at < len(data) and left:
                shorter = data[:at] + data[at + size :]
                left -= 1
                if self._failure(path, shorter) == failure:
                    data = shorter
                else:
                    at += size
            size //= 2
        return data


def seeds_of(folders: Sequence[Path]) -> dict[str, list[tuple[str, bytes]]]:
    """Return language -> (name of a file, content) of its fixtures and of the files in some folders."""
    found = {language.name: hostile.seeds(language.name) for language in LANGUAGES}
    for folder in folders:
        for name, seeds in _in_folder(folder).items():
            found[name] += seeds[:: -(-len(seeds) // MOST_SEEDS)]
    return found


def _in_folder(folder: Path) -> dict[str, list[tuple[str, bytes]]]:
    found: dict[str, list[tuple[str, bytes]]] = {}
    for file in sorted(folder.rglob("*")):
        language = language_of(file.name)
        if language is not None and file.is_file() and 0 < file.stat().st_size <= LARGEST_SEED:
            path = file.name if file.name in language.filenames else f"a{file.suffix.lower()}"
            found.setdefault(language.name, []).append((path, file.read_bytes()))
    return found


def _told(fuzzer: Fuzzer, keep: Path | None) -> Iterator[str]:
    for number, (failure, (path, data)) in enumerate(sorted(fuzzer.failures.items())):
        yield f"  {fuzzer.counts[failure]} x {failure}"
        yield f"    {path} ({len(data)} bytes): {data[:300]!r}"
        if keep is not None:
            Path(keep, f"{fuzzer.counts[failure]}-{number}-{path}").write_bytes(data)


def main() -> int:
    """Fuzz; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    parser.add_argument("--minutes", type=float, default=5.0, help="for all languages together")
    parser.add_argument("--language", action="append", default=[], help="only this one; may be repeated")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="write the failing inputs into this folder")
    options = parser.parse_args()
    seeds = seeds_of(options.folders)
    names = options.language or [name for name, found in seeds.items() if found]
    if options.keep is not None:
        options.keep.mkdir(parents=True, exist_ok=True)
    others = [data for found in seeds.values() for _, data in found[:20]]
    failed = 0
    for name in names:
        fuzzer = Fuzzer(name, seeds[name], random.Random(f"{options.seed} {name}"))
        fuzzer.run(60 * options.minutes / len(names), others)
        failed += len(fuzzer.failures)
        print(f"{name}: {fuzzer.counts['inputs']} inputs, {len(fuzzer.failures)} kinds of failure", flush=True)
        for line in _told(fuzzer, options.keep):
            print(line, flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
