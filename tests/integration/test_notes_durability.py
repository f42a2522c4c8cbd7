"""What was acknowledged of notes is there: after a kill at any moment, and whoever else wrote at the same time."""

import asyncio
import random
import signal
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec

from memoire.notes.book import Book
from memoire.notes.journal import Journal
from memoire.operations import memory_write
from tests.memories import Project

ROUNDS = 6

WRITER = """
import asyncio, sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from memoire.notes.keeper import Author, Keeper
from memoire.notes.model import Note, Put

async def main():
    root, name = Path(sys.argv[1]), sys.argv[2]
    keeper = Keeper(root, root / "state", lambda: datetime.now(UTC), lambda: "")
    number = 0
    while True:
        number += 1
        ids = [f"n{name}x{number}x{part}" for part in range(3)]
        notes = [Note(id=one, path=f"notes/{one}", text=f"Fact {one}.", valid_from=datetime.now(UTC)) for one in ids]
        async with keeper.turn() as turn:
            await turn.write([Put(note) for note in notes], Author())
        print(" ".join(ids), flush=True)

asyncio.run(main())
"""


def test_nothing_acknowledged_is_lost_or_torn_when_the_writer_is_killed(tmp_path: Path) -> None:
    drawing = random.Random(7)
    journal = Journal(tmp_path / ".memoire" / "notes.jsonl")
    acknowledged: list[str] = []
    for number in range(ROUNDS):
        command = [sys.executable, "-c", WRITER, str(tmp_path), str(number)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout is not None
            lines = [writer.stdout.readline() for _ in range(drawing.randint(1, 40))]
            writer.send_signal(signal.SIGKILL)
            lines += writer.stdout.readlines()
        acknowledged += [line for line in lines if line.endswith("\n")]
        kept = {row.note.id for row in Book(journal.read().transactions).current()}
        for line in acknowledged:
            assert set(line.split()) <= kept
        for name in kept:
            whole = {f"{name.rpartition('x')[0]}x{part}" for part in range(3)}
            assert whole <= kept, "a transaction is there as a whole"
    assert acknowledged


def test_of_twenty_who_write_at_once_each_is_kept_and_the_same_only_once(tmp_path: Path) -> None:
    project = Project(tmp_path)
    operation = memory_write.OPERATION

    async def write_all() -> list[memory_write.Result]:
        drafts = [{"text": f"Fact {number % 10}."} for number in range(20)]
        memory = project.memory()
        return await asyncio.gather(*(operation.run(memory, operation.parse({"notes": [one]})) for one in drafts))

    results = [result.results[0] for result in asyncio.run(write_all())]
    assert sorted(result.action for result in results) == ["created"] * 10 + ["deduped"] * 10
    reading = Journal(project.root / ".memoire" / "notes.jsonl").read()
    book = Book(reading.transactions)
    assert (len(book), len(reading.transactions), reading.bad) == (10, 10, ())


def test_a_note_that_git_brings_while_the_daemon_runs_is_seen_and_written_behind(tmp_path: Path) -> None:
    project = Project(tmp_path)
    journal = project.root / ".memoire" / "notes.jsonl"
    first = project.ask(memory_write.OPERATION, notes=[{"text": "Use one queue."}])["results"][0]["id"]
    # Of another machine, whose clock is ahead.
    later = datetime(2030, 1, 1, tzinfo=UTC)
    line = journal.read_text().replace(first, "nother0000").replace("Use one queue.", "Never retry.")
    told = msgspec.json.decode(line)
    told["tx"], told["at"] = f"{int(later.timestamp() * 1000):012x}-0", later.isoformat()
    with journal.open("ab") as file:
        file.write(msgspec.json.encode(told) + b"\n")
    again = project.ask(memory_write.OPERATION, notes=[{"text": "Never retry."}, {"text": "Log to a file."}])["results"]
    assert [result["action"] for result in again] == ["deduped", "created"]
    last = Journal(journal).read().transactions[-1]
    assert last.at > later


def test_git_joins_the_notes_of_two_branches_without_a_conflict(tmp_path: Path) -> None:
    project = Project(tmp_path)
    root = project.root

    def git(*arguments: str) -> None:
        identity = ["-c", "user.name=ann", "-c", "user.email=ann@example.org"]
        subprocess.run(["git", *identity, *arguments], cwd=root, check=True, capture_output=True)

    def write(text: str, **fields: str) -> str:
        result = project.ask(memory_write.OPERATION, notes=[{"text": text, **fields}])["results"][0]
        return str(result["id"])

    git("init", "-q", "-b", "main")
    base = write("Use one queue.")
    (root / ".memoire" / ".gitattributes").write_text("notes.jsonl merge=union\n")
    git("add", "-A")
    git("commit", "-qm", "Note the queue")
    git("checkout", "-qb", "one")
    here = [write("Never retry.", author="ann"), write("Use two queues.", supersedes=base)]
    git("commit", "-qam", "Note more")
    git("checkout", "-q", "main")
    project.now += timedelta(minutes=1)
    there = [write("Never  retry.", author="bob"), write("Use three queues.", supersedes=base)]
    git("commit", "-qam", "Note other things")
    git("merge", "-q", "one")
    notes = project.notes
    book = asyncio.run(notes.refresh())
    live = {row.note.text for row in book.current() if row.status == "active"}
    assert live == {"Never retry.", "Use two queues.", "Use three queues."}
    assert book.resolve(there[0]).id == here[0]
    assert set(book.forks()[base]) == {here[1], there[1]}
    assert not notes.bad
