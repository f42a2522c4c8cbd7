"""Reads input that is hard on a parser as every language, and says where that ends badly, or costs more than its size.

    python -m benchmarks.hostile_inputs [--language NAME]… [--size 50000] [--only pieces] [--all]
    python -m benchmarks.hostile_inputs --grammar tree_sitter_go [--grammar MODULE:FUNCTION]…

Each input is read in a child process with limits of CPU time and memory, and then linked as a project of one file.
Printed are the inputs that end it or raise (`BAD`, or `ONCE` where a fresh process stands it); those that cost more
than `SLOW` seconds beyond the deadline of a parse (`SLOW`), or more than `HEAVY` MB (`HEAVY`); and those on which what
follows the parse takes `SUPERLINEAR` times as long for `TIMES` the size (`GROWS`). With `--grammar` only the parse is
tried, for a grammar that no language uses yet. Ends with status 1 unless all inputs were none of these.
"""

import argparse
import functools
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
from tree_sitter import Language as Grammar
from tree_sitter import Parser

from benchmarks.caged import Answer, Cage
from memoire.dispatch import extract
from memoire.extract import guards
from memoire.extract.reader import Reader
from memoire.extract.spec import Language
from memoire.graph import Graph
from memoire.languages import LANGUAGES, language_of
from memoire.model import FileChange, Problem
from memoire.processor import Processor
from memoire.reading import read_one
from memoire.worker import CODE_SECONDS, MEMORY_BYTES
from tests import hostile, hostile_code

_AT = datetime(2026, 1, 1, tzinfo=UTC)

SLOW = 1.0
"""CPU seconds that an input may take beside its parse."""
TIMES = 4
"""How much larger the second size of an input is."""
SUPERLINEAR = 8.0
"""Of a pass that is linear, four times the size takes four times as long; of a quadratic one sixteen times."""
HEAVY = 300.0
"""MB that an input of some hundred kilobytes may take while it is read."""
LEAST = 0.1
"""CPU seconds below which a ratio of two sizes says nothing."""
REPEATS = 3
"""How often what seems to grow is measured again."""
CUTS = 20
"""Places at which each fixture is cut short."""


class Cost(msgspec.Struct, frozen=True):
    """What reading one input came to."""

    codes: list[str]
    parse: float
    """CPU seconds of the parse."""
    query: float
    rest: float
    """CPU seconds of all else that reading takes."""
    link: float = 0.0
    """CPU seconds of linking it."""


def measure(path: str, data: bytes) -> str:
    """Return the cost of one reading, as JSON. Runs in the child."""
    spent = {"parse": 0.0, "query": 0.0}
    parse, read = guards.parse, Reader.read
    guards.parse, Reader.read = _timed(parse, spent, "parse"), _timed(read, spent, "query")  # type: ignore[method-assign]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
        before = time.process_time()
        reading = read_one(folder, path, 1 << 20)
        whole = time.process_time() - before
    guards.parse, Reader.read = parse, read  # type: ignore[method-assign]
    codes = [problem.code for problem in reading.facts.problems]
    if "crashed" in codes:
        raise RuntimeError(reading.facts.problems[0].message)
    cost = Cost(codes, spent["parse"], spent["query"], whole - spent["parse"] - spent["query"], _linked(path, data))
    return msgspec.json.encode(cost).decode()


def _linked(path: str, data: bytes) -> float:
    """Return the CPU seconds of linking a project of one file."""
    facts = extract(path, data)
    processor = Processor(Graph(), {path: data}.get)
    change = FileChange(path, facts, 0, _AT)
    before = time.process_time()
    processor.plan([change], (), now=_AT)
    spent = time.process_time() - before
    known = processor.facts(path)
    if known is not None and any(problem.code == "unlinked" for problem in known.problems):
        raise RuntimeError("it could not be linked")
    return spent


def _timed(function: Callable[..., Any], spent: dict[str, float], name: str) -> Callable[..., Any]:
    def timed(*arguments: Any) -> Any:
        before = time.process_time()
        try:
            return function(*arguments)
        finally:
            spent[name] += time.process_time() - before

    return timed


def parse_only(grammar: str, data: bytes) -> str:
    """Return the cost of one parse, as JSON. Runs in the child."""
    source, problem = guards.decode(data)
    before = time.process_time()
    if problem is None or problem.code != "binary":
        tree = guards.parse(_parser(grammar), source)
        problem = tree if isinstance(tree, Problem) else None
    cost = Cost([problem.code] if problem else [], time.process_time() - before, 0.0, 0.0)
    return msgspec.json.encode(cost).decode()


@functools.cache
def _parser(grammar: str) -> Parser:
    module, _, function = grammar.partition(":")
    return Parser(Grammar(getattr(import_module(module), function or "language")()))


def pieces(path: str, size: int) -> Iterator[tuple[str, bytes, bytes]]:
    """Yield (name, input, the same of `TIMES` the size or nothing) of the shapes in the words of one language."""
    own = hostile_code.PIECES[hostile_code.DIALECTS[path]]
    for name, shape in hostile_code.shapes(own):
        yield name, shape(size), shape(TIMES * size)
    for name, data in hostile_code.respelled(hostile_code.sample(own)).items():
        yield name, data, b""


