"""Says whether what sessions teach makes the rankings better, or at least not worse: commits replayed as sessions.

    python -m benchmarks.learning --mirrors DIR [--sessions 80] [--asked 60] [--ahead] OWNER/NAME...

`DIR/<owner>+<name>/repo` is a bare repository. Its main line is cut in two at 60 %; the tree is that of the cut. The
commits before it are played as sessions of an assistant: each file of a commit is looked at and edited, one a minute,
in an order drawn by a fixed seed, and so are looked at two files that its imports bind to the first (an assistant reads
more than it changes). Git tells of these commits too, as it does where somebody commits what they did; with `--ahead`
it does not, as before a commit. What differs is what was learned: access counts, and the evidence that one file was
edited soon after another.

Then the commits after those are asked about, twice: with what was learned and without.

| ranking | question | measure |
|---|---|---|
| `get_context` | nothing | share of the files of a commit that its first 20, and all its relationships name |
| `impact` | one file of a commit | reciprocal rank and recall@10 of the other files |
| `search` | what the message says | reciprocal rank and recall@10 of the files |

The interval is that of the paired difference, by resampling repositories and their questions (2,000 times).

What it gave on httpie/cli, miniflux/v2, sidekiq/sidekiq, prometheus/alertmanager, urllib3/urllib3, luarocks/luarocks,
tornadoweb/tornado, square/moshi, umami-software/umami, tokio-rs/axum, spf13/cobra and puma/puma, none of which anything
of learning was fitted to:

| | without | learned adds | `--ahead`: without | learned adds |
|---|---|---|---|---|
| `get_context`, first 20 | .429 | +.028 [-.011, +.065] | .421 | +.036 [-.003, +.075] |
| `get_context`, all | .699 | +.048 [-.008, +.130] | .699 | +.048 [-.010, +.129] |
| `impact` MRR | .538 | +.001 [+.000, +.002] | .513 | -.001 [-.003, +.000] |
| `impact` recall@10 | .662 | +.000 | .633 | +.000 |
| `search` MRR, recall@10 | .565, .712 | +.000 | .547, .692 | +.000 |

Search and impact do not ask how often a file was looked at or edited. Adding it to search's sum, at weights from 0.2 to
0.8, gave between -.010 and +.007 of MRR and +.000 to +.011 of recall@10, none of them outside their intervals.
"""

import argparse
import os
import random
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from statistics import mean
from typing import NamedTuple

import msgspec

from benchmarks.effects_score import Snapshot
from benchmarks.impact.replay import Repo, World
from benchmarks.search.queries import questions
from memoire.companions import Companions
from memoire.episodes import git
from memoire.episodes.history import History, HistoryCommit, Touched
from memoire.errors import InvalidQueryError
from memoire.impact import is_code
from memoire.impact.ranking import Change, Impact
from memoire.model import EdgeKey, Evidence, GraphDelta, Session
from memoire.operations._hubs import fold, named
from memoire.project import BINDING
from memoire.relations import session_order
from memoire.relations._spec import PACKAGE
from memoire.relations.changes_with import together
from memoire.search import Entry, SearchIndex, Surroundings
from memoire.tokens import index_words

CUT = 0.6
MOST_FILES = 8
"""Code files of a commit that is played or asked about."""
LOOKS = 2
"""Files that a session looks at beside those that it changes."""
ENTRIES, LOOKED_AT = 100, 1_500
"""Of `get_context`: its relationships, and the edges that they are folded from."""
TOP = 20
"""Of these, those that are read first."""
FIRST = 10
MINUTE = timedelta(minutes=1)


class Measured(NamedTuple):
    """The questions of one ranking about one repository: reciprocal ranks and recalls without and with learning."""

    name: str
    without: list[tuple[float, float]]
    learned: list[tuple[float, float]]


