"""Says how two statements stand to each other: the same, the same in other words, at odds, or only alike. Pure.

Nothing is decided by it: what it says is reported to who writes. A statement is at odds with another if both are about
the same thing and differ in polarity, a number, a unit or a value.
"""

import re
from collections import Counter
from collections.abc import Callable
from difflib import SequenceMatcher
from typing import Literal, NamedTuple, TypeAlias

from memoire.notes.senses import SENSES
from memoire.notes.stems import terms
from memoire.notes.words import alike
from memoire.tokens import whole_of

Verdict: TypeAlias = Literal["identical", "restates", "contradicts", "related", "unrelated"]

RESTATES = 0.55
"""Likeness from which two statements say the same. Source: calibration of `benchmarks/notes`."""
RELATED = 0.25
FRAME_TOKENS = 3
VALUE_TOKENS = 6
"""Tokens of a frame, at least, and of a value, at most. Source: the published rule of frame keys."""

_NUMBER = re.compile(r"(?<![\w.])\d+(?:[.,]\d+)*(?!\w)|(?<=\s)\d+(?:\.\d+)?(?=(?:ms|s|kb|mb|gb|%|px|m|h|d)\b)")
_NEGATIONS = frozenset(
    ["not", "no", "never", "none", "nothing", "without", "cannot", "nor", "neither", "avoid", "forbid", "forbidden",
     "disable", "disabled", "don't", "doesn't", "isn't", "aren't", "won't", "can't", "mustn't", "shouldn't", "stop"]
)  # fmt: skip
_OPPOSITES = (
    ("always", "never"), ("enable", "disable"), ("enabled", "disabled"), ("allow", "forbid"), ("allowed", "forbidden"),
    ("before", "after"), ("sync", "async"), ("synchronous", "asynchronous"), ("required", "optional"), ("on", "off"),
    ("true", "false"), ("include", "exclude"), ("public", "private"), ("first", "last"), ("minimum", "maximum"),
    ("min", "max"), ("more", "less"), ("higher", "lower"), ("up", "down"), ("start", "stop"), ("open", "close"),
    ("all", "none"), ("every", "no"), ("must", "may"), ("only", "also"), ("global", "local"), ("add", "remove"),
    ("tabs", "spaces"), ("utc", "local"),
)  # fmt: skip
WORD_FOR_WORD = 0.75
"""Share of tokens in the same order from which two statements are the same but for little."""
_ANOTHER = "another thing"
_NAME = re.compile(r"[_.:/()]|\w-\w")
"""What a token has that names something, and is no plain word."""
_TOKEN = re.compile(r"[\w'%./:\-]+")
_JOINTS = frozenset(("of", "is", "in", "to", "by", "as", "are", "was", "at", "="))


class Relation(NamedTuple):
    """How one statement stands to another."""

    verdict: Verdict
    similarity: float
    why: str = ""
    """What differs, of two at odds."""
    is_slot: bool = False
    """Whether both give a value to the same thing: of two at odds only one can hold."""


def relate(one: str, other: str, weight: Callable[[str], float], *, same_subject: bool = False) -> Relation:
    """Return how a statement stands to another.

    Args:
        one: The new one.
        other: The old one.
        weight: How much a term tells.
        same_subject: Whether both say that they are about the same subject and attribute.
    """
    if _plain(one) == _plain(other):
        return Relation("identical", 1.0)
    likeness = alike(_sense(one), _sense(other), weight)
    frame = _frame(one)
    framed = frame is not None and (there := _frame(other)) is not None and frame[0] == there[0]
    if framed or same_subject:
        why = _difference(one, other)
        if why or (framed and frame is not None and frame[1] != _value(other)):
            return Relation("contradicts", likeness, why or "the value differs", is_slot=True)
    if likeness < RELATED:
        return Relation("unrelated", likeness)
    if likeness >= RESTATES:
        why = _difference(one, other)
        turned = _turned(one, other) if not why else ""
        if turned == _ANOTHER:
            return Relation("related", likeness)
        if why or turned:
            return Relation("contradicts", likeness, why or turned)
        return Relation("restates", likeness)
    return Relation("related", likeness)


def _sense(text: str) -> Counter[str]:
    """Return the terms of a text, each in the place of all words for the same."""
    return Counter(min(term, *SENSES.get(term, ())) if term in SENSES else term for term in terms(text))


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _tokens(text: str) -> list[str]:
    return [token.strip(".:/-'") for token in _TOKEN.findall(text.casefold().replace("`", " "))]


def _difference(one: str, other: str) -> str:
    """Return in what two alike statements are at odds; empty where in nothing that tells."""
    here, there = _tokens(one), _tokens(other)
    if bool(_NEGATIONS & set(here)) != bool(_NEGATIONS & set(there)):
        return "one of them denies"
    numbers = (sorted(_NUMBER.findall(one)), sorted(_NUMBER.findall(other)))
    if numbers[0] != numbers[1] and all(numbers):
        return f"{', '.join(numbers[0])} against {', '.join(numbers[1])}"
    only_here, only_there = set(here) - set(there), set(there) - set(here)
    for left, right in _OPPOSITES:
        if (left in only_here and right in only_there) or (right in only_here and left in only_there):
            return f"{left} against {right}"
    return ""


def _turned(one: str, other: str) -> str:
    """Return what stands in the place of what in two statements that are word for word the same but for little.

    Empty where there is more to it, or only another word for the same; `_ANOTHER` where it is a name: then the two are
    about different things.
    """
    here, there = _tokens(one), _tokens(other)
    matcher = SequenceMatcher(None, here, there, autojunk=False)
    if matcher.ratio() < WORD_FOR_WORD:
        return ""
    found = ""
    for _, start, end, other_start, other_end in (step for step in matcher.get_opcodes() if step[0] != "equal"):
        left, right = here[start:end], there[other_start:other_end]
        if bool(_NEGATIONS & set(left)) != bool(_NEGATIONS & set(right)):
            return "one of them denies"
        names, other_names = ({whole_of(token) for token in side if _NAME.search(token)} for side in (left, right))
        if names and other_names and names != other_names:
            return _ANOTHER
        stems, others = ({term for token in side for term in terms(token)} for side in (left, right))
        is_same = bool(stems & others) or any(SENSES.get(term, frozenset()) & others for term in stems)
        if not stems or not others or is_same:
            continue
        if any(_NAME.search(token) for token in (*left, *right)):
            return _ANOTHER
        found = found or f"{' '.join(left)} against {' '.join(right)}"
    return found


def _frame(text: str) -> tuple[str, str] | None:
    """Return (frame, value) of a statement that gives something a value: what stands up to its last joint."""
    sentence = re.split(r"(?<=[.!?;])\s", text.strip(), maxsplit=1)[0].rstrip(".!?;")
    tokens = _tokens(sentence)
    joints = [place for place, token in enumerate(tokens) if token in _JOINTS]
    if not joints:
        return None
    frame, value = tokens[: joints[-1] + 1], tokens[joints[-1] + 1 :]
    if len(frame) < FRAME_TOKENS or not 1 <= len(value) <= VALUE_TOKENS:
        return None
    return " ".join(frame), " ".join(value)


def _value(text: str) -> str:
    found = _frame(text)
    return found[1] if found is not None else ""
