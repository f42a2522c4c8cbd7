"""What git notes about HEAD becomes what a person did; reading goes on where it ended, also in a rewritten file."""

from pathlib import Path

import pytest

from memoire.episodes.reflog import Line, Operation, Position, before, operations, parse, read

ZERO, A, B, C, D = "0" * 40, "a" * 40, "b" * 40, "c" * 40, "d" * 40


def line(old: str, new: str, message: str, at: int = 100) -> Line:
    return Line(old, new, at, message)


def told(*lines: Line, is_rebasing: bool = False) -> list[tuple[str, ...]]:
    found, _ = operations(lines, is_rebasing=is_rebasing)
    return [(each.kind, each.old[:1], each.new[:1], each.source, each.target, each.end) for each in found]


def test_a_line_is_read_whatever_the_name_in_it() -> None:
    text = f"{ZERO} {A} A > B <a@b> 12 <x@y> 1700000000 +0530\tcommit (initial): a\tb\n".encode()
    assert parse(text) == Line(ZERO, A, 1_700_000_000, "commit (initial): a\tb")
    assert parse(f"{A} {B} <> 5 -0800\n".encode()) == Line(A, B, 5, "")
    assert parse(f"{A} {B} \xff <> 5 -0800\t\xff\n".encode("latin-1")) == Line(A, B, 5, "\ufffd")
    assert parse(f"{'a' * 64} {'b' * 64} n <e> 5 +0000\tx".encode()) == Line("a" * 64, "b" * 64, 5, "x")


@pytest.mark.parametrize("text", [b"", b"\n", b"junk", b"a b c", f"{A} {B}".encode(), b"\0" * 100])
def test_a_line_that_is_none_is_no_movement(text: bytes) -> None:
    assert parse(text) is None


@pytest.mark.parametrize(
    ("message", "kind", "source", "target"),
    [
        ("commit (initial): x", "commit", "", ""),
        ("commit: x", "commit", "", ""),
        ("commit (amend): x", "amend", "", ""),
        ("commit (merge): x", "merge", "", ""),
        ("commit (cherry-pick): x", "cherry-pick", "", ""),
        ("cherry-pick: x", "cherry-pick", "", ""),
        ("cherry-pick: fast-forward", "cherry-pick", "", ""),
        ('revert: Revert "x"', "revert", "", ""),
        ("am: x", "am", "", ""),
        ("checkout: moving from main to feature/x", "checkout", "main", "feature/x"),
        ("merge side: Fast-forward", "merge", "side", ""),
        ("merge origin/main: Merge made by the 'ort' strategy.", "merge", "origin/main", ""),
        ("pull: Fast-forward", "pull", "", ""),
        ("pull -q --rebase origin trunk: Fast-forward", "pull", "", ""),
        ("pull https://host/x.git main: Merge made by the 'ort' strategy.", "pull", "", ""),
        ("reset: moving to HEAD~1", "reset", "", ""),
        ("reset: updating HEAD", "reset", "", ""),
        ("clone: from https://host/x.git", "clone", "", ""),
        ("Branch: renamed refs/heads/a to refs/heads/b", "branch", "a", "b"),
        ("something else: x", "moved", "", ""),
        ("", "moved", "", ""),
    ],
)
def test_a_message_says_what_was_done(message: str, kind: str, source: str, target: str) -> None:
    assert told(line(A, B, message)) == [(kind, "a", "b", source, target, "")]


def test_what_moves_nothing_is_nothing_but_a_switch_is() -> None:
    assert told(line(A, A, "reset: moving to HEAD"), line(A, A, "checkout: moving from main to main")) == []
    assert told(line(A, A, "checkout: moving from main to x")) == [("checkout", "a", "a", "main", "x", "")]


def test_a_branch_that_is_renamed_is_told_once_though_git_notes_it_twice() -> None:
    twice = line(A, ZERO, "Branch: renamed refs/heads/a to refs/heads/b")
    assert len(told(twice, line(ZERO, A, twice.message))) == 1


def test_a_rebase_is_one_operation_whatever_happens_on_the_way() -> None:
    lines = (
        line(A, B, "rebase (start): checkout main"),
        line(B, C, "rebase (pick): one"),
        line(C, D, "commit (amend): one, mended"),
        line(D, D, "rebase (continue): two"),
        line(D, D, "rebase (finish): returning to refs/heads/feature/x"),
        line(D, A, "commit: after"),
    )
    assert told(*lines) == [("rebase", "a", "d", "main", "feature/x", "finish"), ("commit", "d", "a", "", "", "")]
    found, _ = operations(lines, is_rebasing=False)
    assert found[0].onto == B


