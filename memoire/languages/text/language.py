"""Plain text, and what projects write about themselves without a suffix: documents.

What they name is found by `memoire.extract.documents`.
"""

from memoire.extract.documents import extract_document
from memoire.extract.plain_text import read_text
from memoire.extract.sections import Outline
from memoire.extract.spec import Language
from memoire.model import FileFacts, Problem
from memoire.resolution.links import resolve_link


def read(path: str, data: bytes) -> FileFacts:
    """Return the facts of one text."""
    return extract_document("text", path, data, _read_lines)


def _read_lines(path: str, lines: list[str], outline: Outline) -> tuple[Problem, ...]:
    del path
    read_text(lines, outline)
    return ()


LANGUAGE = Language(
    name="text",
    suffixes=(".txt",),
    filenames=(
        "README",
        "LICENSE",
        "LICENCE",
        "COPYING",
        "NOTICE",
        "AUTHORS",
        "CONTRIBUTORS",
        "MAINTAINERS",
        "CHANGELOG",
        "CHANGES",
        "HISTORY",
        "NEWS",
        "CONTRIBUTING",
        "INSTALL",
        "TODO",
        "THANKS",
        "SECURITY",
        "COPYRIGHT",
        "PATENTS",
        "ROADMAP",
    ),
    resolve=resolve_link,
    kind="document",
    read=read,
)
