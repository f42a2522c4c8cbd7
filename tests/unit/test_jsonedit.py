"""Editing JSON in place: one key changes, and nothing else does."""

import copy
import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoire.jsonedit import (
    MAX_DEPTH,
    JsonTextError,
    append_item,
    canonical,
    is_bare,
    parse,
    remove_item,
    remove_key,
    set_item,
    set_key,
)

KEYS = st.text(max_size=6) | st.sampled_from(["mcpServers", "a", "b", 'q"uote', "\\", "//", "/*", "é", "漢", "}", ","])
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8)
    | st.sampled_from(["// no comment", "/* nor this */", '\\"', "\u2028", "\x7f", "😀"])
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3), max_leaves=8
)
OBJECTS = st.dictionaries(KEYS, VALUES, max_size=4)


class Style:
    """How a text is written: each gap is chosen anew, so one text mixes styles as no person would."""

    def __init__(self, seed: int, *, is_strict: bool) -> None:
        self.random = random.Random(seed)  # hypothesis would take seconds to draw every gap itself
        self.is_strict = is_strict
        self.newline = self.random.choice(["\n", "\r\n"])
        self.unit = self.random.choice(["", "  ", "    ", "\t"])
        self.is_wild = self.random.random() < 0.6
        self.is_broken = self.random.random() < 0.5

    def gap(self, depth: int, *, breaks: bool = True) -> str:
        if not self.is_wild:
            return self.newline + self.unit * depth if breaks and self.is_broken else ""
        choices = ["", " ", "\t ", self.newline, self.newline + self.unit * depth, self.newline * 2]
        if not self.is_strict:
            choices += [
                "/* c */",
                f" // c{self.newline}",
                f"{self.newline}// , }} {self.newline}  ",
                "/**/ /*//*/",
                "//",
            ]
        gap = "".join(self.random.choices(choices, k=self.random.randrange(3)))
        return gap + self.newline if "//" in gap.rpartition("\n")[2] else gap

    def write(self, value: Any, depth: int = 0) -> str:
        if not isinstance(value, dict | list):
            return json.dumps(value, ensure_ascii=self.random.random() < 0.5)
        items = (
            [self.write(item, depth + 1) for item in value]
            if isinstance(value, list)
            else [
                json.dumps(key) + self.gap(depth, breaks=False) + ":" + self.gap(depth, breaks=False)
                + self.write(item, depth + 1)
                for key, item in value.items()
            ]
        )  # fmt: skip
        opening, closing = "[]" if isinstance(value, list) else "{}"
        text = opening
        for index, item in enumerate(items):
            text += self.gap(depth + 1) + item + self.gap(depth, breaks=False)
            text += "," if index < len(items) - 1 else ""
        if items and not self.is_strict and self.random.random() < 0.5:
            text += "," + self.gap(depth)
        return text + self.gap(depth) + closing


@st.composite
def texts(draw: Any, *, is_strict: bool = False) -> tuple[str, dict[str, Any]]:
    value = draw(OBJECTS)
    style = Style(draw(st.integers(0, 2**32)), is_strict=is_strict)
    bom = "" if is_strict else draw(st.sampled_from(["", "\ufeff"]))
    return bom + style.gap(0, breaks=False) + style.write(value) + style.gap(0), value


@st.composite
def paths_in(draw: Any, value: dict[str, Any]) -> list[str]:
    """Draw the path of a key that may or may not be there, below objects that may or may not be there."""
    path: list[str] = []
    inner: Any = value
    while isinstance(inner, dict) and inner and draw(st.booleans()):
        path.append(draw(st.sampled_from(sorted(inner))))
        inner = inner[path[-1]]
    if not isinstance(inner, dict):
        return path
    fresh = KEYS.filter(lambda key: key not in inner)
    path += draw(st.lists(fresh, min_size=0 if path else 1, max_size=2))
    return path


def updated(value: dict[str, Any], path: list[str], new: Any) -> dict[str, Any]:
    result = copy.deepcopy(value)
    inner = result
    for key in path[:-1]:
        inner = inner.setdefault(key, {})
    inner[path[-1]] = new
    return result


def missing_from(value: Any, path: list[str]) -> list[str]:
    """The path as far as the first key that is not there; nothing where all are."""
    for depth, key in enumerate(path):
        if key not in value:
            return path[: depth + 1]
        value = value[key]
    return []


