"""The example project through the real command and daemon: what the published page promises, and `make demo` shows."""

import io
import json
import os
import pty
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memoire import cli
from tests.requirements import covers

ROOT = Path(__file__).parents[2]
STREAM = ROOT / "examples" / "orders.fast-import"
MEMOIRE = [sys.executable, "-m", "memoire"]
HEAD = "af4509533b3a9306bc42787f0adf9690a6d7d3fb"
"""The last commit of the example: the stream gives the same history everywhere."""

CHARS_PER_TOKEN = 4


class Demo:
    """The example, set up and indexed; commands run in it."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "orders"
        (folder / "home").mkdir()
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("MEMOIRE_", "XDG_", "GIT_"))}
        scripts = str(Path(sys.executable).parent)
        self.environment = {
            **kept,
            "HOME": str(folder / "home"),
            "PATH": f"{scripts}:{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
        }

    def run(self, *given: str, status: int = 0) -> str:
        command = [*MEMOIRE, *given]
        run = subprocess.run(
            command, cwd=self.root, env=self.environment, capture_output=True, text=True, check=False, timeout=120
        )
        assert (run.returncode, run.stderr) == (status, ""), run.stdout
        return run.stdout

    def json(self, *given: str, status: int = 0) -> Any:
        return json.loads(self.run(*given, "--json", status=status))


def materialise(root: Path) -> None:
    """Make the example's repository from its stream, as examples/README.md says."""
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    with STREAM.open("rb") as stream:
        subprocess.run(["git", "-C", str(root), "fast-import", "--quiet"], stdin=stream, check=True)
    subprocess.run(["git", "-C", str(root), "checkout", "-q", "main"], check=True)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    demo = Demo(tmp_path_factory.mktemp("demo"))
    materialise(demo.root)
    demo.run("init", "--yes")
    demo.run("ingest")
    yield demo
    demo.run("stop")


@pytest.fixture(scope="module")
def context(demo: Demo) -> dict[str, Any]:
    found: dict[str, Any] = demo.json("context")
    return found


@pytest.fixture(scope="module")
def pricing(demo: Demo) -> dict[str, Any]:
    found: dict[str, Any] = demo.json("expand", "src/orders/pricing.py")
    return found


def edges(answer: dict[str, Any]) -> set[tuple[str, str, str]]:
    return {(edge["source"], edge["relation"], edge["target"]) for edge in answer["relationships"]}


def tokens(value: Any) -> float:
    return len(json.dumps(value, separators=(",", ":"), ensure_ascii=False)) / CHARS_PER_TOKEN


