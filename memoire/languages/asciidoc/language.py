"""AsciiDoc: documents. What they name is found by `memoire.extract.documents`."""

from memoire.extract.documents import extract_document
from memoire.extract.sections import Outline
from memoire.extract.spec import Language
from memoire.languages.asciidoc.blocks import read_asciidoc
from memoire.languages.asciidoc.inline import plain_asciidoc
from memoire.model import FileFacts, Problem
from memoire.resolution.links import resolve_link

_ARMOUR = "-----BEGIN PGP "
"""What a signature begins with, which has the suffix `.asc` as well. Source: RFC 9580, 6.2."""


def read(path: str, data: bytes) -> FileFacts:
    """Return the facts of one page."""
    return extract_document("asciidoc", path, data, _read_lines, plain_asciidoc)


def _read_lines(path: str, lines: list[str], outline: Outline) -> tuple[Problem, ...]:
    if lines and lines[0].startswith(_ARMOUR):
        return ()
    read_asciidoc(path, lines, outline)
    return ()


LANGUAGE = Language(
    name="asciidoc", suffixes=(".adoc", ".asciidoc", ".asc"), resolve=resolve_link, kind="document", read=read
)
