"""GraphQL: types with their fields, operations and fragments; the documents that one imports in a comment.

Source: https://spec.graphql.org/October2021/; `#import "./x.graphql"` is what loaders of bundlers read.
"""

import re

from memoire.extract.spec import Language
from memoire.extract.structured import Found, structured
from memoire.resolution.paths import resolve_path

_TOKEN = re.compile(
    r"(?P<doc>\"\"\"(?:.*?\"\"\"|.*))|(?P<string>\"(?:[^\"\\\n]|\\.)*\")|(?P<comment>\#[^\n]*)|(?P<mark>[{}()\[\]])|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<other>[:=@|&!$,.])",
    re.DOTALL,
)
_IMPORT = re.compile(r"#\s*import\s+(?:[\w,\s*{}.]+\s+from\s+)?[\"']([^\"']+)[\"']")
_KINDS = {
    "type": "type", "input": "type", "union": "type", "scalar": "type", "interface": "interface", "enum": "enum",
    "directive": "type", "fragment": "fragment", "query": "operation", "mutation": "operation",
    "subscription": "operation",
}  # fmt: skip
_WITH_FIELDS = frozenset({"type", "input", "interface", "enum"})


def read(found: Found) -> None:
    """Fill in what one document says."""
    _Reader(found).read()


class _Reader:
    """Goes through the tokens of one document once."""

    def __init__(self, found: Found) -> None:
        self._found = found
        self._line = 1
        self._doc = ""
        self._keyword = ""
        self._kind = ""
        self._name = ""
        self._first = 0
        self._field_doc = ""
        self._waiting: list[tuple[str, int, int, str]] = []
        """Fields of the type that is open: (name, line, end, doc)."""
        self._braces = 0
        self._brackets = 0

    def read(self) -> None:
        at = 0
        last = ""
        for token in _TOKEN.finditer(self._found.text):
            self._line += self._found.text.count("\n", at, token.start())
            at = token.start()
            group = token.lastgroup or ""
            if group == "comment":
                imported = _IMPORT.match(token[0])
                if imported is not None:
                    text = imported[1]
                    self._found.link(text if text.startswith(".") else f"./{text}", self._line)
                continue
            if group in {"doc", "string"} and last not in {":", "="}:
                self._doc = token[0].strip('"')
            elif group == "mark":
                self._mark(token[0])
            elif group == "name" and last not in {":", "=", "@", "$", "|", "&"}:
                self._word(token[0], last)
            last = token[0]
        self._end(self._line)

    def _mark(self, mark: str) -> None:
        if mark in "([":
            self._brackets += 1
        elif mark in ")]":
            self._brackets = max(0, self._brackets - 1)
        elif mark == "{":
            self._braces += 1
            self._field_doc, self._doc = self._doc if self._braces == 1 and not self._name else self._field_doc, ""
        else:
            self._braces = max(0, self._braces - 1)
            if not self._braces:
                self._end(self._line)

    def _word(self, word: str, last: str) -> None:
        if self._brackets:
            return
        if self._braces == 1 and self._keyword in _WITH_FIELDS and last != "implements":
            self._waiting.append((word, self._line, self._line, self._doc))
            self._doc = ""
        elif not self._braces and self._keyword and not self._name and last in {self._keyword, "@"}:
            self._name = word
        elif not self._braces and word in _KINDS and last != "on":
            self._end(self._line - 1)
            self._keyword, self._kind, self._first = word, _KINDS[word], self._line
            self._field_doc, self._doc = self._doc, ""

    def _end(self, line: int) -> None:
        """Close what is open: its last line is known now."""
        if self._keyword and self._name:
            last = max(self._first, line)
            while last > self._first and not self._found.lines[last - 1].strip():
                last -= 1
            index = self._found.define(self._name, self._kind, self._first, last, doc=self._field_doc)
            for name, first, end, doc in self._waiting if index >= 0 else ():
                self._found.define(f"{self._name}.{name}", "field", first, end, parent=index, doc=doc)
        self._keyword = self._name = self._field_doc = ""
        self._waiting = []


LANGUAGE = Language(
    name="graphql",
    suffixes=(".graphql", ".gql", ".graphqls"),
    resolve=resolve_path,
    read=structured("graphql", read),
)
