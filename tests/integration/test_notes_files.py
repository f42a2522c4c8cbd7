"""The commands that carry notes between the daemon and files, run as a person runs them."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memoire import cli
from tests.daemon_places import Place, new_place

RULES = "- Run `make test` before each commit.\n- Never mock the store: see `shop/store.py`.\n"
RECORD = "# 1. Keep one table\n\nDate: 2024-03-01\n\n## Status\n\nAccepted\n\n## Decision\n\nWe keep one table.\n"


@pytest.fixture(scope="module")
def place() -> Iterator[Place]:
    with new_place() as place:
        root = Path(place.root)
        for path, text in {
            "CLAUDE.md": RULES,
            "docs/adr/0001-one-table.md": RECORD,
            "locales/en.json": '{"text": "Hello", "type": "entity"}',
            "docs/guide.md": "# Guide\n\nA page that is no note.\n",
            "shop/store.py": "def open_store():\n    return 1\n",
            "node_modules/x/CLAUDE.md": "- Not a rule of this project.\n",
        }.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)
        yield place


def run(place: Place, capsys: pytest.CaptureFixture[str], *given: str, status: int = 0) -> dict[str, Any]:
    assert cli.main([*given, "--json", "--root", place.root]) == status
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


@pytest.mark.shows("H81")
def test_a_projects_own_rules_and_decisions_are_shown_then_written_then_exported_and_read_back(
    place: Place, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal = Path(place.root, ".memoire/notes.jsonl")
    shown = run(place, capsys, "notes", "import")
    assert (shown["summary"], shown["dry_run"]) == ({"create": 3}, True)
    assert {row["source"] for row in shown["rows"]} == {"CLAUDE.md", "docs/adr/0001-one-table.md"}
    assert shown["unread"] == []
    assert ["shop/store.py"] in [row.get("about") for row in shown["rows"]]
    assert not journal.exists()
    assert cli.main(["notes", "import", "--root", place.root]) == 0
    told = capsys.readouterr().out
    assert "Never mock the store" in told
    assert "add --apply to write 3" in told
    assert run(place, capsys, "notes", "import", "--apply")["summary"] == {"create": 3}
    assert run(place, capsys, "notes", "import", "--apply")["summary"] == {"duplicate": 3}

    tree, lines = tmp_path / "notes", tmp_path / "notes.jsonl"
    assert run(place, capsys, "notes", "export", str(tree))["notes"] == 3
    assert run(place, capsys, "notes", "export", str(lines))["notes"] == 3
    before = journal.read_bytes()
    for path in (tree, lines):
        assert run(place, capsys, "notes", "import", str(path), "--apply")["summary"] == {"duplicate": 3}
    assert journal.read_bytes() == before
    assert cli.main(["notes", "export", "--root", place.root]) == 0
    assert capsys.readouterr().out == lines.read_text()

    own = tree / "decision" / "mine.md"
    own.write_text("# A page of my own\n")
    files = sorted(path for path in tree.rglob("*.md") if path != own)
    edited = next(path for path in files if "We keep one table." in path.read_text())
    edited.write_text(edited.read_text().replace("We keep one table.", "We keep two tables."))
    shown = run(place, capsys, "notes", "import", str(edited), "--apply")
    assert shown["summary"] == {"supersede": 1}
    again = run(place, capsys, "notes", "export", str(tree))
    assert (again["notes"], again["changed"], again["left_alone"]) == (4, 2, [])
    (gone,) = (path for path in files if "make test" in path.read_text())
    name = run(place, capsys, "notes", "list", "--pattern", "make test")["notes"][0]["id"]
    project = run(place, capsys, "context")["project_id"]
    run(place, capsys, "notes", "forget", name, project)
    assert run(place, capsys, "notes", "export", str(tree))["removed"] == 1
    assert own.exists()
    assert not gone.exists()


def test_what_cannot_be_read_or_written_is_said(
    place: Place, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    odd = tmp_path / "odd.json"
    odd.write_bytes(b"\xff\xfe\x00")
    shown = run(place, capsys, "notes", "import", str(odd), status=1)
    assert shown["unread"] == [{"source": "odd.json", "line": 0, "why": "it is no UTF-8 text"}]
    assert (
        run(place, capsys, "notes", "import", str(tmp_path / "none"), status=2)["error"]["code"] == "invalid-argument"
    )
    assert (
        run(place, capsys, "notes", "export", "--format", "markdown", status=2)["error"]["code"] == "invalid-argument"
    )
    taken = tmp_path / "taken"
    taken.write_text("x")
    assert run(place, capsys, "notes", "export", str(taken), status=2)["error"]["code"] == "invalid-argument"
    secret = tmp_path / "AGENTS.md"
    secret.write_text("- The key is AKIAIOSFODNN7EXAMPLE.\n")
    shown = run(place, capsys, "notes", "import", str(secret), status=1)
    assert shown["rows"][0]["code"] == "ERR_SECRET"


@pytest.mark.shows("H78")
def test_the_doctor_names_what_a_merge_left_and_mends_it(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    run(place, capsys, "notes", "write", "Use one queue.")
    journal, joined = Path(place.root, ".memoire/notes.jsonl"), Path(place.root, ".memoire/.gitattributes")
    lines = journal.read_text().splitlines()
    joined.unlink(missing_ok=True)
    journal.write_text("\n".join(["<<<<<<< HEAD", *lines, "=======", *lines, ">>>>>>> theirs", "{torn"]))
    Path(place.state, "closed").mkdir(mode=0o500)

    def checked(*given: str) -> tuple[dict[str, Any], dict[str, str]]:
        cli.main(["doctor", *given, "--json", "--root", place.root])  # 1 where a client of this machine is not set up
        found = json.loads(capsys.readouterr().out)
        (notes,) = (one for one in found["checks"] if one["check"] == "notes")
        return found, notes

    _, notes = checked()
    assert (notes["state"], notes["advice"]) == ("warning", "Run `memoire doctor --fix`.")
    assert "3 lines of a conflict" in notes["found"]
    assert f"line {2 * len(lines) + 4}: it cannot be read" in notes["found"]
    found, notes = checked("--fix")
    done = [f"{one['what']}: {one['done']}" for one in found["mended"] if one["is_done"]]
    assert any(f"3 of a conflict, {len(lines)} doubled" in one for one in done)
    assert any(".gitattributes" in one for one in done)
    assert any("closed: may be written again" in one for one in done)
    assert joined.read_text() == "notes.jsonl merge=union\n"
    assert journal.read_text().splitlines() == [*lines, "{torn"]
    assert Path(place.state, "closed").stat().st_mode & 0o777 == 0o700
    assert "it cannot be read" in notes["found"], "what nobody can read is named, and stays"
    again, _ = checked("--fix")
    assert again["mended"] == []


@pytest.mark.shows("H73", "M35")
def test_changes_are_made_from_a_file_line_by_line(
    place: Place, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, changes = tmp_path / "note.md", tmp_path / "changes.jsonl"
    text.write_text("Logs are kept a week.\n\nLonger ones fill the disk.\n")
    (made,) = run(place, capsys, "notes", "write", "--text-file", str(text), "--type", "gotcha")["results"]
    steps: list[dict[str, Any]] = [
        {"do": "write", "notes": [{"text": "Deploys are on Monday.", "key": "k1"}]},
        {"do": "revise", "action": "edit", "ids": [made["id"]], "set": {"importance": 9}},
        {"do": "revise", "action": "archive", "ids": ["nothere"]},
        {"do": "feedback", "ids": ["k1"], "signal": "positive"},
    ]
    changes.write_text("\n".join(json.dumps(step) for step in steps))
    done = run(place, capsys, "notes", "apply", str(changes), status=1)
    assert [row["state"] for row in done["changes"]] == ["done", "done", "failed", "skipped"]
    assert done["changes"][2]["code"] == "ERR_UNKNOWN_NOTE"
    again = run(place, capsys, "notes", "apply", str(changes), "--on-error", "continue", status=1)
    assert [row["state"] for row in again["changes"]] == ["done", "done", "failed", "done"]
    assert [row["tx"] for row in again["changes"][:2]] == [None, None], "what is so already is not written again"
    (note,) = run(place, capsys, "notes", "read", made["id"])["notes"]
    assert (note["text"], note["importance"]) == (text.read_text().strip(), 9)
    changes.write_text('{"do": "forge"}')
    assert run(place, capsys, "notes", "apply", str(changes), status=2)["error"]["code"] == "invalid-argument"


@pytest.mark.shows("M28")
def test_an_answer_can_be_had_as_plain_json_briefly_or_not_at_all(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    run(place, capsys, "notes", "write", "Nights are slow.")
    given = ["notes", "list", "--pattern", "Nights are slow", "--root", place.root]
    whole = run(place, capsys, *given[:-2])
    assert cli.main([*given, "--brief"]) == 0
    brief = capsys.readouterr().out
    assert brief.count("\n") == 1
    (note,) = json.loads(brief)["notes"]
    assert note == {key: value for key, value in whole["notes"][0].items() if value not in (None, "", [], {})} | {
        "freshness": {"state": "unknown"}, "valid": {"from": whole["notes"][0]["valid"]["from"]},
    }  # fmt: skip
    assert cli.main(["--brief", *given]) == 0
    assert capsys.readouterr().out == brief
    assert cli.main([*given, "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")
    assert cli.main(["notes", "read", "nothere", "--quiet", "--limit", "3", "--root", place.root]) == 2
    assert "no such argument" in capsys.readouterr().err
