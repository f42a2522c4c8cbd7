"""Reads the words of shell source: quotes, expansions, substitutions, here-documents."""

import re
from collections.abc import Callable
from typing import NamedTuple

MAX_DEPTH = 40
"""How deep quotes and substitutions are read; what is deeper stands for itself."""

_BLANK = re.compile(r"(?:[ \t\r\f\v]|\\\r?\n)+")
_PLAIN = re.compile(r"[^\s;&|()<>'\"$`\\]+")
_QUOTED = re.compile(r"[^\"$`\\]+")
_BODY = re.compile(r"[^$`\\]+")
_PARENS = re.compile(r"[()]")
NAME = re.compile(r"[A-Za-z_]\w*")
_PARAMETER = re.compile(r"(?:\([^)\n]*\))?[#!^=~]*([A-Za-z_]\w*|[@*#?$!\d-])")


class Word(NamedTuple):
    """One word of a command."""

    start: int
    end: int
    pieces: tuple[tuple[str, str], ...]
    """(text | param | code, what stands there): of a parameter or a command substitution what is in its brackets."""
    is_quoted: bool

    @property
    def literal(self) -> str | None:
        """What the word comes to where it holds no expansion, else None."""
        return "".join(text for _, text in self.pieces) if all(kind == "text" for kind, _ in self.pieces) else None


class Expansion(NamedTuple):
    """One place at which a variable is read."""

    name: str
    start: int
    scope: int
    has_default: bool
    """`${NAME:-x}`, `${NAME:?x}`: it may come from outside."""


class Here(NamedTuple):
    """A here-document that begins behind the end of the line."""

    delimiter: str
    is_indented: bool
    is_quoted: bool


