"""Every client: what it writes, and that all of it comes back to the letter, from any configuration."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from memoire import setup
from memoire.clients import CLIENTS
from memoire.clients._spec import Client, Edit
from memoire.clients.edits.json_items import JsonItems
from memoire.clients.edits.json_key import JsonKey
from memoire.clients.edits.text_block import MarkdownBlock
from memoire.clients.edits.toml_table import TomlTable
from memoire.clients.edits.yaml_key import YamlKey
from memoire.setup_work import CREATED, LEFT_ALONE, UNCHANGED, Action

GOLDEN = Path(__file__).parent.parent.parent / "golden" / "clients"
PROGRAM = "/opt/memoire/bin/memoire"

by_client = pytest.mark.parametrize("client", CLIENTS, ids=[client.name for client in CLIENTS])

pytestmark = pytest.mark.usefixtures("home", "installed")


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have memoire, and nothing else, on PATH."""
    monkeypatch.setattr("shutil.which", lambda command: PROGRAM if command == "memoire" else None)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "work" / "proj"
    root.mkdir(parents=True)
    return root


def user_edits(client: Client) -> tuple[Edit, ...]:
    return client.user_edits()


def project_edits(client: Client) -> tuple[Edit, ...]:
    return client.edits


JSON = {
    "empty": "",
    "white space": " \n\n",
    "a byte order mark": "\ufeff",
    "an empty object": "{}",
    "an empty object over lines": "{\r\n}",
    "comments alone": "{\n  // nothing\n  /* at\n all */ }",
    "other keys": '{\n  "a": 1,\n  "b": [1, 2, { "c": null }],\n}\n',
    "tabs": '{\n\t"a": {\n\t\t"b": 1\n\t}\n}',
    "minified": '{"a":{"b":[1,2]},"c":"d"}',
    "crlf": '{\r\n  "a": 1\r\n}\r\n',
    "a byte order mark and a key": '\ufeff{\n    "a": "é"\n}\n',
    "escapes": '{"a": "\\ud83d\\ude00 // no comment /* nor this */ \\" }"}',
    "a key twice": '{"a": 1, "a": 2}',
}
"""Beside these each file is tried with another entry at the place of memoire's own."""

TOML = {
    "empty": "",
    "comments alone": "# nothing\n",
    "keys": 'model = "x" # mine\napproval_policy = "never"\n',
    "tables": '[mcp_servers.other]\ncommand = "npx"\nargs = [\n  "-y",\n]\n\n[projects."/a b"]\nx = 1',
    "crlf": "a = 1\r\n\r\n[b]\r\nc = 2\r\n",
    "a byte order mark": "\ufeffa = 1\n",
    "a text of several lines": 'a = """\n[mcp_servers.memoire]\n# memoire:end\n"""\n',
}

YAML = {
    "empty": "",
    "comments alone": "# nothing\n",
    "keys": "GOOSE_MODEL: x # mine\nGOOSE_PROVIDER: y\n",
    "extensions": "extensions:\n  developer:\n    enabled: true\n    args:\n    - a\nGOOSE_MODEL: x\n",
    "deep extensions": "extensions:\n      developer: {enabled: true}",
    "extensions without any": "extensions:\n",
    "crlf": "a: 1\r\nextensions:\r\n  b:\r\n    c: 1\r\n",
}

MARKDOWN = {
    "empty": "",
    "text": "# Rules\n\nBe kind.\n",
    "no last line end": "# Rules\n\nBe kind.",
    "crlf": "# Rules\r\n\r\nBe kind.\r\n",
    "a byte order mark": "\ufeff# Rules\n",
    "blank lines": "# Rules\n\n\n",
}


def texts_for(edit: Edit) -> dict[str, str]:
    if isinstance(edit, JsonKey | JsonItems):
        beside: object = {"other": {"command": "other"}}
        for key in reversed(edit.path[:-1] if isinstance(edit, JsonKey) else edit.path):
            beside = {key: beside}
        return {**JSON, "another entry": json.dumps(beside, indent=2), "another entry, minified": json.dumps(beside)}
    return {TomlTable: TOML, YamlKey: YAML, MarkdownBlock: MARKDOWN}.get(type(edit), {"missing": ""})


def init_of(scope: str, root: Path, client: Client, *, dry_run: bool = False) -> list[Action]:
    if scope == "user":
        return setup.init_user(clients=[client], dry_run=dry_run)
    return setup.init(str(root), clients=[client], dry_run=dry_run)


def uninstall_of(scope: str, root: Path) -> list[Action]:
    return setup.uninstall_user() if scope == "user" else setup.uninstall(str(root))


