import io
from collections.abc import Mapping
from pathlib import Path

import pytest

from memoire.errors import InvalidArgumentError
from memoire.sdk import Memoire
from memoire.terminal import arguments, export, plain, rich_tables, service, views
from memoire.terminal.blocks import Block, clean, heading, lines, table

SCHEMA = {
    "type": "object",
    "properties": {
        "query": {"type": "string", "description": "Words; 100 % literal"},
        "limit": {"type": "integer", "default": 20},
        "kinds": {"type": "array", "items": {"type": "string"}},
        "any_branch": {"type": "boolean"},
        "since": {"anyOf": [{"type": "string"}, {"type": "null"}]},
    },
    "required": ["query"],
}


def parser(schema: Mapping[str, object] = SCHEMA) -> arguments.Parser:
    made = arguments.Parser.of("search", "search the project")
    made.add_schema(schema)
    return made


def read(*given: str) -> dict[str, object]:
    return arguments.to_arguments(parser().parse(given), SCHEMA)


def text_of(blocks: list[Block]) -> str:
    stream = io.StringIO()
    plain.show(blocks, stream)
    return stream.getvalue()


class TestArguments:
    def test_only_what_was_given_is_passed_on(self) -> None:
        assert read("retry", "payment") == {"query": "retry payment"}

    def test_each_kind_of_property_has_its_option(self) -> None:
        given = ["pay", "--limit", "3", "--kinds", "file", "--kinds", "event", "--any-branch", "--since", "2026-05-18"]
        assert read(*given) == {
            "query": "pay",
            "limit": 3,
            "kinds": ["file", "event"],
            "any_branch": True,
            "since": "2026-05-18",
        }

    def test_a_word_that_begins_with_a_dash_can_be_searched_for(self) -> None:
        assert read("--", "--yes") == {"query": "--yes"}

    def test_an_unknown_option_names_the_one_that_was_meant(self) -> None:
        with pytest.raises(InvalidArgumentError, match=r"--limt: .*Did you mean --limit\?") as caught:
            read("pay", "--limt=3")
        assert caught.value.near[0] == "--limit"

    @pytest.mark.parametrize(
        ("given", "problem"),
        [
            ((), "memoire search: the following arguments are required: QUERY"),
            (("pay", "--limit", "many"), "--limit: must be a whole number, not 'many'"),
            (("pay", "--lim", "3"), "--lim: `memoire search` has no such argument"),
        ],
    )
    def test_what_is_wrong_is_said_and_not_guessed(self, given: tuple[str, ...], problem: str) -> None:
        with pytest.raises(InvalidArgumentError) as caught:
            read(*given)
        assert str(caught.value).startswith(problem)

    def test_the_help_shows_a_percent_sign(self) -> None:
        assert "100 % literal" in parser().format_help()

    @pytest.mark.parametrize(
        ("given", "command"),
        [
            (["expand", "a.py"], ("expand", ["a.py"])),
            (["--json", "expand", "a.py"], ("expand", ["--json", "a.py"])),
            (["--root", "/p", "expand", "a.py"], ("expand", ["--root", "/p", "a.py"])),
            (["--root=/p", "search", "--", "--json"], ("search", ["--root=/p", "--", "--json"])),
            (["--help"], ("--help", [])),
            (["--nonsense"], ("", ["--nonsense"])),
            (["--root"], ("", ["--root"])),
            ([], ("", [])),
        ],
    )
    def test_options_may_stand_before_the_command(self, given: list[str], command: tuple[str, list[str]]) -> None:
        assert arguments.split(given) == command


