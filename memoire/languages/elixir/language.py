"""Elixir: suffixes, grammar, how `alias`, `import`, `require` and `use` are read."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from memoire.extract.spec import Language, Syntax
from memoire.languages.elixir.resolution import holds_tests, is_test, package_of, resolve
from memoire.model import Import

_FOLDER = str(Path(__file__).parent)
_WORDS = (
    "def defp defmacro defmacrop defmodule defprotocol defimpl defstruct defexception defguard defguardp "
    "defdelegate defoverridable do end fn when and or not in if unless else case cond with for try rescue catch "
    "after raise reraise throw quote unquote unquote_splicing receive super true false nil alias import require "
    "use test describe property setup setup_all assert refute assert_raise assert_receive refute_receive "
    "assert_received doctest is_atom is_binary is_bitstring is_boolean is_exception is_float is_function "
    "is_integer is_list is_map is_map_key is_nil is_number is_pid is_port is_reference is_struct is_tuple abs "
    "apply binary_part binding bit_size byte_size ceil dbg destructure div elem exit floor function_exported "
    "get_and_update_in get_in hd inspect length make_ref map_size max min node pop_in put_elem put_in rem round "
    "self send sigil_r spawn spawn_link spawn_monitor struct struct! tap then tl to_charlist to_string trunc "
    "tuple_size update_in var! match __CALLER__ __DIR__ __ENV__ __STACKTRACE__ moduledoc doc spec type typep "
    "opaque callback behaviour impl derive enforce_keys"
)
_MODULE = r"[A-Z]\w*(?:\.[A-Z]\w*)*"
_ONE = re.compile(rf"\(?\s*({_MODULE})\s*(?:\.\s*\{{([^}}]*)\}})?")
_AS = re.compile(rf"\bas:\s*({_MODULE})")
_ONLY = re.compile(r"\bonly:\s*\[([^\]]*)\]")
_FUNCTION = re.compile(r"([a-z_]\w*[?!]?):\s*\d")


def read_import(role: str, got: Mapping[str, str]) -> Sequence[Import]:
    """Return the bindings of one statement."""
    del role
    text = got["clause"]
    found = _ONE.match(text)
    if not found:
        return ()
    names = [found[1]]
    if found[2] is not None:
        names = [f"{found[1]}.{name}" for name in re.findall(_MODULE, found[2])]
    rest = text[found.end() :]
    return [item for name in names for item in _bindings(got["verb"], name, rest)]


def _bindings(verb: str, name: str, rest: str) -> Iterator[Import]:
    alias = _AS.search(rest)
    if verb == "alias" or (verb == "require" and alias):
        yield Import(name, "", alias[1] if alias else name.rpartition(".")[2], 0)
    elif verb == "require":
        yield Import(name, "", "", 0)
    elif verb == "import" and (only := _ONLY.search(rest)):
        for function in dict.fromkeys(_FUNCTION.findall(only[1])):
            yield Import(name, function, function, 0)
    else:
        yield Import(name, "*", "", 0)


def qualify(item: Import) -> str:
    """Return the qualified name of a module, or of a function of one."""
    return f"{item.specifier}.{item.name}" if item.name and not item.is_star else item.specifier


def implicit(package: str) -> tuple[Import, ...]:
    """Return where every module is found by its full name."""
    del package
    return (Import("", "*", "", 1, "implicit"),)


_SYNTAX = Syntax(
    grammars={".ex": "tree_sitter_elixir:language", ".exs": "tree_sitter_elixir:language"},
    queries={".ex": ("queries.scm",), ".exs": ("queries.scm",)},
    folder=_FOLDER,
    read_import=read_import,
    qualify=qualify,
    effect_tables=(_FOLDER,),
    identifier=r"[A-Za-z_\x80-\xff][A-Za-z0-9_\x80-\xff]*[?!]?",
    reserved=frozenset(_WORDS.split()),
    own_types=frozenset({"__MODULE__"}),
    implicit=implicit,
    implicit_members=True,
    members_by_text=True,
    expands_aliases=True,
    quotes_imports=True,
    module_names=r"[A-Z]",
    capital_constants=True,
    repeats_names=True,
    bare_calls=True,
    has_keywords=False,
    call_nodes=frozenset({"call"}),
    private_marks=r"^def(?:macro|guard|n)?p\b",
    test_names=r"(?!)",
)

LANGUAGE = Language(
    name="elixir",
    is_constructor=lambda name, _owner: name == "init" or name.startswith("__"),
    suffixes=(".ex", ".exs"),
    resolve=resolve,
    is_test=is_test,
    holds_tests=holds_tests,
    package_of=package_of,
    syntax=_SYNTAX,
)
