"""A file that ends its reader costs nothing but itself, and that once."""

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable, Sequence
from hashlib import sha256
from pathlib import Path

import pytest

from memoire.config import Settings
from memoire.model import FileRecord
from memoire.reading import Reading
from memoire.workers import Readers
from tests import crashing, hostile
from tests.memories import NOW

CRASHING = "from tests.crashing import serve; serve()"
STILLBORN = "from tests.crashing import stillborn; stillborn()"
GOOD = {f"good{number}.py": f"def f{number}(): pass\n".encode() for number in range(30)}


def fill(folder: Path, files: dict[str, bytes]) -> None:
    for name, data in files.items():
        (folder / name).write_bytes(data)


async def read(source: Readers, files: Sequence[str]) -> dict[str, Reading]:
    return {reading.path: reading async for reading in source.read(files)}


def run(source: Readers, work: Callable[[], Awaitable[None]]) -> None:
    """Do some work, and end the workers."""

    async def whole() -> None:
        try:
            await work()
        finally:
            await source.close()

    asyncio.run(whole())


def readings_of(source: Readers, files: Sequence[str]) -> dict[str, Reading]:
    found: dict[str, Reading] = {}

    async def work() -> None:
        found.update(await read(source, files))

    run(source, work)
    return found


def codes(reading: Reading) -> list[str]:
    return [problem.code for problem in reading.facts.problems]


def names(reading: Reading) -> list[str]:
    return [item.name for item in reading.facts.definitions]


@pytest.fixture(autouse=True)
def _tests_are_importable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))


@pytest.mark.parametrize("bad", [crashing.SEGFAULT, crashing.HANG, crashing.EAT, crashing.RAISE])
def test_a_file_that_ends_its_reader_is_known_by_name_and_every_other_is_read(tmp_path: Path, bad: bytes) -> None:
    fill(tmp_path, {**GOOD, "bad.py": bad + b"\ndef g(): pass\n"})
    found = readings_of(Readers(tmp_path, Settings(workers=2), CRASHING), [*list(GOOD)[:7], "bad.py", *list(GOOD)[7:]])
    assert {path: (names(item), codes(item)) for path, item in found.items() if path in GOOD} == {
        path: ([path.replace("good", "f").removesuffix(".py")], []) for path in GOOD
    }
    bad_one = found["bad.py"].facts
    assert [problem.code for problem in bad_one.problems] == ["crashed"]
    assert (bad_one.language, bad_one.definitions, bad_one.lines) == ("python", (), 2)
    assert bad_one.sha == sha256(bad + b"\ndef g(): pass\n").hexdigest()


def test_many_files_that_end_their_readers_do_not_stop_the_others(tmp_path: Path) -> None:
    bad = {f"bad{number}.py": crashing.SEGFAULT + b" %d" % number for number in range(5)}
    fill(tmp_path, GOOD | bad)
    found = readings_of(Readers(tmp_path, Settings(workers=1), CRASHING), [*bad, *GOOD])
    assert {path for path, item in found.items() if codes(item) == ["crashed"]} == set(bad)
    assert {path for path, item in found.items() if names(item)} == set(GOOD)


def test_content_that_ended_its_reader_is_not_read_again_wherever_it_stands(tmp_path: Path) -> None:
    fill(tmp_path, {"bad.py": crashing.SEGFAULT, "moved.py": crashing.SEGFAULT, "good.py": b"def f(): pass\n"})
    source = Readers(tmp_path, Settings(workers=1), CRASHING)

    async def work() -> None:
        await read(source, ["bad.py"])
        await read(source, ["good.py"])
        kept = source.process_id
        found = await read(source, ["bad.py", "moved.py", "good.py"])
        assert {path: codes(item) for path, item in found.items()} == {
            "bad.py": ["crashed"],
            "moved.py": ["crashed"],
            "good.py": [],
        }
        assert source.process_id == kept is not None

    run(source, work)


def test_what_is_quarantined_is_known_from_the_store_until_the_content_changes(tmp_path: Path) -> None:
    fill(tmp_path, {"bad.py": crashing.SEGFAULT})
    first = readings_of(Readers(tmp_path, Settings(workers=1), CRASHING), ["bad.py"])["bad.py"]
    record = FileRecord("bad.py", "file", "python", first.facts.sha, first.facts.size, 0, NOW)
    source = Readers(tmp_path, Settings(workers=1))  # a worker that would read it
    source.remember({"bad.py": record}, {"bad.py": first.facts.problems})

    async def work() -> None:
        assert codes((await read(source, ["bad.py"]))["bad.py"]) == ["crashed"]
        fill(tmp_path, {"bad.py": b"def mended(): pass\n"})
        assert names((await read(source, ["bad.py"]))["bad.py"]) == ["mended"]

    run(source, work)


