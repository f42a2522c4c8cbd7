"""The law of propagation: kept up step by step it says what counting anew says."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memoire import propagation
from memoire.propagation import Propagation

PATHS = [f"{name}.py" for name in "abcdefgh"]
paths = st.sampled_from(PATHS)
edges = st.tuples(paths, paths).filter(lambda pair: pair[0] != pair[1])
steps = st.lists(st.one_of(edges, paths, st.none()), max_size=60)
"""A pair toggles one more edge of it (or takes one), a path comes or goes, None brings the counts up to date."""


def told(known: Propagation) -> list[tuple[str, int, int]]:
    return [(path, known.reachability(path), known.causal_in(path)) for path in PATHS]


@pytest.mark.parametrize("most_steps", [0, 6, 40, propagation.MOST_STEPS])
@given(taken=steps, twice=st.sets(edges))
@example(taken=[("a.py", "b.py"), ("f.py", "b.py"), None, "b.py", "f.py"], twice=set())
def test_counts_kept_up_equal_counts_made_anew(
    most_steps: int, taken: list[tuple[str, str] | str | None], twice: set[tuple[str, str]]
) -> None:
    there = set(PATHS[:5])
    known = Propagation(there)
    open_edges: list[tuple[str, str]] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(propagation, "MOST_STEPS", most_steps)
        known.settle()
        for step in [*taken, None]:
            if isinstance(step, tuple):
                count = open_edges.count(step)
                if count and not (step in twice and count == 1):
                    open_edges.remove(step)
                    known.drop(*step)
                else:
                    open_edges.append(step)
                    known.add(*step)
            elif isinstance(step, str):
                is_gone = step in there
                (there.discard if is_gone else there.add)(step)
                (known.went if is_gone else known.came)(step)
            else:
                before = told(known)
                changed = known.settle()
                fresh = Propagation(there)
                for edge in open_edges:
                    fresh.add(*edge)
                fresh.settle()
                assert told(known) == told(fresh)
                assert sorted(known.cycles()) == sorted(fresh.cycles())
                differing = {path for (path, *was), (_, *now) in zip(before, told(known), strict=True) if was != now}
                assert changed is None or differing <= changed
