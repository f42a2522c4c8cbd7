"""Go: suffixes, grammar, how its imports are read."""

import re
from collections.abc import Mapping
from pathlib import Path

from memoire.extract.aliases import OR
from memoire.extract.spec import Language, Syntax
from memoire.languages.go.conventions import TEST, holds_tests, is_test
from memoire.languages.go.resolution import FAMILY, names_of, own, package_of, resolve
from memoire.model import Import

_FOLDER = str(Path(__file__).parent)
_MAJOR = re.compile(r"/v\d+(?=/|$)")
"""The major version in the path of a module: its packages are called the same in each."""

RESERVED = frozenset({
    "_", "break", "case", "chan", "const", "continue", "default", "defer", "else", "fallthrough", "for", "func", "go",
    "goto", "if", "import", "interface", "map", "package", "range", "return", "select", "struct", "switch", "type",
    "var", "true", "false", "nil", "iota", "any", "bool", "byte", "comparable", "complex64", "complex128", "error",
    "float32", "float64", "int", "int8", "int16", "int32", "int64", "rune", "string", "uint", "uint8", "uint16",
    "uint32", "uint64", "uintptr", "append", "cap", "complex", "imag", "len", "make", "new", "panic", "recover",
})  # fmt: skip
"""Keywords, and the predeclared names that no package gives another meaning."""


def read_import(role: str, got: Mapping[str, str]) -> Import | None:
    """Return the binding of one import; None where the path is empty."""
    del role
    path = got["from"].strip('"`')
    if not path:
        return None
    alias = got.get("alias", "")
    if alias == ".":
        return Import(path, "*", "", 0)
    if alias == "_":
        return Import(path, "", "", 0)
    return Import(path, "", alias or OR.join(names_of(path)), 0)


def qualify(item: Import) -> str:
    """Return the path of the package that an import binds, without the version of its module."""
    if item.specifier.startswith("."):
        return ""
    return _MAJOR.sub("", item.specifier)


LANGUAGE = Language(
    name="go",
    suffixes=(".go",),
    resolve=resolve,
    is_test=is_test,
    holds_tests=holds_tests,
    family=FAMILY,
    package_of=package_of,
    syntax=Syntax(
        grammars={".go": "tree_sitter_go:language"},
        queries={".go": ("queries.scm",)},
        folder=_FOLDER,
        read_import=read_import,
        qualify=qualify,
        effect_tables=(_FOLDER,),
        reserved=RESERVED,
        implicit=lambda package: (Import(own(package), "*", "", 1, "implicit"),),
        nothing=frozenset({"nil"}),
        annotation=r"^[*(\s]*(?!(?:chan|func|interface|map|struct)\b)([^\W\d]\w*(?:\.\w+)?)",
        collection=r"^\s*(?:\[[^\[\]]*\]|\.\.\.|map\[[^\[\]]*\]|(?:<-\s*)?chan\b(?:\s*<-)?)\s*(\S.*)$",
        keeps_types=True,
        shadows=True,
        has_keywords=False,
        attribute_nodes=frozenset({"selector_expression"}),
        item_nodes=frozenset({"index_expression"}),
        value_nodes=frozenset({"call_expression", "type_conversion_expression", "identifier", "selector_expression"}),
        call_nodes=frozenset({"call_expression", "type_conversion_expression"}),
        wrappers=frozenset({"parenthesized_expression"}),
        prefixes=("&", "*", "<-"),
        doc_comment=r"//(?!go:|nolint|export |line |\s*\+build)|/\*",
        test_names=r"(?!)",
        test_marks=TEST,
    ),
)
