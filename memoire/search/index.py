"""The search index on disk: opened whole or made anew, changed one commit at a time, asked from any thread.

Two Tantivy indexes lie in the folder (see `schema`). Every change ends with a commit of the second one, which holds
the generation: a process killed between the two commits leaves an index whose generation is older than what the first
already has, and as all changes replace whole files, doing them again does no harm.
"""

import logging
import shutil
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path

import msgspec
from tantivy import Index, IndexWriter, Query, Schema, Searcher

from memoire.episodes.history import History
from memoire.episodes.wanted import Wanted
from memoire.errors import StoreUnavailableError
from memoire.model import Event, Session
from memoire.search import ranking, snippets
from memoire.search.entry import Entry, Hit, Scope
from memoire.search.history import newest_ids
from memoire.search.meaning import Meanings, Source, vector_of
from memoire.search.query import Query as Parsed
from memoire.search.query import parse
from memoire.search.schema import (
    META_ID,
    Meta,
    clean,
    decode,
    decode_meta,
    encode_meta,
    event_document,
    file_document,
    files_schema,
    from_ms,
    part_documents,
    parts_schema,
    register,
    session_document,
    session_key,
    text_in,
    vector_in,
)
from memoire.search.soundness import is_sound
from memoire.search.surroundings import Surroundings

logger = logging.getLogger(__name__)

HEAP_BYTES = 15_000_000
"""Memory that a writer fills before it writes a segment: the least that the engine takes."""

VERIFIED = 200
"""Best candidates for a quoted phrase whose texts are read to see whether it is there exactly as quoted."""

EVERYTHING = Scope()
_WORDS = Source()
"""Words alone."""

FORMAT = 5
"""Raise it when the fields, or the terms that fill them, change: an index of another format is made anew."""


class _Shelf:
    """One Tantivy index, its writer and its newest searcher."""

    def __init__(self, folder: Path, schema: Schema, *, is_new: bool) -> None:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.schema = schema
        try:
            self._index = Index(schema, path=str(folder))
            register(self._index)
            # The default policy starts a thread that polls the folder; here every commit is our own.
            self._index.config_reader("manual")
        except ValueError as error:
            if is_new:
                raise
            # Its files are readable and whole, so they are of a version that had other fields.
            raise _DamagedError(str(error)) from error
        self._writer: IndexWriter | None = self._index.writer(HEAP_BYTES, 1)
        self.searcher: Searcher = self._index.searcher()

    @property
    def writer(self) -> IndexWriter:
        """The one writer: made again after a failure, which leaves the old one useless."""
        if self._writer is None:
            self._writer = self._index.writer(HEAP_BYTES, 1)
        return self._writer

    def commit(self) -> None:
        self.writer.commit()
        self._index.reload()
        self.searcher = self._index.searcher()

    def abandon(self) -> None:
        """Drop what was not committed, with the writer."""
        self._writer = None

    def close(self) -> None:
        if self._writer is not None:
            self._writer.wait_merging_threads()
            self._writer = None


