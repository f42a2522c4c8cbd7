"""Reads shell source into its commands, functions and expansions. Total: whatever the text, it ends, in linear time.

Quotes, substitutions, here-documents and compound commands are followed as POSIX describes them, with what bash, zsh,
ksh and bats add. What is unclosed ends with the file. Source: IEEE Std 1003.1, "Shell Command Language"; the manuals
of bash and zsh.
"""

import re
from typing import NamedTuple

from memoire.languages.shell.words import NAME, Here, Word, Words

MAX_NESTED = 20
"""How many functions inside one another are told apart."""

_OPERATOR = re.compile(r";;&|;;|;&|;\||&&|\|\||\|&|[;&|]")
_REDIRECT = re.compile(r"(?:\d+|\{\w+\})?(&>>|&>|>\||>>\||>>|<<<|<<-|<<|<>|>&|<&|>|<)(?!\()")
_ASSIGN = re.compile(r"([A-Za-z_]\w*)(\[[^\]\n]*\])?\+?=")
_PARENS = re.compile(r"[ \t]*\([ \t]*\)")
_TEST = re.compile(r"@test[ \t]+(?:\"([^\"\n]*)\"|'([^'\n]*)'|([^\s{]+))[ \t]*(?=\{)")

_OPENERS = {"{": "}", "if": "fi", "do": "done", "case": "esac"}
_CLOSERS = frozenset(_OPENERS.values())
_PREFIXES = frozenset({"then", "else", "elif", "while", "until", "!", "time", "coproc", "always", "if", "do", "{"})


class Assignment(NamedTuple):
    """`NAME=value`."""

    name: str
    start: int
    value: Word | None
    """None for an array."""


class Command(NamedTuple):
    """One simple command."""

    start: int
    words: tuple[Word, ...]
    redirects: tuple[tuple[str, Word], ...]
    """(operator, target); none of here-documents and here-strings."""
    assignments: tuple[Assignment, ...]
    scope: int
    """Index of the function around; -1 = none."""
    shell: int
    """Which process it runs in: 0, or the number of a subshell."""


class Function(NamedTuple):
    """One function, or one test of bats."""

    name: str
    start: int
    end: int
    is_test: bool


class _Frame(NamedTuple):
    closer: str
    function: int
    scope: int
    shell: int


