"""Makes notes and questions of a repository: entries of its changelog, and the commits that cite the same issue.

Both were written by people about the same change, at different times and in different words. What is nearly word for
word the same is no question.
"""

import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from memoire.notes.stems import terms

REPOSITORIES: dict[str, list[str]] = tomllib.loads((Path(__file__).parent / "repositories.toml").read_text("utf-8"))
MOST_RELEVANT = 3
"""Entries that may answer a question; an issue that more entries cite is a subject, not a change."""
LEAST_TERMS = 3
VERBATIM = 0.6
"""Share of common terms from which question and entry are the same words."""
_FILES = re.compile(r"(?:^|/)(?:changes|changelog|history|news|release[-_]notes)(?:\.(?:md|rst|txt))?$", re.IGNORECASE)
_REF = re.compile(r"(?<![\w&/])#(\d{1,6})\b|(?:issues|pull)/(\d{1,6})\b|:(?:issue|pr|pull|gh):`~?#?(\d{1,6})`")
_BULLET = re.compile(r"^\s*(?:[-*+•]|\d+\.)\s+")
_RULE = re.compile(r"^\s*(?:[-=~^\"'#*+.]{3,}|#{1,6}\s.*|\.\. .*|:[\w-]+:.*|\|.*|\[[^\]]+\]:.*)$")
_NOISE = re.compile(
    r"\(?\s*\[[^\]]*\]\s*\(https?://[^)]*\)\s*\)?|https?://\S+|\(?\{\{[^}]*\}\}[^\s)]*\)?|:[a-z:]+:`[^`]*\d`"
    r"|\(?\[?#\d+\]?\)?|\(?\[@[^\]]*\]\[\]\)?|\bby @[\w-]+(?:\[bot\])?\b|@[\w-]+|\bin\s*$"
    r"|\b(?:fix(?:es|ed)?|close[sd]?|resolve[sd]?|refs?|gh|issue|pr)\s*(?=#|:\s*$|$)",
    re.IGNORECASE,
)
_LINK = re.compile(r"\[([^\]]*[a-zA-Z][^\]]*)\]\((?:https?://|#|\.)[^)]*\)")
_SKIPPED = re.compile(r"^(?:merge\b|bump\b|revert\b|release\b|prepare\b|chore\(release)", re.IGNORECASE)


class Question(NamedTuple):
    """What a commit says it does, and which notes tell of it."""

    text: str
    answers: frozenset[int]
    commit: str


class Case(NamedTuple):
    """One repository."""

    name: str
    notes: list[str]
    """The newest first."""
    questions: list[Question]


def case_of(mirrors: Path, name: str, most: int = 150, *, verbatim: float = VERBATIM) -> Case:
    """Return the notes and questions of a repository.

    Args:
        mirrors: Holds `<owner>+<name>/repo`, bare.
        name: `owner/name`.
        most: Questions, at most; spread evenly over the history.
        verbatim: Share of common terms from which a commit is no question.
    """
    repository = mirrors / name.replace("/", "+") / "repo"
    notes, citing = entries(repository)
    bags = [frozenset(terms(note)) for note in notes]
    found: dict[str, Question] = {}
    for line in _git(repository, "log", "--no-merges", "--format=%H %s", "HEAD").splitlines():
        commit, _, subject = line.partition(" ")
        answers = frozenset(place for ref in refs(subject) for place in citing.get(ref, ()))
        text = plain(subject)
        bag = frozenset(terms(text))
        if not 0 < len(answers) <= MOST_RELEVANT or len(bag) < LEAST_TERMS or _SKIPPED.match(subject):
            continue
        if all(len(bag & bags[place]) < verbatim * len(bag | bags[place]) for place in answers):
            found.setdefault(text.casefold(), Question(text, answers, commit))
    questions = list(found.values())
    step = max(len(questions) / most, 1.0)
    chosen = [questions[int(place * step)] for place in range(min(most, len(questions)))]
    return Case(name, notes, chosen)


def entries(repository: Path) -> tuple[list[str], dict[str, list[int]]]:
    """Return the entries of the longest changelog, and which of them cite an issue."""
    names = _git(repository, "ls-tree", "-r", "--name-only", "HEAD").splitlines()
    found = [name for name in names if _FILES.search(name) and name.count("/") <= 2]
    texts = [_git(repository, "show", f"HEAD:{name}") for name in found]
    text = max(texts, key=lambda each: len(_REF.findall(each)), default="")
    notes: dict[str, int] = {}
    citing: dict[str, list[int]] = {}
    for block in _blocks(text):
        note = plain(block)
        if len(set(terms(note))) < LEAST_TERMS:
            continue
        place = notes.setdefault(note, len(notes))
        for ref in refs(block):
            if place not in citing.setdefault(ref, []):
                citing[ref].append(place)
    return list(notes), citing


def _blocks(text: str) -> Iterator[str]:
    """Yield each bullet, and each paragraph that is in none."""
    block: list[str] = []
    for line in text.splitlines():
        if not line.strip() or _BULLET.match(line) or _RULE.match(line):
            if block:
                yield " ".join(block)
            block = []
        if line.strip() and not _RULE.match(line):
            block.append(_BULLET.sub("", line).strip())
    if block:
        yield " ".join(block)


def refs(text: str) -> list[str]:
    return [next(filter(None, match.groups())) for match in _REF.finditer(text)]


def plain(text: str) -> str:
    """Return a text without links, references and names of people."""
    bare = _NOISE.sub(" ", _LINK.sub(lambda link: link[1] if not link[1].strip().startswith("#") else " ", text))
    return " ".join(bare.split()).strip(" .,:;()[]-\u2013\u2014\\`") if bare.strip() else ""


def commits(repository: Path) -> list[tuple[str, list[str]]]:
    """Return (subject, files) of every commit but merges, the newest first."""
    log = _git(repository, "log", "--no-merges", "--name-only", "--format=%x00%s", "HEAD")
    blocks = (block.split("\n") for block in log.split("\0")[1:])
    return [(lines[0], [line for line in lines[1:] if line]) for lines in blocks]


def _git(repository: Path, *arguments: str) -> str:
    command = ["git", "-C", str(repository), *arguments]
    return subprocess.run(command, check=True, capture_output=True).stdout.decode("utf-8", "replace")
