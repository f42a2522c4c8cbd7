"""What `notes gc` takes out of the journals, and what it leaves."""

from pathlib import Path
from typing import Any

import pytest

from memoire.operations import memory_check, memory_forget, memory_read, memory_revise, memory_write, notes_gc
from tests.memories import Project


@pytest.mark.shows("H78")
def test_what_a_merge_left_is_taken_out_and_all_that_tools_answer_stays(tmp_path: Path) -> None:
    project = Project(tmp_path)

    def ask(operation: Any, **arguments: Any) -> dict[str, Any]:
        found: dict[str, Any] = project.ask(operation, **arguments)
        return found

    texts = ["Use one queue.", "Never retry.", "The code is on the wall."]
    one, two, three = (
        each["id"] for each in ask(memory_write.OPERATION, notes=[{"text": text} for text in texts])["results"]
    )
    ask(memory_revise.OPERATION, action="supersede", ids=[one], text="Use two queues.")
    ask(memory_forget.OPERATION, ids=[three], project=project.project_id)
    journal = project.root / ".memoire/notes.jsonl"
    lines = journal.read_text().splitlines()
    torn = '{"tx":"0000'
    merged = ["<<<<<<< HEAD", *lines, "=======", lines[0], "", torn, ">>>>>>> theirs"]
    journal.write_text("\n".join(merged))
    leftover = journal.with_name(".notes.jsonl.memoire-1")
    leftover.write_text("x")
    asked = {"ids": [one, two, three], "follow": False}
    before = ask(memory_read.OPERATION, **asked)

    dry = ask(notes_gc.OPERATION)
    (found,) = dry["journals"]
    assert (found["marks"], found["doubled"], found["empty"], found["torn"]) == (3, 1, 1, True)
    assert (found["lines"], found["left_out"], len(found["unread"]), found["tombstones"]) == (len(merged), 5, 1, 1)
    assert (dry["is_clean"], dry["applied"], dry["files"]) == (False, False, [leftover.name])
    assert journal.read_text() == "\n".join(merged)

    done = ask(notes_gc.OPERATION, apply=True)
    assert done["applied"]
    assert journal.read_text().splitlines() == [*lines, torn]
    assert not leftover.exists()
    after = ask(memory_read.OPERATION, **asked)
    for notes in (before, after):
        for note in notes["notes"]:
            note["provenance"].pop("opens")
    assert after == before
    assert ask(notes_gc.OPERATION)["is_clean"]
    findings = ask(memory_check.OPERATION, audit=["health"])["findings"]
    assert [finding["kind"] for finding in findings] == ["unreadable"]
