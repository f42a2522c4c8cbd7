"""DOCUMENTS: a README, guide or API page describes code, and goes stale when the code changes.

Evidence: a link, path or symbol on the page. A change of the code reaches the page. A specification documents what it
names without deciding about it.
"""

from collections.abc import Container

from memoire.model import Claim
from memoire.relations._cited import Resolved, fold, is_code, well_named


def claims(path: str, kind: str, resolved: Resolved, specified: Container[str] = ()) -> list[Claim]:
    """Return one claim for each code file that a page names; none for kinds of document without causes.

    Args:
        path: The document.
        kind: Its `memoire.mentions.document_kind`.
        resolved: Its mentions with the nodes they name.
        specified: Files that it specifies.
    """
    if kind == "none":
        return []
    found = fold(path, "DOCUMENTS", resolved, is_code)
    if kind == "specifies":
        named = well_named(resolved)
        found = [claim for claim in found if claim.key.target in named and claim.key.target not in specified]
    return found
