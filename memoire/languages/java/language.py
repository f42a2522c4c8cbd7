"""Java: suffixes, grammar, how its imports are read."""

import functools
import re
from collections.abc import Mapping
from pathlib import Path

from memoire.extract.spec import Language, Syntax
from memoire.extract.suffixes import word_set
from memoire.model import FileFacts, Import
from memoire.resolution import jvm

_FOLDER = str(Path(__file__).parent)
_IMPORT = re.compile(r"import\s+(?:static\s+)?([\w$\x80-\U0010ffff]+(?:\s*\.\s*[\w$\x80-\U0010ffff]+)*)(\s*\.\s*\*)?")
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_RESERVED = word_set(
    "abstract assert boolean break byte case catch char class const continue default do double else enum extends final "
    "finally float for goto if implements import instanceof int interface long native new package private protected "
    "public return short static strictfp super switch synchronized this throw throws transient try void volatile while "
    "true false null var yield record sealed permits non when _"
)
"""Source: The Java Language Specification, Java SE 21, section 3.9."""


def read_import(role: str, got: Mapping[str, str]) -> Import | None:
    """Return the binding of one import."""
    del role
    found = _IMPORT.match(_COMMENT.sub(" ", got["clause"]))
    if not found:
        return None
    name = "".join(found[1].split())
    if found[2]:
        return Import(name, "*", "", 0)
    package, _, last = name.rpartition(".")
    return Import(package, last, last, 0) if package else None


def _holds_tests(facts: FileFacts) -> bool:
    """Return whether a file among the tests has any itself."""
    return any(item.is_test for item in facts.definitions)


LANGUAGE = Language(
    name="java",
    is_constructor=lambda name, _owner: name == "constructor",
    suffixes=(".java",),
    family=jvm.FAMILY,
    package_of=jvm.package_of,
    resolve=jvm.resolve,
    other_names=jvm.properties,
    is_test=jvm.is_test,
    holds_tests=_holds_tests,
    syntax=Syntax(
        grammars={".java": "tree_sitter_java:language"},
        queries={".java": ("queries.scm",)},
        folder=_FOLDER,
        read_import=read_import,
        qualify=jvm.qualify,
        effect_tables=(_FOLDER, jvm.EFFECTS),
        identifier=r"[A-Za-z_$\x80-\xff][A-Za-z0-9_$\x80-\xff]*",
        reserved=_RESERVED,
        receiver="this",
        super_name="super",
        separators=(".", "::"),
        implicit=functools.partial(jvm.implicit, builtin=("java.lang",)),
        implicit_members=True,
        calls_apart=True,
        collection=jvm.COLLECTION,
        same_items=jvm.SAME_ITEMS,
        item_calls=jvm.ITEM_CALLS,
        nothing=frozenset({"null"}),
        annotation=r"(?s)^\s*([A-Za-z_$][\w$]*(?:\s*\.\s*[A-Za-z_$][\w$]*)*)\s*(?:<.*>)?\s*$",
        attribute_nodes=frozenset({"field_access"}),
        item_nodes=frozenset({"array_access"}),
        value_nodes=frozenset(
            {"method_invocation", "object_creation_expression", "identifier", "field_access", "this"}
        ),
        call_nodes=frozenset({"method_invocation", "object_creation_expression"}),
        wrappers=frozenset({"parenthesized_expression"}),
        prefixes=("new ",),
        doc_comment=r"/\*\*",
        private_marks=r"(?:^|\s)private\s",
        test_names=r"(?!)",
        test_marks=r"@(?:[\w.]+\.)?(?:Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate|Property|Example|"
        r"Theory|ArchTest|Fuzz|FuzzTest)\b|"
        r"\bextends\s+(?:\w+\.)*TestCase\b",
    ),
)
