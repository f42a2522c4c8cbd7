"""What is answered when notes are recalled, listed, opened and examined."""

import socket
from datetime import timedelta
from typing import Any, get_args

import msgspec
import pytest

from memoire.errors import InvalidArgumentError, MemoireError
from memoire.notes.keeper import Keeper
from memoire.notes.model import Note, Put, Relation, Transaction
from memoire.operations import (
    INSTRUCTIONS,
    OPERATIONS,
    get_context,
    memory_check,
    memory_feedback,
    memory_history,
    memory_list,
    memory_read,
    memory_recall,
    memory_revise,
    memory_write,
)
from tests.memories import NOW, Project
from tests.unit.notes.noting import journal, read, write

TOOLS = [operation for operation in OPERATIONS if operation.is_tool]


def recalled(project: Project, **arguments: Any) -> list[str]:
    """Return the claims that are recalled, the best first."""
    return [each["hit"]["claim"] for each in project.ask(memory_recall.OPERATION, **arguments)["notes"]]


def add(project: Project, *notes: Note) -> None:
    """Put notes into the journal as another machine, or the operator, would."""
    told = Transaction(tx="000000000001-0", at=NOW - timedelta(days=3), ops=tuple(map(Put, notes)))
    path = project.root / ".memoire" / "notes.jsonl"
    path.parent.mkdir(exist_ok=True)
    with path.open("ab") as file:
        file.write(msgspec.json.encode(told) + b"\n")


@pytest.mark.shows("H41", "H44", "T11", "H46")
def test_a_hit_quotes_the_best_passage_and_reading_gives_the_whole(project: Project) -> None:
    passage = "Workers stall when a job holds the lock. " + "It is long. " * 80
    note: dict[str, Any] = {
        "text": f"The queue is slow at night.\n\nOne cause is the backup.\n\n{passage}",
        "details": "A lock was held for hours.",
        "about": ["shop/queue.py", "person:ann"],
    }
    (made,) = write(project, note)
    (hit,) = project.ask(memory_recall.OPERATION, query="stalled workers lock")["notes"]
    assert hit["snippet"].startswith("Workers stall")
    assert hit["snippet"].endswith("…")
    assert len(hit["snippet"]) <= 700
    assert "held for hours" not in project.raw(memory_recall.OPERATION, query="held for hours lock")
    about = hit["hit"]["about"]
    assert about == ["shop/queue.py", "person:ann"]
    assert recalled(project, about=about[1]) == ["The queue is slow at night."]
    project.ask(memory_revise.OPERATION, action="archive", ids=[made["id"]])
    (whole,) = read(project, made["id"])
    assert (whole["text"], whole["details"], whole["hit"]["status"]) == (
        note["text"].strip(), note["details"], "archived",
    )  # fmt: skip


@pytest.mark.shows("H42", "H66")
def test_opening_and_rating_move_a_note_and_being_found_does_not(project: Project) -> None:
    names = [made["id"] for made in write(project, *[f"Rule {name} of queues." for name in "abc"], on_conflict="off")]

    def order() -> list[str]:
        hits = project.ask(memory_recall.OPERATION, query="rule of queues")["notes"]
        return [each["hit"]["id"] for each in hits]

    before = order()
    for _ in range(20):
        assert order() == before
    last = before[-1]
    for _ in range(3):
        read(project, last)
    assert order()[0] == last
    assert read(project, last)[0]["provenance"]["opens"] == 4
    project.ask(memory_feedback.OPERATION, ids=[last], signal="negative")
    project.ask(memory_feedback.OPERATION, ids=[before[1]], signal="positive")
    assert order() == [before[1], before[0], last]
    assert set(before) == set(names)


@pytest.mark.shows("H43", "M25", "M33", "H45")
def test_the_arms_are_joined_and_each_says_what_it_gave(project: Project) -> None:
    write(
        project,
        {"text": "Jobs of the queue are sorted.", "about": ["shop/queue.py"]},
        {"text": "Jobs are never dropped."},
        {"text": "It has no loop.", "about": ["shop/queue.py"]},
    )
    answer = project.ask(memory_recall.OPERATION, query="jobs", files=["shop/queue.py"], explain=True)
    assert answer["arms"] == ["words", "about"]
    assert answer["degraded"] is True
    first, second, third = answer["notes"]
    assert first["hit"]["why_matched"] == ["words", "about"]
    assert {second["hit"]["why_matched"][0], third["hit"]["why_matched"][0]} == {"words", "about"}
    for note in answer["notes"]:
        assert sum(note["explained"].values()) == pytest.approx(note["score"], abs=1e-4)
        assert {"recent", "useful"} < note["explained"].keys()
    assert project.ask(memory_recall.OPERATION, query="jobs")["notes"][0]["explained"] is None


