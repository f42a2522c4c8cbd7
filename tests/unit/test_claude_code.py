"""What memoire tells Claude Code: pure edits of `.mcp.json` and `CLAUDE.md`, and whether it is there."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoire.clients import CLIENTS, claude_code
from memoire.clients._spec import Undo
from memoire.clients.edits.json_key import JsonKey
from memoire.clients.edits.marks import BLOCK_VERSION, MARKDOWN
from memoire.clients.edits.text_block import MarkdownBlock
from memoire.operations import OPERATIONS

SERVER = {"type": "stdio", "command": "memoire", "args": ["mcp"], "env": {}}
BEGIN = f"<!-- memoire:begin v{BLOCK_VERSION} -->"
KEY = next(edit for edit in claude_code.CLIENT.edits if isinstance(edit, JsonKey))
BLOCK = next(edit for edit in claude_code.CLIENT.edits if isinstance(edit, MarkdownBlock))
BODY = "\n".join((BEGIN, *BLOCK.lines, MARKDOWN.end))


@pytest.fixture
def home(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    return home


class TestClient:
    def test_it_is_one_of_the_clients_and_names_are_told_apart(self) -> None:
        assert claude_code.CLIENT in CLIENTS
        assert len({client.name for client in CLIENTS}) == len(CLIENTS)
        for client in CLIENTS:
            assert len({(edit.file, edit.name) for edit in client.edits}) == len(client.edits)

    @pytest.mark.parametrize(
        "mark", ["home/.claude/", "home/.claude.json", "project/.claude/", "project/CLAUDE.md", "bin/claude"]
    )
    def test_it_is_detected_by_what_it_leaves_behind(self, mark: str, home: Path) -> None:
        project = home.parent / "project"
        project.mkdir()
        assert not claude_code.CLIENT.detect(str(project))
        file = home.parent / mark
        file.parent.mkdir(exist_ok=True)
        file.mkdir() if mark.endswith("/") else file.touch(mode=0o755)
        assert claude_code.CLIENT.detect(str(project))

    def test_the_entry_is_what_claude_code_takes(self) -> None:
        change = KEY.install(None, None)
        assert json.loads(change.text) == {"mcpServers": {"memoire": SERVER}}
        assert change.text == json.dumps({"mcpServers": {"memoire": SERVER}}, indent=2) + "\n"
        assert "approve" in KEY.todo

    def test_the_instructions_are_short_and_name_each_tool(self) -> None:
        text = BLOCK.install(None, None).text
        assert text == f"{BODY}\n"
        assert len(text.splitlines()) <= 12
        assert max(len(line) for line in text.splitlines()) <= 120
        named = set(re.findall(r"`([a-z_]+)`", text)) - {"memoire"}
        tools = [operation.name for operation in OPERATIONS if operation.is_tool]
        assert named == {*tools[:4], "memory_recall", "memory_write"} <= set(tools)


class TestJsonKey:
    def test_servers_of_others_are_kept_in_their_place(self) -> None:
        text = '{\n  // ours\n  "mcpServers": {\n    "db": { "command": "x", "env": {"K": "${K}"} }, // why\n  }\n}'
        change = KEY.install(text, None)
        assert change.text.startswith(text[: text.index(" // why") + 7])
        assert change.is_added
        assert KEY.uninstall(change.text, change.undo).text == text
        assert KEY.install(change.text, change.undo)[:2] == (change.text, change.undo)

    def test_an_entry_of_the_users_own_is_not_overwritten_nor_taken_away(self) -> None:
        text = '{"mcpServers": {"memoire": {"command": "/opt/memoire", "args": ["mcp"], "alwaysLoad": true}}}'
        change = KEY.install(text, None)
        assert (change.text, change.undo, change.is_refused) == (text, None, False)
        assert "of its own" in change.why
        taken = KEY.uninstall(text, None)
        assert (taken.text, taken.is_refused) == (text, True)
        assert "is not what memoire writes" in taken.why

    def test_an_entry_that_an_older_memoire_wrote_is_brought_up_to_date(self) -> None:
        older = JsonKey(what="", file="", path=KEY.path, value={"command": "memoire", "args": ["serve"]})
        before = older.install('{"mcpServers": {}}', None)
        after = KEY.install(before.text, before.undo)
        assert json.loads(after.text) == {"mcpServers": {"memoire": SERVER}}
        assert not after.is_added
        assert KEY.uninstall(after.text, after.undo).text == '{"mcpServers": {}}'

    def test_what_the_user_changed_in_memoires_entry_goes_with_it(self) -> None:
        change = KEY.install('{"mcpServers": {"a": {}}}', None)
        edited = change.text.replace('"env": {}', '"env": {"X": "1"}')
        assert edited != change.text
        assert KEY.install(edited, change.undo).text == edited
        assert KEY.uninstall(edited, change.undo).text == '{"mcpServers": {"a": {}}}'

    def test_objects_that_were_made_for_it_go_with_it_and_those_that_were_there_stay(self) -> None:
        for text in ('{"x": 1}', '{"x": 1, "mcpServers": {}}', "{}", '{\n  "mcpServers": {\n  }\n}\n', "{ }", "", "\n"):
            change = KEY.install(text, None)
            assert KEY.uninstall(change.text, change.undo).text == text

    def test_an_object_that_was_made_for_it_stays_if_others_use_it_by_now(self) -> None:
        change = KEY.install("{}", None)
        edited = change.text.replace('"memoire": {', '"other": 1,\n    "memoire": {')
        assert json.loads(KEY.uninstall(edited, change.undo).text) == {"mcpServers": {"other": 1}}

    def test_without_a_receipt_only_what_memoire_writes_is_taken(self) -> None:
        made = KEY.install(None, None).text
        assert KEY.uninstall(made, None).text == ""
        assert KEY.uninstall(made.replace("\n", "\n\n", 1), None).text == '{\n\n  "mcpServers": {}\n}\n'
        both = KEY.install('{"mcpServers": {"a": {}}}', None).text
        assert KEY.uninstall(both, None).text == '{"mcpServers": {"a": {}}}'

    @pytest.mark.parametrize(
        ("text", "why"),
        [
            ('{"mcpServers": [}', "line 1: a value is missing"),
            ("[]", "it holds no object"),
            ('"text"', "it holds no object"),
            ('{"mcpServers": []}', "`mcpServers` is no object"),
            ('{"mcpServers": null}', "`mcpServers` is no object"),
            ("<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> x\n", "line 1: a value is missing"),
        ],
    )
    def test_what_cannot_be_edited_is_refused_and_named(self, text: str, why: str) -> None:
        change = KEY.install(text, None)
        assert (change.text, change.is_refused, change.why) == (text, True, f"it cannot be edited: {why}")
        assert KEY.uninstall(text, None).text == text
        assert not KEY.uninstall(text, None).is_refused  # nothing of memoire is in it

    def test_a_broken_file_that_may_hold_the_entry_is_named_at_the_end(self) -> None:
        change = KEY.uninstall('{"mcpServers": {"memoire": {}', None)
        assert change.is_refused
        assert "remove `mcpServers.memoire`" in change.why


NAMES = (
    "",
    "# Rules",
    "# Rules\n",
    "# Rules\n\n",
    "\n\n\n",
    "\ufeff# Rules\n",
    "# A\r\n\r\nB\r\n",
    "# A\r\nB",
    "\ufeff",
)


class TestMarkdownBlock:
    @pytest.mark.parametrize("text", NAMES)
    def test_a_blank_line_is_before_it_and_goes_with_it(self, text: str) -> None:
        change = BLOCK.install(text, None)
        assert change.is_added
        assert change.text.startswith(text)
        newline = "\r\n" if "\r\n" in text else "\n"
        if text.strip("\ufeff\n"):
            assert change.text.replace("\r\n", "\n").partition(BEGIN)[0].endswith("\n\n")
            assert not change.text.replace("\r\n", "\n").partition(BEGIN)[0].endswith("\n\n\n")
        assert change.text.count("\n") == change.text.count(newline)
        assert BLOCK.install(change.text, change.undo).text == change.text
        assert BLOCK.uninstall(change.text, change.undo).text == text

    @given(st.text(alphabet="ab#\n \t<!-é\ufeff").map(lambda text: text.replace("\r", "")), st.booleans())
    def test_any_text_comes_back_to_the_letter(self, text: str, is_crlf: bool) -> None:
        text = text.replace("\n", "\r\n") if is_crlf else text
        change = BLOCK.install(text, None)
        assert BLOCK.uninstall(change.text, change.undo).text == text

    @given(
        st.sampled_from(NAMES),
        st.text(alphabet="ab\n", max_size=6),
        st.text(alphabet="ab\n", max_size=6),
    )
    def test_what_is_written_around_it_meanwhile_survives(self, text: str, above: str, below: str) -> None:
        change = BLOCK.install(text, None)
        above = f"{above}\n" if above and not text.startswith("\ufeff") else ""
        below = below if change.text.endswith("\n") else f"\n{below}"
        left = BLOCK.uninstall(above + change.text + below, change.undo).text
        assert left.lstrip("\ufeff").split() == (above + text.lstrip("\ufeff") + "\n" + below).split()
        if not below:
            assert left == above + text

    def test_a_paragraph_below_stays_one(self) -> None:
        change = BLOCK.install("# A\n", None)
        assert BLOCK.uninstall(f"{change.text}more\n", change.undo).text == "# A\n\nmore\n"
        assert BLOCK.uninstall(f"{change.text}\nmore\n", change.undo).text == "# A\n\nmore\n"

    def test_without_a_receipt_the_usual_line_ends_are_taken(self) -> None:
        for text in ("", "# A", "# A\n", "# A\r\nB\r\n"):
            assert BLOCK.uninstall(BLOCK.install(text, None).text, None).text == text

    def test_line_ends_that_git_converted_do_not_matter(self) -> None:
        change = BLOCK.install("# A\nB\n", None)
        crlf = change.text.replace("\n", "\r\n")
        assert BLOCK.install(crlf, change.undo).text == crlf
        assert BLOCK.uninstall(crlf, change.undo).text == "# A\r\nB\r\n"

    def test_an_older_block_is_replaced_where_it_is(self) -> None:
        older = f"# A\n\n<!-- memoire:begin v0 -->\nold\n{MARKDOWN.end}\n\n# B\n"
        assert BLOCK.install(older, None).text == f"# A\n\n{BODY}\n\n# B\n"
        edited = f"# A\n\n{BEGIN}\nedited by hand\n{MARKDOWN.end}\n\n# B\n"
        assert BLOCK.install(edited, Undo(before=1, after=1)).text == f"# A\n\n{BODY}\n\n# B\n"

    def test_a_block_that_a_merge_doubled_is_one_again(self) -> None:
        doubled = f"# A\n\n{BODY}\n\n{BODY}\n"
        assert BLOCK.install(doubled, None).text == f"# A\n\n{BODY}\n"
        assert BLOCK.uninstall(doubled, None).text == "# A\n"

    def test_a_block_of_a_newer_memoire_is_its_own(self) -> None:
        newer = f"<!-- memoire:begin v{BLOCK_VERSION + 1} -->\nnew\n{MARKDOWN.end}\n"
        change = BLOCK.install(newer, None)
        assert (change.text, change.is_refused) == (newer, False)
        assert "newer" in change.why

    @pytest.mark.parametrize(
        "text",
        [
            f"{BEGIN}\nx\n",
            f"x\n{MARKDOWN.end}\n",
            f"{MARKDOWN.end}\n{BEGIN}\n",
            f"{BEGIN}\n{BEGIN}\n{MARKDOWN.end}\n",
            f"{BODY}\n{MARKDOWN.end}",
        ],
    )
    def test_marks_that_do_not_match_are_refused_and_named(self, text: str) -> None:
        for change in (BLOCK.install(text, None), BLOCK.uninstall(text, None)):
            assert (change.text, change.is_refused) == (text, True)
            assert "do not match" in change.why

    def test_a_mark_inside_a_line_is_none(self) -> None:
        text = f"Write `{BEGIN}` and `{MARKDOWN.end}`.\n"
        assert BLOCK.install(text, None).text == f"{text}\n{BODY}\n"
        assert BLOCK.uninstall(text, None).text == text
