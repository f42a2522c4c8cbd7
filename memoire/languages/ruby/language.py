"""Ruby: suffixes, grammar, how what it requires is read."""

import re
from collections.abc import Mapping
from pathlib import Path

from memoire.extract.spec import Language, Syntax
from memoire.languages.ruby.conventions import holds_tests, is_test
from memoire.languages.ruby.macros import made
from memoire.languages.ruby.resolution import ROOT, brings, prefers, resolve, sees
from memoire.languages.ruby.words import RESERVED
from memoire.model import Import

_FOLDER = str(Path(__file__).parent)
_SUFFIXES = (".rb", ".rake", ".gemspec", ".ru", ".thor", ".jbuilder", "")
_FILES = ("Rakefile", "Guardfile", "Capfile", "Vagrantfile", "Thorfile", "Brewfile", "Fastfile", "Podfile")

_LITERAL = re.compile(r"^(?:'([^'\\]*)'|\"([^\"\\#]*)\")$")
_EXPANDED = re.compile(
    r"^(?:::)?File\.(?:expand_path|join)\(?\s*(?:(?P<here>__dir__)\s*,\s*)?(?P<path>'[^'\\]*'|\"[^\"\\#]*\")"
    r"(?:\s*,\s*(?P<from>__FILE__|__dir__|File\.dirname\(__FILE__\)))?\s*\)?$",
    re.DOTALL,
)
"""`File.expand_path('../x', __FILE__)`, `File.join(__dir__, 'x')`."""
_ROOTED = re.compile(r"^Rails\.root\.join\(\s*('[^'\\]*'|\"[^\"\\#]*\")\s*\)(?:\.to_s)?$")


def read_import(_role: str, got: Mapping[str, str]) -> Import | None:
    """Return what a `require`, `load` or `autoload` names; nothing where that is not written down."""
    callee, text = got["callee"], got["from"]
    literal = _LITERAL.match(text)
    if literal:
        path = literal[1] or literal[2] or ""
        if callee == "require_relative":
            path = f"./{path}"
    else:
        path = _expanded(text)
    kind = "lazy" if callee == "autoload" else "require"
    return Import(path, "*", "", 0, kind) if path else None


def _expanded(text: str) -> str:
    """Return the path that an expression comes to, mostly relative to the file's folder; empty where none is told."""
    rooted = _ROOTED.match(text)
    if rooted:
        return rooted[1][1:-1]
    found = _EXPANDED.match(text)
    if not found or not (found["here"] or found["from"]):
        return ""
    path = found["path"][1:-1].lstrip("/")
    if found["from"] == "__FILE__":
        # The file itself counts as one level.
        return f"./{path[3:]}" if path.startswith("../") else ""
    return f"./{path}"


def qualify(_item: Import) -> str:
    """Return nothing: what is required binds no name."""
    return ""


def implicit(_package: str) -> tuple[Import, ...]:
    """Return what every file sees: the constants of all files, by `::` or by their names alone."""
    return Import(ROOT, "", ROOT, 1, "implicit"), Import(ROOT, "*", "", 1, "implicit")


LANGUAGE = Language(
    name="ruby",
    is_constructor=lambda name, _owner: name == "initialize",
    suffixes=tuple(suffix for suffix in _SUFFIXES if suffix),
    filenames=_FILES,
    resolve=resolve,
    resolves_by_file=True,
    sees=sees,
    prefers=prefers,
    brings=brings,
    package_of=lambda _tree, _path, _package: "",
    opens=frozenset({"class", "module"}),
    by_inclusion=frozenset({"function", "method"}),
    imports_names=True,
    is_test=is_test,
    holds_tests=holds_tests,
    syntax=Syntax(
        grammars=dict.fromkeys(_SUFFIXES, "tree_sitter_ruby:language"),
        queries=dict.fromkeys(_SUFFIXES, ("queries.scm",)),
        folder=_FOLDER,
        read_import=read_import,
        qualify=qualify,
        effect_tables=(_FOLDER,),
        identifier=r"(?:@@?|\$)?[A-Za-z_\x80-\xff][A-Za-z0-9_\x80-\xff]*(?:[?!](?![=~?:.]))?(?:\{\})?",
        separators=(".", "&.", ROOT),
        root_mark=ROOT,
        variable_mark="$",
        uncaptured="[a-z_@]",
        elided=frozenset({"class", "itself", "freeze", "dup", "clone"}),
        subject="described_class",
        reserved=RESERVED,
        receiver="self",
        own_types=frozenset({"new"}),
        member_mark="@",
        capital_constants=True,
        repeats_names=True,
        bare_calls=True,
        implicit_members=True,
        nothing=frozenset({"nil"}),
        annotation=r"^((?:::)?[A-Z][\w]*(?:::[A-Z]\w*)*)$",
        implicit=implicit,
        wrappers=frozenset({"parenthesized_statements"}),
        choices={
            "binary": (1, 0),
            "conditional": (1, 2),
            "assignment": (1,),
            "operator_assignment": (1,),
            "begin": (-1,),
        },
        choosers=frozenset({"||", "or", "||="}),
        name_nodes=frozenset({"identifier", "constant", "global_variable"}),
        attribute_nodes=frozenset({"call"}),
        item_nodes=frozenset({"element_reference"}),
        value_nodes=frozenset(
            {"call", "identifier", "constant", "scope_resolution", "instance_variable", "self", "stretch"}
        ),
        call_nodes=frozenset({"call"}),
        prefixes=(),
        block_field="block",
        lenders=frozenset({"ConnectionPool.new", "ConnectionPool::Wrapper.new"}),
        made=made,
        doc_comment="#(?!!)",
        private_marks="^(?:let|subject)",
        test_names="^test_",
    ),
)
