"""The hooks in real shells, each in a terminal of its own: what is recorded, what is not, and what stays as it is."""

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memoire import shells
from tests.shell_session import Session

Start = Callable[..., Session]
STATUS = {"bash": "$?", "zsh": "$?", "fish": "$status"}
PIPE_STATUS = {"bash": "${PIPESTATUS[*]}", "zsh": "$pipestatus", "fish": "$pipestatus"}
ALL = pytest.mark.parametrize("name", shells.NAMES)


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Return what starts a shell; the ones started end with the test."""
    sessions: list[Session] = []

    def begin(name: str, before: str = "", after: str = "", program: str = "", *, edits: bool = True) -> Session:
        folder = tmp_path.resolve() / str(len(sessions))
        folder.mkdir()
        sessions.append(Session(name, folder, before, after, program, edits=edits))
        return sessions[-1]

    yield begin
    for session in sessions:
        session.close()


def has_shown(shown: str, *words: str) -> bool:
    """Return whether a line of the terminal is this."""
    lines = re.sub(r"\x1b\[[?0-9;]*[a-zA-Z]", "", shown).replace("\r", "\n").split("\n")
    return " ".join(words) in [line.strip() for line in lines]


@ALL
def test_a_command_is_recorded_with_its_status_its_duration_and_where_it_began(name: str, start: Start) -> None:
    session = start(name)
    (session.root / "sub").mkdir()
    session.run("true", "sh -c 'exit 7'", "cd sub", "sleep 0.1", "cd /", "true # elsewhere")
    found = session.commands()
    root = str(session.root)
    assert [(each.command, each.exit_status, each.cwd) for each in found] == [
        ("true", 0, root),
        ("sh -c 'exit 7'", 7, root),
        ("cd sub", 0, root),
        ("sleep 0.1", 0, f"{root}/sub"),
        ("cd /", 0, f"{root}/sub"),
    ]
    if is_timed(session):
        assert 100 <= (found[3].duration_ms or 0) < 5000
        assert all(each.start for each in found)


def is_timed(session: Session) -> bool:
    first = session.files()[0].read_bytes().split(b"\x1f")
    return bool(first[1] and first[2])


@ALL
def test_records_are_their_users_alone_and_the_mask_stays_as_it_was(name: str, start: Start) -> None:
    session = start(name, before="umask 0")
    shown = session.run("true", "umask", "umask 027", "umask")
    assert session.spool.stat().st_mode & 0o777 == 0o700
    assert [path.stat().st_mode & 0o777 for path in session.files()] == [0o600] * 4
    assert has_shown(shown, "0000") or has_shown(shown, "000")
    assert has_shown(shown, "0027") or has_shown(shown, "027")
    assert all(path.suffix == f".{name}" and path.stem.count("-") == 2 for path in session.files())


@ALL
def test_what_is_private_is_not_recorded(name: str, start: Start) -> None:
    session = start(name)
    on, off = (
        ("set -g MEMOIRE_PRIVATE 1", "set -e MEMOIRE_PRIVATE")
        if name == "fish"
        else ("MEMOIRE_PRIVATE=1", "unset MEMOIRE_PRIVATE")
    )
    session.run(" echo hidden-1", "echo seen-1", on, "echo hidden-2", off, "echo seen-2", "MEMOIRE_PRIVATE=1 env")
    session.run("   true hidden-3")
    assert session.texts() == ["echo seen-1", "echo seen-2"]
    assert not [path for path in session.files() if b"hidden" in path.read_bytes()]


@ALL
def test_the_status_of_a_command_is_what_the_next_one_sees(name: str, start: Start) -> None:
    session = start(name)
    shown = session.run(
        "sh -c 'exit 3' | sh -c 'exit 4' | sh -c 'exit 5'",
        f"echo {PIPE_STATUS[name]} is",
        "sh -c 'exit 6'",
        f"echo status {STATUS[name]}",
    )
    assert has_shown(shown, "3 4 5 is")
    assert has_shown(shown, "status 6")


@pytest.mark.parametrize("name", ["bash", "zsh"])
def test_the_last_argument_of_a_command_is_what_the_next_one_sees(name: str, start: Start) -> None:
    shown = start(name).run("echo one two-three", 'echo "$_ is last"')
    assert has_shown(shown, "two-three is last")


@ALL
def test_what_is_typed_is_recorded_to_the_letter(name: str, start: Start) -> None:
    session = start(name)
    lines = ['echo \'a "b" $c\' \\\\ "é 日本" | cat', "echo '%s %d \\n \\x1f'", "true    two     spaces"]
    session.run(*lines)
    assert session.texts() == lines


@pytest.mark.parametrize("name", ["bash", "zsh"])  # fish takes no odd bytes from a keyboard
def test_bytes_that_are_no_text_are_recorded_as_they_are(name: str, start: Start) -> None:
    session = start(name, edits=False)
    session.run(b"true '\xff\xfe' \xc3x\n", "true")
    assert [path.read_bytes().split(b"\x1f")[-1] for path in session.files()] == [
        b"true '\xff\xfe' \xc3x\x1e\n",
        b"true\x1e\n",
    ]


@pytest.mark.parametrize("name", ["bash", "zsh"])
def test_a_command_of_many_lines_is_one_record(name: str, start: Start) -> None:
    session = start(name)
    session.run(b"cat <<X\nfirst 'line\n\n  second\nX\n", b"true 'over\ntwo lines'" + b"\n", "true")
    assert [text.rstrip("\n") for text in session.texts()] == [
        "cat <<X\nfirst 'line\n\n  second\nX",
        "true 'over\ntwo lines'",
        "true",
    ]


def test_a_command_of_many_lines_is_one_record_in_fish(start: Start) -> None:
    session = start("fish")
    session.run(b"for i in 1 2\ntrue $i\nend\n")
    assert [[line.strip() for line in text.split("\n")] for text in session.texts()] == [
        ["for i in 1 2", "true $i", "end"]
    ]


@pytest.mark.parametrize("name", ["bash", "zsh"])
def test_the_separators_of_a_record_are_taken_out_of_a_command(name: str, start: Start) -> None:
    session = start(name, edits=False)
    session.run(b"true a\x1fb\x1ec\n")
    session.run("true")
    assert session.texts() == ["true a b c", "true"]


@ALL
def test_an_interrupted_command_and_one_in_the_background_have_their_status(name: str, start: Start) -> None:
    session = start(name)
    session.interrupt("sh -c 'touch begun; sleep 60'", "begun")
    session.run("true", "sleep 0 &")
    assert [(each.command, each.exit_status) for each in session.commands()] == [
        ("sh -c 'touch begun; sleep 60'", 130),
        ("true", 0),
        ("sleep 0 &", 0),
    ]


@ALL
def test_a_shell_that_is_killed_or_replaced_leaves_only_whole_records(name: str, start: Start) -> None:
    session = start(name)
    session.run("true")
    session.type(b"exec sh -c 'touch begun; sleep 60'\n")
    session.wait_for(session.root / "begun")
    assert session.texts() == ["true"]


@ALL
def test_only_projects_are_looked_at_and_not_beyond_the_first_git(name: str, start: Start) -> None:
    session = start(name)
    for folder in ("deep/er", "inner/sub", "file"):
        (session.root / folder).mkdir(parents=True)
    (session.root / "inner" / ".git").mkdir()
    (session.root / "file" / ".git").write_text("gitdir: elsewhere\n")
    (session.root / "link").symlink_to(session.root / "deep" / "er")
    session.run("cd deep/er", "true 1", "cd ../../inner/sub", "true 2", "cd ../../file", "true 3", "cd ../..", "true 4")
    session.run(f"cd {session.root}/link", "true 5")
    found = session.commands()
    assert [each.command for each in found if each.command.startswith("true")] == ["true 1", "true 5"]
    assert found[-1].cwd == f"{session.root}/deep/er"


@ALL
def test_a_project_that_is_made_while_one_stands_in_it_is_found(name: str, start: Start) -> None:
    session = start(name)
    local = session.root / ".memoire" / "local"
    local.rename(session.root / "away")
    session.run("true before")
    session.prepare()
    session.run(*["true after"] * 6)
    assert "true before" not in session.texts()
    assert session.texts()[-1] == "true after"
    count = len(session.files())
    local.unlink()
    session.run("true gone")
    assert len(session.files()) == count


@ALL
def test_a_line_that_names_no_state_folder_of_ours_is_not_followed(name: str, start: Start) -> None:
    session = start(name)
    local = session.root / ".memoire" / "local"
    states = session.state.parent
    outside = session.root.parent / "outside"
    outside.mkdir()
    (states / "linked").symlink_to(outside)
    session.run("cd /")
    count = len(session.files())
    here = (f"cd {session.root}", "true", "cd /")
    lines = [str(outside), f"{states}/../memoire/../../../outside", f"{states}/linked", "outside", "", f"{states}/none"]
    for line in lines:
        local.write_text(f"{line}\n")
        session.run(*here)
    local.unlink()
    os.mkfifo(local)
    session.run(*here)
    local.unlink()
    (session.root / "real").write_text(f"{session.state}\n")
    local.symlink_to(session.root / "real")
    session.run(*here)
    assert len(session.files()) == count
    local.unlink()
    local.write_text(f"{session.state}\n")
    session.run(*here)
    assert len(session.files()) > count
    assert not list(outside.iterdir())


@ALL
def test_a_spool_that_cannot_be_written_disturbs_nobody(name: str, start: Start) -> None:
    session = start(name)
    session.run("true")
    shutil.rmtree(session.spool)
    session.spool.write_text("in the way")
    shown = session.run("true 1", f"echo status {STATUS[name]}")
    assert has_shown(shown, "status 0")
    assert "memoire" not in shown.replace(str(session.root), "")
    session.spool.unlink()
    session.run(*["true 2"] * 5)
    assert session.texts()[-1] == "true 2"


@ALL
def test_reading_the_script_twice_records_once(name: str, start: Start) -> None:
    session = start(name, after=shells.script(name))
    session.run("true 1", "true 2")
    assert session.texts() == ["true 1", "true 2"]


@ALL
def test_a_shell_that_nobody_types_into_does_nothing(name: str, tmp_path: Path) -> None:
    program = shutil.which(name)
    if not program:
        pytest.skip(f"{name} is not installed")
    file = tmp_path / "hook"
    file.write_text(shells.script(name))
    listing = {"bash": "declare -F; declare -p PROMPT_COMMAND PS0 || :", "zsh": "typeset -f", "fish": "functions -a"}
    done = subprocess.run(
        [program, "-c", f". {file}\n{listing[name]}"],
        capture_output=True, text=True, check=True, env={"HOME": str(tmp_path), "PATH": os.environ["PATH"]},
    )  # fmt: skip
    assert "memoire" not in done.stdout + done.stderr


@ALL
def test_what_runs_in_a_subshell_is_not_recorded_by_itself(name: str, start: Start) -> None:
    session = start(name)
    session.run("sh -c 'true inner; true inner'" if name == "fish" else "(true inner; true inner)")
    assert len(session.commands()) == 1


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("bash", "set -euC; IFS=0123456789; shopt -s extglob nullglob nocasematch dotglob; HISTTIMEFORMAT='%F '"),
        ("bash", "set -uC; shopt -s extglob failglob; set -o posix; alias local=false printf=false read=false"),
        ("bash", "set -f; set -T; trap : DEBUG; trap : ERR; trap : RETURN; IFS=; printf() { :; }; history() { :; }"),
        ("bash", "shopt -u promptvars; export PROMPT_COMMAND"),
        ("zsh", "setopt err_exit err_return no_unset no_clobber sh_word_split ksh_arrays glob_subst sh_glob; IFS=0123"),
        ("zsh", "setopt ksh_glob null_glob extended_glob no_multibyte posix_builtins; emulate sh; IFS="),
        ("zsh", "setopt hist_ignore_space hist_ignore_dups hist_ignore_all_dups share_history; HISTSIZE=5"),
    ],
)
def test_the_options_of_a_user_change_nothing(name: str, options: str, start: Start) -> None:
    session = start(name, before=options)
    shown = session.run("true 1", "! true", "true 2", "echo fine", f"echo {STATUS[name]}")
    assert session.texts() == ["true 1", "! true", "true 2", "echo fine", f"echo {STATUS[name]}"]
    assert [each.exit_status for each in session.commands()] == [0, 1, 0, 0, 0]
    assert has_shown(shown, "fine")
    assert "memoire" not in session.output.decode("utf-8", "replace").replace(str(session.root), "")


def test_what_bash_keeps_out_of_its_history_is_not_recorded(start: Start) -> None:
    session = start("bash", before="HISTCONTROL=ignoreboth; HISTIGNORE='secret*:ls'")
    session.run("true 1", "true secret-not", ": secret", "secret tool", "ls", " true 1x", "true 3", "set +o history")
    session.run("true off", "set -o history", "true 4")
    found = session.texts()
    assert [text for text in found if text.startswith("true")] == ["true 1", "true secret-not", "true 3", "true 4"]
    assert "secret tool" not in found
    assert "ls" not in found


@pytest.mark.parametrize("control", ["ignoredups", "ignoreboth", "erasedups", "ignoreboth:erasedups", ""])
def test_bash_records_a_command_that_is_run_again_although_its_history_has_it_once(control: str, start: Start) -> None:
    session = start("bash", before=f"HISTCONTROL={control}")
    session.run(
        "true 0", "true 1", "false", "false", "true 1", "false | true", "false | true", " true secret", "true 1"
    )
    assert session.texts() == ["true 0", "true 1", "false", "false", "true 1", *["false | true"] * 2, "true 1"]


@pytest.mark.parametrize(
    "before",
    [
        'PROMPT_COMMAND="other=\\$?; $PROMPT_COMMAND"',
        "PROMPT_COMMAND=(\"$PROMPT_COMMAND\" 'other=$?')",
        'PROMPT_COMMAND="other=\\$?; $PROMPT_COMMAND; history -a; history -n"; HISTFILE=$HOME/history',
        "PS0='<ps0>'; PROMPT_COMMAND=\"other=\\$?; $PROMPT_COMMAND\"; trap 'traced=1' DEBUG; trap 'echo bye' EXIT",
    ],
)
def test_the_hooks_that_bash_had_before_are_kept(before: str, start: Start) -> None:
    session = start("bash", before=before)
    shown = session.run("true 1", "sh -c 'exit 9'", 'echo "other $other"', " true hidden", "true 2")
    assert has_shown(shown, "other 9") or "<ps0>other 9" in shown
    assert session.texts() == ["true 1", "sh -c 'exit 9'", 'echo "other $other"', "true 2"]
    assert ("<ps0>" in shown) == ("ps0" in before)


def test_hooks_that_bash_is_given_later_do_not_unseat_ours(start: Start) -> None:
    session = start("bash", after='PROMPT_COMMAND="other=1;$PROMPT_COMMAND"; PS0=; HISTCONTROL=ignoreboth')
    session.run("true 0", "true 1", "true 2", " true hidden")
    assert session.texts() == ["true 0", "true 1", "true 2"]


def test_where_bash_lets_no_hook_be_set_it_goes_without(start: Start) -> None:
    session = start("bash", before="readonly PROMPT_COMMAND", after="later=1")
    shown = session.run("echo later $later")
    assert has_shown(shown, "later 1")
    assert not session.files()


PREEXEC = """
preexec_functions=() precmd_functions=() bash_preexec_imported=defined
__test_ask() { local s=$? f; for f in "${precmd_functions[@]}"; do (exit $s); "$f"; done; armed=1; return $s; }
__test_run() {
    local f; [[ -n $armed && $BASH_COMMAND != __test_ask* && $BASH_COMMAND != builtin* ]] || return 0
    armed=; local text; text=$(HISTTIMEFORMAT= history 1 | sed '1 s/^ *[0-9][0-9]*[* ] //')
    for f in "${preexec_functions[@]}"; do "$f" "$text"; done
}
PROMPT_COMMAND=(__test_ask "${PROMPT_COMMAND[@]}")
trap __test_run DEBUG
"""
"""What a loader of `preexec_functions` and `precmd_functions` does, as far as it matters here."""


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_loader_of_hooks_for_bash_is_used_where_there_is_one(when: str, start: Start) -> None:
    session = start("bash", **{when: PREEXEC})
    session.run("true 0", "true 1", "false", "false", " true hidden", "true | false")
    assert [(each.command, each.exit_status) for each in session.commands()][-4:] == [
        ("true 1", 0), ("false", 1), ("false", 1), ("true | false", 1),
    ]  # fmt: skip
    assert "__memoire_prompt" not in session.run("declare -p PROMPT_COMMAND PS0")


def test_every_bash_of_this_machine_takes_the_script(start: Start) -> None:
    programs = {os.path.realpath(path) for path in ("/bin/bash", "/usr/local/bin/bash", "/opt/homebrew/bin/bash")}
    for program in sorted(filter(os.path.exists, programs)):
        session = start("bash", before="set -u", program=program)
        session.run("true 1", "false", " true hidden", "cat </dev/null")
        assert [(each.command, each.exit_status) for each in session.commands()] == [
            ("true 1", 0), ("false", 1), ("cat </dev/null", 0),
        ]  # fmt: skip


def test_what_a_hook_of_zsh_keeps_out_of_the_history_is_not_recorded(start: Start) -> None:
    session = start("zsh", before="function zshaddhistory { [[ $1 != *secret* ]] }")
    session.run("true 1", "true secret", "true 2", "true secret", "true secret", "false", "true 3")
    assert [(each.command, each.exit_status) for each in session.commands()] == [
        ("true 1", 0), ("true 2", 0), ("false", 1),
    ]  # fmt: skip


def test_hooks_of_zsh_are_kept(start: Start) -> None:
    session = start("zsh", before="function precmd { other=$?; others=($pipestatus) }\nfunction preexec { said=$1 }")
    shown = session.run("true | sh -c 'exit 9'", 'echo "$other $others"', 'echo "said $said"')
    assert has_shown(shown, "9 0 9")
    assert has_shown(shown, 'said echo "said $said"')


def test_fish_in_private_mode_records_nothing(start: Start) -> None:
    session = start("fish")
    session.run("true 1", "set -g fish_private_mode 1", "true 2", "set -e fish_private_mode", "true 3")
    assert session.texts() == ["true 1", "true 3"]


def test_what_fish_is_told_to_keep_out_of_its_history_is_not_recorded(start: Start) -> None:
    rule = 'function fish_should_add_to_history; not string match -q "*secret*" -- $argv; end'
    session = start("fish", before=rule)
    session.run("true 1", "true secret", "true 2")
    assert session.texts() == ["true 1", "true 2"]
