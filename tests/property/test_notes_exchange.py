"""What leaves memoire comes back the same, in either form; and no file is too odd to be read."""

import asyncio
import json
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memoire.errors import MemoryRefusedError
from memoire.notes import writing
from memoire.notes.exchange import front_matter, read
from memoire.notes.exchange.markdown_notes import file_name, render
from memoire.notes.exchange.records import Record, line_of
from memoire.notes.keeper import Author
from memoire.notes.model import Anchor, Baseline, Connect, Link, Note, Op, Put, Retire
from memoire.operations import notes_export, notes_import
from tests.memories import Project

START = datetime(2026, 5, 1, tzinfo=UTC)


def passes(text: str) -> bool:
    try:
        return writing.checked_text(text) == text
    except MemoryRefusedError:
        return False


letters = st.characters(codec="utf-8", exclude_categories=["Cs", "Cc", "Cf", "Cn", "Co", "Zl", "Zp"])
lines = st.one_of(
    st.text(letters, max_size=30),
    st.sampled_from(
        [
            "## Why",
            "## Details",
            "# A heading",
            "---",
            "- an item",
            "```",
            "key: value",
            "",
            "",
            "'quoted'",
            "#",
            "null",
        ]
    ),
)
texts = st.lists(lines, min_size=1, max_size=6).map("\n".join).map(str.strip).filter(passes)
maybe = st.one_of(st.just(""), texts)
words = st.one_of(
    st.just(""), st.text(letters, min_size=1, max_size=20).map(lambda text: " ".join(text.split()))
).filter(lambda text: not text or passes(text))
full = words.filter(bool)
moments = st.integers(0, 10**8).map(lambda seconds: START + timedelta(seconds=seconds))
anchors = st.builds(
    Anchor,
    st.sampled_from(["a.py", "b.py::run", "lib/", "person:ann", "https://x.example/a"]),
    st.sampled_from(["body", "exists", "none"]),
    st.none() | st.builds(Baseline, st.just("function"), st.just("s1"), quoted=st.sampled_from([(), ("64", 'a "b"')])),
    st.sampled_from([(), ("old.py",)]),
)


@st.composite
def histories(draw: st.DrawFn) -> list[Op]:
    """Operations that give some notes, of which some no longer hold."""
    ids = [f"n{number:09d}" for number in range(draw(st.integers(1, 4)))]
    found: list[Op] = []
    for number, name in enumerate(ids):
        kind = draw(st.sampled_from(["decision", "gotcha", "reference", "status"]))
        text = f"{draw(texts)}\n{number}"
        note = Note(
            id=name,
            version=draw(st.integers(1, 3)),
            path=f"notes/{kind}/general/note-{number}",
            key=draw(st.sampled_from(["", f"k/{number}"])),
            type=kind,  # type: ignore[arg-type]  # one of them
            text=text,
            title=draw(words),
            why=draw(maybe),
            details=draw(maybe),
            about=tuple({anchor.node: anchor for anchor in draw(st.lists(anchors, max_size=3))}.values()),
            tags=writing.tags_of(draw(st.lists(words, max_size=3)), text),
            facets=draw(st.dictionaries(words.filter(lambda word: bool(word) and "=" not in word), full, max_size=2)),
            subject=draw(words),
            attribute=draw(words),
            certainty=draw(st.sampled_from(["verified", "inferred", "speculative"])),
            importance=draw(st.integers(1, 10)),
            confidence=draw(st.none() | st.sampled_from([0.0, 0.25, 1.0])),
            scope="branch" if kind == "status" else "project",
            branch="main" if kind == "status" else "",
            valid_from=draw(moments),
            expires=draw(st.none() | moments),
            author=draw(words),
            session=draw(st.sampled_from(["", "s1"])),
        )
        found.append(Put(note))
        if draw(st.booleans()) and number:
            by = draw(st.sampled_from(["", ids[0]]))
            found.append(Retire(name, "superseded" if by else "archived", by, draw(st.none() | moments), draw(words)))
        if draw(st.booleans()) and number:
            found.append(Connect(name, Link("supports", ids[0], 0.5)))
    return found


