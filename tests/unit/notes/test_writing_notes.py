"""What becomes of notes that are written: batches, duplicates, conflicts, addresses and tasks."""

from datetime import timedelta
from typing import Any

import jsonschema  # type: ignore[import-untyped]  # it has no types
import msgspec
import pytest

from memoire.errors import InvalidArgumentError, MemoryRefusedError, UnknownNoteError, WeakMatchError
from memoire.notes.journal import parse
from memoire.operations import (
    OPERATIONS,
    memory_check,
    memory_feedback,
    memory_forget,
    memory_history,
    memory_list,
    memory_read,
    memory_recall,
    memory_revise,
    memory_write,
)
from tests.memories import Project
from tests.unit.notes.noting import journal, read, write


@pytest.mark.shows("H30", "H31", "H34", "H39", "T19")
def test_a_call_is_one_transaction_and_answers_in_order(project: Project) -> None:
    texts = [f"Rule {number} holds." for number in range(300)]
    answer = project.ask(
        memory_write.OPERATION, notes=[{"text": text} for text in (*texts, texts[7], *texts[:9])], on_conflict="off"
    )
    assert len(parse(journal(project).encode()).transactions) == 1
    results = answer["results"]
    assert [result["index"] for result in results] == list(range(310))
    assert (results[300]["action"], results[300]["id"]) == ("deduped", results[7]["id"])
    assert answer["summary"] == {
        "total": 310, "written": 300, "deduped": 10, "failed": 0, "skipped": 0, "consolidated": 0,
    }  # fmt: skip
    again = project.ask(memory_write.OPERATION, notes=[{"text": text} for text in texts])
    assert (again["tx"], again["summary"]["deduped"]) == (None, 300)
    with pytest.raises(InvalidArgumentError, match="notes"):
        write(project, *[f"Fact {number}." for number in range(501)])


@pytest.mark.shows("H3", "H4", "H40")
def test_every_answer_has_every_field_of_its_schema_and_null_is_as_good_as_absent(project: Project) -> None:
    nulls = dict.fromkeys(("type", "about", "watch", "why", "confidence", "key", "scope", "importance"))
    made, _ = write(project, {"text": "Use one queue.", "session": "s", **nulls}, {"text": "The limit is 64."})
    asked: dict[str, dict[str, Any]] = {
        "memory_recall": {"query": "queue", "files": None, "limit": None},
        "memory_list": {"of": None},
        "memory_read": {"ids": [made["id"], "none"], "around": 1},
        "memory_history": {"id": made["id"], "subject": None},
        "memory_check": {"text": "Use two queues.", "id": made["id"], "audit": ["stats"]},
        "memory_write": {"notes": [{"text": "Never retry."}], "match": None},
        "memory_revise": {"action": "archive", "ids": [made["id"]], "reason": None},
        "memory_feedback": {"ids": [made["id"]], "signal": "neutral"},
        "memory_forget": {"ids": [made["id"]], "project": project.project_id},
    }
    tools = {operation.name: operation for operation in OPERATIONS if operation.name.startswith("memory_")}
    assert asked.keys() == tools.keys()
    for name, arguments in asked.items():
        answer = project.ask(tools[name], **arguments)
        schema = tools[name].output_schema()
        jsonschema.validate(answer, schema, cls=jsonschema.Draft202012Validator)
        assert answer.keys() == schema["properties"].keys(), name
    with pytest.raises(InvalidArgumentError, match="ids"):
        project.ask(memory_read.OPERATION, ids=None)


@pytest.mark.shows("H2")
def test_what_only_reads_leaves_every_file_as_it_was(project: Project) -> None:
    (made,) = write(project, {"text": "The queue takes `64` jobs.", "about": ["shop/queue.py"], "subject": "queue"})
    files = [project.root / ".memoire/notes.jsonl", project.state / "notes.jsonl"]
    before = [file.read_bytes() if file.exists() else None for file in files]
    project.ask(memory_recall.OPERATION, query="queue", files=["shop/queue.py"], budget=100)
    project.ask(memory_list.OPERATION)
    project.ask(memory_read.OPERATION, ids=[made["id"]])
    project.ask(memory_history.OPERATION, subject="queue")
    project.ask(memory_check.OPERATION, text="The queue takes `32` jobs.", audit=["conflicts", "stale"])
    assert [file.read_bytes() if file.exists() else None for file in files] == before


