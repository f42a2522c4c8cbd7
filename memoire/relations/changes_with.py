"""CHANGES_WITH: two files that the same commits change, or that sessions edit one soon after the other.

Evidence: the mined history, each file under the path it has today. Of a commit with n code files each pair counts
w = 1 / log2(1 + n), and none of one with more than `LARGEST`: a rename of a name, a format, a licence. How likely B
changes when A does is the mean of a Beta posterior:

    P(B | A) = (sum of w over commits of both + PRIOR * share of commits with B) / (sum of w over commits of A + PRIOR)

The prior is Beta(PRIOR * p, PRIOR * (1 - p)), p the share of all commits that change B. From `LEAST_COMMITS` common
commits on, where P is at least `LEAST` in one direction, the two change together. The edge drives nothing: what two
files have in common drives both. But where B depends on A in the source and P(B | A) is that large, the commits are
evidence that A drives B (`relations.lessons`). Source: design of the graph; impact study, `Beta posterior, m=2`.

Sessions are evidence as `relations.session_order` says, for two files neither of which depends on the other.
"""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from math import log2

import msgspec

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
SESSIONS_CONFIDENCE = 0.5
"""Of an edge that sessions alone tell of."""

Pair = tuple[str, str]


class Together(msgspec.Struct, frozen=True, gc=False):
    """Two files that commits change together; the first sorts before the other."""

    one: str
    other: str
    commits: int
    """How many changed both."""
    last: str
    """Hash of the newest of them."""
    last_at: datetime
    forth: float
    """P(the other changes | the one does)."""
    back: float
    """The other way round."""

    def chance(self, source: str) -> float:
        """Return how likely the file that is not `source` changes when that does."""
        return self.forth if source == self.one else self.back


def together(
    commits: Sequence[HistoryCommit], files: Collection[str], is_code: Callable[[str], bool]
) -> list[Together]:
    """Return the pairs of files that change together, the likeliest first.

    Args:
        commits: The history, newest first.
        files: Those that there are now: of others nothing is said.
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
    pairs: list[Together] = []
    for _, pair, forth, back in found:
        if kept[pair[0]] < MOST_OF_ONE and kept[pair[1]] < MOST_OF_ONE:
            kept.update(pair)
            pairs.append(Together(*pair, common[pair], last[pair].id, last[pair].at, forth, back))
    return pairs


def claim(found: Together | None, pair: Pair, said: Sequence[str] = ()) -> Claim:
    """Return the edge of a pair.

    Args:
        found: What commits say, None where they say nothing.
        pair: The two files, in order.
        said: What else is known: sentences.
    """
    chance = SESSIONS_CONFIDENCE if found is None else max(found.forth, found.back)
    why = [] if found is None else [_told(found)]
    return Claim(
        EdgeKey(pair[0], "CHANGES_WITH", pair[1]),
        "; ".join([*why, *said]),
        extracted_from=ORIGIN,
        confidence=round(chance, 2),
    )


def _told(found: Together) -> str:
    return (
        f"changed together in {found.commits} commits, last {found.last[:9]} of {found.last_at:%Y-%m-%d}: "
        f"{found.forth:.0%} of the changes of {found.one}, {found.back:.0%} of those of {found.other}"
    )


def told(found: Together, source: str) -> str:
    """Return the sentence that names commits as evidence that a change of one file asks for one of the other."""
    other = found.other if source == found.one else found.one
    return (
        f"{found.chance(source):.0%} of the changes of {source} changed {other}: {found.commits} commits, "
        f"last {found.last[:9]} of {found.last_at:%Y-%m-%d}"
    )