class TestLaws:
    @given(texts())
    def test_a_text_in_any_style_is_read_as_its_value(self, written: tuple[str, dict[str, Any]]) -> None:
        text, value = written
        assert canonical(parse(text)) == canonical(value)

    @given(st.data(), texts(), VALUES)
    def test_setting_a_key_is_updating_the_value_and_doing_so_twice_is_doing_so_once(
        self, data: st.DataObject, written: tuple[str, dict[str, Any]], new: Any
    ) -> None:
        text, value = written
        path = data.draw(paths_in(value))
        after = set_key(text, path, new)
        assert canonical(parse(after)) == canonical(updated(value, path, new))
        assert set_key(after, path, new) == after

    @given(st.data(), texts(), VALUES)
    def test_removing_what_was_set_gives_the_text_back_to_the_letter(
        self, data: st.DataObject, written: tuple[str, dict[str, Any]], new: Any
    ) -> None:
        text, value = written
        path = data.draw(paths_in(value))
        added = missing_from(value, path)
        after = set_key(text, path, new)
        if added:
            assert remove_key(after, added) == text
            assert remove_key(after, path, prune=len(path) - len(added)) == text
        else:  # it was there: what it was is put back
            was: Any = value
            for key in path:
                was = was[key]
            assert canonical(parse(set_key(after, path, was))) == canonical(value)

    @given(st.data(), texts())
    def test_removing_a_key_is_taking_it_out_of_the_value(
        self, data: st.DataObject, written: tuple[str, dict[str, Any]]
    ) -> None:
        text, value = written
        path = data.draw(paths_in(value))
        expected = copy.deepcopy(value)
        if not missing_from(value, path):
            inner = expected
            for key in path[:-1]:
                inner = inner[key]
            del inner[path[-1]]
        after = remove_key(text, path)
        assert canonical(parse(after)) == canonical(expected)
        assert after.count("/*") == text.count("/*") or "/*" in json.dumps(value) or "//" in text

    @given(st.data(), texts(is_strict=True), VALUES)
    def test_a_text_of_the_standard_stays_one(
        self, data: st.DataObject, written: tuple[str, dict[str, Any]], new: Any
    ) -> None:
        text, value = written
        path = data.draw(paths_in(value))
        after = set_key(text, path, new)
        assert canonical(json.loads(after)) == canonical(updated(value, path, new))
        assert canonical(json.loads(remove_key(after, path))) == canonical(parse(remove_key(after, path)))

    @given(st.text(alphabet='{}[]",:/*\\ \n\ruéab01-.eE+tfnl', max_size=30))
    def test_any_text_is_read_or_refused_and_the_standard_parser_agrees(self, text: str) -> None:
        try:
            found = parse(text)
        except JsonTextError:
            with pytest.raises(json.JSONDecodeError):
                json.loads(text)
        else:
            if "/" not in text and "," not in text:
                assert canonical(json.loads(text)) == canonical(found)


VALUE = {"command": "memoire", "args": ["mcp"]}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "{}",
            '{\n  "s": {\n    "m": {\n      "command": "memoire",\n      "args": [\n        "mcp"\n      ]\n'
            "    }\n  }\n}",
        ),
        ('{"s": {}}', '{"s": {"m": {"command": "memoire", "args": ["mcp"]}}}'),
        ('{"s":{}}', '{"s":{"m":{"command":"memoire","args":["mcp"]}}}'),
        ('{"s":{"a":1}}\n', '{"s":{"a":1,"m":{"command":"memoire","args":["mcp"]}}}\n'),
        (
            '{\n\t"s": {\n\t\t"a": 1 // why\n\t}\n}',
            '{\n\t"s": {\n\t\t"a": 1, // why\n\t\t"m": {\n\t\t\t"command": "memoire",\n\t\t\t"args": [\n\t\t\t\t"mcp"'
            "\n\t\t\t]\n\t\t}\n\t}\n}",
        ),
        (
            '{\r\n    "s": {},\r\n}\r\n',
            '{\r\n    "s": {\r\n        "m": {\r\n            "command": "memoire",\r\n            "args": [\r\n'
            '                "mcp"\r\n            ]\r\n        }\r\n    },\r\n}\r\n',
        ),
    ],
)  # fmt: skip
def test_what_is_added_looks_like_what_is_around_it(text: str, expected: str) -> None:
    assert set_key(text, ["s", "m"], VALUE) == expected


