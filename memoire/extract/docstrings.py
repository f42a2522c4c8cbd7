"""Reads what a docstring or a documentation comment says in its first sentence."""

import re

MAX_DOC = 200
"""Longest docstring summary kept, characters."""

_PARAGRAPH = re.compile(r"\n\s*\n|\n\s*[:@]\w")
_SENTENCE = re.compile(r"(?<=[.!?])\s")
_DOC_MARKS = re.compile(r"^[rRbBuUfF]*(?:\"\"\"|'''|\"|')|(?:\"\"\"|'''|\"|')$|^/\*+!?|\*+/$|^//[/!]?")
_TAGGED = re.compile(r"@(?!file|overview|module)[a-z][\w-]*(?:\s|$)")
"""How a documentation comment begins that holds tags alone: `/** @internal */`."""
_DOC_LINE = re.compile(r"\n[ \t]*\*(?!/)[ \t]?")


def first_sentence(text: str) -> str:
    """Return the first sentence of a docstring or comment, without its marks, at most `MAX_DOC` characters."""
    text = text[: 4 * MAX_DOC].strip()
    if text.startswith(('"""', "'''")):  # nearly every docstring: no expression is needed to unwrap it
        text = text[3:].partition(text[:3])[0].strip()
    else:
        text = _DOC_LINE.sub("\n", _DOC_MARKS.sub("", text)).strip()
        if _TAGGED.match(text):
            return ""
    if "\n" in text:
        paragraph = _PARAGRAPH.split(text, maxsplit=1)[0]
        text = " ".join(paragraph.split())
    end = _SENTENCE.search(text)
    sentence = text[: end.start()] if end else text
    return sentence if len(sentence) <= MAX_DOC else sentence[: MAX_DOC - 1].rstrip() + "…"
