"""Short ways to the facts of a document."""

from memoire.extract.documents import extract_document
from memoire.model import FileFacts

LANGUAGES = ("markdown", "rest", "text")


def markdown(text: str | bytes, path: str = "docs/page.md") -> FileFacts:
    return extract_document("markdown", path, text.encode() if isinstance(text, str) else text)


def rest(text: str) -> FileFacts:
    return extract_document("rest", "docs/page.rst", text.encode())


def plain(text: str) -> FileFacts:
    return extract_document("text", "NOTES.txt", text.encode())


def found(facts: FileFacts) -> list[tuple[int, str, str]]:
    return [(mention.line, mention.kind, mention.text) for mention in facts.mentions]


def names(facts: FileFacts) -> list[str]:
    return [section.name for section in facts.definitions]
