"""Whole documents beside the facts they must give, line by line: what is not written there must not be found."""

from pathlib import Path

import pytest

from memoire.languages import LANGUAGES as ALL
from tests.pdf_files import from_source
from tests.unit.document_facts import extract_document

FOLDER = Path(__file__).parents[1] / "languages"
LANGUAGES = {language.name: language for language in ALL if language.kind == "document"}
DOCUMENTS = sorted(
    file
    for name, language in LANGUAGES.items()
    for file in (FOLDER / name).iterdir()
    if file.suffix in (*language.suffixes, ".pages")
)
"""A PDF is written as its pages, from which it is made."""


def written(language: str, name: str, data: bytes) -> list[str]:
    """The facts, one a line: `kind line [section] text | sentence`."""
    facts = extract_document(language, name, data)
    names = [section.name for section in facts.definitions]
    lines = [f"summary {facts.summary}"]
    for section in facts.definitions:
        parent = names[section.parent] if section.parent >= 0 else "-"
        doc = f" | {section.doc}" if section.doc else ""
        lines.append(f"section {section.line}-{section.end_line} [{parent}] {section.name}{doc}")
    for mention in facts.mentions:
        scope = names[mention.scope] if mention.scope >= 0 else "-"
        sentence = f" | {mention.sentence}" if mention.sentence else ""
        lines.append(f"{mention.kind} {mention.line} [{scope}] {mention.text}{sentence}")
    return lines + [f"problem {problem.line} {problem.code}" for problem in facts.problems]


@pytest.mark.parametrize("file", DOCUMENTS, ids=lambda file: file.name)
def test_a_document_gives_exactly_the_facts_written_beside_it(file: Path) -> None:
    data = from_source(file) if file.suffix == ".pages" else file.read_bytes()
    assert written(file.parent.name, file.name, data) == file.with_suffix(".facts").read_text().splitlines()


def test_there_is_a_document_of_each_language() -> None:
    assert {file.parent.name for file in DOCUMENTS} == set(LANGUAGES)
