"""The optional arm of search that knows words by their meaning: one vector a file, from static embeddings.

`wordllama` carries its weights inside its wheel: a table of one vector for each of 32,000 pieces of words, and how
words fall into pieces. Only these two files are read; nothing of it is run, and nothing is loaded before the first file
or query needs it. A text is the mean of the pieces of its words, so that files which say `log in` are near to a query
for `authenticate`.

Source: model distillation into static tables (WordLlama; Tulkens and van Dongen, Model2Vec). `benchmarks/search` says
what the arm is worth.
"""

import functools
import importlib
import json
import logging
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import metadata, util
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from memoire.tokens import index_words

logger = logging.getLogger(__name__)

PACKAGE = "wordllama"
MOST_WORDS = 6_000
"""Of one file, from its beginning."""
MOST_FILES = 60_000
"""Files whose vectors are kept in memory, at 256 bytes each; those that come after are found by their words alone."""
_SCALE = 127.0
_ROWS = 4096

Vector = npt.NDArray[np.float32]


class Embedding(Protocol):
    """Gives words a direction."""

    @property
    def name(self) -> str:
        """What a kept vector depends on beside the words."""

    @property
    def size(self) -> int:
        """Numbers of a vector."""

    def of(self, words: Mapping[str, int]) -> Vector:
        """Return the direction of a text, of length 1 (0 where it has none), given how often it has each word."""


class Table:
    """Static embeddings: a word is the sum of its pieces.

    Args:
        name: See `Embedding`.
        weights: The vector of each piece.
        pieces: Returns the pieces of each of some words.
    """

    def __init__(self, name: str, weights: npt.NDArray[np.float16], pieces: "Pieces") -> None:
        self.name = name
        self.size = int(weights.shape[1])
        self._weights = weights
        self._pieces = pieces

    def of(self, words: Mapping[str, int]) -> Vector:
        """Return the direction of a text."""
        found: Counter[int] = Counter()
        for pieces, count in zip(self._pieces(list(words)), words.values(), strict=True):
            for piece in pieces:
                found[piece] += count
        if not found:
            return np.zeros(self.size, np.float32)
        places = np.fromiter(found.keys(), np.int64, len(found))
        counts = np.fromiter(found.values(), np.float32, len(found))
        return unit(counts @ self._weights[places].astype(np.float32))


class Source(NamedTuple):
    """Where embeddings come from."""

    name: str = ""
    """What kept vectors depend on; empty where there are none to be had."""
    load: Callable[[], Embedding | None] = lambda: None


class Pieces(Protocol):
    """Splits words into the pieces that a table knows."""

    def __call__(self, words: list[str], /) -> Sequence[Sequence[int]]:
        """Return the numbers of the pieces of each word."""


def unit(vector: Vector) -> Vector:
    """Return the vector with length 1; one of no length as it is."""
    length = float(np.linalg.norm(vector))
    return (vector / length if length else vector).astype(np.float32)


def installed() -> str:
    """Return the version of the package that brings the weights; empty where it is not installed. Loads nothing."""
    try:
        return metadata.version(PACKAGE) if util.find_spec(PACKAGE) and util.find_spec("tokenizers") else ""
    except (metadata.PackageNotFoundError, ValueError):
        return ""


def source() -> Source:
    """Return the embeddings that are installed."""
    version = installed()
    return Source(f"{PACKAGE} {version}" if version else "", embedding)


@functools.cache
def embedding() -> Embedding | None:
    """Return the embeddings that are installed, loaded; None where there are none, or they cannot be read."""
    version, spec = installed(), util.find_spec(PACKAGE)
    if not version or spec is None or spec.origin is None:
        return None
    try:
        return _load(f"{PACKAGE} {version}", Path(spec.origin).parent)
    except (OSError, ValueError, KeyError, StopIteration, ImportError) as error:
        logger.warning("embeddings cannot be read why=%s", error)
        return None


def _load(name: str, folder: Path) -> Embedding:
    weights = _weights(next(iter(sorted((folder / "weights").glob("*_256.safetensors")))))
    tokenizer = next(iter(sorted((folder / "tokenizers").glob("*.json"))))
    # It is there only where somebody asked for it, and costs 30 ms.
    splitter = importlib.import_module("tokenizers").Tokenizer.from_file(str(tokenizer))
    splitter.no_truncation()
    splitter.no_padding()

    def pieces(words: list[str], /) -> Sequence[Sequence[int]]:
        return [found.ids for found in splitter.encode_batch(words, add_special_tokens=False)]

    return Table(name, weights, pieces)


