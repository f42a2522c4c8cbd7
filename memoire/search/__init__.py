"""Full-text search over files, documents, symbols, sections and events: derived, rebuildable, in two Tantivy indexes.

`SearchIndex` is what the daemon opens, feeds with `Entry` and `Event`, and asks. Everything in the index can be made
again from the tree and the event log, so damage is answered by removing it: `generation` is then -1.
This package is the only importer of tantivy.
"""

from memoire.search.entry import KINDS, Entry, Hit, Scope
from memoire.search.index import SearchIndex
from memoire.search.surroundings import Surroundings

__all__ = ["KINDS", "Entry", "Hit", "Scope", "SearchIndex", "Surroundings"]
