"""`init` and `uninstall` on real folders: what is written, what is left alone, and that all of it comes back."""

import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from memoire import config, paths, projectfile, setup, setup_work
from memoire.clients import claude_code
from memoire.clients._spec import Client, Undo
from memoire.clients.edits.json_key import JsonKey
from memoire.clients.edits.marks import BLOCK_VERSION
from memoire.clients.edits.text_block import MarkdownBlock
from memoire.errors import RefusedRootError, UnsafeFolderError
from memoire.setup_work import CREATED, LEFT_ALONE, REMOVED, UNCHANGED, UPDATED, Action

SERVER = {"type": "stdio", "command": "memoire", "args": ["mcp"], "env": {}}
CLAUDE = (claude_code.CLIENT,)
OTHER = Client(
    name="other",
    title="Another assistant",
    detect=lambda _: False,
    edits=(
        JsonKey(what="a hook", file=".claude/settings.json", path=("hooks", "SessionStart"), value=[{"hooks": []}]),
        JsonKey(what="a variable", file=".claude/settings.json", path=("env", "MEMOIRE"), value="1"),
        JsonKey(what="a server", file=".cursor/deep/mcp.json", path=("mcpServers", "memoire"), value=SERVER),
        MarkdownBlock(what="rules", file="AGENTS.md", lines=("use it",)),
    ),
)
BOTH = (claude_code.CLIENT, OTHER)


pytestmark = pytest.mark.usefixtures("home")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "work" / "proj"
    root.mkdir(parents=True)
    return root


def init(root: Path, **options: Any) -> list[Action]:
    return setup.init(str(root), **{"clients": CLAUDE, **options})


def uninstall(root: Path, **options: Any) -> list[Action]:
    return setup.uninstall(str(root), **{"clients": CLAUDE, **options})


def states(actions: list[Action]) -> dict[str, str]:
    return {action.path: action.state for action in actions}


def snapshot(root: Path) -> dict[str, tuple[str, int, bytes]]:
    """Every entry below the root: what it is, its mode, and its bytes or where it leads."""
    found = {}
    for path in sorted(root.rglob("*")):
        mode = stat.S_IMODE(path.lstat().st_mode)
        if path.is_symlink():
            found[str(path.relative_to(root))] = ("link", 0, os.fsencode(path.readlink()))
        elif path.is_dir():
            found[str(path.relative_to(root))] = ("folder", mode, b"")
        elif path.is_file():
            found[str(path.relative_to(root))] = ("file", mode, path.read_bytes())
        else:
            found[str(path.relative_to(root))] = ("other", mode, b"")
    return found


def write(file: Path, content: str | bytes, mode: int = 0o644) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    file.chmod(mode)


OURS = json.dumps({"mcpServers": {"memoire": SERVER}}, indent=2)
SETTINGS = """\
{
  "$schema": "https://json.schemastore.org/claude-code-settings.json",
  // what we allow
  "permissions": {
    "allow": ["Bash(npm run test:*)", "Read(~/.zshrc)"], /* and no more */
    "deny": [],
  },
  "hooks": {
    "PostToolUse": [{ "matcher": "Edit|Write", "hooks": [{ "type": "command", "command": "prettier --write" }] }],
  },
  "env": { "FOO": "a // b /* c */ \\" }", "BAR": "\\ud83d\\ude00" }
}
"""

HOOKED = """\
{
  "hooks": {
    "SessionStart": [
      {
        "hooks": [{ "type": "command", "command": "date" }]
      }
    ],
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "./guard.sh", "timeout": 3 }] },
      { "matcher": "Edit", "hooks": [] }
    ],
    "Stop": [{ "hooks": [{ "type": "prompt", "prompt": "Is memoire hook claude-code done?" }] }]
  }
}
"""

