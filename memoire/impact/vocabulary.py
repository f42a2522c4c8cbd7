"""Which files share rare identifiers with a file.

The hashes of all files lie sorted in one array, each with the file that holds it, so that a question looks only at the
holders of its own identifiers: 8 bytes for each identifier of each file, and about a millisecond for 10,000 files. What
changed since the sorting lies beside it, a little, and is looked through as it is.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

_BYTES = 4
"""Of a hash."""
_WORN = 1 / 16
"""Share of the hashes that may have changed before all are sorted again: looking through them costs as much then."""
COMMON_SHARE = 0.5
"""An identifier that more than this share of the files hold tells nothing of any two of them."""
RARE = 4
"""Files that hold a rare identifier, at most. Source: impact study, `rare count (df 2-4)`."""


class Shared(NamedTuple):
    """What the files share with the one asked for; one number for each file, in the order of the files."""

    rare: Floats
    """Sum over the shared identifiers of 1 / (files that hold it - 1). Source: impact study, `tok1`."""
    cosine: Floats
    """Sum over the shared identifiers of idf², over the lengths of both sets; idf = log(1 + files / holders)."""
    few: Floats
    """Number of shared identifiers that 2 to 4 files hold."""
    total: float
    """What `rare` would be for a file that shares all of them."""


class Vocabulary:
    """The identifiers of a fixed list of files."""

    def __init__(self) -> None:
        self._files = 0
        self._hashes = np.zeros(0, np.uint32)
        self._owners = np.zeros(0, np.int32)
        self._sizes = np.zeros(0, np.float64)
        self._is_old = np.zeros(0, np.bool_)
        self._changed: dict[int, npt.NDArray[np.uint32]] = {}

    def fill(self, rows: Sequence[bytes]) -> None:
        """Take the identifiers of all files anew.

        Args:
            rows: For each file its hashes, as `identifier_hashes` gives them.
        """
        self._files = len(rows)
        lengths = np.fromiter((len(row) // _BYTES for row in rows), np.int64, len(rows))
        hashes = np.frombuffer(b"".join(rows), np.uint32)
        order = np.argsort(hashes, kind="stable")
        self._hashes = hashes[order]
        self._owners = np.repeat(np.arange(len(rows), dtype=np.int32), lengths)[order]
        self._sizes = np.maximum(lengths, 1).astype(np.float64)
        self._is_old = np.zeros(len(rows), np.bool_)
        self._changed = {}

    def replace(self, changed: Mapping[int, bytes]) -> bool:
        """Take the identifiers of some files anew; return False where so many have changed that `fill` is due.

        Args:
            changed: Number of a file -> its hashes.
        """
        for at, row in changed.items():
            self._is_old[at] = True
            self._changed[at] = hashes = np.frombuffer(row, np.uint32)
            self._sizes[at] = max(len(hashes), 1)
        return sum(map(len, self._changed.values())) <= len(self._hashes) * _WORN

    def shared(self, asked: bytes) -> Shared:
        """Return what each file shares with a set of hashes."""
        nothing = np.zeros(self._files)
        mine = np.unique(np.frombuffer(asked, np.uint32))
        if not len(mine) or not self._files:
            return Shared(nothing, nothing, nothing, 0.0)
        place, owners = self._holders(mine)
        holders = np.bincount(place, minlength=len(mine)).astype(np.float64)
        telling = (holders >= 2) & (holders <= max(self._files * COMMON_SHARE, RARE))
        idf = np.where(telling, np.log1p(self._files / np.maximum(holders, 1)), 0.0)
        rare = np.where(telling, 1.0 / np.maximum(holders - 1, 1), 0.0)
        few = np.where((holders >= 2) & (holders <= RARE), 1.0, 0.0)

        def total(weights: Floats) -> Floats:
            return np.bincount(owners, weights[place], minlength=self._files).astype(np.float64)

        length = np.sqrt(np.square(idf).sum() / len(mine))
        scale = max(length, 1e-9) ** 2 * np.sqrt(len(mine)) * np.sqrt(self._sizes)
        return Shared(total(rare), total(np.square(idf)) / scale, total(few), float(rare.sum()))

    def _holders(self, mine: npt.NDArray[np.uint32]) -> tuple[Ints, Ints]:
        """Return for each pair of one of these hashes, which are sorted, and a file that holds it, both numbers."""
        first = np.searchsorted(self._hashes, mine, side="left")
        counts = np.searchsorted(self._hashes, mine, side="right") - first
        place = np.repeat(np.arange(len(mine)), counts)
        at = np.arange(len(place)) + np.repeat(first - (np.cumsum(counts) - counts), counts)
        owners = self._owners[at].astype(np.int64)
        if self._changed:
            kept = ~self._is_old[owners]
            now = [np.searchsorted(mine, row[np.isin(row, mine)]) for row in self._changed.values()]
            place = np.concatenate([place[kept], *now])
            owners = np.concatenate([owners[kept], np.repeat(list(self._changed), list(map(len, now)))])
        return place, owners
