"""`search`: pages of the real index, best first, bounded, with its filters checked."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from memoire.config import Settings
from memoire.errors import InvalidArgumentError, InvalidQueryError, UnknownPathError
from memoire.model import Definition
from memoire.operations.search import OPERATION, Kind
from memoire.search import KINDS
from memoire.tokens import index_words
from tests.memories import Project, event
from tests.requirements import covers


@pytest.fixture
def project(tmp_path: Path) -> Project:
    project = Project(tmp_path)
    code = 'def refresh_token():\n    """Renews it."""\n    return "hunter2"\n'
    project.add(
        "auth/tokens.py",
        code,
        summary="Renews session tokens.",
        definitions=(Definition("refresh_token", "function", 1, 3, doc="Renews it."),),
        words=index_words(code),
    )
    text = "# Sessions\n\nA token lives an hour.\n"
    project.add(
        "docs/auth.md",
        text,
        kind="document",
        language="markdown",
        summary="Sessions",
        definitions=(Definition("Sessions", "section", 1, 3),),
        words=index_words(text),
    )
    project.add("shop/cart.py", "x = 1\n", summary="Adds things up.", words=index_words("x = 1"))
    project.events = [event(1, "Ran: pytest -k token", kind="command", entities=("auth/tokens.py",))]
    return project


def ask(project: Project, query: str, **arguments: Any) -> Any:
    return project.ask(OPERATION, query=query, **arguments)


@covers("search.query", "search.everything", "search.ranked", "time")
def test_files_symbols_documents_sections_and_events_are_found_best_first(project: Project) -> None:
    answer = ask(project, "token")
    found = {(hit["kind"], hit["path"]): hit for hit in answer["results"]}
    assert {kind for kind, _ in found} == {"symbol", "section", "event", "file", "document"}
    scores = [hit["score"] for hit in answer["results"]]
    assert scores == sorted(scores, reverse=True)
    symbol = found["symbol", "auth/tokens.py"]
    assert (symbol["name"], symbol["line"], symbol["symbol_kind"]) == ("refresh_token", 1, "function")
    happened = found["event", "auth/tokens.py"]
    assert happened["snippet"] == "Ran: pytest -k token"
    assert happened["created_at"] == "2026-05-17T17:44:00Z"
    assert happened["id"] == project.events[0].id
    assert answer["as_of"]["generation"] == 7
    assert answer.keys() == {"results", "as_of"}


def test_an_answer_says_what_is_pending(project: Project) -> None:
    project.pending = ("auth/new.py",)
    assert ask(project, "token")["pending"] == ["auth/new.py"]


def test_nothing_found_is_an_empty_list_with_its_state(project: Project) -> None:
    assert ask(project, "xylophone") == {
        "results": [],
        "as_of": {"generation": 7, "commit": "8bc2e2e6f8df", "branch": "main"},
    }


@pytest.mark.parametrize(
    ("filters", "paths"),
    [
        ({"kinds": ["symbol"]}, {"auth/tokens.py"}),
        ({"kinds": ["section", "document"]}, {"docs/auth.md"}),
        ({"prefix": "docs"}, {"docs/auth.md"}),
        ({"prefix": "./docs/"}, {"docs/auth.md"}),
        ({"prefix": "auth/tokens.py", "kinds": ["file"]}, {"auth/tokens.py"}),
        ({"language": "Markdown"}, {"docs/auth.md"}),
        ({"prefix": "."}, {"auth/tokens.py", "docs/auth.md"}),
        ({"prefix": "shop"}, set()),
    ],
)
def test_filters_narrow_what_is_found(project: Project, filters: dict[str, Any], paths: set[str]) -> None:
    (project.root / "docs").mkdir()
    assert {hit["path"] for hit in ask(project, "token", **filters)["results"]} == paths


def test_pages_follow_each_other_without_a_gap(project: Project) -> None:
    whole = ask(project, "token")["results"]
    pages: list[Any] = []
    offset = 0
    while True:
        answer = ask(project, "token", limit=2, offset=offset)
        pages += answer["results"]
        if "next" not in answer:
            break
        offset = answer["next"]
    assert pages == whole


def test_snippets_are_redacted(project: Project) -> None:
    assert "hunter2" not in project.raw(OPERATION, query="renews return")


def test_an_answer_stays_within_the_setting_and_the_next_page_begins_where_it_was_cut(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.settings = Settings(budget_tokens=600)
    for number in range(60):
        path = f"{'directory/' * 8}token_file_{number}.py"
        project.add(path, summary=f"Holds a token. {'And so on. ' * 30}", words=index_words("token"))
    raw = project.raw(OPERATION, query="token", limit=50)
    assert len(raw) <= 2400
    answer = msgspec.json.decode(raw)
    assert answer["next"] == len(answer["results"]) > 5
    assert all("name" not in hit for hit in answer["results"])  # it is what the snippet begins with


def test_a_query_without_a_word_is_refused(project: Project) -> None:
    with pytest.raises(InvalidQueryError):
        ask(project, "?!  --")


@pytest.mark.parametrize("prefix", ["nowhere", "../outside"])
def test_a_prefix_that_names_nothing_is_refused(project: Project, prefix: str) -> None:
    with pytest.raises(UnknownPathError):
        ask(project, "token", prefix=prefix)


def test_a_language_that_no_file_has_is_refused_with_those_there_are(project: Project) -> None:
    with pytest.raises(InvalidArgumentError) as raised:
        ask(project, "token", language="phyton")
    assert raised.value.near == ("python",)
    with pytest.raises(InvalidArgumentError) as raised:
        ask(project, "token", language="cobol")
    assert raised.value.near == ("markdown", "python")


@pytest.mark.parametrize(
    ("argument", "value"), [("kinds", ["folder"]), ("limit", 0), ("limit", 101), ("offset", -1), ("query", "")]
)
def test_arguments_that_make_no_sense_are_refused(project: Project, argument: str, value: object) -> None:
    with pytest.raises(InvalidArgumentError):
        project.ask(OPERATION, **{"query": "token", argument: value})


def test_the_kinds_are_those_of_the_index() -> None:
    assert Kind.__args__ == (*KINDS, "note")  # type: ignore[attr-defined]  # Literal's arguments


def test_an_answer_says_that_words_alone_were_compared(project: Project) -> None:
    assert "degraded" not in ask(project, "token")
    project.knows_meaning = False
    assert ask(project, "token")["degraded"] is True
