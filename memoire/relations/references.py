"""REFERENCES between files: a command names a file that it runs or reads; a document shows a picture, or names it.

Evidence: the command in a workflow, recipe or script of a manifest, whose words are looked up by exact path or as a
module of Python; the image or link on the page. A change of the file reaches what runs or shows it. It is no cause:
neither decides how the other behaves.
"""

from memoire.mentions import IN_COMMANDS
from memoire.model import Claim
from memoire.relations._cited import Resolved, fold, is_picture


def claims(path: str, resolved: Resolved) -> list[Claim]:
    """Return one claim for each file that the commands of a file name, and each picture that a document names.

    Args:
        path: The file or document.
        resolved: Its mentions with the nodes they name.
    """
    return fold(
        path,
        "REFERENCES",
        resolved,
        lambda mention, target: mention.kind in IN_COMMANDS or is_picture(mention, target),
    )