@pytest.mark.shows("H38", "H23", "M24")
def test_provenance_is_given_once_and_again_where_it_differs(project: Project) -> None:
    given = {"author": "ann", "role": "assistant", "session": "s1", "prompt": "p1", "turn": "7"}
    one, two = write(project, "Use one queue.", {"text": "Never retry.", "author": "bob", "turn": "8"}, **given)
    first, second = (read(project, each["id"])[0]["provenance"] for each in (one, two))
    assert {name: first[name] for name in given} == given
    assert {name: second[name] for name in given} == {**given, "author": "bob", "turn": "8"}
    project.now += timedelta(days=1)
    project.ask(memory_revise.OPERATION, action="edit", ids=[one["id"]], set={"importance": 9}, author="eve")
    after = read(project, one["id"])[0]["provenance"]
    assert (after["author"], after["updated_by"], after["update_count"]) == ("ann", "eve", 1)
    assert after["updated_at"] > after["created_at"]


@pytest.mark.shows("H10", "H17", "H19")
def test_a_note_is_placed_by_its_title_and_numbered_where_that_is_taken(project: Project) -> None:
    notes: list[dict[str, Any]] = [
        {"text": "Use one queue.", "title": "Queues!", "type": "decision", "about": ["shop/queue.py"]},
        {"text": "Use no queue.", "title": "Queues", "type": "decision", "about": ["shop/web.py"]},
        {"text": "Use a heap."},
    ]
    paths = [made["path"] for made in write(project, *notes, on_conflict="off")]
    assert paths == ["notes/decision/shop/queues", "notes/decision/shop/queues-2", "notes/reference/general/use-a-heap"]
    before = journal(project)
    for key in ("../up", "/etc", "a\x00b", "note:x"):
        with pytest.raises(MemoryRefusedError, match="key"):
            write(project, {"text": "Use two queues.", "key": key})
    assert journal(project) == before


@pytest.mark.shows("H14")
def test_recency_goes_by_when_it_became_true(project: Project) -> None:
    old, new = write(
        project, {"text": "Deploy on Mondays.", "at": "2020-01-01"}, {"text": "Deploy on Fridays.", "at": "2026-05-01"}
    )
    hits = project.ask(memory_recall.OPERATION, query="deploy")["notes"]
    assert [each["hit"]["id"] for each in hits] == [new["id"], old["id"]]
    assert hits[1]["hit"]["valid"]["from"] == "2020-01-01T00:00:00Z"


@pytest.mark.shows("H16", "M13", "T4")
def test_types_of_other_systems_are_understood_and_the_systems_own_is_not_written(project: Project) -> None:
    given = ["procedural", "error_pattern", "verdict", "semantic", "user_preference", "episodic"]
    made = write(project, *({"text": f"One {name}.", "type": name} for name in given), on_conflict="off")
    assert [each["path"].split("/")[1] for each in made] == [
        "convention", "gotcha", "decision", "reference", "preference", "status",
    ]  # fmt: skip
    for wrong in ({"type": "digest"}, {"type": "arc"}, {"at": "soon"}, {"expires": "later"}, {"scope": "all"}):
        with pytest.raises((MemoryRefusedError, InvalidArgumentError)):
            write(project, {"text": "Another.", **wrong})
    with pytest.raises(InvalidArgumentError, match="at"):
        write(project, {"text": "Another.", "at": "2026-01-01" * 5})
    (short,) = write(project, {"text": "Migrating.", "type": "status", "expires": "3 days"})
    assert read(project, short["id"])[0]["expires"] == "2026-05-21T10:23:00Z"


@pytest.mark.shows("H35")
@pytest.mark.parametrize(
    ("old", "new", "is_told"),
    [
        ("The pool ceiling is 64.", "The pool ceiling is 128.", True),
        ("The pool ceiling is 64.", "the  POOL ceiling IS 128", True),
        ("The default branch of the site is main.", "The default branch of the site is trunk.", True),
        ("Retries are enabled in the payment client.", "Retries are disabled in the payment client.", True),
        ("Always commit the lock file of the web client.", "Never commit the lock file of the web client.", True),
        ("The pool ceiling is 64.", "The queue length is 128.", False),
        ("The pool ceiling is 64.", "The pool ceiling is 64, since workers stall beyond it under load.", False),
    ],
)
def test_another_value_of_the_same_frame_is_told_and_written(
    project: Project, old: str, new: str, is_told: bool
) -> None:
    (first,) = write(project, old)
    second = write(project, new)[0]
    assert second["action"] == "created"
    assert (second["conflict"] is not None) == is_told
    if is_told:
        assert (second["conflict"]["id"], second["conflict"]["claim"]) == (first["id"], old)
    project.ask(memory_revise.OPERATION, action="archive", ids=[first["id"], second["id"]])
    both = write(project, f"{old} ", f"{new} ", dry_run=True)
    assert (both[1]["conflict"] is not None) == is_told
    if is_told:
        assert both[1]["conflict"]["id"] == both[0]["id"]


