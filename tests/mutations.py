"""Makes files that are nearly real: what a fuzzer feeds to extraction, and its small version in the suite."""

import random
import re
from collections.abc import Callable, Sequence

_TOKEN = re.compile(rb"\w+|[^\S\n]+|\n|[^\w\s]")
LONGEST = 60_000
"""Bytes of what a mutation makes, at most."""

Mutation = Callable[[random.Random, bytes, Sequence[bytes]], bytes]
"""(source of chance, a file, other files) -> another file."""


def mutate(chance: random.Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """Return the file after one to four mutations."""
    for _ in range(chance.randint(1, 4)):
        data = chance.choice(MUTATIONS)(chance, data, others)[:LONGEST]
    return data


def _place(chance: random.Random, data: bytes) -> int:
    return chance.randint(0, len(data))


def _flip_bytes(chance: random.Random, data: bytes, _others: Sequence[bytes]) -> bytes:
    changed = bytearray(data)
    for _ in range(min(len(data), chance.randint(1, 8))):
        changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


def _insert_punctuation(chance: random.Random, data: bytes, _others: Sequence[bytes]) -> bytes:
    at = _place(chance, data)
    piece = bytes(chance.choices(b"()[]{}<>.,;:!?'\"`@#$%&*-+=/\\|~_ \n\t\0\xff", k=chance.randint(1, 6)))
    return data[:at] + piece + data[at:]


def _swap_tokens(chance: random.Random, data: bytes, _others: Sequence[bytes]) -> bytes:
    tokens = _TOKEN.findall(data)
    for _ in range(chance.randint(1, 5) if len(tokens) > 1 else 0):
        one, other = chance.randrange(len(tokens)), chance.randrange(len(tokens))
        tokens[one], tokens[other] = tokens[other], tokens[one]
    return b"".join(tokens)


def _delete_tokens(chance: random.Random, data: bytes, _others: Sequence[bytes]) -> bytes:
    tokens = _TOKEN.findall(data)
    start = chance.randint(0, len(tokens))
    return b"".join(tokens[:start] + tokens[start + chance.randint(1, 10) :])


def _repeat_tokens(chance: random.Random, data: bytes, _others: Sequence[bytes]) -> bytes:
    tokens = _TOKEN.findall(data)
    start = chance.randint(0, len(tokens))
    end = start + chance.randint(1, 6)
    return b"".join(tokens[:end] + tokens[start:end] * chance.choice((1, 2, 30, 300)) + tokens[end:])


def _delete_lines(chance: random.Random, data: bytes, _others: Sequence[bytes]) -> bytes:
    lines = data.split(b"\n")
    start = chance.randint(0, len(lines))
    return b"\n".join(lines[:start] + lines[start + chance.randint(1, 5) :])


def _repeat_lines(chance: random.Random, data: bytes, _others: Sequence[bytes]) -> bytes:
    lines = data.split(b"\n")
    start = chance.randint(0, len(lines))
    end = start + chance.randint(1, 5)
    return b"\n".join(lines[:end] + lines[start:end] * chance.choice((1, 3, 50)) + lines[end:])


def _swap_lines(chance: random.Random, data: bytes, _others: Sequence[bytes]) -> bytes:
    lines = data.split(b"\n")
    one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]
    return b"\n".join(lines)


def _splice(chance: random.Random, data: bytes, others: Sequence[bytes]) -> bytes:
    other = chance.choice(others) if others else data
    start = _place(chance, other)
    at = _place(chance, data)
    return data[:at] + other[start : start + chance.randint(1, 2_000)] + data[at:]


def _join(chance: random.Random, data: bytes, others: Sequence[bytes]) -> bytes:
    other = chance.choice(others) if others else data
    return data[: _place(chance, data)] + other[_place(chance, other) :]


def _truncate(chance: random.Random, data: bytes, _others: Sequence[bytes]) -> bytes:
    return data[: _place(chance, data)]


def _behead(chance: random.Random, data: bytes, _others: Sequence[bytes]) -> bytes:
    return data[_place(chance, data) :]


def _other_line_ends(chance: random.Random, data: bytes, _others: Sequence[bytes]) -> bytes:
    return data.replace(b"\n", chance.choice((b"\r\n", b"\r", b"\n\n", b"")))


MUTATIONS: tuple[Mutation, ...] = (
    _flip_bytes,
    _insert_punctuation,
    _swap_tokens,
    _delete_tokens,
    _repeat_tokens,
    _delete_lines,
    _repeat_lines,
    _swap_lines,
    _splice,
    _join,
    _truncate,
    _behead,
    _other_line_ends,
)