class TestBlocks:
    @pytest.mark.parametrize(
        ("text", "shown"),
        [
            ("plain é 漢字 €", "plain é 漢字 €"),
            ("\x1b[2J\x07", "\\x1b[2J\\x07"),
            ("a\nb\rc", "a\\x0ab\\x0dc"),
            ("\x9b31m\x7f", "\\x9b31m\\x7f"),
            ("abc\u202ecba\u2069", "abc\\u202ecba\\u2069"),
        ],
    )
    def test_no_text_of_a_repository_can_command_the_terminal(self, text: str, shown: str) -> None:
        assert clean(text) == shown

    def test_plain_tables_are_aligned_and_whole(self) -> None:
        shown = text_of([heading("found"), table(("path", "why"), [("a.py", "x" * 200), ("longer/b.py", "")])])
        assert shown.splitlines() == ["found", "PATH         WHY", f"a.py         {'x' * 200}", "longer/b.py"]

    def test_a_table_that_is_too_wide_gives_its_last_column_lines_of_its_own(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("COLUMNS", "40")
        stream = io.StringIO()
        rows = [("a.py", "漢字.py", "because " * 6), ("b.py", "c.py", "")]
        rich_tables.show([table(("source", "target", "why"), rows)], stream)
        assert [line.rstrip() for line in stream.getvalue().splitlines()] == [
            "source   target",
            "a.py     漢字.py",
            "    because because because because",
            "    because because",
            "b.py     c.py",
        ]

    def test_rich_tables_lose_no_letter_on_a_narrow_terminal(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("COLUMNS", "30")
        stream = io.StringIO()
        rich_tables.show([heading("found"), table(("path", "why"), [("[red]a.py", "q" * 90)]), lines("[bold]")], stream)
        assert stream.getvalue().count("q") == 90
        assert "[red]a.py" in stream.getvalue().replace("\n", "")
        assert "[bold]" in stream.getvalue()


class TestViews:
    def test_a_context_is_shown_as_lines_and_tables(self) -> None:
        result = {
            "project_id": "orders_1a2b3c4d",
            "structure": {".": ["src/", "README.md"], "src/": ["src/a.py", "src/b.py"]},
            "relationships": [
                {
                    "source": "spec.md",
                    "relation": "SPECIFIES",
                    "target": "src/a.py",
                    "rationale": "line 3 says:\nso",
                    "is_causal": True,
                    "cost": "normal",
                    "observations": 12,
                }
            ],
            "recent_events": [{"summary": "Edited a", "importance": 0.8, "created_at": "2026-05-18T10:23:00Z"}],
        }
        assert text_of(views.show_result(result)).splitlines() == [
            "project id: orders_1a2b3c4d",
            "",
            "structure",
            "DIRECTORY  HOLDS",
            ".          src/ README.md",
            "src/       a.py b.py",
            "",
            "relationships",
            "SOURCE   RELATION   TARGET    SEEN  COST    WHY",
            "spec.md  SPECIFIES  src/a.py  12    normal  line 3 says: so",
            "",
            "recent events",
            "WHEN                  SUMMARY",
            "2026-05-18T10:23:00Z  Edited a",
        ]

    def test_a_document_keeps_its_lines(self) -> None:
        result = {"path": "a.md", "document": {"title": "A", "summary": "", "content": "one\n\n  two", "tags": []}}
        assert text_of(views.show_result(result)) == "path: a.md\n\ndocument\nA\none\n\n  two\n"

    def test_text_of_several_lines_is_shown_as_it_stands(self) -> None:
        shown = text_of(views.show_result({"path": "a.py", "source": "def a():\n    pass", "line": 3}))
        assert shown == "path: a.py\n\nsource\ndef a():\n    pass\n\nline: 3\n"

    def test_fields_that_nobody_announced_are_shown_all_the_same(self) -> None:
        result = {"certain": True, "parts": [{"a": 1, "b": None}, {"a": 2.5}], "cut": {"shown": 3}, "empty": []}
        assert text_of(views.show_result(result)).splitlines() == [
            "certain: yes",
            "",
            "parts",
            "A",
            "1",
            "2.5",
            "",
            "cut: shown 3",
        ]

    def test_sentences_have_a_line_each(self) -> None:
        first, second = (
            "Run `systemctl --user daemon-reload` once, as you.",
            "Approve the server the first time that it is asked for, or later.",
        )
        assert text_of(views.show_result({"to_do": [first, second]})).splitlines() == ["to do", first, second]

    def test_a_found_event_says_what_happened_and_when(self) -> None:
        hit = {
            "kind": "event",
            "path": "a.py",
            "name": "command",
            "snippet": "Ran `x`",
            "created_at": "2026-05-18T10:00:00Z",
        }
        shown = text_of(views.show_result({"results": [hit, {"kind": "file", "path": "b.py", "snippet": "b"}]}))
        assert [line.split() for line in shown.splitlines()] == [
            ["results"],
            ["KIND", "PATH", "NAME"],
            ["event", "a.py", "command", "2026-05-18T10:00:00Z", "Ran", "`x`"],
            ["file", "b.py"],
        ]

    def test_a_nested_object_is_a_table_without_what_is_empty(self) -> None:
        shown = text_of(views.show_result({"project": {"files": 3, "failure": "", "progress": {"phase": "idle"}}}))
        assert shown == "project\nfiles     3\nprogress  phase idle\n"

    def test_an_empty_result_says_so(self) -> None:
        assert text_of(views.show_result({"results": []})) == "nothing found\n"
        answer = {"results": [], "as_of": {"generation": 3}, "pending": []}
        assert text_of(views.show_result(answer)) == "nothing found\n\nas of: generation 3\n"


class TestExport:
    @pytest.fixture
    def project(self, tmp_path: Path) -> Memoire:
        (tmp_path / "proj" / ".memoire").mkdir(parents=True)
        (tmp_path / "proj" / ".memoire" / "config.toml").touch()
        return Memoire(tmp_path / "proj")

    def test_a_file_that_cannot_be_written_is_named_as_it_was_given(self, project: Memoire, tmp_path: Path) -> None:
        name = str(tmp_path / "missing" / "graph.jsonl")
        with pytest.raises(FileNotFoundError) as caught:
            export.write_file(project, name)
        assert caught.value.filename == name

    def test_a_folder_is_no_file_to_write(self, project: Memoire, tmp_path: Path) -> None:
        with pytest.raises(InvalidArgumentError, match="is a folder"):
            export.write_file(project, str(tmp_path))
        assert [path.name for path in tmp_path.iterdir()] == ["proj"]


class TestLog:
    def test_the_last_lines_are_read_from_the_end(self, tmp_path: Path) -> None:
        log = tmp_path / "daemon.log"
        assert service.last_lines(log, 3) == []
        log.write_text("".join(f"line {number}\n" for number in range(30_000)))
        assert service.last_lines(log, 2) == ["line 29998", "line 29999"]
        assert len(service.last_lines(log, 40_000)) == 30_000
        assert service.last_lines(log, 0) == []

    def test_following_gives_whole_lines_also_of_a_file_that_was_replaced(self, tmp_path: Path) -> None:
        log = tmp_path / "daemon.log"
        log.write_text("before\n")
        reader = service.LogReader(log)
        assert reader.new_lines() == []
        with log.open("a") as file:
            file.write("one\ntw")
            file.flush()
            assert reader.new_lines() == ["one"]
            file.write("o\n")
        assert reader.new_lines() == ["two"]
        (tmp_path / "fresh").write_text("again\n")
        (tmp_path / "fresh").rename(log)
        assert reader.new_lines() == ["again"]
        log.write_text("cut\n")
        assert reader.new_lines() == ["cut"]
        log.unlink()
        assert reader.new_lines() == []


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("pricing.py", "src/orders/pricing.py"),
        ("./pricing.py::discount", "src/orders/pricing.py::discount"),
        ("../orders/", "src/orders"),
        (".", "src/orders"),
        ("../..", "."),
        ("src/orders/pricing.py", "src/orders/pricing.py"),
        ("README.md", "README.md"),
        ("./README.md", "src/orders/README.md"),
        ("gone.py", "gone.py"),
        ("../../../out", "../../../out"),
        ("", ""),
    ],
)
def test_a_path_typed_in_a_folder_of_the_project_is_meant_from_there_unless_it_leads_somewhere_from_the_root(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, typed: str, meant: str
) -> None:
    root = tmp_path / "p"
    here = root / "src" / "orders"
    here.mkdir(parents=True)
    for file in (here / "pricing.py", here / "README.md", root / "README.md"):
        file.touch()
    monkeypatch.chdir(here)
    assert arguments.from_root(str(root), typed) == meant
    assert arguments.from_root(str(root), str(here / "pricing.py")) == str(here / "pricing.py")
