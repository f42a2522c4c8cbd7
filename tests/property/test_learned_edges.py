"""The law with learned evidence: after any sequence of changes, restarts and lessons, the open edges equal those of one
ingest of the final files that knows the same evidence."""

from datetime import timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from memoire.dispatch import extract
from memoire.episodes.edits import moves
from memoire.graph import Graph
from memoire.model import EdgeKey, Evidence, FileChange
from memoire.processor import Processor
from memoire.relations import asserted, outcomes, session_order
from memoire.relations.changes_with import Together
from memoire.relations.lessons import Lessons
from tests.property.test_incremental import NOW, shape

NAMES = ("core.py", "use.py", "far.py", "run.py", "test_core.py", "test_far.py")
FIRST = (0, 1, 1, 1, 1, 2)
"""Which text each has at first: so many import the core as make one, and one test leads to what it is about."""
TEXTS = (
    "x = 1\n",
    "from core import x\n\nprint(x)\n",
    "import far\n\ndef test_it():\n    far.x\n",
    "import core\ncore.x = 2\n",
)

names = st.sampled_from(NAMES)
pairs = st.tuples(names, names).filter(lambda pair: pair[0] != pair[1])
steps = st.lists(
    st.one_of(
        st.tuples(st.just("save"), names, st.sampled_from(TEXTS)),
        st.tuples(st.just("delete"), names),
        st.tuples(st.just("rename"), pairs),
        st.tuples(st.just("session"), pairs, st.integers(1, 3)),
        st.tuples(st.just("outcome"), st.sampled_from(NAMES[4:]), st.sampled_from(NAMES[1:4])),
        st.tuples(st.just("commits"), pairs, st.sampled_from([0.1, 0.5]), st.sampled_from([0.1, 0.5])),
        st.tuples(st.just("state"), pairs, st.sampled_from(["DRIVES", "ASSERTS_ON", "REFERENCES"]), st.booleans()),
        st.tuples(st.just("restart")),
    ),
    max_size=25,
)


class World:
    """One processor with its graph, taught and fed as the daemon does it."""

    def __init__(self) -> None:
        self.graph = Graph()
        self.files: dict[str, bytes] = {}
        self.processor = Processor(self.graph, self.files.get)
        self.pieces: dict[str, Evidence] = {}
        self.together: dict[tuple[str, str], Together] = {}
        self.now = NOW

    def plan(self, changed: tuple[str, ...] = (), gone: tuple[str, ...] = (), **rest: object) -> None:
        self.now += timedelta(minutes=1)
        changes = [FileChange(path, extract(path, self.files[path]), 0, self.now) for path in changed]
        moved = moves(changes, gone, self.processor.records)
        work = self.processor.planning(changes, gone, now=self.now, moved=moved, **rest)  # type: ignore[arg-type]
        while True:
            try:
                next(work)
            except StopIteration as end:
                self.graph.apply(end.value)
                self.pieces |= {piece.id: piece for piece in end.value.evidence}
                return

    def learn(self, piece: Evidence) -> None:
        lessons = self.processor.lessons
        is_statement = piece.kind in {asserted.KIND, asserted.DENIED}
        self.plan(learned=lessons.stated(piece) if is_statement else lessons.fresh([piece]))

    def step(self, what: str, *rest: object) -> None:
        getattr(self, f"_{what}")(*rest)

    def _save(self, path: str, text: str) -> None:
        self.files[path] = text.encode()
        self.plan((path,))

    def _delete(self, path: str) -> None:
        if self.files.pop(path, None) is not None:
            self.plan(gone=(path,))

    def _rename(self, pair: tuple[str, str]) -> None:
        old, new = pair
        if old in self.files and new not in self.files:
            self.files[new] = self.files.pop(old)
            self.plan((new,), (old,))

    def _session(self, pair: tuple[str, str], count: int) -> None:
        name = session_order.identity(*pair, str(count))
        self.learn(Evidence(name, "session", pair[0], "CHANGES_WITH", pair[1], self.now, "s", count=count))

    def _outcome(self, test: str, path: str) -> None:
        name = session_order.identity(test, path)
        self.learn(Evidence(name, outcomes.KIND, test, "ASSERTS_ON", path, self.now, "e", "pytest"))

    def _commits(self, pair: tuple[str, str], forth: float, back: float) -> None:
        one, other = sorted(pair)
        self.together[one, other] = Together(one, other, 3, "ab" * 20, NOW, forth, back)
        self.plan(taught=self.processor.lessons.know(list(self.together.values())))

    def _state(self, pair: tuple[str, str], relation: str, is_denied: bool) -> None:
        if set(pair) <= self.files.keys():
            key = EdgeKey(pair[0], relation, pair[1])
            self.learn(asserted.statement(key, is_denied=is_denied, author="ann", reason="so", at=self.now))

    def _restart(self) -> None:
        records, edges = self.processor.records, list(self.graph.edges())
        self.processor = Processor(self.graph, self.files.get)
        self._teach(self.processor.lessons)
        for _ in self.processor.loading(records.values()):
            pass
        assert list(self.graph.edges()) == edges

    def _teach(self, lessons: Lessons) -> None:
        lessons.apply(self.pieces.values())
        lessons.know(list(self.together.values()))

    def fresh(self) -> "World":
        found = World()
        found.files = dict(self.files)
        found.processor = Processor(found.graph, found.files.get)
        found.pieces, found.together = self.pieces, self.together
        found._teach(found.processor.lessons)
        found.plan(tuple(sorted(found.files)))
        return found


def shapes(world: World) -> set[tuple[object, ...]]:
    return {(*shape(edge), edge.learned) for edge in world.graph.edges()}


@settings(max_examples=200, deadline=None)
@given(steps)
def test_edges_with_learned_evidence_equal_those_of_one_ingest(sequence: list[tuple[object, ...]]) -> None:
    world = World()
    world.files = {path: TEXTS[first].encode() for path, first in zip(NAMES, FIRST, strict=True)}
    world.processor = Processor(world.graph, world.files.get)
    world.plan(tuple(sorted(world.files)))
    for what, *rest in sequence:
        world.step(str(what), *rest)
    assert shapes(world) == shapes(world.fresh())
