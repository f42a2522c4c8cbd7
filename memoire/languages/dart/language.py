"""Dart: suffixes, grammar, how its imports are read."""

import re
from collections.abc import Mapping
from pathlib import Path

from memoire.extract.spec import Language, Syntax
from memoire.extract.suffixes import word_set
from memoire.languages.dart.resolution import OWN, is_barrel, is_test, library_of, resolve
from memoire.model import FileFacts, Import

_FOLDER = str(Path(__file__).parent)
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_URI = re.compile(r"""r?(['"])([^'"$\n]*)\1""")
_ALIAS = re.compile(r"\bas\s+([A-Za-z_$][\w$]*)")
_SHOW = re.compile(r"\bshow\s+([\w$\s,]+?)(?=\bhide\b|\bshow\b|;|$)")
_HIDE = re.compile(r"\bhide\s+([\w$\s,]+?)(?=\bhide\b|\bshow\b|;|$)")
_RESERVED = word_set("""
    abstract as assert async await break case catch class const continue covariant default deferred do
    dynamic else enum export extends extension external factory false final finally for Function get if implements
    import in is late library mixin new null on operator part required rethrow return sealed set static
    super switch this throw true try typedef var void while with yield _
    bool double int num Null Object Never String List Map Set Iterable Future Stream Type Symbol Record
""")
"""Source: "Keywords" of dart.dev, Dart 3.5; types of dart:core that no project replaces."""

_CALLS = frozenset({"stretch", "unary_expression", "new_expression", "const_object_expression"})


def read_import(role: str, got: Mapping[str, str]) -> tuple[Import, ...]:
    """Return the bindings of one directive: `import`, `export`, `part`, `part of`."""
    del role
    clause = _COMMENT.sub(" ", got["clause"])
    uris = [found[2] for found in _URI.finditer(clause) if found[2]]
    if not uris:
        return ()
    word = clause.split(None, 1)[0]
    if word == "part":
        if clause.split()[1] == "of":
            return (Import(uris[0], "*", "", 0, "part"),)
        return (Import(uris[0], "", "", 0),)
    names = _URI.sub(" ", clause)
    kind = "reexport" if word == "export" else "static"
    others = tuple(Import(uri, "", "", 0, "conditional") for uri in uris[1:])
    return (*_bindings(names, uris[0], kind), *others)


def _bindings(names: str, uri: str, kind: str) -> tuple[Import, ...]:
    alias = _ALIAS.search(names)
    if alias:
        return (Import(uri, "", alias[1], 0, kind),)
    shown = _SHOW.search(names)
    if shown:
        return tuple(Import(uri, name, name, 0, kind) for name in re.findall(r"[\w$]+", shown[1]))
    hidden = _HIDE.search(names)
    return (Import(uri, "*", "", 0, kind, hides=tuple(re.findall(r"[\w$]+", hidden[1])) if hidden else ()),)


def qualify(item: Import) -> str:
    """Return the qualified name that an import binds, or of its library: `http`, `dart.io`."""
    scheme, _, rest = item.specifier.partition(":")
    library = f"dart.{rest}" if scheme == "dart" else rest.partition("/")[0] if scheme == "package" else ""
    return f"{library}.{item.name}" if library and item.name and not item.is_star else library


def _holds_tests(facts: FileFacts) -> bool:
    """Return whether a file runs tests itself: those that only help them have no `main`."""
    return any(item.name == "main" for item in facts.definitions)


LANGUAGE = Language(
    name="dart",
    is_constructor=lambda name, owner: name == owner,
    suffixes=(".dart",),
    resolve=resolve,
    package_of=library_of,
    is_test=is_test,
    holds_tests=_holds_tests,
    is_barrel=is_barrel,
    resolves_by_file=True,
    passes_stars=False,
    syntax=Syntax(
        grammars={".dart": "tree_sitter_dart:language"},
        queries={".dart": ("queries.scm",)},
        folder=_FOLDER,
        read_import=read_import,
        qualify=qualify,
        effect_tables=(_FOLDER,),
        identifier=r"(?:[A-Za-z_]|\$(?=[\w$]))[A-Za-z0-9_$]*",
        reserved=_RESERVED,
        receiver="this",
        super_name="super",
        gives={"State": "widget", "ConsumerState": "widget"},
        separators=("..", "."),
        private_names="^_",
        implicit=lambda _package: (Import(OWN, "*", "", 1, "implicit"),),
        implicit_members=True,
        extension_members="blocks",
        nothing=frozenset({"null"}),
        annotation=(
            r"^[({\[,\s]*(?:(?:static|final|const|late|var|external|covariant|required|abstract|augment|get)\s+)*"
            r"(?:(?:Future|FutureOr)\s*<\s*)*(?!(?:final|var|const|late|get|void|dynamic|static)\b)"
            r"([A-Za-z_$][\w$]*(?:\s*\.\s*[A-Za-z_$][\w$]*)*)(?:<[^()]*>)?[?>\s]*(?:\bget\s*|\boperator\s*)?$"
        ),
        collection=(
            r"^[({\[,\s]*(?:(?:static|final|const|late|required|covariant|external|get)\s+)*"
            r"(?:Future<\s*)?(?:List|Iterable|Set|Stream|Queue|BuiltList)<\s*([^<>]+?)\s*>[?>\s]*(?:\bget\s*)?$"
        ),
        keeps_types=True,
        call_method="call",
        has_keywords=False,
        marks_types=True,
        attribute_nodes=frozenset({"assignable_expression"}),
        item_nodes=frozenset(),
        value_nodes=_CALLS | {"identifier", "this"},
        call_nodes=_CALLS,
        prefixes=("await ", "new ", "const "),
        doc_comment=r"///|/\*\*",
        test_names="(?!)",
    ),
)
