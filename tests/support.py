"""A project in memory, through the real extraction, linking and relations: what most tests speak to."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from memoire.dispatch import extract
from memoire.graph import Graph
from memoire.model import Edge, EdgeKey, Event, FileChange, GraphDelta
from memoire.processor import Processor

NOW = datetime(2026, 5, 18, 10, 23, tzinfo=UTC)


class Linked:
    """Files that were taken in, and what may be asked of them."""

    def __init__(self, files: Mapping[str, str | bytes]) -> None:
        self.graph = Graph()
        self.files: dict[str, bytes] = {}
        self.processor = Processor(self.graph, self.files.get)
        self.now = NOW
        self.save(files)

    def save(
        self, files: Mapping[str, str | bytes], gone: tuple[str, ...] = (), moved: Mapping[str, str] | None = None
    ) -> GraphDelta:
        """Take in files that are new or were saved, and files that are gone; return what that changed."""
        self.now += timedelta(seconds=1)
        for path in gone:
            del self.files[path]
        texts = {path: text.encode() if isinstance(text, str) else text for path, text in files.items()}
        self.files |= texts
        changes = [FileChange(path, extract(path, data), 0, self.now) for path, data in texts.items()]
        delta = self.processor.plan(changes, gone, now=self.now, events=self._no_events(), moved=moved)
        self.graph.apply(delta)
        return delta

    def edges(self, relation: str) -> set[tuple[str, str]]:
        """The (source, target) of every open edge of a relation."""
        return {(edge.key.source, edge.key.target) for edge in self.graph.edges() if edge.key.relation == relation}

    def edge(self, source: str, relation: str, target: str) -> Edge:
        """The open edge of this key."""
        found = self.graph.edge(EdgeKey(source, relation, target))
        assert found is not None, f"no {relation} from {source} to {target}"
        return found

    def symbols(self, relation: str) -> set[tuple[str, str]]:
        """The (source, target) of every symbol-level relation."""
        return {
            (item.source, item.target)
            for path in self.processor.records
            for item in self.processor.symbols.relations(path)
            if item.relation == relation
        }

    def _no_events(self) -> tuple[Event, ...]:
        return ()
