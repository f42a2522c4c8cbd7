"""Reads what an answer quotes from a file's text: signatures, a document's first paragraph, its tags. Pure."""

import re
from collections.abc import Sequence

from memoire.budget import clip
from memoire.model import OUTLINE_KINDS, Definition

_SIGNATURE_CHARS = 160
_SIGNATURE_LINES = 8
_PARAGRAPH_CHARS = 300
_TAGS = 20
_TAG_CHARS = 40
_FIRST_LINE = OUTLINE_KINDS | {
    "variable", "mixin", "target", "stage", "job", "service", "resource", "message", "field", "operation", "fragment",
}  # fmt: skip
"""Kinds of definitions whose header is a line, unless a bracket is open at its end."""
_HEADER_LINES = 60
"""Lines of a document searched for its first paragraph, and of its front matter."""

_NO_PROSE = re.compile(
    r"\s*(?:#|=+(?:\s|$)|-+\s*$|\*+\s*$|<|!\[|\[!\[|\.\. |:!?[\w-]+!?:|\||```|~~~|>\s*\[!|//|\[.*\]\s*$"
    r"|(?:image|include|ifdef|ifndef|endif|ifeval|toc)::)"
)
"""How a line that is no prose starts: headings, rules, HTML, images, directives, tables, code, attributes."""


def signature(lines: Sequence[str], definition: Definition) -> str:
    """Return the header of a definition in one line, without decorators and body.

    Args:
        lines: Of the file whose facts hold the definition.
        definition: Not a section.
    """
    end = min(definition.end_line, len(lines))
    depth = 0
    first = definition.line - 1
    while first < end and (depth > 0 or lines[first].lstrip().startswith("@")):
        depth += _depth(lines[first])
        first += 1
    parts: list[str] = []
    depth = 0
    for line in lines[first : min(end, first + _SIGNATURE_LINES)]:
        parts.append(line.strip())
        depth += _depth(line)
        if depth <= 0 and (definition.kind in _FIRST_LINE or line.rstrip().endswith((":", "{", ";", "=>", ","))):
            break
    text = clip(" ".join(parts).replace("( ", "(").replace(" )", ")"), _SIGNATURE_CHARS)
    return text.rstrip("{").rstrip() if definition.kind != "variable" else text


def document_title(summary: str) -> str:
    """Return the title in a document's summary, which is `Title — first sentence`, or the title alone."""
    return summary.partition(" — ")[0]


def first_paragraph(text: str) -> str:
    """Return the first prose of a document in one line, at most 300 characters; empty where its start has none."""
    _, body = _split_front_matter(text)
    found: list[str] = []
    in_code = False
    for line in body.split("\n", _HEADER_LINES)[:_HEADER_LINES]:
        if line.lstrip().startswith(("```", "~~~")):
            in_code = not in_code
        is_prose = bool(line.strip()) and not in_code and not _NO_PROSE.match(line)
        if is_prose:
            found.append(line.strip())
        elif found:
            # An underlined line was a heading.
            if len(found) == 1 and re.fullmatch(r"\s*([=\-~^*#])\1+\s*", line):
                found.clear()
                continue
            break
    return clip(" ".join(found), _PARAGRAPH_CHARS)


def front_matter_tags(text: str) -> list[str]:
    """Return the tags of a document's YAML front matter, at most 20: `tags: [a, b]`, `tags: a, b`, or a list."""
    header, _ = _split_front_matter(text)
    for number, line in enumerate(header):
        key, _, value = line.partition(":")
        if key.rstrip().lower() in {"tags", "keywords"}:
            tags = re.split(r"[,\[\]]", value) if value.strip() else _list_items(header[number + 1 :])
            cleaned = (clip(tag.strip().strip("\"'#"), _TAG_CHARS) for tag in tags)
            return list(dict.fromkeys(tag for tag in cleaned if tag))[:_TAGS]
    return []


def _list_items(lines: Sequence[str]) -> list[str]:
    found: list[str] = []
    for line in lines:
        item = line.strip()
        if not item.startswith("- "):
            break
        found.append(item[2:])
    return found


def _split_front_matter(text: str) -> tuple[list[str], str]:
    """Return (lines of the front matter, the rest); no lines where there is none."""
    if not text.startswith("---\n"):
        return [], text
    head = text.split("\n", _HEADER_LINES + 1)
    for number, line in enumerate(head[1:_HEADER_LINES], start=1):
        if line.rstrip() in {"---", "..."}:
            return head[1:number], "\n".join(head[number + 1 :])
    return [], text


def _depth(line: str) -> int:
    return line.count("(") + line.count("[") - line.count(")") - line.count("]")
