"""What a shell offers where a line is not finished."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from memoire import cli
from memoire.terminal import completing
from memoire.terminal.arguments import parser_of


def offered(*words: str) -> list[str]:
    return completing.candidates(words, cli.command_names(), cli._run)


def test_the_first_word_is_a_command_or_the_first_of_a_group() -> None:
    assert offered("") == sorted({name.split()[0] for name in cli.command_names()})
    assert offered("do") == ["doctor"]
    assert offered() == offered("")


def test_the_second_word_of_a_group_is_one_of_its_own() -> None:
    assert offered("graph", "") == sorted(name.split()[1] for name in cli.command_names() if name.startswith("graph "))
    assert "sweep" in offered("notes", "s")


def test_an_option_is_one_that_the_command_takes() -> None:
    assert offered("init", "--us") == ["--user"]
    assert offered("expand", "--bu") == ["--budget"]
    assert "--format" in offered("graph", "show", "--")


def test_a_word_that_must_be_one_of_several_is_one_of_them() -> None:
    assert offered("completion", "") == ["bash", "fish", "zsh"]
    assert offered("graph", "show", "--format", "") == ["dot", "graphml", "mermaid", "svg"]


def test_files_and_free_text_are_left_to_the_shell() -> None:
    assert offered("expand", "src") == []
    assert offered("search", "a", "b") == []
    assert offered("mcp", "") == []
    assert offered("nothing", "") == []


def test_no_command_does_anything_when_it_is_asked_what_it_takes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in cli.command_names():
        offered(*name.split(), "--")
    assert list(tmp_path.iterdir()) == []
    assert parser_of(lambda: None) is None


@pytest.mark.parametrize("shell", completing.SCRIPTS)
def test_a_script_is_one_that_its_shell_reads(shell: str, tmp_path: Path) -> None:
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"{shell} is not installed")
    script = tmp_path / "script"
    script.write_text(completing.SCRIPTS[shell])
    assert subprocess.run([program, "-n", str(script)], capture_output=True, check=False).returncode == 0


def test_bash_completes_with_it(tmp_path: Path) -> None:
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("bash is not installed")
    memoire = tmp_path / "memoire"
    memoire.write_text(f'#!/bin/sh\nexec {sys.executable} -m memoire "$@"\n')
    memoire.chmod(0o755)
    asked = "COMP_WORDS=(memoire graph sho); COMP_CWORD=2; _memoire; echo ${COMPREPLY[@]}"
    done = subprocess.run(
        [bash, "--norc", "-c", f"PATH={tmp_path}:$PATH; {completing.SCRIPTS['bash']}\n{asked}"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout == "show\n"