@pytest.mark.shows("H36")
def test_the_last_value_wins_in_a_call_and_against_what_is_stored(project: Project) -> None:
    (stored,) = write(project, "The pool ceiling is 16.")
    results = write(
        project,
        "The pool ceiling is 32.",
        "Never retry a payment.",
        "The pool ceiling is 64.",
        "The pool ceiling is 128.",
        on_conflict="last_wins",
    )
    assert [result["consolidated_into"] for result in results] == [3, None, 3, None]
    assert [result["action"] for result in results] == ["skipped", "created", "skipped", "superseded"]
    assert results[3]["superseded_id"] == stored["id"]
    live = [note["claim"] for note in project.ask(memory_list.OPERATION)["notes"]]
    assert sorted(live) == ["Never retry a payment.", "The pool ceiling is 128."]
    assert read(project, stored["id"])[0]["text"] == "The pool ceiling is 128."
    assert read(project, stored["id"], follow=False)[0]["text"] == "The pool ceiling is 16."
    write(project, "The pool ceiling is 256.", "The pool ceiling is 128.", on_conflict="last_wins")
    hits = project.ask(memory_recall.OPERATION, query="pool ceiling")["notes"]
    assert [each["hit"]["claim"] for each in hits] == ["The pool ceiling is 128."]


@pytest.mark.shows("H37")
def test_the_same_in_other_words_is_told_from_a_likeness_that_can_be_chosen(project: Project) -> None:
    (made,) = write(project, "Payments to the provider are never retried by the client.")
    text = "The client never retries its payments to a slow provider."
    (told,) = write(project, text, dry_run=True)
    assert [each["id"] for each in told["near_duplicates"]] == [made["id"]]
    assert told["near_duplicates"][0]["similarity"] > 0.5
    assert told["near_duplicates_degraded"] is True
    assert write(project, text, dry_run=True, similar_at=0.999)[0]["near_duplicates"] == []


@pytest.mark.shows("H24", "M22", "M12", "M16")
def test_a_result_names_the_note_and_its_size(project: Project) -> None:
    (made,) = write(project, "Use one queue.")
    assert (made["action"], made["deduped"], made["size"]) == ("created", False, 14)
    long = "word " * 2000
    size = project.ask(memory_check.OPERATION, text=long)["checked"]
    assert size["size"] == {"chars": 9999, "tokens": 2500, "max": 8000, "within": False, "over_by": 1999}
    assert size["refused"].startswith("ERR_")


@pytest.mark.shows("H74", "H53")
def test_tasks_recur_are_listed_by_state_and_told_when_they_are_overdue(project: Project) -> None:
    task = {"text": "Rotate the keys.", "type": "task", "facets": {"state": "todo", "due": "2026-06-01"}}
    first, second = write(project, task, {**task, "expires": "2026-06-01"})
    assert [first["action"], second["action"]] == ["created", "created"]
    write(project, "Keys are rotated by hand.")
    assert len(project.ask(memory_recall.OPERATION, query="rotate keys")["notes"]) == 1
    assert len(project.ask(memory_list.OPERATION)["notes"]) == 1
    todo = project.ask(memory_list.OPERATION, facets=["state=todo"])["notes"]
    assert {note["id"] for note in todo} == {first["id"], second["id"]}
    assert len(project.ask(memory_recall.OPERATION, query="rotate keys", types=["status"])["notes"]) == 2
    project.ask(memory_revise.OPERATION, action="edit", ids=[first["id"]], set={"facets": {"state": "done"}})
    assert [note["id"] for note in project.ask(memory_list.OPERATION, facets=["state=done"])["notes"]] == [first["id"]]
    project.now += timedelta(days=30)
    overdue = project.ask(memory_check.OPERATION, audit=["expired"])["findings"]
    assert second["id"] in [finding["ids"][0] for finding in overdue]


@pytest.mark.shows("M14")
def test_a_match_supersedes_what_it_finds_and_where_there_is_none_the_note_is_new(project: Project) -> None:
    (old,) = write(project, "The staging database is refreshed on Mondays.")
    (new,) = write(project, "The staging database is refreshed daily.", match="staging database is refreshed")
    assert (new["action"], new["superseded_id"], new["matched"]) == ("superseded", old["id"], old["id"])
    weak = {"match": "database of customers in the warehouse and other things"}
    with pytest.raises(WeakMatchError, match=new["id"]):
        write(project, "Customers are in the warehouse.", **weak)
    assert write(project, "Customers are in the warehouse.", **weak, force=True)[0]["action"] == "created"
    assert write(project, "Logs go to a file.", match="kubernetes")[0]["action"] == "created"


