"""Reads AsciiDoc block by block into an `Outline`: sections, paragraphs, lists, tables, examples, includes.

The rules are those of Asciidoctor as far as blocks and sections go. Conditional content is read whichever way it is
decided; a delimited block without an end is one up to the end of the document where it holds code, else a line.

Source: https://docs.asciidoctor.org/asciidoc/latest/
"""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Sequence

from memoire.extract.markdown import front_matter
from memoire.extract.markdown_inline import links_in_html
from memoire.extract.sections import Outline
from memoire.extract.sentences import MAX_SENTENCE, Sentences
from memoire.extract.suffixes import suffix_of
from memoire.languages.asciidoc.inline import PICTURES, Targets, asciidoc_mentions, plain_asciidoc

_DELIMITER = re.compile(r"(?:-{4,}|\.{4,}|\+{4,}|/{4,}|={4,}|\*{4,}|_{4,}|--|`{3,}|[|,:!]={3,})\Z")
_FENCE = re.compile(r"(`{3,})[^`]*\Z")
_VERBATIM = frozenset("-.`")
_HEADING = re.compile(r"(={1,6}|#{1,6})[ \t]+(\S.*?)(?:[ \t]+\1)?\Z")
_UNDERLINE = re.compile(r"([=\-~^+])\1+\Z")
_UNDERLINES = "=-~^+"
"""What underlines a title of level 1, 2… in the two-line form."""
_ENTRY = re.compile(r":(!?[\w][\w-]*!?):(?:[ \t]+(.*))?\Z")
_OFFSET = re.compile(r"[+-]?[0-9]{1,2}\Z")
_LIST = re.compile(r"\[(?:\[[^\[\]]*\]|[\w%#.,{\"'](?:[^\]\[]|\[[^\[\]]*\])*|)\]\Z")
"""A line of block attributes, or an anchor."""
_MACRO = re.compile(r"(\w[\w-]*)::([^\s\[\]][^\[\]]{0,400})?\[(.*)\]\Z")
_CONDITION = re.compile(r"(?:ifdef|ifndef|ifeval|endif)::")
_FILES = PICTURES | frozenset(
    ("include", "plantuml", "mermaid", "ditaa", "graphviz", "c4plantuml", "vega", "svgbob", "nomnoml", "wavedrom")
)
"""Block macros whose target is a file; diagrams are drawn from it."""
_EXAMPLES = frozenset(
    ("source", "listing", "literal", "plantuml", "mermaid", "ditaa", "graphviz", "c4plantuml", "vega", "svgbob",
     "nomnoml", "wavedrom", "stem", "latexmath", "asciimath", "pass", "comment")
)  # fmt: skip
"""Styles that make a paragraph or an open block an example (or, `pass` and `comment`, no text)."""
_ASIDES = frozenset(("NOTE", "TIP", "IMPORTANT", "WARNING", "CAUTION"))
_ASIDE = re.compile(r"(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION):[ \t]+")
_ITEM = re.compile(r"\s*(?:\*{1,5}|-|\.{1,5}|\d{1,4}\.|[a-zA-Z]\.|[ivxIVX]{1,4}\)|<(?:\d{1,3}|\.)>)[ \t]+(?=\S)")
_TERM = re.compile(r"[ \t]*[^\s/:].{0,200}?(?::{2,4}|;;)(?:\s|\Z)")
"""The term of a description list."""
_CHECK = re.compile(r"\[[ x*]\][ \t]+")
_CELL = re.compile(r"(?:(?:^|(?<=\s))(?:\d*(?:\.\d+)?[+*])?[<^>]?(?:\.[<^>])?[a-z]?)?(?<!\\)\|", re.MULTILINE)
_BREAKS = frozenset(("'''", "<<<", "---", "- - -", "***", "* * *"))
_LEAD = 200
"""Lines in which the document's header is looked for."""


