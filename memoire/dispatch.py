"""Picks what reads a file. The one way from bytes to facts; pure and total."""

import gc

import msgspec

from memoire.extract.engine import empty_facts, extract_code
from memoire.extract.spec import Language
from memoire.languages import language_of, suffix_of, title_of
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
    suffix = suffix_of(path)
    other = language.reads_as[suffix](data) if suffix in language.reads_as else ""
    if other and other != suffix:
        return extract(f"file{other}", data)
    # What extraction makes has no cycles; looking for some in between costs a tenth of it.
    collecting = gc.isenabled()
    gc.disable()
    try:
        facts = _extract(language, path, data)
        title = title_of(path)
        return facts if facts.language == title else msgspec.structs.replace(facts, language=title)
    except (RecursionError, MemoryError) as error:
        return empty_facts(title_of(path), data, Problem("too-deep", f"could not be read: {type(error).__name__}"))
    finally:
        if collecting:
            gc.enable()


def _extract(language: Language, path: str, data: bytes) -> FileFacts:
    if language.syntax is not None:
        return extract_code(language, suffix_of(path), data)
    if language.read is not None:
        return language.read(path, data)
    if language.script is not None:
        return _extract_script(language, path, data)
    return empty_facts(language.name, data)


def _extract_script(language: Language, path: str, data: bytes) -> FileFacts:
    """Return the facts of the code that a file of another kind holds, as those of the file."""
    assert language.script is not None
    whole = empty_facts(language.name, data)
    script = language.script(path, data)
    if isinstance(script, Problem):
        return msgspec.structs.replace(whole, problems=(script,))
    if script is None:
        return whole
    facts = extract(f"script{script.suffix}", script.source)
    return msgspec.structs.replace(
        facts, language=whole.language, sha=whole.sha, size=whole.size, lines=max(whole.lines, facts.lines)
    )
