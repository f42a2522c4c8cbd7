"""The languages memoire reads: one folder each, one line here.

A language's module is loaded when a file of it is met. Which files those are says `files.json`, which
`python -m memoire.daemon.bake` writes from the modules; a test holds it equal to them.
"""

import functools
import re
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from posixpath import basename, splitext
from typing import overload

import msgspec

from memoire.extract.spec import Language

_NAMES = (
    "asciidoc",
    "bundler",
    "c",
    "cargo",
    "compose",
    "composer",
    "cpp",
    "csharp",
    "css",
    "dart",
    "dockerfile",
    "dotnet",
    "go",
    "gomod",
    "gradle",
    "graphql",
    "html",
    "image",
    "java",
    "json",
    "kotlin",
    "lua",
    "make",
    "markdown",
    "maven",
    "notebook",
    "npm",
    "pdf",
    "php",
    "pipeline",
    "protobuf",
    "pyproject",
    "python",
    "requirements",
    "rest",
    "ruby",
    "rust",
    "scala",
    "setupcfg",
    "shell",
    "sql",
    "svelte",
    "svg",
    "terraform",
    "swift",
    "text",
    "toml",
    "typescript",
    "vue",
    "workflow",
    "yaml",
    "elixir",
)
"""The folders, which are called as the languages are; where two claim a suffix or a name, the later one has it."""

FILES_FILE = Path(__file__).parent / "files.json"

_RULES = ("resolve", "member", "is_test", "holds_tests", "is_constructor", "is_barrel", "resolves_by_file")


class Files(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is known of a language while its module is not loaded; the fields are those of `Language`."""

    suffixes: tuple[str, ...] = ()
    filenames: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    titles: Mapping[str, str] = {}
    grammars: tuple[str, ...] = ()
    """The packages of its grammars."""


@functools.cache
def load(name: str) -> Language:
    """Return the language of a name of `_NAMES`, with the rules of the one that it follows."""
    language = import_module(f"memoire.languages.{name}.language").LANGUAGE
    assert isinstance(language, Language)
    if not language.rules_of:
        return language
    other = load(language.rules_of)
    return msgspec.structs.replace(language, **{rule: getattr(other, rule) for rule in _RULES})


class _Languages(Sequence[Language]):
    """All languages, each loaded when it is asked for."""

    @overload
    def __getitem__(self, at: int) -> Language: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Language, ...]: ...
    def __getitem__(self, at: int | slice) -> Language | tuple[Language, ...]:
        """Return one language by its place, or several."""
        return load(_NAMES[at]) if isinstance(at, int) else tuple(map(load, _NAMES[at]))

    def __len__(self) -> int:
        """Return how many there are."""
        return len(_NAMES)


LANGUAGES = _Languages()


def files_of(language: Language) -> Files:
    """Return what `files.json` has of a language."""
    grammars = language.syntax.grammars.values() if language.syntax is not None else ()
    return Files(
        language.suffixes,
        language.filenames,
        language.paths,
        language.titles,
        tuple(sorted({grammar.partition(":")[0] for grammar in grammars})),
    )


FILES = msgspec.json.decode(FILES_FILE.read_bytes(), type=dict[str, Files])
"""By the name of the language, in the order of `_NAMES`."""

KEPT_PATHS = 100_000
"""Paths whose language is remembered: linking asks for each many times."""

_BY_SUFFIX = {suffix: name for name, files in FILES.items() for suffix in files.suffixes}
_BY_NAME = {filename: name for name, files in FILES.items() for filename in files.filenames}


def _expression(pattern: str) -> str:
    return re.escape(pattern).replace(r"\*\*/", "(?:.*/)?").replace(r"\*", "[^/]*")


_WITH_PATHS = tuple(name for name, files in FILES.items() if files.paths)
_BY_PATH = re.compile("|".join(f"({'|'.join(map(_expression, FILES[name].paths))})" for name in _WITH_PATHS))
"""Its groups stand in the order of `_WITH_PATHS`."""
_PLACED_NAMES = re.compile("|".join(_expression(basename(path)) for name in _WITH_PATHS for path in FILES[name].paths))
"""Nearly all paths are told apart by the base name, which is shorter."""


def suffix_of(path: str) -> str:
    """Return the suffix that decides the grammar, lower case with its dot."""
    return splitext(basename(path))[1].lower()


@functools.lru_cache(maxsize=KEPT_PATHS)
def language_of(path: str) -> Language | None:
    """Return the language of a path, None where memoire reads none of it."""
    name = _name_of(path)
    return load(name) if name else None


def _name_of(path: str) -> str:
    name = basename(path)
    if _PLACED_NAMES.fullmatch(name):
        placed = _BY_PATH.fullmatch(path)
        if placed is not None:
            return _WITH_PATHS[(placed.lastindex or 1) - 1]
    return _BY_NAME.get(name) or _BY_SUFFIX.get(splitext(name)[1].lower(), "")


def title_of(path: str) -> str:
    """Return the name of the language that a path is shown by; empty where memoire reads none of it."""
    name = _name_of(path)
    return FILES[name].titles.get(suffix_of(path), name) if name else ""


@functools.lru_cache(maxsize=KEPT_PATHS)
def is_test(path: str) -> bool:
    """Return whether a file holds tests, by its language's conventions."""
    language = language_of(path)
    return language is not None and language.is_test(path)