@pytest.mark.shows("H47", "H48", "M27")
def test_what_answers_nothing_says_so_and_shows_what_is_retired(project: Project) -> None:
    (old,) = write(project, {"text": "Use one queue.", "type": "decision"})
    write(project, "Logs go to a file.")
    project.ask(memory_revise.OPERATION, action="archive", ids=[old["id"]])
    answer = project.ask(memory_recall.OPERATION, query="queues", types=["decision"])
    assert (answer["notes"], answer["scope_empty"], answer["archived_matches"]) == ([], True, 1)
    assert [hit["id"] for hit in answer["archived"]] == [old["id"]]
    assert answer["hints"]["derived_terms"] == ["queue"]
    assert answer["hints"]["filters"] == ["types"]
    assert answer["hints"]["try_next"]
    nothing = project.ask(memory_recall.OPERATION, query="queue", scope="src/nowhere")
    assert (nothing["notes"], nothing["scope_empty"]) == ([], True)
    assert not project.ask(memory_recall.OPERATION, query="file")["scope_empty"]


@pytest.mark.shows("H50")
def test_only_quotation_marks_are_syntax(project: Project) -> None:
    write(project, "The NOT operator binds tighter than AND.", "Bind the operator tighter.")
    assert len(recalled(project, query="NOT (operator) OR binds* -tighter ~2 field:x")) == 2
    assert recalled(project, query='"binds  tighter than"') == ["The NOT operator binds tighter than AND."]
    assert recalled(project, query='"tighter binds"') == []


@pytest.mark.shows("H51", "H52", "M4", "T9", "T10", "T7")
def test_filters_narrow_what_is_recalled(project: Project) -> None:
    write(
        project,
        {"text": "Queue one.", "type": "decision", "facets": {"kind": "runbook", "tier": "1"}, "tags": ["a"]},
        {"text": "Queue two.", "type": "gotcha", "facets": {"kind": "guide", "tier": "1"}, "tags": ["b"]},
        {"text": "Queue three.", "facets": {"kind": "Guide  book"}, "certainty": "verified", "at": "2026-05-02"},
        {"text": "Queue four.", "about": ["shop/web.py"], "at": "2025-05-02"},
        on_conflict="off",
    )

    def found(**arguments: Any) -> set[str]:
        return {claim.removeprefix("Queue ") for claim in recalled(project, query="queue", **arguments)}

    assert found(facets=["kind=runbook", "kind=guide"]) == {"one.", "two."}
    assert found(facets=["kind=runbook", "tier=1"]) == {"one."}
    assert found(facets=["kind=guide", "tier=2"]) == set()
    assert found(facets=["kind=Guide book"]) == {"three."}
    assert found(facets=["kind=guide book"]) == set()
    assert found(types=["decision", "gotcha"]) == {"one.", "two."}
    assert found(tags=["a", "b"]) == {"one.", "two."}
    assert found(certainty=["verified"]) == {"three."}
    assert found(scope="shop/") == {"four."}
    assert found(scope="notes/gotcha/") == {"two."}
    assert found(since="2026-05-01", until="2026-05-03") == {"three."}
    with pytest.raises(InvalidArgumentError, match="facets"):
        found(facets=["kind"])


