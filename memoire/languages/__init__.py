"""The languages memoire reads: one folder each, one line here."""

import functools
import re
from posixpath import basename, splitext

import msgspec

from memoire.extract.spec import Language
from memoire.languages.asciidoc.language import LANGUAGE as ASCIIDOC
from memoire.languages.bundler.language import LANGUAGE as BUNDLER
from memoire.languages.c.language import LANGUAGE as C
from memoire.languages.cargo.language import LANGUAGE as CARGO
from memoire.languages.compose.language import LANGUAGE as COMPOSE
from memoire.languages.composer.language import LANGUAGE as COMPOSER
from memoire.languages.cpp.language import LANGUAGE as CPP
from memoire.languages.csharp.language import LANGUAGE as CSHARP
from memoire.languages.css.language import LANGUAGE as CSS
from memoire.languages.dart.language import LANGUAGE as DART
from memoire.languages.dockerfile.language import LANGUAGE as DOCKERFILE
from memoire.languages.dotnet.language import LANGUAGE as DOTNET
from memoire.languages.elixir.language import LANGUAGE as ELIXIR
from memoire.languages.go.language import LANGUAGE as GO
from memoire.languages.gomod.language import LANGUAGE as GOMOD
from memoire.languages.gradle.language import LANGUAGE as GRADLE
from memoire.languages.graphql.language import LANGUAGE as GRAPHQL
from memoire.languages.html.language import LANGUAGE as HTML
from memoire.languages.image.language import LANGUAGE as IMAGE
from memoire.languages.java.language import LANGUAGE as JAVA
from memoire.languages.json.language import LANGUAGE as JSON
from memoire.languages.kotlin.language import LANGUAGE as KOTLIN
from memoire.languages.lua.language import LANGUAGE as LUA
from memoire.languages.make.language import LANGUAGE as MAKE
from memoire.languages.markdown.language import LANGUAGE as MARKDOWN
from memoire.languages.maven.language import LANGUAGE as MAVEN
from memoire.languages.notebook.language import LANGUAGE as NOTEBOOK
from memoire.languages.npm.language import LANGUAGE as NPM
from memoire.languages.pdf.language import LANGUAGE as PDF
from memoire.languages.php.language import LANGUAGE as PHP
from memoire.languages.pipeline.language import LANGUAGE as PIPELINE
from memoire.languages.protobuf.language import LANGUAGE as PROTOBUF
from memoire.languages.pyproject.language import LANGUAGE as PYPROJECT
from memoire.languages.python.language import LANGUAGE as PYTHON
from memoire.languages.requirements.language import LANGUAGE as REQUIREMENTS
from memoire.languages.rest.language import LANGUAGE as REST
from memoire.languages.ruby.language import LANGUAGE as RUBY
from memoire.languages.rust.language import LANGUAGE as RUST
from memoire.languages.scala.language import LANGUAGE as SCALA
from memoire.languages.setupcfg.language import LANGUAGE as SETUPCFG
from memoire.languages.shell.language import LANGUAGE as SHELL
from memoire.languages.sql.language import LANGUAGE as SQL
from memoire.languages.svelte.language import LANGUAGE as SVELTE
from memoire.languages.svg.language import LANGUAGE as SVG
from memoire.languages.swift.language import LANGUAGE as SWIFT
from memoire.languages.terraform.language import LANGUAGE as TERRAFORM
from memoire.languages.text.language import LANGUAGE as TEXT
from memoire.languages.toml.language import LANGUAGE as TOML
from memoire.languages.typescript.language import LANGUAGE as TYPESCRIPT
from memoire.languages.vue.language import LANGUAGE as VUE
from memoire.languages.workflow.language import LANGUAGE as WORKFLOW
from memoire.languages.yaml.language import LANGUAGE as YAML

_ALL: tuple[Language, ...] = (
    ASCIIDOC,
    BUNDLER,
    C,
    CARGO,
    COMPOSE,
    COMPOSER,
    CPP,
    CSHARP,
    CSS,
    DART,
    DOCKERFILE,
    DOTNET,
    GO,
    GOMOD,
    GRADLE,
    GRAPHQL,
    HTML,
    IMAGE,
    JAVA,
    JSON,
    KOTLIN,
    LUA,
    MAKE,
    MARKDOWN,
    MAVEN,
    NOTEBOOK,
    NPM,
    PDF,
    PHP,
    PIPELINE,
    PROTOBUF,
    PYPROJECT,
    PYTHON,
    REQUIREMENTS,
    REST,
    RUBY,
    RUST,
    SCALA,
    SETUPCFG,
    SHELL,
    SQL,
    SVELTE,
    SVG,
    TERRAFORM,
    SWIFT,
    TEXT,
    TOML,
    TYPESCRIPT,
    VUE,
    WORKFLOW,
    YAML,
    ELIXIR,
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


def _expression(pattern: str) -> str:
    return re.escape(pattern).replace(r"\*\*/", "(?:.*/)?").replace(r"\*", "[^/]*")


_WITH_PATHS = tuple(language for language in LANGUAGES if language.paths)
_BY_PATH = re.compile("|".join(f"({'|'.join(map(_expression, language.paths))})" for language in _WITH_PATHS))
"""Its groups stand in the order of `_WITH_PATHS`."""
_PLACED_NAMES = re.compile("|".join(_expression(basename(path)) for language in _WITH_PATHS for path in language.paths))
"""Nearly all paths are told apart by the base name, which is shorter."""


def suffix_of(path: str) -> str:
    """Return the suffix that decides the grammar, lower case with its dot."""
    return splitext(basename(path))[1].lower()


@functools.lru_cache(maxsize=KEPT_PATHS)
def language_of(path: str) -> Language | None:
    """Return the language of a path, None where memoire reads none of it."""
    name = basename(path)
    if _PLACED_NAMES.fullmatch(name):
        placed = _BY_PATH.fullmatch(path)
        if placed is not None:
            return _WITH_PATHS[(placed.lastindex or 1) - 1]
    return _BY_NAME.get(name) or _BY_SUFFIX.get(splitext(name)[1].lower())


def title_of(path: str) -> str:
    """Return the name of the language that a path is shown by; empty where memoire reads none of it."""
    language = language_of(path)
    return language.titles.get(suffix_of(path), language.name) if language is not None else ""


@functools.lru_cache(maxsize=KEPT_PATHS)
def is_test(path: str) -> bool:
    """Return whether a file holds tests, by its language's conventions."""
    language = language_of(path)
    return language is not None and language.is_test(path)
