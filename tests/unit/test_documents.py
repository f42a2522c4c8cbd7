"""What a document says as a whole: title, sections, fingerprints."""

import hashlib
import re

import msgspec
import pytest

from memoire.extract.documents import split_summary
from memoire.model import FileFacts
from tests.unit.document_facts import extract_document, found, markdown, names


class TestFacts:
    def test_they_name_the_bytes(self) -> None:
        data = b"# A\r\n\r\ntext\r\n"
        facts = markdown(data)
        assert (facts.language, facts.sha, facts.size, facts.lines) == (
            "markdown",
            hashlib.sha256(data).hexdigest(),
            13,
            3,
        )
        assert facts.words == ""

    def test_an_empty_document_has_its_name_as_title(self) -> None:
        facts = markdown(b"", "docs/empty.md")
        assert (facts.lines, facts.summary, facts.definitions, facts.problems) == (0, "empty", (), ())

    def test_the_last_line_counts_with_and_without_its_end(self) -> None:
        assert [extract_document("text", "x.txt", data).lines for data in (b"a", b"a\n", b"a\n\n", b"\n")] == [
            1,
            1,
            2,
            1,
        ]

    def test_they_travel_as_messagepack(self) -> None:
        facts = markdown("# A\n\nSee `src/a.py`.\n")
        assert msgspec.msgpack.decode(msgspec.msgpack.encode(facts), type=FileFacts) == facts


class TestTitle:
    @pytest.mark.parametrize(
        ("text", "title", "sentence"),
        [
            ("# Name\n\nDoes a thing. And more.\n", "Name", "Does a thing."),
            ("Intro first.\n\n## Features\n", "page", "Intro first."),
            ("## Only\n\ntext\n", "Only", "text"),
            ("Intro.\n\n# Late\n", "Late", "Intro."),
            ("---\ntitle: 'Front'\ndescription: Says it.\n---\n# Other\n\nBody.\n", "Front", "Says it."),
            ("---\ntitle: T\ndescription: >\n  Folded.\n---\nBody.\n", "T", "Body."),
            ('+++\ntitle = "Toml"\n+++\n\nBody.\n', "Toml", "Body."),
            ('<h1 align="center">Html</h1>\n\nBody.\n', "Html", "Body."),
            ("# A\n\n[![badge](b.svg)](https://ci)\n\nReal words.\n", "A", "Real words."),
            ("Title\n=====\n\nSee e.g. this. Then that.\n", "Title", "See e.g. this."),
            ("# One — two\n\nText.\n", "One - two", "Text."),
        ],
    )
    def test_it_is_found_with_the_first_sentence(self, text: str, title: str, sentence: str) -> None:
        assert split_summary(markdown(text).summary) == (title, sentence)

    def test_a_rule_at_the_top_is_no_front_matter(self) -> None:
        assert names(markdown("---\n\n# A\n\n---\n")) == ["A"]
        assert names(markdown("---\ntitle: x\n# A\n")) == ["A"]

    def test_front_matter_names_nothing_and_makes_no_section(self) -> None:
        facts = markdown("---\ntitle: T\nfile: src/a.py\n---\ntext `src/b.py`\n")
        assert found(facts) == [(5, "path", "src/b.py")]
        assert facts.definitions == ()


class TestSections:
    def test_they_nest_by_level(self) -> None:
        facts = markdown("# A\n\na\n\n## B\n\nb\n\n#### C\nc\n\n## D\n\n# E\n")
        assert [(item.name, item.line, item.end_line, item.parent) for item in facts.definitions] == [
            ("A", 1, 12, -1),
            ("B", 5, 10, 0),
            ("C", 9, 10, 1),
            ("D", 12, 12, 0),
            ("E", 14, 14, -1),
        ]
        assert {item.kind for item in facts.definitions} == {"section"}

    def test_names_are_unique_by_their_parent_and_then_by_number(self) -> None:
        facts = markdown("# A\n## Use\n# B\n## Use\n## Use\n# A\n")
        assert names(facts) == ["A", "A > Use", "B", "B > Use", "B > Use #2", "A #2"]

    def test_a_number_that_is_taken_is_passed_over(self) -> None:
        assert names(markdown("# A\n# A #2\n# A\n")) == ["A", "A #2", "A #3"]

    def test_headings_lose_their_markup(self) -> None:
        facts = markdown("## `Client.send` *does* [it](x.md) {#anchor}\n\nSetext **two**\nlines\n---\n")
        assert names(facts) == ["Client.send does it", "Setext two lines"]

    @pytest.mark.parametrize(
        "text",
        [
            "```\n# no\n```\n",
            "~~~ py\n# no\n",
            "    # no\n",
            "<!--\n# no\n-->\n",
            "<pre>\n# no\n</pre>\n",
            "#no\n",
            "####### no\n",
            "\\# no\n",
            "- a\n---\n",
            "a | b\n--|--\n---\n",
            "[a]: b\n===\n",
            "1. ```\n   # no\n   ```\n",
        ],
    )
    def test_what_only_looks_like_a_heading_is_none(self, text: str) -> None:
        assert names(markdown(text)) == []

    @pytest.mark.parametrize(
        "text", ["> # A\n", "- # A\n", "   # A\n", "# A #\n", "#\tA\n", "```\n```\n# A\n", "A\n=\n"]
    )
    def test_a_heading_is_one_inside_of_containers_and_with_spaces(self, text: str) -> None:
        assert names(markdown(text)) == ["A"]

    def test_the_fingerprint_ignores_wrapping_and_sees_words(self) -> None:
        one, wrapped, other = (
            markdown(f"# A\n\n{text}\n").definitions[0].body for text in ("b c d", "b\nc   d\n", "b c e")
        )
        assert one == wrapped != other
        assert re.fullmatch(r"[0-9a-f]{16}", one)

    def test_a_changed_subsection_changes_those_above_it_and_none_beside_it(self) -> None:
        before = markdown("# A\n\na\n\n## B\n\nb\n\n## C\n\nc\n").definitions
        after = markdown("# A\n\na\n\n## B\n\nb!\n\n## C\n\nc\n").definitions
        assert [old.body == new.body for old, new in zip(before, after, strict=True)] == [False, False, True]
        assert [old.signature == new.signature for old, new in zip(before, after, strict=True)] == [True] * 3

    def test_the_doc_is_the_first_sentence_below_the_heading(self) -> None:
        facts = markdown("# A\n\n## B\n\n![x](y.png)\n\nFirst (e.g. this). Second.\n\n## C\n\n```\ncode\n```\n")
        assert [item.doc for item in facts.definitions] == ["", "First (e.g. this).", ""]
