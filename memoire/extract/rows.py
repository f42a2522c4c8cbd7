"""Reads one syntax tree into rows with one combined query. With `guards`, the only importer of tree_sitter.

The capture vocabulary, the same for every language:

| capture | meaning |
|---|---|
| `@def.KIND` `@name` `@bases` `@returns` `@body` | a definition; `@decorated` `@inner` widens it to its decorators |
| `@base` | a base of the class around that stands in its body: what a struct embeds |
| `@def.constructor` | a method that is called `constructor`, whatever its `@name` is |
| `@def.anonymous` | the body of a class without a name; `@name` is what it extends |
| `@implied` with `@value` or `@item` | a function without parameters whose own, `Syntax.implied`, holds it |
| `@typevar` | a parameter that stands for a type in the definition around |
| `@attribute` | stands before a definition and belongs to it: `#[test]` |
| `@head` | the first name of a path: a module of this name is imported, where nothing in the file is called so |
| `@owner` with `@def.KIND` | the type that a definition outside of it belongs to: `func (s *Server) Run` |
| `@package` | the package or namespace that the whole file is in |
| `@picked` `@value`, `@picked.key` | a name that a pattern takes out of a value, under its own or another name |
| `@entry.of` `@entry` `@value` | what an object that a variable of the module holds has under a name |
| `@returned`, `@yielded` | what a function returns, or yields |
| `@called` | a type of which an instance is made without a call that shows it: `File file(path);` |
| `@command` | arguments without parentheses: what stands before them is called |
| `@def.signature`, `@def.member`, `@def.taken` | a definition if it stands in the right place: see `regions.settle` |
| `@def.outer` | a variable whose name belongs around the definition that it stands in: a constant of an enum in C |
| `@def.define` | a macro: its name is that of no scope around |
| `@def.test` | a function made by a macro of a test framework; goes before what else the same node is |
| `@extends` `@type` | a function that is called as a member of the type: `static int Twice(this Pool pool)` |
| `@private` | definitions inside it are seen by no other file |
| `@imp` with `@imp.module` / `@imp.from` `@imp.name` `@imp.alias` `@imp.star` `@imp.default` `@imp.ns` | one binding |
| `@reexp` with `@imp.from`, `@imp.name`, `@imp.alias`, `@imp.star` | names passed on from another module |
| `@imp.clause` | all names of one statement, for `Syntax.read_import` to read |
| `@dyn` with `@imp.from` | `import("x")`, `require("x")` |
| `@export.local` `@export.name` | an exported local name (languages that say so) |
| `@export.whole` | the local name of what stands for the module itself: `return M` |
| `@heir` `@bases` | a class of the file and what it inherits, said in a statement of its own |
| `@def.table` | an object that functions may be given to by name: see `regions.settle` |
| `@comment` `@skip` `@hide` | no code: masked before names are read; `@doc` is a docstring |
| `@code` | what is code inside of a `@skip`: an expression in a string |
| `@param` `@type`, `@bind` `@type` `@value`, `@local`, `@global` | names that a scope binds itself |
| `@item` instead of `@value` | what a bound name holds an item of: `for x in xs`, `x = xs[0]` |
| `@scope`, `@braces` | a function, a block without a name that binds names itself |
| `@hoist` | a declared name that passes blocks by |
| `@assign` `@value` | an assignment to what a scope around declares |
| `@field` `@type` `@value` | an attribute of the class around |
| `@annotation` | a type that stands for itself |
| `@tag` | an element of JSX: one with a capital letter is called |
| `@generic`, `@tagged` | type arguments of a call (or their brackets), a template that is one: see `masking` |
| `@write` | assigned in place; `@key` a name that is no use (keyword, object key) |
| `@block` | an indented block: its end is part of the fingerprint |
| `@cond` `@guarded`, `@tried` | code that does not always run |
"""

from collections.abc import Callable
from typing import NamedTuple

from tree_sitter import Node

from memoire.extract.inheritance import bases_in
from memoire.extract.regions import Region