class _Reader:
    def __init__(self, lines: Sequence[str], outline: Outline, path: str) -> None:
        self.lines = lines
        self.outline = outline
        self.targets = Targets(path)
        self.offset = 0
        self.style = ""
        """Of the block that comes next: `source`, `NOTE`, `discrete`."""
        self.open: list[tuple[str, bool]] = []
        """The compound blocks that are open: (the line that closes it, whether it is an aside)."""
        self.is_titled = False
        self.ends: dict[str, list[int]] = defaultdict(list)
        for index, line in enumerate(lines):
            stripped = line.rstrip()
            if _DELIMITER.match(stripped):
                self.ends[stripped].append(index)

    def read(self) -> None:
        index = self._header(front_matter(self.lines, self.outline))
        while index < len(self.lines):
            line = self.lines[index].rstrip()
            index = self._block(index, line) if line else index + 1

    def _header(self, index: int) -> int:
        """Take in what the title may refer to: attributes are often set below it. Return where reading begins."""
        for line in self.lines[index : index + _LEAD]:
            entry = _ENTRY.match(line.rstrip())
            if entry is not None:
                self.targets.define(entry[1], entry[2] or "")
            elif not line.strip() and self.is_titled:
                break
            elif line.startswith(("= ", "# ")):
                self.is_titled = True
        self.is_titled = False
        return index

    def _block(self, index: int, line: str) -> int:
        """Take in the block that begins at a line; return the index after it."""
        for take in _TAKERS.get(line[0], _OTHERS):
            after = take(self, index, line)
            if after:
                return after
        return self._paragraph(index, line)

    # ---- lines that are no text

    def comment(self, index: int, line: str) -> int:
        if line.startswith("////") and _DELIMITER.match(line):
            return self._end(index, line, index) + 1
        return index + 1 if line.startswith("//") and not line.startswith("///") else 0

    def thematic(self, index: int, line: str) -> int:
        return index + 1 if line in _BREAKS else 0

    def entry(self, index: int, line: str) -> int:
        """Take in a document attribute; a value goes on below a backslash at the end of a line."""
        match = _ENTRY.match(line)
        if match is None:
            return 0
        value = match[2] or ""
        while value.endswith(" \\") and index + 1 < len(self.lines):
            index += 1
            value = f"{value[:-2]} {self.lines[index].strip()}"
        name = match[1].lower()
        if name.strip("!") == "leveloffset":
            self._shift("" if "!" in name else value.strip())
        elif name == "description" and value:
            self.outline.summary = self.outline.summary or value[:MAX_SENTENCE]
        else:
            self.targets.define(name, value.strip())
        return index + 1

    def _shift(self, value: str) -> None:
        """Take in `:leveloffset:`: a change where it has a sign, else the offset itself."""
        number = int(value) if _OFFSET.match(value) else 0
        self.offset = max(-6, min(6, self.offset + number if value[:1] in {"+", "-"} else number))

    def attributes(self, index: int, line: str) -> int:
        """Take in a line of block attributes: the style says what the next block is."""
        if _LIST.match(line) is None:
            return 0
        if not line.startswith("[["):
            style = line[1:-1].split(",", 1)[0].split("%", 1)[0].split("#", 1)[0].split(".", 1)[0].strip()
            self.style = style or self.style
        return index + 1

    def caption(self, index: int, line: str) -> int:
        """Take in the title of a block: it names things, and sums up nothing."""
        if len(line) < 2 or line[1] in ". \t" or self._is_underlined(index):
            return 0
        self._inline(line[1:], index + 1)
        return index + 1

    def continuation(self, index: int, line: str) -> int:
        return index + 1 if line == "+" else 0

    def macro(self, index: int, line: str) -> int:
        """Take in a block macro or a preprocessor directive."""
        if "::" not in line:
            return 0
        if _CONDITION.match(line):
            inside = line[line.find("[") + 1 : -1] if line.endswith("]") and line.startswith("if") else ""
            if inside and not line.startswith("ifeval"):
                self._inline(inside, index + 1)
            return index + 1
        match = _MACRO.match(line)
        if match is None:
            return 0
        self.style = ""
        self._file(match, index + 1)
        return index + 1

    def _file(self, match: re.Match[str], line: int) -> None:
        name, target = match[1], match[2] or ""
        if name not in _FILES or (name in PICTURES and not suffix_of(target)):
            return  # a video may be one of a site, by its number there
        label = match[3].split(",", 1)[0] if name in PICTURES else ""
        label = "" if "=" in label else plain_asciidoc(label).strip('"')
        for local in self.targets.resolve("image" if name in PICTURES else name, target):
            self.outline.mention(line, local, "link", (label or f"{name} {target}")[:MAX_SENTENCE])

    # ---- sections

    def heading(self, index: int, line: str) -> int:
        match = _HEADING.match(line)
        if match is None:
            return 0
        self._section(index, len(match[1]), match[2])
        return self._below_title(index + 1) if len(match[1]) == 1 else index + 1

    def _is_underlined(self, index: int) -> bool:
        """Return whether a line is a title in the two-line form: underlined in its own length, give or take one."""
        line = self.lines[index].rstrip()
        below = self.lines[index + 1].rstrip() if index + 1 < len(self.lines) else ""
        return (
            bool(_UNDERLINE.match(below))
            and abs(len(below) - len(line)) <= 1
            and line[:1] not in " \t"
            and any(map(str.isalnum, line))
        )

    def underlined(self, index: int, line: str) -> int:
        if not self._is_underlined(index):
            return 0
        level = _UNDERLINES.index(self.lines[index + 1][0]) + 1
        self._section(index, level, line)
        return self._below_title(index + 2) if level == 1 else index + 2

    def _section(self, index: int, level: int, text: str) -> None:
        style, self.style = self.style, ""
        text = self.targets.fill(text)
        self._inline(text, index + 1)
        if not self.open and style not in {"discrete", "float"}:
            self.outline.heading(index + 1, max(1, level + self.offset), plain_asciidoc(text[:1000]))

    def _below_title(self, index: int) -> int:
        """Take in what stands right below the document's title: attributes, and lines of author and revision."""
        if self.is_titled or self.open:
            return index
        self.is_titled = True
        while index < len(self.lines) and (line := self.lines[index].rstrip()):
            index = self.entry(index, line) or self.comment(index, line) or self.macro(index, line) or index + 1
        return index

    # ---- delimited blocks

    def _end(self, index: int, mark: str, default: int) -> int:
        """Return the index of the line that closes a delimited block."""
        ends = self.ends.get(mark, [])
        place = bisect_right(ends, index)
        return ends[place] if place < len(ends) else default

    def delimited(self, index: int, line: str) -> int:
        fence = _FENCE.match(line)
        if fence is None and _DELIMITER.match(line) is None:
            return 0
        style, self.style = self.style, ""
        mark = fence[1] if fence else line
        is_example = line[0] in _VERBATIM and line != "--"
        if is_example or line[0] == "+" or style in _EXAMPLES:
            end = self._end(index, mark, len(self.lines))
            self._example(index + 1, end, "pass" if line[0] == "+" and style not in _EXAMPLES else style)
            return end + 1
        if any(line == closer for closer, _ in self.open):
            while self.open.pop()[0] != line:
                pass
        elif self._end(index, line, 0):
            self.open.append((line, line[0] in "*=" or style in _ASIDES))
        return index + 1

    def _example(self, first: int, end: int, style: str) -> None:
        """Take in the lines of an example: what it includes is a link, the rest is code."""
        if style == "comment":
            return
        content = list(self.lines[first:end])
        if style == "pass":
            for offset, text in enumerate(content):
                for found in links_in_html(text):
                    self.outline.mention(first + offset + 1, found.text, "link", f"link {found.text}"[:MAX_SENTENCE])
            return
        for offset, text in enumerate(content):
            match = _MACRO.match(text.rstrip()) if text.startswith("include::") else None
            if match is not None:
                self._file(match, first + offset + 1)
                content[offset] = ""
        self.outline.code(first + 1, "\n".join(content))

    def table(self, index: int, line: str) -> int:
        """Take in a table, whose rows are each their own sentence."""
        if len(line) < 4 or line[1:].strip("=") or _DELIMITER.match(line) is None:
            return 0
        self.style = ""
        end = self._end(index, line, len(self.lines))
        start = index = index + 1
        while index < end:
            text = self.lines[index].rstrip()
            if _DELIMITER.match(text) and text[0] in _VERBATIM and index < (closer := self._end(index, text, 0)) < end:
                self._row(start, index)
                self._example(index + 1, closer, "")
                start = index = closer + 1
            elif not text or (index > start and _CELL.match(text)):
                self._row(start, index)
                start = index if text else index + 1
                index += 1
            else:
                index += 1
        self._row(start, end)
        return end + 1

    def _row(self, start: int, end: int) -> None:
        text = self.targets.fill("\n".join(self.lines[start:end]))
        mentions = asciidoc_mentions(text, self.targets.resolve)
        if not mentions:
            return
        cells = (plain_asciidoc(cell) for cell in _CELL.split(text[:4000]))
        sentence = " | ".join(filter(None, cells))
        sentence = sentence if len(sentence) <= MAX_SENTENCE else sentence[: MAX_SENTENCE - 1] + "…"
        line, last = start + 1, 0
        for found in mentions:
            line += text.count("\n", last, found.start)
            last = found.start
            self.outline.mention(line, found.text, found.kind, sentence or found.text)

    # ---- text

    def _paragraph(self, index: int, line: str) -> int:
        """Take in a paragraph or list item; return the index after it."""
        style, self.style = self.style, ""
        first = index
        index += 1
        while index < len(self.lines) and not self._interrupts(index):
            index += 1
        item = _ITEM.match(line)
        if style in _EXAMPLES or (item is None and line[0] in " \t" and not _TERM.match(line)):
            self._example(first, index, style)
            return index
        text = line[item.end() :] if item else line
        text = "\n".join(
            [_CHECK.sub("", text) if item else text]
            + ["" if below.startswith("//") and below[2:3] != "/" else below for below in self.lines[first + 1 : index]]
        )
        text = self.targets.fill(text)
        is_aside = style in _ASIDES or _ASIDE.match(text) or any(aside for _, aside in self.open)
        if not is_aside:
            self.outline.prose(text)
        self._inline(text, first + 1)
        return index

    def _interrupts(self, index: int) -> bool:
        """Return whether a line below the first one of a paragraph begins something else."""
        line = self.lines[index].rstrip()
        if not line or line == "+" or _ITEM.match(line) or _DELIMITER.match(line) or _LIST.match(line):
            return True
        if "::" not in line and ";;" not in line:
            return False
        return any(pattern.match(line) for pattern in (_TERM, _MACRO, _CONDITION))

    def _inline(self, text: str, line: int) -> None:
        text = self.targets.fill(text)
        mentions = asciidoc_mentions(text, self.targets.resolve)
        if not mentions:
            return
        sentences = Sentences(text, plain_asciidoc)
        last = 0
        for found in mentions:
            line += text.count("\n", last, found.start)
            last = found.start
            self.outline.mention(line, found.text, found.kind, sentences.at(found.start, found.end))


