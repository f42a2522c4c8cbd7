"""Picks what reads a file. The one way from bytes to facts; pure and total."""

import gc

from memoire.extract.documents import extract_document
from memoire.extract.engine import empty_facts, extract_code
from memoire.languages import language_of, suffix_of
from memoire.model import FileFacts, Problem


def extract(path: str, data: bytes) -> FileFacts:
    """Return the facts of one file.

    Args:
        path: Decides the language; not read.
        data: The bytes of the file, whatever they are.
    """
    language = language_of(path)
    if language is None:
        return empty_facts("", data)
    # What extraction makes has no cycles; looking for some in between costs a tenth of it.
    collecting = gc.isenabled()
    gc.disable()
    try:
        if language.syntax is not None:
            return extract_code(language, suffix_of(path), data)
        if language.kind == "document":
            return extract_document(language.name, path, data)
    except (RecursionError, MemoryError) as error:
        return empty_facts(language.name, data, Problem("too-deep", f"could not be read: {type(error).__name__}"))
    finally:
        if collecting:
            gc.enable()
    return empty_facts(language.name, data)
