"""The law: after any sequence of changes, edges, links and effects equal those of one ingest of the final files."""

import functools
import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import ClassVar

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from memoire.dispatch import extract
from memoire.graph import Graph
from memoire.linker import Linked
from memoire.model import Edge, Effect, FileChange, FileFacts
from memoire.processor import Processor
from tests.property.worlds import WORLDS, World

EXAMPLES = 12
"""Of sequences of changes, for each world."""
NOW = datetime(2026, 5, 18, 10, 23, tzinfo=UTC)
NAMES = ("core", "util", "json", "pkg")
FOLDERS = ("", "pkg/", "src/", "src/pkg/", "tests/", "pkg/sub/")
PATHS = [f"{folder}{name}.py" for folder in FOLDERS for name in (*NAMES, "__init__", "test_it")]
PATHS += ["docs/spec.md", "README.md", "docs/core.md", "pyproject.toml", "src/setup.py"]
PATHS += ["conftest.py", "tests/conftest.py"]
PATHS += ["Makefile", "pkg/Dockerfile", "compose.yml", "pkg/page.html"]

modules = st.sampled_from([*NAMES, "pkg.core", "pkg.util", "pkg.sub.core", ".", ".core", "..core", "pkg.sub", ".util"])
lines = st.one_of(
    st.builds("import {}".format, modules.filter(lambda name: not name.startswith("."))),
    st.builds("from {} import {}".format, modules, st.sampled_from(["core", "run", "Thing", "STATE", "*", "util"])),
    st.builds("from {} import run as go".format, modules),
    st.builds(
        "class Thing({}):\n    def run(self):\n        self.token = {}".format,
        st.sampled_from(["", "core.Thing"]),
        st.integers(0, 3),
    ),
    st.builds(
        "def run():\n    {}".format,
        st.sampled_from(["return Thing()", "core.run()", "go()", "open('x')", "util.STATE = 2"]),
    ),
    st.sampled_from(
        [
            "STATE = 1",
            "core.run()",
            "Thing().run()",
            "print(Thing().token)",
            "run()",
            "util.core.run()",
            "x = STATE",
            "def bump():\n    global STATE\n    STATE = 2",
            "def test_it(thing):\n    thing.run()",
            "def test_it():\n    core.run()",
            "@fixture\ndef thing():\n    return Thing()",
            "@fixture(autouse=True)\ndef clean():\n    util.bump()",
        ]
    ),
)
lines |= st.sampled_from(
    [
        "# Spec",
        "The `core.Thing` must run.",
        "See [core](../pkg/core.py) and `src/pkg/util.py`.",
        "Use `bump()`.",
        "# implements docs/spec.md",
        "all:\n\tpython pkg/core.py && python -m pkg.util",
        "[project.scripts]\nx = 'pkg.core:run'",
        "COPY core.py util.py pkg/ .",
        "services:\n  a:\n    build: ./pkg",
        "<script src='/core.py'></script>",
    ]
)
sources = st.lists(lines, max_size=6).map(lambda parts: "\n".join(parts) + "\n")


extracted = functools.lru_cache(maxsize=5_000)(extract)


def shape(edge: Edge) -> tuple[object, ...]:
    """Everything of an edge but line numbers, valid time and what was learned."""
    return (
        edge.key,
        re.sub(r":\d+", "", edge.rationale),
        edge.is_causal,
        edge.cost,
        edge.confidence,
        edge.extracted_from,
    )


class Project:
    """One processor with its graph, fed like the daemon feeds it."""

    def __init__(self) -> None:
        self.graph = Graph()
        self.files: dict[str, bytes] = {}
        self.processor = Processor(self.graph, self.files.get)
        self.now = NOW

    def take(self, changed: dict[str, str], gone: list[str]) -> None:
        self.now += timedelta(seconds=1)
        for path in gone:
            del self.files[path]
        self.files |= {path: text.encode() for path, text in changed.items()}
        changes = [FileChange(path, self._facts(path), 0, self.now) for path in changed]
        self.graph.apply(self.processor.plan(changes, gone, now=self.now))

    def restart(self) -> None:
        """Start over from what is stored."""
        records = self.processor.records
        self.processor = Processor(self.graph, self.files.get)
        for _ in self.processor.loading(records.values()):
            pass

    def edges(self) -> list[tuple[object, ...]]:
        return sorted((shape(edge) for edge in self.graph.edges()), key=repr)

    def links(self) -> dict[str, Linked]:
        """Return the links of every file: what they are between definitions, the edges are between files."""
        return {path: self.processor.links(path) for path in self.files}

    def effects(self) -> dict[str, tuple[Effect, ...]]:
        return {path: facts.effects for path in self.files if (facts := self.processor.facts(path)) is not None}

    def _facts(self, path: str) -> FileFacts:
        return extracted(path, self.files[path])


