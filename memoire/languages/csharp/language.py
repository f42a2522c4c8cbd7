"""C#: suffixes, grammar, how its usings are read."""

import re
from collections.abc import Mapping
from pathlib import Path

from memoire.extract.spec import Language, Syntax
from memoire.languages.csharp.conventions import TEST, holds_tests, is_test
from memoire.languages.csharp.resolution import FAMILY, implicit, package_of, resolve, unit_of, unit_uses, units_seen
from memoire.model import Import

_FOLDER = str(Path(__file__).parent)
_USING = re.compile(r"\s*(global\s+)?using\s+(static\s+|unsafe\s+)*(?:@?(\w+)\s*=\s*)?([^;]*?)\s*;?\s*$", re.DOTALL)
_NAME = re.compile(r"[\w.@:]+")

RESERVED = frozenset({
    "abstract", "as", "base", "bool", "break", "byte", "case", "catch", "char", "checked", "class", "const", "continue",
    "decimal", "default", "delegate", "do", "double", "else", "enum", "event", "explicit", "extern", "false", "finally",
    "fixed", "float", "for", "foreach", "goto", "if", "implicit", "in", "int", "interface", "internal", "is", "lock",
    "long", "namespace", "new", "null", "object", "operator", "out", "override", "params", "private", "protected",
    "public", "readonly", "ref", "return", "sbyte", "sealed", "short", "sizeof", "stackalloc", "static", "string",
    "struct", "switch", "this", "throw", "true", "try", "typeof", "uint", "ulong", "unchecked", "unsafe", "ushort",
    "using", "virtual", "void", "volatile", "while", "add", "alias", "and", "ascending", "async", "await", "by",
    "descending", "dynamic", "equals", "from", "get", "global", "group", "init", "into", "join", "let", "managed",
    "nameof", "nint", "not", "notnull", "nuint", "on", "or", "orderby", "partial", "record", "remove", "required",
    "scoped", "select", "set", "unmanaged", "value", "var", "when", "where", "with", "yield",
})  # fmt: skip
"""Keywords, also those of some contexts alone."""
_LITERALS = (
    # By the byte it begins with, which is found sooner than one of many patterns.
    r"[\ng0-9](?:(?<=\n)[ \t]*+#[ \t]*(?:(?:region|endregion|pragma|error|warning|nullable|line)\b[^\n]*|\w+)"
    r"|(?<=\bg)lobal::|(?<=\d)(?<![\w.]\d)(?:[eE][+\-]|[\w.](?<!\.(?=[A-Za-z])))*)"
)
"""What holds no names beside what the tree says: words of the preprocessor, the mark of the root, numbers."""


def read_import(role: str, got: Mapping[str, str]) -> Import | tuple[Import, ...]:
    """Return what a `using` brings: all names of a namespace or of a type, or one under another name."""
    del role
    found = _USING.match(got["clause"])
    name = _NAME.match(found[4]) if found else None
    if found is None or name is None:
        return ()
    kind = "global" if found[1] else "static"
    specifier = name[0].replace("@", "").removeprefix("global::")
    return Import(specifier, "" if found[3] else "*", found[3] or "", 0, kind)


def qualify(item: Import) -> str:
    """Return the qualified name that an alias binds, or of the namespace that is used."""
    return item.specifier


LANGUAGE = Language(
    name="csharp",
    is_constructor=lambda name, owner: name == owner,
    suffixes=(".cs", ".csx"),
    resolve=resolve,
    is_test=is_test,
    holds_tests=holds_tests,
    family=FAMILY,
    package_of=package_of,
    unit_of=unit_of,
    units_seen=units_seen,
    unit_uses=unit_uses,
    syntax=Syntax(
        grammars=dict.fromkeys((".cs", ".csx"), "tree_sitter_c_sharp:language"),
        queries=dict.fromkeys((".cs", ".csx"), ("queries.scm",)),
        folder=_FOLDER,
        read_import=read_import,
        qualify=qualify,
        effect_tables=(_FOLDER,),
        reserved=RESERVED,
        receiver="this",
        super_name="base",
        implicit=implicit,
        implicit_members=True,
        extension_members="functions",
        nothing=frozenset({"null", "default", ""}),
        annotation=(
            r"^\s*(?:(?:ref|readonly|out|in|scoped)\s+)*(?:(?:[\w.]+\.)?(?:Task|ValueTask|Lazy|Nullable)<\s*)?"
            r"((?!(?:Task|ValueTask|Lazy|Nullable)<)[A-Za-z_]\w*(?:\.\w+)*)\s*(?:<[^\[\]]*>)?[?>\s]*$"
        ),
        collection=(
            r"^\s*(?:(?:[\w.]+\.)?(?:Task|ValueTask)<\s*)?(?:(?:[\w.]+\.)?(?:I?List|IEnumerable|I?Collection|IReadOnlyList"
            r"|IReadOnlyCollection|IAsyncEnumerable|HashSet|ISet|Queue|Stack|ImmutableArray|ImmutableList)"
            r"<\s*([\w.]+)\s*>|([\w.]+)\[\])[?>\s]*$"
        ),
        has_labels=True,
        has_keywords=False,
        strings=_LITERALS,
        wrappers=frozenset({"parenthesized_expression"}),
        makers=r"(?:new\s+([A-Za-z_][\w.]*)|\(\s*([A-Z][\w.]*)\??\s*\)\s*[\w(]|[\w.()\s]+\sas\s+([A-Z][\w.]*)\s*\Z)",
        attribute_nodes=frozenset({"member_access_expression"}),
        item_nodes=frozenset({"element_access_expression"}),
        value_nodes=frozenset(
            {
                "invocation_expression",
                "object_creation_expression",
                "await_expression",
                "identifier",
                "member_access_expression",
                "conditional_access_expression",
                "as_expression",
                "cast_expression",
            }
        ),
        call_nodes=frozenset({"invocation_expression", "object_creation_expression", "await_expression"}),
        prefixes=("await ", "new ", "ref ", "!"),
        doc_comment=r"///(?!/)|/\*\*",
        test_names="(?!)",
        test_marks=TEST,
    ),
)
