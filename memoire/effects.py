"""Reads a language's `effects.toml`: which qualified callee does what to the world.

The file has one table a category with `calls`, a list of patterns: `requests.{get,post}` names functions,
`requests.Session.*` every method of a type, `Client.*.*` every method of its attributes; and `reads`, names whose mere
reading counts: `process.env.*`. `[returns]` maps a callable to the type of what it gives, `Builder.*` all of a type's;
`[builtins]` maps a global name to its qualified name; `"*" = ""` there makes every name without a dot a global one.
`getters = true` says that a method `getName` is read as `name`, too. Languages that call the same libraries share a
second file.
"""

import functools
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

PUBLISHED = ("network", "file_io", "subprocess", "database", "cache")
"""Categories that count as side effects and score. Source: the published tools page."""
REPORTED = ("env", "clock", "random", "logging", "ui")
"""Categories that are reported as `uses` and do not score."""

_BRACES = re.compile(r"^(.*)\{([^{}]*)\}(.*)$")


class EffectTable(msgspec.Struct, frozen=True):
    """Qualified callees and what they do; read from the language's `effects.toml`."""

    exact: Mapping[str, str] = {}
    """`requests.get` -> network."""
    members: Mapping[str, str] = {}
    """`sqlite3.Connection` -> database: any call on it; `PrismaClient.*`: any call on any of its attributes."""
    returns: Mapping[str, str] = {}
    """`sqlite3.connect` -> `sqlite3.Connection`: the type of what a call gives."""
    builtins: Mapping[str, str] = {}
    """Global name -> qualified name: `open` -> `builtins.open`."""
    reads: Mapping[str, str] = {}
    """`process.env.*` -> env: what reading it, without a call, does."""
    prefixes: frozenset[str] = frozenset()
    """Every name that another of the table begins with, and those themselves."""
    members_named: frozenset[str] = frozenset()
    """The last names of `exact`, `reads` and `returns`: what may be a member that a class has from a library."""

    def category(self, callee: str) -> str | None:
        """Return what a call of the qualified name does, None where nothing is known."""
        found = self.exact.get(callee)
        if found is None:
            owner, _, _ = callee.rpartition(".")
            found = self.members.get(owner)
            if found is None:
                found = self.members.get(f"{owner.rpartition('.')[0]}.*")
        return found or None

    def given(self, name: str) -> str:
        """Return the type of what a qualified name gives; the name itself where that is not known."""
        found = self.returns.get(name)
        return found or self.returns.get(f"{name.rpartition('.')[0]}.*") or name

    def acts(self, name: str) -> bool:
        """Return whether a member is told by its own name: what it does, or what it gives."""
        return name in self.exact or name in self.reads or name in self.returns

    def read_category(self, name: str) -> str | None:
        """Return what reading the qualified name does, None where nothing is known."""
        if not self.reads:
            return None
        return self.reads.get(name) or self.reads.get(f"{name.rpartition('.')[0]}.*")


def expand_braces(pattern: str) -> Iterator[str]:
    """Yield the names a pattern stands for: `a.{b,c}` gives `a.b` and `a.c`."""
    found = _BRACES.match(pattern)
    if not found:
        yield pattern
        return
    for part in found[2].split(","):
        yield from expand_braces(f"{found[1]}{part.strip()}{found[3]}")


@functools.cache
def load_effects(folder: str, shared: str = "") -> EffectTable:
    """Return the table of the language in a folder.

    Args:
        folder: Where the `effects.toml` of the language is.
        shared: The file of what several languages have in common, whose rows the language's own go before.

    Raises:
        ValueError: A category is unknown.
    """
    places = [Path(place) for place in (shared, str(Path(folder) / "effects.toml")) if place]
    tables = [tomllib.loads(place.read_text("utf-8")) for place in places]
    exact: dict[str, str] = {}
    members: dict[str, str] = {}
    reads: dict[str, str] = {}
    returns: dict[str, str] = {}
    builtins: dict[str, str] = {}
    getters = [data.pop("getters", False) for data in tables]
    for data in tables:
        builtins |= data.pop("builtins", {})
        returns |= {name: kind for key, kind in data.pop("returns", {}).items() for name in expand_braces(key)}
        _add_calls(data, exact, members)
        reads |= {
            name: category
            for category, table in data.items()
            for pattern in table.get("reads", ())
            for name in expand_braces(pattern)
        }
    if any(getters):
        reads = _read_as_properties(exact) | reads
        returns = _read_as_properties(returns) | returns
    named = {*exact, *members, *returns, *reads}
    return EffectTable(
        exact=exact,
        members=members,
        returns=returns,
        builtins=_builtins(builtins, named),
        reads=reads,
        prefixes=frozenset(prefix for name in named for prefix in _prefixes(name)),
        members_named=frozenset(name.rpartition(".")[2] for name in (*exact, *reads, *returns)),
    )


def _read_as_properties(methods: Mapping[str, str]) -> dict[str, str]:
    """Return the properties that getters are read as: `getName` as `name`, `isOpen` under its own name."""
    found = {}
    for name, kind in methods.items():
        owner, _, last = name.rpartition(".")
        if last[:3] == "get" and last[3:4].isupper():
            found[f"{owner}.{last[3].lower()}{last[4:]}"] = kind
        elif last[:2] == "is" and last[2:3].isupper():
            found[name] = kind
    return found


def _add_calls(data: Mapping[str, Mapping[str, list[str]]], exact: dict[str, str], members: dict[str, str]) -> None:
    """Add what the calls of each category are: names, and owners of which every member is one."""
    for category, table in data.items():
        if category not in PUBLISHED + REPORTED + ("none",):
            raise ValueError(category)
        for pattern in table["calls"]:
            for name in expand_braces(pattern):
                owner, _, last = name.rpartition(".")
                # `none` takes single names out of a `*`: they act on nothing.
                if last == "*":
                    members[owner] = "" if category == "none" else category
                else:
                    exact[name] = "" if category == "none" else category


def _builtins(given: dict[str, str], named: set[str]) -> dict[str, str]:
    if given.get("*") != "":
        return given
    return {name: name for name in named if "." not in name} | {key: value for key, value in given.items() if value}


def _prefixes(name: str) -> Iterator[str]:
    while name:
        yield name
        name = name.rpartition(".")[0]
