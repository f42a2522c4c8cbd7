"""Cuts Markdown into its sections and blocks, code left whole. Pure, never raises."""

import re
from collections.abc import Iterator
from posixpath import join, normpath
from typing import NamedTuple

_HEADING = re.compile(r"(#{1,6})[ \t]+(.*?)[ \t]*#*$")
_UNDERLINE = re.compile(r"(=+|-{3,})[ \t]*$")
_FENCE = re.compile(r"[ \t]*(```+|~~~+)")
_ITEM = re.compile(r"([ \t]*)(?:[-*+]|\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(.*)")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)[^)]*\)")
_OWN = re.compile(r"(?ms)^[ \t]*<!-- memoire:begin[^\n]*-->.*?^[ \t]*<!-- memoire:end -->[ \t]*$")


class Section(NamedTuple):
    """A heading and what stands below it, up to the next one."""

    level: int
    """1 to 6; 0 before the first heading."""
    title: str
    text: str
    line: int
    """Where the text begins, 1-based."""


class Block(NamedTuple):
    """A paragraph, an item of a list with what is inside it, or a table."""

    text: str
    line: int
    is_item: bool


def plain(text: str) -> str:
    """Return Markdown without comments, and without what memoire itself wrote into it; lines stay where they are."""

    def emptied(found: re.Match[str]) -> str:
        return "\n" * found[0].count("\n")

    return _COMMENT.sub(emptied, _OWN.sub(emptied, text))


def sections(text: str) -> list[Section]:
    """Return the sections of a text, in order."""
    lines = plain(text).split("\n")
    starts: list[tuple[int, int, str, int]] = [(0, 0, "", 0)]  # line, level, title, first line of its text
    fence = ""
    for at, line in enumerate(lines):
        if found := _FENCE.match(line):
            fence = "" if fence and line.strip().startswith(fence) else fence or found[1]
            continue
        if fence:
            continue
        if heading := _HEADING.match(line):
            starts.append((at, len(heading[1]), _bare(heading[2]), at + 1))
        elif at and (under := _UNDERLINE.match(line)) and _is_title(lines, at - 1):
            starts.append((at - 1, 1 if under[1][0] == "=" else 2, _bare(lines[at - 1]), at + 1))
    found_sections = []
    for (_, level, title, first), after in zip(starts, [*starts[1:], (len(lines), 0, "", 0)], strict=True):
        body = lines[first : after[0]]
        blank = next((number for number, line in enumerate(body) if line.strip()), 0)
        text = "\n".join(body[blank:]).rstrip()
        if level or text:
            found_sections.append(Section(level, title, text, first + blank + 1))
    return found_sections


def blocks(section: Section) -> Iterator[Block]:
    """Yield the blocks of a section; code belongs to what stands before it."""
    lines = section.text.split("\n")
    held: list[str] = []
    start, indent, is_item, fence = 0, 0, False, ""

    def made() -> Iterator[Block]:
        text = "\n".join(held).strip("\n")
        if text.strip():
            yield Block(text, section.line + start, is_item)

    for at, line in enumerate(lines):
        depth = len(line) - len(line.lstrip())
        bare = line[min(depth, indent + 2) :] if is_item else line
        if fence:
            held.append(bare)
            fence = "" if line.strip().startswith(fence) else fence
            continue
        item = _ITEM.match(line)
        if found := _FENCE.match(line):
            fence = found[1]
            held.append(bare)
        elif item is not None and (not is_item or len(item[1]) <= indent):
            if not (held and not any(part.strip() for part in held)):
                yield from made()
            held, start, indent, is_item = [item[2]], at, len(item[1]), True
        elif line.strip() and held and not held[-1].strip() and (not is_item or depth <= indent):
            yield from made()
            held, start, is_item = [line], at, False
        else:
            if not any(part.strip() for part in held):
                held, start = [], at
            held.append(bare)
    yield from made()


def link_targets(text: str, folder: str) -> list[str]:
    """Return the files of the project that the links of a text in a folder lead to."""
    found = []
    for target in _LINK.findall(text):
        bare = target.partition("#")[0]
        if bare and "://" not in bare and not bare.startswith("/"):
            path = normpath(join(folder, bare))
            if not path.startswith(".."):
                found.append(path)
    return list(dict.fromkeys(found))


def _is_title(lines: list[str], at: int) -> bool:
    line = lines[at]
    is_alone = at == 0 or not lines[at - 1].strip()
    return bool(line.strip()) and is_alone and not line.startswith((" ", "\t", "-", "*", "|", ">", "#"))


def _bare(title: str) -> str:
    return re.sub(r"[*_`]+", "", title).strip()
