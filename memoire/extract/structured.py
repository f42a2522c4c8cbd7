"""Makes the facts of a file that is read for its structure: what it names as its parts, and what it links to.

A reader gets the text and a `Found` to fill in. Pure, total and bounded: what a file of data can hold without end
(keys, rules, links) is kept up to a number, and a file too large to have been written by hand is known by name only.
"""

from collections.abc import Callable
from hashlib import sha256

from memoire.extract.docstrings import MAX_DOC, first_sentence
from memoire.extract.engine import empty_facts
from memoire.extract.fingerprint import digest
from memoire.extract.guards import MAX_BYTES, decode
from memoire.model import READ, Definition, FileFacts, Import, Mention, Problem, Use

MAX_DEFINITIONS = 400
"""Kept of one file: what has more is a table of data."""
MAX_LINKS = 1_000
"""Imports, and mentions, kept of one file."""
MAX_NAME = 120
"""Characters of a name; a longer one is a value in the place of a name."""


class Found:
    """What a reader has found in one file so far.

    Args:
        path: Of the file.
        text: Its content; line ends are newlines.
    """

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text
        self.lines = text.split("\n")
        self._count = len(self.lines) - (not self.lines[-1])
        self.summary = ""
        self._definitions: list[Definition] = []
        self._imports: list[Import] = []
        self._uses: list[Use] = []
        self._mentions: list[Mention] = []
        self._problems: list[Problem] = []

    def define(self, name: str, kind: str, line: int, end_line: int = 0, *, parent: int = -1, doc: str = "") -> int:
        """Take in a definition; return its index, -1 where it is not kept.

        Args:
            name: Qualified inside the file.
            kind: As in `Definition.kind`.
            line: Its first line.
            end_line: Its last line; 0 = the first.
            parent: Index of the definition around it, which came before.
            doc: What is said about it.
        """
        if not name or len(name) > MAX_NAME or len(self._definitions) >= MAX_DEFINITIONS:
            return -1
        name, end_line = _sound(name), max(line, min(end_line, self._count))
        body = digest("\n".join(self.lines[line - 1 : end_line]).encode("utf-8", "replace"))
        doc = _sound(first_sentence(doc)[:MAX_DOC]) if doc else ""
        self._definitions.append(Definition(name, kind, line, end_line, parent, body, doc=doc))
        return len(self._definitions) - 1

    def link(self, specifier: str, line: int, *, name: str = "", kind: str = "static", scope: int = -1) -> None:
        """Take in what the file loads, includes, requires or starts.

        Args:
            specifier: As the language's `resolve` reads it.
            line: Where it stands.
            name: The definition in it that is meant, dotted; empty = the file.
            kind: As in `Import.kind`.
            scope: Index of the definition that says so.
        """
        if not specifier or len(specifier) > 2 * MAX_NAME or len(self._imports) >= MAX_LINKS:
            return
        head, _, rest = _sound(name).partition(".")
        self._imports.append(Import(_sound(specifier), head, "", line, kind, scope))
        if head:
            self._uses.append(Use(scope, len(self._imports) - 1, rest, READ, line))

    def mention(self, item: Mention) -> None:
        """Take in what the file names in a command."""
        if len(self._mentions) < MAX_LINKS:
            self._mentions.append(Mention(_sound(item.text), item.kind, item.line, _sound(item.sentence), item.scope))

    def problem(self, code: str, message: str, line: int = 0) -> None:
        """Take in what kept part of the file from being read."""
        self._problems.append(Problem(code, message, min(line, max(1, self._count))))

    def facts(self, language: str, data: bytes, recoded: Problem | None) -> FileFacts:
        """Return all that was found."""
        return FileFacts(
            language=language,
            sha=sha256(data).hexdigest(),
            size=len(data),
            lines=self._count,
            summary=_sound(first_sentence(self.summary)[:MAX_DOC]) if self.summary else "",
            definitions=tuple(self._definitions),
            imports=tuple(self._imports),
            uses=tuple(self._uses),
            mentions=tuple(self._mentions),
            problems=(*((recoded,) if recoded else ()), *self._problems),
        )


def _sound(text: str) -> str:
    """Return the text without halves of surrogate pairs, which JSON can write: they are neither stored nor sent."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def structured(
    language: str, read: Callable[[Found], None], *, max_bytes: int = MAX_BYTES
) -> Callable[[str, bytes], FileFacts]:
    """Return the function `(path, bytes) -> facts` of a language that is read for its structure.

    Args:
        language: Its name.
        read: Fills in what it finds; total over any text.
        max_bytes: A larger file is known by name only.
    """

    def read_file(path: str, data: bytes) -> FileFacts:
        source, recoded = decode(data)
        if recoded is not None and recoded.code == "binary":
            return empty_facts(language, data, recoded)
        if len(source) > max_bytes:
            message = f"{len(source) // 1000} kB; only files up to {max_bytes // 1000} kB are read"
            return empty_facts(language, data, Problem("too-large", message))
        found = Found(path, source.decode("utf-8", "replace").replace("\r\n", "\n"))
        read(found)
        return found.facts(language, data, recoded)

    return read_file


def leading_comment(text: str, mark: str = "#") -> str:
    """Return the first sentence of the comment that a file begins with, empty where it begins with none.

    Args:
        text: The file.
        mark: What each line of it begins with.
    """
    said: list[str] = []
    for line in text.split("\n", 30)[:30]:
        stripped = line.strip()
        if stripped.startswith(mark) and not stripped.startswith(("#!", "# syntax=", "# escape=", "#%")):
            words = stripped.strip(f"{mark[0]} -=*")
            if words:
                said.append(words)
            elif said:
                break
        elif (stripped and not stripped.startswith(("#!", "---", "# syntax=", "# escape=", "#%"))) or said:
            break
    text = " ".join(said)
    is_prose = " " in text and not text.lower().startswith(("copyright", "spdx", "licensed", "yaml-language-server"))
    return text if is_prose else ""
