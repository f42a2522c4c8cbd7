"""Notes that leave memoire and come back, and what others wrote down before: one reader for each form. Pure.

`read` says what a file holds, whatever wrote it; what is to become of that in a project is for `operations`.
"""

from memoire.notes.exchange import decisions, markdown_notes, memory_pages, rules, systems
from memoire.notes.exchange._entry import Entry, Read, Trouble

FORMATS = ("memoire", "decisions", "rules", "memory-pages", "json")
"""What a file can be taken for, where its name and content do not say."""
SUFFIXES = (".md", ".markdown", ".mdc", ".html", ".htm", ".json", ".jsonl", ".ndjson", ".txt")
"""Of files that may hold notes; files of rules have names of their own."""


def is_candidate(path: str) -> bool:
    """Return whether a file may hold notes, by its name."""
    return path.lower().endswith(SUFFIXES) or rules.is_rules(path)


def read(text: str, source: str, form: str = "") -> Read:
    """Return the entries of a file.

    Args:
        text: What it says.
        source: The file, relative to the project where it lies in it.
        form: One of `FORMATS`, where the caller knows; empty: it is found out.
    """
    match form or form_of(text, source):
        case "json":
            return systems.read_json(text, source)
        case "memory-pages":
            return memory_pages.read_page(text, source)
        case "decisions":
            return decisions.read_decision(text, source)
        case "rules":
            return rules.read_rules(text, source)
        case "memoire":
            is_lines = source.endswith((".jsonl", ".json", ".ndjson"))
            return systems.read_json(text, source) if is_lines else markdown_notes.read_note(text, source)
        case _:
            return Read("", (), (Trouble(source, 0, "it is no form of notes that is known; name one with --format"),))


def form_of(text: str, source: str) -> str:
    """Return which of `FORMATS` a file is, by its name and content; empty where it is none."""
    lower = source.lower()
    if lower.endswith((".json", ".jsonl", ".ndjson")):
        return "json"
    if memory_pages.is_page(text):
        return "memory-pages"
    if markdown_notes.is_ours(text):
        return "memoire"
    if rules.is_rules(source):
        return "rules"
    return "decisions" if decisions.is_decision(source, text) else ""


__all__ = ["FORMATS", "SUFFIXES", "Entry", "Read", "Trouble", "form_of", "is_candidate", "read"]