SCOPES: dict[str, Callable[[Client], tuple[Edit, ...]]] = {"project": project_edits, "user": user_edits}


def held(folder: Path) -> dict[str, bytes]:
    state = folder / ".local"
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else b""
        for path in sorted(folder.rglob("*"))
        if not path.is_relative_to(state)
    }


@by_client
@pytest.mark.parametrize("scope", SCOPES)
def test_what_it_writes_is_taken_back_to_the_letter(scope: str, client: Client, root: Path, home: Path) -> None:
    folder = home if scope == "user" else root
    for edit in SCOPES[scope](client):
        for name, text in texts_for(edit).items():
            file = folder / edit.file
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text.encode())
            before = held(folder)
            actions = init_of(scope, root, client)
            assert LEFT_ALONE not in {action.state for action in actions}, (name, actions)
            assert held(folder) != before, (edit.what, name)
            assert {action.state for action in init_of(scope, root, client)} == {UNCHANGED}, (edit.what, name)
            uninstall_of(scope, root)
            assert held(folder) == before, (edit.what, name)


@by_client
@pytest.mark.parametrize("scope", SCOPES)
def test_what_was_made_leaves_no_trace(scope: str, client: Client, root: Path, home: Path) -> None:
    folder = home if scope == "user" else root
    before = held(folder)
    init_of(scope, root, client)
    assert (held(folder) != before) == (scope == "project" or bool(client.user_edits()))
    uninstall_of(scope, root)
    assert held(folder) == before


@by_client
def test_it_writes_what_is_on_record(client: Client, root: Path, home: Path) -> None:
    told = [
        f"{scope} {action.path}\n{action.todo}\n{action.diff}"
        for scope, folder in (("project", root), ("user", home))
        for action in init_of(scope, folder, client, dry_run=True)
        if action.state == CREATED and not action.path.startswith(".memoire/")
    ]
    text = "\n".join(told)
    file = GOLDEN / f"{client.name}.txt"
    if os.environ.get("MEMOIRE_WRITE_GOLDEN"):
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
    assert text == file.read_text()


def test_who_keeps_its_servers_for_a_user_alone_is_told_how_to_add_it(root: Path) -> None:
    goose = next(client for client in CLIENTS if client.name == "goose")
    (said,) = [action for action in setup.init(str(root), clients=[goose, *CLIENTS[:2]]) if not action.path]
    assert (said.what, said.state) == ("goose", UNCHANGED)
    assert "`memoire init --user --client goose`" in said.why


def test_what_two_clients_share_is_one_edit_of_one_file(root: Path) -> None:
    actions = setup.init(str(root), clients=CLIENTS)
    paths = [(action.path, action.what) for action in actions if action.path]
    assert len(paths) == len(set(paths))
    assert [path for path, _ in paths].count("AGENTS.md") == 1


def test_edits_of_one_file_have_names_of_their_own_or_are_the_same() -> None:
    for edits in SCOPES.values():
        known: dict[tuple[str, str], Edit] = {}
        for edit in (edit for client in CLIENTS for edit in edits(client)):
            assert known.setdefault((edit.file, edit.name), edit) == edit


def test_a_file_by_another_name_is_edited_where_it_is_there(root: Path) -> None:
    (root / "opencode.jsonc").write_text('{\n  // mine\n  "theme": "x"\n}\n')
    opencode = next(client for client in CLIENTS if client.name == "opencode")
    setup.init(str(root), clients=[opencode])
    assert '"memoire"' in (root / "opencode.jsonc").read_text()
    assert not (root / "opencode.json").exists()
    setup.uninstall(str(root))
    assert (root / "opencode.jsonc").read_text() == '{\n  // mine\n  "theme": "x"\n}\n'


def test_a_file_is_kept_as_it_was_until_it_is_restored(root: Path) -> None:
    file = root / ".mcp.json"
    file.write_text('{"mcpServers": {"db": {"env": {"KEY": "k"}}}}')
    (action,) = [action for action in setup.init(str(root), clients=CLIENTS[:1]) if action.path == ".mcp.json"]
    backup = Path(action.backup)
    assert backup.read_text() == '{"mcpServers": {"db": {"env": {"KEY": "k"}}}}'
    assert backup.stat().st_mode & 0o777 == 0o600
    assert not backup.is_relative_to(root)
    again = setup.init(str(root), clients=CLIENTS[:1])
    assert {action.backup for action in again} == {""}
    setup.uninstall(str(root))
    assert not backup.exists()