_Take = Callable[[_Reader, int, str], int]
"""(reader, index of a line, the line) -> the index after the block that begins there, 0 where it is of another kind."""

_OTHERS: tuple[_Take, ...] = (_Reader.macro, _Reader.underlined)
_TAKERS: dict[str, tuple[_Take, ...]] = {
    "/": (_Reader.comment,),
    ":": (_Reader.entry, _Reader.table),
    "[": (_Reader.attributes, _Reader.underlined),
    ".": (_Reader.delimited, _Reader.caption, _Reader.underlined),
    "=": (_Reader.heading, _Reader.delimited),
    "#": (_Reader.heading,),
    "-": (_Reader.thematic, _Reader.delimited),
    "*": (_Reader.thematic, _Reader.delimited),
    "'": (_Reader.thematic, _Reader.underlined),
    "<": (_Reader.thematic, _Reader.underlined),
    "_": (_Reader.delimited, _Reader.underlined),
    "`": (_Reader.delimited, _Reader.underlined),
    "+": (_Reader.continuation, _Reader.delimited),
    "|": (_Reader.table,),
    ",": (_Reader.table,),
    "!": (_Reader.table,),
    " ": (),
    "\t": (),
}
"""What a block may be, by the first character of its first line."""


def read_asciidoc(path: str, lines: Sequence[str], outline: Outline) -> None:
    """Read a document into its outline.

    Args:
        path: Of the document, relative to the root.
        lines: Without line ends.
        outline: Takes what is found.
    """
    _Reader(lines, outline, path).read()
