"""A bare repository as memoire would have known it at some commit: its graph, its history, and what came next."""

import random
import subprocess
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import msgspec

from benchmarks.effects_score import Snapshot, folder_of
from memoire.dispatch import extract
from memoire.episodes import git
from memoire.episodes.history import History, Touched, mine
from memoire.graph import Graph
from memoire.identifiers import identifier_hashes
from memoire.impact import is_code
from memoire.labels import label
from memoire.model import FileChange
from memoire.processor import Processor

BULK = 15
"""Code files of a commit that is asked about, at most; at least two."""
FIRST = 0.4
"""Share of the commits that are history to every question."""


class Question(NamedTuple):
    """One file of a commit, to be completed."""

    commit: str
    parent: str
    anchor: str
    truth: frozenset[str]


class Repo:
    """One bare repository."""

    def __init__(self, mirrors: Path, name: str) -> None:
        self.name = name
        self.folder = folder_of(mirrors, name)
        self._holder = tempfile.TemporaryDirectory()
        self.root = Path(self._holder.name)
        (self.root / ".git").symlink_to(self.folder.resolve())
        whole = mine(self.root, limit=30_000, seconds=600.0)
        self.touched: dict[str, Touched] = {each.id: each for each in whole.touched}

    def git(self, *arguments: str) -> bytes:
        """Return what git prints; nothing where it fails."""
        ran = subprocess.run(["git", "-C", str(self.root), *arguments], capture_output=True, check=False)
        return ran.stdout

    def history(self, commit: str) -> History:
        """Return the history below a commit."""
        ids = git.listed(self.root, commit, 5_000)
        return History(commit, [self.touched[sha] for sha in ids if sha in self.touched])

    def trunk(self) -> list[str]:
        """Return the commits of the main line, oldest first."""
        ids = git.listed(self.root, git.head(self.root).commit, 30_000)
        return ids[::-1]

    def questions(self, tip: str, have: frozenset[str], later: list[str], most: int, seed: int) -> Iterator[Question]:
        """Yield questions about commits that came after one, over files that were there."""
        drawing = random.Random(f"{self.name}/{tip}/{seed}")
        asked = 0
        for sha in later:
            each = self.touched.get(sha)
            if each is None or asked >= most:
                continue
            code = [change for change in each.changes if is_code(change.path)]
            old = sorted({change.old_path or change.path for change in code if change.kind != "added"} & have)
            if not 2 <= len(code) <= BULK or len(old) < 2:
                continue
            parent = git.parent(self.root, sha)
            if not parent:
                continue
            asked += 1
            anchor = drawing.choice(old)
            yield Question(sha, parent, anchor, frozenset(old) - {anchor})


class World:
    """What memoire knows of the files of one commit."""

    def __init__(self, repo: Repo, commit: str) -> None:
        at = datetime(2000, 1, 1, tzinfo=UTC)
        snapshot = Snapshot(repo.folder, commit)
        self.graph = Graph()
        self.processor = Processor(self.graph, snapshot.read)
        changes = []
        for path, data in snapshot.readable():
            facts = extract(path, data)
            changes.append(
                FileChange(path, msgspec.structs.replace(facts, identifiers=identifier_hashes(data), words=""), 0, at)
            )
        self.graph.apply(self.processor.plan(changes, [], now=at))
        self.references = lambda path: self.processor.links(path).references
        self.files = frozenset(path for path in self.processor.records if is_code(path) and not label(path))


class Changed(NamedTuple):
    """What a commit did to one file."""

    words: bytes
    """Hashes of the identifiers of the lines that it took away or added."""
    symbols: frozenset[str]
    """Definitions that differ afterwards, or are gone."""
    resigned: frozenset[str]
    """Those whose signature does."""


def changed(repo: Repo, question: Question) -> Changed:
    """Return what the commit of a question did to the file that is asked about."""
    arguments = ("diff", "-U0", "--no-color", question.parent, question.commit, "--", question.anchor)
    lines = repo.git(*arguments).split(b"\n")
    told = b"\n".join(line[1:] for line in lines if line[:1] in b"+-" and line[:3] not in {b"+++", b"---"})
    before = extract(question.anchor, repo.git("show", f"{question.parent}:{question.anchor}"))
    after = extract(question.anchor, repo.git("show", f"{question.commit}:{question.anchor}"))
    new = {item.name: item for item in after.definitions}
    symbols, resigned = set(), set()
    for item in before.definitions:
        now = new.get(item.name)
        if now is None or now.signature != item.signature:
            resigned.add(item.name)
        if now is None or now.body != item.body or now.signature != item.signature:
            symbols.add(item.name)
    return Changed(identifier_hashes(told), frozenset(symbols), frozenset(resigned))
