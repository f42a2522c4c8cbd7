"""C: suffixes, grammar, how its includes are read."""

from collections.abc import Mapping
from pathlib import Path

from memoire.extract.spec import EVERY_KIND, Language, Syntax
from memoire.model import Import
from memoire.resolution import cfamily
from memoire.resolution.preprocessing import prepare_c

_FOLDER = str(Path(__file__).parent)


def read_import(role: str, got: Mapping[str, str]) -> Import:
    """Return what an include brings: all names of a file, its own and those it includes."""
    del role
    return Import(got["from"], "*", "", 0)


def reads_as(source: bytes) -> str:
    """Return the suffix of the language that a header is written in."""
    return ".hpp" if cfamily.looks_like_cpp(source) else ""


LANGUAGE = Language(
    name="c",
    is_constructor=lambda name, owner: name == owner,
    suffixes=(".c", ".h"),
    resolve=cfamily.resolve,
    is_test=cfamily.is_test,
    holds_tests=cfamily.holds_tests,
    family="c",
    package_of=cfamily.package_of,
    by_inclusion=frozenset({EVERY_KIND}),
    resolves_by_file=True,
    reads_as={".h": reads_as},
    syntax=Syntax(
        grammars=dict.fromkeys((".c", ".h"), "tree_sitter_c:language"),
        queries=dict.fromkeys((".c", ".h"), ("queries.scm",)),
        folder=_FOLDER,
        read_import=read_import,
        qualify=lambda _item: "",
        effect_tables=(_FOLDER, cfamily.LIBC),
        prepare=prepare_c,
        import_lines=cfamily.INCLUDE,
        reserved=cfamily.C_WORDS,
        implicit=cfamily.implicit,
        implicit_members=True,
        nothing=frozenset({"NULL", "0", "nullptr", ""}),
        annotation=cfamily.C_TYPE,
        has_keywords=False,
        strings=cfamily.NO_NAMES,
        separators=("->", "."),
        attribute_nodes=frozenset({"field_expression"}),
        prefixes=("&", "*"),
        private_marks=r"\bstatic\b",
        elsewhere_marks=r"^\s*extern\b",
        doc_comment=cfamily.DOC_COMMENT,
        test_names=r"^tests?(?:_|[A-Z])",
    ),
)
