"""Cuts sentences out of a paragraph and strips their markup, for people to read. Pure, and bounded per call."""

import re
from collections.abc import Callable
from html import unescape

from memoire.extract.suffixes import word_set

Strip = Callable[[str], str]
"""Text with markup -> the same as people read it, on one line."""

MAX_SENTENCE = 200
"""Characters of a sentence that is quoted."""
_WINDOW = 300
"""Characters on either side of a mention that are looked through for the ends of its sentence."""

_END = re.compile(
    r"[.!?\u2026\u3002\uff01\uff1f\n](?:(?<=[.!?\u2026])[\"'\u201d\u2019)\]*_`]*(?=\s+[^\sa-z])|(?<=[\u3002\uff01\uff1f])"
    r"|(?<=\n)(?:(?=[ \t]*(?:[-+*]|\d{1,3}[.)])[ \t])|[ \t]*(?=\n)))"
)
"""The end of a sentence; a list item or a blank line ends one, too."""
_ABBREVIATIONS = word_set("e.g i.e cf vs approx resp incl fig sec ch no eq dr mr mrs st")

_TAG = re.compile(r"<!--.*?(?:-->|$)|</?[A-Za-z][^<>]*>", re.DOTALL)
_IMAGE = re.compile(r"!\[[^\[\]]*\](?:\([^()\s]*(?:\([^()]*\)[^()]*)?(?:\s[^()]*)?\)|\[[^\[\]]*\])")
_LINK = re.compile(r"\[([^\[\]]*)\](?:\((?:<[^<>]*>|[^()\s]*(?:\([^()]*\)[^()\s]*)?)(?:\s[^()]*)?\)|\[[^\[\]]*\])")
_STAR = re.compile(r"\*(?:(?<![\w*].)(?=[^\s*])|(?<=[^\s*].)(?![\w*]))", re.DOTALL)
_UNDERSCORE = re.compile(r"(?<!\w)__?(?=[^\W_][^_]*__?(?!\w))|(?<=[^\W_])__?(?!\w)")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_ROLE = re.compile(r"(?::[A-Za-z][\w.+-]*(?::[\w.+-]+)*:|\{[\w:.+-]+\})`[~!]?(?=[^`])")
_TARGETED = re.compile(r"`([^`<>]*?)\s*<[^`<>]*>`_{0,2}|`([^`]+)`_{1,2}(?!\w)")
_SUBSTITUTION = re.compile(r"\|[^|\s][^|\n]*\|")
_MARKUP = re.compile(r"[<*_\\&]")
_LETTER = re.compile(r"[^\W\d_]")


class Sentences:
    """The sentences of one paragraph, found as they are asked for.

    Args:
        text: The paragraph.
        strip: Takes its markup out; None = that of Markdown.
    """

    def __init__(self, text: str, strip: Strip | None = None) -> None:
        self._text = text
        self._strip = strip or plain
        self._low = self._high = 0
        self._sentence = ""

    def at(self, start: int, end: int) -> str:
        """Return the sentence around `text[start:end]` without markup, at most `MAX_SENTENCE` characters.

        Where no words are left (a picture), it is the mention as written.
        """
        text = self._text
        if not (self._low <= start and end <= self._high):
            self._low, self._high = _bounds(text, start, end)
            self._sentence = self._strip(text[self._low : self._high])
        if not self._sentence:
            return " ".join(text[start:end].split())[:MAX_SENTENCE]
        if len(self._sentence) <= MAX_SENTENCE:
            return self._sentence
        return _around(self._sentence, self._strip(text[start:end]))


def _bounds(text: str, start: int, end: int) -> tuple[int, int]:
    """Return where the sentence around a mention begins and ends."""
    low, high = max(0, start - _WINDOW), min(len(text), end + _WINDOW)
    for match in _END.finditer(text, low, high):
        if start < match.start() < end or _is_abbreviation(text, match.start(), low):
            continue
        if match.start() >= end:
            return low, match.end()
        low = match.end()
    return low, high


def _is_abbreviation(text: str, dot: int, low: int) -> bool:
    """Return whether the dot at an index belongs to `e.g.`, `Fig.` or the number of a list item."""
    if text[dot] != ".":
        return False
    words = text[max(low, dot - 8) : dot].split()
    word = words[-1].lstrip("(") if words else ""
    before = dot - len(word) - 1
    return word.lower() in _ABBREVIATIONS or (word.isdecimal() and (before < 0 or text[before] == "\n"))


def _around(sentence: str, needle: str) -> str:
    """Cut a sentence that is too long so that what it names stays in it."""
    at = max(0, sentence.find(needle))
    low = 0 if at + len(needle) < MAX_SENTENCE - 1 else at - (MAX_SENTENCE - len(needle)) // 2
    if low <= 0:
        return sentence[: MAX_SENTENCE - 1].rstrip() + "…"
    low = sentence.find(" ", low, at) + 1 or low
    cut = sentence[low : low + MAX_SENTENCE - 2]
    return f"…{cut}…" if low + len(cut) < len(sentence) else f"…{cut}"


def first_sentence(text: str, strip: Strip | None = None) -> str:
    """Return the first sentence of a paragraph without markup; empty where no words are left (badges, images).

    Args:
        text: The paragraph.
        strip: Takes its markup out; None = that of Markdown.
    """
    sentence = (strip or plain)(text[:2000])
    for match in _END.finditer(sentence):
        if not _is_abbreviation(sentence, match.start(), 0):
            sentence = sentence[: match.end()]
            break
    sentence = sentence.strip()
    if _LETTER.search(sentence) is None:
        return ""
    return sentence if len(sentence) <= MAX_SENTENCE else sentence[: MAX_SENTENCE - 1].rstrip() + "…"


def plain(text: str) -> str:
    """Return Markdown as text on one line: no images, link targets, tags, emphasis or escapes; code stays as it is."""
    if "[" in text:
        text = _LINK.sub(r"\1", _IMAGE.sub("", text))
    if "}`" in text:
        text = _ROLE.sub("`", text)
    if _MARKUP.search(text):
        text = "`".join(
            part if index % 2 else _without_markup(part)
            for index, part in enumerate(text.replace("``", "`").split("`"))
        )
    return " ".join(text.split())


def _without_markup(text: str) -> str:
    """Return text between code spans without tags, emphasis, escapes and entities."""
    if "<" in text:
        text = _TAG.sub("", text)
    text = _without_emphasis(text)
    if "\\" in text:
        text = _ESCAPE.sub(r"\1", text)
    return unescape(text) if "&" in text else text


def _without_emphasis(text: str) -> str:
    if "*" in text:
        text = text.replace("**", "")
        text = _STAR.sub("", text) if "*" in text else text
    return _UNDERSCORE.sub("", text) if "_" in text else text


def plain_rest(text: str) -> str:
    """Return reStructuredText as text on one line; literals and roles stay in single backticks."""
    if "`" in text:
        text = _ROLE.sub("`", text).replace("``", "`")
        text = _TARGETED.sub(lambda match: match[1] or match[2] or "", text)
    if "|" in text:
        text = _SUBSTITUTION.sub("", text)
    if "*" in text:
        text = _STAR.sub("", text.replace("**", ""))
    text = " ".join(text.replace("\\ ", "").split())
    return text[:-1] if text.endswith("::") else text