class Line(NamedTuple):
    """A statement that was found by its text: what a node of the tree says of its place."""

    start_byte: int
    end_byte: int
    start_point: tuple[int, int]
    """(line, column), both from 0 on."""


class Rows:
    """What one tree holds, as plain tuples of byte offsets and bytes, in the order of the query's matches."""

    __slots__ = (
        "assigns",
        "attributes",
        "bases",
        "binds",
        "blocks",
        "called",
        "codes",
        "commands",
        "comments",
        "decorated",
        "definitions",
        "docs",
        "entries",
        "exports",
        "extends",
        "fields",
        "generics",
        "globals",
        "guarded",
        "heads",
        "heirs",
        "hidden",
        "hoisted",
        "implied",
        "imports",
        "items",
        "keys",
        "locals",
        "packages",
        "params",
        "picked",
        "private",
        "regions",
        "returned",
        "shadowing",
        "skips",
        "tagged",
        "tags",
        "tried",
        "types",
        "typevars",
        "values",
        "writes",
    )

    attributes: dict[int, int]
    """End of what stands before a definition and belongs to it -> its start."""
    heads: dict[bytes, list[Node]]
    """Name that begins paths -> where it does so."""
    bases: list[Node]
    """What the class around inherits, where it is not said in its header."""
    implied: dict[int, tuple[Node | None, bool]]
    """Start of a function without parameters -> what its implied one holds, as an expression; whether an item of it."""
    items: set[int]
    """Offsets of bound names that hold an item of their value."""
    shadowing: dict[int, int]
    """Offset of a bound name -> where the scope begins that binds it."""

    def extended(self, start: int) -> list[Node]:
        """Return the type that the function at an offset is a member of, if it is one of a type."""
        return [self.extends[start]] if start in self.extends else []

    def __init__(self) -> None:  # noqa: PLR0915 - one statement for each kind of row
        self.bases, self.items, self.shadowing, self.attributes, self.heads = [], set(), {}, {}, {}
        self.implied = {}
        self.definitions: list[tuple[int, int, str, Node, list[Node], Node | None, Node | None, Node | None]] = []
        """(start, end, kind, name, bases, returns, body, owner)"""
        self.packages: list[Node] = []
        self.codes: list[tuple[int, int]] = []
        self.commands: list[tuple[int, int]] = []
        self.picked: list[tuple[Node, Node, Node]] = []
        """(name, key, value)"""
        self.entries: list[tuple[bytes, Node, Node]] = []
        """(variable, key, value)"""
        self.returned: list[tuple[Node, bool]] = []
        """(expression, whether it is yielded)"""
        self.extends: dict[int, Node] = {}
        """Start of a function -> the type that it is a member of."""
        self.called: set[int] = set()
        self.private: list[tuple[int, int]] = []
        self.decorated: list[tuple[int, int, int]] = []
        """(start, start of the inner definition, first line)"""
        self.imports: list[tuple[Node | Line, str, dict[str, bytes]]] = []
        """(statement, imp | reexp | dyn, capture -> text)"""
        self.exports: list[tuple[int, bytes, bytes]] = []
        """(offset, exported name, local name)"""
        self.comments: list[Node] = []
        self.docs: list[Node] = []
        self.skips: list[tuple[int, int]] = []
        self.hidden: list[tuple[int, int]] = []
        self.blocks: list[int] = []
        self.params: list[tuple[int, bytes, bytes]] = []
        """(offset, name, annotation)"""
        self.binds: list[tuple[Node, Node | None, Node | None]] = []
        """(left, annotation, right)"""
        self.locals: list[Node] = []
        self.writes: list[Node] = []
        self.globals: list[tuple[int, bytes]] = []
        self.keys: set[int] = set()
        self.heirs: list[tuple[bytes, Node]] = []
        """(class of the file, what it inherits)"""
        self.guarded: list[tuple[int, int, bytes]] = []
        self.tried: list[tuple[int, int]] = []
        self.regions: set[Region] = set()
        self.hoisted: set[int] = set()
        self.assigns: list[tuple[Node, Node | None]] = []
        """(name, value) of assignments to a name that some scope around declares"""
        self.fields: list[tuple[Node, Node | None, Node | None]] = []
        """(name, annotation, value) of attributes of the class around"""
        self.tags: list[Node] = []
        self.types: list[tuple[int, int]] = []
        self.values: dict[int, Node] = {}  # start of a variable that is a definition -> its value
        self.typevars: list[tuple[int, bytes]] = []
        self.generics: list[tuple[int, int]] = []
        self.tagged: list[tuple[int, int]] = []


