"""A sweep proposes, with reasons; it applies what was accepted, all or nothing, and only to what it was made for."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from memoire.errors import InvalidArgumentError, MemoryConflictError
from memoire.model import Definition
from memoire.operations import (
    expand,
    memory_check,
    memory_feedback,
    memory_forget,
    memory_list,
    memory_read,
    memory_revise,
    memory_write,
    notes_sweep,
)
from tests.memories import Project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    made = Project(tmp_path)
    run = Definition("run", "function", 1, 2, body="b1", signature="s1")
    made.add("shop/queue.py", "def run(jobs):\n    return jobs\n", definitions=(run,))
    return made


def write(project: Project, *notes: str | dict[str, Any]) -> list[str]:
    given = [{"text": note, "type": "gotcha"} if isinstance(note, str) else note for note in notes]
    results = project.ask(memory_write.OPERATION, notes=given, on_conflict="off")["results"]
    return [result["id"] for result in results]


def sweep(project: Project, action: str, **arguments: Any) -> dict[str, Any]:
    found: dict[str, Any] = project.ask(notes_sweep.OPERATION, action=action, **arguments)
    return found


def journal(project: Project) -> bytes:
    return (project.root / ".memoire/notes.jsonl").read_bytes()


def status(project: Project, name: str) -> tuple[str, str | None]:
    (note,) = project.ask(memory_read.OPERATION, ids=[name], follow=False)["notes"]
    return note["hit"]["status"], note["hit"]["superseded_by"]


def last(project: Project) -> tuple[str, str | None]:
    findings = project.ask(memory_check.OPERATION, audit=["stats"])["findings"]
    (found,) = (each for each in findings if each["kind"] == "sweep")
    return found["text"], found["suggestion"]


@pytest.mark.shows("H76")
def test_notes_that_say_the_same_are_merged_once_somebody_has_said_so(project: Project) -> None:
    better, other = write(
        project,
        {"text": "The queue takes sixty jobs at most.", "type": "gotcha", "why": "Seen in May.", "tags": ["a"]},
        {"text": "At most sixty jobs the queue takes.", "type": "gotcha", "about": ["shop/queue.py"], "tags": ["b"]},
    )
    before = journal(project)
    assert last(project) == ("never swept", "memoire notes sweep run")
    (proposed,) = sweep(project, "run")["proposals"]
    assert last(project)[0] == "last swept 2026-05-18: 1 open"
    assert (proposed["kind"], proposed["ids"], proposed["state"]) == ("merge", [better, other], "open")
    assert journal(project) == before
    with pytest.raises(InvalidArgumentError, match="nothing is accepted"):
        sweep(project, "apply")
    reviewed = sweep(project, "review", accept=[proposed["proposal"]])
    assert (reviewed["summary"], reviewed["next"]) == ({"accepted": 1}, ["memoire notes sweep apply"])
    assert journal(project) == before
    done = sweep(project, "apply")
    assert (done["summary"], journal(project).count(b"\n")) == ({"applied": 1}, before.count(b"\n") + 1)
    assert last(project) == ("last swept 2026-05-18: 1 applied", None)
    assert status(project, other) == ("superseded", better)
    (kept,) = project.ask(memory_read.OPERATION, ids=[other])["notes"]
    assert (kept["hit"]["id"], kept["tags"], kept["hit"]["about"]) == (better, ["a", "b"], ["shop/queue.py"])
    assert sweep(project, "run")["proposals"] == []


@pytest.mark.parametrize(
    "other",
    [
        "At most seventy jobs the queue never takes.",
        {"text": "At most sixty jobs the queue takes.", "type": "decision"},
        {"text": "At most sixty jobs the queue of `shop` takes.", "type": "gotcha"},
        {"text": "At most sixty jobs the queue takes.", "type": "gotcha", "subject": "web"},
        {"text": "At most sixty jobs the queue takes.", "type": "gotcha", "about": ["shop/"]},
        {"text": "At most sixty jobs the queue takes.", "type": "gotcha", "facets": {"section": "Web"}},
        {"text": "At most sixty jobs the queue takes. More are lost at night.", "type": "gotcha"},
    ],
)
def test_notes_that_differ_in_anything_that_counts_are_left_alone(
    project: Project, other: str | dict[str, Any]
) -> None:
    first = {"text": "The queue takes sixty jobs at most.", "type": "gotcha", "about": ["shop/queue.py"]}
    both = {"subject": "queue", "facets": {"section": "Queue"}, "certainty": "verified"}
    write(project, {**first, **both}, other)
    assert sweep(project, "run", kinds=["merge"])["proposals"] == []


def test_what_was_changed_since_it_was_proposed_is_not_touched_and_nothing_else_is(project: Project) -> None:
    first, second, third, fourth = write(
        project,
        "The queue takes sixty jobs at most.", "At most sixty jobs the queue takes.",
        "Payments are never sent twice.", "Never are payments sent twice.",
    )  # fmt: skip
    assert len(sweep(project, "run")["proposals"]) == 2
    sweep(project, "review", accept=["all"])
    project.ask(memory_revise.OPERATION, action="edit", ids=[fourth], set={"importance": 9})
    before = journal(project)
    with pytest.raises(MemoryConflictError, match=fourth):
        sweep(project, "apply")
    assert journal(project) == before
    assert sweep(project, "review")["summary"] == {"accepted": 1, "outdated": 1}
    assert {status(project, name)[0] for name in (first, second, third, fourth)} == {"active"}


def test_what_was_rejected_is_not_proposed_again_until_a_note_is_another(project: Project) -> None:
    first, _ = write(project, "The queue takes sixty jobs at most.", "At most sixty jobs the queue takes.")
    (proposed,) = sweep(project, "run")["proposals"]
    assert sweep(project, "review", reject=[proposed["proposal"]])["summary"] == {"rejected": 1}
    assert sweep(project, "run")["proposals"] == []
    assert sweep(project, "run")["proposals"] == []
    project.ask(memory_revise.OPERATION, action="edit", ids=[first], set={"importance": 9})
    assert len(sweep(project, "run")["proposals"]) == 1
    with pytest.raises(InvalidArgumentError, match="no proposal"):
        sweep(project, "review", accept=["nothere"])


@pytest.mark.shows("H77")
def test_what_has_expired_or_was_not_used_for_long_is_proposed_for_it(project: Project) -> None:
    done, old, used, doubted = write(
        project,
        {"text": "The release is on Friday.", "type": "status", "expires": "3d"},
        {"text": "It takes few jobs.", "type": "gotcha", "confidence": 0.9},
        {"text": "Callers wait for it.", "type": "gotcha"},
        {"text": "It may be slow at night.", "type": "gotcha", "certainty": "speculative"},
    )
    project.ask(memory_feedback.OPERATION, ids=[used], signal="positive")
    assert sweep(project, "run")["proposals"] == []
    project.now += timedelta(days=200)
    found = {each["ids"][0]: each for each in sweep(project, "run")["proposals"]}
    assert {name: each["kind"] for name, each in found.items()} == {done: "expire", old: "decay", doubted: "decay"}
    assert "200 days" in found[old]["reason"]
    sweep(project, "review", accept=["all"])
    sweep(project, "apply")
    assert [status(project, name)[0] for name in (done, old, used, doubted)] == [
        "archived", "active", "active", "archived",
    ]  # fmt: skip
    (note,) = project.ask(memory_read.OPERATION, ids=[old])["notes"]
    assert (note["hit"]["certainty"], note["confidence"], note["version"]) == ("speculative", 0.81, 2)
    assert sweep(project, "run")["proposals"] == []


def test_an_area_with_many_notes_gets_a_digest_that_follows_it(project: Project) -> None:
    texts = ["Ann owns it.", "It takes jobs.", "Workers wait.", "Logs are short.", "Nights are slow."]
    write(project, *({"text": text, "type": "gotcha", "about": ["shop/queue.py"]} for text in texts))
    (proposed,) = sweep(project, "run")["proposals"]
    assert (proposed["kind"], proposed["ids"]) == ("digest", [])
    sweep(project, "review", accept=["all"])
    sweep(project, "apply")
    (digest,) = project.ask(memory_list.OPERATION, types=["digest"])["notes"]
    text = project.ask(memory_read.OPERATION, ids=[digest["id"]])["notes"][0]["text"]
    assert text.startswith("What is noted about `shop/`: 5 gotchas.")
    assert all(one in text for one in texts)
    assert sweep(project, "run")["proposals"] == []
    assert digest["id"] not in [note["id"] for note in project.ask(expand.OPERATION, path="shop/queue.py")["notes"]]
    (more,) = write(project, {"text": "Mornings are busy.", "type": "decision", "about": ["shop/queue.py"]})
    (again,) = sweep(project, "run")["proposals"]
    assert again["ids"] == [digest["id"]]
    sweep(project, "review", accept=["all"])
    sweep(project, "apply")
    assert status(project, digest["id"])[0] == "superseded"
    (newest,) = project.ask(memory_list.OPERATION, types=["digest"])["notes"]
    assert newest["claim"] == "What is noted about `shop/`: 1 decision, 5 gotchas."
    project.ask(memory_forget.OPERATION, ids=[more], project=project.project_id)
    assert b"Mornings" not in journal(project)
    assert not (project.state / "sweep.json").exists()


def test_proposals_that_make_notes_harder_to_find_are_not_applied(project: Project) -> None:
    ids = write(project, "The queue takes sixty jobs at most.", "At most sixty jobs the queue takes.")
    (proposed,) = sweep(project, "run")["proposals"]
    found = sweep(project, "review", accept=[proposed["proposal"]])
    assert found["gate"] == {"before": found["gate"]["before"], "after": 1.0, "probes": 2, "passed": True}
    file = project.state / "sweep.json"
    file.write_text(file.read_text().replace('"after":1.0', '"after":0.2'))
    with pytest.raises(MemoryConflictError, match="harder to find"):
        sweep(project, "apply")
    assert {status(project, name)[0] for name in ids} == {"active"}
    assert sweep(project, "apply", force=True)["summary"] == {"applied": 1}
