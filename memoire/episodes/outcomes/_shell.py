"""Splits a command line into its simple commands as a POSIX shell would, expanding nothing. Total."""

import re

import msgspec

MAX_COMMAND = 20_000
"""Characters of a command line that are looked at: a longer one is a document handed to a program."""

_PIECE = re.compile(
    r"(?P<blank>(?:[ \t]|\\\r?\n)+)|(?P<comment>(?<![^\s;&|()])#[^\n]*)"
    r"|(?P<heredoc><<-?[ \t]*[\"']?(?P<end>\w+)[\"']?)|(?P<redirect>(?:\d*|&)(?:>>|>\||>&|<&|<<<|>|<)[ \t]*)"
    r"|(?P<operator>&&|\|\||\|&|;;|[;|&\n()])"
    r"|(?P<quoted>'[^']*'|\$?\"(?:[^\"\\]|\\[\s\S])*\"|\$\([^()\n]*\)|`[^`\n]*`|\$\{[^}\n]*\})"
    r"|(?P<plain>\\[\s\S]|[^\s'\"\\;|&()<>`$]+|[\s\S])"
)
_ESCAPE = re.compile(r"\\([\s\S])")


class Simple(msgspec.Struct, frozen=True):
    """One simple command and what stands before it."""

    words: tuple[str, ...]
    before: str
    """Operator: `&&`, `||`, `|`, `;`, `&`; empty for the first."""


class _Parts:
    """The words read so far, made to simple commands as their operators come."""

    def __init__(self) -> None:
        self.found: list[Simple] = []
        self._words: list[str] = []
        self._word: list[str] = []
        self._is_word = self._is_target = False
        self._before = ""

    def add(self, text: str) -> None:
        self._word.append(_unquoted(text))
        self._is_word = True

    def redirect(self) -> None:
        self.end_word()
        self._is_target = True

    def end_word(self) -> None:
        if not self._is_word:
            return
        word = "".join(self._word)
        if not self._is_target and word not in {"{", "}"}:
            self._words.append(word)
        self._word, self._is_word, self._is_target = [], False, False

    def end_command(self, operator: str) -> None:
        self.end_word()
        self._is_target = False
        if self._words:
            self.found.append(Simple(tuple(self._words), self._before))
            self._words, self._before = [], ""
        self._before = _stronger(self._before, operator)


def split(line: str) -> list[Simple]:
    """Return the simple commands of a command line, without redirections; what is never closed is taken as it is."""
    line = line[:MAX_COMMAND]
    parts = _Parts()
    ends: list[str] = []  # of here-documents whose bodies are to come
    at = 0
    while at < len(line) and (piece := _PIECE.match(line, at)):
        at = piece.end()
        if piece["quoted"] or piece["plain"]:
            parts.add(piece.group())
        elif piece["redirect"]:
            parts.redirect()
        elif piece["operator"]:
            parts.end_command(piece["operator"])
            if piece["operator"] == "\n":
                at = _after_bodies(line, at, ends)
                ends = []
        else:
            parts.end_word()
            ends.extend([piece["end"]] if piece["end"] else [])
    parts.end_command("")
    return parts.found


def is_background(line: str) -> bool:
    """Return whether the command line's last command is left running."""
    text = line[:MAX_COMMAND].rstrip()
    return text.endswith("&") and not text.endswith(("&&", ">&"))


def _stronger(before: str, text: str) -> str:
    """Return the operator that joins two commands: brackets and empty lines say nothing beside another."""
    text = {"\n": ";", "|&": "|", ";;": ";"}.get(text, text)
    if text in "()":
        return before or ";"
    return before if text == ";" and before not in {"", ";"} else text


def _unquoted(text: str) -> str:
    if text.startswith("'"):
        return text[1:-1]
    if text.startswith(('"', '$"')):
        return _ESCAPE.sub(r"\1", text[text.index('"') + 1 : -1])
    if text.startswith("\\"):
        return text[1:]
    return text


def _after_bodies(line: str, at: int, ends: list[str]) -> int:
    for end in ends:
        closing = re.compile(rf"^[ \t]*{end}[ \t]*$", re.MULTILINE).search(line, at)
        if closing is None:
            return len(line)
        at = closing.end()
    return at
