"""The languages memoire reads: one folder each, one line here."""

import functools
from posixpath import basename, splitext

import msgspec

from memoire.extract.spec import Language
from memoire.languages.asciidoc.language import LANGUAGE as ASCIIDOC
from memoire.languages.c.language import LANGUAGE as C
from memoire.languages.cpp.language import LANGUAGE as CPP
from memoire.languages.go.language import LANGUAGE as GO
from memoire.languages.image.language import LANGUAGE as IMAGE
from memoire.languages.java.language import LANGUAGE as JAVA
from memoire.languages.kotlin.language import LANGUAGE as KOTLIN
from memoire.languages.markdown.language import LANGUAGE as MARKDOWN
from memoire.languages.pdf.language import LANGUAGE as PDF
from memoire.languages.python.language import LANGUAGE as PYTHON
from memoire.languages.rest.language import LANGUAGE as REST
from memoire.languages.scala.language import LANGUAGE as SCALA
from memoire.languages.svg.language import LANGUAGE as SVG
from memoire.languages.text.language import LANGUAGE as TEXT
from memoire.languages.typescript.language import LANGUAGE as TYPESCRIPT

_ALL: tuple[Language, ...] = (
    ASCIIDOC,
    C,
    CPP,
    IMAGE,
    GO,
    JAVA,
    KOTLIN,
    MARKDOWN,
    PDF,
    PYTHON,
    REST,
    SCALA,
    SVG,
    TEXT,
    TYPESCRIPT,
)

_RULES = ("resolve", "member", "is_test", "holds_tests", "is_barrel", "resolves_by_file")


def _with_rules(language: Language) -> Language:
    """Return a language with the rules of the one that it follows."""
    if not language.rules_of:
        return language
    other = next(each for each in _ALL if each.name == language.rules_of)
    return msgspec.structs.replace(language, **{name: getattr(other, name) for name in _RULES})


LANGUAGES: tuple[Language, ...] = tuple(_with_rules(language) for language in _ALL)

KEPT_PATHS = 100_000
"""Paths whose language is remembered: linking asks for each many times."""

_BY_SUFFIX = {suffix: language for language in LANGUAGES for suffix in language.suffixes}
_BY_NAME = {name: language for language in LANGUAGES for name in language.filenames}


def suffix_of(path: str) -> str:
    """Return the suffix that decides the grammar, lower case with its dot."""
    return splitext(basename(path))[1].lower()


@functools.lru_cache(maxsize=KEPT_PATHS)
def language_of(path: str) -> Language | None:
    """Return the language of a path, None where memoire reads none of it."""
    return _BY_NAME.get(basename(path)) or _BY_SUFFIX.get(suffix_of(path))


def title_of(path: str) -> str:
    """Return the name of the language that a path is shown by; empty where memoire reads none of it."""
    language = language_of(path)
    return language.titles.get(suffix_of(path), language.name) if language is not None else ""


@functools.lru_cache(maxsize=KEPT_PATHS)
def is_test(path: str) -> bool:
    """Return whether a file holds tests, by its language's conventions."""
    language = language_of(path)
    return language is not None and language.is_test(path)
