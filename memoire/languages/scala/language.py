"""Scala 2 and 3: suffixes, grammar, how its imports are read and resolved."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from memoire.extract.spec import Language, Syntax
from memoire.extract.suffixes import word_set
from memoire.model import FileFacts, Import, Target
from memoire.resolution import jvm
from memoire.tree import Tree

_FOLDER = str(Path(__file__).parent)
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_PART = re.compile(r"[^,{}]+(?:\{[^{}]*\})?")
_RENAMED = re.compile(r"^(\S+)\s*(?:=>|\bas\b)\s*(\S+)$")
_RESERVED = word_set(
    "abstract case catch class def do else enum export extends false final finally for given if implicit import lazy "
    "match new null object override package private protected return sealed super then this throw trait true try type "
    "val var while with yield as derives end extension infix inline opaque open transparent using _ Any AnyRef AnyVal "
    "Unit Nothing Int Long Short Byte Float Double Boolean Char String"
)
"""Source: docs.scala-lang.org/scala3/reference, "Soft keywords", and the Scala 2.13 specification, section 1.1."""
_BUILTIN = ("java.lang", "scala", "scala.Predef")
"""Source: the Scala 2.13 specification, section 9.1."""
_ROOT = "_root_."


def read_import(role: str, got: Mapping[str, str]) -> list[Import]:
    """Return the bindings of one import: several, separated by commas, each with selectors."""
    del role
    text = _COMMENT.sub(" ", got["clause"]).strip().removeprefix("import").strip()
    return [item for part in _PART.findall(text) for item in _read_part(part.strip())]


def _read_part(part: str) -> Iterator[Import]:
    path, brace, inside = part.partition("{")
    path = "".join(path.split()).removeprefix(_ROOT) if brace else " ".join(path.split()).removeprefix(_ROOT)
    if brace:
        for selector in filter(None, (each.strip() for each in inside.rstrip("}").split(","))):
            yield from _selected(path.rstrip("."), selector)
        return
    head, _, renamed = path.partition(" as ")
    package, _, last = head.replace(" ", "").rpartition(".")
    if package:
        yield from _selected(package, f"{last} as {renamed}" if renamed else last)


def _selected(package: str, selector: str) -> Iterator[Import]:
    if selector in {"_", "*", "given"} or selector.startswith("given "):
        yield Import(package, "*", "", 0)
        return
    renamed = _RENAMED.match(selector)
    name, alias = (renamed[1], renamed[2]) if renamed else (selector, selector)
    if alias != "_":
        yield Import(package, name, alias, 0)


def implicit(package: str) -> tuple[Import, ...]:
    """Return the imports that the language makes by itself.

    Args:
        package: The clauses that a file begins with, separated by spaces: what each adds sees those before it.
    """
    clauses = package.split()
    seen = tuple(".".join(clauses[: count + 1]) for count in range(len(clauses) - 1))
    outer = jvm.implicit(".".join(clauses), _BUILTIN)
    return (*outer[:-1], *(Import(each, "*", "", 1, "implicit") for each in seen), outer[-1])


def resolve(tree: Tree, path: str, specifier: str) -> Target:
    """Return what a specifier names: something of the packages that the file is in, the innermost first, or of all."""
    if specifier in {jvm.ROOT, jvm.UNNAMED}:
        return jvm.resolve(tree, path, specifier)
    for package in sorted(tree.namespaces(path), key=len, reverse=True):
        while package:
            found = jvm.known(tree, f"{package}.{specifier}")
            if found is not None:
                return found
            package = package.rpartition(".")[0]  # noqa: PLW2901 - what it lies in comes next
    return jvm.resolve(tree, path, specifier)


def _holds_tests(facts: FileFacts) -> bool:
    """Return whether a file among the tests has any itself."""
    return any(item.is_test for item in facts.definitions)


_SUFFIXES = (".scala", ".sc", ".sbt")

LANGUAGE = Language(
    name="scala",
    is_constructor=lambda name, _owner: name == "constructor",
    suffixes=_SUFFIXES,
    family=jvm.FAMILY,
    package_of=jvm.package_of,
    resolve=resolve,
    resolves_by_file=True,
    is_test=jvm.is_test,
    holds_tests=_holds_tests,
    syntax=Syntax(
        grammars=dict.fromkeys(_SUFFIXES, "tree_sitter_scala:language"),
        queries=dict.fromkeys(_SUFFIXES, ("queries.scm",)),
        folder=_FOLDER,
        read_import=read_import,
        qualify=jvm.qualify,
        effect_tables=(_FOLDER, jvm.EFFECTS),
        identifier=r"(?:`[^`\n]+`|[A-Za-z_\x80-\xff][A-Za-z0-9_\x80-\xff]*)",
        reserved=_RESERVED,
        receiver="this",
        super_name="super",
        packages_nest=True,
        implicit=implicit,
        implicit_members=True,
        extension_members="functions",
        bare_calls=True,
        capital_constants=True,
        collection=jvm.COLLECTION,
        same_items=jvm.SAME_ITEMS,
        item_calls=jvm.ITEM_CALLS,
        nothing=frozenset({"null", "", "_", "???"}),
        annotation=r"(?s)^\s*(?:=>\s*)?([A-Za-z_]\w*(?:\s*\.\s*[A-Za-z_]\w*)*?)\s*(?:\.\s*type)?\s*(?:\[.*\])?\s*$",
        name_nodes=frozenset({"identifier"}),
        attribute_nodes=frozenset({"field_expression"}),
        item_nodes=frozenset(),
        value_nodes=frozenset({"call_expression", "field_expression", "identifier", "instance_expression"}),
        call_nodes=frozenset({"call_expression", "field_expression", "instance_expression"}),
        wrappers=frozenset({"parenthesized_expression"}),
        prefixes=("new ",),
        doc_comment=r"/\*\*",
        private_marks=r"\A(?:\s*@[\w.]+(?:\([^()]*\))?|\s*[a-z]+\b)*?\s*\bprivate\s+(?!\()",
        test_names=r"(?!)",
        test_marks=r"@(?:[\w.]+\.)?Test\b|"
        r"\b(?:extends|with)\s+(?:\w+\.)*\w*(?:Suite|Spec|SpecLike|SuiteLike|SpecBase|Specification|Properties|"
        r"SpecDefault)\b",
    ),
)
