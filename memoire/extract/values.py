"""What names stand for, and what scopes bind them to."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from memoire.extract.chains import CALL_MARK, MAX_DEPTH

ROOT = "<root>"
"""The qualified name of the root of all namespaces: what lies in it is called by its name alone."""


def dotted(qualified: str, name: str) -> str:
    """Return the qualified name of a name in something; empty where that has none."""
    return name if qualified == ROOT else f"{qualified}.{name}" if qualified else ""


class Value(NamedTuple):
    """What a name stands for: something an import or a definition leads to."""

    root: int | None
    """As `Use.root`; None for a global of the language."""
    links: tuple[str, ...]
    qualified: str
    """For the effect table: `sqlite3.Connection`; empty where it is of this project or unknown."""
    is_instance: bool = False
    """Of a class of this file."""
    depth: int = 0
    """How many times an item is to be taken to come to what is said here: 1 for a list of it."""
    variable: int = -1
    """The variable of the module that holds it, where a use of what it holds is one of the variable too."""


class Scope:
    """What one definition, or the module, binds."""

    __slots__ = ("index", "is_class", "names", "outer", "parent", "types", "values")

    def __init__(self, index: int, parent: "Scope | None", *, is_class: bool) -> None:
        self.index = index
        self.parent = parent
        self.is_class = is_class
        self.names: dict[str, list[Value | bytes | None]] = {}
        """Name -> everything it is bound to: a value, an expression not yet resolved, None for unknown."""
        self.values: dict[str, Value | None] = {}
        self.outer: dict[str, Value] = {}
        """Modules and types by name: what may begin a path."""
        self.types: set[str] = set()
        """Parameters that stand for types: of what is declared with one nothing is known."""

    def bind(self, name: str, value: Value | bytes | None) -> None:
        """Add one thing that the name is bound to here."""
        self.names.setdefault(name, []).append(value)

    def assign(self, name: str, value: Value | bytes | None) -> None:
        """Add what the name is assigned; where it was all unknown and this is made of it, in the place of that."""
        if isinstance(value, bytes) and self.names.get(name) == [None] and name.encode() in value:
            self.names[name] = []  # `path = Path(path)`
        self.bind(name, value)


def agree(one: Value, other: Value, given: Callable[[str], str]) -> bool:
    """Return whether two values are one thing, instances of one class, or of two classes of one library.

    Args:
        one: A value.
        other: Another.
        given: What calls give, and naming properties: see `EffectTable.given`.
    """
    if one == other:
        return True
    if one.qualified and given(one.qualified) == given(other.qualified):
        return one.depth == other.depth
    is_same = one.root == other.root and one.root is not None and one.root >= 0
    made = one.links[-1:] == other.links[-1:] == (CALL_MARK,)
    return is_same and made and bool(one.qualified and other.qualified)


def is_defined(scope: Scope, name: str, kinds: Sequence[str]) -> bool:
    """Return whether a scope binds a name to a definition that is no variable, by the kinds of all definitions."""
    for value in scope.names.get(name, ()):
        root = value.root if isinstance(value, Value) else None
        if root is not None and root < 0 and kinds[-1 - root] != "variable":
            return True
    return False


def is_callable(scope: Scope, name: str) -> bool:
    """Return whether a scope binds a name to something imported or defined, not to what a variable holds."""
    return any(
        isinstance(value, Value) and value.root is not None and not value.links and not value.is_instance
        for value in scope.names.get(name, ())
    )


def deeper(value: Value | None) -> Value | None:
    """Return a collection of a value; None of what is unknown, or in too many collections."""
    return value._replace(depth=value.depth + 1) if value is not None and value.depth < MAX_DEPTH else None


def says_nothing(text: bytes, name: str, nothing: frozenset[str]) -> bool:
    """Return whether what a name is assigned tells nothing of it: None, or what it is itself."""
    said = text.decode("utf-8", "replace")
    return said in nothing or said == name
