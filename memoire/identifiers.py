"""The identifiers of one file as numbers: what tells which files speak of the same rare things.

Two files that both say `retry_budget_ms` change together far more often than two that both say `value`; how rare an
identifier is, is a question about all files (`memoire.impact.vocabulary`). Here each file is reduced, once, to the
sorted set of the hashes of its words.
"""

import re
from array import array
from zlib import crc32

LEAST_LENGTH = 4
"""Characters: shorter words are keywords and loop variables. Source: impact study, words of at least 4 characters."""
MOST = 4_000
"""Hashes kept of one file, the smallest: of a larger set a sample that is the same in every file, so that what two
files share stays in proportion. A file of 4,000 distinct words is data or generated."""
MOST_BYTES = 1_000_000
"""Of a larger file the beginning is looked at."""

_WORD = re.compile(rb"[A-Za-z_\x80-\xff][A-Za-z0-9_\x80-\xff]{%d,79}" % (LEAST_LENGTH - 1))


def identifier_hashes(data: bytes) -> bytes:
    """Return the 32-bit hashes of the distinct words of a text, sorted: 4 bytes each, of this machine's byte order."""
    words = set(_WORD.findall(data[:MOST_BYTES]))
    return array("I", sorted(set(map(crc32, words)))[:MOST]).tobytes()


def hashes_of(words: set[str]) -> bytes:
    """Return the hashes of some words as `identifier_hashes` gives those of a text."""
    return identifier_hashes(" ".join(words).encode())
