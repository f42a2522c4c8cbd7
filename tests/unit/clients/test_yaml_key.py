"""One key of memoire's in a mapping of a YAML file that is somebody else's."""

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from memoire.clients.edits.yaml_key import YamlKey

KEY = YamlKey(
    what="",
    file="config.yaml",
    path=("extensions", "memoire"),
    value={"type": "stdio", "cmd": "memoire", "args": ["mcp"], "enabled": True, "envs": {}, "timeout": 300},
)
OLDER = YamlKey(what="", file="", path=KEY.path, value={"type": "stdio", "cmd": "memoire", "args": ["serve"]})
LINES = """\
  # memoire:begin v1
  memoire:
    type: "stdio"
    cmd: "memoire"
    args: ["mcp"]
    enabled: true
    envs: {}
    timeout: 300
  # memoire:end
"""
THEIRS = """\
GOOSE_MODEL: x # mine
extensions:
  # the tools I use
  developer:
    enabled: true
    args:
    - a

  other: {enabled: false}
GOOSE_PROVIDER: y
"""

parts = st.sampled_from(
    [
        "", "# a comment", "a: 1", "b: 'x # y'", "c:\n- 1\n- 2", "extensions:", "  dev:\n    x: 1", "  # inner",
        "  other: {a: 1}", "text: |\n  extensions:\n    memoire:\n", "extensions: {}", "extensions: {dev: {x: 1}}",
        "---", "é: ü", "    deep: 1", "  memoire_two:\n    x: 1",
    ]
)  # fmt: skip
texts = st.builds(
    lambda bom, lines, newline, last: bom + newline.join(lines).replace("\n", newline) + last * newline,
    st.sampled_from(["", "\ufeff"]),
    st.lists(parts, max_size=6),
    st.sampled_from(["\n", "\r\n"]),
    st.integers(0, 2),
)


def read(text: str) -> dict[str, object]:
    return yaml.safe_load(text.removeprefix("\ufeff")) or {}


def test_a_file_that_is_missing_holds_the_mapping_alone() -> None:
    change = KEY.install(None, None)
    assert change.text == f"# memoire:begin v1\nextensions:\n{''.join(LINES.splitlines(True)[1:-1])}# memoire:end\n"
    assert read(change.text) == {"extensions": {"memoire": dict(KEY.value)}}
    assert KEY.uninstall(change.text, change.undo).text == ""


def test_a_key_is_the_first_of_its_mapping_and_all_else_is_as_it_was() -> None:
    change = KEY.install(THEIRS, None)
    assert change.text == THEIRS.replace("extensions:\n", f"extensions:\n{LINES}")
    assert KEY.install(change.text, change.undo).text == change.text
    assert KEY.uninstall(change.text, change.undo).text == THEIRS


@given(texts)
def test_what_is_added_to_any_file_is_taken_away_to_the_letter(text: str) -> None:
    change = KEY.install(text, None)
    if change.is_refused:
        assert change.text == text
        assert change.why
        return
    assert {**read(change.text), "extensions": None} == {**read(text), "extensions": None}
    assert KEY.install(change.text, change.undo).text == change.text
    assert KEY.uninstall(change.text, change.undo).text == text


def test_a_file_that_was_written_anew_without_comments_gives_the_key_back_all_the_same() -> None:
    change = KEY.install(THEIRS, None)
    rewritten = yaml.safe_dump(read(change.text), sort_keys=False)
    left = KEY.uninstall(rewritten, change.undo)
    assert not left.is_refused
    assert read(left.text) == read(THEIRS)


def test_a_newer_memoire_writes_its_value_in_the_same_place() -> None:
    older = OLDER.install(THEIRS, None)
    change = KEY.install(older.text, older.undo)
    assert change.text == KEY.install(THEIRS, None).text
    assert KEY.uninstall(change.text, change.undo).text == THEIRS


@pytest.mark.parametrize(
    ("theirs", "why"),
    [
        ("extensions:\n  memoire: {cmd: mine}\n", "of its own"),
        ("extensions: {}\n", "add `extensions.memoire` by hand"),
        ("extensions: {developer: {enabled: true}}\n", "by hand"),
        ("extensions: 1\n", "by hand"),
        ("- a\n", "no mapping"),
        ("a: [\n", "line 2"),
        ("a: 1\n---\nb: 1\n", "document"),
    ],
)
def test_what_cannot_be_added_to_is_left_alone_and_said(theirs: str, why: str) -> None:
    change = KEY.install(theirs, None)
    assert change.text == theirs
    assert why in change.why
    assert KEY.uninstall(theirs, None).text == theirs


def test_without_what_was_kept_only_a_key_as_memoire_writes_it_is_taken_away() -> None:
    text = KEY.install(THEIRS, None).text
    assert KEY.uninstall(text, None).text == THEIRS
    mine = text.replace("timeout: 300", "timeout: 1")
    left = KEY.uninstall(mine, None)
    assert (left.text, left.is_refused) == (mine, True)
