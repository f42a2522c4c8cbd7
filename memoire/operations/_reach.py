"""Tells what a change reaches, with reasons: for `impact`, for `expand`, before an edit."""

from collections.abc import Sequence

from memoire.budget import clip
from memoire.impact.ranking import Change, Impacted
from memoire.memory import Memory
from memoire.operations._detail import Reached, Section, listed

LEAST = 0.005
"""A file that changes in fewer than one of two hundred such changes is not told of."""
LIKELY = 0.1
"""Before an edit, and beside all else that is known of a file, only this is worth a line."""
MOST = 10
_REASONS = 2
_REASON_CHARS = 160


def explained(memory: Memory, changes: Sequence[Change], found: Sequence[Impacted]) -> list[Reached]:
    """Return some files that are reached with their reasons."""
    by_path = {change.path: change for change in changes}
    reasons: dict[tuple[str, str], list[str]] = {}
    for cause in {item.cause for item in found}:
        others = [item.path for item in found if item.cause == cause]
        for path, why in memory.impact.reasons(by_path[cause], others).items():
            reasons[cause, path] = [clip(one.text, _REASON_CHARS) for one in why[:_REASONS]]
    return [Reached(item.path, round(item.probability, 2), reasons.get((item.cause, item.path), [])) for item in found]


def reached_by(memory: Memory, path: str, symbol: str = "") -> list[Reached]:
    """Return the files that likely change with a file, or with a definition of it, at most ten, with their reasons."""
    change = Change(path, frozenset({symbol} - {""}))
    found = [item for item in memory.impact.rank([change]) if item.probability >= LIKELY and not item.is_upstream]
    return explained(memory, [change], found[:MOST])


def impact_section(memory: Memory, path: str, symbol: str = "") -> Section:
    """Return the section of `expand` that tells them."""
    return listed("impact", reached_by(memory, path, symbol), share=5, most=MOST)
