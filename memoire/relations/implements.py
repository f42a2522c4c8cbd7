"""IMPLEMENTS: code cites the document it carries out, in a comment or docstring.

Evidence: the path of the document in the comment. A specifying document is cited to be followed; any other one only
where the sentence says so ("implements", "according to", "as described in"): "see docs/guide.md" binds nobody. A
change of the document reaches the code.
"""

import re
from collections.abc import Callable

from memoire.extract.suffixes import DOCUMENT_SUFFIXES, suffix_of
from memoire.model import Claim, Mention
from memoire.relations._cited import Resolved, fold

_BINDING = re.compile(
    r"\b(?:implement(?:s|ed|ing|ation of)?|conform(?:s|ing)?|compl(?:y|ies|iant|ying)|follow(?:s|ing|ed)?|according to|"
    r"in accordance|as (?:described|defined|specified|required|documented|per)|(?:described|documented|specified|"
    r"defined|laid out) (?:in|by)|per|must match|keep (?:in sync|this in sync)|in sync with|mirrors)\b",
    re.IGNORECASE,
)


def claims(path: str, kind_of: Callable[[str], str], resolved: Resolved) -> list[Claim]:
    """Return one claim for each document that a code file carries out.

    Args:
        path: The code file.
        kind_of: Path of a document -> its `memoire.mentions.document_kind`.
        resolved: The mentions in its comments and docstrings with the nodes they name.
    """

    def binds(mention: Mention, target: str) -> bool:
        if suffix_of(target) not in DOCUMENT_SUFFIXES:
            return False
        kind = kind_of(target)
        return kind == "specifies" or (kind == "documents" and _BINDING.search(mention.sentence) is not None)

    return fold(path, "IMPLEMENTS", resolved, binds)