class Parser(Words):
    """Reads one text; what it found stands in its public lists, in order of their ends."""

    def __init__(self, text: str, start: int = 0, end: int | None = None) -> None:
        super().__init__(text, start, end, self._list)
        self.commands: list[Command] = []
        self.functions: list[Function] = []
        self._depths: list[int] = []
        """How many functions each function lies in."""
        self.loops: list[tuple[str, int]] = []
        """(variable of a `for` or `select`, scope)"""
        self.conditions: list[tuple[int, int, list[str | None]]] = []
        """(start, scope, what its words come to) of each `[[ … ]]`"""

    def parse(self) -> "Parser":
        """Read the whole text; return itself."""
        while self.position < self.end:
            self._list("")
        return self

    # ---- lists of commands

    def _list(self, closer: str) -> None:
        frames: list[_Frame] = []
        while self.position < self.end:
            self._skip_blank()
            if self.position >= self.end:
                break
            char = self.text[self.position]
            if char == "\n":
                self._newline()
            elif char == ")":
                self.position += 1
                if not self._close(frames, ")") and closer:
                    self._close_all(frames)
                    return
            elif char == "(":
                self._parenthesis(frames)
            elif char in ";&|" and not self.text.startswith("&>", self.position):
                self._operator(frames)
            else:
                self._command(frames)
        self._close_all(frames)
        if closer:
            self._note_unclosed(self.end - 1)

    def _operator(self, frames: list[_Frame]) -> None:
        found = _OPERATOR.match(self.text, self.position, self.end)
        assert found is not None
        self.position = found.end()
        if found[0][:2] in {";;", ";&", ";|"} and frames and frames[-1].closer == "esac":
            self._patterns()

    def _parenthesis(self, frames: list[_Frame]) -> None:
        if self.text.startswith("((", self.position) and self._arithmetic(self.position + 2):
            return
        self.position += 1
        self._open(frames, ")")

    def _open(self, frames: list[_Frame], closer: str) -> None:
        frames.append(_Frame(closer, self._pending, self._scope, self._shell))
        if self._pending >= 0:
            self._scope, self._pending = self._pending, -1
        if closer == ")":
            self._enter_shell()

    def _close(self, frames: list[_Frame], closer: str) -> bool:
        if not any(frame.closer == closer for frame in frames):
            return False
        while frames:
            frame = frames.pop()
            self._leave(frame)
            if frame.closer == closer:
                break
        return True

    def _close_all(self, frames: list[_Frame]) -> None:
        while frames:
            self._leave(frames.pop())

    def _leave(self, frame: _Frame) -> None:
        if frame.function >= 0:
            self.functions[frame.function] = self.functions[frame.function]._replace(end=self.position)
        self._scope, self._shell = frame.scope, frame.shell

    # ---- commands

    def _command(self, frames: list[_Frame]) -> None:
        """Read one simple command, or the word that opens or closes a compound one."""
        start = self.position
        test = _TEST.match(self.text, start, self.end) if self.text[start] == "@" else None
        if test:
            self.position = test.end()
            self._function(test[1] or test[2] or test[3] or "", start, is_test=True)
            return
        words: list[Word] = []
        redirects: list[tuple[str, Word]] = []
        assignments: list[Assignment] = []
        while not self._is_over():
            if self._redirection(redirects):
                continue
            if self.text[self.position] == "&":
                break
            if not words and self._assignment(assignments):
                continue
            word = self.word()
            if word is None:
                break
            words.append(word)
            if len(words) == 1 and not assignments and self._special(frames, word, redirects):
                return
        if words or redirects or assignments:
            command = Command(start, tuple(words), tuple(redirects), tuple(assignments), self._scope, self._shell)
            self.commands.append(command)
        elif self.position == start:
            self.position += 1  # nothing that begins a command

    def _is_over(self) -> bool:
        """Skip blanks; return whether a command ends here."""
        self._skip_blank()
        return self.position >= self.end or self.text[self.position] in "\n;|)"

    def _special(self, frames: list[_Frame], word: Word, redirects: list[tuple[str, Word]]) -> bool:
        """Read on behind a first word that is no command; return whether it is none."""
        text = word.literal if not word.is_quoted else None
        if text is None:
            return False
        parens = _PARENS.match(self.text, self.position, self.end)
        if parens and text != "function":
            self.position = parens.end()
            self._function(text, word.start, is_test=False)
        elif text == "function":
            self._named_function(word.start)
        elif text in _CLOSERS:
            self._close(frames, text)
        elif not self._compound(frames, text):
            return False
        # What was redirected before a compound command counts for nothing but itself.
        if redirects:
            self.commands.append(Command(word.start, (), tuple(redirects), (), self._scope, self._shell))
        return True

    def _compound(self, frames: list[_Frame], text: str) -> bool:
        """Read on behind a word that begins a compound command; return whether it does."""
        if text in {"for", "select", "foreach"}:
            self._loop()
        elif text == "case":
            self._case(frames)
        elif text == "[[":
            self._condition()
        elif text in _OPENERS:
            self._open(frames, _OPENERS[text])
        else:
            return text in _PREFIXES
        return True

    def _function(self, name: str, start: int, *, is_test: bool) -> None:
        depth = self._depths[self._scope] + 1 if self._scope >= 0 else 0
        if depth < MAX_NESTED:
            self._pending = len(self.functions)
            self.functions.append(Function(name, start, self.position, is_test))
            self._depths.append(depth)

    def _named_function(self, start: int) -> None:
        self._skip_blank()
        name = self.word()
        if name is None or name.literal is None:
            return
        parens = _PARENS.match(self.text, self.position, self.end)
        if parens:
            self.position = parens.end()
        self._function(name.literal, start, is_test=False)

    def _loop(self) -> None:
        self._skip_blank()
        if self.text.startswith("((", self.position):
            self._arithmetic(self.position + 2)
            return
        name = self.word()
        if name is not None and name.literal and NAME.fullmatch(name.literal):
            self.loops.append((name.literal, self._scope))
        while self.position < self.end:
            self._skip_blank()
            if self.position >= self.end or self.text[self.position] in "\n;&|)(":
                break
            if self.word() is None:
                break

    def _case(self, frames: list[_Frame]) -> None:
        self._skip_blank()
        self.word()
        self._open(frames, "esac")
        self._skip_lines()
        if self.text.startswith("in", self.position):
            self.position += 2
        self._patterns()

    def _patterns(self) -> None:
        """Read the patterns of one clause of a `case`, up to their parenthesis."""
        self._skip_lines()
        if self.text.startswith("esac", self.position):
            return
        if self.text.startswith("(", self.position):
            self.position += 1
        while self.position < self.end:
            self._skip_blank()
            if self.position >= self.end or self.text[self.position] == "\n":
                return
            char = self.text[self.position]
            if char == ")":
                self.position += 1
                return
            if char in "|(;&<>" or self.word() is None:
                self.position += 1

    def _condition(self) -> None:
        """Read `[[ … ]]`."""
        words: list[str | None] = []
        self.conditions.append((self.position, self._scope, words))
        while self.position < self.end:
            self._skip_lines()
            if self.text.startswith("]]", self.position):
                self.position += 2
                return
            word = self.word() if self.position < self.end and self.text[self.position] not in "()<>&|;" else None
            if word is not None:
                words.append(word.literal)
            elif self.position < self.end:
                self.position += 1

    def _redirection(self, redirects: list[tuple[str, Word]]) -> bool:
        found = _REDIRECT.match(self.text, self.position, self.end)
        if not found:
            return False
        self.position = found.end()
        self._skip_blank()
        operator = found[1]
        word = self.word() if self.position < self.end and self.text[self.position] not in "\n;|&" else None
        if word is None:
            return True
        if operator in {"<<", "<<-"}:
            raw = self.text[word.start : word.end]
            is_quoted = any(sign in raw for sign in "'\"\\")
            self._here.append(Here(re.sub(r"['\"\\]", "", raw), operator == "<<-", is_quoted))
        elif operator != "<<<":
            redirects.append((operator, word))
        return True

    def _assignment(self, assignments: list[Assignment]) -> bool:
        found = _ASSIGN.match(self.text, self.position, self.end)
        if not found:
            return False
        start, self.position = self.position, found.end()
        value: Word | None = None
        if self.text.startswith("(", self.position):
            self._array()
        elif self.position < self.end and self.text[self.position] not in " \t\r\n;&|)":
            value = self.word()
        else:
            value = Word(self.position, self.position, (), is_quoted=False)
        assignments.append(Assignment(found[1], start, value))
        return True

    def _array(self) -> None:
        opening = self.position
        self.position += 1
        while self.position < self.end:
            self._skip_lines()
            if self.position >= self.end:
                break
            if self.text[self.position] == ")":
                self.position += 1
                return
            if self.word() is None:
                self.position += 1
        self._note_unclosed(opening)