MAX_PACKAGES = 16
"""How many packages, each inside the one before, a file may begin with."""

Take = Callable[[Rows, bytes, dict[str, list[Node]]], None]


def _text(src: bytes, node: Node) -> bytes:
    return src[node.start_byte : node.end_byte]


def definition_take(kind: str) -> Take:
    """Return what takes the matches of the patterns that capture `@def.KIND`."""
    key = f"def.{kind}"

    def take(rows: Rows, _src: bytes, got: dict[str, list[Node]]) -> None:
        node = got[key][0]
        bases, returns, body, owner = got.get("bases"), got.get("returns"), got.get("body"), got.get("owner")
        rows.definitions.append(
            (
                node.start_byte,
                node.end_byte,
                kind,
                declared(got["name"][0]),
                [base for each in bases for base in bases_in(each)] if bases else [],
                _noted(rows, returns),
                body[0] if body else None,
                owner[0] if owner else None,
            )
        )
        if kind == "variable":
            values = got.get("value")
            rows.fields.append(
                (declared(got["name"][0]), returns[0] if returns else None, values[0] if values else None)
            )
            if values:
                rows.values[node.start_byte] = values[0]

    return take


def declared(node: Node) -> Node:
    """Return the name in a declarator: in `*name`, `name[3]` and `(*name)(int)`; any other node itself."""
    while node.type.endswith("_declarator"):
        inner = node.child_by_field_name("declarator")
        if inner is None and node.named_child_count == 1:
            inner = node.named_children[0]
        if inner is None:
            break
        node = inner
    return node


def _import(role: str) -> Take:
    def take(rows: Rows, src: bytes, got: dict[str, list[Node]]) -> None:
        node = got[role][0]
        rows.imports.append((node, role, {k[4:]: _text(src, v[0]) for k, v in got.items() if k.startswith("imp.")}))

    return take


def _decorated(rows: Rows, _src: bytes, got: dict[str, list[Node]]) -> None:
    node = got["decorated"][0]
    rows.decorated.append((node.start_byte, got["inner"][0].start_byte, node.start_point[0] + 1))


def _noted(rows: Rows, nodes: list[Node] | None) -> Node | None:
    """Return the one node of a type, whose place is noted."""
    if not nodes:
        return None
    rows.types.append((nodes[0].start_byte, nodes[0].end_byte))
    return nodes[0]


def _param(rows: Rows, src: bytes, got: dict[str, list[Node]]) -> None:
    noted = _noted(rows, got.get("type"))
    annotation = _text(src, noted) if noted else b""
    for node in map(declared, got["param"]):
        rows.params.append((node.start_byte, _text(src, node), annotation))


def _bind(rows: Rows, _src: bytes, got: dict[str, list[Node]]) -> None:
    left, items = declared(got["bind"][0]), got.get("item")
    if items:
        rows.items.add(left.start_byte)
    values = items or got.get("value")
    rows.binds.append((left, _noted(rows, got.get("type")), values[0] if values else None))


def _export(rows: Rows, src: bytes, got: dict[str, list[Node]]) -> None:
    # Where only one of the two is captured, the other is called the same.
    names, locals_ = got.get("export.name"), got.get("export.local")
    node = (locals_ or names or [])[0]
    local = _text(src, node)
    rows.exports.append((node.start_byte, _text(src, names[0]) if names else local, local))


def _export_whole(rows: Rows, src: bytes, got: dict[str, list[Node]]) -> None:
    node = got["export.whole"][0]
    rows.exports.append((node.start_byte, b"=", _text(src, node)))


