"""Finds what a person reads in an SVG drawing, and what it links to. Pure, bounded, tolerant; expands no entity.

A scanner of tags and text, not an XML parser: a drawing with an error in it is read around it, and a document type that
declares entities is passed over with all it says.

Source: https://www.w3.org/TR/SVG2/
"""

import re
from collections.abc import Sequence
from html import unescape

import msgspec

from memoire.extract.markdown_inline import local_target

_TOKEN = re.compile(
    r"<!--.*?(?:-->|\Z)|<!\[CDATA\[(?P<raw>.*?)(?:\]\]>|\Z)|<\?.*?(?:\?>|\Z)"
    r"|<!DOCTYPE[^\[>]*+(?:\[.*?(?:\]\s*+>|\Z)|>|\Z)"
    r"|<(?P<close>/?)(?P<name>[A-Za-z_][\w.:-]*+)(?P<attributes>(?:[^<>\"']++|\"[^\"]*+\"|'[^']*+')*+)>",
    re.DOTALL,
)
_HREF = re.compile(r"\s(?:xlink:)?href\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_MOVES = re.compile(r"\s(?:x|y|dx|dy)\s*=")
_UNREAD = frozenset(("style", "script", "metadata"))
"""Elements whose text nobody sees."""
_INLINE = frozenset(("tspan", "a", "textPath", "b", "i", "em", "strong", "span", "code", "font"))
"""Elements that begin no label of their own."""
MAX_LABELS = 10_000
"""Labels of one drawing that are kept."""


class Label(msgspec.Struct, frozen=True, gc=False):
    """One piece of text that is read as a whole."""

    line: int
    """Where it begins, 1-based."""
    text: str
    is_caption: bool = False
    """Whether it is a title or description, of the drawing or of a part: it is not drawn."""


class Link(msgspec.Struct, frozen=True, gc=False):
    """One `href` that stays in the project."""

    line: int
    element: str
    target: str


class Drawing(msgspec.Struct, frozen=True, gc=False):
    """What one drawing says."""

    title: str
    description: str
    labels: Sequence[Label]
    links: Sequence[Link]
    is_svg: bool
    """Whether it has an `svg` element at all."""
    is_cut: bool
    """Whether labels were left out for their number."""


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text = text
        self.line = 1
        self.counted = 0
        self.depth = 0
        self.within = ""
        """`title` or `desc` where the text is of one."""
        self.is_of_whole = False
        """Whether that is one of the drawing, not of a part."""
        self.whole = {"title": "", "desc": ""}
        self.pieces: list[str] = []
        self.begun = 0
        self.labels: list[Label] = []
        self.links: list[Link] = []
        self.is_svg = False

    def scan(self) -> Drawing:
        position = 0
        while (match := _TOKEN.search(self.text, position)) is not None:
            self._add(position, self.text[position : match.start()], is_raw=False)
            position = match.end()
            if match["raw"] is not None:
                self._add(match.start("raw"), match["raw"], is_raw=True)
            elif match["name"]:
                position = self._tag(match, position)
        self._add(position, self.text[position:], is_raw=False)
        self._end_label()
        whole = {name: " ".join(text.split()) for name, text in self.whole.items()}
        is_cut = len(self.labels) > MAX_LABELS
        return Drawing(
            whole["title"], whole["desc"], self.labels[:MAX_LABELS], self.links[:MAX_LABELS], self.is_svg, is_cut
        )

    def _line_at(self, position: int) -> int:
        """Return the line of a place; places are asked for in order."""
        self.line += self.text.count("\n", self.counted, position)
        self.counted = max(self.counted, position)
        return self.line

    def _add(self, position: int, text: str, *, is_raw: bool) -> None:
        """Take in character data."""
        if not text or (text.isspace() and not self.pieces):
            return
        if not self.pieces:
            # Its line is that of its first letter.
            self.begun = self._line_at(position + len(text) - len(text.lstrip()))
        self.pieces.append(text if is_raw or "&" not in text else unescape(text))

    def _tag(self, match: re.Match[str], position: int) -> int:
        """Take in a tag; return where reading goes on."""
        name = match["name"].rpartition(":")[2]
        attributes = match["attributes"]
        if not (name in _INLINE and (match["close"] or not _MOVES.search(attributes))):
            self._end_label()
        if match["close"]:
            self.depth -= 1
            return position
        self._href(name, attributes, match.start())
        if attributes.endswith("/"):
            return position
        self.is_svg = self.is_svg or name == "svg"
        self.depth += 1
        if name in self.whole:
            self.within, self.is_of_whole = name, self.depth == 2
        if name in _UNREAD:
            end = self.text.find(f"</{match['name']}", position)
            return len(self.text) if end < 0 else end
        return position

    def _href(self, name: str, attributes: str, position: int) -> None:
        found = _HREF.search(attributes) if "href" in attributes else None
        target = local_target(unescape(found[1] or found[2] or "")) if found else ""
        if target and len(self.links) < MAX_LABELS:
            self.links.append(Link(self._line_at(position), name, target))

    def _end_label(self) -> None:
        text = "".join(self.pieces)
        self.pieces = []
        within, self.within = self.within, ""
        if not text.strip():
            return
        if within and self.is_of_whole:
            self.whole[within] = self.whole[within] or text[:2000]
        if len(self.labels) <= MAX_LABELS:
            self.labels.append(Label(self.begun, text.strip(), bool(within)))


def drawing_of(lines: Sequence[str]) -> Drawing:
    """Return what a drawing says.

    Args:
        lines: Of the file, without line ends.
    """
    return _Scanner("\n".join(lines)).scan()
