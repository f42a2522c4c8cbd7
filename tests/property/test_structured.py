"""Files that are read for their structure: whatever they hold, facts come out, well formed, and never an exception."""

import random
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoire.dispatch import extract
from memoire.extract.structured import MAX_DEFINITIONS
from memoire.languages import LANGUAGES
from memoire.model import FileFacts
from tests.test_languages import FIXTURES, FOLDER, WITHOUT_FACTS, place

STRUCTURED = sorted(
    path
    for path in FIXTURES
    if any(
        language.name == path.relative_to(FOLDER).parts[0] and (language.read or language.script)
        for language in LANGUAGES
    )
)
SCRAPS = [
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    '"',
    "'",
    "\n",
    "\t",
    "  ",
    "- ",
    ": ",
    "=",
    "#",
    "//",
    "/*",
    "*/",
    "<",
    ">",
    "`",
]
SCRAPS += [
    '"""',
    "<!--",
    "-->",
    "<script>",
    "</script>",
    "${",
    "}}",
    "{{",
    "\\\n",
    "---\n",
    "[[a]]\n",
    "|\n",
    "\0",
    "é",
    ",",
]


def check(facts: FileFacts, data: bytes) -> None:
    assert facts.size == len(data)
    assert all(1 <= item.line <= item.end_line for item in facts.definitions)
    assert all(item.parent < index for index, item in enumerate(facts.definitions))
    assert all(first.line <= second.line for first, second in pairwise(facts.definitions))
    scopes = [item.scope for item in facts.imports] + [item.scope for item in facts.uses]
    scopes += [item.scope for item in facts.mentions]
    assert all(-1 <= scope < len(facts.definitions) for scope in scopes)
    assert all(-len(facts.definitions) <= use.root < len(facts.imports) for use in facts.uses)


def test_every_reader_has_real_content_to_be_mutated() -> None:
    read = {language.name for language in LANGUAGES if language.kind == "file" and not language.syntax}
    assert {path.relative_to(FOLDER).parts[0] for path in STRUCTURED} == read - WITHOUT_FACTS


@settings(max_examples=200, deadline=None)
@given(path=st.sampled_from(STRUCTURED), data=st.binary(max_size=400))
def test_any_bytes_yield_facts(path: Path, data: bytes) -> None:
    facts = extract(place(path), data)
    check(facts, data)
    assert extract(place(path), data) == facts


@settings(max_examples=400, deadline=None)
@given(path=st.sampled_from(STRUCTURED), seed=st.integers(0, 2**32))
def test_real_content_with_pieces_cut_out_doubled_or_put_in_yields_facts(path: Path, seed: int) -> None:
    chance = random.Random(seed)
    text = path.read_text()
    for _ in range(chance.randint(1, 6)):
        first, last = sorted(chance.randint(0, len(text)) for _ in range(2))
        middle = chance.choice(["", text[first:last] * 2, chance.choice(SCRAPS), chance.choice(SCRAPS) * 40])
        text = text[:first] + middle + text[last:]
    data = text.encode("utf-8", "replace")
    check(extract(place(path), data), data)


@pytest.mark.parametrize("path", STRUCTURED, ids=lambda path: str(path.relative_to(FOLDER)))
@pytest.mark.parametrize("scrap", ["{", "[", '"', "- ", "a: [\n", "<a ", "/*", "<<A\n", '"a": {'])
def test_what_never_ends_is_read_to_the_end(path: Path, scrap: str) -> None:
    data = scrap.encode() * (20_000 // len(scrap))
    facts = extract(place(path), data)
    check(facts, data)
    assert len(facts.definitions) <= MAX_DEFINITIONS
