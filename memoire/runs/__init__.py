"""Readers of what runs of tests leave behind: one module each."""

from posixpath import basename

from memoire.runs import cobertura, coverage_db, junit_xml, lcov, recorded
from memoire.runs._spec import Reader
from memoire.runs.run import Run, UnreadableRunError

READERS: tuple[Reader, ...] = (
    recorded.READER,
    coverage_db.READER,
    cobertura.READER,
    lcov.READER,
    junit_xml.READER,
)


def readers_of(path: str, *, is_own: bool = False) -> list[Reader]:
    """Return those that may read an artefact of this name."""
    name = basename(path)
    return [reader for reader in READERS if reader.is_own == is_own and reader.is_named(name)]


def read(path: str, data: bytes, *, is_own: bool = False) -> Run:
    """Return what an artefact holds, by the first reader that can read it.

    Raises:
        UnreadableRunError: None can.
    """
    failure = UnreadableRunError("is of no kind that is known")
    for reader in readers_of(path, is_own=is_own):
        try:
            return reader.read(path, data)
        except UnreadableRunError as error:
            failure = error
    raise failure