@pytest.mark.shows("M17")
def test_metadata_is_changed_of_the_note_that_a_text_finds(project: Project) -> None:
    (made,) = write(project, {"text": "Payments are never retried.", "tags": ["a"], "certainty": "inferred"})
    write(project, "Logs go to a file.")
    done = project.ask(
        memory_revise.OPERATION, action="edit", match="retrying a payment", set={"certainty": "verified"}
    )
    assert (done["matched"], done["results"][0]["id"]) == (made["id"], made["id"])
    (note,) = read(project, made["id"])
    assert (note["hit"]["certainty"], note["tags"], note["version"]) == ("verified", ["a"], 2)
    with pytest.raises(UnknownNoteError):
        project.ask(memory_revise.OPERATION, action="archive", match="kubernetes")
    for wrong in ({}, {"ids": [made["id"]], "match": "payments"}):
        with pytest.raises(InvalidArgumentError, match="either ids or match"):
            project.ask(memory_revise.OPERATION, action="archive", **wrong)


@pytest.mark.shows("M26")
def test_a_new_state_of_things_names_the_older_ones_that_it_may_end(project: Project) -> None:
    status = {"type": "status", "about": ["shop/queue.py"]}
    old, other = write(
        project, {"text": "Moving the queue.", **status}, {"text": "Drawing the page.", "type": "status"}
    )
    notes = [{"text": "The queue was moved.", **status}]
    answer = project.ask(memory_write.OPERATION, notes=notes)
    assert answer["status_cascade"]["ids"] == [old["id"]]
    assert old["id"] in answer["status_cascade"]["call"]
    assert project.ask(memory_write.OPERATION, notes=[{"text": "All is well."}])["status_cascade"] is None
    assert len(project.ask(memory_list.OPERATION)["notes"]) == 4, "nothing is ended by itself"
    del other


@pytest.mark.shows("M18", "M20", "H65")
def test_a_hundred_are_retired_or_erased_at_once_and_one_more_is_refused(project: Project) -> None:
    ids = [made["id"] for made in write(project, *[f"Rule {number}." for number in range(101)], on_conflict="off")]
    with pytest.raises(InvalidArgumentError, match="ids"):
        project.ask(memory_revise.OPERATION, action="deprecate", ids=ids)
    last = ids.pop()
    done = project.ask(memory_revise.OPERATION, action="deprecate", ids=ids, superseded_by=last)
    assert {result["status"] for result in done["results"]} == {"superseded"}
    assert read(project, ids[3])[0]["hit"]["id"] == last
    assert read(project, ids[3], follow=False)[0]["text"] == "Rule 3."
    gone = project.ask(memory_forget.OPERATION, ids=[*ids[:99], "never"], project=project.project_id)
    assert (gone["requested"], gone["deleted"], gone["not_found"]) == (100, 99, ["never"])
    assert gone["deleted_from"] == project.project_id


@pytest.mark.shows("H82", "M21")
def test_every_change_is_a_transaction_and_no_version_is_lost(project: Project) -> None:
    (made,) = write(project, "Use one queue.")
    name = made["id"]
    changes: list[dict[str, Any]] = [
        {"action": "edit", "set": {"importance": 8}},
        {"action": "archive"},
        {"action": "restore"},
        {"action": "supersede", "text": "Use two queues."},
    ]
    for change in changes:
        project.now += timedelta(hours=1)
        done = project.ask(memory_revise.OPERATION, ids=[name], **change)
        assert done["tx"]
        assert done["written_to"] == project.project_id
    rated = project.ask(memory_feedback.OPERATION, ids=[name], signal="positive")
    assert rated["written_to"] == project.project_id
    transactions = parse(journal(project).encode()).transactions
    assert len(transactions) == len(changes) + 1
    versions = project.ask(memory_history.OPERATION, id=name)["versions"]
    assert [version["claim"] for version in versions] == ["Use one queue."] * 5 + ["Use two queues."]
    for erased in (msgspec.json.encode(each).decode() for each in transactions):
        assert "erase" not in erased


@pytest.mark.shows("H58")
def test_of_two_ends_the_earlier_counts(project: Project) -> None:
    (made,) = write(project, {"text": "Use one queue.", "at": "2026-01-01"})
    for at in ("2026-04-01", "2026-03-01", "2026-05-01"):
        project.now += timedelta(hours=1)
        project.ask(memory_revise.OPERATION, action="archive", ids=[made["id"]], at=at)
        project.ask(memory_revise.OPERATION, action="deprecate", ids=[made["id"]], at=at)
    assert read(project, made["id"])[0]["hit"]["valid"]["to"] == "2026-03-01T00:00:00Z"
