"""The hooks that Claude Code is given: entries of memoire's beside those of others, in one user's own settings."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoire import hook
from memoire.clients import claude_code
from memoire.clients._program import program
from memoire.clients.claude_code import HOOK_ARGUMENTS, HOOKS, hook_programs, hooks, share_of_hooks
from memoire.clients.edits.json_items import JsonItems

EDIT = next(edit for edit in claude_code.CLIENT.edits if isinstance(edit, JsonItems))
OTHERS: dict[str, Any] = {"matcher": "Bash", "hooks": [{"type": "command", "command": "./guard.sh"}]}
MINE = {"type": "command", "command": "/opt/bin/memoire", "args": HOOK_ARGUMENTS}


def settings(text: str) -> Any:
    return json.loads(text)


def test_the_entries_are_what_claude_code_takes_and_start_no_shell() -> None:
    found = settings(EDIT.install(None, None).text)["hooks"]
    assert list(found) == list(HOOKS)
    assert set(found) == hook.EVENTS["claude-code"]
    for event, entries in found.items():
        ((command,),) = (entry["hooks"] for entry in entries)
        assert (command["type"], command["args"], command["timeout"]) == ("command", ["hook", "claude-code"], 5)
        assert "shell" not in command
        # Claude Code kills what still runs without it when it ends, and does not wait for what it would be told.
        assert ("async" in command) == event.startswith("PostToolUse")
    assert set(found["PreToolUse"][0]["matcher"].split("|")) == {*hook.ASKS["claude-code"][1], "Bash"}


def test_they_stand_in_settings_of_one_user_and_never_in_those_of_all() -> None:
    assert EDIT.file == ".claude/settings.local.json"
    assert EDIT.is_personal


def test_the_program_is_named_by_its_whole_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "memoire").touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert program() == str(tmp_path / "memoire")
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("sys.executable", str(tmp_path / "python"))
    assert program() == str(tmp_path / "memoire")
    (tmp_path / "memoire").unlink()
    assert program() == "memoire"


@pytest.mark.parametrize(
    ("entry", "share"),
    [
        ({"hooks": [MINE]}, "all"),
        ({"matcher": "Edit", "hooks": [MINE, {**MINE, "command": "memoire", "timeout": 9}]}, "all"),
        ({"hooks": [MINE, OTHERS["hooks"][0]]}, "part"),
        (OTHERS, "none"),
        ({"hooks": [{**MINE, "args": ["hook", "cursor"]}]}, "none"),
        ({"hooks": [{**MINE, "command": "/opt/other"}]}, "none"),
        ({"hooks": [{"type": "command", "command": 7}, "memoire", None]}, "none"),
        ({"hooks": []}, "none"),
        ({"hooks": {}}, "none"),
        ("memoire hook claude-code", "none"),
    ],
)
def test_an_entry_is_known_by_what_it_runs(entry: object, share: str) -> None:
    assert share_of_hooks(entry) == share


def test_the_programs_of_settings_are_found_in_any_settings() -> None:
    assert hook_programs({"hooks": {"Stop": [OTHERS, {"hooks": [MINE]}], "x": 1, "y": [None]}}) == {
        "Stop": "/opt/bin/memoire"
    }
    assert [hook_programs(odd) for odd in (None, [1], {"hooks": [1]}, {"hooks": None})] == [{}] * 4


class TestInstall:
    def test_twice_is_once(self) -> None:
        first = EDIT.install('{"hooks": {"Stop": []}}', None)
        again = EDIT.install(first.text, first.undo)
        assert (again.text, again.undo, again.why) == (first.text, first.undo, "")
        assert EDIT.install(first.text, None).text == first.text

    def test_what_an_older_memoire_wrote_is_brought_up_to_date_in_its_place(self) -> None:
        older = msgspec.structs.replace(EDIT, make=lambda: {"Stop": {"hooks": [MINE]}, "Gone": {"hooks": [MINE]}})
        text = json.dumps({"hooks": {"Stop": [OTHERS]}, "x": 1})
        before = older.install(text, None)
        after_text = before.text.replace('"Stop": [', '"Stop": [ {"hooks": []},')
        after = EDIT.install(after_text, before.undo)
        found = settings(after.text)["hooks"]
        assert found["Stop"] == [{"hooks": []}, OTHERS, hooks()["Stop"]]
        assert "Gone" not in found
        assert EDIT.uninstall(after.text, after.undo).text == text.replace('"Stop": [', '"Stop": [ {"hooks": []},')

    def test_without_a_receipt_too(self) -> None:
        text = json.dumps({"hooks": {"Stop": [{"hooks": [MINE]}, OTHERS, {"hooks": [MINE]}]}})
        found = settings(EDIT.install(text, None).text)["hooks"]
        assert found["Stop"] == [hooks()["Stop"], OTHERS]

    def test_what_the_user_changed_stays_and_goes_with_the_rest(self) -> None:
        change = EDIT.install('{"a": 1}', None)
        edited = change.text.replace('"timeout": 5', '"timeout": 50', 1)
        again = EDIT.install(edited, change.undo)
        assert again.text == edited
        assert again.why == "its `hooks.SessionStart` was changed, and stays so"
        assert EDIT.uninstall(edited, change.undo).text == '{"a": 1}'

    def test_a_command_among_others_of_one_entry_is_the_users(self) -> None:
        text = json.dumps({"hooks": {"Stop": [{"hooks": [MINE, OTHERS["hooks"][0]]}]}})
        change = EDIT.install(text, None)
        assert settings(change.text)["hooks"]["Stop"] == settings(text)["hooks"]["Stop"]
        assert "part of an entry of `hooks.Stop`" in change.why
        taken = EDIT.uninstall(change.text, change.undo)
        assert taken.is_refused
        assert "one of several commands in an entry of `hooks.Stop`" in taken.why

    @pytest.mark.parametrize(
        ("text", "why"),
        [
            ('{"hooks": []}', "`hooks` is no object"),
            ('{"hooks": {"Stop": {}}}', "`hooks.Stop` is no array"),
            ("{", "line 1: it ends too soon"),
            ("[1]", "it holds no object"),
        ],
    )
    def test_what_cannot_be_edited_is_left_alone(self, text: str, why: str) -> None:
        change = EDIT.install(text, None)
        assert (change.text, change.undo, change.is_refused) == (text, None, True)
        assert change.why == f"it cannot be edited: {why}"


class TestUninstall:
    def test_settings_that_their_program_wrote_anew_lose_what_is_memoires_alone(self) -> None:
        change = EDIT.install('{"permissions": {"allow": []}, "hooks": {"Stop": []}}', None)
        rewritten = settings(change.text)
        rewritten["hooks"]["PreToolUse"].insert(0, OTHERS)
        rewritten["permissions"]["allow"].append("Bash(ls)")
        text = json.dumps(rewritten, indent=4)
        left = settings(EDIT.uninstall(text, change.undo).text)
        assert left == {"permissions": {"allow": ["Bash(ls)"]}, "hooks": {"Stop": [], "PreToolUse": [OTHERS]}}

    def test_without_a_receipt_nothing_of_others_is_taken(self) -> None:
        assert EDIT.uninstall(EDIT.install(None, None).text, None).text == ""
        text = json.dumps({"hooks": {"Stop": [OTHERS]}, "x": 1})
        assert EDIT.uninstall(EDIT.install(text, None).text, None).text == text
        assert EDIT.uninstall(text, None).text == text

    def test_a_file_that_cannot_be_read_is_named_where_it_may_hold_something(self) -> None:
        assert EDIT.uninstall("{", None)[:2] == ("{", None)
        assert not EDIT.uninstall("{", None).is_refused
        assert EDIT.uninstall('{ "memoire', None).is_refused

    @given(
        st.dictionaries(
            st.sampled_from([*list(HOOKS)[:4], "Notification"]),
            st.lists(st.sampled_from([OTHERS, {"hooks": []}, {}, 1]), max_size=2),
            max_size=3,
        ),
        st.sampled_from([None, 1, 2, "\t"]),
        st.booleans(),
    )
    def test_it_gives_back_every_letter(
        self, entries: dict[str, Any], indent: int | str | None, has_hooks: bool
    ) -> None:
        value = {"a": 1, "hooks": entries} if has_hooks else {"a": 1}
        text = json.dumps(value, indent=indent)
        change = EDIT.install(text, None)
        assert EDIT.uninstall(change.text, change.undo).text == text
        found = settings(change.text)["hooks"]
        assert all(found[event][-1] == entry for event, entry in hooks().items())
        assert all(found[event][: len(items)] == items for event, items in entries.items() if has_hooks)