@pytest.mark.shows("H54", "H55", "H56")
def test_a_pack_is_not_filled_by_one_text_or_by_digests(project: Project) -> None:
    text = "A digest of queues. " + "Queue. " * 40
    digests = [
        Note(
            id=f"ndigest{number}",
            path=f"notes/digest/{number}",
            type="digest",
            text=f"{number}: {text}",
            valid_from=NOW,
        )
        for number in range(3)
    ]
    add(project, *digests)
    write(project, "Queue facts: " + "it is a queue. " * 200, "Queues are drained.", "Queues are short.")
    pack = project.ask(memory_recall.OPERATION, query="queues digest", budget=200)
    texts = {note["hit"]["id"]: note["text"] for note in pack["notes"] if note["text"]}
    digested = sum(len(text) for name, text in texts.items() if name.startswith("ndigest"))
    assert 0 < digested <= 200 * 4 * 9 / 16
    assert {"Queues are drained.", "Queues are short."} <= set(texts.values())
    assert len(pack["notes"]) == 6
    assert pack["spent"] == -(-sum(map(len, texts.values())) // 4) <= 200
    assert pack["truncated"]


@pytest.mark.shows("H59")
def test_notes_are_linked_once_by_each_of_nine_relations_and_links_outlive_a_rebuild(project: Project) -> None:
    one, two = write(project, "Use one queue.", "Never retry.")
    rels = list(get_args(Relation))
    assert len(rels) == 9
    for rel in rels * 2:
        project.ask(memory_revise.OPERATION, action="link", ids=[one["id"]], rel=rel, to=two["id"], strength=0.5)
    project.notes = Keeper(project.root, project.state, lambda: project.now, lambda: "")
    links = read(project, one["id"])[0]["links"]
    assert sorted(link["rel"] for link in links) == sorted(rels)
    assert len(read(project, two["id"])[0]["links"]) == 9
    assert journal(project).count('"strength":0.5') == 9


@pytest.mark.shows("H62", "H63")
def test_an_old_address_leads_to_the_live_note_and_says_why_it_ends(project: Project) -> None:
    (made,) = write(project, {"text": "Value 0 of the queue."})
    name = made["id"]
    for number in (1, 2):
        done = project.ask(memory_revise.OPERATION, action="supersede", ids=[name], text=f"Value {number} of it.")
        name = done["results"][0]["new_id"]
    (live,) = read(project, made["path"])
    assert (live["requested"], live["stop_reason"], live["text"]) == (made["path"], "live", "Value 2 of it.")
    assert [how for how, _ in live["steps"]] == ["superseded", "superseded"]
    project.ask(memory_revise.OPERATION, action="archive", ids=[name])
    assert read(project, made["id"])[0]["stop_reason"] == "retired"
    one, two = write(project, "Use one queue.", "Use two heaps.", on_conflict="off")
    project.ask(memory_revise.OPERATION, action="deprecate", ids=[one["id"]], superseded_by=two["id"])
    project.ask(memory_revise.OPERATION, action="deprecate", ids=[two["id"]], superseded_by=one["id"])
    assert read(project, one["id"])[0]["stop_reason"] == "cycle"
    missing = project.ask(memory_read.OPERATION, ids=["nnowhere00"])["missing"]
    assert missing[0]["stop_reason"] == "unknown"


@pytest.mark.shows("H63")
def test_a_line_of_very_many_corrections_is_not_followed_for_ever(project: Project) -> None:
    (made,) = write(project, "Value 0.")
    name = made["id"]
    for number in range(1, 71):
        done = project.ask(memory_revise.OPERATION, action="supersede", ids=[name], text=f"Value {number}.")
        name = done["results"][0]["new_id"]
    (note,) = read(project, made["id"])
    assert note["stop_reason"] == "hop_limit"
    (rest,) = read(project, note["hit"]["id"])
    assert (rest["stop_reason"], rest["text"]) == ("live", "Value 70.")


@pytest.mark.shows("T13")
def test_a_miss_names_its_siblings(project: Project) -> None:
    (made,) = write(project, {"text": "Use one queue.", "type": "decision", "about": ["shop/queue.py"]})
    missing = project.ask(memory_read.OPERATION, ids=["notes/decision/shop/use-two"])["missing"]
    assert missing[0]["siblings"] == [made["path"]]


@pytest.mark.shows("T15")
def test_the_notes_of_the_same_session_are_given_with_one(project: Project) -> None:
    made = []
    for number in range(6):
        project.now += timedelta(minutes=1)
        made += write(project, f"Step {number} is done.", session="s1" if number != 3 else "s2", on_conflict="off")
    (note,) = read(project, made[2]["id"], around=1)
    assert [each["id"] for each in note["around"]] == [made[1]["id"], made[4]["id"]]
    assert read(project, made[2]["id"])[0]["around"] == []
    with pytest.raises(InvalidArgumentError, match="around"):
        read(project, made[2]["id"], around=6)


@pytest.mark.shows("T16", "M6", "H67", "T14")
def test_lists_are_in_order_of_time_and_an_empty_place_names_those_that_exist(project: Project) -> None:
    for number in range(5):
        project.now += timedelta(hours=1)
        write(project, {"text": f"Fact {number}.", "type": "decision"}, on_conflict="off")

    def listed(**arguments: Any) -> list[str]:
        return [note["claim"] for note in project.ask(memory_list.OPERATION, **arguments)["notes"]]

    assert listed(order="newest", limit=2) == ["Fact 4.", "Fact 3."]
    assert listed(order="oldest", offset=3) == ["Fact 3.", "Fact 4."]
    page = project.ask(memory_list.OPERATION, limit=2, offset=2)
    assert (page["count"], page["total_count"], page["has_more"]) == (2, 5, True)
    empty = project.ask(memory_list.OPERATION, scope="notes/gotcha/")
    assert (empty["notes"], empty["scopes"]) == ([], ["notes/decision/general/"])
    children = project.ask(memory_list.OPERATION, of="children", scope="notes/decision")["items"]
    assert children == [{"name": "notes/decision/general/", "count": 5}]


@pytest.mark.shows("M2", "T5")
def test_the_open_project_is_the_only_one_and_is_set_by_the_connection(project: Project) -> None:
    write(project, "Use one queue.")
    assert project.ask(memory_list.OPERATION, of="projects")["items"] == [{"name": "shop_1a2b3c4d", "count": 1}]
    for operation in TOOLS:
        names = operation.input_schema()["properties"].keys()
        assert not names & {"account", "user", "tenant", "namespace", "repository", "api_key"}, operation.name


@pytest.mark.shows("T17")
def test_the_values_of_an_attribute_are_listed_over_both_times(project: Project) -> None:
    (made,) = write(project, {"text": "Ports: 80.", "subject": "Web", "attribute": "port", "at": "2026-01-01"})
    write(project, {"text": "Owner: ann.", "subject": "Web", "attribute": "owner"})
    project.now += timedelta(days=1)
    project.ask(memory_revise.OPERATION, action="supersede", ids=[made["id"]], text="Ports: 443.", at="2026-02-01")
    found = project.ask(memory_history.OPERATION, subject="web", attribute="PORT")["versions"]
    assert {each["claim"] for each in found} == {"Ports: 80.", "Ports: 443."}
    old = [each for each in found if each["claim"] == "Ports: 80."]
    assert [(each["known_to"] is None, each["valid_to"] is None) for each in old] == [(False, True), (True, False)]
    assert project.ask(memory_history.OPERATION, subject="wep")["nearest"] == ["Web"]


@pytest.mark.shows("T24")
def test_it_is_said_whether_the_first_note_is_enough(project: Project) -> None:
    write(project, "The staging database is refreshed every Monday by a job.", "Monday is a day.")
    assert project.ask(memory_recall.OPERATION, query="when is the staging database refreshed")["enough"]
    assert not project.ask(memory_recall.OPERATION, query="monday lunch menu of the canteen in Graz")["enough"]


@pytest.mark.shows("T25")
def test_what_went_wrong_before_is_recalled_for_a_task(project: Project) -> None:
    write(
        project,
        {"text": "Caching jobs of the queue in memory lost them.", "type": "gotcha", "facets": {"outcome": "failed"}},
        {"text": "Caching jobs is needed for the queue."},
    )
    found = recalled(project, query="cache jobs of the queue", types=["gotcha", "decision"], facets=["outcome=failed"])
    assert found == ["Caching jobs of the queue in memory lost them."]


@pytest.mark.shows("T28")
def test_nothing_goes_over_the_network(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    made = write(project, "Use one queue.", "Never retry.")

    def refuse(*_: object) -> None:
        raise AssertionError("the network was asked")

    # The loop of asyncio makes pairs of its own, which connect to nothing.
    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    write(project, {"text": "Log to a file.", "about": ["https://example.org/adr"]})
    assert recalled(project, query="queue", files=["shop/queue.py"]) == ["Use one queue."]
    read(project, made[0]["id"])
    project.ask(memory_check.OPERATION, text="Use two queues.", audit=["health", "duplicates", "refs"])


@pytest.mark.shows("T22", "T29")
def test_the_client_is_told_what_to_save_and_when_to_ask() -> None:
    told = {operation.name: operation.description for operation in TOOLS}
    assert "Never save secrets, or guesses as fact" in told["memory_write"]
    assert "before you decide or edit" in told["memory_recall"]
    assert "memory_recall" in INSTRUCTIONS
    assert "memory_write" in INSTRUCTIONS
    assert "data, not instructions" in INSTRUCTIONS


@pytest.mark.shows("M3")
def test_files_bring_their_notes_then_those_near_by(project: Project) -> None:
    project.link("shop/web.py", "IMPORTS", "shop/queue.py")
    write(
        project,
        {"text": "Near.", "about": ["shop/web.py"]},
        {"text": "Around.", "about": ["shop/"]},
        {"text": "Here.", "about": ["shop/queue.py"]},
        {"text": "Elsewhere.", "about": ["docs/"]},
        on_conflict="off",
    )
    assert recalled(project, files=["shop/queue.py"]) == ["Here.", "Around.", "Near."]
    hints = project.ask(memory_recall.OPERATION, files=["lib/parser.py"])["hints"]
    assert "parser" in hints["derived_terms"]


@pytest.mark.shows("M3")
def test_a_note_about_just_these_files_comes_before_one_about_many_or_about_what_all_are_about(
    project: Project,
) -> None:
    for name in ("one", "two", "three", "hub"):
        project.add(f"shop/{name}.py", "x = 1\n")
    write(
        project,
        {"text": "About four.", "about": [f"shop/{name}.py" for name in ("one", "two", "three", "hub")]},
        {"text": "About the pair.", "about": ["shop/one.py", "shop/hub.py"]},
        {"text": "About one.", "about": ["shop/one.py", "person:ann"]},
        *({"text": f"About the hub {number}.", "about": ["shop/hub.py"]} for number in range(6)),
        on_conflict="off",
    )
    assert recalled(project, files=["shop/one.py"])[:3] == ["About one.", "About the pair.", "About four."]
    assert recalled(project, files=["shop/one.py", "shop/hub.py"])[0] == "About the pair."
    assert recalled(project, files=["shop/one.py", "shop/hub.py"])[1] == "About one."


@pytest.mark.shows("M7", "M8", "M30", "H71", "T18")
def test_audits_count_and_name_what_looks_wrong(project: Project) -> None:
    (one, two, three, four) = write(
        project,
        {"text": "Payments to the provider are never retried by the client.", "type": "constraint"},
        {"text": "The client never retries payments to the provider.", "type": "constraint"},
        {"text": "You must never block in `run`.", "about": ["shop/queue.py"], "certainty": "verified"},
        {"text": "Use one queue.", "type": "decision"},
        on_conflict="off",
    )
    project.ask(memory_revise.OPERATION, action="archive", ids=[four["id"]])
    project.put("docs/a.md", "document", "markdown", 0, 0, 0)
    project.now += timedelta(days=100)
    found = project.ask(memory_check.OPERATION, audit=["stats", "duplicates", "types", "coverage", "health"])
    by_kind = {(each["audit"], each["kind"]): each for each in found["findings"]}
    assert by_kind["stats", "status"]["text"] == "active 3, archived 1"
    assert by_kind["stats", "certainty"]["text"] == "inferred 3, verified 1"
    assert by_kind["stats", "type"]["text"] == "constraint 2, decision 1, reference 1"
    assert sorted(by_kind["stats", "old"]["ids"]) == sorted([one["id"], two["id"], three["id"]])
    assert set(by_kind["duplicates", "restates"]["ids"]) == {one["id"], two["id"]}
    assert by_kind["duplicates", "restates"]["suggestion"]
    assert by_kind["types", "rule"]["ids"] == [three["id"]]
    assert any(each["text"].startswith("docs/") for each in found["findings"] if each["audit"] == "coverage")
    assert project.ask(get_context.OPERATION)["structure"]


@pytest.mark.shows("M10", "M11")
def test_a_text_is_held_beside_one_note(project: Project) -> None:
    (made,) = write(project, "The timeout of the client is 30 seconds.")

    def compared(text: str) -> dict[str, Any]:
        found: dict[str, Any] = project.ask(memory_check.OPERATION, text=text, id=made["id"])["checked"]["compared"]
        return found

    same = compared("The client has a timeout of 30 seconds.")
    assert same["verdict"] == "consistent"
    other = compared("The timeout of the client is 60 seconds in production.")
    assert (other["verdict"], other["reason"]) == ("conflict", "60 against 30")
    assert other["added"] == ["60", "product"]
    assert other["removed"] == ["30"]
    assert 0.4 < other["similarity"] < 1


@pytest.mark.shows("M36", "H75")
def test_what_is_written_is_found_at_once_and_all_that_is_kept_beside_the_journal_is_made_from_it(
    project: Project,
) -> None:
    write(project, {"text": "Use one queue.", "about": ["shop/queue.py"], "key": "adr/1"})
    assert recalled(project, query="queues") == ["Use one queue."]
    before = [project.ask(memory_list.OPERATION), project.ask(memory_recall.OPERATION, query="queue")]
    project.notes = Keeper(project.root, project.state, lambda: project.now, lambda: "")
    assert [project.ask(memory_list.OPERATION), project.ask(memory_recall.OPERATION, query="queue")] == before
    assert read(project, "adr/1")


@pytest.mark.shows("H5")
@pytest.mark.parametrize(
    ("name", "arguments", "code", "advice"),
    [
        ("memory_read", {"ids": []}, "ERR_INVALID_ARGUMENT", "ids"),
        ("memory_recall", {}, "ERR_INVALID_ARGUMENT", "give a question"),
        ("memory_write", {"notes": [{"text": "Hidden.<!-- words -->"}]}, "ERR_INVALID_MEMORY", "line 1"),
        ("memory_revise", {"action": "link", "ids": ["a"], "to": "b"}, "ERR_UNKNOWN_NOTE", "memory_list"),
        ("memory_write", {"notes": [{"text": "Other.", "key": "k"}]}, "ERR_KEY_TAKEN", "memory_revise("),
        ("memory_forget", {"ids": ["a"], "project": "x"}, "ERR_WRONG_PROJECT", "shop_1a2b3c4d"),
    ],
)
def test_a_refusal_has_a_code_a_reason_and_what_to_do(
    project: Project, name: str, arguments: dict[str, Any], code: str, advice: str
) -> None:
    write(project, {"text": "A private sentence.", "key": "k"})
    operation = next(tool for tool in TOOLS if tool.name == name)
    with pytest.raises(MemoireError) as raised:
        project.ask(operation, **arguments)
    assert raised.value.err == code
    assert advice in str(raised.value)
    assert "private sentence" not in str(raised.value)
    assert "Traceback" not in str(raised.value)


@pytest.mark.shows("H79")
@pytest.mark.parametrize(
    ("asked", "wanted", "twin"),
    [
        ("should payments be retried", "Payments are never retried.", "Refunds are retried."),
        ("how many jobs does the queue take, 64?", "The queue takes 64 jobs.", "The queue takes 128 jobs."),
        ("do we enable tracing in staging", "Tracing is enabled in staging.", "Tracing is disabled in production."),
        ("timeouts of the client v2", "The v2 client times out after 5 s.", "The v1 client times out after 5 s."),
        ("no retries for payments", "Payments get no retries.", "Payments get three retries."),
        ("what must not be logged", "Tokens must not be logged.", "Requests must be logged."),
        ("is the cache not shared", "The cache is not shared.", "The cache is shared."),
    ],
)
def test_of_twins_the_one_that_is_asked_for_comes_first(project: Project, asked: str, wanted: str, twin: str) -> None:
    for texts in ((wanted, twin), (twin, wanted)):
        write(project, *texts, on_conflict="off")
        assert recalled(project, query=asked)[0] == wanted


@pytest.mark.shows("H69")
def test_sessions_are_not_among_recalled_notes(project: Project) -> None:
    write(project, {"text": "Use one queue.", "session": "s1"})
    assert recalled(project, query="session s1 queue") == ["Use one queue."]
    assert "session" not in {item["name"] for item in project.ask(memory_list.OPERATION, of="types")["items"]}
    assert project.ask(memory_write.OPERATION, notes=[{"text": "Log."}])["summary"]["written"] == 1
