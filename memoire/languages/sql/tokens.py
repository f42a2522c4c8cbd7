"""Cuts SQL of any dialect into statements of tokens. Total, and linear in the length of the text.

Comments, strings and here-quoted texts are left out; the bodies of functions are read with the statement that they
stand in. Source: the lexical chapters of the manuals of PostgreSQL, MySQL, SQLite, SQL Server, Oracle and BigQuery.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

_BACKSLASH = re.compile(r"`|\bENGINE\s*=|^\s*DELIMITER\b", re.IGNORECASE | re.MULTILINE)
"""What is written for MySQL or BigQuery, where a backslash escapes a quote."""
_GRAMMAR = r"""
  (?P<comment> --[^\n]* | /\*.*?(?:\*/|\Z) | (?<![^\s;])\#(?=[\s!])[^\n]* )
| (?P<string> [eE]'(?:[^'\\]|''|\\.)*(?:'|\Z) | '%s*(?:'|\Z) )
| (?P<dollar> \$(?:[A-Za-z_]\w*)?\$ )
| (?P<template> \{\{.*?(?:\}\}|\Z) | \{[%%\#].*?(?:[%%\#]\}|\Z) )
| (?P<quoted> "(?:[^"]|"")*(?:"|\Z) | `[^`]*(?:`|\Z) | (?<![\w\])"])\[[A-Za-z_][^\]\n]*\] )
| (?P<word> [@\#:]{0,2}[A-Za-z_\x80-\U0010ffff][\w$\x80-\U0010ffff]* )
| (?P<number> \d[\w.]* )
| (?P<mark> [().,;=/] )
"""
_FLAGS = re.VERBOSE | re.DOTALL
_PLAIN = re.compile(_GRAMMAR % "(?:[^']|'')", _FLAGS)
_ESCAPED = re.compile(_GRAMMAR % r"(?:[^'\\]|''|\\.)", _FLAGS)
_DELIMITER = re.compile(r"^[ \t]*DELIMITER[ \t]+(\S+)[ \t]*$", re.IGNORECASE | re.MULTILINE)
_GO = re.compile(r"^[ \t]*GO[ \t]*(?:\d+[ \t]*)?;?[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
_SLASH = re.compile(r"^[ \t]*/[ \t]*\r?$", re.MULTILINE)
_ROUTINES = frozenset({"function", "procedure", "proc", "trigger", "package", "event"})
_AFTER_END = frozenset({"if", "loop", "while", "repeat", "for", "case"})


class Token(NamedTuple):
    """One name, mark or template."""

    kind: str
    """word (lower case), quoted (lower case, without its quotes), mark, template, number."""
    text: str
    start: int


class Statement(NamedTuple):
    """One statement."""

    tokens: list[Token]
    start: int
    end: int


class Source(NamedTuple):
    """What a text holds."""

    statements: list[Statement]
    comments: list[tuple[int, int]]


def read_source(text: str) -> Source:
    """Return the statements and comments of a text."""
    comments: list[tuple[int, int]] = []
    return Source(list(_statements(text, comments)), comments)


def _ends(text: str) -> dict[int, int]:
    """Return start -> end of the lines and marks that end a statement whatever it is."""
    found = {item.start(): item.end() for item in _GO.finditer(text)}
    found |= {item.start(): item.end() for item in _SLASH.finditer(text)}
    delimiters = list(_DELIMITER.finditer(text))
    for item, following in zip(delimiters, [*delimiters[1:], None], strict=False):
        found[item.start()] = item.end()
        if item[1] != ";":
            stop = following.start() if following else len(text)
            for place in re.compile(re.escape(item[1])).finditer(text, item.end(), stop):
                found[place.start()] = place.end()
    return found


class _Splitter:
    """Gathers tokens until their statement ends."""

    def __init__(self, text: str) -> None:
        self.has_batches = _GO.search(text) is not None
        self.custom = [(item.start(), item[1] != ";") for item in _DELIMITER.finditer(text)]
        self.tokens: list[Token] = []
        self.depth = 0
        self.tag = ""
        """What opens the text in dollars that is being read."""

    def is_routine(self) -> bool:
        """Return whether the statement creates what has a body of statements."""
        head = self.tokens[:16]
        return bool(head) and head[0].text in {"create", "alter"} and any(item.text in _ROUTINES for item in head)

    def takes_in(self, tag: str) -> bool:
        """Return whether a text in dollars is code; note it."""
        if self.tag:
            self.tag = "" if tag == self.tag else self.tag
            return True
        if self.tokens and self.tokens[0].text in {"create", "do", "alter"}:
            self.tag = tag
            return True
        return False

    def dollars(self, text: str, found: re.Match[str]) -> int:
        """Return where to read on behind what opens or closes a text in dollars."""
        if self.takes_in(found[0]):
            return found.end()
        closing = text.find(found[0], found.end())
        return len(text) if closing < 0 else closing + len(found[0])

    def take(self, kind: str, text: str, start: int) -> None:
        """Add a token to the statement."""
        if kind == "string":
            return
        token = _token(kind, text, start)
        self.count(token)
        self.tokens.append(token)

    def is_end(self, at: int) -> bool:
        """Return whether a semicolon ends the statement."""
        if self.tag or any(is_custom for start, is_custom in self.custom[-1:] if start < at):
            return False
        if not self.is_routine():
            return True
        return not self.has_batches and self.depth <= 0

    def count(self, token: Token) -> None:
        """Note what opens or closes a block."""
        if token.kind != "word":
            return
        before = self.tokens[-1].text if self.tokens else ""
        if token.text in {"begin", "case"} and before != "end":
            self.depth += 1
        elif token.text == "end":
            self.depth -= 1
        elif token.text in _AFTER_END - {"case"} and before == "end":
            self.depth += 1

    def give(self, end: int) -> Statement | None:
        """Return the statement that was gathered, and begin the next."""
        tokens, self.tokens, self.depth, self.tag = self.tokens, [], 0, ""
        return Statement(tokens, tokens[0].start, end) if tokens else None


def _statements(text: str, comments: list[tuple[int, int]]) -> Iterator[Statement]:
    pattern = _ESCAPED if _BACKSLASH.search(text) else _PLAIN
    splitter = _Splitter(text)
    position = 0
    for stop, behind in [*sorted(_ends(text).items()), (len(text), len(text))]:
        # A string or comment may reach beyond what looks like the end of a statement.
        while position < stop and (found := pattern.search(text, position)) is not None and found.start() < stop:
            position = found.end()
            if found.lastgroup == "comment":
                comments.append((found.start(), position))
            elif found.lastgroup == "dollar":
                position = splitter.dollars(text, found)
            elif found[0] != ";" or not splitter.is_end(found.start()):
                splitter.take(str(found.lastgroup), found[0], found.start())
            elif statement := splitter.give(position):
                yield statement
        if position <= stop:
            if statement := splitter.give(stop):
                yield statement
            position = behind
    if statement := splitter.give(len(text)):
        yield statement


def _token(kind: str, text: str, start: int) -> Token:
    if kind == "word":
        return Token("word", text.lower(), start)
    if kind == "quoted":
        return Token("quoted", text[1:-1].lower(), start)
    return Token(kind, text, start)
