"""What a change will reach: files that will have to change with it, each with a probability and its reasons."""

from memoire.languages import language_of


def is_code(path: str) -> bool:
    """Return whether a path is of a language in which programs are written: no document and no setting."""
    language = language_of(path)
    return language is not None and language.kind == "file" and not language.is_setting
