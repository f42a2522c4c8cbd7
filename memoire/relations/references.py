"""REFERENCES between files: a document shows a picture, or names it.

Evidence: the image or link on the page. A change of the picture reaches the page, which looks different then. It is no
cause: neither decides how the other behaves.
"""

from memoire.model import Claim
from memoire.relations._cited import Resolved, fold, is_picture


def claims(path: str, resolved: Resolved) -> list[Claim]:
    """Return one claim for each picture that a document names, whatever kind of document it is.

    Args:
        path: The document.
        resolved: Its mentions with the nodes they name.
    """
    return fold(path, "REFERENCES", resolved, is_picture)