def _heir(rows: Rows, src: bytes, got: dict[str, list[Node]]) -> None:
    rows.heirs += [(_text(src, got["heir"][0]), base) for base in got["bases"]]


def _guarded(rows: Rows, src: bytes, got: dict[str, list[Node]]) -> None:
    node = got["guarded"][0]
    rows.guarded.append((node.start_byte, node.end_byte, _text(src, got["cond"][0])))


def _comment(rows: Rows, _src: bytes, got: dict[str, list[Node]]) -> None:
    rows.comments.append(got["comment"][0])


def _skip(rows: Rows, _src: bytes, got: dict[str, list[Node]]) -> None:
    node = got["skip"][0]
    rows.skips.append((node.start_byte, node.end_byte))


def _package(rows: Rows, _src: bytes, got: dict[str, list[Node]]) -> None:
    if len(rows.packages) < MAX_PACKAGES:
        rows.packages.append(got["package"][0])


def _code(rows: Rows, _src: bytes, got: dict[str, list[Node]]) -> None:
    node = got["code"][0]
    rows.codes.append((node.start_byte, node.end_byte))


def _picked(rows: Rows, _src: bytes, got: dict[str, list[Node]]) -> None:
    name = got["picked"][0]
    rows.picked.append((name, got.get("picked.key", [name])[0], got["value"][0]))


def _entry(rows: Rows, src: bytes, got: dict[str, list[Node]]) -> None:
    rows.entries.append((_text(src, got["entry.of"][0]), got["entry"][0], got["value"][0]))


def _returned(capture: str, *, is_yielded: bool) -> Take:
    def take(rows: Rows, _src: bytes, got: dict[str, list[Node]]) -> None:
        rows.returned.append((got[capture][0], is_yielded))

    return take


def _command(rows: Rows, _src: bytes, got: dict[str, list[Node]]) -> None:
    node = got["command"][0]
    rows.commands.append((node.start_byte, node.end_byte))


def _extends(rows: Rows, _src: bytes, got: dict[str, list[Node]]) -> None:
    rows.extends[got["extends"][0].start_byte] = got["type"][0]


def _called(rows: Rows, _src: bytes, got: dict[str, list[Node]]) -> None:
    rows.called.add(got["called"][0].start_byte)


def _private(rows: Rows, _src: bytes, got: dict[str, list[Node]]) -> None:
    node = got["private"][0]
    rows.private.append((node.start_byte, node.end_byte))


def _hide(rows: Rows, _src: bytes, got: dict[str, list[Node]]) -> None:
    node = got["hide"][0]
    rows.hidden.append((node.start_byte, node.end_byte))


def _doc(rows: Rows, _src: bytes, got: dict[str, list[Node]]) -> None:
    rows.docs.append(got["doc"][0])


def _block(rows: Rows, _src: bytes, got: dict[str, list[Node]]) -> None:
    rows.blocks.append(got["block"][0].end_byte)


def _local(rows: Rows, _src: bytes, got: dict[str, list[Node]]) -> None:
    rows.locals.extend(got["local"])


def _write(rows: Rows, _src: bytes, got: dict[str, list[Node]]) -> None:
    rows.writes.extend(got["write"])


def _global(rows: Rows, src: bytes, got: dict[str, list[Node]]) -> None:
    rows.globals.extend((node.start_byte, _text(src, node)) for node in got["global"])


def _key(rows: Rows, _src: bytes, got: dict[str, list[Node]]) -> None:
    rows.keys.update(node.start_byte for node in got["key"])


def _typevar(rows: Rows, src: bytes, got: dict[str, list[Node]]) -> None:
    rows.typevars.extend((node.start_byte, _text(src, node)) for node in got["typevar"])


def _implied(rows: Rows, _src: bytes, got: dict[str, list[Node]]) -> None:
    node, items, values = got["implied"][0], got.get("item"), got.get("value")
    if node.named_child_count and node.named_children[0].type.endswith("_parameters"):
        return
    held = items or values
    if held:
        rows.implied[node.start_byte] = (held[0], bool(items))
    else:
        rows.implied.setdefault(node.start_byte, (None, False))


