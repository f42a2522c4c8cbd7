"""Swift: suffixes, grammar, how its imports are read."""

import re
from collections.abc import Mapping
from pathlib import Path

from memoire.extract.spec import Language, Syntax
from memoire.extract.suffixes import word_set
from memoire.languages.swift.resolution import OWN, is_test, module_of, resolve
from memoire.model import FileFacts, Import

_FOLDER = str(Path(__file__).parent)
_IMPORT = re.compile(
    r"\bimport\s+(?:(?:struct|class|enum|protocol|func|var|let|typealias|actor)\s+)?`?(\w+(?:\.\w+)*)`?\s*$"
)
_KIND = re.compile(r"\bimport\s+(?:struct|class|enum|protocol|func|var|let|typealias|actor)\s")
_RESERVED = word_set("""
    actor any as associatedtype async await break case catch class continue default defer deinit didSet do
    else enum extension fallthrough false fileprivate for func guard if import in indirect init inout
    internal is let nil operator private protocol public repeat rethrows return self some static struct
    subscript super switch throw throws true try typealias var where while willSet newValue oldValue error _
    Any AnyObject Bool Character Double Float Int Int8 Int16 Int32 Int64 Never Self String Substring UInt
    UInt8 UInt16 UInt32 UInt64 Void Array Dictionary Set Optional
""")
"""Source: The Swift Programming Language, "Lexical Structure"; what accessors give; the types of literals."""

_CALLS = frozenset({"call_expression", "constructor_expression", "try_expression", "await_expression"})


def read_import(role: str, got: Mapping[str, str]) -> Import | None:
    """Return the binding of one import: of all names of a module, or of the one that is named after its kind."""
    del role
    clause = got["clause"]
    found = _IMPORT.search(clause)
    if not found:
        return None
    module, _, name = found[1].rpartition(".")
    if module and _KIND.search(clause):
        return Import(module, name, name, 0)
    return Import(found[1], "*", "", 0)


def qualify(item: Import) -> str:
    """Return the qualified name that an import binds."""
    return item.specifier if item.is_star else f"{item.specifier}.{item.name}"


def _holds_tests(facts: FileFacts) -> bool:
    return any(item.is_test for item in facts.definitions)


LANGUAGE = Language(
    name="swift",
    is_constructor=lambda name, _owner: name == "init",
    suffixes=(".swift",),
    resolve=resolve,
    resolves_by_file=True,
    package_of=module_of,
    is_test=is_test,
    holds_tests=_holds_tests,
    syntax=Syntax(
        grammars={".swift": "tree_sitter_swift:language"},
        queries={".swift": ("queries.scm",)},
        folder=_FOLDER,
        read_import=read_import,
        qualify=qualify,
        effect_tables=(_FOLDER,),
        reserved=_RESERVED,
        receiver="self",
        own_types=frozenset({"Self"}),
        super_name="super",
        implicit=lambda _package: (Import(OWN, "*", "", 1, "implicit"),),
        implicit_members=True,
        extension_members="blocks",
        nothing=frozenset({"nil", ""}),
        texts="String",
        operators={" / ": "/", "/": "/", " + ": "+"},
        annotation=(
            r"^[:\s]*(?:(?:@\w+|inout|some|any|isolated|borrowing|consuming|sending)\s+)*\(?(?:any\s+)?(?:Optional<\s*)?"
            r"([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)(?:<[^()\[\]&]*>)?[)?!>\s]*$"
        ),
        collection=r"^[:\s]*(?:inout\s+)?(?:\[\s*([^\[\]:]+?)\s*\]|(?:Array|Set|ArraySlice)<([^<>]+)>)[?!\s]*$",
        keeps_types=True,
        call_method="callAsFunction",
        has_keywords=False,
        marks_types=True,
        name_nodes=frozenset({"simple_identifier"}),
        attribute_nodes=frozenset({"navigation_expression"}),
        item_nodes=frozenset({"call_expression"}),
        value_nodes=_CALLS
        | {"navigation_expression", "simple_identifier", "self_expression", "postfix_expression"}
        | {"additive_expression", "multiplicative_expression", "line_string_literal", "multi_line_string_literal"},
        call_nodes=_CALLS,
        wrappers=frozenset({"postfix_expression"}),
        prefixes=("try? ", "try! ", "try ", "await "),
        doc_comment=r"///|/\*\*",
        private_marks=r"(?:^|\s)(?:private|fileprivate)\s",
        test_names=r"test(?=[A-Z_0-9]|$)|spec$",
        test_marks=r"@Test\b",
    ),
)