class Side:
    """One repository as it is known at the cut, with or without what its sessions taught."""

    def __init__(self, world: World, history: History, now: datetime) -> None:
        self.world = world
        self.history = history
        self.now = now
        self.take((), world.processor.lessons.know(together(history.commits, world.files, is_code)))
        processor = world.processor
        self.impact = Impact(
            world.graph,
            records=processor.records,
            facts=processor.facts,
            links=processor.links,
            users=processor.users,
            exercise=processor.exercise,
            history=lambda: history,
        )

    def take(self, learned: Iterable[Evidence], taught: Iterable[EdgeKey] = ()) -> None:
        """Take in evidence, as the daemon does."""
        processor = self.world.processor
        steps = processor.planning([], [], now=self.now, learned=learned, taught=taught)
        try:
            while True:
                next(steps)
        except StopIteration as end:
            self.world.graph.apply(end.value)
        companions = Companions(self.world.graph, processor.lessons, processor.depends)
        self.world.graph.apply(companions.delta(processor.records, self.now))

    def learn(self, sessions: Sequence[Session], accesses: dict[str, int]) -> None:
        """Take in what sessions teach."""
        found = (piece for session in sessions for piece in session_order.pieces(session))
        self.take(self.world.processor.lessons.fresh(found))
        self.world.graph.apply(GraphDelta(accesses=accesses))

    def neighbours(self, path: str) -> frozenset[str]:
        """Return the files that the graph binds to one, as search is told them."""
        graph = self.world.graph
        ends = {edge.key.target for edge in graph.edges_out(path) if edge.key.relation in BINDING}
        ends |= {edge.key.source for edge in graph.edges_in(path) if edge.key.relation in BINDING}
        return frozenset(end.partition("::")[0] for end in ends if not end.startswith(PACKAGE)) - {path}

    def shown(self, first: int) -> set[str]:
        """Return the files that the first relationships of `get_context` name."""
        folded = fold(self.world.graph.top_edges(now=self.now, limit=LOOKED_AT), ENTRIES)[:first]
        ends = {end for item in folded for end in (item.first.edge.key.source, item.first.edge.key.target)}
        ends |= {end for item in folded if item.others for end in named(item)}
        return {end.partition("::")[0] for end in ends}


def played(
    side: Side, commits: Sequence[HistoryCommit], drawing: random.Random
) -> tuple[list[Session], dict[str, int]]:
    """Return the sessions that commits are played as, and how often each file was looked at or edited in them."""
    sessions, accesses = [], dict[str, int]()
    for commit in commits:
        files = sorted(side.world.files.intersection(commit.paths))
        drawing.shuffle(files)
        beside = sorted(side.neighbours(files[0]) - set(files))
        for path in (*files, *files, *drawing.sample(beside, min(LOOKS, len(beside)))):
            accesses[path] = accesses.get(path, 0) + 1
        edits: dict[str, tuple[bytes, ...]] = {
            path: (mark(commit.at + place * MINUTE, path),) for place, path in enumerate(files)
        }
        sessions.append(Session(f"session-{commit.id}", "replay", started=commit.at, last=commit.at, edits=edits))
    return sessions, accesses


def mark(at: datetime, path: str) -> bytes:
    """Return the mark of an edit: its time in milliseconds, and something of its own."""
    return int(at.timestamp() * 1000).to_bytes(6, "big") + path.encode()[-6:]


def ranks(found: Sequence[str], wanted: set[str]) -> tuple[float, float]:
    """Return the reciprocal rank of the first that is wanted, and the share of those among the first ten."""
    first = next((1 / place for place, path in enumerate(found, start=1) if path in wanted), 0.0)
    return first, len(wanted.intersection(found[:FIRST])) / len(wanted)


def impact_of(side: Side, asked: Sequence[tuple[str, set[str]]]) -> list[tuple[float, float]]:
    """Return how well impact completes commits."""
    return [ranks([one.path for one in side.impact.rank([Change(path)])], wanted) for path, wanted in asked]


def search_of(side: Side, words: Mapping[str, str], asked: Sequence[tuple[str, set[str]]]) -> list[tuple[float, float]]:
    """Return how well search finds the files of commits by what they say."""
    processor = side.world.processor
    found = []
    with tempfile.TemporaryDirectory() as folder:
        index = SearchIndex.open(Path(folder), version="replay")
        entries = [
            Entry.of(path, record.kind, msgspec.structs.replace(facts, words=words[path]))
            for path, record in processor.records.items()
            if (facts := processor.facts(path)) is not None
        ]
        index.apply(entries, generation=1)
        index.surround(Surroundings(neighbours=side.neighbours, is_present=processor.records.__contains__))
        index.remember(side.history)
        for text, wanted in asked:
            try:
                hits = index.search(text, read=lambda _path: None, limit=50)
            except InvalidQueryError:
                hits = []
            paths = dict.fromkeys(hit.path for hit in hits if hit.kind == "file" and is_code(hit.path))
            found.append(ranks(list(paths), wanted))
        index.close()
    return found


