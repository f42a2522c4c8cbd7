"""DOCUMENTS: a README, guide or API page describes code, and goes stale when the code changes.

Evidence: a link, path or symbol on the page. A change of the code reaches the page.
"""

from memoire.model import Claim
from memoire.relations._cited import Resolved, fold, is_code


def claims(path: str, kind: str, resolved: Resolved) -> list[Claim]:
    """Return one claim for each code file that a documenting page names; none for other kinds of document.

    Args:
        path: The document.
        kind: Its `memoire.mentions.document_kind`.
        resolved: Its mentions with the nodes they name.
    """
    return fold(path, "DOCUMENTS", resolved, is_code) if kind == "documents" else []
