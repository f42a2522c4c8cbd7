"""PHP: suffixes, grammar, how its imports are read."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from memoire.extract.spec import Language, Syntax
from memoire.languages.php.conventions import holds_tests, is_test
from memoire.languages.php.resolution import FALLBACK, ROOT, brings, resolve, sees
from memoire.languages.php.words import RESERVED
from memoire.model import Import

_FOLDER = str(Path(__file__).parent)
_SUFFIXES = (".php", ".phtml", ".inc")

_COMMENTS = re.compile(r"//[^\n]*|#[^\n]*|/\*.*?\*/", re.DOTALL)
_USE = re.compile(r"^use\s+(?:(?:function|const)\s+)?|;\s*$", re.IGNORECASE)
_GROUP = re.compile(r"^([\w\\\x80-\uffff]*)\\\s*\{(.*)\}\s*$", re.DOTALL)
_CLAUSE = re.compile(
    r"^(?:(?:function|const)\s+)?([\w\\\x80-\uffff]+)(?:\s+as\s+([\w\x80-\uffff]+))?$", re.DOTALL | re.IGNORECASE
)

_REQUIRE = re.compile(r"^(?:require|include)(?:_once)?\b\s*\(?\s*(.*?)\s*\)?$", re.DOTALL | re.IGNORECASE)
_HERE = re.compile(
    r"^(?:__DIR__|dirname\s*\(\s*(?P<of>__FILE__|__DIR__)\s*(?:,\s*(?P<levels>[1-9])\s*)?\))(?:\s*\.\s*(?P<rest>.*))?$",
    re.DOTALL,
)
_NESTED = re.compile(r"^dirname\s*\(\s*(dirname\s*\(.*\)|__DIR__|__FILE__)\s*\)(\s*\.\s*.*)?$", re.DOTALL)
MAX_NESTED = 8
"""How many `dirname` in each other are read."""
_LITERAL = re.compile(r"^(?:'([^'\\$]*)'|\"([^\"\\${]*)\")$")


def read_import(role: str, got: Mapping[str, str]) -> tuple[Import, ...]:
    """Return the bindings of a `use` statement, or the file of a `require`."""
    if role == "dyn":
        return (Import(_required(got["from"]), "", "", 0, "require"),)
    text = _USE.sub("", _COMMENTS.sub(" ", got["clause"]).strip()).strip()
    group = _GROUP.match(text)
    prefix, inside = (group[1] + "\\", group[2]) if group else ("", text)
    return tuple(_clauses(prefix.lstrip("\\"), inside))


def _clauses(prefix: str, text: str) -> Iterator[Import]:
    for part in text.split(","):
        clause = _CLAUSE.match(part.strip())
        if clause:
            full = prefix + clause[1].lstrip("\\")
            namespace, _, name = full.rpartition("\\")
            # A name of the root is imported as a whole: it has no namespace to look in.
            yield Import(namespace or ROOT + name, name if namespace else "", clause[2] or name, 0)


def _required(statement: str) -> str:
    """Return the path that a `require` names, relative to its file where it says so; else what it says."""
    found = _REQUIRE.match(_COMMENTS.sub(" ", statement).strip().rstrip(";"))
    text = found[1].strip() if found else ""
    if text.count("(") < text.count(")"):
        text = text.removesuffix(")").strip()
    elif text.count("(") > text.count(")"):
        text += ")"
    level, rest = _here(text)
    if level is None:
        literal = _LITERAL.match(text)
        return (literal[1] or literal[2] or "") if literal else text
    literal = _LITERAL.match(rest)
    if not literal:
        return text
    return f"./{'../' * level}{(literal[1] or literal[2] or '').lstrip('/')}"


def _here(text: str) -> tuple[int | None, str]:
    """Return how many folders above its own a file names, and what it adds; None where it says something else."""
    rest = ""
    for above in range(MAX_NESTED):
        here = _HERE.match(text)
        if here:
            levels = int(here["levels"] or 1) - (here["of"] == "__FILE__") if here["of"] else 0
            return above + levels, rest or here["rest"] or ""
        nested = _NESTED.match(text)
        if not nested or rest:
            return None, ""
        text, rest = nested[1], (nested[2] or "").strip().lstrip(".").strip()
    return None, ""


_LIKE_BUILTIN = "Safe"
"""The namespace of a library whose functions are PHP's own, but that they throw. Source:
https://github.com/thecodingmachine/safe"""


