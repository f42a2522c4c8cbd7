"""SPECIFIES: a document that says what must be (a spec, decision, design) decides about the code that must do it.

Evidence: a sentence of the document that rules what it names (`memoire.relations._deciding`). A change of the document
reaches the code. What a specification merely names, shows or tells about it documents; one that was rejected or
replaced specifies nothing; and what is generated, vendored, locked or a test follows something else.
"""

from memoire.labels import label
from memoire.mentions import is_aside
from memoire.model import Claim, FileFacts, Mention
from memoire.relations._cited import Resolved, fold, is_code, well_named
from memoire.relations._deciding import decides, is_in_force

_DONE = frozenset({"migrations", "migration", "migrate", "legacy"})
"""Folders of what was once decided and is kept as it was."""


def claims(path: str, kind: str, resolved: Resolved, facts: FileFacts) -> list[Claim]:
    """Return one claim for each code file that a specifying document decides about; none for other kinds of document.

    Args:
        path: The document.
        kind: Its `memoire.mentions.document_kind`.
        resolved: Its mentions with the nodes they name.
        facts: What it says: its sections and its status.
    """
    if kind != "specifies" or not is_in_force(facts):
        return []
    named = well_named(resolved)

    def accepts(mention: Mention, target: str) -> bool:
        return target in named and is_code(mention, target) and not _follows_other(target) and decides(facts, mention)

    return fold(path, "SPECIFIES", resolved, accepts)


def _follows_other(target: str) -> bool:
    """Return whether a file follows something else than a specification, or, as a migration does, is done with it."""
    return bool(label(target)) or is_aside(target) or not _DONE.isdisjoint(target.lower().split("/")[:-1])
