"""Turns a script of SQL into facts: what it creates, which tables it reads and writes, what it includes."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from hashlib import sha256
from posixpath import basename

from memoire.extract import guards
from memoire.extract.docstrings import first_sentence
from memoire.extract.engine import empty_facts
from memoire.extract.fingerprint import digest
from memoire.languages.sql.resolution import is_test
from memoire.languages.sql.statements import Created, Reading, Used
from memoire.languages.sql.tokens import read_source
from memoire.model import Definition, FileFacts, Import, Problem, Use

MAX_NAMES = 5_000
"""How many names of other files one script uses: a dump of data has few, whatever its size."""
_INCLUDE = re.compile(
    r"^[ \t]*(?:\\(?:ir?|include(?:_relative)?|\.)[ \t]+|@{1,2}(?=[\w./-]+\.\w+[ \t;]*\r?$)|:r[ \t]+|\.read[ \t]+"
    r"|source[ \t]+(?=\S+\.sql))['\"]?([^\s'\";]+)['\"]?[^\n]*",
    re.MULTILINE | re.IGNORECASE,
)
_META = re.compile(r"^[ \t]*\\[^\n]*", re.MULTILINE)
"""A command of psql is no SQL."""
_DATA = re.compile(r"^COPY [^\n]* FROM stdin[^\n]*;\r?\n(.*?)^\\\.", re.MULTILINE | re.DOTALL | re.IGNORECASE)
_MODEL = re.compile(r"\{\{[-\s]*(?:config|ref|source|this)\b")


def read(path: str, data: bytes) -> FileFacts:
    """Return the facts of one script."""
    source, recoded = guards.decode(data)
    problem = recoded if recoded and recoded.code == "binary" else guards.refusal(source)
    if problem:
        return empty_facts("sql", data, problem)
    return _Script(path, source.decode("utf-8", "replace")).facts(data, [recoded] if recoded else [])


class _Script:
    """The work on one script, step by step."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.includes = [(found.start(), found[1]) for found in _INCLUDE.finditer(text)]
        self.text = text
        code = _DATA.sub(lambda found: found[0][: found.start(1) - found.start()] + _blank(found[0], found), text)
        self.code = _META.sub(lambda found: " " * len(found[0]), _INCLUDE.sub(_spaces, code))
        self.source = read_source(self.code)
        self.starts = [0, *(found.end() for found in re.finditer("\n", text))]
        self.comment_ends = {self.line(end - 1): (start, end) for start, end in self.source.comments}
        self.definitions: list[Definition] = []
        self.indexes: dict[str, int] = {}
        self.imports: list[Import] = []
        self.imported: dict[str, int] = {}
        self.uses: dict[tuple[int, int], list[int]] = {}

    def facts(self, data: bytes, problems: list[Problem]) -> FileFacts:
        for start, specifier in self.includes:
            self.imports.append(Import(specifier, "", "", self.line(start)))
        readings = [Reading(statement) for statement in self.source.statements]
        made = (reading.created for reading in readings)
        scopes = [self._define(created) if created is not None and created.name else -1 for created in made]
        model = self._model()
        for reading, scope in zip(readings, scopes, strict=True):
            for use in reading.uses():
                self._use(use, scope if scope >= 0 else model)
        return FileFacts(
            language="sql",
            sha=sha256(data).hexdigest(),
            size=len(data),
            lines=self.text.count("\n") + (not self.text.endswith("\n") and bool(self.text)),
            summary=self._summary(),
            definitions=tuple(self.definitions),
            imports=tuple(self.imports),
            uses=tuple(
                Use(scope, root, "", how, self.line(at), count)
                for (scope, root), (how, at, count) in sorted(self.uses.items(), key=lambda item: item[1][1])
            ),
            problems=tuple(problems),
        )

    def line(self, offset: int) -> int:
        """Return the 1-based line of an offset."""
        return bisect_right(self.starts, offset)

    def _define(self, created: Created) -> int:
        """Add a definition; return its index, that of the first where the script creates the same again."""
        index = len(self.definitions)
        line = self.line(created.start)
        is_routine = created.kind in {"function", "procedure"}
        name = created.name.rpartition(".")[2]
        self.definitions.append(
            Definition(
                name=created.name,
                kind=created.kind,
                line=line,
                end_line=self.line(max(created.start, created.end - 1)),
                body=digest(self._without_comments(created.start, created.end).encode()),
                doc=self._doc(line),
                is_test=is_routine and name.startswith("test") and is_test(self.path),
                is_private=created.is_private or created.kind in {"index", "trigger"},
            )
        )
        if created.kind not in {"index", "trigger"}:
            self.indexes.setdefault(created.name, index)
        return index

    def _model(self) -> int:
        """Add the view that a model of dbt is; return its index, -1 where the script is none."""
        if self.definitions or not _MODEL.search(self.text) or not self.text.strip():
            return -1
        name = basename(self.path).rpartition(".")[0]
        body = digest(self._without_comments(0, len(self.text)).encode())
        self.definitions.append(Definition(name, "view", 1, self.line(max(0, len(self.text) - 1)), body=body))
        return 0

    def _without_comments(self, start: int, end: int) -> str:
        comments = self.source.comments
        pieces, cursor = [], start
        at = bisect_right(comments, (start, 0))
        while at < len(comments) and comments[at][0] < end:
            pieces.append(self.text[cursor : comments[at][0]])
            cursor = comments[at][1]
            at += 1
        return "".join((*pieces, self.text[cursor:end]))

    def _doc(self, line: int) -> str:
        """Return the first sentence of the comments right above a line."""
        block: list[str] = []
        while (found := self.comment_ends.get(line - 1)) is not None and len(block) < 40:
            text = self.text[found[0] : found[1]]
            block.append(text if text.startswith("/*") else text.lstrip("-# "))
            line = self.line(found[0])
        return first_sentence("\n".join(reversed(block))) if block else ""

    def _summary(self) -> str:
        return first_sentence("\n".join(self._leading()))

    def _leading(self) -> Iterator[str]:
        """Yield the comments that the script begins with."""
        cursor = 0
        for start, end in self.source.comments:
            gap = self.text[cursor:start]
            if gap.strip() or (cursor and gap.count("\n") > 1):
                return
            text = self.text[start:end]
            yield text if text.startswith("/*") else text.lstrip("-# ").strip("-= ")
            cursor = end

    def _use(self, use: Used, scope: int) -> None:
        if not use.name:
            return
        index = None if use.is_model else self.indexes.get(use.name)
        if index is not None:
            if scope != index:
                self._count(scope, -1 - index, use)
            return
        specifier = f"ref('{use.name}')" if use.is_model else use.name
        root = self.imported.get(specifier)
        if root is None:
            if len(self.imports) >= MAX_NAMES:
                return
            root = self.imported[specifier] = len(self.imports)
            kind = "static" if use.is_model else "implicit"
            self.imports.append(Import(specifier, use.name if use.is_model else "", "", self.line(use.start), kind))
        self._count(scope, root, use)

    def _count(self, scope: int, root: int, use: Used) -> None:
        known = self.uses.setdefault((scope, root), [0, use.start, 0])
        known[0] |= use.how
        known[2] += 1


def _spaces(found: re.Match[str]) -> str:
    return " " * len(found[0])


def _blank(whole: str, found: re.Match[str]) -> str:
    """Return the rows of a dump, blanked."""
    rows = whole[found.start(1) - found.start() :]
    return re.sub(r"[^\n]", " ", rows)