CORPUS: dict[str, dict[str, str | bytes]] = {
    "nothing": {},
    "empty files": {".mcp.json": "", "CLAUDE.md": "", ".claude/settings.json": ""},
    "white space": {".mcp.json": " \n\n", "CLAUDE.md": "\n\n", ".claude/settings.json": "\t"},
    "byte order marks alone": {".mcp.json": "\ufeff", "CLAUDE.md": "\ufeff", "AGENTS.md": "\ufeff\n"},
    "empty objects": {".mcp.json": "{}", ".claude/settings.json": "{}\n", "CLAUDE.md": "x"},
    "empty objects, broken": {".mcp.json": "{\n}\n", ".claude/settings.json": "{\r\n}", "CLAUDE.md": "x\n"},
    "empty objects, spaced": {".mcp.json": "{ }", ".claude/settings.json": '{"hooks": { }, "env": {\n}}'},
    "empty servers": {".mcp.json": '{\n  "mcpServers": {}\n}\n', ".claude/settings.json": '{"env":{},"hooks":{}}'},
    "empty servers, minified": {".mcp.json": '{"mcpServers":{}}'},
    "empty servers, one line": {".mcp.json": '{ "mcpServers": {} }\n'},
    "comment in empty servers": {".mcp.json": '{\n  "mcpServers": {\n    // none yet\n  }\n}\n'},
    "comments alone": {".mcp.json": "{\n  // nothing\n  /* at\n all */ }", ".claude/settings.json": "// x\n{}\n// y"},
    "another server": {".mcp.json": '{\n  "mcpServers": {\n    "db": {"command": "db", "args": ["--ro"]}\n  }\n}\n'},
    "another server, minified": {".mcp.json": '{"mcpServers":{"db":{"command":"db-mcp","env":{"KEY":"${KEY}"}}}}'},
    "another server, tabs": {".mcp.json": '{\n\t"mcpServers": {\n\t\t"db": {\n\t\t\t"url": "http://x"\n\t\t}\n\t}\n}'},
    "another server, four spaces": {".mcp.json": '{\n    "mcpServers": {\n        "db": {}\n    },\n    "x": 1\n}\n'},
    "no indentation": {".mcp.json": '{\n"mcpServers": {\n"db": {}\n}\n}\n'},
    "crlf": {
        ".mcp.json": '{\r\n  "mcpServers": {\r\n    "db": {}\r\n  }\r\n}\r\n',
        "CLAUDE.md": "# Rules\r\n\r\nBe kind.\r\n",
        "AGENTS.md": "# Rules\r\nBe kind.",
    },
    "byte order mark": {".mcp.json": '\ufeff{\n  "mcpServers": {}\n}\n', "CLAUDE.md": "\ufeff# Rules\n"},
    "trailing commas": {".mcp.json": '{\n  "mcpServers": {\n    "db": {},\n  },\n}\n'},
    "trailing comma and comment": {".mcp.json": '{"mcpServers": {"db": {}, // why\n  }}'},
    "comment after the last": {".mcp.json": '{\n  "mcpServers": {\n    "db": {} // why\n    // "old": {}\n  }\n}\n'},
    "comments everywhere": {
        ".mcp.json": '/* a */{/* b */"mcpServers"/* c */:/* d */{/* e */"db"/* f */:/* g */{}/* h */}/* i */}/* j */'
    },
    "unusual nesting": {".mcp.json": '{"a": [[{"mcpServers": {"memoire": 1}}]], "mcpServers": {"x": {"memoire": {}}}}'},
    "keys given twice": {".mcp.json": '{"mcpServers": {"a": {}}, "mcpServers": {"b": {}, "b": {"c": 1}}}'},
    "unknown keys": {".mcp.json": '{"inputs": [{"id": "k"}], "sandbox": null, "n": 1e400, "é": "\\u00e9"}\n'},
    "settings": {".claude/settings.json": SETTINGS, ".claude/settings.local.json": "{}"},
    "settings, crlf and tabs": {".claude/settings.json": SETTINGS.replace("\n", "\r\n").replace("  ", "\t")},
    "hooks of others": {".claude/settings.local.json": SETTINGS},
    "hooks of others, crlf and tabs": {
        ".claude/settings.local.json": "\ufeff" + SETTINGS.replace("\n", "\r\n").replace("  ", "\t")
    },
    "hooks of others for the same events": {".claude/settings.local.json": HOOKED},
    "hooks of others, minified": {".claude/settings.local.json": json.dumps(json.loads(HOOKED), separators=(",", ":"))},
    "hooks of others, one line": {".claude/settings.local.json": json.dumps(json.loads(HOOKED))},
    "empty arrays of hooks": {".claude/settings.local.json": '{"hooks": {"Stop": [], "PreToolUse": [\n  ]}}'},
    "comments in arrays of hooks": {
        ".claude/settings.local.json": '{"hooks": {"Stop": [ // a\n ], "PreToolUse": [/* b */{"hooks": []}, // c\n]}}'
    },
    "hooks that are no object": {".claude/settings.local.json": '{"hooks": []}'},
    "an event that is no array": {".claude/settings.local.json": '{"hooks": {"Stop": {}}}'},
    "permissions alone": {".claude/settings.local.json": '{\n  "permissions": {\n    "allow": ["Bash(ls:*)"]\n  }\n}'},
    "nothing in the hooks": {".claude/settings.local.json": "\ufeff \r\n"},
    "not json": {".mcp.json": "{ not json", ".claude/settings.json": "<<<<<<< HEAD\n{}\n"},
    "not an object": {".mcp.json": "[1, 2]\n", ".claude/settings.json": '"text"'},
    "servers are a list": {".mcp.json": '{"mcpServers": ["memoire"]}', ".claude/settings.json": '{"hooks": null}'},
    "not utf-8": {".mcp.json": b'{"a": "\xe9"}', "CLAUDE.md": b"caf\xe9\n", "AGENTS.md": "é".encode("utf-16")},
    "an entry of its own": {".mcp.json": '{"mcpServers": {"memoire": {"command": "/opt/memoire", "args": ["mcp"]}}}'},
    "a page": {"CLAUDE.md": "# Rules\n\n- one\n- two\n\n```sh\nmake\n```\n\n\n", "AGENTS.md": "see CLAUDE.md\n\n"},
    "a page without its last line end": {"CLAUDE.md": "# Rules\n\nBe kind.", "AGENTS.md": "@CLAUDE.md"},
    "marks that do not match": {"CLAUDE.md": "<!-- memoire:begin v1 -->\nhalf\n", "AGENTS.md": "<!-- memoire:end -->"},
    "odd letters": {"CLAUDE.md": "a\x0bb\x0cc\u2028d\u0085e\x1cf\x00g", "AGENTS.md": "a\rb\r"},
}  # fmt: skip