def _tried(rows: Rows, _src: bytes, got: dict[str, list[Node]]) -> None:
    node = got["tried"][0]
    rows.tried.append((node.start_byte, node.end_byte))


def _region(capture: str, *, is_function: bool) -> Take:
    def take(rows: Rows, _src: bytes, got: dict[str, list[Node]]) -> None:
        node = got[capture][0]
        rows.regions.add(Region(node.start_byte, node.end_byte, is_function))
        if "local" in got:
            rows.locals.extend(got["local"])

    return take


def _hoist(rows: Rows, _src: bytes, got: dict[str, list[Node]]) -> None:
    rows.hoisted.add(got["hoist"][0].start_byte)


def _assign(rows: Rows, _src: bytes, got: dict[str, list[Node]]) -> None:
    left, values = got["assign"][0], got.get("value")
    if left.type == "identifier":
        rows.assigns.append((left, values[0] if values else None))
    else:
        rows.binds.append((left, None, values[0] if values else None))


def _field(rows: Rows, _src: bytes, got: dict[str, list[Node]]) -> None:
    values = got.get("value")
    rows.fields.append((declared(got["field"][0]), _noted(rows, got.get("type")), values[0] if values else None))


def _tag(rows: Rows, _src: bytes, got: dict[str, list[Node]]) -> None:
    rows.tags.append(got["tag"][0])


def _annotation(rows: Rows, _src: bytes, got: dict[str, list[Node]]) -> None:
    _noted(rows, got["annotation"])


def _generic(rows: Rows, _src: bytes, got: dict[str, list[Node]]) -> None:
    first, last = got["generic"][0], got["generic"][-1]
    rows.generics.append((first.start_byte, last.end_byte))
    rows.types.append((first.start_byte, last.end_byte))


def _attribute(rows: Rows, _src: bytes, got: dict[str, list[Node]]) -> None:
    node = got["attribute"][0]
    rows.attributes[node.end_byte] = node.start_byte


def _head(rows: Rows, src: bytes, got: dict[str, list[Node]]) -> None:
    node = got["head"][0]
    rows.heads.setdefault(_text(src, node), []).append(node)


def _base(rows: Rows, _src: bytes, got: dict[str, list[Node]]) -> None:
    rows.bases.extend(got["base"])


def _tagged(rows: Rows, _src: bytes, got: dict[str, list[Node]]) -> None:
    node = got["tagged"][0]
    rows.tagged.append((node.start_byte, node.end_byte))


TAKES: dict[str, Take] = {
    "implied": _implied,
    "picked": _picked,
    "entry": _entry,
    "imp": _import("imp"),
    "reexp": _import("reexp"),
    "dyn": _import("dyn"),
    "decorated": _decorated,
    "field": _field,
    "param": _param,
    "bind": _bind,
    "export.local": _export,
    "export.name": _export,
    "export.whole": _export_whole,
    "heir": _heir,
    "guarded": _guarded,
    "comment": _comment,
    "skip": _skip,
    "hide": _hide,
    "doc": _doc,
    "block": _block,
    "scope": _region("scope", is_function=True),
    "braces": _region("braces", is_function=False),
    "assign": _assign,
    "hoist": _hoist,
    "tag": _tag,
    "annotation": _annotation,
    "generic": _generic,
    "base": _base,
    "attribute": _attribute,
    "head": _head,
    "tagged": _tagged,
    "local": _local,
    "write": _write,
    "global": _global,
    "key": _key,
    "tried": _tried,
    "typevar": _typevar,
    "package": _package,
    "code": _code,
    "command": _command,
    "returned": _returned("returned", is_yielded=False),
    "yielded": _returned("yielded", is_yielded=True),
    "private": _private,
    "called": _called,
    "extends": _extends,
}
"""The capture that decides what a pattern is for -> what takes its matches."""
