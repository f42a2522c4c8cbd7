"""reStructuredText: documents. What they name is found by `memoire.extract.documents`."""

from memoire.extract.documents import extract_document
from memoire.extract.rest import read_rest
from memoire.extract.sections import Outline
from memoire.extract.sentences import plain_rest
from memoire.extract.spec import Language
from memoire.model import FileFacts, Problem
from memoire.resolution.links import resolve_link


def read(path: str, data: bytes) -> FileFacts:
    """Return the facts of one page."""
    return extract_document("rest", path, data, _read_lines, plain_rest)


def _read_lines(path: str, lines: list[str], outline: Outline) -> tuple[Problem, ...]:
    del path
    read_rest(lines, 1, outline)
    return ()


LANGUAGE = Language(name="rest", suffixes=(".rst",), resolve=resolve_link, kind="document", read=read)
