"""The journal: what is appended is there, whatever an editor, a crash or git did to the file."""

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memoire.errors import StoreUnavailableError
from memoire.notes.journal import Journal
from memoire.notes.model import Connect, Erase, Link, Note, Op, Put, Retire, Transaction

AT = datetime(2026, 5, 18, 10, 23, tzinfo=UTC)


def told(number: int, *ops: Op) -> Transaction:
    return Transaction(tx=f"{number:012x}-00", at=AT, ops=ops)


def note(note_id: str, text: str) -> Put:
    return Put(Note(id=note_id, path=f"notes/decision/{note_id}", text=text, valid_from=AT))


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal(tmp_path / ".memoire" / "notes.jsonl")


def test_what_is_appended_is_read(journal: Journal) -> None:
    assert journal.read().transactions == ()
    first, second = told(1, note("n1", "Use one queue.")), told(2, Retire("n1", "archived"))
    journal.append(first)
    journal.append(second)
    assert journal.read().transactions == (first, second)
    assert Journal(journal.path).read() == journal.read()
    assert journal.is_as_read()


def test_a_line_that_was_cut_short_swallows_no_other(journal: Journal) -> None:
    journal.append(told(1, note("n1", "Use one queue.")))
    with journal.path.open("ab") as file:
        file.write(b'{"tx":"0000')
    assert not journal.is_as_read()
    journal.append(told(2, note("n2", "Never retry.")))
    reading = journal.read()
    assert [each.tx for each in reading.transactions] == ["000000000001-00", "000000000002-00"]
    assert [bad.line for bad in reading.bad] == [2]


def test_a_file_that_git_replaced_is_read_again_and_written_on(journal: Journal) -> None:
    journal.append(told(1, note("n1", "Use one queue.")))
    journal.read()
    other = Journal(journal.path.with_name("other.jsonl"))
    other.append(told(3, note("n3", "Log to a file.")))
    other.path.replace(journal.path)
    journal.append(told(2, note("n2", "Never retry.")))
    assert [each.tx for each in journal.read().transactions] == ["000000000002-00", "000000000003-00"]


def test_a_line_that_another_program_threw_away_while_it_was_written_is_written_again(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal.append(told(1, note("n1", "Use one queue.")))
    force = os.fsync
    replaced: list[int] = []

    def replacing(fd: int) -> None:
        force(fd)
        if not replaced:
            replaced.append(fd)
            fresh = journal.path.with_name("fresh")
            fresh.write_bytes(b"")
            fresh.replace(journal.path)

    monkeypatch.setattr(os, "fsync", replacing)
    journal.append(told(2, note("n2", "Never retry.")))
    assert [each.tx for each in journal.read().transactions] == ["000000000002-00"]


def test_erasing_takes_out_what_is_said_of_a_note_and_leaves_every_other_byte(journal: Journal) -> None:
    journal.append(told(1, note("n1", "The password is hunter2."), note("n2", "Never retry.")))
    journal.append(told(2, Retire("n1", "archived")))
    journal.append(told(3, note("n3", "Log to a file."), Connect("n3", Link("supports", "n2"))))
    with journal.path.open("ab") as file:
        file.write(b'{"a newer line": [1,  2]}\nn1 hunter2 in a line that nobody can read\n')
    third = journal.path.read_bytes().splitlines()[2]
    journal.erase({"n1"}, told(4, Erase("n1", "a secret")))
    data = journal.path.read_bytes()
    assert b"hunter2" not in data
    lines = data.splitlines()
    assert lines[1] == third
    assert lines[2] == b'{"a newer line": [1,  2]}'
    reading = journal.read()
    assert [each.tx for each in reading.transactions] == ["000000000001-00", "000000000003-00", "000000000004-00"]
    assert [op.note.id for op in reading.transactions[0].ops if isinstance(op, Put)] == ["n2"]
    assert [path.name for path in journal.path.parent.iterdir()] == ["notes.jsonl"]


def test_what_a_newer_memoire_wrote_is_passed_over_and_stays(journal: Journal) -> None:
    journal.path.parent.mkdir()
    ops = b'[{"op":"dream","id":"n1"},{"op":"retire","id":"n2","status":"archived"}]'
    line = b'{"tx":"000000000001-00","at":"2026-05-18T10:23:00Z","new":1,"ops":' + ops + b"}"
    journal.path.write_bytes(line + b"\n")
    reading = journal.read()
    assert [each.ops for each in reading.transactions] == [(Retire("n2", "archived"),)]
    assert [(bad.line, "newer memoire" in bad.why) for bad in reading.bad] == [(1, True)]
    journal.append(told(2, Retire("n2", "archived")))
    assert journal.path.read_bytes().startswith(line + b"\n")


def test_a_link_is_refused_and_nothing_is_written_through_it(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (tmp_path / ".memoire").symlink_to(elsewhere)
    journal = Journal(tmp_path / ".memoire" / "notes.jsonl")
    with pytest.raises(StoreUnavailableError, match="link"):
        journal.append(told(1, note("n1", "Use one queue.")))
    with pytest.raises(StoreUnavailableError, match="link"):
        journal.read()
    assert not list(elsewhere.iterdir())


def test_a_full_disk_leaves_the_journal_as_it_was(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    journal.append(told(1, note("n1", "Use one queue.")))
    before = journal.path.read_bytes()
    write = os.write

    def full(fd: int, data: bytes) -> int:
        write(fd, data[:10])
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "write", full)
        with pytest.raises(StoreUnavailableError, match="no space"):
            journal.append(told(2, note("n2", "Never retry.")))
        with pytest.raises(StoreUnavailableError, match="no space"):
            journal.erase({"n1"}, told(3, Erase("n1")))
    assert journal.path.read_bytes() == before
    assert [path.name for path in journal.path.parent.iterdir()] == ["notes.jsonl"]


def test_a_private_journal_is_its_owners_alone(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "notes.jsonl", is_private=True)
    journal.append(told(1, note("n1", "Use one queue.")))
    assert journal.path.stat().st_mode & 0o777 == 0o600