def test_a_file_on_which_a_worker_died_for_another_reason_is_read_by_the_next(tmp_path: Path) -> None:
    fill(tmp_path, {**GOOD, "once.py": crashing.ONCE + f" {tmp_path / 'marker'}\ndef g(): pass\n".encode()})
    found = readings_of(Readers(tmp_path, Settings(workers=1), CRASHING), ["once.py", *GOOD])
    assert (names(found["once.py"]), codes(found["once.py"])) == (["g"], [])
    assert len(found) == len(GOOD) + 1


def test_a_worker_may_be_started_before_there_is_anything_to_read(tmp_path: Path) -> None:
    fill(tmp_path, GOOD)
    source = Readers(tmp_path, Settings(workers=1))

    async def work() -> None:
        was_cold = source.is_cold
        source.warm()
        source.warm()
        await read(source, ["good1.py"])
        first = source.process_id
        assert (was_cold, source.is_cold) == (True, False)
        source.warm()
        await read(source, ["good2.py"])
        assert source.process_id == first is not None

    run(source, work)


def test_a_worker_that_is_just_being_started_is_ended_as_well(tmp_path: Path) -> None:
    source = Readers(tmp_path, Settings(workers=1))

    async def work() -> None:
        source.warm()
        await asyncio.sleep(0)

    run(source, work)
    assert source.process_id is None
    assert source.is_cold


def test_a_worker_that_was_killed_while_it_waited_is_replaced(tmp_path: Path) -> None:
    fill(tmp_path, GOOD)
    source = Readers(tmp_path, Settings(workers=1), CRASHING)

    async def work() -> None:
        await read(source, ["good1.py"])
        first = source.process_id
        assert first is not None
        os.kill(first, signal.SIGKILL)
        assert names((await read(source, ["good2.py"]))["good2.py"]) == ["f2"]
        assert source.process_id not in {first, None}

    run(source, work)


def test_a_worker_that_has_grown_is_replaced_and_what_it_was_given_is_read(tmp_path: Path) -> None:
    leaking = {f"leak{number}.py": crashing.LEAK + b"\ndef g(): pass\n" for number in range(6)}
    fill(tmp_path, GOOD | leaking)
    found = readings_of(Readers(tmp_path, Settings(workers=1), CRASHING), [*leaking, *GOOD])
    assert len(found) == len(GOOD) + len(leaking)
    assert all(names(item) and not codes(item) for item in found.values())


def test_a_worker_is_kept_although_its_parent_is_large(tmp_path: Path) -> None:
    fill(tmp_path, GOOD)
    source = Readers(tmp_path, Settings(workers=1), CRASHING)
    ballast = bytearray(b"x") * 150_000_000  # the most memory a process had is counted from before it was itself

    async def work() -> None:
        await read(source, ["good1.py"])
        first = source.process_id
        await read(source, ["good2.py"])
        assert source.process_id == first is not None

    run(source, work)
    del ballast


def test_where_no_worker_can_be_started_nothing_is_parsed_and_everything_is_tried_again_later(tmp_path: Path) -> None:
    fill(tmp_path, {"a.py": crashing.SEGFAULT, "b.py": b"def f(): pass\n"})
    found = readings_of(Readers(tmp_path, Settings(workers=1), STILLBORN), ["a.py", "b.py"])
    assert {path: codes(item) for path, item in found.items()} == {"a.py": ["crashed"], "b.py": ["crashed"]}
    assert {item.facts.sha for item in found.values()} == {""}
    assert {item.stamp_ns for item in found.values()} == {0}


def test_a_file_of_no_language_needs_no_worker(tmp_path: Path) -> None:
    fill(tmp_path, {"notes.unknown": b"some words\n"})
    found = readings_of(Readers(tmp_path, Settings(workers=1), STILLBORN), ["notes.unknown", "gone.unknown"])
    assert codes(found["notes.unknown"]) == []
    assert "words" in found["notes.unknown"].facts.words
    assert found["gone.unknown"].is_gone


def test_a_grammar_that_goes_wrong_over_a_small_file_is_contained(tmp_path: Path) -> None:
    # With 16 kB of this the grammar of Python asks for 9 GB.
    fill(tmp_path, {**GOOD, "splats.py": hostile.shapes()["open comments"](15_000)})
    found = readings_of(Readers(tmp_path, Settings(workers=1), CRASHING), ["splats.py", *GOOD])
    assert codes(found["splats.py"]) == ["crashed"]
    assert all(names(found[path]) for path in GOOD)