def records(project: Project) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = project.ask(notes_export.OPERATION)["records"]
    return found


def files_of(given: list[dict[str, Any]], form: str) -> list[dict[str, str]]:
    made = [msgspec.convert(each, Record) for each in given]
    if form == "jsonl":
        return [{"path": "out/notes.jsonl", "text": "\n".join(map(line_of, made))}]
    return [{"path": f"out/{file_name(record)}", "text": render(record)} for record in made]


async def _put(project: Project, ops: list[Op]) -> None:
    async with project.notes.turn() as turn:
        await turn.write(ops, Author())


@pytest.mark.parametrize("form", ["jsonl", "markdown"])
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(ops=histories())
@pytest.mark.shows("H81")
def test_what_is_exported_comes_back_the_same_and_a_second_time_to_nothing(form: str, ops: list[Op]) -> None:
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
        here, there = Project(Path(one)), Project(Path(two))
        asyncio.run(_put(here, ops))
        exported = records(here)
        files = files_of(exported, form)
        done = there.ask(notes_import.OPERATION, files=files, apply=True)
        assert (done["unread"], done["summary"]) == ([], {"create": len(exported)})
        assert records(there) == exported
        journal = (there.root / ".memoire/notes.jsonl").read_bytes()
        again = there.ask(notes_import.OPERATION, files=files, apply=True)
        assert again["summary"] == {"duplicate": len(exported)}
        assert again["tx"] == []
        assert (there.root / ".memoire/notes.jsonl").read_bytes() == journal
        at_home = here.ask(notes_import.OPERATION, files=files, apply=True)
        assert (at_home["summary"], at_home["tx"]) == ({"duplicate": len(exported)}, [])


values = st.one_of(
    words,
    st.lists(words.filter(bool), min_size=1, max_size=3),
    st.dictionaries(words.filter(bool), words, min_size=1, max_size=3),
)


@given(st.dictionaries(st.sampled_from(["a", "title", "some key"]), values))
def test_a_head_says_what_was_written_into_it(given_values: dict[str, front_matter.Value]) -> None:
    head, rest = front_matter.split(front_matter.write(given_values) + "body")
    assert rest == "body"
    assert front_matter.read(head) == {name: value for name, value in given_values.items() if value}


STARTS = ["", '<meta name="memhtml-type" content="x"><article>', "---\nmemoire: n1\n", '{"text": "', "## Status\n"]


@settings(max_examples=200)
@given(
    st.lists(lines, max_size=12).map("\n".join) | st.text(max_size=200),
    st.sampled_from(["CLAUDE.md", "docs/adr/0001-x.md", "a.html", "a.json", "a.jsonl", ".cursor/rules/a.mdc"]),
    st.sampled_from(STARTS),
)
def test_no_file_is_too_odd_to_be_read(text: str, name: str, before: str) -> None:
    found = read(before + text, name)
    assert all(entry.text.strip() and entry.source == name for entry in found.entries)
    assert found.entries or found.troubles or found.format in {"rules", "graph", "records", "items", "memoire"}


NAMES = [
    "text", "content", "type", "name", "observations", "entities", "items", "id", "memory_type", "memoire", "from",
    "to", "relationType", "metadata", "expires_after_days", "created_at", "valid_from",
]  # fmt: skip
trees = st.recursive(
    st.none() | st.integers() | st.text(max_size=9),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(NAMES), inner),
)


@given(trees)
def test_no_json_is_too_odd_to_be_read(value: object) -> None:
    for text in (json.dumps(value), json.dumps(value) + "\n" + json.dumps({"type": "entity", "observations": value})):
        read(text, "a.jsonl")