def _weights(file: Path) -> npt.NDArray[np.float16]:
    """Return the one table of a file of tensors, mapped and not read.

    Source: the safetensors format: the length of a JSON header in 8 bytes, the header, the tensors.

    Raises:
        ValueError: It holds no table of 16-bit numbers.
    """
    with file.open("rb") as opened:
        length = int.from_bytes(opened.read(8), "little")
        if length > file.stat().st_size:
            raise ValueError("its header is longer than the file")
        header = json.loads(opened.read(length))
    tensors = [tensor for key, tensor in header.items() if key != "__metadata__"]
    if len(tensors) != 1 or tensors[0]["dtype"] != "F16" or len(tensors[0]["shape"]) != 2:
        raise ValueError("it holds no table of 16-bit numbers")
    start = 8 + length + int(tensors[0]["data_offsets"][0])
    rows, size = map(int, tensors[0]["shape"])
    return np.memmap(file, np.float16, "r", start, (rows, size))


def vector_of(found: Embedding, path: str, words: str) -> bytes:
    """Return what is kept of a file: the direction of its path and its words, one signed byte a number.

    Args:
        found: The embeddings.
        path: Of the file.
        words: As `tokens.index_words` gives them.
    """
    body = words.partition("\n")[0].split(" ", MOST_WORDS)[:MOST_WORDS]
    said = Counter(index_words(path).partition("\n")[0].split())
    said.update(body)
    said.pop("", None)
    return bytes(np.rint(found.of(said) * _SCALE).astype(np.int8).tobytes())


class Meanings:
    """The vectors of the files of one index. One thread changes them while others ask."""

    def __init__(self, found: Embedding) -> None:
        self.embedding = found
        self._lock = threading.Lock()
        self._places: dict[str, int] = {}
        self._paths: list[str] = []
        self._rows = np.zeros((0, found.size), np.int8)
        self._waiting: dict[str, bytes] = {}

    def put(self, path: str, vector: bytes) -> None:
        """Keep the vector of a file, with the next `settle`; an empty one where the file is gone."""
        self._waiting[path] = vector

    def drop(self) -> None:
        """Forget what was put since the last `settle`."""
        self._waiting.clear()

    def clear(self) -> None:
        """Forget all, with the next `settle`."""
        self._waiting = dict.fromkeys(self._places, b"")

    def settle(self) -> None:
        """Let what was put be asked for: the tables are made anew, so that who asks meanwhile sees the old ones."""
        waiting, self._waiting = self._waiting, {}
        if not waiting:
            return
        size = self.embedding.size
        vectors = {path: vector for path, vector in waiting.items() if len(vector) == size}
        if vectors.keys() == waiting.keys() and vectors.keys() <= self._places.keys():
            rows = self._rows.copy()
            for path, vector in vectors.items():
                rows[self._places[path]] = np.frombuffer(vector, np.int8)
            with self._lock:
                self._rows = rows
            return
        known = {path: self._rows[place].tobytes() for path, place in self._places.items() if path not in waiting}
        known |= vectors
        paths = list(known)[:MOST_FILES]
        rows = np.frombuffer(b"".join(known[path] for path in paths), np.int8).reshape(len(paths), size)
        with self._lock:
            self._places = {path: place for place, path in enumerate(paths)}
            self._paths, self._rows = paths, rows

    def nearest(self, words: Iterable[str]) -> dict[str, float]:
        """Return path -> how much nearer its file is to some words than the mean of all files, above 0."""
        with self._lock:
            paths, rows = self._paths, self._rows
        if not paths:
            return {}
        asked = self.embedding.of(Counter(words))
        # By a share of the rows at a time, as they have to be widened.
        shares = [rows[start : start + _ROWS].astype(np.float32) @ asked for start in range(0, len(rows), _ROWS)]
        scores = np.concatenate(shares)
        scores -= scores.mean()
        return {paths[place]: float(scores[place]) for place in np.flatnonzero(scores > 0).tolist()}
