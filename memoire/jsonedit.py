"""Edits one key of a JSON text, or one item of an array in it, in place: every other character stays as it was. Pure.

It takes comments and trailing commas too, as the settings of editors and assistants have them. What `set_key` added,
`remove_key` takes away again to the letter, and `remove_item` what `append_item` added, from the text alone: the white
space that is added can be told from what was there.
"""

import json
import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

MAX_DEPTH = 200
"""Deeper nesting is refused: no configuration has it, and Python's stack ends."""

_SPACE = " \t\r\n"
_BOM = "\ufeff"
_COMMENT = re.compile(r"//[^\r\n]*+|/\*(?s:.*?)\*/")
_TRIVIA = re.compile(rf"(?:[{_SPACE}]++|{_COMMENT.pattern})*+")
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+"')
_SCALAR = re.compile(rf"{_STRING.pattern}|-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?|true|false|null")


class JsonTextError(ValueError):
    """The text is no JSON object that can be edited at that place; says where and why."""

    def __init__(self, problem: str, line: int = 0) -> None:
        super().__init__(problem, line)
        self.problem = problem
        self.line = line
        """1-based; 0 where it is about no line."""

    def __str__(self) -> str:
        return f"line {self.line}: {self.problem}" if self.line else self.problem


class _Member(NamedTuple):
    """One `"key": value` of an object, or one item of an array, as it stands in the text."""

    key: str
    """Empty for an item."""
    start: int
    colon: int
    """Of an item, the place just before it."""
    node: "_Node"
    comma: int
    """Where the comma after it is, -1 where there is none."""


class _Node(NamedTuple):
    """One value as it stands in the text; `members` is None for what is no object, `items` for what is no array."""

    start: int
    end: int
    value: object
    members: tuple[_Member, ...] | None = None
    items: tuple[_Member, ...] | None = None

    @property
    def children(self) -> tuple[_Member, ...]:
        """What is in an object or an array, in order."""
        return self.members or self.items or ()

    def find(self, key: str) -> _Member | None:
        """Return the member of that key, of several the last: the one that parsers take."""
        return next((member for member in reversed(self.members or ()) if member.key == key), None)


def parse(text: str) -> object:
    """Return the value of a JSON text; of a key that is there twice, the last.

    Raises:
        JsonTextError: It is none.
    """
    return _parse(text).value


def set_key(text: str, path: Sequence[str], value: object) -> str:
    """Return the text with the key at the path (one name or more) set, in the style of what is around it.

    Objects on the way that are missing are made. A key that has the value already is left as it is.

    Raises:
        JsonTextError: The text is no JSON, or something on the way is no object.
    """
    root = node = _parse(text)
    member: _Member | None = None
    for depth, key in enumerate(path):
        if node.members is None:
            where = ".".join(path[:depth])
            raise JsonTextError(f"`{where}` is no object" if where else "it holds no object")
        member = node.find(key)
        if member is None:
            for name in reversed(path[depth + 1 :]):
                value = {name: value}
            return _insert(text, root, node, _show_member(key, value, _unit(text, root)))
        node = member.node
    if member is None or canonical(node.value) == canonical(value):
        return text
    return _replace(text, root, member, value)


def append_item(text: str, path: Sequence[str], value: object) -> str:
    """Return the text with one more item at the end of the array at the path, in the style of what is around it.

    Raises:
        JsonTextError: The text is no JSON, or there is no array at the path.
    """
    root = _parse(text)
    return _insert(text, root, _array(root, path), _show_item(value, _unit(text, root)))


def set_item(text: str, path: Sequence[str], index: int, value: object) -> str:
    """Return the text with one item of the array at the path replaced; one that has the value is left as it is.

    Raises:
        JsonTextError: The text is no JSON, or there is no array at the path.
    """
    root = _parse(text)
    item = (_array(root, path).items or ())[index]
    return text if canonical(item.node.value) == canonical(value) else _replace(text, root, item, value)


def remove_item(text: str, path: Sequence[str], index: int) -> str:
    """Return the text without one item of the array at the path.

    Raises:
        JsonTextError: The text is no JSON, or there is no array at the path.
    """
    node = _array(_parse(text), path)
    return _remove(text, node, (node.items or ())[index])


def remove_key(text: str, path: Sequence[str], *, prune: int = 0) -> str:
    """Return the text without the key at the path, however often it is there; as it is where there is none.

    Args:
        text: JSON.
        path: One name or more.
        prune: How many of the objects around it go too, from the inside, if that leaves nothing in them, not even a
            comment.

    Raises:
        JsonTextError: The text is no JSON.
    """
    while place := _find(text, path):
        text = _remove(text, *place)
        for depth in range(len(path) - 1, max(0, len(path) - 1 - prune), -1):
            around = _find(text, path[:depth])
            assert around is not None
            node = around[1].node
            if text[node.start + 1 : node.end - 1].strip(_SPACE):
                break
            text = _remove(text, *around)
    return text


