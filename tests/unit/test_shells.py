"""The scripts of the shells as `memoire hook` prints them, and the records that they write, read again."""

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoire import cli, shells
from memoire.clients.payloads import records, shell
from memoire.clients.payloads.shell import Command

WHEN = datetime(2026, 11, 30, 12, 0, 0, 250_000, tzinfo=UTC)
START_US = int(WHEN.timestamp() * 1_000_000)


@pytest.mark.parametrize("name", shells.NAMES)
def test_the_hook_of_each_shell_is_printed(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["hook", name]) == 0
    printed = capsys.readouterr().out
    assert printed == shells.script(name)
    assert f"memoire hook {name}" in printed
    assert cli.main(["hook", name, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"shell": name, "script": printed}


@pytest.mark.parametrize("given", [["hook", "bsh"], ["hook", "bsh", "--json"]])
def test_a_shell_that_there_is_no_hook_for_is_refused_with_those_there_are(
    given: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    message = "bsh: there is no hook for it; there are bash, fish, zsh. Did you mean bash, zsh?"
    assert cli.main(given) == 2
    shown = capsys.readouterr()
    assert message in (json.loads(shown.out)["error"]["message"] if "--json" in given else shown.err)


def test_a_script_is_asked_for_by_the_name_of_a_shell() -> None:
    with pytest.raises(KeyError):
        shells.script("../__init__.py")
    assert set(shells.NAMES) == shell.SHELLS


def test_a_record_is_read_as_it_was_written() -> None:
    data = f"1\x1f{START_US}\x1f1234567\x1f130\x1f/home/me/project\x1fmake test\n# é".encode()
    expected = Command(WHEN, 1234, 130, "/home/me/project", "make test\n# é")
    assert shell.parse(data) == expected
    assert shell.parse(data + b"\x1e\n") == expected


def test_what_a_shell_does_not_know_is_left_open() -> None:
    assert shell.parse(b"1\x1f\x1f\x1f\x1f\x1fls") == Command(None, None, None, "", "ls")
    assert shell.parse(b"1\x1f\x1f\x1f\x1frelative\x1fls") == Command(None, None, None, "", "ls")


@pytest.mark.parametrize(
    "data",
    [
        b"", b"1", b"\x1e\n", b"2\x1f1\x1f1\x1f0\x1f/\x1fls", b"1\x1f1\x1f1\x1f0\x1f/",
        b"1\x1f1\x1f1\x1f0\x1f/\x1f  \n",
        b"1\x1f-1\x1f1\x1f0\x1f/\x1fls", b"1\x1f1,5\x1f1\x1f0\x1f/\x1fls", b"1\x1f1\x1fx\x1f0\x1f/\x1fls",
        b"1\x1f" + b"9" * 40 + b"\x1f1\x1f0\x1f/\x1fls",
    ],
)  # fmt: skip
def test_what_is_no_record_is_told_from_one(data: bytes) -> None:
    assert shell.parse(data) is None
    assert shell.action("bash", "17-1-1.bash", data) is None


@given(st.binary())
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    for given_data in (data, b"1\x1f" + data, b"1\x1f1\x1f1\x1f0\x1f/\x1f" + data, data.replace(b"\x00", b"\x1f")):
        found = shell.parse(given_data)
        assert found is None or found.command.strip()
        action = shell.action("zsh", "17-1-1.zsh", given_data)
        assert (action is None) == (found is None)


@given(
    st.integers(0, 10**17 - 1),
    st.integers(0, 10**17 - 1),
    st.integers(0, 255),
    st.text(st.characters(exclude_characters="\x1e\x1f", exclude_categories=["Cs"])),
    st.text(st.characters(exclude_characters="\x1e", exclude_categories=["Cs"]), min_size=1),
)
def test_every_record_gives_back_what_was_put_in(start: int, took: int, status: int, cwd: str, command: str) -> None:
    found = shell.parse(f"1\x1f{start}\x1f{took}\x1f{status}\x1f/{cwd}\x1f{command}\x1e\n".encode())
    if not command.strip():
        assert found is None
        return
    assert found is not None
    assert found.start is not None
    assert abs(found.start.timestamp() - min(start / 1e6, 253_402_300_799)) < 0.001
    assert found[1:] == (took // 1000, status, f"/{cwd}", command)


def test_a_command_that_a_shell_cannot_time_has_the_time_of_its_file() -> None:
    name = f"{START_US + 2_000_000}-42-1.fish"
    (action,) = records.read_record("fish", name, b"1\x1f\x1f2000000\x1f1\x1f/p\x1fmake") or []
    assert (action.at, action.duration_ms, action.exit_status) == (WHEN, 2000, 1)
    (action,) = records.read_record("bash", name, b"1\x1f\x1f\x1f\x1f/p\x1fmake") or []
    assert (action.duration_ms, action.exit_status, action.cwd, action.text) == (-1, None, "/p", "make")
    assert records.read_record("bash", "odd.bash", b"1\x1f\x1f\x1f\x1f/p\x1fmake") is None
