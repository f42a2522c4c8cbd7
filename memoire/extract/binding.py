"""Tells every scope of a file what it binds: imports, definitions, parameters, variables, attributes of classes."""

import re

from tree_sitter import Node

from memoire.effects import BLOCK
from memoire.extract.chains import CALL_MARK, ITEM, SUPER, open_of
from memoire.extract.expressions import alternatives, settled
from memoire.extract.masking import value_of
from memoire.extract.results import results_of
from memoire.extract.scopes import Resolver
from memoire.extract.source import Source
from memoire.extract.stretches import Part
from memoire.extract.values import Scope, Value
from memoire.model import BASE, CALL, CLASS_KINDS, WRITE, Definition


class Binder:
    """Fills the scopes of a resolver.

    Args:
        source: The file.
        resolver: Its scopes, still empty.
    """

    def __init__(self, source: Source, resolver: Resolver) -> None:
        self._source = source
        self._syntax = source.syntax
        self._rows = source.rows
        self._layout = source.layout
        self._resolver = resolver
        self._with_body = {item.name for item in source.definitions if item.kind != "declaration"}
        """Qualified names that the file defines itself: what only declares one of them is no other thing."""
        self._variables = {item.name: index for index, item in enumerate(source.definitions) if item.kind == "variable"}
        self._classes: dict[str, int] = {}
        """Qualified name -> the class of the file, before what extends it."""
        for index, item in enumerate(source.definitions):
            known = self._classes.get(item.name)
            if item.kind in CLASS_KINDS and (known is None or source.definitions[known].kind == "extension"):
                self._classes[item.name] = index
        self.held: list[tuple[int, str, Part | None, Part | None]] = []
        """(class, attribute, annotation, value) of what classes declare and what is assigned to the instance."""
        self._static = (
            (self._syntax.static_mark + self._syntax.variable_mark).encode() if self._syntax.static_mark else b""
        )
        """What stands before the name of a static attribute."""
        self._injected = next((at for at, item in enumerate(resolver.imports) if item.kind == "injected"), -1)
        self._takers: set[int] = set()
        """Definitions whose parameters a test runner fills in."""
        self.called: list[tuple[int, int, str, int]] = []
        """(scope, root, attribute, offset) of calls that no text shows."""
        self._find_takers()
        self.names: set[bytes] = {name.encode() for name in source.syntax.effects.builtins}
        """Heads of chains that may be a use: what is bound to something known, and globals with effects."""
        self.skipped: set[int] = source.rows.keys | {
            item[3].start_byte for item in source.rows.definitions if item[2] != "anonymous"
        }
        """Offsets of names that are no use: introduced, parameters, keys."""
        if source.syntax.module_paths:  # what an extension adds to is named, not introduced
            self.skipped -= {item[3].start_byte for item in source.rows.definitions if item[2] == "extension"}

    def _find_takers(self) -> None:
        if self._injected < 0:
            return
        syntax = self._syntax
        is_fixture = re.compile(syntax.fixture_marks.encode()).search
        is_automatic = re.compile(syntax.automatic_marks.encode()).search
        for index, item in enumerate(self._source.definitions):
            if item.kind not in {"function", "method"}:
                continue
            header = self._source.header(index)
            if is_fixture(header):
                self._takers.add(index)
                if is_automatic(header):
                    self.called.append((-1, -1 - index, "", self._source.raw[index][0]))
            elif item.is_test:
                self._takers.add(index)

    def bind(self, import_scopes: list[int]) -> dict[int, int]:
        """Bind everything; return the offsets of chains that are more than read -> how.

        Args:
            import_scopes: The scope of the layout that each import of the file stands in.
        """
        for index, item in enumerate(self._resolver.imports):
            self._resolver.bind_import(index, import_scopes[index])
            self.names.add(item.alias.encode())
        for at, typevar in self._rows.typevars:
            self._scope(at).types.add(typevar.decode("utf-8", "replace"))
            self.skipped.add(at)
        for node in self._rows.named:
            known = self._classes.get(".".join(self._resolver.chains.names(self._text(node))))
            if known is None or self._source.definitions[known].kind == "extension":
                self.skipped.discard(node.start_byte)
        self._bind_definitions()
        self._note_results()
        picked = {node.start_byte for node, _, _ in self._rows.picked}
        for node in self._rows.locals:
            for start, name in self._resolver.chains.alone(self._text(node), node.start_byte):
                if start not in picked and start not in self._rows.items:
                    self._bind_local(start, name)
        self._bind_params()
        self._bind_implied()
        for block, about in self._rows.subjects:
            self._scope(block.start_byte).bind(self._syntax.subject, self._value(about))
            self.names.add(self._syntax.subject.encode())
        self._bind_fields()
        self._bind_given()
        written = self._bind_assignments()
        self._bind_picked()
        written |= self._bind_globals() | self._bind_assigned()
        self._bind_unassigned()
        marked = dict(self._tags())
        marked.update(dict.fromkeys(written, WRITE))
        for raw in self._source.raw:
            marked.update((node.start_byte, BASE) for node in raw[4])
        return marked

    def _text(self, node: Part) -> bytes:
        return self._source.src[node.start_byte : node.end_byte]

    def _name(self, node: Part) -> str:
        return self._source.text(node)

    def _value(self, node: Part) -> bytes:
        """Return the text of an expression without what does not change its value."""
        mark = self._syntax.static_prefix
        return value_of(self._source.src, self._source.code, settled(node, self._syntax)).replace(mark, mark[:-1])

    def _scope(self, offset: int) -> Scope:
        return self._resolver.scope(self._layout.at(offset))

    def _owner(self, offset: int) -> int:
        """Return the innermost definition at an offset; -1 = module."""
        return self._layout.holders[self._layout.at(offset)]

    def _tags(self) -> list[tuple[int, int]]:
        """Return the offsets of JSX elements that call a component; those that are HTML are no names."""
        tags = [(node.start_byte, self._text(node)[:1]) for node in self._rows.tags]
        self.skipped |= {start for start, first in tags if first.islower()}
        return [(start, CALL) for start, first in tags if not first.islower()]

    def _bind_definitions(self) -> None:
        for index, item in enumerate(self._source.definitions):
            name = self._source.raw[index][3]
            if item.kind == "variable":
                self.names.add(name)
                continue  # bound by its assignments
            scope = self._resolver.scope(self._layout.parents[index])
            self._note_bases(index, item, scope)
            self._resolver.set_return(index, item.returns)
            if item.kind in {"method", "function", "declaration"}:
                self._note_method(index, item, name)
            if item.kind == "declaration" and item.name in self._with_body:
                continue
            self._put_inside(index, item, name)
            if self._syntax.receiver or self._syntax.own_types or self._syntax.super_name:
                self._bind_receiver(index, scope)
            if self._is_unnamed(index, item, scope):
                continue
            text = name.decode("utf-8", "replace")
            scope.bind(text, Value(-1 - index, (), ""))
            self._bind_outer(index, item, scope, text)
            if not scope.is_class or self._syntax.implicit_members:
                self.names.add(name)

    def _note_bases(self, index: int, item: Definition, scope: Scope) -> None:
        """Note what a class has members from: its bases, and an extension the class that it adds to."""
        bases = item.bases
        if item.kind == "extension":
            self._resolver.extended[index] = self._class_of(index)
            bases = (item.name, *bases) if self._class_of(index) == index else bases
        if bases:
            self._resolver.bases[index] = (scope, bases)

    def _is_unnamed(self, index: int, item: Definition, scope: Scope) -> bool:
        """Return whether the name of a definition alone does not mean it: a method of an object, a constructor."""
        if item.kind == "extension" and self._resolver.star is not None and self._class_of(index) == index:
            return True  # its name is that of a type which another file brings
        if not scope.is_class:
            return item.kind == "method"
        if not self._syntax.implicit_members:
            return False
        around = self._source.definitions[item.parent].name if item.parent >= 0 else ""
        return item.name.rpartition(".")[2] == around.rpartition(".")[2]

    def _put_inside(self, index: int, item: Definition, name: bytes) -> None:
        """Let a member that is defined outside of its class see the names of that, where names alone may be members."""
        if self._syntax.implicit_members and b"." in name and item.kind in {"method", "function"}:
            around = self._classes.get(item.name.rpartition(".")[0], -1)
            if around >= 0:
                self._resolver.scopes[index].parent = self._resolver.scope(around)

    def _note_method(self, index: int, item: Definition, name: bytes) -> None:
        """Note a method by its class: the one it stands in, or that it names where it stands outside."""
        text = name.decode("utf-8", "replace")
        owner, _, last = text.rpartition(".")
        around = self._classes.get(item.name.rpartition(".")[0], -1) if owner or item.kind != "function" else -1
        if around >= 0:
            self._resolver.methods.setdefault((around, last), index)

    def _bind_receiver(self, index: int, around: Scope) -> None:
        """Bind what a method calls its instance, its class and the bases of that; in a class for its initialisers."""
        syntax = self._syntax
        inner = self._resolver.scopes[index]
        item = self._source.definitions[index]
        if inner.is_class:
            at = index
        elif item.kind == "method" or b"." in self._source.raw[index][3]:
            at = around.index if around.is_class else self._classes.get(item.name.rpartition(".")[0], -1)
        else:
            return
        if at < 0:
            owner = item.name.rpartition(".")[0] if syntax.extension_members == "functions" else ""
            if owner and item.kind == "method":
                inner.bind(syntax.receiver, self._resolver.annotation(owner, around, inner))
                self.names.add(syntax.receiver.encode())
            else:
                self._bind_outer_receiver(index, around)
            return
        at = self._class_of(at)
        if syntax.receiver:
            inner.bind(syntax.receiver, Value(-1 - at, (), "", is_instance=True))
            self._resolver.receivers.add(syntax.receiver)
        for name in syntax.own_types:
            inner.bind(name, Value(-1 - at, (), ""))
            inner.outer[name] = Value(-1 - at, (), "")
        if syntax.super_name:
            inner.bind(syntax.super_name, Value(-1 - at, (SUPER,), "", is_instance=True))
        words = (syntax.receiver, syntax.super_name, *syntax.own_types)
        self.names.update(name.encode() for name in words if name)

    def _bind_outer_receiver(self, index: int, around: Scope) -> None:
        """Bind the instance in a member whose class another file defines."""
        owner = self._source.raw[index][3].decode("utf-8", "replace").split(".")[:-1]
        if self._syntax.receiver and owner:
            value = self._resolver.lookup(around, owner[0])
            value = self._resolver.follow(value, (*owner[1:], CALL_MARK))
            self._resolver.scopes[index].bind(self._syntax.receiver, value)
            self.names.add(self._syntax.receiver.encode())

    def _bind_outer(self, index: int, item: Definition, scope: Scope, name: str) -> None:
        """Bind what may begin a path: modules and types, and how code in a namespace calls what it lies in, and it."""
        if item.kind in CLASS_KINDS or item.kind in {"namespace", "type"}:
            scope.outer.setdefault(name, Value(-1 - self._class_of(index), (), ""))
        if item.kind != "namespace" or self._syntax.module_paths is None:
            return
        outer, own = self._syntax.module_paths.outer, self._syntax.module_paths.own
        inner = self._resolver.scopes[index]
        module = next((at for at, each in enumerate(self._resolver.imports) if each.alias == own), None)
        around = -1 - item.parent if item.parent >= 0 else module
        if around is not None:
            inner.bind(outer, Value(around, (), ""))
            inner.outer[outer] = Value(around, (), "")
        inner.bind(own, Value(-1 - index, (), ""))
        inner.outer[own] = Value(-1 - index, (), "")

    def _class_of(self, index: int) -> int:
        """Return the class of the file that an extension adds to, or the definition itself."""
        item = self._source.definitions[index]
        return self._classes.get(item.name, index) if item.kind == "extension" else index

    def _bind_params(self) -> None:
        first: set[int] = set()
        given = {left.start_byte for left, _, value in self._rows.binds if value is not None}
        for start, text, annotation in self._rows.params:
            if start in given and not annotation:
                continue
            owner = self._owner(start)
            name = text.lstrip(b"*.").decode("utf-8", "replace")
            self.skipped.add(start + len(text) - len(text.lstrip(b"*.")))
            scope = self._scope(start)
            value: Value | None = None
            if owner >= 0 and owner not in first and self._is_method(owner):
                first.add(owner)
                value = Value(-1 - self._source.definitions[owner].parent, (), "", is_instance=True)
                self._resolver.receivers.add(name)
            if value is None and annotation and not text.startswith(b"*"):
                value = self._resolver.annotation(annotation.decode("utf-8", "replace"), scope.parent or scope, scope)
            if self._injected >= 0 and owner in self._takers and name not in self._resolver.receivers:
                self.called.append((owner, self._injected, name, start))
                value = value or Value(self._injected, (name, CALL_MARK), "")
            if value:
                self.names.add(name.encode())
            scope.bind(name, value)

    def _bind_implied(self) -> None:
        """Bind the parameter that functions have which name none, and what blocks run inside of."""
        name = self._syntax.implied
        for start, (held, is_item) in self._rows.implied.items() if name else ():
            value = self._value(held) + (ITEM.encode() if is_item else b"") if held is not None else None
            self._scope(start + 1).bind(name, value)
            self.names.add(name.encode())
        for start, held in self._rows.within.items():
            self._scope(start + 1).bind(self._syntax.receiver, self._value(held))

    def _note_results(self) -> None:
        """Note what functions return that do not say it."""
        for owner, text in results_of(self._source, self._owner, self._value):
            self._resolver.results.setdefault(owner, []).append(text)

    def _is_method(self, index: int) -> bool:
        """Return whether the first parameter of a definition is the instance."""
        item = self._source.definitions[index]
        if self._syntax.receiver or item.kind != "method" or item.parent < 0:
            return False
        header = self._source.header(index)
        return not any(f"@{name}".encode() in header for name in self._syntax.static_decorators)

    def _bind_local(self, start: int, name: str) -> None:
        scope = self._scope(start)
        index = self._variables.get(name) if scope is self._resolver.module else None
        scope.bind(name, None if index is None else Value(-1 - index, (), ""))
        self.skipped.add(start)

    def _bind_fields(self) -> None:
        """Note what the attributes that a class declares hold."""
        scopes = self._resolver.scopes
        for node, annotation, value in self._rows.fields:
            if annotation is None or annotation.start_byte != node.start_byte:
                self.skipped.add(node.start_byte)  # what is embedded goes by the name of its type
            index = self._owner(node.start_byte)
            if index >= 0 and not scopes[index].is_class:
                index = self._source.definitions[index].parent  # a parameter of the constructor that is an attribute
            if index >= 0 and scopes[index].is_class:
                self.names.add(self._text(node))
                self._hold(index, self._name(node), scopes[index], annotation, value)

    def _bind_given(self) -> None:
        """Note the attributes that bases give by their type arguments."""
        for index, name, held in self._source.given():
            self._hold(index, name, self._resolver.scopes[index], held, None)

    def _bind_picked(self) -> None:
        """Bind the names that patterns take out of values, and note what the objects of variables hold."""
        for owner, key, value in self._rows.entries:
            index = self._variables.get(owner.decode("utf-8", "replace"))
            if index is not None:
                self._hold(index, self._name(key), self._resolver.module, None, value)
        for node, key, value in self._rows.picked:
            start = node.start_byte
            self.skipped.add(start)
            self.names.add(self._text(node))
            index = self._variables.get(self._name(node)) if self._layout.at(start) < 0 else None
            text = self._value(value) + b"." + self._text(key)
            taken: Value | bytes = text
            if index is not None:
                taken = self._resolver.expression(text, self._resolver.module) or Value(-1 - index, (), "")
            self._scope(start).bind(self._name(node), taken)

    def _hold(self, index: int, name: str, scope: Scope, annotation: Part | None, value: Part | None) -> None:
        index = self._class_of(index)
        if value is not None and annotation is None:
            *others, value = alternatives(value, self._syntax)
            for other in others:
                self._hold(index, name, scope, None, other)
        self.held.append((index, name, annotation, value))
        held = b":" + self._text(annotation) if annotation else self._value(value) if value else b""
        self._resolver.attributes.setdefault((index, name), []).append((scope, held))

    def _bind_assignments(self) -> set[int]:
        """Bind what declarations and assignments say; return the offsets of chains that are written."""
        written = {node.start_byte for node in self._rows.writes}
        for left, annotation, right in self._rows.binds:
            start = left.start_byte
            place = self._rows.shadowing.get(start, start)
            at = self._layout.hoisted(start) if start in self._rows.hoisted else self._layout.at(place)
            scope = self._resolver.scope(at)
            mark = self._syntax.member_mark
            if mark and self._name(left).startswith(mark):
                written.add(start)
                self._bind_member(left, annotation, right)
            elif left.type in self._syntax.name_nodes:
                self._bind_name(scope, left, annotation, right)
                is_value = right is not None and alternatives(right, self._syntax)[-1].type in self._syntax.value_nodes
                if annotation is not None or scope is self._resolver.module or is_value:
                    self.names.add(self._text(left))
                # The first assignment of a module variable introduces it; later ones, and those of `global`s, write.
                self.skipped.add(start)
            elif left.type in self._syntax.attribute_nodes:
                written.add(start)
                self._bind_attribute(scope, self._text(left), annotation, right)
            elif left.type in self._syntax.item_nodes:
                written.add(start)
            else:
                for offset, name in self._resolver.chains.alone(self._text(left), start):
                    scope.bind(name, None)
                    self.skipped.add(offset)
        return written

    def _bind_name(self, scope: Scope, left: Node, annotation: Part | None, right: Part | None) -> None:
        module = self._resolver.module
        name = self._name(left)
        if right is None and annotation is None and scope is not module:
            scope.names.setdefault(name, [])  # declared; what it holds is assigned later
            return
        value: Value | bytes | None = None
        if right is not None and scope is not module:
            *others, right = alternatives(right, self._syntax)
            for other in others:
                scope.bind(name, self._value(other))
        if annotation is not None:
            value = self._resolver.annotation(self._name(annotation), module, scope)
        if value is None and right is not None:
            value = self._handed(right) if left.start_byte in self._rows.handed else self._value(right)
            value += ITEM.encode() if left.start_byte in self._rows.items else b""
            if left.start_byte in self._rows.shadowing:
                value = self._resolver.expression(value, scope.parent or module)
        if scope is module and (index := self._variables.get(name)) is not None:
            held = self._resolver.expression(value, module) if isinstance(value, bytes) else value
            # A variable that holds something known stands for it, and for itself otherwise.
            value = held or Value(-1 - index, (), "")
            if held is not None and self._syntax.keeps_types:
                value = held._replace(variable=index)
        scope.assign(name, value)

    def _handed(self, call: Part) -> bytes:
        """Return an expression of what a call hands to its block: the callee, marked as such."""
        text = self._value(call)
        return text[: max(open_of(text, len(text) - 1), 0) if text.endswith(b")") else None] + BLOCK.encode()

    def _bind_attribute(self, scope: Scope, text: bytes, annotation: Part | None, right: Part | None) -> None:
        """Note what is assigned to an attribute of the receiver: `self.x = …`."""
        links = self._resolver.chains.whole(text)
        if links is None or len(links) != 2:
            return
        receiver = self._syntax.receiver
        at: Scope | None = scope
        while at is not None and at.index >= 0:
            parent = self._source.definitions[at.index].parent
            if parent >= 0 and self._resolver.scopes[parent].is_class:
                is_own = links[0] == receiver or links[0] in self._syntax.own_types
                if is_own or (not receiver and links[0] in at.names):
                    self._hold(parent, links[1].removeprefix(self._syntax.variable_mark), scope, annotation, right)
                return
            at = at.parent

    def _bind_member(self, left: Node, annotation: Part | None, right: Part | None) -> None:
        """Note what is assigned to an instance variable of the class around: `@x = …`."""
        at = self._owner(left.start_byte)
        while at >= 0 and not self._resolver.scopes[at].is_class:
            at = self._source.definitions[at].parent
        if at >= 0:
            self.names.add(self._text(left))
            self._hold(at, self._name(left), self._scope(left.start_byte), annotation, right)

    def _bind_unassigned(self) -> None:
        """Bind the variables of the module that are declared in another way than by an assignment."""
        module = self._resolver.module
        for name, index in self._variables.items():
            if "." not in name and name not in module.names:
                module.bind(name, Value(-1 - index, (), ""))

    def _bind_globals(self) -> set[int]:
        """Return the offsets at which a name declared global is assigned: it is the module's, so that writes state."""
        written: set[int] = set()
        declared = {(self._owner(start), name.decode("utf-8", "replace")) for start, name in self._rows.globals}
        for owner, name in declared:
            names = self._resolver.scope(owner).names
            names.pop(name, None)
            index = self._variables.get(name)
            if self._syntax.uncaptured and index is not None:
                names[name] = [Value(-1 - index, (), "")]
        if declared:
            for left, _, _ in self._rows.binds:
                if (
                    left.type in self._syntax.name_nodes
                    and (self._owner(left.start_byte), self._name(left)) in declared
                ):
                    self.skipped.discard(left.start_byte)
                    written.add(left.start_byte)
        self.skipped.update(start for start, _ in self._rows.globals)
        return written

    def _bind_assigned(self) -> set[int]:
        """Bind what is assigned to a name that a scope around declares; return the offsets that write the module's."""
        written: set[int] = set()
        for node, right in self._rows.assigns:
            name = self._name(node)
            scope: Scope | None = self._scope(node.start_byte)
            while scope is not None and name not in scope.names:
                scope = scope.parent
            if scope is None:
                if self._resolver.star is not None:
                    written.add(node.start_byte)  # a variable of the module that another file declares
                continue
            value = self._value(right) if right else b""
            if scope is self._resolver.module:
                written.add(node.start_byte)
                if self._syntax.variable_mark:
                    continue  # what a function assigns is known where that runs
                index = self._variables.get(name)
                if index is not None and self._resolver.expression(value, scope) is None:
                    continue  # it stays itself
                if index is not None and scope.names[name] == [Value(-1 - index, (), "")]:
                    scope.names[name] = []
            self.names.add(name.encode())
            scope.bind(name, value)
        return written
