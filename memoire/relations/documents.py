"""DOCUMENTS: a README, guide or API page describes code, and goes stale when the code changes.

Evidence: a link, path or symbol on the page. A change of the code reaches the page.
"""

from memoire.model import Claim
from memoire.relations._cited import Resolved, fold, is_code, is_example


def claims(path: str, kind: str, resolved: Resolved) -> list[Claim]:
    """Return one claim for each code file that a documenting page names; none for other kinds of document.

    Args:
        path: The document.
        kind: Its `memoire.mentions.document_kind`.
        resolved: Its mentions with the nodes they name.
    """
    if kind == "documents":
        return fold(path, "DOCUMENTS", resolved, is_code)
    # Of a specification: what it shows in examples alone.
    found = fold(path, "DOCUMENTS", resolved, is_code) if kind == "specifies" else []
    return [claim for claim in found if is_example(claim)]
