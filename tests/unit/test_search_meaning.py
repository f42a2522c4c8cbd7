"""Search by meaning: files that say the same in other words, with a small table of embeddings as a stand-in."""

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from memoire.search import Entry, SearchIndex, meaning
from memoire.search.meaning import Meanings, Source, Table, Vector, unit, vector_of
from memoire.tokens import index_words

AXES = {"login": 0, "authenticate": 0, "password": 0, "paint": 1, "colour": 1, "draw": 1, "py": 2}


class Axes:
    """Words of one axis mean the same."""

    name = "axes 1"
    size = 3

    def of(self, words: Mapping[str, int]) -> Vector:
        vector = np.zeros(3, np.float32)
        for word, count in words.items():
            if word in AXES:
                vector[AXES[word]] += count
        return unit(vector)


def entry(path: str, text: str) -> Entry:
    return Entry(path=path, kind="file", language="python", words=index_words(text))


def opened(folder: Path, embedded: Source | None = None) -> SearchIndex:
    return SearchIndex.open(folder, version="1", embedded=embedded or Source("axes 1", Axes))


def found(index: SearchIndex, query: str) -> list[str]:
    return [hit.path for hit in index.search(query, read=lambda _path: None)]


def test_a_file_is_found_that_says_the_same_in_other_words(tmp_path: Path) -> None:
    index = opened(tmp_path)
    index.apply([entry("a.py", "login password"), entry("b.py", "paint colour")], generation=1)
    assert index.knows_meaning
    assert found(index, "authenticate") == ["a.py"]
    assert found(index, "draw") == ["b.py"]
    index.close()


def test_vectors_follow_what_is_saved_removed_and_cleared(tmp_path: Path) -> None:
    index = opened(tmp_path)
    index.apply([entry("a.py", "login"), entry("b.py", "paint"), entry("c.py", "x")], generation=1)
    index.apply([entry("a.py", "paint"), entry("b.py", "login")], generation=2)
    assert found(index, "authenticate") == ["b.py"]
    index.apply(gone=["b.py"], generation=3)
    assert found(index, "authenticate") == []
    index.apply([entry("d.py", "password")], generation=4)
    assert found(index, "authenticate") == ["d.py"]
    index.clear()
    index.commit(5)
    assert found(index, "authenticate") == []
    index.close()


def test_vectors_are_kept_with_the_index_and_loaded_when_first_asked_for(tmp_path: Path) -> None:
    index = opened(tmp_path)
    index.apply([entry("a.py", "login"), entry("b.py", "paint")], generation=7)
    index.close()
    loads: list[int] = []

    def load() -> Axes:
        loads.append(1)
        return Axes()

    again = opened(tmp_path, Source("axes 1", load))
    assert (again.generation, loads) == (7, [])
    assert found(again, "authenticate") == ["a.py"]
    assert found(again, "draw") == ["b.py"]
    assert loads == [1]
    again.close()


def test_an_index_without_vectors_is_made_anew_once_embeddings_are_installed(tmp_path: Path) -> None:
    plain = opened(tmp_path, Source())
    plain.apply([entry("a.py", "login"), entry("b.py", "paint")], generation=7)
    assert not plain.knows_meaning
    assert found(plain, "authenticate") == []
    plain.close()
    index = opened(tmp_path)
    assert index.generation == -1
    index.close()


def test_embeddings_that_cannot_be_loaded_leave_search_by_words(tmp_path: Path) -> None:
    index = opened(tmp_path, Source("broken 1", lambda: None))
    index.apply([entry("a.py", "login")], generation=1)
    assert not index.knows_meaning
    assert found(index, "login") == ["a.py"]
    index.close()


def test_what_was_not_committed_has_no_vector() -> None:
    known = Meanings(Axes())
    known.put("a.py", vector_of(Axes(), "a.py", "login"))
    known.put("b.py", vector_of(Axes(), "b.py", "paint"))
    known.settle()
    known.put("a.py", vector_of(Axes(), "a.py", "paint"))
    known.drop()
    known.settle()
    assert list(known.nearest(["authenticate"])) == ["a.py"]
    assert Meanings(Axes()).nearest(["authenticate"]) == {}


def test_a_vector_of_another_size_counts_as_none() -> None:
    known = Meanings(Axes())
    known.put("a.py", b"12")
    known.put("b.py", vector_of(Axes(), "b.py", "login"))
    known.put("c.py", vector_of(Axes(), "c.py", "paint"))
    known.settle()
    assert list(known.nearest(["authenticate"])) == ["b.py"]


def test_a_table_adds_the_pieces_of_words() -> None:
    weights = np.array([[1, 0], [0, 1], [3, 4]], np.float16)
    pieces = {"log": [0], "login": [0, 1], "deep": [2]}
    table = Table("t 1", weights, lambda words: [pieces.get(word, []) for word in words])
    assert table.of({"log": 2}).tolist() == [1, 0]
    assert table.of({"deep": 3}).tolist() == pytest.approx([0.6, 0.8])
    assert table.of({"login": 1, "log": 1}).tolist() == pytest.approx([2 / 5**0.5, 1 / 5**0.5])
    assert table.of({"nowhere": 1}).tolist() == [0, 0]


def test_a_file_of_tensors_is_mapped_and_what_is_none_is_refused(tmp_path: Path) -> None:
    def written(header: object, data: bytes) -> Path:
        told = json.dumps(header).encode()
        (tmp_path / "w").write_bytes(len(told).to_bytes(8, "little") + told + data)
        return tmp_path / "w"

    rows = np.array([[1, 2], [3, 4]], np.float16)
    tensor = {"dtype": "F16", "shape": [2, 2], "data_offsets": [0, 8]}
    file = written({"__metadata__": {}, "embedding": tensor}, rows.tobytes())
    assert meaning._weights(file).tolist() == [[1, 2], [3, 4]]
    for header in ({"a": tensor, "b": tensor}, {"a": tensor | {"dtype": "F32"}}, {}):
        with pytest.raises(ValueError, match="no table"):
            meaning._weights(written(header, rows.tobytes()))
    (tmp_path / "w").write_bytes(b"\xff" * 8)
    with pytest.raises(ValueError, match="longer"):
        meaning._weights(tmp_path / "w")


@pytest.mark.skipif(not meaning.installed(), reason="wordllama is not installed: it is an optional extra")
def test_the_embeddings_of_the_extra_know_words_that_mean_the_same() -> None:
    table = meaning.embedding()
    assert table is not None
    known = Meanings(table)
    texts = {
        "a.py": "login password credentials user",
        "b.py": "paint brush canvas colour",
        "c.py": "thread lock queue",
    }
    for path, text in texts.items():
        known.put(path, vector_of(table, path, index_words(text)))
    known.settle()
    near = known.nearest(["authenticate", "account"])
    assert max(near, key=lambda path: near[path]) == "a.py"