class SearchIndex:
    """The search index of one project; made by `open`. One thread may change it while others search."""

    def __init__(self, folder: Path, version: str, files: _Shelf, parts: _Shelf, embedded: Source) -> None:
        self._folder = folder
        self._version = version
        self._files = files
        self._parts = parts
        self._lock = threading.Lock()
        self._has_files = False
        self._around = Surroundings()
        self._embedded = embedded
        self._meanings: Meanings | None = None
        self._loading = threading.Lock()
        self._generation = _read_generation(parts, version)

    @classmethod
    def open(cls, folder: Path, *, version: str, embedded: Source = _WORDS) -> "SearchIndex":
        """Return the index in `folder / "index"`.

        One that is damaged, or of another version, is removed and an empty one made, whose `generation` is -1.

        Args:
            folder: The project's state folder.
            version: Of whatever decides which terms a file gives, such as the facts version and the grammars.
            embedded: The embeddings by which files are found that say the same in other words, loaded when the first
                of them is needed.

        Raises:
            StoreUnavailableError: It is held by another process, or cannot be read or written; it is left as it is.
        """
        place = folder / "index"
        version = f"{FORMAT}.{version}" + (f" with {embedded.name}" if embedded.name else "")
        try:
            try:
                index = cls._open(place, version, embedded)
            except _DamagedError as error:
                logger.warning("search index made anew folder=%s reason=%s", place, error)
                shutil.rmtree(place)
                index = cls._open(place, version, embedded)
        except (OSError, ValueError) as error:
            raise StoreUnavailableError(str(place), _reason(error)) from error
        return index

    @classmethod
    def _open(cls, place: Path, version: str, embedded: Source) -> "SearchIndex":
        folders = [place / "files", place / "parts"]
        known = [(folder / "meta.json").exists() for folder in folders]
        if any(known) and not (all(known) and all(map(is_sound, folders))):
            raise _DamagedError("a file is missing or altered")
        files = _Shelf(folders[0], files_schema(), is_new=not any(known))
        try:
            parts = _Shelf(folders[1], parts_schema(), is_new=not any(known))
        except BaseException:
            files.close()
            raise
        index = cls(place, version, files, parts, embedded)
        if index.generation < 0 and (files.searcher.num_docs or parts.searcher.num_docs):
            index.close()
            raise _DamagedError("it is of another version")
        return index

    @property
    def generation(self) -> int:
        """The generation of the store that the index reflects; -1 for a new index, to be filled from nothing."""
        return self._generation

    @property
    def documents(self) -> int:
        """How many files and documents can be found."""
        return int(self._files.searcher.num_docs)

    def apply(
        self,
        entries: Iterable[Entry] = (),
        gone: Iterable[str] = (),
        events: Iterable[Event] = (),
        generation: int = 0,
        *,
        forgotten: Iterable[str] = (),
        sessions: Iterable[Session] = (),
    ) -> None:
        """Take in what changed: it is durable, and seen by searches, when this returns.

        Args:
            entries: New or changed files: each replaces all that is known of its path.
            gone: Paths of files that are no more.
            events: New events; one that is known by its id is replaced.
            generation: The generation of the store that the index reflects afterwards.
            forgotten: Ids of events past their retention.
            sessions: New or changed ones, each as a whole.

        Raises:
            StoreUnavailableError: It could not be written. `generation` stays as it was, and doing it again when that
                is mended makes it whole.
        """
        # Taken out of their iterators first: what goes wrong in there is no failure to write.
        taken = tuple(entries), tuple(gone), tuple(events), tuple(forgotten), tuple(sessions)
        with self._lock, self._writing():
            self._add(*taken)
            self._commit(generation)

    def add(
        self, entries: Iterable[Entry] = (), events: Iterable[Event] = (), *, sessions: Iterable[Session] = ()
    ) -> None:
        """Take in a share of a first index, without a commit: `commit` makes all shares visible.

        Raises:
            StoreUnavailableError: As `apply`; everything added since the last commit is lost.
        """
        taken = tuple(entries), (), tuple(events), (), tuple(sessions)
        with self._lock, self._writing():
            self._add(*taken)

    def clear(self) -> None:
        """Forget everything: an index that is behind the store may hold what is no more. `generation` is -1 again.

        Raises:
            StoreUnavailableError: As `apply`.
        """
        with self._lock, self._writing():
            self._files.writer.delete_all_documents()
            self._parts.writer.delete_all_documents()
            if (meanings := self._meaning()) is not None:
                meanings.clear()
            self._has_files = True
            self._generation = -1

    def commit(self, generation: int) -> None:
        """Make everything added visible, and durable.

        Raises:
            StoreUnavailableError: As `apply`; everything added since the last commit is lost.
        """
        with self._lock, self._writing():
            self._commit(generation)

    def surround(self, around: Surroundings) -> None:
        """Set what is known of the project beside the text: its past, and what binds its files to one another."""
        self._around = around

    def remember(self, history: History) -> None:
        """Set the past of the project; what binds its files stays."""
        self._around = self._around.after(history)

    def search(
        self,
        query: str,
        *,
        read: Callable[[str], str | None],
        limit: int = 10,
        offset: int = 0,
        scope: Scope = EVERYTHING,
    ) -> list[Hit]:
        """Return what the query finds, best first, of all kinds in one list.

        Args:
            query: Words, identifiers, "exact phrases", paths (`src/x.py`, `x.py:12`), qualified names; no syntax.
            read: Returns the text of a file as it is now; None where it is no more. Snippets and quoted phrases are
                looked up in it, without secrets. A hit whose file is no more still comes, with what the index knows.
            limit: How many to return.
            offset: How many to leave out before them.
            scope: What may be found.

        Raises:
            InvalidQueryError: The query holds nothing to search for, such as punctuation only.
            StoreUnavailableError: The index cannot be read.
        """
        parsed = parse(clean(query))
        pages = snippets.Pages(read)
        with self._reading():
            search = self._asking(parsed, scope, offset + limit)
            ranked = search.ranked()
        if parsed.phrases:
            likely = islice(ranked, VERIFIED)
            ranked = (one for one in likely if snippets.contains(one.stored, parsed.phrases, pages))
        return [
            _hit(one, *snippets.of(one.stored, parsed, search.weights, pages, one.line))
            for one in islice(ranked, offset, offset + limit)
        ]

    @property
    def knows_meaning(self) -> bool:
        """Whether files are found by what words mean, beside the words themselves."""
        return self._meaning() is not None

    def _asking(self, parsed: Parsed, scope: Scope, wanted: int) -> ranking.Search:
        meanings = self._meaning()
        meant = meanings.nearest(parsed.terms) if meanings is not None and parsed.terms else {}
        return ranking.Search(self._files, self._parts, parsed, scope, around=self._around, meant=meant, wanted=wanted)

    def _meaning(self) -> Meanings | None:
        """Return the vectors of all files: read when they are first needed; None where there are no embeddings."""
        if not self._embedded.name:
            return None
        with self._loading:
            if self._meanings is None:
                self._meanings = self._read_meanings()
            return self._meanings

    def _read_meanings(self) -> Meanings | None:
        found = self._embedded.load()
        if found is None:
            return None
        meanings, searcher = Meanings(found), self._files.searcher
        for _, address in searcher.search(Query.all_query(), max(searcher.num_docs, 1)).hits:
            document = searcher.doc(address)
            meanings.put(decode(document).path, vector_in(document))
        meanings.settle()
        return meanings

    def features(self, query: str) -> dict[str, dict[str, float]]:
        """Return path -> feature -> how much it speaks for the file, in [0, 1], of every file that a query may mean.

        Raises:
            InvalidQueryError: The query holds nothing to search for.
            StoreUnavailableError: The index cannot be read.
        """
        with self._reading():
            parsed = parse(clean(query))
            search = self._asking(parsed, EVERYTHING, 1)
            features, paths = search.features()
        found: dict[str, dict[str, float]] = {path: {} for path in paths.values()}
        for name, scores in features.items():
            for key, score in scores.items():
                found[paths[key]][name] = score
        return found

    def text(self, path: str) -> str | None:
        """Return the text that was given with a file whose text is kept; None for any other one.

        Raises:
            StoreUnavailableError: The index cannot be read.
        """
        with self._reading():
            searcher = self._files.searcher
            wanted = Query.term_query(self._files.schema, "path", clean(path))
            found = searcher.search(wanted, 1).hits
            return text_in(searcher.doc(found[0][1])) if found else None

    def events(self, limit: int, wanted: Wanted) -> list[str]:
        """Return the ids of at least `limit` events that may be wanted, the newest first; fewer where there are none.

        Raises:
            StoreUnavailableError: The index cannot be read.
        """
        with self._reading():
            return newest_ids(self._parts, limit, wanted)

    def close(self) -> None:
        """Let running merges end, and let go of the folder. What was added but not committed is lost."""
        with self._lock:
            self._files.close()
            self._parts.close()

    def _add(
        self,
        entries: Sequence[Entry],
        gone: Sequence[str],
        events: Sequence[Event],
        forgotten: Sequence[str],
        sessions: Sequence[Session],
    ) -> None:
        files, parts, meanings = self._files.writer, self._parts.writer, self._meaning()
        for path in map(clean, gone):
            if meanings is not None:
                meanings.put(path, b"")
            files.delete_documents_by_term("path", path)
            parts.delete_documents_by_term("path", path)
            self._has_files = True
        for entry in entries:
            path = clean(entry.path)
            files.delete_documents_by_term("path", path)
            parts.delete_documents_by_term("path", path)
            vector = b"" if meanings is None else vector_of(meanings.embedding, path, clean(entry.words))
            if meanings is not None:
                meanings.put(path, vector)
            files.add_document(file_document(entry, vector))
            for document in part_documents(entry):
                parts.add_document(document)
            self._has_files = True
        for event_id in map(clean, forgotten):
            parts.delete_documents_by_term("id", event_id)
        for event in events:
            if event.replaces:
                parts.delete_documents_by_term("id", clean(event.replaces))
            parts.delete_documents_by_term("id", clean(event.id))
            parts.add_document(event_document(event))
        for session in sessions:
            parts.delete_documents_by_term("id", session_key(session))
            parts.add_document(session_document(session))

    def _commit(self, generation: int) -> None:
        if self._has_files:
            self._files.commit()
            self._has_files = False
            if self._meanings is not None:
                self._meanings.settle()
        writer = self._parts.writer
        writer.delete_documents_by_term("id", META_ID)
        writer.add_document(encode_meta(Meta(self._version, generation)))
        self._parts.commit()
        self._generation = generation

    @contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            yield
        except ValueError as error:
            raise StoreUnavailableError(str(self._folder), _reason(error)) from error

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except BaseException as error:
            # Whatever it is, half of the entries must not slip into the next commit.
            self._files.abandon()
            self._parts.abandon()
            self._has_files = False
            if self._meanings is not None:
                self._meanings.drop()
            if isinstance(error, OSError | ValueError | RuntimeError):
                raise StoreUnavailableError(str(self._folder), _reason(error)) from error
            raise


def _hit(one: ranking.Ranked, line: int, snippet: str) -> Hit:
    stored = one.stored
    return Hit(
        kind=stored.kind,
        path=stored.path,
        name=stored.name,
        line=line,
        snippet=snippet,
        score=round(one.score, 4),
        language=stored.language,
        symbol_kind=stored.symbol_kind,
        id=stored.id,
        at=from_ms(stored.at_ms),
    )


class _DamagedError(Exception):
    """The index is to be made anew."""


def _read_generation(parts: _Shelf, version: str) -> int:
    found = parts.searcher.search(Query.term_query(parts.schema, "id", META_ID, "basic"), 1, count=False).hits
    if not found:
        return -1
    with suppress(msgspec.MsgspecError):
        meta = decode_meta(parts.searcher.doc(found[0][1]))
        if meta.version == version:
            return meta.generation
    return -1


def _reason(error: Exception) -> str:
    if "LockBusy" in str(error):
        return "another process holds it"
    return str(error).strip() or type(error).__name__
