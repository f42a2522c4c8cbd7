"""Finds what Elixir names: modules are global, by their full name, in whatever file they stand."""

import re
from posixpath import basename

from memoire.model import FileFacts, Target
from memoire.tree import Tree

FAMILY = "elixir"
_WORDS = (
    "Access Agent Application Atom Base Behaviour Bitwise Calendar Code Collectable Config Date DateTime Dict Duration "
    "DynamicSupervisor EEx Enum Enumerable Exception ExUnit File Float Function GenEvent GenServer HashDict HashSet "
    "IEx IO Inspect Integer Kernel Keyword List Logger Macro Map MapSet Mix Module NaiveDateTime Node OptionParser "
    "PartitionSupervisor Path Port Process Protocol Range Record Regex Registry Set Stream String StringIO Supervisor "
    "System Task Time Tuple URI Version"
)
STANDARD = frozenset(_WORDS.split())
_CAPITAL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def package_of(_tree: Tree, _path: str, _declared: str) -> str:
    """Return the one namespace of all modules: each is named in full."""
    return ""


def resolve(tree: Tree, path: str, specifier: str) -> Target:
    """Return what a module name leads to; the empty one holds all modules."""
    del path
    name = specifier
    while name:
        if tree.declared(FAMILY, name) or (name == specifier and tree.is_namespace(FAMILY, name)):
            return Target("namespace", specifier)
        name = name.rpartition(".")[0]
    if not specifier:
        return Target("namespace", "")
    top = specifier.partition(".")[0]
    if top in STANDARD:
        return Target("builtin", top)
    return Target("package", _CAPITAL.sub("_", top).lower())


def is_test(path: str) -> bool:
    """Return whether ExUnit runs the file, or it lies among the tests."""
    return basename(path).endswith("_test.exs") or "test" in path.split("/")[:-1]


def holds_tests(facts: FileFacts) -> bool:
    """Return whether a file defines a test itself."""
    return any(item.is_test for item in facts.definitions)
