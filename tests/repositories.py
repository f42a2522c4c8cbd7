"""Real repositories for tests, in a home of their own, with a clock that the test moves."""

import os
import random
import subprocess
from pathlib import Path

AT = 1_700_000_000
CONFIG = (
    "[user]\n\tname = a\n\temail = a@b\n[init]\n\tdefaultBranch = main\n[advice]\n\tdetachedHead = false\n"
    '[core]\n\teditor = true\n[commit]\n\tgpgSign = false\n[protocol "file"]\n\tallow = always\n'
)
"""What a user's own configuration could change about what the tests do."""


class Repository:
    """A work tree and what is done with it; every command comes a second after the one before."""

    def __init__(self, root: Path, home: Path, *, init: bool = True) -> None:
        (home / ".gitconfig").write_text(CONFIG)
        self.root = root
        self.at = AT
        if init:
            root.mkdir(parents=True, exist_ok=True)
            self.git("init", "-q")

    def git(self, *arguments: str, check: bool = True, stdin: bytes | None = None) -> str:
        """Run git and return what it prints."""
        self.at += 1
        when = f"{self.at} +0000"
        environ = {**os.environ, "GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when}
        done = subprocess.run(
            ["git", "-C", str(self.root), *arguments], check=check, capture_output=True, env=environ, input=stdin
        )
        return done.stdout.decode("utf-8", "surrogateescape").strip()

    def write(self, files: dict[str, str]) -> None:
        """Save files."""
        for name, text in files.items():
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).write_text(text)

    def commit(self, files: dict[str, str] | None = None, message: str = "change") -> str:
        """Save files, commit everything, and return the hash."""
        self.write(files or {})
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.head()

    def head(self) -> str:
        """Return the hash of what is checked out."""
        return self.git("rev-parse", "HEAD")


class RandomWork:
    """Does with a repository what people do, at random: the same for the same seed."""

    def __init__(self, repository: Repository, seed: int) -> None:
        self.repository = repository
        self.random = random.Random(seed)
        self.count = 0
        repository.commit({f"f{number}.txt": self._text() for number in range(4)})

    def step(self) -> str:
        """Do one thing and return what."""
        self.count += 1
        what = self.random.choice(
            ["edit", "edit", "edit", "add", "move", "move", "delete", "branch", "switch", "merge", "merge", "rebase",
             "reset", "amend", "replace", "swap"]
        )  # fmt: skip
        getattr(self, f"_{what}")()
        return what

    def _files(self) -> list[str]:
        return self.repository.git("ls-files").splitlines()

    def _branches(self) -> list[str]:
        return self.repository.git("for-each-ref", "--format=%(refname:short)", "refs/heads").splitlines()

    def _text(self) -> str:
        return "".join(f"line {self.random.randrange(10**6)}\n" for _ in range(12))

    def _name(self) -> str:
        return f"{self.random.choice(['', 'd/', 'e/'])}f{self.random.randrange(8)}.txt"

    def _edit(self) -> None:
        for name in self.random.sample(files := self._files(), min(len(files), self.random.randint(1, 3))):
            text = (self.repository.root / name).read_text()
            self.repository.write({name: text + f"more {self.count}\n"})
        self.repository.commit(message=f"Change {self.count}\n\nOf seed {self.count % 3}.")

    def _add(self) -> None:
        self.repository.commit({self._name(): self._text()})

    def _move(self) -> None:
        files, new = self._files(), self._name()
        if files and new not in files:
            (self.repository.root / new).parent.mkdir(exist_ok=True)
            self.repository.git("mv", self.random.choice(files), new)
            self.repository.commit(message=f"Change {self.count}\n\nOf seed {self.count % 3}.")

    def _delete(self) -> None:
        files = self._files()
        if len(files) > 2:
            self.repository.git("rm", "-q", self.random.choice(files))
            self.repository.commit(message=f"Change {self.count}\n\nOf seed {self.count % 3}.")

    def _swap(self) -> None:
        files = self._files()
        if len(files) > 1:
            one, other = self.random.sample(files, 2)
            texts = [(self.repository.root / name).read_text() for name in (one, other)]
            self.repository.commit({one: texts[1], other: texts[0]})

    def _replace(self) -> None:
        """Rename a file and put another in its place, in one commit."""
        files, new = self._files(), self._name()
        if files and new not in files:
            old = self.random.choice(files)
            (self.repository.root / new).parent.mkdir(exist_ok=True)
            self.repository.git("mv", old, new)
            self.repository.commit({old: self._text()})

    def _branch(self) -> None:
        self.repository.git("checkout", "-q", "-b", f"b{self.count}")

    def _switch(self) -> None:
        self.repository.git("checkout", "-q", self.random.choice(self._branches()))

    def _merge(self) -> None:
        others = self.random.sample(branches := self._branches(), min(len(branches), self.random.choice([1, 1, 2])))
        self.repository.git("merge", "-q", "--no-edit", *others, check=False)
        if (self.repository.root / ".git/MERGE_HEAD").exists():
            self.repository.git("add", "-A")
            self.repository.git("commit", "-q", "-m", "resolved")
        self.repository.git("reset", "-q", "--hard")

    def _rebase(self) -> None:
        self.repository.git("rebase", "-q", self.random.choice(self._branches()), check=False)
        if (self.repository.root / ".git/rebase-merge").exists():
            self.repository.git("rebase", "--abort")

    def _reset(self) -> None:
        self.repository.git("reset", "-q", "--hard", f"HEAD~{self.random.randint(1, 2)}", check=False)

    def _amend(self) -> None:
        self.repository.write({self._name(): self._text()})
        self.repository.git("add", "-A")
        self.repository.git("commit", "-q", "--amend", "-m", "amended")
