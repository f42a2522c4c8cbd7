"""Takes the script out of components of one file (Vue, Svelte), and what their markup uses of it.

The script keeps its lines. On the lines of the markup stand the names it uses, as code: `UserCard();` for a tag
`<UserCard/>` or `<user-card>`, the names in expressions as they are read or called. Only names that the script says
are written down, so that a word of the markup is never taken for more.
"""

import re
from collections.abc import Iterable

from memoire.extract.guards import MAX_BYTES, decode
from memoire.extract.markup import Tag, tags
from memoire.extract.spec import Script
from memoire.model import Problem

_SUFFIXES = {"ts": ".ts", "typescript": ".ts", "tsx": ".tsx", "jsx": ".jsx"}
_NAME = re.compile(r"[A-Za-z_$][\w$]*")
_CHAIN = re.compile(r"(?<![\w$.])([A-Za-z_$][\w$]*)((?:\??\.[A-Za-z_$][\w$]*)*)(\s*\()?")
_STRING = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'")
_IMPORTED = re.compile(r"\bimport\s+(?:type\s+)?([^;\"']{1,2000}?)\s+from\b")
_ALIAS = re.compile(r"[\w$]+\s+as\s+")
_LOCAL = re.compile(r"\.{1,2}/[^\"\\\n]+")


def component(data: bytes, expressions: re.Pattern[str], bound: Iterable[str]) -> Script | Problem | None:
    """Return the script of one component, None where it has neither script nor names.

    Args:
        data: The bytes of the file, whatever they are.
        expressions: What encloses an expression in the text of the markup; group 1 is it.
        bound: How attributes begin whose values are expressions.
    """
    source, recoded = decode(data)
    if recoded is not None and recoded.code == "binary":
        return recoded
    if len(source) > MAX_BYTES:
        return Problem("too-large", f"{len(source) // 1000} kB; only files up to {MAX_BYTES // 1000} kB are read")
    text = source.decode("utf-8", "replace").replace("\r\n", "\n")
    lines = [""] * (text.count("\n") + 1)
    found = list(tags(text))
    suffix = ".js"
    for tag in found:
        if tag.name == "script":
            suffix = _SUFFIXES.get(tag.attributes.get("lang", ""), suffix)
            first = text.count("\n", 0, tag.start)
            for number, line in enumerate(text[tag.start : tag.end].split("\n")):
                lines[first + number] += line
    names = _imported("\n".join(lines))
    used: dict[int, list[str]] = {}
    for tag in found:
        _tag(tag, names, tuple(bound), used)
    if names:
        _texts(text, found, names, expressions, used)
    for place, parts in used.items():
        if not lines[place - 1].strip():
            lines[place - 1] = " ".join(dict.fromkeys(parts))
    return Script(suffix, "\n".join(lines).encode("utf-8", "replace"))


def _imported(script: str) -> frozenset[str]:
    """Return the names that a script imports."""
    clauses = " ".join(_ALIAS.sub("", clause) for clause in _IMPORTED.findall(script))
    return frozenset(_NAME.findall(clauses)) - {"type", "as"}


def _tag(tag: Tag, names: frozenset[str], bound: tuple[str, ...], used: dict[int, list[str]]) -> None:
    if tag.name in {"script", "style"}:
        address = tag.attributes.get("src", "")
        if _LOCAL.fullmatch(address):
            used.setdefault(tag.line, []).append(f'import "{address}";')
        return
    name = tag.name
    if "-" in name:
        name = "".join(part[:1].upper() + part[1:] for part in name.split("-"))
    head = name.partition(".")[0]
    if head in names and (head[0].isupper() or "-" in tag.name):
        used.setdefault(tag.line, []).append(f"{name}();")
    for attribute, value in tag.attributes.items():
        if value and attribute.startswith(bound):
            _expression(value, names, used.setdefault(tag.line, []))


def _texts(
    text: str, found: list[Tag], names: frozenset[str], expressions: re.Pattern[str], used: dict[int, list[str]]
) -> None:
    """Take in the expressions in the text of the markup."""
    raw = [(tag.start, tag.end) for tag in found if tag.name in {"script", "style"}]
    line, at = 1, 0
    for each in expressions.finditer(text):
        line, at = line + text.count("\n", at, each.start()), each.start()
        if not any(first <= at < last for first, last in raw):
            _expression(each[1], names, used.setdefault(line, []))


def _expression(code: str, names: frozenset[str], parts: list[str]) -> None:
    parts += [
        f"{chain[1]}{chain[2].replace('?', '')}{'()' if chain[3] else ''};"
        for chain in _CHAIN.finditer(_STRING.sub("''", code))
        if chain[1] in names
    ]
