"""Reads what a person or assistant typed: words, identifiers, "exact phrases", paths, qualified names.

There is no syntax to get wrong: every text is a query, and the same text always gives the same one.
"""

import re
from itertools import pairwise

import msgspec

from memoire.errors import InvalidQueryError
from memoire.tokens import body_terms, whole_of, whole_terms

TEXT_LIMIT = 4096
"""Characters of a query that are read."""
TOKEN_LIMIT = 512
"""Characters of the longest path or name that is looked for."""
TERMS_LIMIT = 48
"""Distinct terms of a query that are searched for."""
PHRASES_LIMIT = 8
SAID_LIMIT = 8
"""Terms of a query that may as a whole be the name of something: `read timeout` of `read_timeout`."""

_QUOTED = re.compile(r'"([^"]*)"|“([^”]*)”')
_EDGES = "`'\"“”\u2018\u2019«»()[]{}<>,;!?*&|^%$~=+"
_LOCATION = re.compile(r"(.+?)(?:[:#]L?(\d{1,9})(?:[:-]L?\d+)*)")
_FILE = re.compile(r"[\w.@~+-]*\w\.[A-Za-z][A-Za-z0-9]{0,7}|\.\w[\w.-]*")
_CALL = re.compile(r"([\w.:#$@]+)\(.*\)?")
_NAME = re.compile(r"[\w$]+(?:\.[\w$]+)*")
_OWN = re.compile(r"(?:self|this|cls)\.(?=\w)")
_IDENTIFIER = re.compile(r"\w_\w|[a-z0-9][A-Z]|\w\.\w|[A-Z]{2,}[a-z]|^__")


class Key(msgspec.Struct, frozen=True, gc=False):
    """A thing that the query names outright: a path or the end of one, a symbol, a qualified name."""

    text: str
    """Lower case, as the index holds it."""
    share: float
    """Part of the query that it makes up, in (0, 1]."""
    line: int = 0
    """The line asked for with `path:12`."""


class Query(msgspec.Struct, frozen=True, gc=False):
    """A query, read."""

    terms: tuple[str, ...]
    """Distinct terms of the body stream, in order."""
    wholes: tuple[str, ...]
    """Distinct terms of the wholes stream."""
    pairs: tuple[tuple[str, str], ...]
    """Terms that stand side by side."""
    phrases: tuple[str, ...]
    """What is quoted: every hit contains it."""
    keys: tuple[Key, ...]


def parse(text: str) -> Query:
    """Return the query that a text is.

    Raises:
        InvalidQueryError: It holds nothing to search for: punctuation, letters that stand alone, encoded data.
    """
    taken = text[:TEXT_LIMIT]
    phrases = [" ".join((one or two).split()) for one, two in _QUOTED.findall(taken)]
    phrases = [phrase for phrase in dict.fromkeys(phrases) if body_terms(phrase)][:PHRASES_LIMIT]
    tokens = [token for word in taken.split() if (token := _strip(word))]
    words = [_locate(token)[0] for token in tokens]
    sequence = [term for word in words for term in body_terms(word)]
    terms = tuple(dict.fromkeys(sequence))[:TERMS_LIMIT]
    keys = _keys(tokens, max(1, len(terms)))
    if 0 < len(sequence) <= SAID_LIMIT:
        keys = (*keys, Key(f"={''.join(map(whole_of, words))}", 1.0))
    if not terms and not keys:
        raise InvalidQueryError(text)
    return Query(
        terms=terms,
        wholes=tuple(dict.fromkeys(term for word in words for term in whole_terms(word)))[:TERMS_LIMIT],
        pairs=tuple(dict.fromkeys((one, two) for one, two in pairwise(sequence) if one != two))[:TERMS_LIMIT],
        phrases=tuple(phrases),
        keys=keys,
    )


def _strip(word: str) -> str:
    """Return the word without the punctuation around it; `f()` keeps its brackets, which make it a name."""
    stripped = word.strip(_EDGES).rstrip(".:")
    is_named = f"{stripped}()" in word or (word.startswith("`") and _NAME.fullmatch(stripped))
    return f"{stripped}()" if stripped and is_named else stripped


def _locate(token: str) -> tuple[str, int]:
    """Return (`src/x.py`, 12) of `src/x.py:12` or `src/x.py#L12`; the line is 0 where there is none."""
    located = _LOCATION.fullmatch(token) if len(token) <= TOKEN_LIMIT else None
    return (located[1], int(located[2])) if located else (token, 0)


def _keys(tokens: list[str], total: int) -> tuple[Key, ...]:
    keys: dict[str, Key] = {}
    for token in [token for token in tokens if len(token) <= TOKEN_LIMIT][:TERMS_LIMIT]:
        is_alone = len(tokens) == 1
        share = 1.0 if is_alone else min(1.0, len(body_terms(_locate(token)[0])) / total)
        for key in _named(token, share, is_alone=is_alone) if share else ():
            keys.setdefault(key.text, key)
    return tuple(keys.values())


def _named(token: str, share: float, *, is_alone: bool) -> list[Key]:
    """Return what one token may name, which makes up this share of the query."""
    found: list[Key] = []
    plain, line = _locate(token)
    place, _, symbol = plain.lower().partition("::")
    slashed = place.replace("\\", "/").removeprefix("./").strip("/")
    if "/" in slashed or _FILE.fullmatch(slashed):
        if symbol:
            found += [Key(f"{slashed}::{symbol}", share), Key(symbol, share)]
            share /= 4  # the file is not what is meant
        # With the slash it is the whole path, without it any end of one.
        found += [Key(f"/{slashed}", share, line), Key(slashed, share, line)]
    call = _CALL.fullmatch(plain)
    name = (call[1] if call else plain).replace("::", ".").replace("#", ".").lstrip("@$")
    name = _OWN.sub("", name, count=1)
    if _NAME.fullmatch(name) and (is_alone or call or _IDENTIFIER.search(name)):
        found += [Key(name.lower(), share, line), Key(name.replace(".", "/").lower(), share)]
    return found
