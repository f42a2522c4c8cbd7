"""CHANGES_WITH: two files that the same commits change.

Evidence: the mined history, each file under the path it has today. Of a commit with n code files each pair counts
w = 1 / log2(1 + n), and none of one with more than `LARGEST`: a rename of a name, a format, a licence. How likely B
changes when A does is the mean of a Beta posterior:

    P(B | A) = (sum of w over commits of both + PRIOR * share of commits with B) / (sum of w over commits of A + PRIOR)

An edge is claimed from `LEAST_COMMITS` common commits on, where that is at least `LEAST` in one direction. It drives
nothing: what two files have in common drives both. Source: design of the graph; impact study, `Beta posterior, m=2`.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from math import log2

from memoire.episodes.history import HistoryCommit
from memoire.model import Claim, EdgeKey

LEAST_COMMITS = 3
LEAST = 0.3
PRIOR = 2.0
"""Commits that the expectation counts for before any is seen."""
LARGEST = 30
MOST_OF_ONE = 12
"""Edges of one file, the likeliest: what changes with everything (a changelog, a version) is bound to nothing."""
ORIGIN = "git:history"
"""What the edges are extracted from: no file of the tree, so that no save of one closes them."""

Pair = tuple[str, str]


def claims(
    commits: Sequence[HistoryCommit], files: Collection[str], is_code: Callable[[str], bool]
) -> Iterator[tuple[Claim, int]]:
    """Yield (claim, common commits) for each pair of files that changes together.

    Args:
        commits: The history, newest first.
        files: Those that there are now: of others nothing is claimed.
        is_code: Whether a path counts for the size of a commit.
    """
    weight: dict[str, float] = {}
    touched: Counter[str] = Counter()
    common: Counter[Pair] = Counter()
    common_weight: dict[Pair, float] = {}
    last: dict[Pair, HistoryCommit] = {}
    total = 0
    for commit in commits:
        size = sum(map(is_code, commit.paths))
        paths = [path for path in commit.paths if path in files]
        if commit.is_boundary or not 1 <= size <= LARGEST or len(paths) > 2 * LARGEST:
            continue
        total += 1
        worth = 1.0 / log2(1.0 + size)
        for number, one in enumerate(paths):
            touched[one] += 1
            weight[one] = weight.get(one, 0.0) + worth
            for other in paths[number + 1 :]:
                pair = (one, other)
                common[pair] += 1
                common_weight[pair] = common_weight.get(pair, 0.0) + worth
                last.setdefault(pair, commit)
    found: list[tuple[float, Pair, float, float]] = []
    for pair, count in common.items():
        if count < LEAST_COMMITS:
            continue
        one, other = pair
        forth = (common_weight[pair] + PRIOR * touched[other] / total) / (weight[one] + PRIOR)
        back = (common_weight[pair] + PRIOR * touched[one] / total) / (weight[other] + PRIOR)
        if max(forth, back) >= LEAST:
            found.append((max(forth, back), pair, forth, back))
    found.sort(key=lambda item: (-item[0], item[1]))
    kept: Counter[str] = Counter()
    for chance, pair, forth, back in found:
        if kept[pair[0]] < MOST_OF_ONE and kept[pair[1]] < MOST_OF_ONE:
            kept.update(pair)
            yield _claim(pair, (common[pair], last[pair]), (forth, back), chance), common[pair]


def _claim(pair: Pair, seen: tuple[int, HistoryCommit], chances: tuple[float, float], chance: float) -> Claim:
    (one, other), (count, last) = pair, seen
    return Claim(
        EdgeKey(one, "CHANGES_WITH", other),
        f"changed together in {count} commits, last {last.id[:9]} of {last.at:%Y-%m-%d}: {chances[0]:.0%} of the "
        f"changes of {one}, {chances[1]:.0%} of those of {other}",
        extracted_from=ORIGIN,
        confidence=round(chance, 2),
    )
