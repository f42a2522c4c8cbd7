"""What operations may ask of an open project: its files as they are on disk, its index, where it stands."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from datetime import datetime
from hashlib import sha256
from pathlib import Path

from memoire import paths, scan
from memoire.config import Settings
from memoire.episodes import git
from memoire.episodes.git_lines import changed_lines
from memoire.episodes.redact import redact
from memoire.errors import StoreUnavailableError
from memoire.extract.guards import decode
from memoire.graph import Graph
from memoire.ignore import Ignore
from memoire.impact.ranking import Impact
from memoire.languages import language_of
from memoire.memory import AsOf, Memory, Source
from memoire.model import Evidence, Problem
from memoire.notes.anchors import World
from memoire.notes.keeper import Keeper
from memoire.notes.verdicts import Verdicts
from memoire.processor import Processor
from memoire.relations._spec import PACKAGE
from memoire.search import Hit, Scope, SearchIndex
from memoire.store.records import Store
from memoire.timeline import Timeline

GIT_S = 0.1
"""How long an answer waits for what git says of the work tree: with 50,000 files it takes seconds."""

MOST_NAMED = 50
"""Definitions of one name among which one is looked for that is not where it was: of more nobody can tell which."""


class Uncommitted:
    """Knows which files differ from the last commit, without asking git when nothing has changed since.

    Args:
        root: The project.
        generation: Returns a number that rises with every save.
    """

    def __init__(self, root: Path, generation: Callable[[], int]) -> None:
        self._root = root
        self._generation = generation
        self._known: frozenset[str] = frozenset()
        self._at: object = None
        self._asking: asyncio.Task[frozenset[str]] | None = None

    async def ask(self) -> frozenset[str]:
        """Return the files; where git takes longer than `GIT_S`, those that differed when it was asked before."""
        own = git.own_dir(self._root)
        now = (self._generation(), git.head(self._root).commit, git.stamp(own / "index") if own else None)
        if now != self._at:
            if self._asking is None or self._asking.done():
                self._asking = asyncio.create_task(asyncio.to_thread(git.uncommitted, self._root))
            with suppress(TimeoutError):
                async with asyncio.timeout(GIT_S):
                    self._known = await asyncio.shield(self._asking)
                    self._at = now
        return self._known


class Answers:
    """Reads for one project."""

    def __init__(
        self,
        root: Path,
        settings: Settings,
        processor: Processor,
        index: SearchIndex,
        ignore: Ignore,
        impact: Impact,
    ) -> None:
        self._root = root
        self._settings = settings
        self._processor = processor
        self._index = index
        self._ignore = ignore
        self._impact = impact

    def memory(
        self,
        *,
        graph: Graph,
        store: Store,
        settle: Callable[[float], Awaitable[Sequence[str]]],
        record_access: Callable[[str], None],
        state: Callable[[Evidence], Awaitable[None]],
        notes: Keeper,
        verdicts: Verdicts,
        now: Callable[[], datetime],
    ) -> Memory:
        """Return what operations are given."""

        def as_of() -> AsOf:
            head = git.head(self._root)
            return AsOf(generation=store.generation, commit=head.commit[:12], branch=head.branch)

        return Memory(
            root=str(self._root),
            project_id=paths.project_id(self._root),
            settings=self._settings,
            graph=graph,
            tree=self._processor.tree,
            facts=self._processor.facts,
            symbol_relations=self._processor.symbols.relations,
            relations_from=self._processor.symbols.relations_from,
            search=self.search,
            knows_meaning=lambda: self._index.knows_meaning,
            events=Timeline(store, self._index).events,
            sessions=store.sessions,
            impact=self._impact,
            notes=notes,
            verdicts=verdicts,
            renamed=verdicts.world.renamed,
            uncommitted=Uncommitted(self._root, lambda: store.generation).ask,
            changed_lines=lambda which, commit: changed_lines(self._root, which, commit),
            closed_edges=store.closed_edges,
            evidence=self._processor.lessons.between,
            state=state,
            as_of=as_of,
            settle=settle,
            read_text=self.read_text,
            redact=redact,
            absence=self.absence,
            record_access=record_access,
            now=now,
        )

    def world(self, graph: Graph, renamed: Callable[[str], str]) -> World:
        """Return the project as what notes are about sees it."""
        processor = self._processor

        def text(path: str) -> str | None:
            source = self.read_text(path)
            return None if source is None else source.text

        def named(name: str) -> list[str]:
            files = processor.tree.named(name)
            return list(files) or processor.citing.defined(name)[:MOST_NAMED]

        def callees(node: str) -> list[str]:
            return [item.target for item in processor.symbols.relations_from(node) if item.relation == "CALLS"]

        return World(
            facts=processor.facts,
            text=text,
            is_file=processor.tree.__contains__,
            is_dir=processor.tree.is_dir,
            is_package=lambda name: bool(graph.edges_in(f"{PACKAGE}{name}")),
            named=named,
            callees=callees,
            renamed=renamed,
        )

    def search(
        self, query: str, *, limit: int, offset: int, kinds: Sequence[str], prefix: str, language: str
    ) -> list[Hit]:
        """Return a page of hits, best first, with snippets of the files as they are now."""
        scope = Scope(kinds=frozenset(kinds), prefix=prefix, language=language)
        return self._index.search(query, read=self._text, limit=limit, offset=offset, scope=scope)

    def read_text(self, path: str) -> Source | None:
        """Return the text of a file as it is on disk now; None where it is gone, no text, too large or secret."""
        if path not in self._processor.records:
            return None
        data = scan.read_file(self._root, path, self._settings.max_file_kb * 1024)
        if isinstance(data, Problem):
            return None
        digest = sha256(data).hexdigest()
        language = language_of(path)
        if language is not None and language.text is not None:
            read = self._kept(path) if language.is_isolated else language.text(path, data)
            return None if read is None else Source(read, digest)
        text, problem = decode(data)
        if problem is not None and problem.code == "binary":
            return None
        return Source(text.decode("utf-8", "replace"), digest)

    def _kept(self, path: str) -> str | None:
        """Return the text that the index keeps of a document which cannot be read here."""
        try:
            return self._index.text(path)
        except StoreUnavailableError:
            return None

    def absence(self, path: str) -> str:
        """Return why a path on disk is no file of the project; empty where it is not there."""
        entry = scan.look(self._root, path)
        is_folder = entry is None and (self._root / path).is_dir()
        if entry is None and not is_folder:
            return ""
        if self._ignore.is_ignored(path, is_dir=is_folder):
            repository = self._repository_of(path)
            return f"{repository}/ is a repository of its own" if repository else "it is left out by an ignore rule"
        return "" if is_folder else "it is not taken in yet"

    def _repository_of(self, path: str) -> str:
        """Return the folder below the root, the outermost, that is another repository; empty where there is none."""
        parts = path.split("/")
        folders = ("/".join(parts[:count]) for count in range(1, len(parts) + 1))
        return next((folder for folder in folders if (self._root / folder / ".git").exists()), "")

    def _text(self, path: str) -> str | None:
        source = self.read_text(path)
        return source.text if source else None