@pytest.mark.parametrize(
    ("first", "last", "end"),
    [
        ("pull --rebase o main (start): checkout abc", "pull --rebase o main (finish): returning to x", "finish"),
        ("rebase -i (start): checkout HEAD~2", "rebase -i (finish): returning to refs/heads/x", "finish"),
        ("rebase: checkout main", "rebase finished: returning to refs/heads/x", "finish"),
        ("rebase (start): checkout main", "rebase (abort): returning to refs/heads/x", "abort"),
        ("rebase (start): checkout main", "rebase (abort): updating HEAD", "abort"),
        ("rebase: checkout main", "rebase: aborting", "abort"),
    ],
)  # fmt: skip
def test_every_way_to_write_a_rebase_is_known(first: str, last: str, end: str) -> None:
    found = told(line(A, B, first), line(B, C, last))
    assert [(each[0], each[1], each[2], each[5]) for each in found] == [("rebase", "a", "c", end)]


def test_a_rebase_that_goes_on_is_waited_for_and_one_that_was_left_is_told() -> None:
    lines = (
        line(A, B, "commit: x"),
        line(B, C, "rebase (start): checkout main"),
        line(C, D, "rebase (pick): one"),
    )
    assert operations(lines, is_rebasing=True)[1] == 1
    assert [each[0] for each in told(*lines, is_rebasing=True)] == ["commit"]
    assert [(each[0], each[5]) for each in told(*lines)] == [("commit", ""), ("rebase", "stopped")]
    left = (*lines, line(D, D, "checkout: moving from d to main"), line(D, A, "rebase (start): checkout x"))
    assert [each[0] for each in told(*left)] == ["commit", "rebase", "checkout", "rebase"]
    assert operations(left, is_rebasing=True)[1] == 4


def test_operations_of_one_second_keep_their_order() -> None:
    found, _ = operations(
        [line(A, B, "commit: x"), line(B, A, "checkout: moving from a to b"), line(A, B, "reset: to", 101)],
        is_rebasing=False,
    )
    assert [each.order for each in found] == [0, 1, 0]
    assert isinstance(found[0], Operation)


def raw(number: int, old: str = A) -> bytes:
    return f"{old} {B} n <e> {number} +0000\tcommit: {number}\n".encode()


def test_reading_goes_on_behind_the_last_line(tmp_path: Path) -> None:
    file = tmp_path / "HEAD"
    assert read(file, None) == ([], Position())
    file.write_bytes(raw(1) + raw(2))
    none, end = read(file, None)
    assert none == []
    assert read(file, end) == ([], end)
    assert read(file, Position())[0] == [raw(1), raw(2)]
    with file.open("ab") as stream:
        stream.write(raw(3) + raw(4)[:20])
        stream.flush()
        lines, half = read(file, end)
        assert lines == [raw(3)]
        stream.write(raw(4)[20:])
        stream.flush()
    assert read(file, half)[0] == [raw(4)]


def test_a_line_is_read_again_from_the_position_before_it(tmp_path: Path) -> None:
    file = tmp_path / "HEAD"
    file.write_bytes(raw(1))
    _, seen = read(file, None)
    file.write_bytes(raw(1) + raw(2) + raw(3))
    lines, end = read(file, seen)
    assert before(end, lines, 0, seen) == seen
    assert read(file, before(end, lines, 1, seen))[0] == [raw(3)]


def test_a_reflog_that_was_rewritten_repeats_nothing(tmp_path: Path) -> None:
    file = tmp_path / "HEAD"
    file.write_bytes(b"".join(raw(number) for number in range(10)))
    _, end = read(file, None)
    # The older ones expired, which gave the first that stays another old hash; then one came.
    file.write_bytes(raw(9, ZERO) + raw(10))
    lines, end = read(file, end)
    assert lines == [raw(10)]
    file.write_bytes(b"")
    lines, end = read(file, end)
    assert lines == []
    file.write_bytes(raw(11))
    assert read(file, end)[0] == [raw(11)]
    _, end = read(file, None)
    file.write_bytes(raw(20) + raw(21))  # another repository: nobody knows which of it is new
    assert read(file, end)[0] == []


def test_of_a_huge_reflog_only_the_end_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memoire.episodes.reflog.MOST_BYTES", 3 * len(raw(1)) + 5)
    file = tmp_path / "HEAD"
    file.write_bytes(b"".join(raw(number) for number in range(1, 10)))
    assert read(file, Position())[0] == [raw(7), raw(8), raw(9)]
