"""The evidence on each pair (file that changes, other file) as numbers: what the weights of `model` are for."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from memoire.impact.likeness import Likeness
from memoire.impact.nearness import Near
from memoire.impact.past import Past, Together
from memoire.impact.vocabulary import Shared

Floats = npt.NDArray[np.float64]


class Board(NamedTuple):
    """What is known of all files before one is asked for."""

    files: Sequence[str]
    place: Mapping[str, int]
    """Path -> its number."""
    past: Past
    likeness: Likeness
    is_test: Floats
    """1 for each file that holds tests."""
    is_code: Floats
    sizes: Floats
    """Bytes of each file."""


class Evidence(NamedTuple):
    """What is known of each file with regard to the one asked for."""

    together: Together
    shared: Shared
    near: Near
    alike: Floats
    """Of the paths."""
    changed: Shared | None = None
    """What each shares with the lines that change, where these are known."""
    changed_near: Near | None = None
    """How near each is to the definitions that change."""
    resigned: Near | None = None
    """How near each is to the definitions whose signature changes."""


NAMES = (
    "own", "inverse", "back", "share", "last", "churn", "prior", "since", "second", "common",
    "rare", "cosine", "few", "alike",
    "users", "used", "imports", "imported", "tests", "tested", "step2",
    "pair", "stem", "folder", "suffix", "is_test", "both_tests", "size",
    "in_folder",
    "c_rare", "c_cosine", "c_few", "c_users",
)  # fmt: skip
"""The features, in the order of the columns."""
OF_HISTORY = frozenset((*NAMES[:10], "in_folder"))
"""Those that need a past of the file."""


def table(board: Board, at: int, known: Evidence) -> Floats:
    """Return the features of every file, by row, with regard to the file of number `at`; its own row means nothing."""
    together, shared, near = known.together, known.shared, known.near
    none = np.zeros(len(board.files))
    changed = known.changed
    past, like = board.past, board.likeness
    same_stem = _equal(like.stems, at)
    one_test = np.abs(board.is_test - board.is_test[at])
    columns = {
        "own": np.log(together.own + 0.003),
        "inverse": np.log(together.inverse + 0.003),
        "back": np.log(together.back + 0.003),
        "share": together.share,
        "last": together.last,
        "churn": np.log(past.churn + 0.001),
        "prior": np.log(past.prior),
        "since": np.log1p(past.since),
        "second": np.log(together.second + 0.0001),
        "common": np.log1p(together.times),
        "rare": shared.rare / max(float(np.delete(shared.rare, at).max(initial=0.0)), 1e-9),
        "cosine": np.log(shared.cosine + 0.01),
        "few": np.log1p(shared.few),
        "alike": known.alike,
        "users": near.users,
        "used": near.used,
        "imports": near.imports,
        "imported": near.imported,
        "tests": near.tests,
        "tested": near.tested,
        "step2": np.sqrt(near.second),
        "pair": same_stem * one_test,
        "stem": same_stem * (1 - one_test),
        "folder": _equal(like.folders, at),
        "suffix": _equal(like.suffixes, at),
        "is_test": board.is_test,
        "both_tests": board.is_test * board.is_test[at],
        "size": np.log1p(board.sizes),
        "in_folder": np.log(together.folder + 0.01),
        "c_rare": changed.rare / (changed.total + 1) if changed else none,
        "c_cosine": np.log(changed.cosine + 0.01) if changed else none,
        "c_few": np.log1p(changed.few) if changed else none,
        "c_users": _changed_uses(known, none),
    }
    return np.column_stack([columns[name] for name in NAMES])


def _changed_uses(known: Evidence, none: Floats) -> Floats:
    """Return log(1 + uses of the definitions that change); of those whose signature changes each counts twice."""
    uses = np.expm1(known.changed_near.users) if known.changed_near else none
    return np.log1p(uses + np.expm1(known.resigned.users) if known.resigned else uses)


def _equal(values: npt.NDArray[np.int64], at: int) -> Floats:
    return np.asarray(values == values[at], np.float64)


def make_board(
    files: Sequence[str],
    past: Past,
    *,
    is_test: Callable[[str], bool],
    is_code: Callable[[str], bool],
    sizes: Sequence[int],
) -> Board:
    """Return what is known of all files."""
    return Board(
        files=files,
        place={path: at for at, path in enumerate(files)},
        past=past,
        likeness=Likeness(files),
        is_test=np.fromiter(map(is_test, files), np.float64, len(files)),
        is_code=np.fromiter(map(is_code, files), np.float64, len(files)),
        sizes=np.array(sizes, np.float64),
    )