class TestExample:
    def test_the_stream_gives_the_same_history_everywhere(self, demo: Demo) -> None:
        git = ["git", "-C", str(demo.root)]
        head = subprocess.run([*git, "rev-parse", "HEAD"], capture_output=True, text=True, check=True).stdout.strip()
        log = subprocess.run([*git, "log", "--format=%an"], capture_output=True, text=True, check=True).stdout.split(
            "\n"
        )
        assert head == HEAD
        assert (len(log) - 1, len(set(log) - {""})) == (18, 4)

    def test_its_own_tests_pass(self, demo: Demo) -> None:
        run = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
            cwd=demo.root,
            env={**demo.environment, "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.stdout.splitlines()[-1].startswith("24 passed")


class TestContext:
    @covers("context.fields", "context.project-id")
    def test_it_has_the_published_fields(self, context: dict[str, Any]) -> None:
        assert list(context)[:4] == ["project_id", "structure", "relationships", "recent_events"]
        assert re.fullmatch(r"orders_[0-9a-f]{8}", context["project_id"])

    @covers("context.structure", "context.structure-size")
    def test_the_structure_maps_directories_to_full_paths(self, context: dict[str, Any]) -> None:
        structure = context["structure"]
        assert {"docs/", "tests/", "README.md"} <= set(structure["."])
        for parent, children in structure.items():
            assert parent == "." or parent.endswith("/")
            named = [child for child in children if not child.startswith("…")]  # "… 4 more": what was left out
            assert all(child.startswith("" if parent == "." else parent) for child in named)
            assert len(children) - len(named) <= 1
        assert tokens(structure) <= 250

    @covers("context.relationships", "context.relationship-size")
    def test_a_relationship_has_the_published_fields_at_about_50_tokens(self, context: dict[str, Any]) -> None:
        published = {"source", "relation", "target", "rationale", "is_causal", "cost", "observations"}
        assert all(set(edge) >= published for edge in context["relationships"])
        found = [tokens(edge) for edge in context["relationships"]]
        assert 30 <= sum(found) / len(found) <= 60
        assert sum(found) <= 5000

    @covers("context.best-first", "score.causal")
    def test_the_edges_that_rank_highest_are_shown_and_no_more_than_100(self, context: dict[str, Any]) -> None:
        shown = context["relationships"]
        assert 20 <= len(shown) <= 100
        assert all(edge["is_causal"] for edge in shown[:15])
        assert {"SPECIFIES", "DRIVES", "ASSERTS_ON"} <= {edge["relation"] for edge in shown}

    @covers("context.events", "time")
    def test_the_events_are_at_most_ten_with_times_in_utc(self, context: dict[str, Any]) -> None:
        assert 1 <= len(context["recent_events"]) <= 10
        for event in context["recent_events"]:
            assert set(event) == {"summary", "importance", "created_at"}
            assert 0 <= event["importance"] <= 1
            assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", event["created_at"])

    def test_two_answers_about_the_same_state_are_the_same_but_for_their_time(self, demo: Demo) -> None:
        assert demo.json("context")["relationships"] == demo.json("context")["relationships"]

    def test_the_graph_knows_what_the_example_was_made_to_show(self, demo: Demo) -> None:
        """Each line of examples/README.md."""
        found = {
            (record["source"], record["relation"], record["target"]): record
            for record in map(json.loads, demo.run("export").splitlines())
            if record["type"] == "edge"
        }
        src, web = "src/orders", "clients/web/src"
        expected = {
            ("tests/test_pricing.py", "ASSERTS_ON", f"{src}/pricing.py"),
            ("tests/test_service.py", "ASSERTS_ON", f"{src}/service.py"),
            (f"{src}/models.py", "DRIVES", f"{src}/pricing.py"),
            (f"{src}/models.py", "DRIVES", f"{src}/store.py"),
            (f"{src}/session.py", "DRIVES", f"{src}/payments.py"),
            ("docs/specs/pricing.md", "SPECIFIES", f"{src}/pricing.py"),
            (f"{src}/pricing.py", "IMPLEMENTS", "docs/specs/pricing.md"),
            ("docs/guides/api.md", "DOCUMENTS", f"{src}/api.py"),
            (f"{web}/basket.ts", "IMPORTS", f"{web}/format/index.ts"),
            ("clients/web/test/basket.test.ts", "ASSERTS_ON", f"{web}/basket.ts"),
            (f"{src}/store.py", "IMPORTS", "pkg:sqlite3"),
        }
        assert not expected - set(found)
        assert not [key for key in found if key[1] == "ASSERTS_ON" and key[2] == f"{src}/__init__.py"]


class TestExpand:
    @covers("expand.file", "expand.relationships", "expand.path")
    def test_a_file_has_the_published_fields(self, pricing: dict[str, Any]) -> None:
        published = {"path", "type", "summary", "side_effects", "writes_state", "document", "relationships"}
        assert published <= set(pricing)
        assert (pricing["path"], pricing["type"], pricing["document"]) == ("src/orders/pricing.py", "file", None)
        assert all({"source", "relation", "target", "observations"} <= set(edge) for edge in pricing["relationships"])
        assert ("tests/test_pricing.py", "ASSERTS_ON", "src/orders/pricing.py") in edges(pricing)

    @covers("expand.summary", "expand.side-effects")
    def test_the_summary_names_language_path_and_side_effects(self, demo: Demo) -> None:
        store = demo.json("expand", "src/orders/store.py")
        assert store["side_effects"] == ["database"]
        assert "Python" in store["summary"]
        assert "src/orders/store.py" in store["summary"]
        assert "database" in store["summary"]
        assert "network" in demo.json("expand", "src/orders/payments.py")["side_effects"]
        assert demo.json("expand", "src/orders/invoices.py")["side_effects"] == ["file_io"]

    @covers("expand.state")
    def test_state_that_a_file_writes_is_listed(self, demo: Demo) -> None:
        assert {"token", "expires_at"} <= set(demo.json("expand", "src/orders/session.py")["writes_state"])

    @covers("expand.document")
    def test_the_content_of_a_document_comes_along(self, demo: Demo) -> None:
        document = demo.json("expand", "docs/specs/pricing.md")["document"]
        assert {"title", "summary", "content", "tags"} <= set(document)
        assert document["title"] == "Pricing"
        assert "half a cent in the customer's favour" in " ".join(document["content"].split())

    @covers("expand.directory")
    @pytest.mark.parametrize("path", ["docs/", "docs", "./docs", "docs/specs/.."])
    def test_a_directory_has_the_published_fields_however_it_is_written(self, path: str, demo: Demo) -> None:
        found = demo.json("expand", path)
        assert (found["path"], found["type"]) == ("docs/", "directory")
        assert {child["name"] for child in found["children"]} == {"docs/adr/", "docs/guides/", "docs/specs/"}
        assert all({"name", "type", "summary"} <= set(child) for child in found["children"])

    def test_an_unknown_path_names_the_one_that_was_meant(self, demo: Demo) -> None:
        found = demo.json("expand", "src/orders/pricng.py", status=2)
        assert found["error"]["code"] == "unknown-path"
        assert "src/orders/pricing.py" in found["error"]["message"]


class TestSearchAndEvents:
    @covers("search.query", "search.everything", "search.ranked")
    def test_files_documents_and_events_are_found_best_first(self, demo: Demo) -> None:
        found = demo.json("search", "retry", "payment")["results"]
        scores = [each["score"] for each in found]
        assert scores == sorted(scores, reverse=True)
        assert "docs/adr/0002-payment-retries.md" in [each.get("path") for each in found][:3]
        assert "src/orders/payments.py" in [
            each.get("path") for each in demo.json("search", "gateway charge")["results"]
        ]
        assert demo.json("search", "Indexed", "--kinds", "event")["results"]

    @covers("events.limit", "events.fields", "events.newest-first")
    def test_events_come_newest_first_up_to_the_limit(self, demo: Demo) -> None:
        path = demo.root / "src" / "orders" / "pricing.py"
        path.write_text(path.read_text() + "\n\ndef free() -> int:\n    return 0\n")
        demo.run("ingest")
        found = demo.json("events")["events"]
        assert 2 <= len(found) <= 20
        assert all({"summary", "importance", "entities", "created_at"} <= set(event) for event in found)
        times = [event["created_at"] for event in found]
        assert times == sorted(times, reverse=True)
        assert "pricing.py" in found[0]["summary"]
        assert len(demo.json("events", "--limit", "1")["events"]) == 1


class TestDaemon:
    def test_status_doctor_and_logs_say_that_all_is_well(self, demo: Demo) -> None:
        status = demo.json("status")
        assert (status["state"], status["root"]) == ("ready", str(demo.root))
        assert status["project"]["files"] == 38 + len([".mcp.json", "CLAUDE.md"])
        states = {each["check"]: each["state"] for each in demo.json("doctor")["checks"]}
        assert set(states.values()) == {"ok"}, states
        assert "serving pid=" in demo.run("logs")

    def test_export_writes_the_same_graph_to_a_file(self, demo: Demo, tmp_path: Path) -> None:
        counts = demo.json("export", "--output", str(tmp_path / "graph.jsonl"))
        records = [json.loads(line) for line in (tmp_path / "graph.jsonl").read_text().splitlines()]
        assert records[0]["type"] == "project"
        assert len(records) == 1 + counts["nodes"] + counts["edges"]
        assert [path.name for path in tmp_path.iterdir()] == ["graph.jsonl"]

    def test_text_for_people_holds_the_same_as_json(self, demo: Demo) -> None:
        shown = demo.run("expand", "src/orders/session.py")
        assert "path: src/orders/session.py" in shown
        assert "relationships" in shown

    @pytest.mark.parametrize(("given", "shown"), [("ingest", "files: 40"), ("doctor", "check"), ("status", "ready")])
    def test_on_a_terminal_it_shows_the_same_with_colour(self, given: str, shown: str, demo: Demo) -> None:
        terminal, screen = pty.openpty()
        with os.fdopen(terminal, "rb", buffering=0) as reader:
            environment = {**demo.environment, "TERM": "xterm-256color", "COLUMNS": "100"}
            run = subprocess.Popen(
                [*MEMOIRE, given],
                cwd=demo.root,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=screen,
                stderr=screen,
            )
            os.close(screen)
            text = b"".join(iter(lambda: _read(reader), b"")).decode()
        assert run.wait(timeout=60) == 0
        assert shown in text
        assert "\x1b[" in text

    def test_after_stop_it_does_not_run_and_a_question_starts_it_again(self, demo: Demo) -> None:
        assert demo.json("stop") == {"state": "stopped", "was_running": True}
        assert demo.json("status", status=cli.EXIT_NOT_RUNNING)["state"] == "stopped"
        assert demo.json("start")["was_running"] is False
        assert demo.json("expand", "README.md")["document"]["title"] == "orders"
        assert demo.json("restart")["was_running"] is True


def _read(terminal: io.RawIOBase) -> bytes:
    try:
        return terminal.read(4096) or b""
    except OSError:  # Linux: the other end is closed
        return b""


@covers("tools")
def test_the_four_tools_are_offered_first() -> None:
    baked = json.loads((ROOT / "memoire" / "baked.json").read_bytes())
    names = [tool["name"] for tool in baked["handshake"]["tools/list"]["result"]["tools"]]
    assert names[:4] == ["get_context", "expand", "search", "recent_events"]