class Words:
    """Reads words at a position of a text.

    Args:
        text: The source.
        start: Where to begin.
        end: Where to end; None = at the end of the text.
        read_commands: Reads the commands of a substitution up to what closes it: `)`, or nothing for the end.
    """

    def __init__(self, text: str, start: int, end: int | None, read_commands: Callable[[str], None]) -> None:
        self.text = text
        self.position = start
        self.end = len(text) if end is None else end
        self.expansions: list[Expansion] = []
        self.comments: list[tuple[int, int]] = []
        self.shells: dict[int, int] = {}
        """Subshell -> the one around it."""
        self.unclosed = -1
        """Where the first quote or bracket opens that nothing closes; -1 = nowhere."""
        self._read_commands = read_commands
        self._scope = -1
        self._shell = 0
        self._pending = -1
        """Function whose body comes next."""
        self._depth = 0
        self._here: list[Here] = []

    def _enter_shell(self) -> None:
        number = len(self.shells) + 1
        self.shells[number] = self._shell
        self._shell = number

    def _skip_blank(self) -> None:
        """Skip blanks, and a comment where one may begin."""
        found = _BLANK.match(self.text, self.position, self.end)
        if found:
            self.position = found.end()
        if self.position < self.end and self.text[self.position] == "#":
            end = self.text.find("\n", self.position, self.end)
            end = self.end if end < 0 else end
            self.comments.append((self.position, end))
            self.position = end

    def _skip_lines(self) -> None:
        while self.position < self.end:
            self._skip_blank()
            if self.position >= self.end or self.text[self.position] != "\n":
                return
            self._newline()

    def word(self) -> Word | None:
        """Read one word; None where none begins."""
        start = self.position
        pieces: list[tuple[str, str]] = []
        is_quoted = False
        while self.position < self.end:
            plain = _PLAIN.match(self.text, self.position, self.end)
            if plain:
                pieces.append(("text", plain[0]))
                self.position = plain.end()
                if self.text.startswith("(", self.position) and plain[0][-1] in "@!?*+=":
                    self._group()
                continue
            char = self.text[self.position]
            if char in "'\"\\":
                is_quoted = True
                self._quote(char, pieces)
            elif char == "$":
                self._dollar(pieces)
            elif char == "`":
                self._backquote(pieces)
            elif char in "<>" and self.text.startswith("(", self.position + 1):
                self.position += 2
                self._substitution(pieces, self.position)
            else:
                break
        return Word(start, self.position, tuple(pieces), is_quoted) if self.position > start else None

    def _group(self) -> None:
        """Read the parenthesis of a glob, or the value of an array behind `declare name=`."""
        opening, depth = self.position, 0
        while self.position < self.end:
            char = self.text[self.position]
            if char in "'\"\\":
                self._quote(char, [])
            elif char == "$":
                self._dollar([])
            else:
                depth += (char == "(") - (char == ")")
                self.position += 1
                if not depth:
                    return
        self._note_unclosed(opening)

    def _quote(self, char: str, pieces: list[tuple[str, str]]) -> None:
        if char == "\\":
            pieces.append(("text", self.text[self.position + 1 : self.position + 2]))
            self.position = min(self.position + 2, self.end)
        elif char == "'":
            end = self.text.find("'", self.position + 1, self.end)
            if end < 0:
                self._note_unclosed(self.position)
                end = self.end
            pieces.append(("text", self.text[self.position + 1 : end]))
            self.position = min(end + 1, self.end)
        else:
            opening = self.position
            self.position += 1
            if self._depth >= MAX_DEPTH:
                self._skip_to('"')
                return
            self._depth += 1
            if not self._expand(pieces, _QUOTED, '"', self.end):
                self._note_unclosed(opening)
            self._depth -= 1

    def _skip_to(self, sign: str) -> None:
        """Step over what is too deep to be read."""
        at = self.text.find(sign, self.position, self.end)
        self.position = self.end if at < 0 else at + 1

    def _expand(self, pieces: list[tuple[str, str]], plain: re.Pattern[str], closer: str, end: int) -> bool:
        """Read text in which expansions count and nothing else; return whether what closes it was found."""
        while self.position < end:
            found = plain.match(self.text, self.position, end)
            if found:
                pieces.append(("text", found[0]))
                self.position = found.end()
                continue
            char = self.text[self.position]
            if char == closer:
                self.position += 1
                return True
            if char == "\\":
                self._quote(char, pieces)
            elif char == "$":
                self._dollar(pieces, is_quoted=True)
            elif char == "`":
                self._backquote(pieces)
            else:
                self.position += 1
        return False

    def _dollar(self, pieces: list[tuple[str, str]], *, is_quoted: bool = False) -> None:
        at = self.position + 1
        following = self.text[at : at + 1] if at < self.end else ""
        if following == "(":
            if self.text.startswith("((", at) and self._arithmetic(at + 2):
                pieces.append(("param", "("))
                return
            self.position = at + 1
            self._substitution(pieces, self.position)
        elif following == "{":
            self._braces(pieces)
        elif following == "'" and not is_quoted:
            self.position = at + 1
            self._ansi_quote(pieces)
        elif following == '"':
            self.position = at
        else:
            found = _PARAMETER.match(self.text, at, self.end) if following else None
            if found and following not in "(^=~" and found[1] == found[0]:
                self._read(found[1], at, has_default=False)
                pieces.append(("param", found[1]))
                self.position = found.end()
            else:
                pieces.append(("text", "$"))
                self.position = at

    def _ansi_quote(self, pieces: list[tuple[str, str]]) -> None:
        start = self.position
        while self.position < self.end and self.text[self.position] != "'":
            self.position += 2 if self.text[self.position] == "\\" else 1
        pieces.append(("text", self.text[start : self.position]))
        self.position = min(self.position + 1, self.end)

    def _substitution(self, pieces: list[tuple[str, str]], start: int) -> None:
        """Read the commands of `$(…)`, or of `<(…)`."""
        if self._depth >= MAX_DEPTH:
            pieces.append(("param", "("))
            return
        shell, here, pending = self._shell, self._here, self._pending
        self._depth += 1
        self._here, self._pending = [], -1
        self._enter_shell()
        self._read_commands(")")
        self._shell, self._here, self._pending = shell, here, pending
        self._depth -= 1
        pieces.append(("code", self.text[start : self.position - 1]))

    def _backquote(self, pieces: list[tuple[str, str]]) -> None:
        start = at = self.position + 1
        while at < self.end and self.text[at] != "`":
            at += 2 if self.text[at] == "\\" else 1
        at = min(at, self.end)
        if at >= self.end:
            self._note_unclosed(self.position)
        pieces.append(("code", self.text[start:at]))
        if self._depth < MAX_DEPTH:
            shell, here, end = self._shell, self._here, self.end
            self._depth += 1
            self._here, self.position, self.end = [], start, at
            self._enter_shell()
            self._read_commands("")
            self._shell, self._here, self.end = shell, here, end
            self._depth -= 1
        self.position = min(at + 1, self.end)

    def _braces(self, pieces: list[tuple[str, str]]) -> None:
        """Read `${…}`."""
        opening = self.position
        start = self.position = opening + 2
        found = _PARAMETER.match(self.text, start, self.end)
        if found:
            rest = self.text[found.end() : found.end() + 2]
            self._read(found[1], found.start(1), has_default=rest[:1] in {"-", "?"} or rest in {":-", ":?"})
            self.position = found.end()
        self._depth += 1
        is_closed = self._rest_of_braces()
        self._depth -= 1
        pieces.append(("param", self.text[start : self.position - 1] if is_closed else ""))
        if not is_closed:
            self._note_unclosed(opening)

    def _rest_of_braces(self) -> bool:
        """Read on to the brace that closes the one before; return whether there is one."""
        if self._depth > MAX_DEPTH:
            self._skip_to("}")
            return True
        depth = 1
        while self.position < self.end:
            char = self.text[self.position]
            if char in "\"'\\":
                self._quote_in_braces(char)
            elif char == "$" and self.position + 1 < self.end:
                self._dollar([])
            elif char == "`":
                self._backquote([])
            else:
                depth += (char == "{") - (char == "}")
                self.position += 1
                if not depth:
                    return True
        return False

    def _quote_in_braces(self, char: str) -> None:
        # An apostrophe inside of a double-quoted `${x:-it's}` opens nothing: it counts where it is closed nearby.
        closing = self.text.find("'", self.position + 1, self.end) if char == "'" else 0
        brace = self.text.find("}", self.position + 1, self.end) if char == "'" else 0
        if char == "'" and (closing < 0 or "\n" in self.text[self.position : min(closing, brace)] or closing > brace):
            self.position += 1
        else:
            self._quote(char, [])

    def _arithmetic(self, start: int) -> bool:
        """Read `((…))` from behind its parentheses; return False, and read nothing, where it is none."""
        depth, at = 2, start
        for found in _PARENS.finditer(self.text, start, min(self.end, start + 2_000)):
            depth += 1 if found[0] == "(" else -1
            at = found.end()
            if not 0 < depth < MAX_DEPTH:
                break
        if depth or self.text[at - 2 : at] != "))":
            return False
        for found in NAME.finditer(self.text, start, at):
            self._read(found[0], found.start(), has_default=False)
        self.position = at
        return True

    def _read(self, name: str, start: int, *, has_default: bool) -> None:
        if NAME.fullmatch(name):
            self.expansions.append(Expansion(name, start, self._scope, has_default))

    # ---- here-documents

    def _newline(self) -> None:
        """Step over the end of a line and the here-documents that begin behind it."""
        self.position += 1
        here, self._here = self._here, []
        for item in here:
            self._here_document(item)

    def _here_document(self, item: Here) -> None:
        start = at = self.position
        while at < self.end:
            line_end = self.text.find("\n", at, self.end)
            line_end = self.end if line_end < 0 else line_end
            line = self.text[at:line_end].rstrip("\r")
            if (line.lstrip("\t") if item.is_indented else line) == item.delimiter:
                break
            at = line_end + 1
        else:
            self._note_unclosed(start - 1)
            at = line_end = self.end
        if not item.is_quoted:
            whole, self.position, self.end = self.end, start, min(at, self.end)
            self._expand([], _BODY, "", self.end)
            self.end = whole
        self.position = min(line_end + 1, self.end)

    def _note_unclosed(self, at: int) -> None:
        if self.unclosed < 0:
            self.unclosed = max(at, 0)
