"""SPECIFIES: a document that says what must be (a spec, decision, design) names the code that must do it.

Evidence: a link, path or symbol in the document. A change of the document reaches the code.
"""

from memoire.model import Claim
from memoire.relations._cited import Resolved, fold, is_code


def claims(path: str, kind: str, resolved: Resolved) -> list[Claim]:
    """Return one claim for each code file that a specifying document names; none for other kinds of document.

    Args:
        path: The document.
        kind: Its `memoire.mentions.document_kind`.
        resolved: Its mentions with the nodes they name.
    """
    return fold(path, "SPECIFIES", resolved, is_code) if kind == "specifies" else []
