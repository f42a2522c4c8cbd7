"""The two indexes' fields, and the documents that entries and events become.

Files and documents have an index of their own because relevance is relative: BM25 compares a text with the average
length and the document frequencies of *all* documents of its index, and twenty symbols of three words for each file
of a thousand would make every file look endless and every word rare. Symbols, sections and events share the other.
"""

import posixpath
from collections.abc import Iterable
from datetime import UTC, datetime
from hashlib import blake2b

import msgspec
from tantivy import Document, Filter, Index, Schema, SchemaBuilder, TextAnalyzerBuilder, Tokenizer

from memoire.episodes.sessions import NODE, prompts_of, title_of
from memoire.model import OUTLINE_KINDS, Definition, Event, Session, parse_path
from memoire.search.entry import Entry
from memoire.tokens import index_words, whole_of

SYMBOLS_LIMIT = 4000
"""Definitions of one file that become symbols: a generated file has more, and nobody looks for those by name."""

TOKENIZER = "terms"
META_ID = "\x00generation"
"""Id of the one document that says which generation the index reflects; no event has such an id."""


class Stored(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What the index keeps of a document to make a hit of it."""

    kind: str
    path: str
    name: str = ""
    line: int = 0
    end_line: int = 0
    text: str = ""
    """First sentence of a symbol's docstring; an event's summary; the prompts of a session, one a line."""
    language: str = ""
    symbol_kind: str = ""
    id: str = ""
    at_ms: int = 0


class Meta(msgspec.Struct, frozen=True, array_like=True):
    """What `META_ID` holds."""

    version: str
    generation: int


_encoder = msgspec.msgpack.Encoder()
_stored = msgspec.msgpack.Decoder(Stored)
_meta = msgspec.msgpack.Decoder(Meta)


def files_schema() -> Schema:
    """Return the fields of the index of files and documents."""
    builder = SchemaBuilder()
    builder.add_text_field("body", tokenizer_name=TOKENIZER, index_option="position")
    for name in ("wholes", "where", "names"):
        builder.add_text_field(name, tokenizer_name=TOKENIZER, index_option="freq")
    builder.add_bytes_field("text", stored=True)
    builder.add_bytes_field("vector", stored=True)
    return _shared(builder)


def parts_schema() -> Schema:
    """Return the fields of the index of symbols, sections and events."""
    builder = SchemaBuilder()
    builder.add_text_field("body", tokenizer_name=TOKENIZER, index_option="position")
    builder.add_text_field("names", tokenizer_name=TOKENIZER, index_option="freq")
    for name in ("id", "touches", "what", "session"):
        builder.add_text_field(name, tokenizer_name="raw", index_option="basic")
    return _shared(builder)


def _shared(builder: SchemaBuilder) -> Schema:
    for name in ("path", "kind", "language", "key"):
        builder.add_text_field(name, tokenizer_name="raw", index_option="basic")
    builder.add_unsigned_field("place", fast=True)
    builder.add_integer_field("at", fast=True, indexed=True)
    builder.add_bytes_field("stored", stored=True)
    return builder.build()


def register(index: Index) -> None:
    """Teach an opened index the tokenizer of its fields: terms arrive split, between blanks."""
    analyzer = TextAnalyzerBuilder(Tokenizer.whitespace()).filter(Filter.remove_long(255)).build()
    index.register_tokenizer(TOKENIZER, analyzer)


def place_of(path: str) -> int:
    """Return the number under which both indexes know a path."""
    return int.from_bytes(blake2b(path.encode("utf-8", "replace"), digest_size=8).digest(), "big")


def clean(text: str) -> str:
    """Return the text without lone surrogates, which the engine refuses."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def to_ms(at: datetime | None) -> int:
    """Return milliseconds since the epoch; 0 for None."""
    return int(at.timestamp() * 1000) if at else 0


def from_ms(at_ms: int) -> datetime | None:
    """Return the UTC time of `to_ms`; None for 0."""
    return datetime.fromtimestamp(at_ms / 1000, UTC) if at_ms else None


def encode_meta(meta: Meta) -> Document:
    """Return the document that says which generation the index reflects."""
    document = Document()
    document.add_text("id", META_ID)
    document.add_bytes("stored", _encoder.encode(meta))
    return document


def decode_meta(document: Document) -> Meta:
    """Return what `encode_meta` was given.

    Raises:
        msgspec.MsgspecError: The document says something else.
    """
    return _meta.decode(bytes(document.get_first("stored") or b""))


def decode(document: Document) -> Stored:
    """Return what the index keeps of a document."""
    return _stored.decode(bytes(document.get_first("stored") or b""))


def text_in(document: Document) -> str | None:
    """Return the text that the index keeps of a file, None where it keeps none."""
    kept = document.get_first("text")
    return None if kept is None else bytes(kept).decode("utf-8", "replace")


def vector_in(document: Document) -> bytes:
    """Return the vector that the index keeps of a file; empty where it keeps none."""
    return bytes(document.get_first("vector") or b"")


def file_document(entry: Entry, vector: bytes = b"") -> Document:
    """Return the document of the file itself, with the vector that is kept of it."""
    body, _, wholes = entry.words.partition("\n")
    stored = Stored(
        clean(entry.kind), clean(entry.path), clean(entry.summary), language=clean(entry.language), at_ms=_at(entry)
    )
    document = _begin(stored.kind, stored)
    document.add_text("body", clean(body))
    document.add_text("wholes", clean(wholes))
    document.add_text("where", _flat(entry.path))
    document.add_text("names", _flat(" ".join(map(_last, entry.definitions[:SYMBOLS_LIMIT]))))
    for key in path_keys(stored.path):
        document.add_text("key", key)
    if entry.is_kept:
        document.add_bytes("text", clean(entry.text).encode())
    if vector:
        document.add_bytes("vector", vector)
    return document


def part_documents(entry: Entry) -> Iterable[Document]:
    """Yield the documents of the symbols and sections of a file."""
    lines = entry.text.split("\n") if any(one.kind == "section" for one in entry.definitions) else []
    for definition in entry.definitions[:SYMBOLS_LIMIT]:
        if definition.kind in OUTLINE_KINDS:
            continue  # found through the file: a thousand manifests have the same keys
        if definition.kind == "section":
            yield _section(entry, definition, "\n".join(lines[definition.line - 1 : definition.end_line]))
        else:
            yield _symbol(entry, definition)


def event_document(event: Event) -> Document:
    """Return the document of an event."""
    paths = list(dict.fromkeys(clean(parse_path(entity)[0]) for entity in event.entities))
    summary, path = clean(event.summary), paths[0] if paths else ""
    at_ms = to_ms(event.at)
    document = Document()
    document.add_text("kind", "event")
    document.add_text("id", clean(event.id))
    document.add_text("what", clean(event.kind))
    if event.session:
        document.add_text("session", clean(event.session))
    document.add_text("body", _flat(summary))
    document.add_text("names", _flat(" ".join(event.entities)))
    for touched in paths:
        document.add_text("touches", touched)
    if path:
        document.add_unsigned("place", place_of(path))
    document.add_integer("at", at_ms)
    stored = Stored("event", path, clean(event.kind), text=summary, id=clean(event.id), at_ms=at_ms)
    document.add_bytes("stored", _encoder.encode(stored))
    return document


def session_document(session: Session) -> Document:
    """Return the document of a session: it is found by what was asked in it, and by the files edited."""
    node, at_ms = session_key(session), to_ms(session.last)
    asked = [" ".join(clean(prompt).split()) for _, prompt in prompts_of(session)]
    stored = Stored("session", node, clean(title_of(session)), text="\n".join(asked), id=clean(session.id), at_ms=at_ms)
    document = Document()
    document.add_text("kind", "session")
    document.add_text("id", node)
    document.add_text("body", _flat(" ".join(asked)))
    document.add_text("names", _flat(" ".join(session.edits)))
    for path in session.edits:
        document.add_text("touches", clean(path))
    for key in (node, stored.id):
        document.add_text("key", key.lower())
    document.add_unsigned("place", place_of(node))
    document.add_integer("at", at_ms)
    document.add_bytes("stored", _encoder.encode(stored))
    return document


def session_key(session: Session) -> str:
    """Return the id of a session's document: its node."""
    return clean(f"{NODE}{session.id}")


def said(name: str) -> str:
    """Return the key under which a name is found when it is said in words: `read timeout`, `readTimeout`."""
    return f"={whole_of(name)}"


def path_keys(path: str) -> list[str]:
    """Return what names a file outright: its path after a slash, every end of it, and those without the suffix."""
    lowered = path.lower()
    keys = [f"/{lowered}", said(posixpath.basename(path).partition(".")[0])]
    while lowered:
        keys.append(lowered)
        stem, dot, _ = lowered.rpartition(".")
        if dot and stem and not stem.endswith("/"):
            keys.append(stem)
        lowered = lowered.partition("/")[2]
    return list(dict.fromkeys(keys))


def _symbol(entry: Entry, definition: Definition) -> Document:
    stored = Stored(
        "symbol",
        clean(entry.path),
        clean(definition.name),
        definition.line,
        definition.end_line,
        clean(definition.doc),
        clean(entry.language),
        clean(definition.kind),
        at_ms=_at(entry),
    )
    document = _begin("symbol", stored)
    document.add_text("names", _flat(definition.name))
    document.add_text("body", index_words(clean(definition.doc)).partition("\n")[0])
    qualified = clean(definition.name).lower()
    document.add_text("key", f"{stored.path.lower()}::{qualified}")
    document.add_text("key", said(qualified.rpartition(".")[2]))
    while qualified:
        document.add_text("key", qualified)
        qualified = qualified.partition(".")[2]
    return document


def _section(entry: Entry, definition: Definition, text: str) -> Document:
    stored = Stored(
        "section",
        clean(entry.path),
        clean(definition.name),
        definition.line,
        definition.end_line,
        language=clean(entry.language),
        at_ms=_at(entry),
    )
    document = _begin("section", stored)
    document.add_text("names", _flat(definition.name))
    document.add_text("body", index_words(clean(text)).partition("\n")[0])
    document.add_text("key", stored.name.lower())
    document.add_text("key", said(stored.name))
    return document


def _begin(kind: str, stored: Stored) -> Document:
    document = Document()
    document.add_text("kind", kind)
    document.add_text("path", stored.path)
    document.add_text("language", stored.language)
    document.add_unsigned("place", place_of(stored.path))
    if stored.at_ms:
        document.add_integer("at", stored.at_ms)
    document.add_bytes("stored", _encoder.encode(stored))
    return document


def _last(definition: Definition) -> str:
    """Return the name without what it stands in: a heading may have a dot of its own."""
    return definition.name if definition.kind == "section" else definition.name.rpartition(".")[2]


def _at(entry: Entry) -> int:
    return to_ms(entry.changed_at)


def _flat(text: str) -> str:
    """Return the terms of both streams of a short text: parts, then wholes."""
    return index_words(clean(text)).replace("\n", " ")
