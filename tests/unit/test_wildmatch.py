"""Patterns of ignore files, one by one; the agreement with git over generated ones is a property test."""

import pytest

from memoire.wildmatch import MAX_BYTES, MAX_GLOBS, Rules, covers, parse


@pytest.mark.parametrize(
    ("lines", "path", "is_dir", "verdict"),
    [
        ("*.log", "a/b.log", False, True),
        ("*.log\n!keep.log", "a/keep.log", False, False),
        ("!keep.log\n*.log", "keep.log", False, True),
        ("build/", "build", True, True),
        ("build/", "build", False, None),
        ("/build", "a/build", True, None),
        ("a/b", "a/b", False, True),
        ("a/b", "x/a/b", False, None),
        ("**/a/b", "x/a/b", False, True),
        ("a/**/b", "a/b", False, True),
        ("a/**/b", "a/x/y/b", False, True),
        ("a/**", "a", True, None),
        ("a/**", "a/x/y", False, True),
        ("a*b", "a/b", False, None),
        ("/a*/b", "ax/b", False, True),
        ("a**/b", "ax/y/b", False, True),
        ("?", "\u00e9", False, None),
        ("??", "\u00e9", False, True),
        ("[a-c]x", "bx", False, True),
        ("[!a-c]x", "bx", False, None),
        ("[]a]x", "]x", False, True),
        ("[[:digit:]]x", "7x", False, True),
        ("[a", "[a", False, None),
        ("\\#a", "#a", False, True),
        ("#a", "#a", False, None),
        ("\\!a", "!a", False, True),
        ("a\\ ", "a ", False, True),
        ("a ", "a", False, True),
        ("a\t", "a", False, None),
        ("a\r\nb\r", "a", False, True),
        ("\\", "\\", False, None),
        ("a\\", "a\\", False, None),
        ("/", "a", True, None),
        ("!", "a", True, None),
        ("\ufeffa", "a", False, True),
        ("a\0b", "a", False, True),
    ],
)
def test_a_pattern_decides_as_git_does(lines: str, path: str, is_dir: bool, verdict: bool | None) -> None:
    raw = path.encode()
    assert Rules(lines.encode()).decide(raw.rpartition(b"/")[2], raw, is_dir=is_dir) is verdict


def test_case_is_ignored_on_request() -> None:
    rules = Rules(b"*.LOG\nBuild\n/A/b?\n", ignore_case=True)
    for path in (b"x.log", b"build", b"a/BC"):
        assert rules.decide(path.rpartition(b"/")[2], path, is_dir=False) is True
    assert Rules(b"Build").decide(b"build", b"build", is_dir=False) is None


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        (b"*a" * 30 + b"b", b"a" * 250),
        (b"[!b]*" * 20 + b"q", b"a" * 250),
        (b"/" + b"**/a/" * 12 + b"b", b"a/" * 400 + b"c"),
        (b"**/" * 30 + b"*a*a*a*a*b/c", b"a/" * 500 + b"a" * 200),
        (b"/" + b"**/*a*/" * 8 + b"b", b"aaa/" * 300 + b"c"),
        (b"a/" + b"**\\/a" * 8 + b"/z", b"a/" * 500),
    ],
)
def test_a_hostile_pattern_ends_like_any_other(pattern: bytes, path: bytes) -> None:
    # With backtracking each of these takes years; the suite would not end.
    assert Rules(pattern).decide(path.rpartition(b"/")[2], path, is_dir=False) is None


def test_a_huge_file_of_patterns_is_cut() -> None:
    assert len(parse((b"a" * 99 + b"\n") * MAX_BYTES)) == MAX_BYTES // 100
    many = b"".join(b"x?%d\n" % number for number in range(MAX_GLOBS + 3)) + b"literal\n"
    rules = Rules(many)
    assert rules.decide(b"literal", b"literal", is_dir=False) is True
    assert rules.decide(b"xx1999", b"xx1999", is_dir=False) is True
    assert rules.decide(b"xx2001", b"xx2001", is_dir=False) is None


def test_a_pattern_of_a_directory_covers_what_is_below() -> None:
    assert covers(Rules(b"docs/"), b"x/docs/a/b.md")
    assert not covers(Rules(b"/docs/"), b"x/docs/a/b.md")
    assert not covers(Rules(b"docs/"), b"docs")


def test_no_pattern_is_no_rule() -> None:
    assert not Rules(b"\n# nothing\n\n")
    assert Rules(b"a")
