"""One table of memoire's in a TOML file that is somebody else's."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoire.clients.edits.toml_table import TomlTable

TABLE = TomlTable(
    what="", file="config.toml", table=("mcp_servers", "memoire"), values={"command": "memoire", "args": ["mcp"]}
)
OLDER = TomlTable(what="", file="config.toml", table=TABLE.table, values={"command": "memoire", "args": ["serve"]})
BLOCK = """\
# memoire:begin v1
[mcp_servers.memoire]
command = "memoire"
args = ["mcp"]
# memoire:end
"""
THEIRS = """\
model = "gpt-5" # the large one

[mcp_servers.other] # mine
command = "npx"
args = [
  "-y",
  "other",
]

  [mcp_servers.other.env]
  KEY = '''
[mcp_servers.memoire]
# memoire:end
'''

[projects."/home/me/a b"]
trust_level = "trusted"
"""

parts = st.sampled_from(
    [
        "", "\n", "# a comment", "a = 1", 'b = "x # y"', "c = [\n  [1],\n  [2], # two\n]", "[t]", "k = 1", "[t.u]",
        "[[list]]", "n = 1", "[mcp_servers]", "[mcp_servers.other]", 'command = "x"', "  ", "\t# tab",
        'text = """\n[x]\n"""', "[projects.'/a/b']", "d = 2026-12-01", "é = 1", '"é" = "ü"',
    ]
)  # fmt: skip
texts = st.builds(
    lambda bom, lines, newline, last: bom + newline.join(lines).replace("\n", newline) + last * newline,
    st.sampled_from(["", "\ufeff"]),
    st.lists(parts, max_size=8),
    st.sampled_from(["\n", "\r\n"]),
    st.integers(0, 2),
)


def is_toml(text: str) -> bool:
    try:
        tomllib.loads(text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError:
        return False
    return True


def test_a_file_that_is_missing_holds_the_table_alone() -> None:
    change = TABLE.install(None, None)
    assert change.text == BLOCK
    assert change.is_added
    assert tomllib.loads(change.text) == {"mcp_servers": {"memoire": {"command": "memoire", "args": ["mcp"]}}}
    assert TABLE.uninstall(change.text, change.undo).text == ""


def test_a_table_is_added_at_the_end_and_all_else_is_as_it_was() -> None:
    change = TABLE.install(THEIRS, None)
    assert change.text == f"{THEIRS}\n{BLOCK}"
    assert TABLE.install(change.text, change.undo).text == change.text
    assert TABLE.uninstall(change.text, change.undo).text == THEIRS


@given(texts)
def test_what_is_added_to_any_file_is_taken_away_to_the_letter(text: str) -> None:
    change = TABLE.install(text, None)
    if change.is_refused:
        assert change.text == text
        assert change.why
        return
    assert is_toml(text)
    assert tomllib.loads(change.text.removeprefix("\ufeff"))["mcp_servers"]["memoire"]["args"] == ["mcp"]
    assert TABLE.install(change.text, change.undo) == (change.text, change.undo, "", False, False)
    assert TABLE.uninstall(change.text, change.undo).text == text


@given(texts, texts)
def test_what_another_program_adds_behind_it_stays(text: str, more: str) -> None:
    change = TABLE.install(text, None)
    grown = change.text + more.removeprefix("\ufeff")
    if change.is_refused or not is_toml(grown):
        return
    left = TABLE.uninstall(grown, change.undo)
    if not left.is_refused:
        assert tomllib.loads(left.text.removeprefix("\ufeff")).get("mcp_servers", {}).get("memoire") is None
        if "mcp_servers" not in text + more:
            assert tomllib.loads(left.text.removeprefix("\ufeff")) == {
                key: value for key, value in tomllib.loads(grown.removeprefix("\ufeff")).items() if key != "mcp_servers"
            }


def test_a_table_that_another_program_put_before_the_last_mark_is_not_taken_away() -> None:
    change = TABLE.install('model = "x"\n', None)
    added = change.text.replace("# memoire:end", '\n[projects."/a"]\ntrust_level = "trusted"\n# memoire:end')
    left = TABLE.uninstall(added, change.undo)
    assert not left.is_refused
    assert tomllib.loads(left.text) == {"model": "x", "projects": {"/a": {"trust_level": "trusted"}}}
    assert "memoire" not in left.text


def test_a_table_whose_marks_are_lost_is_found_by_its_name() -> None:
    change = TABLE.install(THEIRS, None)
    rewritten = "\n".join(line for line in change.text.splitlines() if "memoire:" not in line) + "\n"
    rewritten = rewritten.replace("KEY = '''\n[mcp_servers.memoire]\n", "KEY = '''\n") + "\n# about z\n[z]\n"
    left = TABLE.uninstall(rewritten, change.undo)
    assert not left.is_refused
    assert "memoire" not in left.text
    assert left.text.endswith("# about z\n[z]\n")


def test_a_newer_memoire_writes_its_values_in_the_same_place() -> None:
    older = OLDER.install(THEIRS, None)
    grown = f"{older.text}\n[z]\n"
    change = TABLE.install(grown, older.undo)
    assert change.text == f"{THEIRS}\n{BLOCK}\n[z]\n"
    assert TABLE.uninstall(change.text, change.undo).text == f"{THEIRS}\n[z]\n"


@pytest.mark.parametrize(
    ("theirs", "why"),
    [
        ('[mcp_servers.memoire]\ncommand = "mine"\n', "of its own"),
        ('mcp_servers = { memoire = { command = "mine" } }\n', "of its own"),
        ("mcp_servers = {}\n", "add it by hand"),
        ("mcp_servers = 1\n", "add it by hand"),
        ("a = \n", "line 1"),
    ],
)
def test_what_cannot_be_added_to_is_left_alone_and_said(theirs: str, why: str) -> None:
    change = TABLE.install(theirs, None)
    assert change.text == theirs
    assert why in change.why
    assert TABLE.uninstall(theirs, None).text == theirs


def test_a_table_that_was_changed_by_its_user_stays_when_memoire_is_set_up_again() -> None:
    change = TABLE.install("", None)
    mine = change.text.replace('["mcp"]', '["mcp", "--tools", "graph"]')
    again = TABLE.install(mine, change.undo)
    assert again.text == mine
    assert "of its own" in again.why
    assert TABLE.uninstall(mine, change.undo).text == ""


def test_without_what_was_kept_only_a_table_as_memoire_writes_it_is_taken_away() -> None:
    text = TABLE.install(THEIRS, None).text
    assert TABLE.uninstall(text, None).text == THEIRS
    mine = text.replace('args = ["mcp"]', 'args = ["mine"]')
    left = TABLE.uninstall(mine, None)
    assert (left.text, left.is_refused) == (mine, True)
