"""Files by what was ever said of them: each file's document is the messages of all its commits.

A word that a commit of many files says counts less for each of them: by 1 / log2(1 + files), in the count and in the
length. The rarity of a word is that among messages, not among files.

Source: BM25 with its usual constants (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009); the share
was worth 2 points of recall@10 in finding the files of commits.
"""

from collections.abc import Iterable

from memoire.search.features.past import Past

K1, B = 1.2, 0.75
COMMON, FEW = 0.25, 20
"""A word in a greater share of all messages is what messages are written with, not what they are about; in so few it is
not."""


def told(past: Past, words: Iterable[str]) -> dict[int, float]:
    """Return file -> how well the messages of its commits answer the words."""
    scores: dict[int, float] = {}
    for word in words:
        said = past.said(word)
        if len(said) > max(COMMON * len(past), FEW):
            continue
        counts: dict[int, float] = {}
        for commit, times in said:
            count = times * past.share[commit]
            for file in past.files[commit]:
                counts[file] = counts.get(file, 0.0) + count
        weight = past.rarity(word) * (K1 + 1)
        for file, count in counts.items():
            norm = K1 * (1 - B + B * past.told[file] / past.mean_told)
            scores[file] = scores.get(file, 0.0) + weight * count / (count + norm)
    return scores
