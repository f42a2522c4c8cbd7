"""Reads a language's `effects.toml`: which qualified callee does what to the world.

The file has one table a category with `calls`, a list of patterns: `requests.{get,post}` names functions,
`requests.Session.*` every method of a type, `Client.*.*` every method of its attributes; and `reads`, names whose mere
reading counts: `process.env.*`. `[returns]` maps a callable to the type of what it gives, `Builder.*` all of a type's;
`[builtins]` maps a global name to its qualified name; `"*" = ""` there makes every name without a dot a global one.
What gives `Self` gives what it is called on: a class of the project that has it from a library stays that class. Behind
a name `{}` stands for what a call of it gives to the first parameter of its block: `Net.HTTP.start{}`. `Client.*.get`
is a method of each attribute of a type. `[anywhere."A B"]` has, for each category, methods that nothing but a library
has in a project that declares A or B: they count on whatever they are called. `find(params` is one that is so only
before such arguments.
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

SELF = "Self"
"""In `[returns]`: what the member is called on."""
ANYWHERE = "*"
"""`Effect.head` of a method that counts on whatever it is called, where the project has what that rests on."""
BLOCK = "{}"
"""Behind a name: what a call gives to the first parameter of its block."""

_BRACES = re.compile(r"^(.*)\{([^{}]+)\}(.*)$")


class Anywhere(msgspec.Struct, frozen=True):
    """What a method does on whatever it is called."""

    category: str
    declared: tuple[str, ...]
    """Qualified names one of which the project declares."""
    before: str = ""
    """What stands behind the method's name."""


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
    anywhere: Mapping[str, Anywhere] = {}
    """Name of a method -> what it does on whatever it is called."""
    same: frozenset[str] = frozenset()
    """The last names of what gives what it is called on."""
    members_named: frozenset[str] = frozenset()
    """The last names of `exact`, `reads` and `returns`: what may be a member that a class has from a library."""

    def category(self, callee: str) -> str | None:
        """Return what a call of the qualified name does, None where nothing is known."""
        found = self.exact.get(callee)
        if found is None:
            owner, _, _ = callee.rpartition(".")
            found = self.members.get(owner)
            if found is None:
                around, last = owner.rpartition(".")[0], callee[len(owner) + 1 :]
                found = self.members.get(f"{around}.*")
                found = self.exact.get(f"{around}.*.{last}") if found is None else found
        return found or None

    def given(self, name: str) -> str:
        """Return the type of what a qualified name gives; the name itself where that is not known."""
        found = self._given(name)
        return name.rpartition(".")[0] if found == SELF else found or name

    def gives_same(self, name: str) -> bool:
        """Return whether what a qualified name gives is of the class that it is called on."""
        return self._given(name) == SELF

    def _given(self, name: str) -> str | None:
        return self.returns.get(name) or self.returns.get(f"{name.rpartition('.')[0]}.*")

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
    anywhere: dict[str, Anywhere] = {}
    for data in tables:
        anywhere |= _anywhere(data.pop("anywhere", {}))
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
        anywhere=anywhere,
        prefixes=frozenset(prefix for name in named for prefix in _prefixes(name)),
        same=frozenset(name.rpartition(".")[2] for name, kind in returns.items() if kind == SELF),
        members_named=frozenset(name.rpartition(".")[2] for name in (*exact, *reads, *returns)),
    )


def _anywhere(data: Mapping[str, Mapping[str, list[str]]]) -> dict[str, Anywhere]:
    """Return the methods that count on whatever they are called: see the module's documentation."""
    found = {}
    for declared, categories in data.items():
        for category, names in categories.items():
            if category not in PUBLISHED + REPORTED:
                raise ValueError(category)
            for text in names:
                name, sign, rest = text.partition("(")
                found[name] = Anywhere(category, tuple(declared.split()), sign + rest)
    return found


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
