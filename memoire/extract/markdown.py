"""Reads Markdown (`.md`, `.markdown`, `.mdx`) into an `Outline`: sections, first sentences, mentions."""

import re
from collections.abc import Sequence

from memoire.extract.directives import CODE_DIRECTIVES, LISTS, Directives
from memoire.extract.markdown_blocks import CODE, HEADING, PROSE, TABLE_RULE, Block, blocks_of
from memoire.extract.markdown_inline import definitions_in, inline_mentions
from memoire.extract.rest import read_rest
from memoire.extract.sections import Outline
from memoire.extract.sentences import MAX_SENTENCE, Sentences, plain

_FRONT_MATTER = re.compile(r"(title|description|summary)\s*[:=]\s*(.*)\Z", re.IGNORECASE)
_MAX_FRONT_MATTER = 200
"""Lines; a rule that opens a page is closed by no other rule this far down."""
_CELLS = re.compile(r"(?<!\\)\|")
_HTML_HEADING = re.compile(r"<h1(?:\s[^<>]*)?>(.*?)</h1>", re.IGNORECASE | re.DOTALL)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_PARAGRAPH_TAG = re.compile(r"<(?:p|div|li|td|summary)\b", re.IGNORECASE)
_DIRECTIVE = re.compile(r"\{([\w:.+-]+)\}\s*(.*)\Z")
_OPTION = re.compile(r":[\w-]+:")
_MKDOCSTRINGS = re.compile(r":::\s+([A-Za-z_]\w*(?:\.\w+)*)[ ]*(?=\n|\Z)")
_ESM = re.compile(r"^(?:import|export)\s[^\n]*?from\s*[\"'](\.{1,2}/[^\"'\n]+)[\"']", re.MULTILINE)
_MAX_NESTED = 3
"""Directives inside directives that are entered."""


