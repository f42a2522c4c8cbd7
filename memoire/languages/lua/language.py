"""Lua: suffixes, grammar, how its modules are read."""

import re
from collections.abc import Mapping
from pathlib import Path

from memoire.extract.spec import Language, Syntax
from memoire.languages.lua.resolution import is_test, resolve
from memoire.model import Import

_FOLDER = str(Path(__file__).parent)
_WORDS = (
    "and break do else elseif end false for function goto if in local nil not or repeat return then true until while "
    "self _G _ENV _VERSION assert collectgarbage error getmetatable ipairs load loadstring next pairs pcall rawequal "
    "rawget rawlen rawset select setmetatable tonumber tostring type unpack xpcall"
)


_SAME_NAMES = re.compile(
    rb"(?:^[ \t]*|(?<=;)[ \t]*)local[ \t]+(?:([\w, \t]+?)[ \t]*=[ \t]*\1|(\w+)[ \t]*=[ \t]*(?:\w+[ \t]+and[ \t]+)?"
    rb"\w+\.\2[ \t]+or[ \t]+\2)(?=[ \t]*;|[ \t]*(?:--.*)?$)",
    re.MULTILINE,
)
"""`local io, table = io, table`, `local io = compat and compat.io or io`: a global made a local, which is the same."""


def prepare(source: bytes) -> bytes:
    """Return the source without the statements that give globals locals of their own names."""
    return _SAME_NAMES.sub(lambda found: b" " * len(found[0]), source)


def read_import(role: str, got: Mapping[str, str]) -> Import | None:
    """Return the binding of one call of `require`."""
    if not got["from"].strip():
        return None
    kind = "dynamic" if role == "dyn" else "static"
    return Import(got["from"], got.get("name", ""), got.get("alias", ""), 0, kind)


def qualify(item: Import) -> str:
    """Return the qualified name that a module, or a field of one, has outside of the project."""
    module = item.specifier.replace("/", ".")
    return f"{module}.{item.name}" if item.name else module


_SYNTAX = Syntax(
    grammars={".lua": "tree_sitter_lua:language", ".rockspec": "tree_sitter_lua:language"},
    queries={".lua": ("queries.scm",), ".rockspec": ("queries.scm",)},
    folder=_FOLDER,
    read_import=read_import,
    qualify=qualify,
    effect_tables=(_FOLDER,),
    prepare=prepare,
    reserved=frozenset(_WORDS.split()),
    receiver="self",
    nothing=frozenset({"nil", "false", "{}"}),
    separators=(".", ":"),
    prefixes=(),
    attribute_nodes=frozenset({"dot_index_expression"}),
    collection=r"(?!)()",
    item_nodes=frozenset({"bracket_index_expression"}),
    value_nodes=frozenset({"function_call", "identifier", "dot_index_expression", "binary_expression"}),
    call_nodes=frozenset({"function_call"}),
    wrappers=frozenset({"parenthesized_expression"}),
    choices={"binary_expression": (0, 1)},
    makers=r"setmetatable\(\s*[^,()]*(?:\([^()]*\))?[^,()]*,\s*([A-Za-z_][\w.]*)\s*\)",
    doc_comment=r"--",
    private_marks=r"^local\b",
)

LANGUAGE = Language(
    name="lua",
    is_constructor=lambda name, _owner: name in {"init", "initialize"},
    suffixes=(".lua", ".rockspec"),
    resolve=resolve,
    resolves_by_file=True,
    is_test=is_test,
    syntax=_SYNTAX,
)
