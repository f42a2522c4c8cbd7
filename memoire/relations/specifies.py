"""SPECIFIES: a document that says what must be (a spec, decision, design) names the code that must do it.

Evidence: a link, path or symbol in a sentence of the document. A change of the document reaches the code. What only an
example in it uses is shown, not specified; and what is generated follows its source.
"""

from memoire.labels import GENERATED, label
from memoire.model import Claim, parse_path
from memoire.relations._cited import Resolved, fold, is_code, is_example


def claims(path: str, kind: str, resolved: Resolved) -> list[Claim]:
    """Return one claim for each code file that a specifying document names; none for other kinds of document.

    Args:
        path: The document.
        kind: Its `memoire.mentions.document_kind`.
        resolved: Its mentions with the nodes they name.
    """
    if kind != "specifies":
        return []
    found = fold(path, "SPECIFIES", resolved, is_code)
    return [claim for claim in found if not is_example(claim) and label(parse_path(claim.key.target)[0]) != GENERATED]