def measured(mirrors: Path, name: str, most: int, asked: int, *, is_ahead: bool) -> Iterator[Measured]:
    """Yield what learning does to each ranking of one repository."""
    repo = Repo(mirrors, name)
    trunk = repo.trunk()
    tip = trunk[int(len(trunk) * CUT)]
    worlds = [World(repo, tip) for _ in range(2)]
    there = worlds[0].files
    words = {path: index_words(data) for path, data in Snapshot(repo.folder, tip).readable()}
    whole = repo.history(tip)
    small = [commit for commit in whole.commits if 1 <= sum(map(is_code, commit.paths)) <= MOST_FILES]
    sessions = [commit for commit in small if there.intersection(commit.paths)][:most][::-1]
    history = repo.history(git.parent(repo.root, sessions[0].id)) if is_ahead else whole
    sides = [Side(world, history, whole.commits[0].at + timedelta(hours=1)) for world in worlds]
    drawing = random.Random(name)
    sides[1].learn(*played(sides[1], sessions, drawing))

    def usable(commit: Touched | None) -> bool:
        if commit is None:
            return False
        code = [change.old_path or change.path for change in commit.changes if is_code(change.path)]
        return 1 <= len(code) <= MOST_FILES and bool(there.intersection(code))

    later = [repo.touched[sha] for sha in trunk[trunk.index(tip) + 1 :] if usable(repo.touched.get(sha))]
    coming = later[:asked]
    files = [sorted({change.old_path or change.path for change in commit.changes} & there) for commit in coming]
    shown = [[side.shown(first) for first in (TOP, ENTRIES)] for side in sides]
    share = [
        [(len(top.intersection(each)) / len(each), len(all_.intersection(each)) / len(each)) for each in files]
        for top, all_ in shown
    ]
    yield Measured("get_context", *share)
    pairs = [(drawing.choice(each), set(each)) for each in files if len(each) > 1]
    completed = [(anchor, wanted - {anchor}) for anchor, wanted in pairs]
    yield Measured("impact", *(impact_of(side, completed) for side in sides))
    ids = {commit.id for commit in coming}
    texts = [(one.text, set(one.answers)) for one in questions(repo.folder) if one.commit in ids]
    texts = [(text, wanted & there) for text, wanted in texts if wanted & there]
    yield Measured("search", *(search_of(side, words, texts) for side in sides))


def difference(found: Sequence[Measured], place: int, drawing: random.Random) -> tuple[float, float, float, float]:
    """Return the mean without learning, what learning adds, and the 95 % interval of that."""
    pairs = [
        [(before[place], after[place]) for before, after in zip(one.without, one.learned, strict=True)]
        for one in found
        if one.without
    ]
    if not pairs:
        return 0.0, 0.0, 0.0, 0.0
    drawn = sorted(
        mean(mean(after - before for before, after in drawing.choices(part, k=len(part))) for part in again)
        for again in (drawing.choices(pairs, k=len(pairs)) for _ in range(2_000))
    )
    without = mean(mean(before for before, _ in part) for part in pairs)
    return without, mean(mean(after - before for before, after in part) for part in pairs), drawn[50], drawn[-51]


def main() -> None:
    """Print each repository, then the differences over all of them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", nargs="+")
    parser.add_argument("--mirrors", type=Path, required=True)
    parser.add_argument("--sessions", type=int, default=80)
    parser.add_argument("--asked", type=int, default=60)
    parser.add_argument("--ahead", action="store_true", help="git does not tell of what the sessions did")
    arguments = parser.parse_args()
    found: dict[str, list[Measured]] = {}
    for name in arguments.repositories:
        try:
            sizes = arguments.sessions, arguments.asked
            for one in measured(arguments.mirrors, name, *sizes, is_ahead=arguments.ahead):
                found.setdefault(one.name, []).append(one)
                if one.without:
                    sides = (one.without, one.learned)
                    told = [f"{mean(pair[at] for pair in side):.3f}" for side in sides for at in (0, 1)]
                    print(f"{name:30s} {one.name:12s} {len(one.without):4d}  {' '.join(told)}", flush=True)
        except (OSError, ValueError, IndexError) as error:
            print(f"{name}: {error}", file=sys.stderr)
    drawing = random.Random(1)
    for ranking, several in found.items():
        for place, measure in enumerate(("first 20", "all") if ranking == "get_context" else ("MRR", "recall@10")):
            without, more, least, most = difference(several, place, drawing)
            print(f"{ranking:12s} {measure:10s} {without:.3f}  {more:+.4f} [{least:+.4f}, {most:+.4f}]")


if __name__ == "__main__":
    os.environ["HOME"] = tempfile.mkdtemp()  # no state of the person who measures
    main()
