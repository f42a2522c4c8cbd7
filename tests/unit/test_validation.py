"""Every refusal that memoire's settings and operations can meet, in words a person reads at once."""

from typing import Annotated, Literal

import msgspec
import pytest

from memoire.validation import problem_of


class _Asked(msgspec.Struct):
    query: Annotated[str, msgspec.Meta(min_length=1, max_length=5)]
    code: Annotated[str, msgspec.Meta(min_length=2)] = "ab"
    limit: Annotated[int, msgspec.Meta(ge=1, le=9)] | msgspec.UnsetType = msgspec.UNSET
    kinds: list[Literal["file", "symbol"]] = []
    by_name: dict[str, Literal["loud", "soft"]] = {}
    either: int | str = 0


@pytest.mark.parametrize(
    ("value", "where", "problem"),
    [
        ({}, "query", "is missing"),
        ([], "", "must be a table, not a list"),
        ({"query": ""}, "query", "must not be empty"),
        ({"query": "abcdef"}, "query", "must have 5 characters or fewer"),
        ({"query": "a", "code": "a"}, "code", "must have 2 characters or more"),
        ({"query": None}, "query", "must be text, not nothing"),
        ({"query": "a", "limit": 0}, "limit", "must be 1 or more"),
        ({"query": "a", "limit": 10}, "limit", "must be 9 or less"),
        ({"query": "a", "limit": 1.5}, "limit", "must be a whole number, not a fraction"),
        ({"query": "a", "kinds": "file"}, "kinds", "must be a list, not text"),
        ({"query": "a", "kinds": ["file", "x"]}, "kinds[1]", "'x' is none of file, symbol"),
        ({"query": "a", "by_name": {"b": "x"}}, "by_name[...]", "'x' is none of loud, soft"),
        ({"query": "a", "either": []}, "either", "must be a whole number or text, not a list"),
    ],
)
def test_a_refused_value_is_named_and_its_fault_said_in_words(value: object, where: str, problem: str) -> None:
    with pytest.raises(msgspec.ValidationError) as caught:
        msgspec.convert(value, _Asked)
    assert problem_of(caught.value, msgspec.json.schema(_Asked)["$defs"]["_Asked"]) == (where, problem)
