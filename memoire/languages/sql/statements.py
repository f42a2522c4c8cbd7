"""Says what one statement of SQL creates, reads, writes and calls."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from memoire.languages.sql.tokens import Statement, Token
from memoire.model import CALL, READ, WRITE

_KINDS = {
    "table": "table", "view": "view", "function": "function", "procedure": "procedure", "proc": "procedure",
    "trigger": "trigger", "index": "index", "type": "type", "domain": "type", "sequence": "sequence",
    "package": "module", "event": "procedure", "macro": "function",
}  # fmt: skip
_DEFAULT_SCHEMAS = frozenset({"public", "dbo", "main"})
_WORDS = (
    "select from where join left right inner outer full cross natural on using group order by having limit offset "
    "union intersect except all distinct as and or not in is null like ilike between exists case when then else end "
    "insert into values update set delete merge create alter drop table view index function procedure trigger type "
    "if replace returning with recursive lateral only unnest default primary key foreign references constraint check "
    "unique add column cascade restrict do nothing conflict begin declare return returns language for each row "
    "execute exec call before after instead of language loop while grant revoke to truncate copy asc desc top over "
    "partition window fetch next first any some array cast true false explain analyze use go commit rollback apply "
    "pivot unpivot tablesample dual outfile dumpfile json_table xmltable rows temp temporary unlogged materialized "
    "stdin stdout"
)
KEYWORDS = frozenset(_WORDS.split())
_BUILT_IN = (
    "count sum avg min max coalesce nullif concat concat_ws substring substr trim ltrim rtrim lower upper length len "
    "round floor ceil ceiling abs mod power sqrt now getdate getutcdate sysdate current_date current_timestamp date "
    "time timestamp timestamptz datetime datetime2 interval extract date_trunc date_part datediff dateadd date_add "
    "date_sub date_format to_char to_date to_timestamp to_number cast convert isnull ifnull nvl iif decode row_number "
    "rank dense_rank ntile lag lead first_value last_value array_agg string_agg group_concat json_agg jsonb_agg "
    "json_build_object jsonb_build_object json_object json_extract json_value jsonb_set unnest generate_series nextval "
    "currval setval gen_random_uuid uuid_generate_v4 newid random rand md5 sha2 varchar nvarchar char nchar character "
    "varying decimal numeric number int integer bigint smallint tinyint float real double bit binary varbinary text "
    "blob enum geometry geography vector bool_or bool_and every greatest least position strpos instr charindex stuff "
    "format replace regexp_replace regexp_matches split_part left right reverse repeat lpad rpad initcap hash row "
    "grouping sets rollup cube percentile_cont mode range rows any all exists in values key index unique primary "
    "unix_timestamp from_unixtime year month day hour minute second last_insert_id scope_identity lastval pg_sleep "
    "quote_ident quote_literal raise_application_error raiserror object_id exec print sum_if countif safe_cast "
    "struct parse_date current_user session_user user database version found_rows total changes typeof hex "
    "max_by min_by any_value approx_count_distinct ascii chr unicode sign exp ln log pi degrees radians array_length "
    "array_to_string string_to_array cardinality to_json to_jsonb row_to_json json_each jsonb_each "
    "json_array_elements jsonb_array_elements to_tsvector to_tsquery plainto_tsquery ts_rank setweight new old"
)
_FUNCTIONS = frozenset(_BUILT_IN.split())
_FROM_IN_CALL = frozenset({"extract", "substring", "trim", "overlay", "position", "substr"})
_TARGETS = frozenset({"table", "view", "index", "sequence", "type", "function", "procedure", "trigger", "column"})
_NO_UPDATE = frozenset({"on", "for", "do", "or", "before", "after", "of", "key", "no", ",", "instead", "grant"})
_ON = frozenset({"index", "trigger", "policy", "rule", "grant", "revoke", "comment", "statistics"})
_NO_CALL = frozenset(
    {
        "into",
        "table",
        "index",
        "key",
        "references",
        "constraint",
        "view",
        "column",
        "add",
        "as",
        "using",
        "copy",
        "on",
        "update",
        ".",
    }
)
_REF = re.compile(r"\bref\(\s*(?:['\"][^'\"]*['\"]\s*,\s*)?['\"]([^'\"]+)['\"]")
_SOURCE = re.compile(r"\bsource\(\s*['\"]([^'\"]+)['\"]\s*,\s*['\"]([^'\"]+)['\"]")


class Created(NamedTuple):
    """What a statement defines."""

    kind: str
    name: str
    start: int
    end: int
    is_private: bool
    """Whether only its session sees it."""


class Used(NamedTuple):
    """What a statement uses."""

    name: str
    how: int
    start: int
    is_model: bool = False
    """Whether it is named as a model of dbt."""


class Reading:
    """One statement, read from its first token to its last."""

    def __init__(self, statement: Statement) -> None:
        self.statement = statement
        self.tokens = statement.tokens
        self.texts = [token.text if token.kind != "quoted" else "" for token in statement.tokens]
        """Words and marks; empty for what is quoted."""
        head = self.texts[:8]
        self.first = head[0] if head else ""
        self.on_names = any(word in _ON for word in head)
        self.is_table = self.first == "create" and "table" in head
        self.local = self._common_tables()
        self.created = self._created() if self.first == "create" else None
        self._parens: list[str] = []

    def _word(self, at: int) -> str:
        return self.texts[at] if 0 <= at < len(self.texts) else ""

    # ---- names

    def name_at(self, at: int) -> tuple[str, int, int] | None:
        """Return (name, index behind it, offset) of the name at an index; None where none begins."""
        parts: list[str] = []
        start = self.tokens[at].start if at < len(self.tokens) else 0
        if at + 1 < len(self.tokens) and self.tokens[at].kind == "template" and self._word(at + 1) == ".":
            at += 2  # a schema that is filled in
        while at < len(self.tokens):
            token = self.tokens[at]
            is_word = token.kind == "word" and token.text[0] not in "@#:" and (parts or token.text not in KEYWORDS)
            if not (is_word or (token.kind == "quoted" and token.text)):
                break
            # BigQuery quotes a whole path at once.
            parts += token.text.split(".") if token.kind == "quoted" else [token.text]
            at += 1
            if self._word(at) != ".":
                break
            at += 1
        if not parts:
            return None
        if len(parts) > 1 and parts[-2] in _DEFAULT_SCHEMAS:
            parts = parts[-1:]
        return ".".join(part for part in parts if part), at, start

    def _skip(self, at: int, words: frozenset[str]) -> int:
        while self._word(at) in words:
            at += 1
        return at

    def _common_tables(self) -> set[str]:
        """Return the names of common table expressions: `x AS (`."""
        if "with" not in self.texts:
            return set()
        found = set()
        for at, word in enumerate(self.texts):
            if word != "as" or not at:
                continue
            after = self._skip(at + 1, frozenset({"not", "materialized"}))
            if self._word(after) != "(":
                continue
            before = at - 1
            if self._word(before) == ")":
                while before > 0 and self._word(before) != "(":
                    before -= 1
                before -= 1
            if before >= 0 and self.tokens[before].kind in {"word", "quoted"}:
                found.add(self.tokens[before].text)
        return found

    def _created(self) -> Created | None:
        for at in range(1, min(14, len(self.texts))):
            kind = _KINDS.get(self.texts[at])
            if kind is None:
                if self.texts[at] in {"on", "(", "as", "user", "role", "database", "extension", "policy"}:
                    return None
                continue
            if self.texts[at] == "package" and self._word(at + 1) == "body":
                at += 1  # noqa: PLW2901 - the second half of a package
            after = self._skip(at + 1, frozenset({"concurrently", "if", "not", "exists"}))
            got = self.name_at(after)
            if got is None:
                return None
            private = any(word in {"temp", "temporary"} for word in self.texts[1:at])
            return Created(kind, got[0], self.statement.start, self.statement.end, private)
        return None

    # ---- uses

    def uses(self) -> Iterator[Used]:
        """Yield what the statement uses, in order."""
        created_at = self._created_at()
        for at, token in enumerate(self.tokens):
            if token.kind == "template":
                yield from _templates(token)
                continue
            text = self.texts[at]
            if text == "(":
                self._parens.append(self._word(at - 1))
                if at - 1 > created_at:
                    yield from self._call(at - 1)
            elif text == ")":
                if self._parens:
                    self._parens.pop()
            elif token.kind == "word" and text in _RULES:
                yield from self._named(_RULES[text](self, at))

    def _created_at(self) -> int:
        """Return the index of the last token of the name that is created."""
        for at in range(1, min(14, len(self.texts))):
            if self.texts[at] in _KINDS:
                got = self.name_at(self._skip(at + 1, frozenset({"concurrently", "if", "not", "exists", "body"})))
                return got[1] - 1 if got and self.created else -1
        return -1

    def _named(self, found: Iterator[Used]) -> Iterator[Used]:
        for use in found:
            if use.name not in self.local and not (use.how == READ and use.name in {"new", "old", "inserted"}):
                yield use

    def _call(self, at: int) -> Iterator[Used]:
        """Yield the function that is called by a name before a parenthesis."""
        if at < 0 or self.tokens[at].kind not in {"word", "quoted"} or self.texts[at] in KEYWORDS | _FUNCTIONS:
            return
        begin = at
        while begin >= 2 and self._word(begin - 1) == ".":
            begin -= 2
        before = self._word(begin - 1)
        if before in _NO_CALL or self.tokens[at].text in self.local:
            return
        if self.is_table and before not in {"default", "check", "(", ","}:
            return
        if self.is_table and before in {"(", ","} and len(self._parens) < 3:
            return  # a column, or a key, and its type
        got = self.name_at(begin)
        if got is not None and got[1] == at + 1:
            yield Used(got[0], CALL, got[2])

    def _one(self, at: int, how: int) -> Iterator[Used]:
        """Yield the table at an index."""
        got = self.name_at(self._skip(at, frozenset({"if", "exists", "only", "table", "lateral", "ignore", "not"})))
        if got is not None and (self._word(got[1]) != "(" or how == WRITE or self.on_names):
            yield Used(got[0], how, got[2])

    def _list(self, at: int, how: int) -> Iterator[Used]:
        """Yield the tables of a list, each with the alias it may have."""
        for _ in range(200):
            at = self._skip(at, frozenset({"if", "exists", "only", "table", "lateral"}))
            got = self.name_at(at)
            if got is None:
                return
            if self._word(got[1]) != "(":
                yield Used(got[0], how, got[2])
            at = got[1]
            if self._word(at) == "as":
                at += 1
            alias = self.tokens[at] if at < len(self.tokens) else None
            if alias is not None and (alias.kind == "quoted" or (alias.kind == "word" and alias.text not in KEYWORDS)):
                at += 1
            if self._word(at) != ",":
                return
            at += 1

    def from_(self, at: int) -> Iterator[Used]:
        """`FROM a, b`."""
        before = self._word(at - 1)
        if (self._parens and self._parens[-1] in _FROM_IN_CALL) or self.first in {"copy", "revoke"}:
            return
        if before == "distinct" and self._word(at - 2) in {"is", "not"}:
            return
        yield from self._list(at + 1, WRITE if before == "delete" else READ)

    def join(self, at: int) -> Iterator[Used]:
        """`JOIN a`."""
        yield from self._one(at + 1, READ)

    def using(self, at: int) -> Iterator[Used]:
        """`MERGE INTO a USING b`, `DELETE FROM a USING b`."""
        if self.first in {"merge", "delete", "with"} and self._word(at + 1) != "(":
            yield from self._list(at + 1, READ)

    def into(self, at: int) -> Iterator[Used]:
        """`INSERT INTO a`."""
        if self._word(at - 1) in {"insert", "merge", "replace", "ignore"} or self._word(at + 1) == "table":
            yield from self._one(at + 1, WRITE)

    def update(self, at: int) -> Iterator[Used]:
        """`UPDATE a SET`."""
        if self._word(at - 1) not in _NO_UPDATE:
            yield from self._one(at + 1, WRITE)

    def alter(self, at: int) -> Iterator[Used]:
        """`ALTER TABLE a`, `DROP VIEW a`."""
        if at and self._word(at - 1) not in {";", "begin", "then", "else"}:
            return
        after = self._skip(at + 1, frozenset({"materialized", "foreign", "temporary", "concurrently"}))
        kind = self._word(after)
        if kind in _TARGETS - {"column"}:
            for use in self._list(after + 1, WRITE):
                yield use
                if self.texts[at] == "alter":
                    break
        if kind in {"index", "trigger"} and self.texts[at] == "drop":
            where = next((i for i in range(after, min(after + 8, len(self.texts))) if self.texts[i] == "on"), -1)
            if where > 0:
                yield from self._one(where + 1, WRITE)

    def truncate(self, at: int) -> Iterator[Used]:
        """`TRUNCATE TABLE a`."""
        if not at or self._word(at - 1) in {";", "begin", "then", "else"}:
            yield from self._list(at + 1, WRITE)

    def references(self, at: int) -> Iterator[Used]:
        """`REFERENCES a (id)`."""
        got = self.name_at(at + 1)
        if got is not None:
            yield Used(got[0], READ, got[2])

    def on(self, at: int) -> Iterator[Used]:
        """`CREATE INDEX i ON a`, `GRANT SELECT ON a`."""
        if self.on_names:
            after = self._skip(at + 1, _TARGETS)
            if self._word(at + 1) != "column":
                yield from self._one(after, READ)

    def copy(self, at: int) -> Iterator[Used]:
        """`COPY a FROM`."""
        if not at:
            got = self.name_at(1)
            if got is not None:
                yield Used(got[0], WRITE if "from" in self.texts else READ, got[2])

    def call(self, at: int) -> Iterator[Used]:
        """`CALL f()`, `EXECUTE FUNCTION f()`, `EXEC f`."""
        after = self._skip(at + 1, frozenset({"function", "procedure"}))
        got = self.name_at(after)
        if got is not None and got[0] not in {"immediate", "sp_executesql", "format"}:
            yield Used(got[0], CALL, got[2])

    def inherits(self, at: int) -> Iterator[Used]:
        """`INHERITS (a)`, `PARTITION OF a`."""
        if self.texts[at] == "inherits" and self._word(at + 1) == "(":
            yield from self._list(at + 2, READ)
        elif self._word(at + 1) == "of":
            yield from self._one(at + 2, READ)


_RULES = {
    "from": Reading.from_,
    "join": Reading.join,
    "using": Reading.using,
    "into": Reading.into,
    "update": Reading.update,
    "alter": Reading.alter,
    "drop": Reading.alter,
    "truncate": Reading.truncate,
    "references": Reading.references,
    "on": Reading.on,
    "copy": Reading.copy,
    "call": Reading.call,
    "exec": Reading.call,
    "execute": Reading.call,
    "inherits": Reading.inherits,
    "partition": Reading.inherits,
}
"""The word that a table or a routine follows -> what reads it."""


def _templates(token: Token) -> Iterator[Used]:
    for found in _REF.finditer(token.text):
        yield Used(found[1], READ, token.start, is_model=True)
    for found in _SOURCE.finditer(token.text):
        yield Used(f"{found[1]}.{found[2]}".lower(), READ, token.start)
