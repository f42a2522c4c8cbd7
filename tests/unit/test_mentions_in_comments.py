"""What comments and docstrings of code cite."""

import pytest

from memoire.extract.citations import MAX_CITED, mentions_in_comment
from memoire.model import Mention


@pytest.mark.parametrize(
    ("comment", "paths"),
    [
        ("# see docs/spec.md", ["docs/spec.md"]),
        ("// Implements docs/rfc/001-x.md section 3.", ["docs/rfc/001-x.md"]),
        ("/* per `docs/a.rst` (and src/b.ts:12) */", ["docs/a.rst", "src/b.ts"]),
        ("# DESIGN.md says why", ["DESIGN.md"]),
        ("# kept like config.yaml", ["config.yaml"]),
        ("# https://example.com/docs/spec.md", []),
        ("# self.path.py_name and and/or i.e. e.g. 1.5", []),
        ("# nothing", []),
        ("", []),
        ("#" * 500, []),
    ],
)
def test_the_paths_of_documents_and_code_are_cited(comment: str, paths: list[str]) -> None:
    assert [mention.text for mention in mentions_in_comment(comment, 1, -1)] == paths


def test_lines_scope_and_sentence_are_those_of_the_comment() -> None:
    comment = '"""Parses.\n\n    The grammar follows docs/spec.md,\n    section 3. And more.\n    """'
    assert mentions_in_comment(comment, 10, 4) == [
        Mention("docs/spec.md", "path", 12, "The grammar follows docs/spec.md, section 3.", 4)
    ]


def test_comment_marks_are_no_part_of_the_sentence() -> None:
    comment = "// First line.\n// As specified in\n// docs/spec.md here.\n"
    assert mentions_in_comment(comment, 1, -1)[0].sentence == "As specified in docs/spec.md here."
    comment = "/**\n * Follows docs/spec.md\n */"
    assert mentions_in_comment(comment, 1, -1)[0].sentence == "Follows docs/spec.md"


def test_a_comment_full_of_paths_is_bounded() -> None:
    assert len(mentions_in_comment(" ".join(f"a/b{number}.py" for number in range(5000)), 1, -1)) == MAX_CITED