def test_a_value_that_is_replaced_leaves_all_around_it() -> None:
    text = '{ "a" : 1 /* one */ , // x\n  "b": [1,\n 2], "c":3 }'
    assert (
        set_key(text, ["b"], {"x": [1]})
        == '{ "a" : 1 /* one */ , // x\n  "b": {\n    "x": [\n      1\n    ]\n  }, "c":3 }'
    )
    assert set_key(text, ["c"], {"x": [1, 2]}) == text.replace("3", '{"x":[1,2]}')
    assert set_key(text, ["a"], 1) == text
    assert set_key(text, ["a"], 1.0) == text.replace("1 /*", "1.0 /*")
    assert set_key(text, ["a"], True) == text.replace("1 /*", "true /*")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": 1, "k": 2, "b": 3}', '{"a": 1, "b": 3}'),
        ('{"k": 2, "b": 3}', '{ "b": 3}'),
        ('{\n  "k": 2,\n  "b": 3\n}', '{\n  "b": 3\n}'),
        ('{\n  "k": 2, // mine\n  "b": 3\n}', '{ // mine\n  "b": 3\n}'),
        ('{\n  "a": 1,\n  "k": 2 // mine\n}', '{\n  "a": 1 // mine\n}'),
        ('{\n  // keep\n  "k": 2, "b": 3\n}', '{\n  // keep\n   "b": 3\n}'),
        ('{"a": 1 // keep\n, "k": 2}', '{"a": 1 // keep\n}'),
        ('{"a": 1, // keep\n "k": 2}', '{"a": 1 // keep\n }'),
        ('{"k": 2 /* keep */ , "b": 3}', '{ /* keep */  "b": 3}'),
        ('{"k": 2,}', "{}"),
        ('{ "k": 2 }', "{ }"),
        ('{\n  "k": 2\n}', "{}"),
        ('{\n  "k": 2 // keep\n}', "{ // keep\n}"),
        ('{"a": 1, "k": 2,}', '{"a": 1,}'),
        ('{"k": 1, "a": 1, "k": 2}', '{ "a": 1}'),
        ('{"a": {"k": 1}}', '{"a": {"k": 1}}'),
        ("[1]", "[1]"),
    ],
)
def test_what_is_removed_takes_no_comment_with_it(text: str, expected: str) -> None:
    assert remove_key(text, ["k"]) == expected


def test_of_two_keys_of_one_name_the_last_is_meant_as_parsers_have_it() -> None:
    text = '{"s": {"a": 1}, "s": {"b": 1}}'
    assert parse(text) == json.loads(text) == {"s": {"b": 1}}
    assert set_key(text, ["s", "m"], 2) == '{"s": {"a": 1}, "s": {"b": 1, "m": 2}}'
    assert set_key(text, ["s"], 2) == '{"s": {"a": 1}, "s": 2}'


def test_objects_that_are_left_empty_go_too_if_asked_and_if_no_comment_is_in_them() -> None:
    text = '{"x": {"a": {"b": {"k": 1}}}}'
    assert remove_key(text, ["x", "a", "b", "k"]) == '{"x": {"a": {"b": {}}}}'
    assert remove_key(text, ["x", "a", "b", "k"], prune=1) == '{"x": {"a": {}}}'
    assert remove_key(text, ["x", "a", "b", "k"], prune=9) == "{}"
    assert remove_key('{"a": {"k": 1 /* mine */}}', ["a", "k"], prune=1) == '{"a": { /* mine */}}'
    assert remove_key('{"a": {"k": 1, "b": 2}}', ["a", "k"], prune=1) == '{"a": { "b": 2}}'


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "line 1: it ends too soon"),
        ("\n\n// only this", "line 3: it ends too soon"),
        ('{"a": 1', "line 1: it ends too soon"),
        ('{"a": [1,', "line 1: it ends too soon"),
        ('{"a" 1}', "line 1: a colon is missing"),
        ('{\n"a": 1\n"b": 2}', "line 3: a comma or `}` is missing"),
        ("{a: 1}", "line 1: a key in double quotes is missing"),
        ("{'a': 1}", "line 1: a key in double quotes is missing"),
        ('{"a": }', "line 1: a value is missing"),
        ('{"a": 01}', "line 1: a comma or `}` is missing"),
        ('{"a": "tab\there"}', "line 1: a value is missing"),
        ('{"a": "\\x"}', "line 1: a value is missing"),
        ('{"a": NaN}', "line 1: a value is missing"),
        ("{,}", "line 1: a key in double quotes is missing"),
        ("{} {}", "line 1: there is more after the end"),
        ("{} /* open", "line 1: there is more after the end"),
        (f'{{"a": {"9" * 5000}}}', "line 1: a number is too long"),
        (f'{{"a": {"[" * 100_000}', f"line 1: it is nested more than {MAX_DEPTH} deep"),
        ("[]", "it holds no object"),
        ("3", "it holds no object"),
        ('{"s": []}', "`s` is no object"),
        ('{"s": {"m": null}}', "`s.m` is no object"),
    ],
)
def test_what_cannot_be_edited_is_refused_with_its_place(text: str, problem: str) -> None:
    with pytest.raises(JsonTextError) as caught:
        set_key(text, ["s", "m", "k"], 1)
    assert str(caught.value) == problem
    assert isinstance(caught.value, ValueError)