def lay_out(root: Path, files: dict[str, str | bytes]) -> None:
    for path, content in files.items():
        write(root / path, content)


@pytest.mark.parametrize("name", CORPUS)
def test_uninstall_gives_every_file_back_to_the_byte(name: str, root: Path) -> None:
    lay_out(root, CORPUS[name])
    before = snapshot(root)
    init(root, clients=BOTH)
    after = snapshot(root)
    assert after != before
    assert all(after[path] == before[path] or path in written(after, before) for path in before)
    assert {action.state for action in init(root, clients=BOTH)} <= {UNCHANGED, LEFT_ALONE}
    assert snapshot(root) == after
    uninstall(root, clients=BOTH)
    assert snapshot(root) == before


def written(after: dict[str, Any], before: dict[str, Any]) -> set[str]:
    named = {edit.file for client in BOTH for edit in client.edits}
    return {path for path in before if after[path] != before[path] and path in named}


def link_inside(root: Path) -> None:
    write(root / "AGENTS.md", "# Rules")
    (root / "CLAUDE.md").symlink_to("AGENTS.md")


def link_to_a_folder_inside(root: Path) -> None:
    write(root / "conf" / "settings.json", "{}")
    (root / ".claude").symlink_to("conf")


def link_into_git(root: Path) -> None:
    write(root / ".git" / "config", "[core]\n")
    (root / "CLAUDE.md").symlink_to(".git/config")


LINKS: dict[str, Callable[[Path], None]] = {
    "read-only": lambda root: write(root / "CLAUDE.md", "# Rules\n", 0o444),
    "executable": lambda root: write(root / "CLAUDE.md", "# Rules\n", 0o755),
    "private": lambda root: write(root / ".mcp.json", "{}", 0o600),
    "a link inside": link_inside,
    "a link to a folder inside": link_to_a_folder_inside,
    "a link outside": lambda root: (root / "CLAUDE.md").symlink_to(root.parent / "outside.md"),
    "a folder that is a link outside": lambda root: (root / ".cursor").symlink_to(root.parent),
    "a link to nothing": lambda root: (root / "CLAUDE.md").symlink_to("nowhere.md"),
    "a link to itself": lambda root: (root / "CLAUDE.md").symlink_to("CLAUDE.md"),
    "a link into git": link_into_git,
    "a folder of that name": lambda root: (root / "CLAUDE.md").mkdir(),
    "a pipe": lambda root: os.mkfifo(root / ".mcp.json"),
    "a file where a folder is needed": lambda root: write(root / ".cursor", "no folder"),
    "a huge file": lambda root: write(root / "CLAUDE.md", "x\n" * (projectfile.MAX_BYTES // 2 + 1)),
}


@pytest.mark.parametrize("name", LINKS)
def test_links_modes_and_what_is_no_file_survive(name: str, root: Path) -> None:
    write(root.parent / "outside.md", "# Not ours\n")
    LINKS[name](root)
    before = snapshot(root.parent)
    init(root, clients=BOTH)
    after = snapshot(root.parent)
    assert {path: after[path][:2] for path in before} == {path: entry[:2] for path, entry in before.items()}
    assert after["outside.md"] == before["outside.md"]
    uninstall(root, clients=BOTH)
    assert snapshot(root.parent) == before


@pytest.mark.parametrize(
    ("name", "file", "why"),
    [
        ("read-only", "CLAUDE.md", "it is read-only"),
        ("a link outside", "CLAUDE.md", "it is a link that leads out of {root}"),
        ("a folder that is a link outside", ".cursor/deep/mcp.json", "it is a link that leads out of {root}"),
        ("a link to nothing", "CLAUDE.md", "it is a link to nothing"),
        ("a link to itself", "CLAUDE.md", "it cannot be read (Too many levels of symbolic links)"),
        ("a link into git", "CLAUDE.md", "it leads into `.git`"),
        ("a folder of that name", "CLAUDE.md", "it is no regular file"),
        ("a pipe", ".mcp.json", "it is no regular file"),
        ("a file where a folder is needed", ".cursor/deep/mcp.json", "it cannot be read (Not a directory)"),
        ("a huge file", "CLAUDE.md", "it is larger than 4 MB"),
    ],
)
def test_what_must_not_be_written_is_left_alone_and_named(name: str, file: str, why: str, root: Path) -> None:
    write(root.parent / "outside.md", "# Not ours\n")
    LINKS[name](root)
    (action,) = [action for action in init(root, clients=BOTH) if action.path == file]
    assert (action.state, action.why, action.todo) == (LEFT_ALONE, why.format(root=root), "")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (b"{ not json", "it cannot be edited: line 1: a key in double quotes is missing"),
        (b"[]", "it cannot be edited: it holds no object"),
        (b'{"mcpServers": 3}', "it cannot be edited: `mcpServers` is no object"),
        (b'{"a": "\xff"}', "it is not UTF-8"),
    ],
)
def test_a_file_that_cannot_be_parsed_is_left_alone_and_the_rest_is_set_up(text: bytes, why: str, root: Path) -> None:
    write(root / ".mcp.json", text)
    actions = init(root)
    (action,) = [action for action in actions if action.path == ".mcp.json"]
    assert (action.state, action.why) == (LEFT_ALONE, why)
    assert states(actions)["CLAUDE.md"] == CREATED
    assert (root / ".mcp.json").read_bytes() == text


