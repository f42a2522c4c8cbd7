"""The law: after any sequence of changes, the open edges equal those of one ingest of the final files."""

import re
from datetime import UTC, datetime, timedelta

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from memoire.dispatch import extract
from memoire.graph import Graph
from memoire.model import Edge, FileChange
from memoire.processor import Processor

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
        self.processor = Processor(self.graph, lambda _path: None)
        self.now = NOW

    def take(self, changed: dict[str, str], gone: list[str]) -> None:
        self.now += timedelta(seconds=1)
        changes = [FileChange(path, extract(path, text.encode()), 0, self.now) for path, text in changed.items()]
        self.graph.apply(self.processor.plan(changes, gone, now=self.now))

    def edges(self) -> list[tuple[object, ...]]:
        return sorted((shape(edge) for edge in self.graph.edges()), key=repr)


class Incremental(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.files: dict[str, str] = {}
        self.project = Project()

    @rule(path=st.sampled_from(PATHS), text=sources)
    def save(self, path: str, text: str) -> None:
        self.files[path] = text
        self.project.take({path: text}, [])

    @precondition(lambda self: self.files)
    @rule(data=st.data())
    def delete(self, data: st.DataObject) -> None:
        path = data.draw(st.sampled_from(sorted(self.files)))
        del self.files[path]
        self.project.take({}, [path])

    @precondition(lambda self: self.files)
    @rule(data=st.data(), to=st.sampled_from(PATHS))
    def rename(self, data: st.DataObject, to: str) -> None:
        path = data.draw(st.sampled_from(sorted(self.files)))
        if path != to:
            self.files[to] = self.files.pop(path)
            self.project.take({to: self.files[to]}, [path])

    @precondition(lambda self: self.files)
    @rule(old=st.sampled_from(FOLDERS[1:]), new=st.sampled_from(FOLDERS[1:]))
    def move_folder(self, old: str, new: str) -> None:
        moved = {path: new + path[len(old) :] for path in self.files if path.startswith(old)}
        if old == new or not moved:
            return
        texts = {to: self.files.pop(path) for path, to in moved.items()}
        self.files |= texts
        self.project.take(texts, sorted(moved.keys() - texts.keys()))

    @rule(texts=st.dictionaries(st.sampled_from(PATHS), sources, max_size=6))
    def switch_branch(self, texts: dict[str, str]) -> None:
        gone = sorted(self.files.keys() - texts.keys())
        self.files = dict(texts)
        self.project.take(texts, gone)

    @rule()
    def restart(self) -> None:
        old = self.project
        self.project = Project()
        self.project.graph = old.graph
        self.project.processor = Processor(old.graph, lambda _path: None)
        for _ in self.project.processor.loading(old.processor.records.values()):
            pass
        self.project.now = old.now

    @invariant()
    def equals_a_rebuild(self) -> None:
        fresh = Project()
        fresh.take(self.files, [])
        assert self.project.edges() == fresh.edges()


Incremental.TestCase.settings = settings(max_examples=60, stateful_step_count=20, deadline=None)
TestIncremental = Incremental.TestCase
