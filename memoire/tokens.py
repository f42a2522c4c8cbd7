"""Turns names and text into the terms that search compares: identifiers in parts, and whole.

A text becomes two streams. The *body* holds the parts of all its words in their order, so that words which stand
side by side can be found side by side. The *wholes* hold each identifier of several parts in one piece, so that
`read_timeout` outranks a text with `read` here and `timeout` there. Case and underscores carry no meaning in either:
`readTimeout` and `read_timeout` are the same parts and the same whole.

Counts are not capped and nothing is stemmed: in finding the files of commits from their messages, capped or logarithmic
counts lose 1 to 4 points and a stemmer changes nothing. Words that occur everywhere weigh little by themselves
(inverse document frequency), so there is no stop list.
"""

import re
import unicodedata
from collections.abc import Callable

TEXT_LIMIT = 1_000_000
"""Bytes of one file that are indexed; what follows is left out."""

WORD_LIMIT = 80
"""Characters of the longest word that is indexed: longer ones are encoded data, not names."""

PARTS_LIMIT = 12
"""A name of more parts is a hash or encoded data: it is kept in one piece only."""

CACHE_LIMIT = 1 << 16
"""Distinct words whose expansion is remembered between files (at most 20 MB)."""

STEM_FROM = 3
_ENDINGS = (
    "s es ed d ing e y ies ied er ers r rs or ors ion ions ation ations "
    "able al ly ment ments ity ive ize ized izing ization"
)
ENDINGS = frozenset(("", *_ENDINGS.split()))
"""What may follow the stem of an English word in two of its forms."""

