"""Reads one file of a project into facts and index words: what a worker process does."""

from hashlib import sha256

import msgspec

from memoire import paths, scan
from memoire.dispatch import extract
from memoire.episodes.redact import redact
from memoire.extract.engine import empty_facts
from memoire.extract.guards import decode
from memoire.extract.spec import Language
from memoire.identifiers import identifier_hashes
from memoire.labels import LOCK, MINIFIED, label
from memoire.languages import language_of, title_of
from memoire.model import FileFacts, Problem
from memoire.tokens import index_words


class Reading(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One file as it was read."""

    path: str
    facts: FileFacts
    mtime_ns: int = 0
    text: str = ""
    """The redacted content of a document, which is indexed section by section."""
    is_gone: bool = False
    stamp_ns: int = 0
    """As in `scan.Entry`."""


def read_one(root: paths.AnyPath, path: str, max_bytes: int, quarantined: frozenset[str] = frozenset()) -> Reading:
    """Return the reading of one file. Never raises for what a file may hold.

    Args:
        root: Real path of the project.
        path: Relative to it.
        max_bytes: A larger file is not read.
        quarantined: SHA-256 of contents that are known to end their reader: these are not looked into.
    """
    name = title_of(path)
    # Time first: a write that comes between is seen as a newer time later, not missed.
    entry = scan.look(root, path)
    data = scan.read_file(root, path, max_bytes)
    mtime_ns, stamp_ns = (entry.mtime_ns, entry.stamp_ns) if entry else (0, 0)
    if isinstance(data, Problem):
        if data is scan.GONE:
            return Reading(path, empty_facts(name, b""), is_gone=True)
        return Reading(path, _unread(name, entry.size if entry else 0, data), mtime_ns, stamp_ns=stamp_ns)
    if label(path) in {LOCK, MINIFIED}:
        facts, text = empty_facts(name, data), ""
    elif quarantined and sha256(data).hexdigest() in quarantined:
        facts, text = crashed(path, data), ""
    else:
        facts, text = _read(path, data)
    return Reading(path, facts, mtime_ns, text, stamp_ns=stamp_ns)


def crashed(path: str, data: bytes, why: str = "its reader ended or took too long") -> FileFacts:
    """Return the facts of a file that no reader can read: it is known by name only until its content changes."""
    return empty_facts(title_of(path), data, Problem("crashed", f"{why}; known by name only"))


def _read(path: str, data: bytes) -> tuple[FileFacts, str]:
    """Return the facts of a file, and its redacted text where it is a document."""
    try:
        facts = _without_secrets(extract(path, data))
        text, words = _searched(language_of(path), path, data, facts)
    except Exception as error:  # noqa: BLE001 - boundary: one file
        # Its message may quote the file.
        return crashed(path, data, f"its reader failed with {type(error).__name__}{_place(error)}"), ""
    if not words:
        return facts, text
    return msgspec.structs.replace(facts, words=words, identifiers=identifier_hashes(data)), text


def _searched(language: Language | None, path: str, data: bytes, facts: FileFacts) -> tuple[str, str]:
    """Return (redacted content of a document, words for the index); both are empty where nothing can be read."""
    is_document = language is not None and language.kind == "document"
    if language is not None and language.text is not None:
        text = redact(language.text(path, data))
        return text if is_document else "", index_words(text) if text else ""
    if not _is_text(data, facts):
        return "", ""
    text = redact(data.decode("utf-8", "replace")) if is_document or language is None else ""
    return text if is_document else "", index_words(text or data, None if text else redact)


def _place(error: BaseException) -> str:
    """Return where an error was raised: of use to those who mend the reader."""
    at = error.__traceback__
    while at is not None and at.tb_next is not None:
        at = at.tb_next
    return f" at {at.tb_frame.f_globals.get('__name__', '')}:{at.tb_lineno}" if at is not None else ""


def read_config(root: paths.AnyPath, max_bytes: int, path: str) -> bytes | None:
    """Return the bytes of a configuration file of the project; None where it cannot be read."""
    data = scan.read_file(root, path, max_bytes)
    return None if isinstance(data, Problem) else data


def _without_secrets(facts: FileFacts) -> FileFacts:
    """Return the facts with what looks like a secret taken out of every sentence they quote."""
    texts = [facts.summary, *(item.doc for item in facts.definitions), *(item.sentence for item in facts.mentions)]
    joined = "\n".join(text.replace("\n", " ") for text in texts)
    clean = redact(joined)
    if clean == joined:
        return facts
    lines = clean.split("\n")
    if len(lines) != len(texts):  # a mask that spans lines: each is looked at by itself
        lines = [redact(text) for text in texts]
    docs = lines[1 : 1 + len(facts.definitions)]
    sentences = lines[1 + len(facts.definitions) :]
    return msgspec.structs.replace(
        facts,
        summary=lines[0],
        definitions=tuple(
            msgspec.structs.replace(item, doc=doc) for item, doc in zip(facts.definitions, docs, strict=True)
        ),
        mentions=tuple(
            msgspec.structs.replace(item, sentence=text) for item, text in zip(facts.mentions, sentences, strict=True)
        ),
    )


def _unread(language: str, size: int, problem: Problem) -> FileFacts:
    """Return the facts of a file whose content is not known: no hash, so that a later reading counts as new."""
    return FileFacts(language, "", size, 0, problems=(problem,))


def _is_text(data: bytes, facts: FileFacts) -> bool:
    """Return whether the words of a file are worth searching for."""
    if any(problem.code in {"binary", "minified", "too-large"} for problem in facts.problems):
        return False
    head = data[:8192]
    if not facts.language and b"\0" in head:
        return False  # nothing says that it is source: what git calls binary
    _, problem = decode(head)
    return problem is None or problem.code != "binary"
