"""What an edit is said to have changed is what it changed."""

from datetime import UTC, datetime

import pytest

from memoire.dispatch import extract
from memoire.episodes import edits

NOW = datetime(2026, 5, 18, 10, tzinfo=UTC)
PROPERTY = """class A:
    @property
    def x(self):
        return 1

    @x.setter
    def x(self, v):
        self.y = {}
"""
OVERLOADED = "@overload\ndef g(a: int): ...\ndef g(a):\n    return {}\n"
HEADINGS = "# T\n\n## Example\n\none\n\n## Example\n\n{}\n"


def said(path: str, before: str, after: str) -> str:
    return edits.edited(path, extract(path, before.encode()), extract(path, after.encode()), NOW).summary


@pytest.mark.parametrize(
    ("path", "text", "changed"),
    [("a.py", PROPERTY, "A.x()"), ("a.py", OVERLOADED, "g()"), ("a.md", HEADINGS, "T > Example #2")],
)
def test_a_change_of_the_second_of_one_name_is_a_change_of_that_name(path: str, text: str, changed: str) -> None:
    assert said(path, text.format("1"), text.format("2")) == f"Edited {path}: changed {changed}"


def test_one_more_of_a_name_is_a_change_of_that_name() -> None:
    assert said("a.py", "def g():\n    pass\n", OVERLOADED.format("2")) == "Edited a.py: changed g()"


def test_what_a_syntax_error_hides_is_not_said_to_be_removed_or_added() -> None:
    whole = "def one():\n    return 1\n\n\nclass A:\n    def m(self):\n        return 2\n"
    broken = "def broken(:\n   (((\n"
    assert said("a.py", whole, broken) == "Edited a.py: part of it cannot be read now"
    assert said("a.py", broken, whole) == "Edited a.py: it can be read whole again"
    assert said("a.py", whole, whole[:24]) == "Edited a.py: removed A, A.m()"
