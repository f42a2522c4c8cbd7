"""Cuts Markdown into blocks, line by line, by the block rules of CommonMark with tables left to the reader of blocks.

A scanner of our own because a parser is too slow for every save of every page (blocks alone: markdown-it-py 2.3 MB/s,
tree-sitter-markdown 3.0 MB/s, this 12 MB/s); the tests hold it equal to markdown-it-py on headings and code. A line of
any white space is blank. Beyond CommonMark it enters MkDocs admonitions and tabs (`!!! note`, `=== "Tab"`).

Source: https://spec.commonmark.org/0.31.2/
"""

import re
from collections.abc import Sequence

import msgspec

HEADING, PROSE, CODE, HTML = "heading", "prose", "code", "html"

MAX_CONTAINERS = 32
"""Nested quotes and lists that are entered; what is nested deeper is read as text, and reported."""


class Block(msgspec.Struct, frozen=True, gc=False):
    """One leaf block, its text free of quote marks and list indentation."""

    kind: str
    line: int
    """First line of the text, 1-based."""
    text: str
    """Its lines joined by newlines, so that a newline in it is one line of the file."""
    info: str = ""
    """Code: the info string of its fence."""
    level: int = 0
    """Headings: 1-6."""


TABLE_RULE = re.compile(r"\|?[ ]*:?-+:?[ ]*(?:\|[ ]*:?-+:?[ ]*)*+\|?[ ]*\Z")
"""The second line of a table."""

_PLAIN, _PARAGRAPH, _FENCE, _INDENTED, _HTML = range(5)

_SPECIAL = frozenset(" \t#>`~<-+*=_0123456789!?:")
"""First characters of lines that may be more than text."""
_CONTAINER_MARKS = frozenset(">-+*0123456789!?=")
_LEAF_MARKS = frozenset("#`~<=-*_")
_FENCE_OPEN = re.compile(r"(`{3,})(?=[^`]*\Z)|(~{3,})")
_SETEXT = re.compile(r"(?:=+|-+)[ ]*\Z")
_LIST = re.compile(r"(?:[-+*]|\d{1,9}[.)])(?=[ ]|\Z)")
_MKDOCS = re.compile(r"(?:!!!|\?\?\?\+?|===[!+]?)[ ]+[\"\w]")
_RAW_OPEN = re.compile(r"<(?:script|pre|style|textarea)(?=[\s>]|\Z)", re.IGNORECASE)
_RAW_CLOSE = re.compile(r"</(?:script|pre|style|textarea)>", re.IGNORECASE)
_BLOCK_TAG = re.compile(
    r"</?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|"
    r"fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|"
    r"menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|"
    r"ul)(?=[\s>]|/>|\Z)",
    re.IGNORECASE,
)
_ANY_TAG = re.compile(
    r"(?:<[A-Za-z][A-Za-z0-9-]*+(?:\s++[A-Za-z_:][\w.:-]*+(?:\s*+=\s*+(?:[^\s\"'=<>`]++|'[^']*+'|\"[^\"]*+\"))?+)*+\s*+/?>"
    r"|</[A-Za-z][A-Za-z0-9-]*+\s*+>)\s*+\Z"
)
_HTML_ENDS = {"<!--": "-->", "<?": "?>", "<![CDATA[": "]]>", "<!": ">"}
"""Kinds 2 to 5 of HTML blocks: what opens and what closes them."""


