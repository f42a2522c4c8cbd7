"""The index on disk: what it survives, what it makes anew, what it leaves alone."""

import logging
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from memoire.errors import StoreUnavailableError
from memoire.model import Definition
from memoire.search import Entry, SearchIndex
from memoire.search.soundness import is_sound
from memoire.tokens import index_words

ALIVE = """
import sys
from pathlib import Path
from memoire.model import Definition
from memoire.search import Entry, SearchIndex
from memoire.tokens import index_words

index = SearchIndex.open(Path(sys.argv[1]), version="1")
for generation in range(index.generation + 1, sys.maxsize):
    entries = [
        Entry(
            path=path,
            kind="file",
            language="python",
            words=index_words(f"steady {path} " + " ".join(f"word{generation}x{number}y" for number in range(300))),
            definitions=(Definition(f"made_in_{generation}", "function", 1, 2),),
        )
        for path in ("same.py", f"other{generation % 7}.py")
    ]
    index.apply(entries, (), (), generation)
    print(generation, flush=True)
"""

FULL = """
import resource
import signal
import sys
from pathlib import Path
from memoire.errors import StoreUnavailableError
from memoire.search import Entry, SearchIndex
from memoire.tokens import index_words

def entry(path, count):
    words = index_words(" ".join(f"word{number}x{path}" for number in range(count)))
    return Entry(path=path, kind="file", language="python", words=words)

def limit(size):
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
index = SearchIndex.open(Path(sys.argv[1]), version="1")
index.apply([entry("a.py", 9)], (), (), 1)
for _ in range(2):
    limit(4000)
    try:
        index.apply([entry("b.py", 30_000)], ["a.py"], (), 2)
        failure = ""
    except StoreUnavailableError as error:
        failure = str(error)
    finally:
        limit(resource.RLIM_INFINITY)
    print("too large" in failure.lower(), index.generation, len(index.search("word1xa", read=lambda _: None)))
index.apply([entry("b.py", 30_000)], ["a.py"], (), 2)
print(index.generation, [hit.path for hit in index.search("word1xb word1xa", read=lambda _: None)])
"""


def entry(path: str, text: str, *names: str) -> Entry:
    definitions = tuple(Definition(name, "function", 1, 2) for name in names)
    return Entry(path=path, kind="file", language="python", words=index_words(text), definitions=definitions)


def paths(index: SearchIndex, query: str) -> list[str]:
    return [hit.path for hit in index.search(query, read=lambda _: None)]