_HUMP = re.compile(r"[A-Z]{2,}s(?![a-z])|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_CHUNK = re.compile(r"[a-zA-Z0-9]+")
_SHORT_MIXED = re.compile(r"(?=[0-9]*[a-zA-Z])(?=[a-zA-Z]*[0-9])(?:[a-z0-9]{2,10}|[A-Z0-9]{2,10})")
_NUMBERED = re.compile(r"(?:[A-Z]?[a-z]+|[A-Z]+)[0-9]{2,}(?![a-z0-9])")
_BLANKS = bytes(byte if byte >= 0x80 or chr(byte).isalnum() or byte == 0x5F else 0x20 for byte in range(256))


def is_form(one: str, other: str) -> bool:
    """Return whether two words differ by their grammatical endings only: retry, retries, retried; parse, parser."""
    pairs = enumerate(zip(one, other, strict=False))
    same = next((at for at, (here, there) in pairs if here != there), min(len(one), len(other)))
    return same >= STEM_FROM and one[same:] in ENDINGS and other[same:] in ENDINGS


def whole_of(name: str) -> str:
    """Return the name in one piece, without case and separators: `readtimeout` of `read_timeout`."""
    if name.isascii():
        return "".join(_CHUNK.findall(name)).lower()
    return "".join(_humps(name))


def body_terms(text: str) -> list[str]:
    """Return the terms of a short text as the body stream of `index_words` holds them, in order."""
    return index_words(text).partition("\n")[0].split()


def whole_terms(word: str) -> list[str]:
    """Return the terms under which the wholes stream of `index_words` holds a word; empty where it has one part."""
    return index_words(word).partition("\n")[2].split()


def index_words(data: bytes | str, redact: Callable[[str], str] | None = None) -> str:
    """Return the text of one file for the index: the body stream, a line feed, the wholes stream; terms by blanks.

    Args:
        data: A file's bytes (UTF-8, or UTF-16 with its mark) or text. Only the first `TEXT_LIMIT` bytes are taken.
        redact: Takes secrets out of the text before anything else sees it.
    """
    words = _plain(data, redact).translate(_BLANKS).decode("utf-8", "replace").split()
    known = _known[0]
    if len(known) > CACHE_LIMIT:
        # A new one, not a cleared one: another thread may be in the middle of reading it.
        known = _known[0] = _Expansions()
    body = " ".join(filter(None, map(known.__getitem__, words)))
    wholes = " ".join([known.wholes[word] for word in words if word in known.wholes])
    return f"{body}\n{wholes}"


def _plain(data: bytes | str, redact: Callable[[str], str] | None) -> bytes:
    if isinstance(data, bytes):
        data = data[:TEXT_LIMIT]
        if data.startswith((b"\xff\xfe", b"\xfe\xff")):
            data = data.decode("utf-16", "replace")
        elif redact is None:
            return data
        else:
            data = data.decode("utf-8", "replace")
    text = data[:TEXT_LIMIT]
    return (redact(text) if redact else text).encode("utf-8", "replace")


class _Expansions(dict[str, str]):
    """Word -> its terms of the body stream; `wholes` beside it. A lookup that hits costs no Python call."""

    def __init__(self) -> None:
        super().__init__()
        self.wholes: dict[str, str] = {}

    def __missing__(self, word: str) -> str:
        body, wholes = _expand(word)
        if wholes:
            self.wholes[word] = wholes
        self[word] = body
        return body


_known = [_Expansions()]


def _expand(word: str) -> tuple[str, str]:
    """Return what one word of a text adds to the body stream and to the wholes stream."""
    if len(word) > WORD_LIMIT:
        return "", ""
    empty: list[str] = []
    if word.islower() and (spaced := word.replace("_", " ")).replace(" ", "").isalpha() and word.isascii():
        # Nearly all words of nearly all texts: neither capitals nor digits.
        parts, attached = spaced.split(), empty
    elif word.isascii() or word.isalnum():
        parts, attached = _split(word)
    else:
        # Typographic punctuation is no ASCII blank, so it may still join two words or surround one. Marks belong to the
        # letter before them: an accent of its own, as file systems write it, and the vowel signs of many scripts.
        pieces = "".join(char if _is_of_word(char) else " " for char in word).split()
        if pieces != [word]:
            both = [_expand(piece) for piece in pieces]
            return " ".join(body for body, _ in both if body), " ".join(whole for _, whole in both if whole)
        parts, attached = _split(word)
    if len(parts) < 2 and not attached:
        # A single letter or digit says nothing.
        return (parts[0], "") if parts and (len(parts[0]) > 1 or not parts[0].isascii()) else ("", "")
    return " ".join(parts), " ".join(dict.fromkeys([whole_of(word), *attached]))


def _is_of_word(char: str) -> bool:
    return char.isalnum() or char == "_" or unicodedata.category(char)[0] == "M"


def _split(name: str) -> tuple[list[str], list[str]]:
    """Return (parts in order, pieces of letters and digits that are written as one)."""
    if not name.isascii():
        return [term for part in _humps(name) for term in _grams(part)], []
    parts = [part.lower() for part in _HUMP.findall(name)]
    if len(parts) < 2 or name.isalpha():
        return parts, []
    chunks = _CHUNK.findall(name)
    if len(parts) > PARTS_LIMIT and len(chunks) <= len(parts) // 3:
        return [chunk.lower() for chunk in chunks], []
    attached = [chunk for chunk in chunks if _SHORT_MIXED.fullmatch(chunk)] + _NUMBERED.findall(name)
    return parts, list(dict.fromkeys(piece.lower() for piece in attached))


def _humps(name: str) -> list[str]:
    """Return the parts of a name of any script, lower-cased, as `_HUMP` finds those of an ASCII one."""
    parts: list[str] = []
    last = ""
    for char in unicodedata.normalize("NFKC", name):
        kind = _kind(char)
        if kind == "mark":
            kind = last
        if not kind:
            pass
        elif last == "upper" and kind == "lower":
            if len(parts[-1]) > 1:
                # The last capital of an acronym begins the next word: ÉCOLENationale.
                parts[-1:] = [parts[-1][:-1], parts[-1][-1]]
            parts[-1] += char
        elif kind == last:
            parts[-1] += char
        else:
            parts.append(char)
        last = kind
    return [part.casefold() for part in parts]


def _kind(char: str) -> str:
    """Return lower, upper, digit, ideograph, mark, or empty for what separates words."""
    category = unicodedata.category(char)
    if category[0] == "M":
        return "mark"
    if category[0] == "N":
        return "digit"
    if category[0] != "L":
        return ""
    if category in {"Lu", "Lt"}:
        return "upper"
    if category in {"Lo", "Lm"} and _is_unspaced(char):
        return "ideograph"
    return "lower"


def _is_unspaced(char: str) -> bool:
    """Return whether the character is of a script written without blanks between words."""
    code = ord(char)
    return 0x0E00 <= code < 0x1000 or 0x3040 <= code < 0xA000 or 0xAC00 <= code < 0xD7B0 or 0x20000 <= code < 0x32000


def _grams(part: str) -> list[str]:
    if len(part) > 2 and _is_unspaced(part[0]):
        return [part[at : at + 2] for at in range(len(part) - 1)]
    return [part]