def inputs(language: str, size: int) -> Iterator[tuple[str, bytes, bytes]]:
    """Yield (name, input, the same of `TIMES` the size or nothing) for one language, in the words of all."""
    for name, shape in hostile.shapes().items():
        yield name, shape(size), shape(TIMES * size)
    for name, data in hostile.whole().items():
        yield name, data, b""
    for other in LANGUAGES:
        for number, (_, data) in enumerate(hostile.seeds(other.name)):
            yield f"{other.name} fixture {number}", data, b""
            long = data * (size // max(1, len(data)))
            yield f"{other.name} fixture {number} repeated", long, long * TIMES
    for number, (_, data) in enumerate(hostile.seeds(language)):
        for place, cut in enumerate(hostile.truncated(data, CUTS)):
            yield f"fixture {number} cut at {place + 1}/{CUTS + 1}", cut, b""


class Judge:
    """Runs inputs and prints those that end badly."""

    def __init__(self, cage: Cage, *, says_all: bool) -> None:
        self._cage = cage
        self._says_all = says_all
        self.counts = {"ok": 0, "BAD": 0, "ONCE": 0, "SLOW": 0, "HEAVY": 0, "GROWS": 0}

    def try_one(self, subject: str, name: str, data: bytes, larger: bytes) -> None:
        """Read one input, and the same of `TIMES` the size."""
        first = self._cage.call(subject, data)
        verdict, detail = self._verdict(first)
        if verdict == "ok" and larger:
            second = self._cage.call(subject, larger)
            verdict, detail = self._verdict(second)
            for _ in range(REPEATS):
                if verdict != "ok" or (growth := _growth(_cost(first), _cost(second))) == "":
                    break
                # On a busy machine a time may be too long, never too short.
                first, second = (
                    _lesser(self._cage.call(subject, data), first),
                    _lesser(self._cage.call(subject, larger), second),
                )
            else:
                verdict, detail = "GROWS", f"{growth}; {detail}"
            data = larger
        if verdict == "BAD" and not self._cage.call(subject, larger or data).is_failure:
            verdict = "ONCE"
        self.counts[verdict] += 1
        if verdict != "ok" or self._says_all:
            print(f"{verdict:5} {subject} {name} ({len(data)} bytes): {detail}", flush=True)

    def _verdict(self, answer: Answer) -> tuple[str, str]:
        if answer.is_failure:
            return "BAD", answer.outcome
        cost = _cost(answer)
        detail = f"{','.join(cost.codes)} parse {cost.parse:.2f} s, query {cost.query:.2f} s, rest {cost.rest:.2f} s"
        detail += f", link {cost.link:.2f} s"
        is_slow = cost.parse > guards.PARSE_SECONDS + SLOW or cost.query + cost.rest > SLOW or cost.link > SLOW
        verdict = "SLOW" if is_slow else "HEAVY" if answer.grown_mb > HEAVY else "ok"
        return verdict, f"{detail}, {answer.grown_mb:.0f} MB"


def _cost(answer: Answer) -> Cost:
    return msgspec.json.decode(answer.outcome, type=Cost)


def _lesser(one: Answer, other: Answer) -> Answer:
    """Return the answer that cost less CPU time."""
    return other if one.is_failure or one.cpu > other.cpu else one


def _growth(first: Cost, second: Cost) -> str:
    """Return which part takes longer than its input grows, empty where none does."""
    for part in ("query", "rest", "link"):
        small, large = getattr(first, part), getattr(second, part)
        if large > LEAST and large > SUPERLINEAR * small and first.codes == second.codes:
            return f"{part} takes {large / max(small, 1e-3):.1f} times as long for {TIMES} times the size"
    return ""


def main() -> int:
    """Try all inputs; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--language", action="append", default=[], help="only this one; may be repeated")
    parser.add_argument("--grammar", action="append", default=[], metavar="MODULE[:FUNCTION]")
    parser.add_argument(
        "--size", type=int, default=50_000, help=f"bytes of an input; each is tried {TIMES} times as large too"
    )
    parser.add_argument("--only", choices=["pieces", "bytes"], default="", help="in the language's own words, or not")
    parser.add_argument("--all", action="store_true", help="print what every input came to")
    options = parser.parse_args()
    failed = 0
    limits = {"cpu": int(CODE_SECONDS), "memory_mb": MEMORY_BYTES // 1_000_000}
    subjects = [(name, "parse_only", [name]) for name in options.grammar] or [
        (language.name, "measure", _paths(language, options.only))
        for language in LANGUAGES
        if not options.language or language.name in options.language
    ]
    for name, function, paths in subjects:
        for path in paths:
            cage = Cage(f"benchmarks.hostile_inputs:{function}", **limits)
            judge = Judge(cage, says_all=options.all)
            before = time.perf_counter()
            for label, data, larger in _chosen(name, path, options):
                judge.try_one(path, label, data, larger)
            cage.close()
            told = ", ".join(f"{count} {verdict}" for verdict, count in judge.counts.items())
            print(f"{name} {path}: {told}; {time.perf_counter() - before:.0f} s", flush=True)
            failed += sum(judge.counts.values()) - judge.counts["ok"]
    return 1 if failed else 0


def _chosen(name: str, path: str, options: argparse.Namespace) -> Iterator[tuple[str, bytes, bytes]]:
    if path in hostile_code.DIALECTS and options.only != "bytes":
        yield from pieces(path, options.size)
    if options.only != "pieces":
        yield from inputs(name, options.size)


def _paths(language: Language, only: str) -> list[str]:
    """Return the names by which a language is tried: those that its pieces have, and one for each grammar."""
    own = [path for path in hostile_code.DIALECTS if language_of(path) is language]
    if only == "pieces":
        return own
    named = [f"a{suffix}" for suffix in _one_of_each_grammar(language)]
    return list(dict.fromkeys(own + named))


def _one_of_each_grammar(language: Language) -> list[str]:
    """Return suffixes of a language: one for each of its grammars, or its first one."""
    if language.syntax is None:
        return list(language.suffixes[:1])
    items = reversed(list(language.syntax.grammars.items()))
    return list({grammar: suffix for suffix, grammar in items}.values())


if __name__ == "__main__":
    sys.exit(main())