class Incremental(RuleBasedStateMachine):
    """Changes of the files of one world, in any order."""

    paths: st.SearchStrategy[str]
    folders: tuple[str, ...]
    sources: st.SearchStrategy[str]
    manifests: ClassVar[Mapping[str, st.SearchStrategy[str]]] = {}

    def __init__(self) -> None:
        super().__init__()
        self.files: dict[str, str] = {}
        self.project = Project()

    def text(self, data: st.DataObject, path: str) -> str:
        """Return what a file of a path may hold."""
        return data.draw(self.manifests.get(path, self.sources))

    @rule(data=st.data())
    def save(self, data: st.DataObject) -> None:
        path = data.draw(self.paths)
        text = self.text(data, path)
        self.files[path] = text
        self.project.take({path: text}, [])

    @precondition(lambda self: self.files)
    @rule(data=st.data())
    def save_again(self, data: st.DataObject) -> None:
        path = data.draw(st.sampled_from(sorted(self.files)))
        text = self.text(data, path)
        self.files[path] = text
        self.project.take({path: text}, [])

    @precondition(lambda self: self.files)
    @rule(data=st.data())
    def save_half_and_whole(self, data: st.DataObject) -> None:
        path = data.draw(st.sampled_from(sorted(self.files)))
        text = self.files[path]
        self.project.take({path: text[: data.draw(st.integers(0, len(text)))]}, [])
        self.project.take({path: text}, [])

    @precondition(lambda self: self.files)
    @rule(data=st.data())
    def delete(self, data: st.DataObject) -> None:
        path = data.draw(st.sampled_from(sorted(self.files)))
        del self.files[path]
        self.project.take({}, [path])

    @precondition(lambda self: self.files)
    @rule(data=st.data())
    def rename(self, data: st.DataObject) -> None:
        path, to = data.draw(st.sampled_from(sorted(self.files))), data.draw(self.paths)
        if path != to:
            self.files[to] = self.files.pop(path)
            self.project.take({to: self.files[to]}, [path])

    @precondition(lambda self: self.files)
    @rule(data=st.data())
    def move_folder(self, data: st.DataObject) -> None:
        old, new = (data.draw(st.sampled_from(self.folders[1:])) for _ in range(2))
        moved = {path: new + path[len(old) :] for path in self.files if path.startswith(old)}
        if old == new or not moved:
            return
        texts = {to: self.files.pop(path) for path, to in moved.items()}
        self.files |= texts
        self.project.take(texts, sorted(moved.keys() - texts.keys()))

    @initialize(data=st.data())
    def begin(self, data: st.DataObject) -> None:
        self.switch(data, 20)

    @rule(data=st.data())
    def switch_branch(self, data: st.DataObject) -> None:
        self.switch(data, 8)

    def switch(self, data: st.DataObject, most: int) -> None:
        """Let all files go, and others come."""
        texts = {path: self.text(data, path) for path in data.draw(st.sets(self.paths, max_size=most))}
        gone = sorted(self.files.keys() - texts.keys())
        self.files = dict(texts)
        self.project.take(texts, gone)

    @rule()
    def restart(self) -> None:
        self.project.restart()

    @invariant()
    def equals_a_rebuild(self) -> None:
        fresh = Project()
        fresh.take(self.files, [])
        assert self.project.edges() == fresh.edges()
        assert self.project.links() == fresh.links()
        assert self.project.effects() == fresh.effects()


class PythonIncremental(Incremental):
    paths = st.sampled_from(PATHS)
    folders = FOLDERS
    sources = sources


def machine(world: World) -> type[Incremental]:
    """Return the machine of a world."""
    files = [f"{folder}{name}" for folder in world.folders for name in world.names]
    texts = st.lists(st.sampled_from(world.pieces), min_size=1, max_size=5)

    class Found(Incremental):
        paths = st.sampled_from([*files, *(path for path, _ in world.settings)])
        folders = world.folders
        sources = texts.map(lambda pieces: "\n".join(pieces) + "\n")
        manifests: ClassVar[Mapping[str, st.SearchStrategy[str]]] = {
            path: st.sampled_from(said) for path, said in world.settings
        }

    return Found


@pytest.mark.parametrize("name", WORLDS)
def test_changes_of_a_world_come_to_what_a_rebuild_does(name: str) -> None:
    run_state_machine_as_test(
        machine(WORLDS[name]), settings=settings(max_examples=EXAMPLES, stateful_step_count=12, deadline=None)
    )


PythonIncremental.TestCase.settings = settings(max_examples=60, stateful_step_count=20, deadline=None)
TestIncremental = PythonIncremental.TestCase