def damage(file: Path, harm: str) -> None:
    data = file.read_bytes()
    if harm == "remove":
        file.unlink()
        return
    at = len(data) - 2 if harm == "flip tail" else len(data) // 3
    flipped = data[:at] + bytes([data[at] ^ 0x80]) + data[at + 1 :]
    file.write_bytes({"cut": data[:-3], "empty": b""}.get(harm, flipped))


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The state folder of an index at generation 7, closed; with a deleted document and two segments."""
    folder = tmp_path_factory.mktemp("model")
    index = SearchIndex.open(folder, version="1")
    index.apply([entry("a.py", "alpha"), entry("b.py", "beta", "beta_one")], (), (), 6)
    index.apply([entry("a.py", "gamma")], (), (), 7)
    index.close()
    return folder


@pytest.fixture
def filled(model: Path, tmp_path: Path) -> Path:
    """A copy of `model`."""
    shutil.copytree(model / "index", tmp_path / "index")
    return tmp_path


def test_a_new_index_has_generation_minus_one_and_finds_nothing(tmp_path: Path) -> None:
    index = SearchIndex.open(tmp_path, version="1")
    assert index.generation == -1
    assert index.documents == 0
    assert paths(index, "anything") == []
    index.close()


def test_an_index_is_as_it_was_left(filled: Path) -> None:
    index = SearchIndex.open(filled, version="1")
    assert index.generation == 7
    assert index.documents == 2
    assert paths(index, "gamma") == ["a.py"]
    assert paths(index, "alpha") == []
    assert paths(index, "beta_one")[0] == "b.py"
    index.close()


def test_an_empty_index_that_was_never_filled_opens_again(tmp_path: Path) -> None:
    SearchIndex.open(tmp_path, version="1").close()
    index = SearchIndex.open(tmp_path, version="1")
    assert index.generation == -1
    index.close()


def test_an_index_of_another_version_is_made_anew(filled: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        index = SearchIndex.open(filled, version="2")
    assert index.generation == -1
    assert paths(index, "gamma") == []
    assert "search index made anew" in caplog.text
    index.apply([entry("a.py", "gamma")], (), (), 1)
    index.close()
    index = SearchIndex.open(filled, version="2")
    assert index.generation == 1
    index.close()


def test_an_index_with_other_fields_is_made_anew(filled: Path) -> None:
    shutil.rmtree(filled / "index" / "files")
    shutil.copytree(filled / "index" / "parts", filled / "index" / "files")
    index = SearchIndex.open(filled, version="1")
    assert index.generation == -1
    index.close()


@pytest.mark.parametrize("suffix", ["idx", "pos", "term", "store", "fast", "fieldnorm", "del", "json"])
@pytest.mark.parametrize("harm", ["flip", "flip tail", "cut", "empty", "remove"])
def test_a_damaged_file_is_seen(filled: Path, suffix: str, harm: str) -> None:
    for shelf in ("files", "parts"):
        folder = filled / "index" / shelf
        assert is_sound(folder)
        damage(next(folder.glob(f"[!.]*.{suffix}")), harm)
        assert not is_sound(folder)


@pytest.mark.parametrize(("shelf", "suffix", "harm"), [("files", "idx", "flip"), ("parts", "del", "remove")])
def test_a_damaged_index_is_made_anew_and_can_be_filled(filled: Path, shelf: str, suffix: str, harm: str) -> None:
    damage(next((filled / "index" / shelf).glob(f"[!.]*.{suffix}")), harm)
    index = SearchIndex.open(filled, version="1")
    assert index.generation == -1
    assert paths(index, "gamma beta") == []
    index.apply([entry("a.py", "gamma")], (), (), 8)
    assert paths(index, "gamma") == ["a.py"]
    index.close()


@pytest.mark.parametrize("shelf", ["files", "parts"])
def test_an_index_of_which_one_half_is_missing_is_made_anew(filled: Path, shelf: str) -> None:
    shutil.rmtree(filled / "index" / shelf)
    index = SearchIndex.open(filled, version="1")
    assert index.generation == -1
    index.close()


def test_what_a_commit_that_was_cut_short_left_behind_does_no_harm(filled: Path) -> None:
    for shelf in ("files", "parts"):
        folder = filled / "index" / shelf
        segment = next(folder.glob("[!.]*.idx")).name.partition(".")[0]
        (folder / f"{segment}.999.del").write_bytes(b"half")
        (folder / f"{'0' * 32}.idx").write_bytes(b"half")
    index = SearchIndex.open(filled, version="1")
    assert index.generation == 7
    index.apply([entry("a.py", "delta")], (), (), 8)
    assert paths(index, "delta") == ["a.py"]
    index.close()


def test_a_sound_folder_is_known_from_one_that_holds_no_index(filled: Path, tmp_path: Path) -> None:
    assert is_sound(filled / "index" / "files")
    assert not is_sound(tmp_path)
    assert not is_sound(tmp_path / "nowhere")
    (tmp_path / "meta.json").write_text("[]")
    assert not is_sound(tmp_path)


def test_a_second_opener_is_refused_and_harms_nothing(filled: Path) -> None:
    index = SearchIndex.open(filled, version="1")
    for version in ("1", "2"):
        with pytest.raises(StoreUnavailableError, match="another process holds it"):
            SearchIndex.open(filled, version=version)
    assert paths(index, "gamma") == ["a.py"]
    index.apply([entry("c.py", "delta")], (), (), 8)
    index.close()
    index = SearchIndex.open(filled, version="1")
    assert index.generation == 8
    index.close()


def test_a_place_that_cannot_be_used_is_reported_and_left(tmp_path: Path) -> None:
    (tmp_path / "index").write_text("someone's notes")
    with pytest.raises(StoreUnavailableError):
        SearchIndex.open(tmp_path, version="1")
    assert (tmp_path / "index").read_text() == "someone's notes"


def test_shares_of_a_first_index_are_seen_together_when_committed(tmp_path: Path) -> None:
    index = SearchIndex.open(tmp_path, version="1")
    index.add([entry("a.py", "alpha")])
    index.add([entry("b.py", "alpha")])
    assert index.documents == 0
    assert paths(index, "alpha") == []
    index.commit(3)
    assert (index.generation, index.documents) == (3, 2)
    index.close()


def test_a_first_index_that_was_not_committed_is_begun_again(tmp_path: Path) -> None:
    index = SearchIndex.open(tmp_path, version="1")
    index.add([entry("a.py", "alpha")])
    index.close()
    index = SearchIndex.open(tmp_path, version="1")
    assert (index.generation, index.documents) == (-1, 0)
    index.commit(0)
    assert (index.generation, index.documents) == (0, 0)
    index.close()


def test_a_generation_moves_without_changes(filled: Path) -> None:
    index = SearchIndex.open(filled, version="1")
    index.apply(generation=8)
    index.commit(9)
    index.close()
    index = SearchIndex.open(filled, version="1")
    assert index.generation == 9
    assert paths(index, "gamma") == ["a.py"]
    index.close()


def test_entries_that_end_in_an_error_leave_no_trace(filled: Path) -> None:
    def broken() -> Iterator[Entry]:
        yield entry("new.py", "delta")
        raise KeyError("reading")

    index = SearchIndex.open(filled, version="1")
    with pytest.raises(KeyError):
        index.apply(broken(), ["a.py"], (), 8)
    assert index.generation == 7
    index.apply([entry("c.py", "epsilon")], (), (), 8)
    assert paths(index, "delta") == []
    assert paths(index, "gamma") == ["a.py"]
    index.close()


def test_an_entry_that_is_none_leaves_no_trace_of_those_before_it(filled: Path) -> None:
    index = SearchIndex.open(filled, version="1")
    with pytest.raises(AttributeError):
        index.apply([entry("new.py", "delta"), None], ["a.py"], (), 8)  # type: ignore[list-item]
    index.apply([entry("c.py", "epsilon")], (), (), 8)
    assert paths(index, "delta") == []
    assert paths(index, "gamma") == ["a.py"]
    index.close()


def test_hundreds_of_saves_keep_few_files_and_one_of_each_document(tmp_path: Path) -> None:
    index = SearchIndex.open(tmp_path, version="1")
    index.add([entry(f"file{number}.py", "alpha", "alpha_one") for number in range(50)])
    index.commit(0)
    for generation in range(1, 41):
        index.apply([entry("file0.py", f"saved again word{generation}x", "alpha_one")], (), (), generation)
    assert index.documents == 50
    assert paths(index, "saved") == ["file0.py"]
    index.close()
    index = SearchIndex.open(tmp_path, version="1")
    index.apply(generation=41)
    index.close()
    files = [path for path in (tmp_path / "index").rglob("*") if path.is_file()]
    assert len(files) < 200


def test_a_search_goes_on_in_the_state_it_began_in(filled: Path) -> None:
    index = SearchIndex.open(filled, version="1")
    seen: list[str] = []

    def read(path: str) -> str:
        seen.append(path)
        if len(seen) == 1:
            index.apply((), ["a.py", "b.py"], (), 8)
        return "gamma beta"

    assert {hit.path for hit in index.search("gamma beta", read=read)} == {"a.py", "b.py"}
    assert paths(index, "gamma beta") == []
    index.close()


def run(script: str, folder: Path) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", script, str(folder)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_a_killed_process_leaves_what_it_had_acknowledged(tmp_path: Path) -> None:
    acknowledged = -1
    for commits in (1, 4, 2, 6):
        with run(ALIVE, tmp_path) as process:
            assert process.stdout is not None
            lines = [process.stdout.readline() for _ in range(commits)]
            process.kill()
            lines += process.stdout.readlines()
        acknowledged = int([line for line in lines if line.endswith("\n")][-1])
        index = SearchIndex.open(tmp_path, version="1")
        assert index.generation in {acknowledged, acknowledged + 1}
        hits = index.search("steady", read=lambda _: None, limit=20)
        assert sorted(hit.path for hit in hits) == sorted({hit.path for hit in hits})
        assert "same.py" in [hit.path for hit in hits]
        named = index.search(f"made_in_{index.generation}", read=lambda _: None, limit=2)
        assert {hit.path for hit in named} == {"same.py", f"other{index.generation % 7}.py"}
        index.close()


def test_a_full_disk_is_reported_and_nothing_is_lost_or_half_done(tmp_path: Path) -> None:
    with run(FULL, tmp_path) as process:
        output, _ = process.communicate()
    assert output.splitlines() == ["True 1 1", "True 1 1", "2 ['b.py']"]
    index = SearchIndex.open(tmp_path, version="1")
    assert (index.generation, index.documents) == (2, 1)
    index.close()
