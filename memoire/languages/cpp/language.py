"""C++: suffixes, grammar, how its includes and its names of namespaces are read."""

import re
from collections.abc import Mapping
from pathlib import Path

from memoire.extract.spec import EVERY_KIND, Language, Syntax
from memoire.extract.suffixes import word_set
from memoire.model import Import
from memoire.resolution import cfamily
from memoire.resolution.preprocessing import prepare_cpp

_FOLDER = str(Path(__file__).parent)
_SUFFIXES = (
    ".cpp", ".cc", ".cxx", ".c++", ".hpp", ".hh", ".hxx", ".h++", ".inl", ".ipp", ".tpp", ".tcc", ".txx", ".ixx",
    ".cppm", ".cu", ".cuh", ".ino",
)  # fmt: skip
_USING = re.compile(r"using\s+(namespace\s+|enum\s+|typename\s+)?(.*?)\s*;?\s*$", re.DOTALL)
_ARGUMENTS = re.compile(r"<[^<>]*>")


def read_import(role: str, got: Mapping[str, str]) -> Import | tuple[Import, ...]:
    """Return what an include or a `using` brings."""
    del role
    if "from" in got:
        return Import(got["from"], "*", "", 0)
    if "alias" in got:
        return Import(_plain(got["module"]), "", got["alias"], 0)
    found = _USING.match(got["clause"])
    if found is None:
        return ()
    if (found[1] or "").split() in (["namespace"], ["enum"]):
        return Import(_plain(found[2]), "*", "", 0)
    names = [_plain(name).rpartition("::") for name in _ARGUMENTS.sub("", found[2]).split(",")]
    return tuple(Import(module, name, name, 0) for module, _, name in names if module and name)


def _plain(name: str) -> str:
    """Return a qualified name without white space, and without the mark of the root of all namespaces."""
    return "".join(_ARGUMENTS.sub("", name).split()).removeprefix("::")


def qualify(item: Import) -> str:
    """Return the qualified name that a `using` binds: `std.filesystem` for `namespace fs = std::filesystem`."""
    if item.specifier[:1] in {'"', "<"}:
        return ""
    module = item.specifier.replace("::", ".")
    return f"{module}.{item.name}" if item.name and not item.is_star else module


_INHERITABLE = word_set("""
    accept access bind close connect exec kill listen open poll random read remove rename select send signal sleep stat
    system time wait write
""")
"""Functions of the system whose names members of common libraries have."""

LANGUAGE = Language(
    name="cpp",
    is_constructor=lambda name, owner: name == owner,
    suffixes=_SUFFIXES,
    resolve=cfamily.resolve,
    is_test=cfamily.is_test,
    holds_tests=cfamily.holds_tests,
    family="c",
    package_of=cfamily.package_of,
    by_inclusion=frozenset({EVERY_KIND}),
    resolves_by_file=True,
    syntax=Syntax(
        grammars=dict.fromkeys(_SUFFIXES, "tree_sitter_cpp:language"),
        queries=dict.fromkeys(_SUFFIXES, ("queries.scm",)),
        folder=_FOLDER,
        read_import=read_import,
        qualify=qualify,
        effect_tables=(_FOLDER, cfamily.LIBC),
        prepare=prepare_cpp,
        import_lines=cfamily.INCLUDE,
        reserved=cfamily.CPP_WORDS,
        implicit=cfamily.implicit,
        implicit_members=True,
        outside=frozenset({"std"}),
        inheritable=_INHERITABLE,
        receiver="this",
        root_mark="::",
        nothing=frozenset({"NULL", "0", "nullptr", ""}),
        annotation=cfamily.C_TYPE,
        collection=cfamily.COLLECTION,
        has_keywords=False,
        makers=cfamily.MAKERS,
        strings=cfamily.NO_NAMES,
        separators=("->", "::", "."),
        attribute_nodes=frozenset({"field_expression", "qualified_identifier"}),
        value_nodes=frozenset(
            {
                "call_expression",
                "new_expression",
                "identifier",
                "field_expression",
                "qualified_identifier",
                "pointer_expression",
                "compound_literal_expression",
                "co_await_expression",
                "cast_expression",
                "this",
            }
        ),
        call_nodes=frozenset(
            {"call_expression", "new_expression", "co_await_expression", "compound_literal_expression"}
        ),
        wrappers=frozenset({"parenthesized_expression"}),
        prefixes=("new ", "co_await ", "&", "*"),
        private_marks=r"^\s*(?:template\s*<[^{}]*>\s*)?(?:inline\s+)?static\b(?![^{]*::)",
        elsewhere_marks=r"^\s*extern\b(?!\s*\"C\"\s*\{)",
        doc_comment=cfamily.DOC_COMMENT,
        test_names=r"^test(?:_|[A-Z])",
    ),
)