class _Scanner:
    """The state between two lines: the open containers and the open leaf."""

    def __init__(self, first: int) -> None:
        self.blocks: list[Block] = []
        self.containers: list[int] = []
        """0 = a quote, else the column offset of a list item's content."""
        self.is_bare_item = False
        """Whether the last line opened a list item and held nothing else."""
        self.leaf = _PLAIN
        self.text: list[str] = []
        self.start = first
        self.info = ""
        self.fence = ""
        self.fence_indent = 0
        self.html_end: str | re.Pattern[str] = ""
        """What ends the HTML block; empty = a blank line."""
        self.too_deep = 0

    def close(self) -> None:
        """End the open leaf and keep it as a block."""
        leaf, self.leaf = self.leaf, _PLAIN
        if leaf == _PLAIN:
            return
        kind = PROSE if leaf == _PARAGRAPH else HTML if leaf == _HTML else CODE
        if leaf == _INDENTED:
            while self.text and not self.text[-1]:
                self.text.pop()
        self.blocks.append(Block(kind, self.start, "\n".join(self.text), self.info if leaf == _FENCE else ""))
        self.text = []

    def open(self, leaf: int, start: int) -> None:
        """End the open leaf and begin another one."""
        self.close()
        self.leaf = leaf
        self.start = start

    def line(self, number: int, line: str) -> None:
        """Take in one line, whatever it is."""
        if "\t" in line:
            line = line.expandtabs(4)
        position, matched = self._enter(line)
        is_inside = matched == len(self.containers)
        rest = line[position:]
        if is_inside and self.leaf >= _FENCE and self._continue(rest):
            return
        if not is_inside and self.leaf != _PARAGRAPH:
            self._leave(matched)
            is_inside = True
        bare, self.is_bare_item = self.is_bare_item, False
        if not rest or rest.isspace():
            self.close()
            if bare and is_inside and self.containers:
                self.containers.pop()
            elif not is_inside:
                self._leave(matched)
            return
        self._start(number, rest, matched)

    def _enter(self, line: str) -> tuple[int, int]:
        """Return where the content of the line begins, and how many of the open containers it stays in."""
        position = matched = 0
        size = len(line)
        text = -1
        for offset in self.containers:
            if text < position:
                text = size - len(line[position:].lstrip(" "))
            if offset:
                if text - position < offset and text < size:
                    break
                position = min(position + offset, size)
            elif text < size and line[text] == ">" and text - position < 4:
                position = text + (2 if line[text + 1 : text + 2] == " " else 1)
            else:
                break
            matched += 1
        return position, matched

    def _leave(self, matched: int) -> None:
        """End the containers that the line is not in, and with them the open leaf."""
        if matched < len(self.containers):
            self.close()
            del self.containers[matched:]

    def _continue(self, rest: str) -> bool:
        """Return whether the line belongs to the open code or HTML block; if so it is taken in."""
        if self.leaf == _FENCE:
            text = rest.strip(" ")
            if text.startswith(self.fence) and not text.strip(self.fence[0]) and len(rest) - len(rest.lstrip(" ")) < 4:
                self.close()
            else:
                cut = min(self.fence_indent, len(rest) - len(rest.lstrip(" ")))
                self.text.append(rest[cut:])
            return True
        if self.leaf == _INDENTED:
            if rest.startswith("    ") or not rest.strip():
                self.text.append(rest[4:])
                return True
            self.close()
            return False
        end = self.html_end
        if end == "" and not rest.strip():
            return False
        self.text.append(rest)
        if end and (end in rest if isinstance(end, str) else end.search(rest)):
            self.close()
        return True

    def _start(self, number: int, rest: str, matched: int) -> None:
        """Open what begins on this line, containers first; else it is text."""
        while True:
            body = rest.lstrip(" ")
            indent = len(rest) - len(body)
            if indent >= 4 or body[0] not in _CONTAINER_MARKS:
                break
            rest_of_container = self._container(number, body, indent, matched)
            if rest_of_container is None:
                break
            rest = rest_of_container
            matched = len(self.containers)
            if not rest.strip():
                self.is_bare_item = body[0] not in ">!?="
                return
        if indent >= 4 and self.leaf != _PARAGRAPH:
            self._leave(matched)
            self.open(_INDENTED, number)
            self.text.append(rest[4:])
        elif indent >= 4 or body[0] not in _LEAF_MARKS or not self._leaf(number, body, indent, matched):
            if self.leaf == _PARAGRAPH:
                self.text.append(body)
            else:
                self._leave(matched)
                self.open(_PARAGRAPH, number)
                self.text.append(body)

    def _container(self, number: int, body: str, indent: int, matched: int) -> str | None:
        """Open the quote, list item or admonition that begins here; return what follows its mark, None without one."""
        char = body[0]
        if char == ">":
            width = 0
            rest = body[2:] if body[1:2] == " " else body[1:]
        elif char in "-+*0123456789":
            marker = _LIST.match(body)
            if marker is None or _is_thematic(body):
                return None
            after = body[marker.end() :].lstrip(" ")
            # Text that happens to begin with a number or a dash does not end a paragraph.
            is_text = not after or (char.isdigit() and marker[0][:-1] != "1")
            if is_text and self.leaf == _PARAGRAPH and matched == len(self.containers):
                return None
            spaces = len(body) - marker.end() - len(after)
            spaces = spaces if after and 1 <= spaces <= 4 else 1
            width = indent + marker.end() + spaces
            rest = body[marker.end() + spaces :]
        elif char in "!?=" and _MKDOCS.match(body):
            width = indent + 4
            rest = ""
        else:
            return None
        if len(self.containers) >= MAX_CONTAINERS and matched == len(self.containers):
            self.too_deep = self.too_deep or number
            return None
        self.close()
        del self.containers[matched:]
        self.containers.append(width)
        return rest

    def _leaf(self, number: int, body: str, indent: int, matched: int) -> bool:
        """Take in a heading, break, fence or HTML block that begins here; return whether there is one."""
        char = body[0]
        if char == "#":
            return self._atx(number, body, matched)
        if char in "`~":
            fence = _FENCE_OPEN.match(body)
            if fence is None:
                return False
            self._leave(matched)
            self.open(_FENCE, number + 1)
            self.fence = fence[0]
            self.fence_indent = indent
            self.info = body[fence.end() :].strip()
            return True
        if char == "<":
            return self._html(number, body, matched)
        is_inside = self.leaf == _PARAGRAPH and matched == len(self.containers)
        if char in "=-" and is_inside and _SETEXT.match(body) and not self._is_table():
            self.leaf = _PLAIN
            text, self.text = "\n".join(self.text), []
            self.blocks.append(Block(HEADING, self.start, text, "", 1 if char == "=" else 2))
            return True
        if char in "*-_" and _is_thematic(body):
            self._leave(matched)
            self.close()
            return True
        return False

    def _is_table(self) -> bool:
        """Return whether the open paragraph is a table: a line of dashes below it is no underline."""
        return len(self.text) > 1 and "|" in self.text[0] and TABLE_RULE.match(self.text[1]) is not None

    def _atx(self, number: int, body: str, matched: int) -> bool:
        text = body.lstrip("#")
        level = len(body) - len(text)
        if level > 6 or (text and text[0] != " "):
            return False
        text = text.strip()
        cut = text.rstrip("#")
        if not cut or cut[-1] == " ":
            text = cut.rstrip()
        self._leave(matched)
        self.close()
        self.blocks.append(Block(HEADING, number, text, "", level))
        return True

    def _html(self, number: int, body: str, matched: int) -> bool:
        end: str | re.Pattern[str] | None = None
        if _RAW_OPEN.match(body):
            end = _RAW_CLOSE
        elif body.startswith(("<!--", "<?", "<![CDATA[")) or (body[1:2] == "!" and body[2:3].isalpha()):
            end = next(close for start, close in _HTML_ENDS.items() if body.startswith(start))
        elif _BLOCK_TAG.match(body) or (self.leaf != _PARAGRAPH and _ANY_TAG.match(body)):
            end = ""
        if end is None:
            return False
        self._leave(matched)
        self.open(_HTML, number)
        self.html_end = end
        self.text.append(body)
        if end and (end in body if isinstance(end, str) else end.search(body)):
            self.close()
        return True


def _is_thematic(body: str) -> bool:
    """Return whether the line is a rule: three or more `*`, `-` or `_`, and nothing else."""
    marks = "".join(body.split())
    return len(marks) >= 3 and marks[0] in "*-_" and not marks.strip(marks[0])


def blocks_of(lines: Sequence[str], first: int = 1) -> tuple[list[Block], int]:
    """Return the blocks in order, and the first line that was nested too deep to follow (0 = none).

    Args:
        lines: Without line ends.
        first: The number of the first of them.
    """
    scanner = _Scanner(first)
    containers = scanner.containers
    for number, line in enumerate(lines, first):
        # Most lines of most pages are plain text or code outside of any list: they are not worth a call.
        if not containers:
            leaf = scanner.leaf
            if leaf <= _PARAGRAPH:
                if line and line[0] not in _SPECIAL:
                    if leaf == _PLAIN:
                        scanner.leaf = _PARAGRAPH
                        scanner.start = number
                    scanner.text.append(line)
                    continue
                if not line:
                    scanner.close()
                    continue
            elif leaf == _FENCE and scanner.fence not in line and not scanner.fence_indent:
                scanner.text.append(line)
                continue
        scanner.line(number, line)
    scanner.close()
    return scanner.blocks, scanner.too_deep
