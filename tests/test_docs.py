"""The README and THEORY.md say what the code does: each list in them is held equal to its source."""

import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from memoire import cli, config, errors, scorer
from memoire.clients import CLIENTS
from memoire.clients._spec import Edit
from memoire.episodes import edits, git_events, recorder
from memoire.languages import LANGUAGES
from memoire.operations import OPERATIONS
from memoire.operations._detail import language_title
from memoire.relations._spec import RELATIONS

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
THEORY = (ROOT / "THEORY.md").read_text()


def rows(text: str, section: str) -> list[list[str]]:
    """Return the cells of the first table below a heading, without its head."""
    body = re.split(rf"(?m)^#+ {re.escape(section)}$", text)[1]
    table = re.search(r"(?m)^\|.*\n\|[-| ]+\n((?:\|.*\n?)+)", body)
    assert table, section
    return [[cell.strip() for cell in line.strip().strip("|").split(" | ")] for line in table[1].splitlines()]


def test_the_readme_lists_every_command() -> None:
    listed = [re.match(r"`memoire ([\w-]+(?: [a-z]+)?)", row[0]) for row in rows(README, "Commands")]
    assert sorted(match[1] for match in listed if match) == sorted(cli.command_names())


def test_the_readme_lists_every_client_with_the_files_that_are_edited_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    expected = [
        [f"{client.title} (`{client.name}`)", files(client.edits), files(client.user_edits())] for client in CLIENTS
    ]
    assert rows(README, "Assistants") == expected


def files(edits: Iterable[Edit]) -> str:
    return ", ".join(dict.fromkeys(f"`{edit.file}`" for edit in edits)) or "nothing"


@pytest.mark.shows("H7")
def test_the_readme_lists_every_tool_with_its_arguments() -> None:
    listed = {row[0].strip("`"): row[1] for row in rows(README, "Tools")}
    offered = {operation.name: operation for operation in OPERATIONS if operation.is_tool}
    assert list(listed) == list(offered)
    for name, operation in offered.items():
        arguments = list(operation.input_schema().get("properties", {}))
        assert re.findall(r"`(\w+)`", listed[name]) == arguments, name


def test_the_readme_lists_every_setting_with_its_default() -> None:
    expected = [
        [f"`{row.name}`", row.default, f"`{row.variable}`" if row.variable else "none", row.description]
        for row in config.describe()
    ]
    assert [row[:4] for row in rows(README, "Settings")] == expected


def test_the_readme_lists_every_error_with_its_exit_code() -> None:
    expected = {f"`{kind.code}`": str(kind.exit_code) for kind in descendants(errors.MemoireError)}
    assert {row[0]: row[1] for row in rows(README, "Errors")} == expected


def test_every_link_inside_the_documents_leads_somewhere() -> None:
    for name, text in (("README.md", README), ("THEORY.md", THEORY)):
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
            assert (ROOT / target).exists(), f"{name}: {target}"
        for anchor in re.findall(r"\]\(#([^)]+)\)", text):
            assert anchor in {slug(title) for title in re.findall(r"(?m)^#+ (.*)$", text)}, f"{name}: #{anchor}"


def test_theory_gives_the_constants_of_the_scorer() -> None:
    expected = {name: value for name, value in vars(scorer).items() if name.isupper() and isinstance(value, float)}
    assert {row[0]: float(row[1]) for row in rows(THEORY, "5. Scoring")} == expected


def test_theory_gives_every_relation_as_it_is() -> None:
    travels = {"none": "none", "source_to_target": "source to target", "target_to_source": "target to source"}
    expected = [
        [one.name, one.meaning, "yes" if one.causal else "no", one.cost, travels[one.propagates]]
        for one in RELATIONS.values()
    ]
    assert rows(THEORY, "3. Relations") == expected


def descendants(kind: type[errors.MemoireError]) -> list[type[errors.MemoireError]]:
    return [kind, *[found for child in kind.__subclasses__() for found in descendants(child)]]


def slug(title: str) -> str:
    return re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-")


def test_theory_gives_the_importance_of_every_event() -> None:
    expected = [
        recorder.ACCESS, recorder.SESSION, recorder.ERRAND, edits._COSMETIC,
        recorder.COMMAND, git_events._NOTHING,
        recorder.PROMPT, edits._TEXT, git_events._ASIDE,
        edits._BODY, recorder.CHECK, recorder.FAILURE, git_events._VIEW,
        edits._PRESENCE, git_events._ADDS,
        edits._SIGNATURE, git_events._REWRITES,
        recorder.FAILED_CHECK, git_events._TAKES_BACK,
    ]  # fmt: skip
    assert [float(row[1]) for row in rows(THEORY, "Importance of events")] == expected


def test_the_readme_names_every_language_that_is_read_in_full() -> None:
    line = next(part for part in README.split("\n- ") if part.startswith("Read in full")).lower()
    names = {name for item in LANGUAGES if item.syntax is not None for name in (item.name, *item.titles.values())}
    assert not [name for name in sorted(names) if language_title(name).lower() not in line]


@pytest.mark.shows("M37")
def test_the_index_for_models_names_every_document_and_no_other() -> None:
    index = (ROOT / "llms.txt").read_text()
    linked = re.findall(r"\]\(([^)]+)\)", index)
    documents = [
        "README.md",
        "THEORY.md",
        "examples/README.md",
        *(f"docs/{one.name}" for one in (ROOT / "docs").glob("*.md")),
    ]
    assert sorted(linked) == sorted(documents)
    assert index.startswith("# memoire\n\n> ")
