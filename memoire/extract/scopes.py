"""Resolves the names of one file inside that file: each use to an import or a definition, never by bare name.

Names are read from the source with strings and comments masked, in one pass of a regular expression that knows dotted
chains; the syntax tree says where scopes begin and end and what each binds. That costs a quarter of asking the tree
for every identifier. A name bound by its scope shadows the same name outside; a variable with two different values
is unknown, and a use of it is left out rather than guessed.
"""

import re
from typing import NamedTuple

from memoire.extract.chains import CALL_MARK, ITEM, SUPER, Chains
from memoire.extract.regions import Layout
from memoire.extract.spec import Syntax
from memoire.model import CLASS_KINDS, Import

MAX_DEPTH = 6
"""How many assignments are followed from a variable to what it holds."""
MAX_STEPS = 24
"""How many attributes and calls away from its root a value is followed: each variable may add some to another's."""
MAX_ATTR = 120
"""Longest `Use.attr` kept."""


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


class Resolver:
    """The scopes of one file.

    Args:
        syntax: The language.
        chains: Its chain grammar.
        imports: All imports of the file.
        kinds: Kind of each definition.
        layout: The scopes and where they lie.
    """

    def __init__(self, syntax: Syntax, chains: Chains, imports: list[Import], kinds: list[str], layout: Layout) -> None:
        self.syntax = syntax
        self.chains = chains
        self.imports = imports
        self.module = Scope(-1, None, is_class=False)
        self.closed: set[int] = set()
        """Namespaces in which the names around them are not seen."""
        stars = self._find_stars(kinds)
        self.star = max(stars, default=None)
        """The last import of all names of a module; None where there is none."""
        # What the language brings by itself is behind what the file asks for, but for its own package, the last.
        ordered = sorted(stars, key=lambda index: (index != stars[-1], imports[index].kind == "implicit", -index))
        self._star_prefixes = [
            syntax.star_name(imports[index].specifier)
            if syntax.star_name is not None
            else ".".join(chains.names(imports[index].specifier.encode()))
            for index in ordered
            if not imports[index].specifier.startswith((".", "/", '"', "<"))
        ]
        self._builtins = {name: Value(None, (), qualified) for name, qualified in syntax.effects.builtins.items()}
        self.scopes: list[Scope] = []
        self._class_kinds = [kind in CLASS_KINDS for kind in kinds]
        self._kinds = kinds
        for scope, holder in enumerate(layout.holders[:-1]):
            is_class = scope < len(kinds) and self._class_kinds[scope]
            self.scopes.append(Scope(holder, self.module, is_class=is_class))
        for scope, parent in enumerate(layout.parents):
            if parent >= 0:
                self.scopes[scope].parent = self.scopes[parent]
        self._returns: dict[int, tuple[Scope, str]] = {}
        self.methods: dict[tuple[int, str], int] = {}
        """(class, name) -> the definition of the method."""
        self.extended: dict[int, int] = {}
        """What adds members to a class -> that class, where the file has it."""
        self.results: dict[int, list[bytes]] = {}
        """Function that says nothing of what it returns -> the expressions that it does return."""
        self._results: dict[int, Value | None] = {}
        self.bases: dict[int, tuple[Scope, tuple[str, ...]]] = {}
        """Class -> the scope around it, its bases as written."""
        self._outer: dict[int, Value | None] = {}
        """Class -> the base of it that comes from an import."""
        self.receivers: set[str] = {syntax.receiver} if syntax.receiver else set()
        """Names by which methods of the file call their instance."""
        self.attributes: dict[tuple[int, str], list[tuple[Scope, bytes]]] = {}
        """(class, attribute) -> expressions assigned to it through the receiver, or its annotation."""
        self._attribute_values: dict[tuple[int, str], Value | None] = {}
        self._annotations: dict[str, tuple[str, ...]] = {}
        self._makers = re.compile(syntax.makers.encode()) if syntax.makers else None
        self._annotation = re.compile(syntax.annotation or r"^([\w.]+)$")
        self._collection = re.compile(syntax.collection) if syntax.collection else None

    def _find_stars(self, kinds: list[str]) -> list[int]:
        """Return the imports of all names of a module; those of all around a namespace open that instead."""
        stars = [index for index, item in enumerate(self.imports) if item.is_star and item.kind != "reexport"]
        if self.syntax.around_names is None:
            return stars
        outer = self.syntax.around_names[0]
        opened = {
            index: item.scope
            for index, item in enumerate(self.imports)
            if index in stars and item.specifier == outer and item.scope >= 0 and kinds[item.scope] == "namespace"
        }
        self.closed = {index for index, kind in enumerate(kinds) if kind == "namespace"} - set(opened.values())
        return [index for index in stars if index not in opened]

    def scope(self, index: int) -> Scope:
        """Return a scope of the layout, the module's for -1."""
        return self.scopes[index] if index >= 0 else self.module

    def bind_import(self, index: int, scope: int) -> None:
        """Bind the local name of an import in the scope of the layout that it stands in."""
        item = self.imports[index]
        if item.alias and item.kind != "reexport":
            value = Value(index, (), self.syntax.qualify(item))
            self.scope(scope).bind(item.alias, value)
            self.scope(scope).outer.setdefault(item.alias, value)

    def set_return(self, index: int, annotation: str) -> None:
        """Note what a function says it returns."""
        if annotation:
            self._returns[index] = (self.scopes[index].parent or self.module, annotation)

    def lookup(
        self,
        scope: Scope,
        name: str,
        *,
        is_written: bool = False,
        is_called: bool = False,
        is_path: bool = False,
    ) -> Value | None:
        """Return what a name means in a scope; None where it is unknown or bound to something unknown.

        Args:
            scope: Where it stands.
            name: The name.
            is_written: Whether a member of the class around is meant itself, not what it holds.
            is_called: Whether it stands alone before a parenthesis.
            is_path: Whether it begins a path: variables and functions have names apart from those of modules and types.
        """
        mark = self.syntax.outermost_mark
        if mark and name.startswith(mark):
            return self._outermost(name, name.removeprefix(mark))
        found = self._find(scope, name, is_written=is_written, is_called=is_called, is_path=is_path)
        if found is not None and name in self.syntax.inheritable and self._may_inherit(scope):
            return found._replace(qualified="") if found.root is not None else None
        return found

    def _find(self, scope: Scope, name: str, *, is_written: bool, is_called: bool, is_path: bool) -> Value | None:
        at: Scope | None = scope
        inner = True
        inherits = False
        is_apart = is_called and self.syntax.calls_apart and name not in {self.syntax.receiver, self.syntax.super_name}
        while at is not None:
            if name in at.types:
                return None
            # The names of a class body are not seen from its methods; with a keyword for the instance, from nowhere.
            if is_path and name in at.outer and not at.is_class:
                return at.outer[name]
            if at.is_class and self.syntax.implicit_members:
                own = self._own_name(at, name, is_written=is_written, is_called=is_called)
                if own is not None:
                    # A class in between may have the name from a base in another file: linking sees them all.
                    return Value(self.star, (name,), "") if inherits and self.star is not None else own
                if inner and not is_apart and name in at.names:
                    return None  # a parameter of the constructor, in what initialises the class
                inherits = inherits or at.index in self.bases
            elif is_apart and not self._is_callable(at, name):
                pass
            elif (
                name in at.names
                and not (at.is_class and (self.syntax.receiver or not inner))
                and not (is_path and name[0].islower())
            ):
                return at.values[name] if name in at.values else self._value(at, name)
            inner = False
            at = None if at.index in self.closed and at is self.scopes[at.index] else at.parent
        return self._unbound(name)

    def _may_inherit(self, scope: Scope) -> bool:
        """Return whether a scope is one of a class that has members which the file does not tell."""
        at: Scope | None = scope
        is_method = False
        while at is not None:
            if at.is_class:
                return at.index in self.bases
            is_method = is_method or (at.index >= 0 and self._kinds[at.index] == "method")
            at = at.parent
        return is_method

    def _unbound(self, name: str) -> Value | None:
        """Return what a name means that nothing in the file binds."""
        found = self._builtins.get(name)
        if name in self.syntax.outside:
            return found
        if self.star is not None and (found is not None or name not in self.syntax.reserved):
            # Bound by nothing here: a star import may bring it. Whether one does is for linking to see.
            return Value(self.star, (name,), found.qualified if found is not None else self._brought(name))
        return found

    def _outermost(self, marked: str, name: str) -> Value | None:
        """Return what a name means outside of all classes and namespaces."""
        if name in self.module.names:
            return self._value(self.module, name)
        found = self._builtins.get(name)
        if self.star is None or name in self.syntax.outside or name in self.syntax.reserved:
            return found
        return Value(self.star, (marked,), found.qualified if found is not None else "")

    def _is_callable(self, scope: Scope, name: str) -> bool:
        """Return whether a scope binds a name to something imported or defined, not to what a variable holds."""
        return any(
            isinstance(value, Value) and value.root is not None and not value.links and not value.is_instance
            for value in scope.names.get(name, ())
        )

    def _own_name(self, scope: Scope, name: str, *, is_written: bool, is_called: bool) -> Value | None:
        """Return what a name alone means in a class that declares it as a member."""
        index = self.extended.get(scope.index, scope.index)
        receiver = Value(-1 - index, (), "", is_instance=True)
        is_method = (index, name) in self.methods
        if is_called and is_method:
            return self.name(receiver, name)
        if is_called and self.syntax.calls_apart and not self._is_callable(scope, name):
            return None
        if (index, name) in self.attributes:
            held = None if is_written else self._attribute(index, name)
            return held or self.name(receiver, name)
        if is_method:
            return self.name(receiver, name)
        return self._value(scope, name) if name in scope.names else None

    def _brought(self, name: str) -> str:
        """Return the qualified name that a name has by the first import of all names that the effect table knows."""
        for prefix in self._star_prefixes:
            qualified = f"{prefix}.{name}" if prefix else name
            if qualified in self.syntax.effects.prefixes:
                return qualified
        return ""

    def _value(self, scope: Scope, name: str) -> Value | None:
        if name in scope.values:
            return scope.values[name]
        scope.values[name] = None  # a variable that depends on itself is unknown
        found: Value | None = None
        for candidate in scope.names[name]:
            value = self.expression(candidate, scope) if isinstance(candidate, bytes) else candidate
            if self.syntax.keeps_types and scope is not self.module:
                found = value
                if found is not None:
                    break
                continue
            if value is None:
                if isinstance(candidate, bytes) and candidate.decode("utf-8", "replace") in self.syntax.nothing:
                    continue
                if found is not None and found.root is not None and not found.links:
                    continue  # an import or definition that is also assigned stays what it is
                found = None
                break
            if found is not None and not _agree(found, value):
                if not found.links:
                    continue
                found = None
                break
            found = found or value
        scope.values[name] = found
        return found

    def expression(self, text: bytes, scope: Scope, depth: int = 0) -> Value | None:
        """Return what an expression that is one chain evaluates to; None for anything else."""
        if depth > MAX_DEPTH or len(text) > 2000:
            return None
        if text.endswith(b"[]"):
            return self.follow(self.expression(text[:-2], scope, depth + 1), (ITEM,), depth)
        made = self._makers.match(text) if self._makers else None
        if made is not None and made.lastindex:
            names = self.chains.names(made[made.lastindex])
            return self.follow(self.lookup(scope, names[0]), (*names[1:], CALL_MARK), depth + 1)
        links = self.chains.whole(text)
        if links is None:
            left, slash, _ = text.partition(b" / ")
            value = self.expression(left, scope, depth + 1) if slash else None
            kept = self.syntax.effects.returns.get(f"{value.qualified}./") if value else None
            return value if value and kept == value.qualified else None
        if links[-1] != CALL_MARK and text.lstrip().startswith(b"new "):
            links = (*links, CALL_MARK)  # `new Client`, in languages that leave the parentheses out
        is_path = bool(self.syntax.paths) and self._begins_path(text, links[0])
        is_called = links[1:2] == (CALL_MARK,)
        if is_called and links[0] in self.syntax.same_calls:
            return self.follow(self.lookup(scope, self.syntax.receiver), links[2:], depth)
        return self.follow(self.lookup(scope, links[0], is_called=is_called, is_path=is_path), links[1:], depth)

    def _begins_path(self, text: bytes, head: str) -> bool:
        """Return whether an expression begins with a path of modules and types."""
        first, joint, _ = text.partition(self.syntax.paths.encode())
        return bool(joint) and first.rstrip().endswith(head.encode())

    def annotation(self, text: str, scope: Scope, within: Scope | None = None, depth: int = 0) -> Value | None:
        """Return an instance of the class that an annotation names.

        Args:
            text: The annotation.
            scope: Where its names are looked up.
            within: The scope it stands in, whose parameters that stand for types are none of those names.
            depth: How many calls led to it.
        """
        items = self.items_of(text)
        if items:
            value = self.annotation(items, scope, within, depth)
            return value._replace(depth=value.depth + 1) if value is not None and value.depth < MAX_DEPTH else None
        links = self._annotations.get(text)
        if links is None:
            found = self._annotation.search(text) if len(text) < MAX_ATTR else None
            links = self._annotations[text] = self.chains.names(found[1].encode()) if found else ()
        while within is not None and links:
            if links[0] in within.types or (within is not self.module and within.names.get(links[0]) == [None]):
                return None
            within = within.parent
        if not links:
            return None
        is_path = bool(self.syntax.paths)
        return self.follow(self.lookup(scope, links[0], is_path=is_path), (*links[1:], CALL_MARK), depth + 1)

    def items_of(self, text: str) -> str:
        """Return the type of the items of what an annotation says is a collection; empty for any other."""
        if text.startswith(ITEM):
            return text[len(ITEM) :]
        found = self._collection.search(text) if self._collection is not None and len(text) < MAX_ATTR else None
        return found[found.lastindex or 0] if found else ""

    def follow(self, value: Value | None, links: tuple[str, ...], depth: int = 0) -> Value | None:
        """Return what a chain of attributes and calls on a value leads to."""
        for link in links:
            if value is None or depth > MAX_DEPTH or len(value.links) > MAX_STEPS:
                return None
            depth += link == CALL_MARK
            value = self._step(value, link, depth)
        return value

    def _step(self, value: Value, link: str, depth: int) -> Value | None:
        if value.depth:
            syntax = self.syntax
            if link == ITEM or link in syntax.item_calls:
                return value._replace(depth=value.depth - 1)
            is_same = link in syntax.same_items or link in syntax.transparent
            is_call = link == CALL_MARK and bool(syntax.same_items or syntax.item_calls or syntax.transparent)
            return value if is_same or is_call else None
        root, links = value[:2]
        if link == CALL_MARK and links and links[-1] in self.syntax.same_calls:
            qualified = value.qualified.removesuffix(f".{links[-1]}")
            is_instance = root is not None and root < 0 and len(links) == 1
            return Value(root, links[:-1], qualified, is_instance=is_instance)
        if link == ITEM:
            # What a name of another file gives is known there.
            return Value(root, (*links, ITEM), "") if links else None
        if link != CALL_MARK:
            held = self._attribute(-1 - root, link) if root is not None and root < 0 and not links else None
            return held if held is not None else self.name(value, link)
        return self._call(value, depth)

    def _call(self, value: Value, depth: int) -> Value | None:
        """Return what a call of a value gives."""
        root, links, qualified = value[:3]
        if links and links[-1] == SUPER:
            return value
        if self.syntax.call_method and (value.is_instance or links[-1:] == (CALL_MARK,)):
            value = self.name(value, self.syntax.call_method)
            root, links, qualified = value[:3]
        if root is not None and root < 0 and len(links) < 2:
            held = self._called(value, -1 - root, depth)
            if held is not None:
                return held
        qualified = self.syntax.effects.returns.get(qualified, qualified)
        return Value(root, (*links, CALL_MARK), qualified)

    def _called(self, value: Value, index: int, depth: int) -> Value | None:
        """Return what a call of a definition of the file gives: of a class, a function, or a method of a class."""
        if value.links:
            index = self.methods.get((index, value.links[0]), -1)
        elif self._class_kinds[index]:
            return value._replace(is_instance=True)  # its attributes are those of the class
        said = self._returns.get(index)
        held = self.annotation(said[1], said[0], depth=depth) if said else self.result(index)
        if held is None and not value.links and (said or index in self.results):
            return Value(value.root, (CALL_MARK,), "")
        return held

    def name(self, value: Value, link: str) -> Value:
        """Return the attribute itself, not what it holds: assigning `self.x` concerns x."""
        qualified = value.qualified
        if value.root is not None and value.root < 0 and (not value.links or value.links[-1] == SUPER):
            base = self.outer_base(-1 - value.root)
            own = (-1 - value.root, link) in self.methods and not value.links
            qualified = base.qualified if base is not None and not own else ""
        elif value.links and value.links[-1] != CALL_MARK:
            # A property: what it gives is known though it is not called.
            qualified = self.syntax.effects.returns.get(qualified, qualified)
        if link in self.syntax.transparent and qualified and f"{qualified}.{link}" not in self.syntax.effects.exact:
            return Value(value.root, (*value.links, link), qualified)
        return Value(value.root, (*value.links, link), f"{qualified}.{link}" if qualified else "")

    def result(self, index: int) -> Value | None:
        """Return what a function returns by the expressions that it returns; None where they are not one thing."""
        if index in self._results or index not in self.results:
            return self._results.get(index)
        self._results[index] = None
        found: Value | None = None
        for text in self.results[index]:
            value = self.expression(text, self.scopes[index], 1)
            if value is None and text.decode("utf-8", "replace") in self.syntax.nothing:
                continue
            if value is None or (found is not None and not _agree(found, value)):
                return None
            found = found or value
        if found is not None and (found.is_instance or found.links[-1:] == (CALL_MARK,)):
            self._results[index] = found
        return self._results[index]

    def outer_base(self, index: int) -> Value | None:
        """Return the base of a class that comes from an import, through bases in the file; None where there is none."""
        if index in self._outer:
            return self._outer[index]
        self._outer[index] = None
        scope, names = self.bases.get(index, (self.module, ()))
        for text in names:
            links = tuple(text.split("."))
            base = self.follow(self.lookup(scope, links[0]), links[1:])
            if base is None or base.root is None:
                continue
            if base.root < 0 and not base.links and base.root != -1 - index:
                base = self.outer_base(-1 - base.root)
            if base is not None and base.qualified:
                self._outer[index] = base
                break
        return self._outer[index]

    def _attribute(self, index: int, name: str) -> Value | None:
        key = (index, name)
        if key in self._attribute_values:
            return self._attribute_values[key]
        self._attribute_values[key] = None
        found: Value | None = None
        for scope, text in self.attributes.get(key, ()):
            if text.startswith(b":"):
                value = self.annotation(text[1:].decode("utf-8", "replace"), scope)
                if value is not None:
                    found = value  # what it is declared as goes before what is assigned
                    break
            else:
                value = self.expression(text, scope)
            if value is None and text.decode("utf-8", "replace") in self.syntax.nothing:
                continue
            if value is None or (found is not None and not _agree(found, value)):
                return None
            found = found or value
        self._attribute_values[key] = found
        return found


def _agree(one: Value, other: Value) -> bool:
    """Return whether two values are one thing, or instances of two classes of one library."""
    if one == other:
        return True
    is_same = one.root == other.root and one.root is not None and one.root >= 0
    made = one.links[-1:] == other.links[-1:] == (CALL_MARK,)
    return is_same and made and bool(one.qualified and other.qualified)
