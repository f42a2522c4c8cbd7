"""What files share does not depend on when each was read: property tests against the definition, written plainly."""

from math import log1p, sqrt

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from memoire.impact.vocabulary import COMMON_SHARE, RARE, Shared, Vocabulary

words = st.frozensets(st.integers(0, 40), max_size=12)
worlds = st.lists(words, min_size=1, max_size=8)


def packed(row: frozenset[int]) -> bytes:
    return np.array(sorted(row), np.uint32).tobytes()


def plainly(world: list[frozenset[int]], asked: frozenset[int]) -> list[tuple[float, float, float]]:
    """Return rare, cosine and few of each file, as `Shared` describes them."""
    holders = {word: sum(word in row for row in world) for word in asked}
    most = max(len(world) * COMMON_SHARE, RARE)
    idf = {word: log1p(len(world) / max(count, 1)) for word, count in holders.items() if 2 <= count <= most}
    length = sum(value**2 for value in idf.values()) / max(len(asked), 1)
    found = []
    for row in world:
        both = [word for word in asked & row if word in idf]
        rare = sum(1 / (holders[word] - 1) for word in both)
        scale = max(sqrt(length), 1e-9) ** 2 * sqrt(max(len(asked), 1)) * sqrt(max(len(row), 1))
        cosine = sum(idf[word] ** 2 for word in both) / scale
        found.append((rare, cosine, float(sum(2 <= holders[word] <= RARE for word in asked & row))))
    return found


def told(shared: Shared) -> list[tuple[float, float, float]]:
    return list(zip(shared.rare.tolist(), shared.cosine.tolist(), shared.few.tolist(), strict=True))


@given(worlds, st.data())
def test_what_is_shared_is_what_the_definition_says_whenever_a_file_was_read(
    world: list[frozenset[int]], data: st.DataObject
) -> None:
    vocabulary = Vocabulary()
    vocabulary.fill([packed(row) for row in world])
    for changes in data.draw(st.lists(st.dictionaries(st.integers(0, len(world) - 1), words, max_size=3), max_size=4)):
        world = [changes.get(at, row) for at, row in enumerate(world)]
        if not vocabulary.replace({at: packed(row) for at, row in changes.items()}):
            vocabulary.fill([packed(row) for row in world])

    asked = data.draw(words)

    np.testing.assert_allclose(told(vocabulary.shared(packed(asked))), plainly(world, asked), rtol=1e-9)
