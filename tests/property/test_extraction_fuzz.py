"""Whatever is written into the file of any language, extraction ends, raises nothing, and gives facts that hold.

The inputs are the same in every run. `benchmarks.fuzz_extract` and `benchmarks.hostile_inputs` try many more, and such
as may end a process.
"""

import random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoire.languages import LANGUAGES
from memoire.model import CALL, Use
from tests import hostile
from tests.fact_laws import check, check_extraction
from tests.mutations import mutate

NAMES = [language.name for language in LANGUAGES]
SEEDS = {language.name: hostile.seeds(language.name) for language in LANGUAGES}
LARGEST = 8_000
"""Bytes of a fixture that is mutated: longer ones are cut."""
WHOLE = hostile.whole()


def path_of(name: str) -> str:
    """Return a path that is read as a language."""
    if SEEDS[name]:
        return SEEDS[name][0][0]
    language = next(language for language in LANGUAGES if language.name == name)
    return f"a{language.suffixes[0]}" if language.suffixes else language.filenames[0]


def others(name: str) -> list[tuple[str, bytes]]:
    """Return a fixture of each of some other languages, each time others."""
    at = NAMES.index(name)
    chosen = {NAMES[(at + step) % len(NAMES)] for step in (1, 2, 5, 11)} - {name}
    return [SEEDS[other][0] for other in sorted(chosen) if SEEDS[other]]


@pytest.mark.parametrize("name", NAMES)
def test_mutated_fixtures_of_every_language_give_facts_that_hold(name: str) -> None:
    seeds = SEEDS[name] or [(path_of(name), b"")]
    pool = [data[:LARGEST] for _, data in [*seeds, *others(name)]]

    @settings(max_examples=12, deadline=None, derandomize=True, database=None)
    @given(st.sampled_from(range(len(seeds))), st.integers(0, 2**32))
    def check_mutated(which: int, seed: int) -> None:
        path, data = seeds[which]
        check_extraction(path, mutate(random.Random(seed), data[:LARGEST], pool)[: 2 * LARGEST])

    check_mutated()


@pytest.mark.parametrize("name", NAMES)
def test_bytes_of_any_kind_give_facts_that_hold_in_every_language(name: str) -> None:
    path = path_of(name)
    problems = {label: [item.code for item in check_extraction(path, data).problems] for label, data in WHOLE.items()}
    if LANGUAGES[NAMES.index(name)].syntax is None:
        return  # what reads documents and data says for itself what is wrong with them
    assert problems["nothing"] == []
    assert problems["all bytes"] == problems["a megabyte of random bytes"] == ["binary"]
    assert problems["five megabytes on one line"] == ["too-large"]
    for label in ("Latin-1", "a character cut short", "UTF-16", "UTF-16, big end first", "UTF-16 of half characters"):
        assert "encoding" in problems[label], label


@pytest.mark.parametrize("name", NAMES)
def test_a_file_of_another_language_and_one_that_is_cut_short_give_facts_that_hold(name: str) -> None:
    for _, data in others(name):
        check_extraction(path_of(name), data[:LARGEST])
    for path, data in SEEDS[name][:2]:
        for cut in hostile.truncated(data[:LARGEST], 4):
            check_extraction(path, cut)


@pytest.mark.parametrize("name", NAMES)
def test_the_cost_of_deep_and_wide_input_is_bounded_in_every_language(name: str) -> None:
    path = path_of(name)
    for label in ("nested ()", "nested []", "nested {}", "only (", "only {", "only }"):
        codes = {problem.code for problem in check_extraction(path, hostile.shapes()[label](12_000)).problems}
        assert "crashed" not in codes, label


def test_facts_that_do_not_hold_are_seen() -> None:
    facts = check_extraction("a.py", b"class A:\n    def f(self):\n        return len(self.x)\n")
    definition = facts.definitions[1]
    for change in ({"line": 0}, {"end_line": 9}, {"parent": 1}, {"name": ""}):
        broken = msgspec.structs.replace(definition, **change)
        with pytest.raises(AssertionError):
            check(msgspec.structs.replace(facts, definitions=(facts.definitions[0], broken)))
    with pytest.raises(AssertionError):
        check(msgspec.structs.replace(facts, uses=(Use(2, 0, "", CALL, 1),)))
