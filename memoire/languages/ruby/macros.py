"""Tells what the methods give that calls in the body of a class make: associations, scopes, delegated methods.

Sources: https://guides.rubyonrails.org/association_basics.html, https://api.rubyonrails.org/classes/Module.html.
"""

import re

_CLASS = re.compile(r"\bclass_name:?\s*(?:=>)?\s*[\"'](?:::)?([A-Z][\w:]*)[\"']")
_SOURCE = re.compile(r"\bsource:?\s*(?:=>)?\s*[:\"'](\w+)")
_TO = re.compile(r"\bto:?\s*(?:=>)?\s*[:\"'](@{0,2}[a-z_]\w*[?!]?)(?![\w.])")
_PREFIX = re.compile(r"\bprefix:?\s*(?:=>)?\s*(?!false|nil)")
_ANY = re.compile(r"\b(?:polymorphic|source_type):?\s*(?:=>)?\s*(?!false|nil)")
_MANY = frozenset({"has_many", "has_and_belongs_to_many"})
_PLURALS = (
    (re.compile(r"(ss|[xz]|ch|sh|[sd]tatus|alias|address|process|access|business|class)es$"), r"\1"),
    (re.compile(r"([^aeiouq])ies$"), r"\1y"),
    (re.compile(r"(ss|us|is|news|series|species|media|data|metadata|info)$"), r"\1"),
    (re.compile(r"s$"), ""),
)
"""The ending of a plural -> that of its singular, the first that fits. Source: ActiveSupport's inflections."""
_WORDS = (
    "people person children child men man women woman mice mouse feet foot indices index matrices matrix "
    "vertices vertex analyses analysis criteria criterion statuses status aliases alias caches cache "
    "movies movie leaves leaf shelves shelf knives knife lives life halves half axes axis crises crisis "
    "quizzes quiz databases database cookies cookie ties tie buses bus aches ache "
)
_IRREGULAR = dict(zip(_WORDS.split()[::2], _WORDS.split()[1::2], strict=True))
"""Plural -> singular, of words that have another ending."""


def made(call: str, name: str) -> str:
    """Return an expression of what a method gives that a call in the body of a class makes.

    Args:
        call: Its text: `has_many :lines, class_name: "OrderLine"`.
        name: The method: `lines`. Nothing is said where the class depends on the data.
    """
    macro = call.split(None, 1)[0].partition("(")[0]
    if macro == "scope":
        return "new()"  # a relation has all that the class has
    if macro == "delegate":
        to = _TO.search(call)
        return "" if to is None or _PREFIX.search(call) else f"{_receiver(to[1])}.{name}()"
    if _ANY.search(call):
        return ""
    given, source = _CLASS.search(call), _SOURCE.search(call)
    if given is not None:
        return f"{given[1]}()"
    word = source[1] if source is not None else name
    return f"{camelized(singular(word) if macro in _MANY else word)}()"


def _receiver(name: str) -> str:
    return "self" if name == "class" else name


def singular(word: str) -> str:
    """Return the singular of an English word in snake case: `order_lines` gives `order_line`."""
    before, joint, last = word.rpartition("_")
    if last in _IRREGULAR:
        return before + joint + _IRREGULAR[last]
    for pattern, ending in _PLURALS:
        if pattern.search(word):
            return pattern.sub(ending, word)
    return word


def camelized(word: str) -> str:
    """Return the name of the class that a word in snake case stands for: `OrderLine` for `order_line`."""
    return "".join(part[:1].upper() + part[1:] for part in word.split("_"))
