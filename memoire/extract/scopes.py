"""Resolves the names of one file inside that file: each use to an import or a definition, never by bare name.

Names are read from the source with strings and comments masked, in one pass of a regular expression that knows dotted
chains; the syntax tree says where scopes begin and end and what each binds. That costs a quarter of asking the tree
for every identifier. A name bound by its scope shadows the same name outside; a variable with two different values
is unknown, and a use of it is left out rather than guessed.
"""

import re

from memoire.extract.chains import CALL_MARK, ITEM, MAX_ATTR, MAX_DEPTH, MAX_STEPS, SUPER, Chains, open_of
from memoire.extract.expressions import begins_path, element, first_argument, operated
from memoire.extract.folding import Spellings
from memoire.extract.regions import FUNCTIONS, Layout
from memoire.extract.spec import Syntax
from memoire.extract.stars import brought, prefixes, stars_of
from memoire.extract.values import ROOT, Scope, Value, agree, deeper, dotted, is_callable, is_defined, says_nothing
from memoire.model import CLASS_KINDS, Import


class Resolver:
    """The scopes of one file.

    Args:
        syntax: The language.
        chains: Its chain grammar.
        imports: All imports of the file.
        kinds: Kind of each definition.
        layout: The scopes and where they lie.
    """

    closures: frozenset[int] = frozenset()
    """Functions that see the variables around them, though those of the language do not."""

    def __init__(self, syntax: Syntax, chains: Chains, imports: list[Import], kinds: list[str], layout: Layout) -> None:
        self.syntax, self.chains, self.imports = syntax, chains, imports
        self.module = Scope(-1, None, is_class=False)
        stars, self.sealed = stars_of(syntax, imports, kinds)
        self.star = max(stars, default=None)
        """The last import of all names of a module; None where there is none."""
        self._star_prefixes = prefixes(syntax, imports, stars)
        self._builtins = {name: Value(None, (), qualified) for name, qualified in syntax.effects.builtins.items()}
        self._spellings = Spellings((self.module.names, self._builtins), syntax)
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
        self.properties: set[tuple[int, str]] = set()
        """(class, name) of methods that are called by being named."""
        self.attributes: dict[tuple[int, str], list[tuple[Scope, bytes]]] = {}
        """(class, attribute) -> expressions assigned to it through the receiver, or its annotation."""
        self._attribute_values: dict[tuple[int, str], Value | None] = {}
        self._annotations: dict[str, tuple[str, ...]] = {}
        self._makers = re.compile(syntax.makers.encode()) if syntax.makers else None
        self._passing = re.compile(syntax.passing.encode()) if syntax.passing else None
        self._annotation = re.compile(syntax.annotation or r"^([\w.]+)$")
        self._collection = re.compile(syntax.collection) if syntax.collection else None

    def scope(self, index: int) -> Scope:
        """Return a scope of the layout, the module's for -1."""
        return self.scopes[index] if index >= 0 else self.module

    def bind_import(self, index: int, scope: int) -> None:
        """Bind the local name of an import in the scope of the layout that it stands in."""
        item = self.imports[index]
        if item.alias and (item.kind != "reexport" or self.syntax.binds_reexports):
            qualified = ROOT if self.is_root(index) else self.syntax.qualify(item)
            value = Value(index, (), qualified)
            self.scope(scope).bind(item.alias, value)
            self.scope(scope).outer.setdefault(item.alias, value)

    def is_root(self, index: int) -> bool:
        """Return whether an import is that of the root of all namespaces."""
        mark = self.syntax.root_name
        return bool(mark) and 0 <= index < len(self.imports) and self.imports[index].alias == mark

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
        mark = self.syntax.root_prefix
        if mark and name.startswith(mark):
            return self._at_root(name, name.removeprefix(mark))
        if self.syntax.uncaptured:
            return self._lookup_uncaptured(scope, name, is_written=is_written, is_called=is_called)
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
                    return self._value(at, name)  # a parameter of the constructor, in what initialises the class
                inherits = inherits or at.index in self.bases
            elif is_apart and not is_callable(at, name):
                pass
            elif (
                name in at.names
                and not (at.is_class and (self.syntax.receiver or not inner))
                and not (is_path and name[0].islower())
            ):
                return at.values[name] if name in at.values else self._value(at, name)
            inner = False
            at = None if at.index in self.sealed and at is self.scopes[at.index] else at.parent
        return self._member(scope, name) or self._unbound(name)

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

    def _lookup_uncaptured(self, scope: Scope, name: str, *, is_written: bool, is_called: bool) -> Value | None:
        """Return what a name means where functions do not see the variables around them: see `Syntax.uncaptured`."""
        at: Scope | None = scope
        syntax = self.syntax
        is_uncaptured = re.match(syntax.uncaptured, name) is not None
        is_own = name in syntax.own_types or name == syntax.super_name
        is_outside = is_beyond = False
        while at is not None:
            is_seen = not is_outside or is_defined(at, name, self._kinds)
            if at.is_class and syntax.implicit_members:
                found = self._own_name(at, name, is_written=is_written, is_called=is_called, is_hidden=not is_seen)
                if found is not None and not is_beyond:
                    return found
                is_beyond = is_uncaptured
            elif name in at.names and is_seen and (not at.is_class or is_own):
                return at.values[name] if name in at.values else self._value(at, name)
            is_outside = is_outside or (is_uncaptured and self._closes(at))
            at = at.parent
        return self._unbound(name)

    def _member(self, scope: Scope, name: str) -> Value | None:
        """Return what a name alone means as a member that a library gives to the class, or the receiver, around."""
        effects, receiver = self.syntax.effects, self.syntax.receiver
        at: Scope | None = scope if name in effects.members_named and self.syntax.implicit_members else None
        while at is not None:
            value = self.outer_base(at.index) if at.is_class else None
            value = self._value(at, receiver) if value is None and receiver in at.names else value
            if value is not None and not value.depth and effects.acts(self.name(value, name).qualified):
                return self.name(value, name)
            at = at.parent
        return None

    def _unbound(self, name: str) -> Value | None:
        """Return what a name means that nothing in the file binds."""
        spelled = self._spellings.of(name)
        if spelled != name and spelled in self.module.names:
            return self._value(self.module, spelled)
        found = self._builtins.get(spelled)
        if name in self.syntax.outside:
            return found
        is_marked = bool(self.syntax.variable_mark) and name.startswith(self.syntax.variable_mark)
        is_bringable = found is not None or name not in self.syntax.reserved
        if self.star is not None and is_bringable and not is_marked:
            # Bound by nothing here: a star import may bring it. Whether one does is for linking to see.
            known = self.syntax.effects.prefixes
            qualified = found.qualified if found is not None else brought(name, self._star_prefixes, known)
            return Value(self.star, (name,), qualified)
        return found

    def _at_root(self, marked: str, name: str) -> Value | None:
        """Return what a name means outside of all classes and namespaces."""
        if name in self.module.names:
            return self._value(self.module, name)
        found = self._builtins.get(name)
        if self.star is None or name in self.syntax.outside or name in self.syntax.reserved:
            return found
        return Value(self.star, (marked,), found.qualified if found is not None else "")

    def _closes(self, scope: Scope) -> bool:
        """Return whether a scope is that of a function or class with a name, which is no closure."""
        index = scope.index
        is_own = index >= 0 and self.scopes[index] is scope and index not in self.closures
        return is_own and (self._class_kinds[index] or self._kinds[index] in FUNCTIONS)

    def _own_name(
        self, scope: Scope, name: str, *, is_written: bool, is_called: bool, is_hidden: bool = False
    ) -> Value | None:
        """Return what a name alone means in a class that declares it as a member."""
        index = self.extended.get(scope.index, scope.index)
        receiver = Value(-1 - index, (), "", is_instance=True)
        is_method = (index, name) in self.methods
        if is_called and is_method:
            return self.name(receiver, name)
        if is_called and self.syntax.calls_apart and not is_callable(scope, name):
            return None
        if (index, name) in self.attributes:
            held = None if is_written else self.attribute(index, name)
            return held or self.name(receiver, name)
        if is_method:
            return self.name(receiver, name)
        return self._value(scope, name) if name in scope.names and not is_hidden else None

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
                if isinstance(candidate, bytes) and says_nothing(candidate, name, self.syntax.nothing):
                    continue
                if found is not None and found.root is not None and not found.links:
                    continue  # an import or definition that is also assigned stays what it is
                found = None
                break
            if found is not None and not agree(found, value, self.syntax.effects.given):
                if not found.links:
                    continue
                found = None
                break
            # `x = x.parent` is told by what it held before.
            found = scope.values[name] = found or value
        scope.values[name] = found
        return found

    def expression(self, text: bytes, scope: Scope, depth: int = 0) -> Value | None:
        """Return what an expression that is one chain evaluates to; None for anything else."""
        if depth > MAX_DEPTH or len(text) > 2000:
            return None
        if self.syntax.texts and text[:1] == b'"':
            return self.follow(self.lookup(scope, self.syntax.texts), (CALL_MARK,), depth)
        is_item = text.endswith(b"]" if self._collection else b"[]")
        if is_item and (opening := open_of(text, len(text) - 1, b"[]")) >= 0:
            value = self.expression(text[:opening] or element(text), scope, depth + 1)
            return self.follow(value, (ITEM,), depth) if opening else deeper(value)
        made = self._makers.match(text) if self._makers else None
        if made is not None and made.lastindex:
            names = self.chains.names(made[made.lastindex])
            return self.follow(self.lookup(scope, names[0]), (*names[1:], CALL_MARK), depth + 1)
        passing = self._passing.match(text) if self._passing else None
        if passing:
            return self.expression(first_argument(text, passing.end()), scope, depth + 1)
        links = self.chains.whole(text)
        if links is None:
            left, method = operated(text, self.syntax.operators)
            value = self.expression(left, scope, depth + 1) if method else None
            return self.follow(value, (method, CALL_MARK), depth + 1)
        if links[-1] != CALL_MARK and text.lstrip().startswith(b"new "):
            links = (*links, CALL_MARK)  # `new Client`, in languages that leave the parentheses out
        paths = self.syntax.module_paths
        is_path = paths is not None and begins_path(text, links[0], paths.joint)
        is_called = links[1:2] == (CALL_MARK,)
        if is_called and links[0] in self.syntax.returns_receiver:
            return self.follow(self.lookup(scope, self.syntax.receiver), links[2:], depth)
        return self.follow(self.lookup(scope, links[0], is_called=is_called, is_path=is_path), links[1:], depth)

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
            return deeper(self.annotation(items, scope, within, depth))
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
        is_path = self.syntax.module_paths is not None
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
        if link == CALL_MARK and links and links[-1] in self.syntax.returns_receiver:
            qualified = value.qualified.removesuffix(f".{links[-1]}")
            is_instance = root is not None and root < 0 and len(links) == 1
            return Value(root, links[:-1], qualified, is_instance=is_instance)
        if link == ITEM:
            # What a name of another file gives is known there.
            item = self.syntax.effects.returns.get(f"{value.qualified}{ITEM}", "")
            return Value(root, (*links, ITEM), item) if links or item else None
        if link != CALL_MARK:
            value = self.given(value)
            root, links = value[:2]
            held = self.attribute(-1 - root, link) if root is not None and root < 0 and not links else None
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
        given = self.syntax.effects.given(qualified)
        item = self.syntax.effects.returns.get(f"{qualified}{ITEM}", "") if self.syntax.same_items else ""
        return Value(root, (*links, CALL_MARK), item or given, depth=int(bool(item)))

    def given(self, value: Value) -> Value:
        """Return what naming a function of the file gives, where that calls it: what it returns, or the value itself.

        A method without results of its own that is called like an instance variable gives that.
        """
        root, links = value.root, value.links
        if not self.syntax.member_mark or root is None or root >= 0 or len(links) > 1:
            return value
        around = -1 - root
        index = self.methods.get((around, links[0]), -1) if links else around
        if index < 0 or self._kinds[index] not in FUNCTIONS:
            return value
        held = self._called(value, around, 1)
        if held is None and links:
            held = self.attribute(around, f"{self.syntax.member_mark}{links[0]}")
        return held or value

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
            qualified = self.syntax.effects.given(qualified)
        if link in self.syntax.transparent and qualified and f"{qualified}.{link}" not in self.syntax.effects.exact:
            return Value(value.root, (*value.links, link), qualified)
        return Value(value.root, (*value.links, link), dotted(qualified, link))

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
            if value is None or (found is not None and not agree(found, value, self.syntax.effects.given)):
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
            if base is None or not base.qualified:
                continue
            if base.qualified in self.syntax.effects.prefixes:
                self._outer[index] = base  # of several it is the one that is known to have something
                break
            self._outer[index] = self._outer[index] or base
        return self._outer[index]

    def attribute(self, index: int, name: str) -> Value | None:
        """Return what an attribute of a class of the file holds; None where that is unknown."""
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
            if value is None or (found is not None and not agree(found, value, self.syntax.effects.given)):
                return None
            found = found or value
        if found is None and key in self.properties:
            found = self._called(Value(-1 - index, (name,), ""), index, 1)
        self._attribute_values[key] = found
        return found
