"""Kotlin: suffixes, grammar, how its imports are read."""

import functools
import re
from collections.abc import Mapping
from pathlib import Path

from memoire.extract.spec import Language, Syntax
from memoire.extract.suffixes import word_set
from memoire.languages.kotlin.grammar import prepare
from memoire.model import FileFacts, Import
from memoire.resolution import jvm

_FOLDER = str(Path(__file__).parent)
_NAME = r"(?:`[^`\n]+`|[\w\x80-\U0010ffff]+)"
_IMPORT = re.compile(rf"import\s+({_NAME}(?:\s*\.\s*{_NAME})*)(\s*\.\s*\*)?(?:\s+as\s+({_NAME}))?")
_RESERVED = word_set(
    "as break class continue do else false for fun if in interface is null object package return super this throw true "
    "try typealias typeof val var when while by catch constructor finally get import init set where abstract actual "
    "annotation companion const crossinline data enum expect external final infix inline inner internal lateinit "
    "noinline open operator out override private protected public reified sealed suspend tailrec vararg field it _ "
    "Unit Nothing Any Int Long Short Byte Float Double Boolean Char String"
)
"""Source: kotlinlang.org/docs/keyword-reference.html; and the types that are written like any other."""
_BUILTIN = (
    "java.lang", "kotlin.jvm", "kotlin.text", "kotlin.sequences", "kotlin.ranges", "kotlin.io", "kotlin.comparisons",
    "kotlin.collections", "kotlin.annotation", "kotlin",
)  # fmt: skip
"""Source: kotlinlang.org/docs/packages.html, "Default imports"."""
_MAKERS = (
    r"(?:(?:Injekt|koin|getKoin\(\))\.)?(?:get|inject|injectLazy|koinInject|koinViewModel|hiltViewModel)"
    r"\(([A-Z][\w.]*)(?:<.*>)?\s{2,}\)\Z|[^{}]*\sas\??\s+([A-Z][\w.]*)(?:<.*>)?\??\s*\Z"
)
"""What containers of dependencies give, by a type argument, and casts. Source: the documentation of Koin and Injekt."""
_SPECS = (
    "FunSpec|StringSpec|ShouldSpec|DescribeSpec|BehaviorSpec|FreeSpec|WordSpec|FeatureSpec|ExpectSpec|AnnotationSpec|"
    "Spek|SubjectSpek"
)


def read_import(role: str, got: Mapping[str, str]) -> Import | None:
    """Return the binding of one import."""
    del role
    found = _IMPORT.match(got["clause"])
    if not found:
        return None
    name = "".join(found[1].split()) if "`" not in found[1] else found[1]
    if found[2]:
        return Import(name, "*", "", 0)
    package, _, last = name.rpartition(".")
    return Import(package, last, found[3] or last, 0)


def _holds_tests(facts: FileFacts) -> bool:
    """Return whether a file among the tests has any itself."""
    return any(item.is_test for item in facts.definitions)


LANGUAGE = Language(
    name="kotlin",
    is_constructor=lambda name, _owner: name == "constructor",
    suffixes=(".kt", ".kts"),
    family=jvm.FAMILY,
    package_of=jvm.package_of,
    resolve=jvm.resolve,
    other_names=jvm.getters,
    is_test=jvm.is_test,
    holds_tests=_holds_tests,
    syntax=Syntax(
        grammars=dict.fromkeys((".kt", ".kts"), "tree_sitter_kotlin:language"),
        queries=dict.fromkeys((".kt", ".kts"), ("queries.scm",)),
        folder=_FOLDER,
        read_import=read_import,
        qualify=jvm.qualify,
        effect_tables=(_FOLDER, jvm.EFFECTS),
        identifier=r"(?:`[^`\n]+`|[A-Za-z_\x80-\xff][A-Za-z0-9_\x80-\xff]*)",
        reserved=_RESERVED,
        receiver="this",
        super_name="super",
        own_types=frozenset({"Companion"}),
        separators=(".", "::"),
        implicit=functools.partial(jvm.implicit, builtin=_BUILTIN),
        implicit_members=True,
        extension_members="functions",
        companion="Companion",
        returns_receiver=frozenset({"apply", "also"}),
        interpolated=r"(?<!\\)\$([A-Za-z_]\w*)",
        generic_calls=r"(?<=\w)<[A-Z][\w.,<>?* ]*>(?=\()",
        prepare=prepare,
        collection=jvm.COLLECTION,
        implied="it",
        same_items=jvm.SAME_ITEMS,
        item_calls=jvm.ITEM_CALLS,
        nothing=frozenset({"null", ""}),
        annotation=r"(?s)^\s*([A-Za-z_]\w*(?:\s*\.\s*[A-Za-z_]\w*)*)\s*(?:<.*>)?\s*\??\s*$",
        name_nodes=frozenset({"identifier"}),
        attribute_nodes=frozenset({"navigation_expression"}),
        item_nodes=frozenset({"index_expression"}),
        value_nodes=frozenset({"call_expression", "navigation_expression", "identifier", "this_expression"}),
        call_nodes=frozenset({"call_expression"}),
        wrappers=frozenset({"parenthesized_expression"}),
        prefixes=(),
        makers=_MAKERS,
        doc_comment=r"/\*\*",
        private_marks=r"\A(?:\s*@[\w.:]+(?:\([^()]*\))?|\s*[a-z]+\b)*?\s*\bprivate\s+(?!constructor\b)",
        test_names=r"(?!)",
        test_marks=r"@(?:[\w.]+\.)?(?:Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate|Property|Theory)\b|"
        rf":\s*(?:{_SPECS})\b",
    ),
)
