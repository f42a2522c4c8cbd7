"""Ranks the files of a project by how likely a change of some of them will make them change too."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from memoire.episodes.history import History, HistoryCommit
from memoire.exercise import Exercise, Weight
from memoire.graph import Graph
from memoire.impact import is_code
from memoire.impact.features import Board, Evidence, make_board, table
from memoire.impact.model import models
from memoire.impact.nearness import Near, Nearness
from memoire.impact.past import Past
from memoire.impact.reasons import Reason, Reasons
from memoire.impact.running import Running, RunningTests
from memoire.impact.testing import Testing, TestOf
from memoire.impact.vocabulary import Vocabulary
from memoire.labels import GENERATED, LOCK, MINIFIED, VENDORED, label
from memoire.linker import Linked
from memoire.model import FUNCTION_KINDS, FileFacts, FileRecord
from memoire.runs.observations import Observations
from memoire.runs.sightings import Node, Sighting, sightings

Floats = npt.NDArray[np.float64]

_UNTOUCHED = frozenset({LOCK, MINIFIED, GENERATED, VENDORED})
"""Files that no person edits as part of a change."""


MOST = 200
"""Files of one answer."""


class Change(NamedTuple):
    """What changes of one file."""

    path: str
    symbols: frozenset[str] = frozenset()
    """Definitions that change, by qualified name; empty = not known, or none."""
    resigned: frozenset[str] = frozenset()
    """Those of them whose signature changes, or that go."""
    words: bytes = b""
    """Hashes of the identifiers of the lines that change, as `memoire.identifiers` gives them; empty = not known."""


class Impacted(NamedTuple):
    """One file that a change may reach."""

    path: str
    probability: float
    """That it has to change too; in [0, 1]."""
    cause: str
    """The changed file that says most for it."""
    is_upstream: bool
    """Whether it is only used by what changes: nothing that a change reaches, and no commit ever changed both."""


class _Facts(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """`FileFacts`, of which only the identifiers are decoded."""

    language: msgspec.Raw
    sha: msgspec.Raw
    size: msgspec.Raw
    lines: msgspec.Raw
    summary: msgspec.Raw = msgspec.Raw()
    definitions: msgspec.Raw = msgspec.Raw()
    imports: msgspec.Raw = msgspec.Raw()
    uses: msgspec.Raw = msgspec.Raw()
    effects: msgspec.Raw = msgspec.Raw()
    exports: msgspec.Raw = msgspec.Raw()
    mentions: msgspec.Raw = msgspec.Raw()
    problems: msgspec.Raw = msgspec.Raw()
    words: msgspec.Raw = msgspec.Raw()
    package: msgspec.Raw = msgspec.Raw()
    attributes: msgspec.Raw = msgspec.Raw()
    selectors: msgspec.Raw = msgspec.Raw()
    identifiers: bytes = b""


_view = msgspec.msgpack.Decoder(_Facts)


class Impact:
    """Answers for one project; what is derived from all files is kept from one question to the next.

    Args:
        graph: The open edges.
        records: All files.
        facts: (path) -> the facts of a file.
        links: (path) -> its links.
        users: (path) -> the files with a reference into it.
        exercise: What each test runs.
        history: Returns the mined history as it is now.
        observations: What runs of the tests saw.
    """

    def __init__(
        self,
        graph: Graph,
        *,
        records: Mapping[str, FileRecord],
        facts: Callable[[str], FileFacts | None],
        links: Callable[[str], Linked],
        users: Callable[[str], Iterable[str]],
        exercise: Exercise,
        history: Callable[[], History],
        observations: Observations | None = None,
    ) -> None:
        self._graph = graph
        self._records = records
        self._facts = facts
        self._exercise = exercise
        self._links = links
        self._users = users
        self._history = history
        self._is_test = exercise.is_test
        self._observations = Observations(facts, links) if observations is None else observations
        self._running = RunningTests(self._observations, exercise, facts, links, users)
        self._shape = -1
        self._known: dict[str, FileRecord] = {}
        self._vocabulary = Vocabulary()
        self._past_of: History | None = None
        self._board: Board | None = None
        self._asked: tuple[Board, Change, Evidence] | None = None
        self._weights_at = -1
        self._weights_of: dict[str, Mapping[str, Weight]] = {}

    def rank(self, changes: Sequence[Change], *, most: int = MOST) -> list[Impacted]:
        """Return the files that a change of some files may reach, the likeliest first; none of those that change.

        Several changed files each give a probability; a file is spared only if all of them spare it.
        """
        board = self._refresh()
        asked = [change for change in changes if change.path in board.place]
        spared = np.ones(len(board.files))
        best = np.zeros(len(board.files))
        cause = np.zeros(len(board.files), np.int64)
        is_upstream = np.ones(len(board.files), np.bool_)
        for number, change in enumerate(asked):
            chances, upstream = self._one(board, change)
            spared *= 1.0 - chances
            cause = np.where(chances > best, number, cause)
            best = np.maximum(best, chances)
            is_upstream &= upstream
        spared[[board.place[change.path] for change in asked]] = 1.0
        order = np.lexsort((np.arange(len(spared)), spared))
        return [
            Impacted(board.files[at], float(1.0 - spared[at]), asked[cause[at]].path, bool(is_upstream[at]))
            for at in order[:most].tolist()
            if spared[at] < 1.0
        ]

    def evidence(self, change: Change) -> tuple[Board, Evidence]:
        """Return what is known of every file with regard to one that changes.

        Raises:
            KeyError: It is no file that is ranked.
        """
        board = self._refresh()
        at = board.place[change.path]
        if self._asked is not None and self._asked[0] is board and self._asked[1] == change:
            return board, self._asked[2]  # the reasons are asked for behind the ranking
        near = self._nearness(board)
        shared = self._vocabulary.shared
        known = Evidence(
            together=board.past.together(at),
            shared=shared(_identifiers(self._records[change.path])),
            near=near.of(change.path),
            alike=board.likeness.to(at),
            changed=shared(change.words) if change.words else None,
            changed_near=near.of(change.path, change.symbols) if change.symbols else None,
            resigned=near.of(change.path, change.resigned) if change.resigned else None,
        )
        self._asked = (board, change, known)
        return board, known

    def reasons(self, change: Change, others: Sequence[str]) -> dict[str, list[Reason]]:
        """Return why each of some files may be reached by a change of one, the strongest reason first."""
        if change.path not in self._refresh().place:
            return {}
        board, known = self.evidence(change)
        reasons = Reasons(board, known, change.path, self._links, change.symbols)
        return {other: reasons.of(other) for other in others if other in board.place}

    def shared_commits(self, one: str, other: str) -> list[HistoryCommit]:
        """Return the commits that touched both of two files, newest first; large ones are none."""
        return self._refresh().past.shared_commits(one, other)

    def sightings(self, test: Node, target: Node) -> list[Sighting]:
        """Return the runs that saw tests of one place execute definitions of another, the newest first."""
        return sightings(self._observations, test, target)

    def tests(self, change: Change) -> list[TestOf]:
        """Return the tests that exercise a file, or the definitions of it that change, the most telling first."""
        board = self._refresh()
        path = change.path
        tests = {
            edge.key.source
            for edge in self._graph.edges_in(path)
            if edge.key.relation == "ASSERTS_ON" and edge.key.source != path
        }
        # Further than what is asserted on: a test that may run the file by a way that nobody would call proven.
        facts = self._facts(path)
        names = [item.name for item in facts.definitions if item.kind in FUNCTION_KINDS] if facts else []
        others = [test for test in board.files if self._is_test(test) and test not in tests and test != path]
        tests |= {*self._exercise.coming_by(path, names, others)}
        wanted = self._with_members(path, change.symbols) if change.symbols else frozenset[str]()
        running: dict[str, list[Running]] = {}
        if self._observations:
            for one in self._running.observed_tests(path, wanted, tests):
                running.setdefault(one.path, []).append(one)
            tests = {test for test in tests if self._running.is_silent(test)}
        if wanted:
            reaching = {test for test in tests if self._runs(test, path, wanted)}
            tests = reaching if reaching or running else tests
        tests |= running.keys()
        together = board.past.together(board.place[path]) if path in board.place else None

        def common(_path: str, test: str) -> tuple[int, float]:
            at = board.place.get(test)
            return (0, 0.0) if together is None or at is None else (int(together.times[at]), float(together.share[at]))

        ranked = Testing(self._facts, self._links, self._weights, common).rank(path, tests)
        return [one._replace(running=tuple(running.get(one.path, ()))) for one in ranked]

    def _runs(self, test: str, path: str, symbols: frozenset[str]) -> bool:
        """Return whether a test comes by one of some definitions; True where that is not known yet."""
        if not self._exercise.is_known(test):
            self._exercise.reached(test)
        return self._exercise.runs(test, path, symbols)

    def _with_members(self, path: str, symbols: frozenset[str]) -> frozenset[str]:
        facts = self._facts(path)
        names = {item.name for item in facts.definitions} if facts else set()
        return symbols | {name for name in names if any(name.startswith(f"{symbol}.") for symbol in symbols)}

    def _weights(self, test: str) -> Mapping[str, Weight]:
        """Return how much the tests of a file exercise others; kept until the graph changes."""
        if self._weights_at != self._graph.shape:
            self._weights_of.clear()
            self._weights_at = self._graph.shape
        known = self._weights_of.get(test)
        if known is None:
            known = self._weights_of[test] = self._exercise.weights(test)
        return known

    def _one(self, board: Board, change: Change) -> tuple[Floats, npt.NDArray[np.bool_]]:
        """Return the probability of each file, and whether it is only used by the one that changes."""
        at = board.place[change.path]
        _, known = self.evidence(change)
        name = ("warm" if known.together.commits else "cold") + ("_diff" if change.words else "")
        model = models()[name]
        scores = model.score(table(board, at, known))
        others = np.delete(np.arange(len(scores)), at)
        chances = np.zeros(len(scores))
        chances[others] = model.probability(scores[others], known.together.mean_size)
        return chances, upstream(known.near) & (known.together.times == 0)

    # ---- keeping up

    def _refresh(self) -> Board:
        """Return what is known of all files now."""
        history = self._history()
        if self._board is not None and self._shape == self._graph.shape and history is self._past_of:
            return self._board
        records = self._records
        differing = [path for path, record in records.items() if self._known.get(path) is not record]
        came = [path for path in differing if path not in self._known and is_ranked(path)]
        went = [path for path in self._known if path not in records]
        board = self._board
        if board is None or came or any(path in board.place for path in went):
            board = self._rebuild(history)
        else:
            changed = {board.place[path]: _identifiers(records[path]) for path in differing if path in board.place}
            if not self._vocabulary.replace(changed):
                self._vocabulary.fill([_identifiers(records[path]) for path in board.files])
            sizes = board.sizes.copy()
            for path in differing:
                if path in board.place:
                    sizes[board.place[path]] = records[path].size
            past = board.past if history is self._past_of else Past(history.commits, board.files, is_code)
            board = board._replace(past=past, sizes=sizes)
        self._known = dict(records)
        self._shape, self._past_of, self._board = self._graph.shape, history, board
        return board

    def _rebuild(self, history: History) -> Board:
        files = sorted(path for path in self._records if is_ranked(path))
        self._vocabulary.fill([_identifiers(self._records[path]) for path in files])
        past = Past(history.commits, files, is_code)
        sizes = [self._records[path].size for path in files]
        return make_board(files, past, is_test=self._is_test, is_code=is_code, sizes=sizes)

    def _nearness(self, board: Board) -> Nearness:
        return Nearness(self._graph, lambda path: self._links(path).references, self._users, board.place)


def is_ranked(path: str) -> bool:
    """Return whether a file is one that people change for the sake of another: code that is their own."""
    return is_code(path) and label(path) not in _UNTOUCHED


def upstream(near: Near) -> npt.NDArray[np.bool_]:
    """Return of each file whether the one asked for uses it and it does not use that one."""
    uses = (near.used > 0) | (near.imported > 0) | (near.tested > 0)
    return np.asarray(uses & (near.users == 0) & (near.imports == 0) & (near.tests == 0), np.bool_)


def _identifiers(record: FileRecord) -> bytes:
    return _view.decode(record.facts).identifiers if record.facts else b""
