"""What of a text is compared: stems of its words and of the parts of its identifiers, and pieces of four letters."""

import re
from functools import lru_cache

import snowballstemmer  # type: ignore[import-untyped]  # it brings no types

from memoire.tokens import body_terms

PIECE = 4
"""Letters of a piece. Source: `benchmarks/notes`, where three and five find a little less."""
_SAY_NOTHING = """
a an and are as at be by do does for from has have how i if in is it its of on or our that the their them then there
these they this to was we were what when where which who why will with you your
"""
_STOP = frozenset(_SAY_NOTHING.split())
_WORD = re.compile(r"[^\W_]+(?:[_.:\-][^\W_]+)*")
_CACHED = 50_000
_stemmer = snowballstemmer.stemmer("english")


@lru_cache(maxsize=_CACHED)
def stem(word: str) -> str:
    """Return what the grammatical forms of an English word share."""
    return str(_stemmer.stemWord(word))


def terms(text: str) -> list[str]:
    """Return the terms of a text: stems of its words and of the parts of its identifiers, those whole as well."""
    return [term for word in _WORD.findall(text) for term in _terms_of(word)]


@lru_cache(maxsize=_CACHED)
def _terms_of(word: str) -> tuple[str, ...]:
    parts = body_terms(word)
    found = [stem(part) for part in parts if part not in _STOP]
    if len(parts) > 1:
        found.append("".join(parts))
    return tuple(found)


def pieces(text: str) -> list[str]:
    """Return the pieces of four letters of the words of a text, the blanks around a word being letters too.

    They find what is spelled otherwise: compounds, forms that no stemmer knows, typing errors.
    """
    return [piece for word in body_terms(text) for piece in _pieces_of(word)]


@lru_cache(maxsize=_CACHED)
def _pieces_of(word: str) -> tuple[str, ...]:
    padded = f" {word} "
    return tuple(padded[at : at + PIECE] for at in range(max(len(padded) - PIECE + 1, 1)))