class TestInit:
    def test_a_new_project_gets_its_settings_and_claude_code(self, root: Path) -> None:
        actions = init(root)
        assert states(actions) == {
            ".memoire/config.toml": CREATED,
            ".memoire/.gitignore": CREATED,
            ".memoire/.gitattributes": CREATED,
            ".memoire/local": CREATED,
            ".mcp.json": CREATED,
            ".claude/settings.local.json": CREATED,
            "CLAUDE.md": CREATED,
        }
        assert (root / ".mcp.json").read_text() == f"{OURS}\n"
        assert (root / ".memoire/.gitignore").read_text() == "local\n"
        assert (root / ".memoire/local").read_text() == f"{paths.state_dir(root)}\n"
        assert paths.is_initialized(root)
        assert stat.S_IMODE((root / ".mcp.json").stat().st_mode) == 0o666 & ~umask()

    def test_the_settings_it_writes_are_understood_and_name_the_project(self, root: Path) -> None:
        before = paths.project_id(root)
        init(root)
        settings, warnings = config.load(root, environ={})
        assert (settings.project_id, warnings) == (before, [])
        text = (root / ".memoire/config.toml").read_text()
        write(root / ".memoire/config.toml", text.replace("# ignore", "ignore").replace("# documents", "documents"))
        settings, warnings = config.load(root, environ={})
        assert (settings.ignore, warnings) == (("fixtures/",), [])
        assert settings.documents == {"docs/rfcs/**": "specification"}

    def test_git_leaves_out_what_is_of_this_machine(self, root: Path) -> None:
        subprocess.run(["git", "init", "-q", root], check=True)
        init(root)
        found = subprocess.run(
            ["git", "-C", root, "status", "--porcelain", "-uall"], check=True, capture_output=True, text=True
        )
        assert found.stdout.split()[::2] == ["??"] * 6
        assert found.stdout.split()[1::2] == [
            ".claude/settings.local.json", ".mcp.json", ".memoire/.gitattributes", ".memoire/.gitignore",
            ".memoire/config.toml", "CLAUDE.md",
        ]  # fmt: skip

    def test_a_personal_file_that_git_would_commit_is_told(self, root: Path) -> None:
        assert not [action.todo for action in init(root, dry_run=True) if "git would commit" in action.todo]
        subprocess.run(["git", "init", "-q", root], check=True)
        told = [action.path for action in init(root, dry_run=True) if "git would commit" in action.todo]
        assert told == [".claude/settings.local.json"]
        write(root / ".git" / "info" / "exclude", "settings.local.json\n")
        assert not [action.todo for action in init(root) if "git would commit" in action.todo]

    def test_what_the_user_must_do_is_said_once_it_is_written(
        self, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("PATH", str(tmp_path / "bin"))
        assert [action.todo for action in init(root, dry_run=True) if action.todo] == [
            "Claude Code asks once to approve the project's MCP server: run `claude` here and accept it, or /mcp. "
            "Put `memoire` on PATH first: it is looked for there."
        ]
        write(tmp_path / "bin" / "memoire", "#!/bin/sh\n", 0o755)
        todos = [action.todo for action in init(root) if action.todo]
        assert [todo.endswith("or /mcp.") for todo in todos] == [True]
        assert not [action.todo for action in init(root) if action.todo]

    def test_settings_that_are_there_stay_as_they_are(self, root: Path) -> None:
        write(root / ".memoire/config.toml", 'ignore = ["x"]\n')
        write(root / ".memoire/.gitignore", "*.bak\n/local\n")
        before = snapshot(root)
        assert states(init(root, clients=()))[".memoire/config.toml"] == UNCHANGED
        after = snapshot(root)
        assert {path: after[path] for path in before} == before

    def test_an_ignore_file_that_lets_the_local_line_through_is_named(self, root: Path) -> None:
        write(root / ".memoire/.gitignore", "*.bak\n")
        (action,) = [action for action in init(root) if action.path == ".memoire/.gitignore"]
        assert (action.state, action.why) == (LEFT_ALONE, "it lacks the line `local`; add it")

    def test_clients_that_are_detected_are_set_up_and_claude_code_where_none_is(
        self, root: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        absent = Client(name="absent", title="", detect=lambda _: False, edits=OTHER.edits[3:])
        present = Client(name="present", title="", detect=lambda _: True, edits=OTHER.edits[3:])
        monkeypatch.setattr(setup, "CLIENTS", (absent, present))
        assert set(states(setup.init(str(root), dry_run=True))) >= {"AGENTS.md"}
        monkeypatch.setattr(setup, "CLIENTS", (absent, absent))
        assert [action.path for action in setup.init(str(root), dry_run=True)][4:] == ["AGENTS.md", ""]

    @pytest.mark.parametrize("folder", ["/", "/etc", "~", "~/Downloads", "~/gone"])
    def test_a_folder_that_is_too_large_or_too_private_is_refused(self, folder: str, home: Path) -> None:
        (home / "Downloads").mkdir()
        before = snapshot(home)
        with pytest.raises(RefusedRootError):
            setup.init(folder.replace("~", str(home)))
        assert snapshot(home) == before

    def test_whoever_insists_gets_it_and_is_not_refused_again(self, home: Path) -> None:
        with pytest.raises(RefusedRootError, match=r"your home directory.*--force"):
            init(home)
        init(home, force=True)
        assert paths.refuse_reason(home) == ""
        assert paths.find_root(home) == str(home)
        uninstall(home)
        assert paths.refuse_reason(home) == "your home directory"
        with pytest.raises(RefusedRootError):
            init(home / "gone", force=True)

    def test_a_link_in_place_of_its_folder_is_refused_whoever_insists(self, root: Path, tmp_path: Path) -> None:
        (root / ".memoire").symlink_to(tmp_path)
        with pytest.raises(RefusedRootError):
            init(root)
        with pytest.raises(UnsafeFolderError):
            init(root, force=True)
        with pytest.raises(UnsafeFolderError):
            uninstall(root)

    def test_a_folder_below_a_home_that_is_a_work_tree_can_be_a_project(self, home: Path) -> None:
        (home / ".git").mkdir()
        (home / "code" / "app").mkdir(parents=True)
        (home / "code" / "repo" / ".git").mkdir(parents=True)
        (home / "code" / "repo" / "src").mkdir()
        assert setup.find_root(str(home / "code" / "app")) == str(home / "code" / "app")
        assert setup.find_root(str(home / "code" / "repo" / "src")) == str(home / "code" / "repo")
        assert setup.find_root(str(home)) == str(home)

    def test_a_read_only_project_is_not_written(self, root: Path) -> None:
        root.chmod(0o555)
        try:
            actions = init(root)
        finally:
            root.chmod(0o755)
        assert set(states(actions).values()) == {LEFT_ALONE}
        assert snapshot(root) == {}


def umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


class TestDryRun:
    def test_it_writes_nothing_and_shows_what_it_would(self, root: Path, home: Path) -> None:
        write(root / "CLAUDE.md", "# Rules\n\nBe kind.")
        write(root / ".mcp.json", '{\n  "mcpServers": {}\n}\n')
        before = snapshot(root)
        actions = {action.path: action for action in init(root, dry_run=True)}
        assert snapshot(root) == before
        assert snapshot(home) == {}
        assert actions[".mcp.json"].diff.splitlines() == [
            "--- a/.mcp.json",
            "+++ b/.mcp.json",
            "@@ -1,3 +1,12 @@",
            " {",
            '-  "mcpServers": {}',
            '+  "mcpServers": {',
            '+    "memoire": {',
            '+      "type": "stdio",',
            '+      "command": "memoire",',
            '+      "args": [',
            '+        "mcp"',
            "+      ],",
            '+      "env": {}',
            "+    }",
            "+  }",
            " }",
        ]
        assert "\n-Be kind.\n\\ No newline at end of file\n+Be kind.\n" in actions["CLAUDE.md"].diff
        assert actions[".memoire/config.toml"].diff.startswith("--- /dev/null\n+++ b/.memoire/config.toml\n@@ -0,0 ")

    def test_what_it_shows_is_what_is_done(self, root: Path, tmp_path: Path) -> None:
        lay_out(root, CORPUS["settings"] | CORPUS["a page without its last line end"])
        planned = init(root, clients=BOTH, dry_run=True)
        patch = tmp_path / "init.patch"
        patch.write_text("".join(action.diff for action in planned))
        done = init(root, clients=BOTH)
        assert [action._replace(diff="") for action in planned] == done
        expected = snapshot(root)
        uninstall(root, clients=BOTH)
        subprocess.run(["git", "apply", patch], cwd=root, check=True, env={**os.environ, "GIT_DIR": "/nonexistent"})
        assert {path: entry[2] for path, entry in snapshot(root).items()} == {
            path: entry[2] for path, entry in expected.items()
        }

    def test_of_an_uninstall_too(self, root: Path) -> None:
        write(root / "CLAUDE.md", "# Rules\n")
        init(root)
        before = snapshot(root.parent)
        state = snapshot(Path(paths.state_dir(root)))
        planned = uninstall(root, dry_run=True, purge=True)
        assert snapshot(root.parent) == before
        assert snapshot(Path(paths.state_dir(root))) == state
        assert [action.state for action in planned] == [REMOVED] * 6 + [UPDATED]
        assert [action._replace(diff="") for action in planned] == uninstall(root, purge=True)


class TestUninstall:
    def test_of_what_was_never_set_up_nothing_is_done_and_nothing_stays(self, root: Path, home: Path) -> None:
        lay_out(root, CORPUS["another server"] | CORPUS["a page"])
        before = snapshot(root)
        assert uninstall(root) == []
        assert snapshot(root) == before
        assert not [path for path in snapshot(home) if path.startswith(".local/state/memoire/")]

    def test_what_was_written_meanwhile_survives(self, root: Path) -> None:
        write(root / "CLAUDE.md", "# Rules\n")
        write(root / ".mcp.json", '{\n  "mcpServers": {\n    "a": {}\n  }\n}\n')
        init(root)
        page, servers = root / "CLAUDE.md", root / ".mcp.json"
        page.write_text(f"# Intro\n\n{page.read_text()}\n# More\n")
        servers.write_text(
            servers.read_text().replace('"a": {},', '"a": {"x": 1},').replace("\n  }\n}", ',\n    "b": {}\n  }\n}')
        )
        uninstall(root)
        assert page.read_text() == "# Intro\n\n# Rules\n\n# More\n"
        assert servers.read_text() == '{\n  "mcpServers": {\n    "a": {"x": 1},\n    "b": {}\n  }\n}\n'

    def test_a_file_that_was_made_stays_if_something_else_is_in_it_by_now(self, root: Path) -> None:
        init(root, clients=BOTH)
        with (root / "CLAUDE.md").open("a") as stream:
            stream.write("\n# Mine\n")
        servers = root / ".cursor/deep/mcp.json"
        servers.write_text(servers.read_text().replace('"memoire": {', '"mine": {},\n    "memoire": {'))
        assert states(uninstall(root, clients=BOTH))["CLAUDE.md"] == UPDATED
        assert (root / "CLAUDE.md").read_text() == "\n# Mine\n"
        assert json.loads(servers.read_text()) == {"mcpServers": {"mine": {}}}
        assert not (root / ".mcp.json").exists()

    def test_folders_that_were_made_go_unless_something_is_in_them(self, root: Path) -> None:
        init(root, clients=(OTHER,))
        (root / ".cursor/rules").touch()
        uninstall(root, clients=(OTHER,))
        assert list(snapshot(root)) == [".cursor", ".cursor/rules"]

    def test_notes_and_settings_that_were_changed_stay(self, root: Path) -> None:
        init(root)
        notes, settings = root / ".memoire/notes.jsonl", root / ".memoire/config.toml"
        notes.write_text('{"id": 1}\n')
        settings.write_text(settings.read_text() + 'ignore = ["x"]\n')
        kept = {str(action.path): action.why for action in uninstall(root, purge=True) if action.state == UNCHANGED}
        assert kept == {
            ".memoire/config.toml": "it was changed, so it stays",
            ".memoire/notes.jsonl": "they are yours, and stay",
        }
        assert sorted(entry.name for entry in (root / ".memoire").iterdir()) == ["config.toml", "notes.jsonl"]

    def test_settings_that_somebody_else_wrote_stay(self, root: Path) -> None:
        write(root / ".memoire/config.toml", "")
        before = snapshot(root)
        init(root)
        uninstall(root)
        assert snapshot(root) == before

    @pytest.mark.parametrize("damage", ["", "{", '{"CLAUDE.md": 3}', "\0"])
    def test_without_its_receipts_it_takes_what_can_only_be_memoires(self, damage: str, root: Path) -> None:
        lay_out(root, CORPUS["another server"] | CORPUS["a page without its last line end"])
        before = snapshot(root)
        init(root, clients=BOTH)
        receipts = Path(paths.state_dir(root)) / setup_work.RECEIPT_FILE
        receipts.write_text(damage)
        uninstall(root, clients=BOTH)
        found = snapshot(root)
        assert {path: found[path] for path in before} == before
        left = {path for path, entry in found.items() if entry[0] == "file"} - set(before)
        assert left == {".claude/settings.json"}  # two keys in it: no one of them says that memoire made the file
        assert json.loads((root / ".claude/settings.json").read_text()) == {"hooks": {}, "env": {}}

    def test_the_receipts_hold_nothing_of_the_users_text_and_go_when_all_is_back(self, root: Path) -> None:
        write(root / "CLAUDE.md", "the password is hunter2\n")
        write(root / ".mcp.json", '{"mcpServers": {"db": {"env": {"TOKEN": "hunter2"}}}}')
        init(root)
        receipts = Path(paths.state_dir(root)) / setup_work.RECEIPT_FILE
        assert "hunter2" not in receipts.read_text()
        assert stat.S_IMODE(receipts.stat().st_mode) == 0o600
        uninstall(root)
        assert not receipts.exists()

    def test_what_could_not_be_restored_is_named_and_restored_the_next_time(self, root: Path) -> None:
        write(root / "CLAUDE.md", "# Rules")
        write(root / ".mcp.json", '{ "mcpServers": {} }')
        before = snapshot(root)
        init(root)
        (root / "CLAUDE.md").chmod(0o444)
        servers = (root / ".mcp.json").read_text()
        (root / ".mcp.json").write_text(servers + "}")
        left = {action.path: action.why for action in uninstall(root) if action.state == LEFT_ALONE}
        assert left == {
            ".mcp.json": "it cannot be edited: line 1: there is more after the end; remove `mcpServers.memoire`",
            "CLAUDE.md": "it is read-only; take `block` out of it",
        }
        (root / "CLAUDE.md").chmod(0o644)
        (root / ".mcp.json").write_text(servers)
        uninstall(root)
        assert snapshot(root) == before

    def test_a_closed_folder_keeps_nothing_else_from_being_taken_back(self, root: Path) -> None:
        init(root)
        (root / ".memoire").chmod(0o555)
        try:
            left = {action.path: action.why for action in uninstall(root) if action.state == LEFT_ALONE}
            assert left[".memoire/local"] == "it is in a read-only folder"
            assert set(left) == {
                ".memoire/config.toml", ".memoire/.gitignore", ".memoire/.gitattributes", ".memoire/local"
            }  # fmt: skip
            assert [path.name for path in root.iterdir()] == [".memoire"]
            (root / ".memoire" / "local").write_text("of another home\n")
            assert states(init(root))[".memoire/local"] == LEFT_ALONE
        finally:
            (root / ".memoire").chmod(0o755)

    def test_of_a_clone_that_brought_it_along_all_of_it_is_taken(self, root: Path, tmp_path: Path) -> None:
        init(root)
        clone = tmp_path / "work" / "clone"
        subprocess.run(["cp", "-R", root, clone], check=True)
        assert set(states(init(clone)).values()) == {UNCHANGED, UPDATED}  # the line that names the state folder
        uninstall(clone)
        assert snapshot(clone) == {}

    def test_a_file_that_is_gone_by_then_is_no_trouble(self, root: Path) -> None:
        init(root, clients=BOTH)
        for path in ("CLAUDE.md", ".mcp.json", ".cursor/deep/mcp.json"):
            (root / path).unlink()
        uninstall(root, clients=BOTH)
        assert snapshot(root) == {}

    def test_an_old_block_that_was_replaced_goes_too(self, root: Path) -> None:
        write(root / "CLAUDE.md", "# A\n\n<!-- memoire:begin v0 -->\nold\n<!-- memoire:end -->\n\n# B\n")
        assert states(init(root))["CLAUDE.md"] == UPDATED
        assert f"begin v{BLOCK_VERSION} -->" in (root / "CLAUDE.md").read_text()
        uninstall(root)
        assert (root / "CLAUDE.md").read_text() == "# A\n\n# B\n"

    def test_a_purge_takes_the_state_and_the_rest_keeps_it(self, root: Path) -> None:
        init(root)
        state = Path(paths.state_dir(root))
        write(state / "db" / "data", "x")
        (action,) = [action for action in uninstall(root) if action.path == str(state)]
        assert (action.state, action.why) == (UNCHANGED, "kept: `memoire uninstall --purge` removes it")
        assert (state / "db" / "data").exists()
        init(root)
        assert states(uninstall(root, purge=True))[str(state)] == REMOVED
        assert not state.exists()
        assert snapshot(root) == {}


class _Meddling(JsonKey, frozen=True):
    """An edit during which another program writes the file, so many times."""

    def install(self, text: str | None, undo: Undo | None) -> Any:
        found = super().install(text, undo)
        file = Path(self.todo)
        left = MEDDLING[self.todo]
        if left > 0:
            MEDDLING[self.todo] = left - 1
            file.write_text(f'{{"other": {left}}}')
        return found


MEDDLING: dict[str, int] = {}


def meddler(root: Path, times: int) -> Client:
    file = str(root / ".mcp.json")
    MEDDLING[file] = times
    edit = _Meddling(what="", file=".mcp.json", path=("mcpServers", "memoire"), value=SERVER, todo=file)
    return Client(name="", title="", detect=lambda _: True, edits=(edit,))


class TestAtTheSameTime:
    def test_what_another_program_writes_in_between_is_not_lost(self, root: Path) -> None:
        write(root / ".mcp.json", "{}")
        assert states(init(root, clients=(meddler(root, 2),)))[".mcp.json"] == UPDATED
        assert json.loads((root / ".mcp.json").read_text()) == {"other": 1, "mcpServers": {"memoire": SERVER}}

    def test_a_file_that_is_written_all_the_time_is_left_alone(self, root: Path) -> None:
        (action,) = [action for action in init(root, clients=(meddler(root, 9),)) if action.path == ".mcp.json"]
        assert (action.state, action.why) == (LEFT_ALONE, "it is being written by another program; try again")
        assert json.loads((root / ".mcp.json").read_text()) == {"other": 5}

    def test_many_at_once_do_what_one_does(self, root: Path) -> None:
        lay_out(root, CORPUS["settings"] | CORPUS["a page"] | CORPUS["another server"])
        before = snapshot(root)
        with ThreadPoolExecutor(8) as pool:
            runs = list(pool.map(lambda _: init(root, clients=BOTH), range(8)))
        changed = [action for run in runs for action in run if action.state in {CREATED, UPDATED}]
        assert len(changed) == len({(action.path, action.what) for action in changed})
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda number: uninstall(root, clients=BOTH, purge=number % 2 == 0), range(8)))
        assert snapshot(root) == before

    def test_setting_up_and_taking_back_at_once_leaves_the_one_or_the_other(self, root: Path) -> None:
        lay_out(root, CORPUS["crlf"])
        before = snapshot(root)

        def run(number: int) -> None:
            init(root) if number % 2 else uninstall(root, purge=True)

        with ThreadPoolExecutor(6) as pool:
            list(pool.map(run, range(12)))
        assert len([path for path in snapshot(root) if ".memoire-" in path]) == 0
        uninstall(root)
        assert snapshot(root) == before

    def test_two_processes_are_as_safe_as_two_threads(self, root: Path) -> None:
        source = "import sys; from memoire import setup; setup.init(sys.argv[1])"
        runs = [subprocess.Popen([sys.executable, "-c", source, str(root)]) for _ in range(3)]
        assert [run.wait(60) for run in runs] == [0, 0, 0]
        assert (root / ".mcp.json").read_text() == f"{OURS}\n"
        uninstall(root)
        assert snapshot(root) == {}