def is_bare(text: str, path: Sequence[str]) -> bool:
    """Return whether nothing is in the object or array at the path, not even a comment.

    Raises:
        JsonTextError: The text is no JSON.
    """
    place = _find(text, path)
    return place is not None and not text[place[1].node.start + 1 : place[1].node.end - 1].strip(_SPACE)


def canonical(value: object) -> str:
    """Return the text by which two JSON values are the same or not: Python takes `1`, `1.0` and `true` for equal."""
    return json.dumps(value, sort_keys=True)


def _parse(text: str) -> _Node:
    start = _skip(text, 1 if text.startswith(_BOM) else 0)
    node = _read(text, start, 0)
    end = _skip(text, node.end)
    if end != len(text):
        raise _problem(text, end, "there is more after the end")
    return node


def _find(text: str, path: Sequence[str]) -> tuple[_Node, _Member] | None:
    """Return the member at the path and the object it stands in, None where there is none."""
    place: tuple[_Node, _Member] | None = None
    node = _parse(text)
    for key in path:
        member = node.find(key)
        if member is None:
            return None
        place = node, member
        node = member.node
    return place


def _array(root: _Node, path: Sequence[str]) -> _Node:
    node = root
    for key in path:
        member = node.find(key)
        if member is None:
            break
        node = member.node
    else:
        if node.items is not None:
            return node
    raise JsonTextError(f"`{'.'.join(path)}` is no array")


def _read(text: str, at: int, depth: int) -> _Node:
    if depth > MAX_DEPTH:
        raise _problem(text, at, f"it is nested more than {MAX_DEPTH} deep")
    opening = text[at : at + 1]
    if opening == "{":
        return _read_object(text, at, depth)
    if opening == "[":
        return _read_array(text, at, depth)
    match = _SCALAR.match(text, at)
    if match is None:
        raise _problem(text, at, "a value is missing" if opening else "it ends too soon")
    try:
        return _Node(at, match.end(), json.loads(match[0]))
    except ValueError as error:  # a number of more digits than Python takes
        raise _problem(text, at, "a number is too long") from error


def _read_array(text: str, start: int, depth: int) -> _Node:
    items: list[_Member] = []
    at = _skip(text, start + 1)
    while text[at : at + 1] != "]":
        node = _read(text, at, depth + 1)
        begin = at
        at, comma = _next(text, node.end, "]")
        items.append(_Member("", begin, begin - 1, node, comma))
    return _Node(start, at + 1, [item.node.value for item in items], items=tuple(items))


def _read_object(text: str, start: int, depth: int) -> _Node:
    members: list[_Member] = []
    at = _skip(text, start + 1)
    while text[at : at + 1] != "}":
        key = _STRING.match(text, at)
        if key is None:
            raise _problem(text, at, "a key in double quotes is missing" if text[at:] else "it ends too soon")
        colon = _skip(text, key.end())
        if text[colon : colon + 1] != ":":
            raise _problem(text, colon, "a colon is missing")
        node = _read(text, _skip(text, colon + 1), depth + 1)
        begin = at
        at, comma = _next(text, node.end, "}")
        members.append(_Member(json.loads(key[0]), begin, colon, node, comma))
    return _Node(start, at + 1, {member.key: member.node.value for member in members}, tuple(members))


def _next(text: str, end: int, closing: str) -> tuple[int, int]:
    """Return where the next item or the closing bracket is, and where the comma before it, -1 for none."""
    at = _skip(text, end)
    if text[at : at + 1] == ",":
        return _skip(text, at + 1), at
    if text[at : at + 1] != closing:
        raise _problem(text, at, f"a comma or `{closing}` is missing" if text[at:] else "it ends too soon")
    return at, -1


def _skip(text: str, at: int) -> int:
    match = _TRIVIA.match(text, at)
    assert match is not None
    return match.end()


def _problem(text: str, at: int, what: str) -> JsonTextError:
    return JsonTextError(what, text.count("\n", 0, at) + 1)


_Show = Callable[[str | None, bool], str]
"""Writes a new member or item: on lines that begin with the text, or in one line for None; spaced or dense."""


def _show_member(key: str, value: object, unit: str) -> _Show:
    def show(line: str | None, is_spaced: bool) -> str:  # noqa: FBT001 - private, and named at each call
        shown = _dense(value, is_spaced) if line is None else _dump(value, unit, line)
        return json.dumps(key) + (": " if is_spaced else ":") + shown

    return show


def _show_item(value: object, unit: str) -> _Show:
    def show(line: str | None, is_spaced: bool) -> str:  # noqa: FBT001 - private, and named at each call
        return _dense(value, is_spaced) if line is None else _dump(value, unit, line)

    return show


def _replace(text: str, root: _Node, member: _Member, value: object) -> str:
    """Return the text with another value of a member or item."""
    indent = _own_indent(text, member.start)
    is_spaced = _is_spaced(text, member)
    shown = _dump(value, _unit(text, root), _newline(text) + indent) if indent is not None else _dense(value, is_spaced)
    return text[: member.node.start] + shown + text[member.node.end :]


