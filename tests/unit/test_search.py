"""What a search finds, and in which order, through the index as the daemon uses it."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memoire.errors import InvalidQueryError
from memoire.model import Definition, Event, FileFacts
from memoire.search import Entry, Hit, Scope, SearchIndex
from memoire.tokens import index_words

NOON = datetime(2026, 5, 18, 12, tzinfo=UTC)


class Project:
    """Files in memory, and their index."""

    def __init__(self, folder: Path) -> None:
        self.index = SearchIndex.open(folder, version="1")
        self.texts: dict[str, str] = {}
        self.generation = 0
        self._entries: dict[str, Entry] = {}

    def save(
        self,
        path: str,
        text: str,
        *definitions: Definition,
        kind: str = "file",
        language: str = "python",
        summary: str = "",
        changed_at: datetime | None = None,
    ) -> None:
        self.texts[path] = text
        self._entries[path] = Entry(
            path=path,
            kind=kind,
            language=language,
            words=index_words(text),
            summary=summary,
            definitions=definitions,
            text=text,
            changed_at=changed_at,
        )

    def page(self, path: str, text: str, *sections: Definition, summary: str = "") -> None:
        self.save(path, text, *sections, kind="document", language="markdown", summary=summary)

    def delete(self, path: str) -> None:
        self.texts.pop(path, None)
        self.apply(gone=[path])

    def happen(self, *events: Event) -> None:
        self.apply(events=events)

    def apply(self, gone: Sequence[str] = (), events: Sequence[Event] = (), forgotten: Sequence[str] = ()) -> None:
        """Take in these, and all files saved since the last time: commits are most of what a test costs."""
        self.generation += 1
        self.index.apply(self._entries.values(), gone, events, self.generation, forgotten=forgotten)
        self._entries.clear()

    def hits(self, query: str, limit: int = 10, offset: int = 0, **scope: object) -> list[Hit]:
        if self._entries:
            self.apply()
        wanted = Scope(**scope)  # type: ignore[arg-type]
        return self.index.search(query, read=self.texts.get, limit=limit, offset=offset, scope=wanted)

    def found(self, query: str, **scope: object) -> list[tuple[str, str]]:
        return [(hit.kind, hit.path) for hit in self.hits(query, 10, 0, **scope)]

    def names(self, query: str, kind: str = "symbol") -> list[str]:
        return [hit.name for hit in self.hits(query, kinds=frozenset([kind]))]


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    project = Project(tmp_path)
    yield project
    project.index.close()


def function(name: str, line: int = 1, doc: str = "", kind: str = "function") -> Definition:
    return Definition(name, kind, line, line + 3, doc=doc)


def section(name: str, line: int, end_line: int) -> Definition:
    return Definition(name, "section", line, end_line)


def edit(number: int, path: str, summary: str = "") -> Event:
    at = NOON + timedelta(minutes=number)
    return Event(f"{number:012x}-{number:016x}", "file_edit", at, summary or f"Edited {path}", 0.5, (path,))


def test_a_word_finds_the_file_that_holds_it_with_the_line_that_says_most(project: Project) -> None:
    project.save("pool.py", "import socket\n\n\ndef connect():\n    # keep alive connections are reused\n    pass\n")
    project.save("other.py", "nothing = 1\n")
    (hit,) = project.hits("reused connections")
    assert (hit.kind, hit.path, hit.line) == ("file", "pool.py", 5)
    assert hit.snippet == "# keep alive connections are reused"
    assert hit.language == "python"
    assert 0 < hit.score <= 1


def test_an_identifier_is_found_by_its_parts_and_in_other_conventions(project: Project) -> None:
    project.save("a.py", "def read_timeout(): ...\n")
    for query in ("timeout", "read", "read timeout", "readTimeout", "READ_TIMEOUT", "read-timeout"):
        assert project.found(query) == [("file", "a.py")], query


def test_a_whole_identifier_outranks_its_parts_apart(project: Project) -> None:
    project.save("apart.py", "timeout = 1\nread = 2\ntimeout = read\n")
    project.save("whole.py", "read_timeout = 1\nx = 2\ny = read_timeout\n")
    assert project.found("read_timeout") == [("file", "whole.py"), ("file", "apart.py")]


def test_words_side_by_side_outrank_the_same_words_apart(project: Project) -> None:
    project.save("apart.py", "# the buffer is full of bytes before any ring is drawn\n")
    project.save("beside.py", "# the ring buffer is full of bytes before any is drawn\n")
    assert project.found("ring buffer")[0] == ("file", "beside.py")


def test_the_path_counts(project: Project) -> None:
    project.save("src/pool/session.py", "token = 1\n")
    project.save("src/auth/session.py", "token = 1\n")
    assert project.found("auth token")[0] == ("file", "src/auth/session.py")


@pytest.mark.parametrize(
    "query", ["send", "Client.send", "client.SEND", "send()", "self.send(request)", "net.py::Client.send", "`send`"]
)
def test_a_symbol_that_is_named_comes_first(project: Project, query: str) -> None:
    project.save("uses.py", "send send send client send self request net py\n" * 9, function("send_all"))
    project.save(
        "net.py", "class Client:\n    def send(self):\n        ...\n", function("Client.send", 2, kind="method")
    )
    first = project.hits(query)[0]
    assert (first.kind, first.path, first.name, first.line) == ("symbol", "net.py", "Client.send", 2)
    assert first.score >= 2
    assert first.snippet == "def send(self):"
    assert first.symbol_kind == "method"


@pytest.mark.parametrize("query", ["read timeout", "readTimeout", "ReadTimeout", "read-timeout", '"read_timeout"'])
def test_a_symbol_that_is_said_in_words_comes_first(project: Project, query: str) -> None:
    project.save("uses.py", "read timeout\n" * 9)
    project.save("net.py", "def read_timeout(): ...\n", function("read_timeout"))
    assert project.found(query)[0] == ("symbol", "net.py")


def test_a_name_among_other_words_lifts_what_it_names(project: Project) -> None:
    project.save("a.py", "retry\n" * 5)
    project.save("b.py", "class HttpPool: ...\n", function("HttpPool", kind="class"))
    assert project.hits("retry in HttpPool")[0].name == "HttpPool"


@pytest.mark.parametrize(
    "query", ["pkg/net.py", "./pkg/net.py", "net.py", "pkg/net", "pkg.net", "pkg\\net.py", "PKG/NET.PY"]
)
def test_a_path_or_its_end_comes_first(project: Project, query: str) -> None:
    project.save("docs.py", "pkg net py\n" * 9)
    project.save("src/pkg/net.py", "x = 1\n")
    assert project.found(query)[0] == ("file", "src/pkg/net.py")


def test_a_whole_path_outranks_another_of_the_same_end(project: Project) -> None:
    project.save("a/pkg/net.py", "pkg net\n" * 5)
    project.save("pkg/net.py", "x = 1\n")
    assert project.found("pkg/net.py")[:2] == [("file", "pkg/net.py"), ("file", "a/pkg/net.py")]


@pytest.mark.parametrize("query", ["net.py:3", "src/net.py:3", "net.py#L3", "src/net.py:3:9", "`net.py:3`"])
def test_a_path_with_a_line_gives_that_line(project: Project, query: str) -> None:
    project.save("src/net.py", "one = 1\ntwo = 2\nthree = 3\n")
    hit = project.hits(query)[0]
    assert (hit.path, hit.line, hit.snippet) == ("src/net.py", 3, "three = 3")


def test_a_line_that_is_not_there_gives_the_best_one(project: Project) -> None:
    project.save("net.py", "one = 1\n# about net\n")
    assert project.hits("net.py:99")[0].line == 2


def test_files_without_suffix_and_hidden_files_are_named_too(project: Project) -> None:
    project.save("Makefile", "all:\n")
    project.save("sub/.gitignore", "gitignore makefile\n" * 9)
    assert project.found("Makefile")[0] == ("file", "Makefile")
    assert project.found(".gitignore")[0] == ("file", "sub/.gitignore")


def test_sections_are_found_with_their_line_and_text(project: Project) -> None:
    text = "# Guide\n\nWelcome.\n\n## Proxies\n\nTunnels are opened lazily.\n\n## Other\n\nNothing.\n"
    project.page("guide.md", text, section("Guide", 1, 4), section("Proxies", 5, 8), section("Other", 9, 11))
    hits = project.hits("tunnels opened lazily", kinds=frozenset(["section"]))
    assert [(hit.name, hit.line, hit.snippet) for hit in hits] == [("Proxies", 7, "Tunnels are opened lazily.")]
    assert project.hits("Proxies")[0].name == "Proxies"
    assert ("document", "guide.md") in project.found("tunnels")


def test_a_symbol_is_found_by_its_docstring(project: Project) -> None:
    project.save("a.py", "def f(): ...\n", function("f", doc="Sends the heartbeat to all peers."))
    assert project.names("heartbeat peers") == ["f"]


def test_events_are_found_newest_first_among_equals(project: Project) -> None:
    project.happen(edit(1, "a.py", "Ran the migration"), edit(3, "b.py", "Ran the migration"))
    project.happen(edit(2, "c.py", "Ran the migration"))
    hits = project.hits("migration")
    assert [hit.path for hit in hits] == ["b.py", "c.py", "a.py"]
    assert (hits[0].kind, hits[0].name, hits[0].line) == ("event", "file_edit", 0)
    assert hits[0].snippet == "Ran the migration"
    assert hits[0].at == NOON + timedelta(minutes=3)
    assert hits[0].id == edit(3, "b.py").id


def test_all_kinds_come_in_one_list(project: Project) -> None:
    project.save("cache.py", "def evict(): ...\n", function("evict_cache"))
    project.page("cache.md", "# Cache\n\nHow the cache evicts.\n", section("Cache", 1, 3), summary="Cache")
    project.happen(edit(1, "cache.py", "Edited cache.py: the cache evicts oldest first"))
    found = project.found("cache evict")
    assert {kind for kind, _ in found} == {"file", "document", "symbol", "section", "event"}


@pytest.mark.parametrize("kind", ["file", "document", "symbol", "section", "event"])
def test_a_search_may_want_one_kind(project: Project, kind: str) -> None:
    project.save("cache.py", "cache\n", function("cache"))
    project.page("cache.md", "# Cache\n\ncache\n", section("Cache", 1, 3))
    project.happen(edit(1, "cache.py"))
    assert {found for found, _ in project.found("cache", kinds=frozenset([kind]))} == {kind}


def test_a_prefix_keeps_to_a_folder_in_every_kind(project: Project) -> None:
    for folder in ("src", "src2"):
        project.save(f"{folder}/cache.py", "cache\n", function("cache"))
        project.page(f"{folder}/cache.md", "# Cache\n", section("Cache", 1, 1))
    project.happen(edit(1, "src/cache.py"), edit(2, "src2/cache.py"))
    assert {path for _, path in project.found("cache", prefix="src/")} == {"src/cache.py", "src/cache.md"}
    assert len(project.found("cache", prefix="src/")) == 5
    assert {path for _, path in project.found("cache", prefix="src/cache.p")} == {"src/cache.py"}
    assert project.found("cache", prefix="elsewhere/") == []


@pytest.mark.parametrize(
    "folder", ["a+b", "a.b", "(x)", "[id]", "{y}", "$z", "a|b", "x^", "q?*", "back\\slash", "né e"]
)
def test_a_prefix_is_taken_literally(project: Project, folder: str) -> None:
    project.save(f"{folder}/page.py", "cache\n")
    project.save("aab/page.py", "cache\n")
    assert project.found("cache", prefix=f"{folder}/") == [("file", f"{folder}/page.py")]


def test_a_language_keeps_to_its_files_and_their_symbols(project: Project) -> None:
    project.save("a.py", "cache\n", function("cache"))
    project.save("a.ts", "cache\n", function("cache"), language="typescript")
    project.happen(edit(1, "a.ts", "cache"))
    assert set(project.found("cache", language="typescript")) == {("file", "a.ts"), ("symbol", "a.ts")}


def test_since_keeps_to_what_happened_or_changed_from_then_on(project: Project) -> None:
    project.save("old.py", "cache\n", function("cache"), changed_at=NOON)
    project.save("new.py", "cache\n", function("cache"), changed_at=NOON + timedelta(minutes=5))
    project.save("unknown.py", "cache\n")
    project.happen(edit(4, "e.py", "cache"), edit(5, "f.py", "cache"))
    found = project.found("cache", since=NOON + timedelta(minutes=5))
    assert set(found) == {("file", "new.py"), ("symbol", "new.py"), ("event", "f.py")}


def test_a_deleted_path_is_gone_with_its_symbols_and_sections_but_not_its_events(project: Project) -> None:
    project.page("cache.md", "# Cache\n\ncache\n", section("Cache", 1, 3), function("cache"))
    project.save("keep.py", "cache\n")
    project.apply()
    project.happen(edit(1, "cache.md", "Edited the cache page"))
    project.delete("cache.md")
    assert set(project.found("cache")) == {("file", "keep.py"), ("event", "cache.md")}


def test_a_saved_file_leaves_nothing_of_what_it_was(project: Project) -> None:
    project.save("a.py", "alpha\n", function("alpha_first"), function("alpha_second"))
    project.apply()
    project.save("a.py", "omega\n", function("omega_first"))
    assert project.found("alpha") == []
    assert project.names("omega") == ["omega_first"]
    assert project.index.documents == 1


def test_an_event_taken_in_twice_is_one_and_a_forgotten_one_is_none(project: Project) -> None:
    project.happen(edit(1, "a.py", "migration"), edit(2, "b.py", "migration"))
    project.happen(edit(1, "a.py", "migration"))
    assert [hit.path for hit in project.hits("migration")] == ["b.py", "a.py"]
    project.apply(forgotten=[edit(2, "b.py").id])
    assert [hit.path for hit in project.hits("migration")] == ["a.py"]


def test_what_is_quoted_is_there_as_it_is_quoted(project: Project) -> None:
    project.save("exact.py", "# the Read  Timeout\n# is long\n")
    project.save("joined.py", "read_timeout = 1\n")
    project.save("apart.py", "timeout, read\n")
    assert project.found('"read timeout"') == [("file", "exact.py")]
    assert project.hits('"read timeout"')[0].line == 1
    assert project.found('"timeout is long"') == []
    assert project.found('"timeout # is long"') == [("file", "exact.py")]
    assert project.found('"read_timeout" "= 1"') == [("file", "joined.py")]
    assert project.found("“read timeout”") == [("file", "exact.py")]


def test_what_is_quoted_is_looked_for_in_the_file_as_it_is_now(project: Project) -> None:
    project.save("a.py", "read timeout\n")
    project.texts["a.py"] = "changed since\n"
    assert project.found('"read timeout"') == []
    del project.texts["a.py"]
    assert project.found('"read timeout"') == []
    assert project.found("read timeout") == [("file", "a.py")]


def test_symbols_sections_events_and_paths_are_found_by_what_is_quoted(project: Project) -> None:
    project.save("a/ring_buffer.py", "x = 1\n", function("Ring.buffer", doc="Holds a ring of bytes."))
    project.page("b.md", "# B\n\nring of bytes\n\n# C\n\nring bytes of\n", section("B", 1, 4), section("C", 5, 7))
    project.happen(edit(1, "c.py", "Drew a ring of bytes"), edit(2, "d.py", "Drew a ring of no bytes"))
    assert set(project.found('"ring of bytes"')) == {
        ("symbol", "a/ring_buffer.py"),
        ("document", "b.md"),
        ("section", "b.md"),
        ("event", "c.py"),
    }
    assert project.names('"ring of bytes"', "section") == ["B"]
    assert ("symbol", "a/ring_buffer.py") in project.found('"Ring.buffer"')
    assert ("file", "a/ring_buffer.py") in project.found('"ring_buffer.py"')


def test_pages_of_an_answer_make_up_the_answer(project: Project) -> None:
    for number in range(30):
        project.save(f"file{number:02}.py", "cache evict\n" * (number % 7 + 1), function(f"cache_{chr(97 + number)}"))
    whole = project.hits("cache evict", limit=100)
    assert len(whole) == 60
    pages = [hit for offset in range(0, 70, 7) for hit in project.hits("cache evict", limit=7, offset=offset)]
    assert [(hit.kind, hit.path) for hit in pages] == [(hit.kind, hit.path) for hit in whole]
    assert [hit.score for hit in whole] == sorted((hit.score for hit in whole), reverse=True)
    assert project.hits("cache", limit=5, offset=1000) == []
    assert project.hits("cache", limit=0) == []


def test_the_same_question_has_the_same_answer(project: Project) -> None:
    for number in range(12):
        project.save(f"file{number}.py", "same words\n", function("same_words"))
    assert project.hits("same words", limit=50) == project.hits("same words", limit=50)


def test_one_file_does_not_fill_the_answer(project: Project) -> None:
    project.save("big.py", "cache\n" * 9, *[function(f"cache_{chr(97 + number)}x") for number in range(20)])
    for number in range(5):
        project.save(f"other{number}.py", "the cache is used here\n")
    paths = [hit.path for hit in project.hits("cache", limit=8)]
    assert len(set(paths)) >= 5


def test_a_hit_whose_file_is_gone_says_what_the_index_knows(project: Project) -> None:
    project.save("a.py", "cache\n", function("cache_all", 7, doc="Empties the cache."), summary="All about the cache.")
    project.texts.clear()
    hits = {hit.kind: hit for hit in project.hits("cache")}
    assert (hits["file"].line, hits["file"].snippet) == (0, "All about the cache.")
    assert (hits["symbol"].line, hits["symbol"].snippet) == (7, "Empties the cache.")


def test_a_word_that_is_nowhere_stands_for_what_it_begins_for_its_forms_or_for_a_slip(project: Project) -> None:
    project.save("a.py", "def authenticate(): configuration\n")
    assert project.found("config") == [("file", "a.py")]
    assert project.found("authentication") == [("file", "a.py")]
    assert project.found("autehnticate") == [("file", "a.py")]
    assert project.found("unrelated") == []


def test_a_rare_word_finds_its_other_forms_behind_itself(project: Project) -> None:
    project.save("one.py", "retry\n")
    project.save("more.py", "retries\n")
    assert project.found("retry") == [("file", "one.py"), ("file", "more.py")]


def test_text_in_any_script_is_found(project: Project) -> None:
    project.page("说明.md", "数据库连接池的配置\nÜbermaß größer\n")
    for query in ("数据库", "连接池", "配置", "数", "übermass", "GRÖSSER", "说明.md"):
        assert project.found(query) == [("document", "说明.md")], query


def test_an_entry_is_made_of_facts() -> None:
    facts = FileFacts("python", "0" * 64, 10, 1, "Sums.", (function("add"),), words="add\n")
    entry = Entry.of("a.py", "file", facts, changed_at=NOON)
    assert (entry.language, entry.words, entry.summary, entry.changed_at) == ("python", "add\n", "Sums.", NOON)
    assert entry.definitions == facts.definitions


def test_hostile_names_and_texts_are_taken_in_and_found(project: Project) -> None:
    path = "we\ud800ird\x00\n(path/'x\".py"
    project.save(path, "needle \ud800 \x00\n", function("f\ud800()\n"), summary="\ud800", language="\ud800")
    project.happen(Event("\ud800", "\ud800", NOON, "needle \ud800", 0.5, ("\ud800::x",)))
    kinds = {hit.kind for hit in project.hits("needle")}
    assert kinds == {"file", "event"}
    project.delete(path)
    assert {hit.kind for hit in project.hits("needle")} == {"event"}


@pytest.mark.parametrize("query", ["", "   ", '""', "-> ... ()", '"=>"', "\x00", "\ud800"])
def test_a_query_without_letter_or_digit_is_refused(project: Project, query: str) -> None:
    with pytest.raises(InvalidQueryError):
        project.hits(query)


@pytest.mark.parametrize(
    "query",
    [
        "path:",
        "a AND",
        "+-",
        "x^2",
        "[a TO",
        "field:(",
        "a~",
        "*",
        "\\",
        "x1" * 9000,
        "(" * 500 + "ab",
        "_",
        "x",
    ],
)
def test_no_query_is_a_syntax_error(project: Project, query: str) -> None:
    project.save("a.py", "x path a field to and\n")
    if query in {"+-", "*", "\\", "x^2"} or len(query) > 9000:
        with pytest.raises(InvalidQueryError):
            project.hits(query)
    else:
        assert isinstance(project.hits(query), list)