def qualify(item: Import) -> str:
    """Return the qualified name that a `use` binds, or of the namespace that a file is in."""
    namespace = item.specifier.lstrip(ROOT).replace(ROOT, ".")
    if namespace == _LIKE_BUILTIN and item.name and not item.is_star:
        return item.name
    return f"{namespace}.{item.name}" if item.name and not item.is_star else namespace


def implicit(package: str) -> tuple[Import, ...]:
    """Return what every file sees: the root, functions and constants of the root, its own namespace."""
    own = package.replace(".", "\\") or ROOT
    return (
        Import(ROOT, "", ROOT, 1, "implicit"),
        Import(own, "", "namespace", 1, "implicit"),
        *((Import(FALLBACK, "*", "", 1, "implicit"),) if package else ()),
        Import(own, "*", "", 1, "implicit"),
    )


LANGUAGE = Language(
    name="php",
    is_constructor=lambda name, _owner: name == "__construct",
    suffixes=_SUFFIXES,
    resolve=resolve,
    sees=sees,
    brings=brings,
    package_of=lambda _tree, _path, package: package,
    imports_names=True,
    is_test=is_test,
    holds_tests=holds_tests,
    syntax=Syntax(
        grammars=dict.fromkeys(_SUFFIXES, "tree_sitter_php:language_php"),
        queries=dict.fromkeys(_SUFFIXES, ("queries.scm",)),
        folder=_FOLDER,
        read_import=read_import,
        qualify=qualify,
        effect_tables=(_FOLDER,),
        identifier=r"\$?[A-Za-z_\x80-\xff][A-Za-z0-9_\x80-\xff]*",
        separators=("->", "::", ROOT),
        root_mark=ROOT,
        variable_mark="$",
        folds_names=True,
        static_mark="::",
        uncaptured=r"\$",
        reserved=RESERVED,
        receiver="$this",
        own_types=frozenset({"self", "static"}),
        super_name="parent",
        nothing=frozenset({"null", "NULL", "[]", "array()", "false", "''", ""}),
        annotation=(
            r"^(?:/\*.*@var)?\s*(?:\?|null\s*\|)*\s*(\\?[A-Za-z_\x80-\uffff][\w\\\x80-\uffff]*)"
            r"(?:\s*\|\s*null)*(?:\s*(?:\*/)?\s*$|\s+\*|\s*\n)"
        ),
        marks_types=True,
        implicit=implicit,
        wrappers=frozenset({"parenthesized_expression", "clone_expression"}),
        name_nodes=frozenset({"variable_name"}),
        attribute_nodes=frozenset({"member_access_expression", "scoped_property_access_expression"}),
        item_nodes=frozenset({"subscript_expression"}),
        value_nodes=frozenset(
            {
                "object_creation_expression",
                "function_call_expression",
                "member_call_expression",
                "nullsafe_member_call_expression",
                "scoped_call_expression",
                "member_access_expression",
                "nullsafe_member_access_expression",
                "scoped_property_access_expression",
                "class_constant_access_expression",
                "variable_name",
                "name",
                "qualified_name",
            }
        ),
        call_nodes=frozenset(
            {
                "object_creation_expression",
                "function_call_expression",
                "member_call_expression",
                "nullsafe_member_call_expression",
                "scoped_call_expression",
            }
        ),
        prefixes=("new ", "clone ", "&"),
        doc_comment=r"/\*\*",
        test_names="^test",
        test_marks=r"#\[[^\]]*\b(?:Test|DataProvider|TestWith)\b|^/\*\*(?:[^*]|\*(?!/))*@test\b",
    ),
)