def test_a_large_text_takes_no_longer_than_it_is_long() -> None:
    text = json.dumps({"a": {str(number): "x" * 50 for number in range(10_000)}, "s": {}}, indent=2)
    assert len(text) > 500_000
    assert remove_key(set_key(text, ["s", "m"], 1), ["s", "m"]) == text


@st.composite
def arrays(draw: Any) -> tuple[str, list[Any]]:
    """A text in any style with an array at `a.b`, and what is in the array."""
    items = draw(st.lists(VALUES, max_size=3))
    value = {**draw(OBJECTS), "a": {**draw(OBJECTS), "b": items}}
    style = Style(draw(st.integers(0, 2**32)), is_strict=False)
    return style.gap(0, breaks=False) + style.write(value) + style.gap(0), items


class TestItems:
    PATH = ("a", "b")

    @given(arrays(), VALUES)
    def test_an_item_that_is_appended_is_there_and_can_be_taken_away_to_the_letter(
        self, written: tuple[str, list[Any]], item: Any
    ) -> None:
        text, items = written
        after = append_item(text, self.PATH, item)
        assert canonical(array_of(after)) == canonical([*items, item])
        assert outside(after) == outside(text)
        assert remove_item(after, self.PATH, len(items)) == text

    @given(arrays(), VALUES, VALUES)
    def test_an_item_can_be_replaced_and_nothing_else_changes(
        self, written: tuple[str, list[Any]], item: Any, other: Any
    ) -> None:
        text, items = written
        before = append_item(text, self.PATH, item)
        after = set_item(before, self.PATH, len(items), other)
        assert canonical(array_of(after)) == canonical([*items, other])
        assert set_item(after, self.PATH, len(items), other) == after
        assert remove_item(after, self.PATH, len(items)) == text

    @given(arrays(), st.data())
    def test_any_item_can_be_taken_away(self, written: tuple[str, list[Any]], data: st.DataObject) -> None:
        text, items = written
        if not items:
            return
        index = data.draw(st.integers(0, len(items) - 1))
        after = remove_item(text, self.PATH, index)
        assert canonical(array_of(after)) == canonical(items[:index] + items[index + 1 :])
        assert outside(after) == outside(text)

    @pytest.mark.parametrize("text", ["{}", '{"a": []}', '{"a": {"b": {}}}', '{"a": {"b": "[]"}}', "[[]]"])
    def test_what_is_no_array_is_refused(self, text: str) -> None:
        with pytest.raises(JsonTextError, match=r"`a\.b` is no array"):
            append_item(text, self.PATH, 1)

    def test_an_array_is_bare_if_there_is_not_even_a_comment_in_it(self) -> None:
        assert is_bare('{"a": {"b": [ \n ]}}', self.PATH)
        assert not is_bare('{"a": {"b": [/**/]}}', self.PATH)
        assert not is_bare('{"a": {"b": [1]}}', self.PATH)
        assert not is_bare('{"a": {}}', self.PATH)

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ('{"a":{"b":[]}}', '{"a":{"b":[{"c":1}]}}'),
            ('{"a":{"b":[{"c":0}]}}', '{"a":{"b":[{"c":0},{"c":1}]}}'),
            ('{"a": {"b": [{"c": 0}]}}', '{"a": {"b": [{"c": 0}, {"c": 1}]}}'),
            (
                '{\n\t"a": {\n\t\t"b": [\n\t\t\t{}\n\t\t]\n\t}\n}',
                '{\n\t"a": {\n\t\t"b": [\n\t\t\t{},\n\t\t\t{\n\t\t\t\t"c": 1\n\t\t\t}\n\t\t]\n\t}\n}',
            ),
        ],
    )
    def test_it_is_written_as_what_is_around_it(self, text: str, expected: str) -> None:
        assert append_item(text, self.PATH, {"c": 1}) == expected


def array_of(text: str) -> Any:
    value: Any = parse(text)
    return value["a"]["b"]


def outside(text: str) -> str:
    """All but the array, as a canonical text."""
    value: Any = parse(text)
    del value["a"]["b"]
    return canonical(value)
