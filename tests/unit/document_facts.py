"""Short ways to the facts of a document."""

from memoire.languages import LANGUAGES as ALL
from memoire.model import FileFacts

READ = {language.name: language.read for language in ALL}
LANGUAGES = ("asciidoc", "markdown", "rest", "text")
"""Those whose bytes are their text."""
ALL_LANGUAGES = (*LANGUAGES, "image", "pdf", "svg")


def extract_document(language: str, path: str, data: bytes) -> FileFacts:
    read = READ[language]
    assert read is not None
    return read(path, data)


def markdown(text: str | bytes, path: str = "docs/page.md") -> FileFacts:
    return extract_document("markdown", path, text.encode() if isinstance(text, str) else text)


def rest(text: str) -> FileFacts:
    return extract_document("rest", "docs/page.rst", text.encode())


def plain(text: str) -> FileFacts:
    return extract_document("text", "NOTES.txt", text.encode())


def asciidoc(text: str, path: str = "docs/page.adoc") -> FileFacts:
    return extract_document("asciidoc", path, text.encode())


def svg(text: str | bytes) -> FileFacts:
    return extract_document("svg", "docs/flow.svg", text.encode() if isinstance(text, str) else text)


def found(facts: FileFacts) -> list[tuple[int, str, str]]:
    return [(mention.line, mention.kind, mention.text) for mention in facts.mentions]


def names(facts: FileFacts) -> list[str]:
    return [section.name for section in facts.definitions]