def _is_spaced(text: str, member: _Member) -> bool:
    """Return whether there is a space after the colon before a value; of an item, whether one stands before it."""
    if member.colon != member.start - 1:
        return member.node.start > member.colon + 1
    return text[member.colon : member.start] not in {"[", ","} or " " in text[member.node.start : member.node.end]


def _insert(text: str, root: _Node, node: _Node, show: _Show) -> str:
    """Return the text with a new member at the end of the object, or a new item at the end of the array."""
    newline, unit = _newline(text), _unit(text, root)
    inner = text[node.start + 1 : node.end - 1]
    if not inner.strip(_SPACE):
        is_spaced = text[node.start - 1 : node.start] != ":"
        if inner:  # the same white space again after the member: `_remove` knows it by that
            is_broken = "\n" in inner
            shown = show(newline + inner.rpartition("\n")[2] if is_broken else None, is_spaced)
            return text[: node.start + 1] + inner + shown + inner + text[node.end - 1 :]
        if node is not root and "\n" not in text[root.start : root.end]:
            return text[: node.start + 1] + show(None, is_spaced) + text[node.end - 1 :]
        outer = newline + _line_indent(text, node.start)
        shown = show(outer + unit, True)  # noqa: FBT003 - spaced
        return text[: node.start + 1] + outer + unit + shown + outer + text[node.end - 1 :]
    children = node.children
    last = children[-1] if children else None
    end = node.start + 1 if last is None else max(last.comma + 1, last.node.end)
    at, is_line_comment = _last_comment(text, end, node.end - 1)
    indents = (_own_indent(text, member.start) for member in reversed(children))
    indent = next((found for found in indents if found is not None), None)
    if indent is None and (is_line_comment or (last is None and "\n" in text[at : node.end - 1])):
        indent = _line_indent(text, node.start) + unit
    is_spaced = last is None or _is_spaced(text, last)
    gap = newline + indent if indent is not None else " " * is_spaced
    shown = gap + show(newline + indent if indent is not None else None, is_spaced)
    if last is None:
        return text[:at] + shown + text[at:]
    if last.comma >= 0:
        return text[:at] + shown + "," + text[at:]
    return text[:end] + "," + text[end:at] + shown + text[at:]


def _remove(text: str, node: _Node, member: _Member) -> str:
    """Return the text without one member of the object, or one item of the array."""
    members = node.children
    index = members.index(member)
    if len(members) == 1:
        before, after = text[node.start + 1 : member.start], text[member.node.end : node.end - 1]
        if member.comma >= 0:
            after = after[: member.comma - member.node.end] + after[member.comma - member.node.end + 1 :]
        if not (before + after).strip(_SPACE):
            kept = before if before == after else ""
            return text[: node.start + 1] + kept + text[node.end - 1 :]
    previous = members[index - 1].comma + 1 if index else node.start + 1
    start, is_line_comment = _last_comment(text, previous, member.start)
    end = member.node.end
    if member.comma >= 0:
        between = text[end : member.comma]
        rest = (between if between.strip(_SPACE) else "") + text[member.comma + 1 :]
    else:
        rest = text[end:]
    head = text[:start]
    if index and index == len(members) - 1 and member.comma < 0:  # the one before it is the last now
        head = text[: previous - 1] + text[previous:start]
    if is_line_comment and not rest.lstrip(" \t").startswith(("\r", "\n")):
        head += text[start : member.start]  # what follows must not become part of the comment
    return head + rest


def _last_comment(text: str, start: int, end: int) -> tuple[int, bool]:
    """Return where the last comment between two places ends (`start` for none), and whether it is one of `//`."""
    at, is_line_comment = start, False
    for match in _COMMENT.finditer(text, start, end):
        at, is_line_comment = match.end(), match[0].startswith("//")
    return at, is_line_comment


def _dump(value: object, unit: str, line: str) -> str:
    return line.join(json.dumps(value, indent=unit, allow_nan=False).split("\n"))


def _dense(value: object, is_spaced: bool) -> str:  # noqa: FBT001 - private, and named at each call
    return json.dumps(value, separators=(", ", ": ") if is_spaced else (",", ":"), allow_nan=False)


def _newline(text: str) -> str:
    first, ending, _ = text.partition("\n")
    return "\r\n" if ending and first.endswith("\r") else "\n"


def _own_indent(text: str, at: int) -> str | None:
    """Return the white space before what stands first on its line, None for what does not."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line if not line.strip(" \t") and len(line) < at else None


def _line_indent(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _unit(text: str, node: _Node) -> str:
    """Return the white space by which one level is indented: that of the first member which shows it, else two spaces.

    Never empty, as `_remove` tells by it what was added.
    """
    return _shown_unit(text, node) or "  "


def _shown_unit(text: str, node: _Node) -> str:
    outer = _line_indent(text, node.start)
    for member in node.children:
        indent = _own_indent(text, member.start)
        if indent is not None and indent.startswith(outer) and indent != outer:
            return indent[len(outer) :]
        found = _shown_unit(text, member.node)
        if found:
            return found
    return ""
