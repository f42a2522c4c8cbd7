"""Code and text that is hard by its amount costs no more than its size, in every language, and is read as what it is.

`benchmarks.hostile_inputs` tries the same shapes at sizes that show in CPU time and memory; here what is counted are
the calls of functions, which are the same in every run.
"""

import sys
from datetime import UTC, datetime
from types import FrameType

import pytest

from memoire.dispatch import extract
from memoire.graph import Graph
from memoire.languages import FILES, language_of
from memoire.model import FileChange, FileFacts
from memoire.processor import Processor
from tests import hostile_code
from tests.fact_laws import check, check_extraction
from tests.hostile_code import PIECES, Pieces

AT = datetime(2026, 1, 1, tzinfo=UTC)
SIZE = 1_500
"""Bytes, of the smaller of two inputs."""
TIMES = 4
SUPERLINEAR = 12
"""A pass that is linear calls four times as much for four times the size, a quadratic one sixteen times as much.
Between them is what is looked for in each of many imports of all names: there is a limit to these."""
WITHOUT_TEXT = {"image", "pdf"}
"""Languages in which nobody writes a file by hand."""


def calls(path: str, data: bytes) -> int:
    """Return how many functions are called to read a file and to link it."""
    count = 0

    def note(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    processor = Processor(Graph(), {path: data}.get)
    before = sys.getprofile()
    sys.setprofile(note)
    try:
        facts = extract(path, data)
        processor.plan([FileChange(path, facts, 0, AT)], (), now=AT)
    finally:
        sys.setprofile(before)
    assert not {problem.code for problem in facts.problems} & {"crashed", "unlinked"}
    return count


def facts_of(path: str, data: bytes) -> FileFacts:
    """Return the facts of a file, which hold together."""
    if "/" not in path:
        return check_extraction(path, data)
    facts = extract(path, data)  # its place says what it is
    check(facts)
    return facts


def file_of(pieces: Pieces, size: int, *, is_numbered: bool) -> bytes:
    """Return a file with as many of each thing as the size allows, each of its own name or all of one."""
    count = max(1, size // sum(map(len, pieces.many)))
    pattern = "".join(pieces.many)
    body = "".join(pattern.replace("§", str(number if is_numbered else 1)) for number in range(count))
    return f"{pieces.head}{body}{pieces.tail}".encode()


def test_every_language_has_pieces_of_its_own() -> None:
    read = {language.name for pieces in PIECES.values() if (language := language_of(pieces.path)) is not None}
    assert read == FILES.keys() - WITHOUT_TEXT


@pytest.mark.parametrize("dialect", PIECES)
@pytest.mark.parametrize("is_numbered", [True, False])
def test_thousands_of_siblings_cost_their_number(dialect: str, is_numbered: bool) -> None:
    pieces = PIECES[dialect]
    calls(pieces.path, hostile_code.sample(pieces))  # what is compiled and loaded once
    files = [file_of(pieces, size, is_numbered=is_numbered) for size in (SIZE, TIMES * SIZE)]
    small, large = (calls(pieces.path, data) for data in files)
    assert large < SUPERLINEAR * small


@pytest.mark.parametrize("dialect", PIECES)
def test_siblings_in_a_deep_nest_cost_their_number(dialect: str) -> None:
    pieces = PIECES[dialect]
    calls(pieces.path, hostile_code.sample(pieces))
    for which, (opening, _) in enumerate(pieces.nests):
        inner = ["".join(pieces.many[0].replace("§", str(number)) for number in range(count)) for count in (15, 60)]
        nests = [hostile_code.nest(pieces, which, 30, body) for body in inner]
        small, large = (calls(pieces.path, f"{pieces.head}{text}\n{pieces.tail}".encode()) for text in nests)
        assert large < SUPERLINEAR * small, opening


@pytest.mark.parametrize("dialect", PIECES)
def test_what_is_nested_or_left_open_gives_facts_that_hold(dialect: str) -> None:
    pieces = PIECES[dialect]
    for name, shape in hostile_code.shapes(pieces):
        problems = {problem.code for problem in facts_of(pieces.path, shape(800)).problems}
        assert "crashed" not in problems, name


@pytest.mark.parametrize("dialect", PIECES)
def test_other_encodings_and_line_ends_give_facts_that_hold(dialect: str) -> None:
    pieces = PIECES[dialect]
    sample = hostile_code.sample(pieces)
    plain = facts_of(pieces.path, sample)
    for name, data in hostile_code.respelled(sample).items():
        facts = facts_of(pieces.path, data)
        if name in {"UTF-8 with a mark", "UTF-16", "UTF-16, big end first"}:
            assert facts.definitions == plain.definitions, name
            assert facts.imports == plain.imports, name
