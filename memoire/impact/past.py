"""What the history of a project says of any two of its files.

Commits that touched more than `LARGEST` code files are left out: they are renames of a name, formatting, licences. Each
other one counts for two of its files by 1 / log2(1 + files), and the less the older it is, in commits. All of it is a
few sums over one sparse table, commits by files; a question costs under a millisecond or two.
"""

from collections.abc import Callable, Sequence
from posixpath import dirname
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from memoire.episodes.history import HistoryCommit

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

LARGEST = 30
"""Code files of a commit that says something of two of them. Source: impact study, `commits over 30 code files`."""
OWN_HALF_LIFE = 8.0
"""Commits of the file itself after which a commit counts half. Source: impact study, `half-life 8`."""
CHURN_HALF_LIFE = 30.0
"""Commits of the project after which a change counts half as a sign that more of the same work follows."""
NEVER = 50
"""A file that no commit changed is taken for one that changed so many commits before the first."""


class Together(NamedTuple):
    """How the files changed with the one asked for; one number for each file."""

    own: Floats
    """P(changes | the file changes), recent commits of the file counting most."""
    inverse: Floats
    """The same with each commit shared out among its other files."""
    back: Floats
    """P(the file changes | changes)."""
    share: Floats
    """Weight of the common commits, over the largest such weight."""
    last: Floats
    """1 / (1 + commits of the file since the last common one); 0 without one."""
    second: Floats
    """What changed with what changed with it."""
    times: Floats
    """Common commits."""
    commits: int
    """Commits of the file."""
    mean_size: float
    """Code files of those commits, on average."""
    folder: Floats
    """P(something in its folder changes | the file changes)."""


class Past:
    """The commits of a project as a table.

    Args:
        commits: Newest first.
        files: The files asked about; the order of all results.
        is_code: Whether a path counts as code.
    """

    def __init__(self, commits: Sequence[HistoryCommit], files: Sequence[str], is_code: Callable[[str], bool]) -> None:
        index = {path: at for at, path in enumerate(files)}
        rows: list[int] = []
        columns: list[int] = []
        sizes: list[int] = []
        self.kept: list[HistoryCommit] = []
        """The commits that count, newest first."""
        for commit in commits:
            size = sum(map(is_code, commit.paths))
            if commit.is_boundary or not 1 <= size <= LARGEST:
                continue
            for path in commit.paths:
                at = index.get(path)
                if at is not None:
                    rows.append(len(sizes))
                    columns.append(at)
            sizes.append(size)
            self.kept.append(commit)
        self._files = len(files)
        self._rows = np.array(rows, np.int64)
        self._columns = np.array(columns, np.int64)
        self._sizes = np.array(sizes, np.float64)
        self._weights = 1.0 / np.log2(1.0 + self._sizes)
        self.commits = len(sizes)
        ages = np.arange(self.commits, dtype=np.float64)
        fresh = 0.5 ** (ages / CHURN_HALF_LIFE)
        self.touched = self._by_file(np.ones(self.commits))
        """Commits of each file."""
        self._weight_of = self._by_file(self._weights)
        self.prior = (self.touched + 0.5) / (self.commits + 1)
        """Share of the commits that touch each file."""
        self.churn = self._by_file(fresh) / max(fresh.sum(), 1.0)
        """The same, recent commits counting most."""
        folders: dict[str, int] = {}
        self._folder = np.fromiter((folders.setdefault(dirname(path), len(folders)) for path in files), np.int64)
        pairs = np.unique(self._rows * max(len(folders), 1) + self._folder[self._columns]) if rows else self._rows
        self._folder_rows, self._folder_columns = np.divmod(pairs, max(len(folders), 1))
        self._folders = len(folders)
        self.since = np.full(self._files, float(self.commits + NEVER))
        """Commits since each file changed."""
        if len(self._rows):
            np.minimum.at(self.since, self._columns, self._rows.astype(np.float64))

    def together(self, at: int) -> Together:
        """Return how the files changed with one of them, by its number."""
        mine = np.unique(self._rows[self._columns == at])
        weights = np.zeros(self.commits)
        decayed, shared, order, mask = weights.copy(), weights.copy(), weights.copy(), weights.copy()
        ranks = np.arange(len(mine), dtype=np.float64)
        mask[mine] = 1.0
        weights[mine] = self._weights[mine]
        decayed[mine] = 0.5 ** (ranks / OWN_HALF_LIFE) * self._weights[mine]
        shared[mine] = 1.0 / np.maximum(self._sizes[mine] - 1, 1)
        order[mine] = 1.0 / (1.0 + ranks)
        prior = self.prior
        common = self._by_file(weights)
        common[at] = 0.0
        spread = common / (self.touched + 1)
        by_commit = np.bincount(self._rows, spread[self._columns], minlength=self.commits) * self._weights
        last = np.zeros(self._files)
        if len(mine):
            np.maximum.at(last, self._columns, order[self._rows])
        last[at] = 0.0
        total = max(float(weights.sum()), 1e-9)
        in_folder = np.bincount(self._folder_columns, weights[self._folder_rows], minlength=self._folders) / (total + 1)
        return Together(
            own=(self._by_file(decayed) + prior) / (decayed.sum() + 1),
            inverse=(self._by_file(shared) + 0.5 * prior) / (len(mine) + 1),
            back=(common + 0.5 * float(prior[at])) / (self._weight_of + 1),
            share=common / max(float(common.max(initial=0.0)), 1e-9),
            last=last,
            second=self._by_file(by_commit) / (weights.sum() + 1),
            times=self._by_file(mask),
            commits=len(mine),
            folder=in_folder[self._folder] if len(mine) else np.zeros(self._files),
            mean_size=float(self._sizes[mine].mean()) if len(mine) else 0.0,
        )

    def shared_commits(self, one: str, other: str) -> list[HistoryCommit]:
        """Return the commits that touched both of two files, newest first."""
        return [commit for commit in self.kept if one in commit.paths and other in commit.paths]

    def _by_file(self, by_commit: Floats) -> Floats:
        return np.bincount(self._columns, by_commit[self._rows], minlength=self._files).astype(np.float64)