class _Reader:
    def __init__(self, outline: Outline, *, is_mdx: bool) -> None:
        self.outline = outline
        self.directives = Directives()
        self.references: dict[str, str] = {}
        self.is_mdx = is_mdx
        self.too_deep = 0

    def read(self, lines: Sequence[str], first: int, nested: int = 0) -> None:
        """Take in lines, of the document or of a directive in it."""
        blocks, too_deep = blocks_of(lines, first)
        self.too_deep = self.too_deep or too_deep
        starts = [self._define(block) for block in blocks]
        for block, start in zip(blocks, starts, strict=True):
            if block.kind == PROSE:
                if start < len(block.text):
                    self._prose(block, start)
            elif block.kind == CODE:
                self._code(block, nested)
            elif block.kind == HEADING:
                self._heading(block, start)
            else:
                self._html(block)

    def _define(self, block: Block) -> int:
        """Take in the link reference definitions a paragraph begins with; return where its text begins."""
        if block.text[:1] != "[" or block.kind not in (PROSE, HEADING):
            return 0
        targets, start = definitions_in(block.text)
        for key, target in targets.items():
            self.references.setdefault(key, target)
        return start

    def _heading(self, block: Block, start: int) -> None:
        text = block.text[start:]
        if start and not text:
            return
        line = block.line + block.text.count("\n", 0, start)
        self._inline(text, line)
        # A trailing `{#id}` is an anchor.
        if text.endswith("}") and "{" in text:
            text = text[: text.rindex("{")].rstrip() or text
        self.outline.heading(line, block.level, plain(text[:1000]))

    def _prose(self, block: Block, start: int) -> None:
        text = block.text
        line = block.line
        if start:
            line += text.count("\n", 0, start)
            text = text[start:]
        if text.startswith(":::"):
            self._mkdocstrings(text, line)
            return
        if self.is_mdx and text.startswith(("import ", "export ")):
            for match in _ESM.finditer(text):
                self.outline.mention(line + text.count("\n", 0, match.start(1)), match[1], "link", "")
            return
        if "|" in text and "\n" in text and TABLE_RULE.match(text.split("\n", 2)[1]):
            for offset, row in enumerate(text.split("\n")):
                self._row(row, line + offset)
            return
        self.outline.prose(text)
        self._inline(text, line)

    def _row(self, row: str, line: int) -> None:
        """Take in one row of a table: it is its own sentence."""
        row = row.strip().strip("|")
        mentions = inline_mentions(row.replace("\\|", "|"), self.references, self.directives.module)
        if mentions:
            sentence = " | ".join(plain(cell) for cell in _CELLS.split(row[:4000]))
            sentence = sentence if len(sentence) <= MAX_SENTENCE else sentence[: MAX_SENTENCE - 1] + "…"
        for found in mentions:
            self.outline.mention(line, found.text, found.kind, sentence or found.text)

    def _inline(self, text: str, line: int) -> None:
        mentions = inline_mentions(text, self.references, self.directives.module)
        if not mentions:
            return
        sentences = Sentences(text)
        last = 0
        for found in mentions:
            line += text.count("\n", last, found.start)
            last = found.start
            self.outline.mention(line, found.text, found.kind, sentences.at(found.start, found.end))

    def _mkdocstrings(self, text: str, line: int) -> None:
        """Take in what a `::: pkg.Class` renders; other `:::` fences are prose."""
        match = _MKDOCSTRINGS.match(text)
        if match:
            self.outline.mention(line, match[1], "symbol", text.split("\n", 1)[0].strip())
        else:
            self.outline.prose(text.partition("\n")[2])
            self._inline(text, line)

    def _html(self, block: Block) -> None:
        text = block.text
        if text.startswith(("<!--", "<?", "<!")):
            return
        if "<!--" in text:
            text = _COMMENT.sub(lambda match: "\n" * match[0].count("\n"), text)
        if not self.outline.title:
            heading = _HTML_HEADING.search(text, 0, 4000)
            if heading:
                self.outline.title = plain(heading[1])[:160]
        if text[:4].lower() in ("<pre", "<scr", "<sty"):
            self.outline.code(block.line, text)
            return
        if _PARAGRAPH_TAG.match(text):
            self.outline.prose(text)
        self._inline(text, block.line)

    def _code(self, block: Block, nested: int) -> None:
        """Take in code: an example, or a MyST directive."""
        match = _DIRECTIVE.match(block.info) if block.info.startswith("{") else None
        if match is None:
            self.outline.code(block.line, block.text)
            return
        name, argument = match.groups()
        if name == "eval-rst":
            read_rest(block.text.split("\n"), block.line, self.outline, self.directives)
            return
        for text, kind in self.directives.read(name, argument):
            self.outline.mention(block.line - 1, text, kind, f"{name} {argument}"[:200])
        if name in LISTS:
            for offset, entry in enumerate(block.text.split("\n")):
                for text, kind in self.directives.listed(name, entry):
                    self.outline.mention(block.line + offset, text, kind, f"{name} {entry.strip()}"[:200])
        elif name in CODE_DIRECTIVES or nested >= _MAX_NESTED:
            self.outline.code(block.line, block.text)
        else:
            lines = ["" if _OPTION.match(line) else line for line in block.text.split("\n")]
            self.read(lines, block.line, nested + 1)


def read_markdown(lines: Sequence[str], outline: Outline, *, is_mdx: bool) -> int:
    """Read a document into its outline; return the first line that was nested too deep to follow (0 = none).

    Args:
        lines: Without line ends.
        outline: Takes what is found.
        is_mdx: Whether `import` and `export` paragraphs are code.
    """
    reader = _Reader(outline, is_mdx=is_mdx)
    body = front_matter(lines, outline)
    reader.read(lines[body:], body + 1)
    return reader.too_deep


def front_matter(lines: Sequence[str], outline: Outline) -> int:
    """Take in title and description of YAML or TOML front matter; return the index of the first line after it."""
    mark = lines[0].rstrip() if lines else ""
    if mark not in ("---", "+++") or len(lines) < 2 or not lines[1].strip():
        return 0
    for index in range(1, min(len(lines), _MAX_FRONT_MATTER)):
        line = lines[index].rstrip()
        if line == mark or (mark == "---" and line == "..."):
            return index + 1
        match = _FRONT_MATTER.match(line)
        if match:
            value = match[2].strip("\"' ")[:200]
            if match[1].lower() == "title":
                outline.title = outline.title or value
            elif value not in ("", ">", "|", ">-", "|-"):
                outline.summary = outline.summary or value
    # No end: it is a rule and the page begins below it.
    outline.title = outline.summary = ""
    return 0