@pytest.fixture
def file(root: Path) -> Iterator[Path]:
    file = root / "a.txt"
    write(file, "one\n", 0o640)
    yield file
    assert [entry.name for entry in root.iterdir() if ".memoire-" in entry.name] == []


class TestProjectFile:
    def test_a_file_is_replaced_with_its_mode_and_owner(self, file: Path, root: Path) -> None:
        if os.geteuid() == 0:
            os.chown(file, 1234, 1235)
        owner = file.stat()
        assert projectfile.replace(projectfile.look(str(root), "a.txt"), b"two\n")
        after = file.stat()
        assert file.read_bytes() == b"two\n"
        assert (after.st_mode, after.st_uid, after.st_gid) == (owner.st_mode, owner.st_uid, owner.st_gid)
        assert after.st_ino != owner.st_ino

    def test_a_file_that_changed_meanwhile_is_not_replaced_nor_removed(self, file: Path, root: Path) -> None:
        found = projectfile.look(str(root), "a.txt")
        file.write_text("theirs\n")
        assert not projectfile.replace(found, b"two\n")
        assert not projectfile.remove(found)
        file.unlink()
        assert not projectfile.replace(found, b"two\n")
        assert not file.exists()
        absent = projectfile.look(str(root), "a.txt")
        file.write_text("theirs\n")
        assert not projectfile.replace(absent, b"two\n")
        assert file.read_text() == "theirs\n"

    def test_folders_that_are_missing_are_named_and_made(self, root: Path) -> None:
        found = projectfile.look(str(root), "x/y/z.json")
        assert found.folders == (root / "x", root / "x" / "y")
        assert projectfile.replace(found, b"{}")
        assert (root / "x/y/z.json").read_bytes() == b"{}"

    def test_a_root_that_is_a_link_is_followed(self, file: Path, root: Path, tmp_path: Path) -> None:
        (tmp_path / "link").symlink_to(root)
        found = projectfile.look(str(tmp_path / "link"), "a.txt")
        assert (found.real, found.why, found.text()) == (file, "", "one\n")
