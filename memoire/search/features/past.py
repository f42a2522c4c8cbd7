"""The mined history in the shape that search asks it: which words commits were told with, and which files they touched.

Made anew of each history (some 50 ms and 4 MB for 5,000 commits), read by the features beside it. Nothing of it is
written: the messages lie in the history's file, redacted, and the index holds none of them.
"""

import math
from array import array
from collections import Counter
from collections.abc import Sequence

from memoire.episodes.history import History, HistoryCommit
from memoire.languages import language_of
from memoire.tokens import index_words

BULK = 30
"""A commit that touched more files says nothing about any of them. Source: the study that `ranking` cites."""
UNHEARD = 500
"""See `Past.telling`."""
LEAST = 0.05
"""What a word tells that every message says."""
_MOST = 15
"""Times that a message may say one word: beyond, it is a list."""
_SHIFT = 4
"""Bits of a posting below the number of the commit: how often it says the word."""


class Past:
    """What commits said and did, newest first; files and commits go by their numbers. Immutable.

    Args:
        commits: Newest first.
        messages: What each says of itself.
    """

    def __init__(self, commits: Sequence[HistoryCommit] = (), messages: Sequence[str] = ()) -> None:
        self.paths: list[str] = []
        """Number of a file -> its path of today, or its last one."""
        self.numbers: dict[str, int] = {}
        """Path of a file -> its number."""
        self.files: list[tuple[int, ...]] = []
        """For each commit the files it touched; empty where it is too large, or the end of a shallow clone."""
        self.share: list[float] = []
        """For each commit how much it says of each of its files: 1 / log2(1 + files)."""
        self.lengths = array("H")
        """For each commit how many words its message has."""
        self.postings: dict[str, array[int]] = {}
        """Word -> numbers of the commits that say it, times 16, plus how often."""
        self.touching: list[array[int]] = []
        """For each file the commits that touched it, newest first."""
        self.parts: list[str] = []
        """Number of a part of a path -> that part, as the index holds it."""
        self.touched_parts: list[tuple[int, ...]] = []
        """For each commit the parts of the paths that it touched, each once."""
        self.commits_of_part = array("I")
        """For each part how many commits touched a path that has it."""
        self._part_numbers: dict[str, int] = {}
        self._parts_of: list[tuple[int, ...]] = []
        for number, (commit, message) in enumerate(zip(commits, messages, strict=True)):
            self._put(number, commit, message)
        self.mean_length = sum(self.lengths) / (len(self.lengths) or 1)
        self.told = [sum(self.share[each] * self.lengths[each] for each in mine) for mine in self.touching]
        """For each file how many words were said of it, each commit's by its share."""
        self.mean_told = sum(self.told) / (len(self.told) or 1)

    @classmethod
    def of(cls, history: History) -> "Past":
        """Return the past that a history tells."""
        return cls(history.commits, history.messages)

    def __len__(self) -> int:
        return len(self.files)

    def rarity(self, word: str) -> float:
        """Return the inverse document frequency of a word among messages, above 0; the highest where nobody said it."""
        count = len(self.postings.get(word, ()))
        return math.log1p((len(self.files) - count + 0.5) / (count + 0.5))

    def telling(self, word: str) -> float:
        """Return how much a word tells, in (0, 1]: little where every message says it, all where none does.

        With few commits nearly all, as if there were `UNHEARD` more of them that say none of the words.
        """
        count, whole = len(self.postings.get(word, ())), len(self.files) + UNHEARD
        share = math.log1p((whole - count + 0.5) / (count + 0.5)) / math.log1p((whole + 0.5) / 0.5)
        return (LEAST + share) / (1 + LEAST)

    def said(self, word: str) -> list[tuple[int, int]]:
        """Return the commits that say a word, with how often."""
        return [(each >> _SHIFT, each & _MOST) for each in self.postings.get(word, ())]

    def _put(self, number: int, commit: HistoryCommit, message: str) -> None:
        code = [path for path in commit.paths if _is_code(path)] or list(commit.paths)
        touched = () if len(code) > BULK or commit.is_boundary else tuple(map(self._number, commit.paths))
        self.files.append(touched)
        self.share.append(1 / math.log2(1 + max(len(code), 1)))
        parts = tuple({part for one in touched for part in self._parts_of[one]})
        self.touched_parts.append(parts)
        for part in parts:
            self.commits_of_part[part] += 1
        for one in touched:
            self.touching[one].append(number)
        words = index_words(message).split() if touched else []
        self.lengths.append(min(len(words), 0xFFFF))
        for word, count in Counter(words).items():
            found = self.postings.get(word)
            if found is None:
                found = self.postings[word] = array("I")
            found.append((number << _SHIFT) | min(count, _MOST))

    def _number(self, path: str) -> int:
        number = self.numbers.get(path)
        if number is None:
            number = self.numbers[path] = len(self.paths)
            self.paths.append(path)
            self.touching.append(array("I"))
            self._parts_of.append(tuple(map(self._part, dict.fromkeys(parts_of(path)))))
        return number

    def _part(self, part: str) -> int:
        number = self._part_numbers.get(part)
        if number is None:
            number = self._part_numbers[part] = len(self.parts)
            self.parts.append(part)
            self.commits_of_part.append(0)
        return number


def parts_of(path: str) -> list[str]:
    """Return the terms of a path, as the index of files holds them."""
    return index_words(path).replace("\n", " ").split()


def _is_code(path: str) -> bool:
    language = language_of(path)
    return language is not None and language.kind == "file"
