"""Takes the matches of the combined query into rows: what each capture is kept as (see `rows`)."""

from collections.abc import Callable

from tree_sitter import Node

from memoire.extract.inheritance import bases_in
from memoire.extract.regions import Region
from memoire.extract.rows import Rows

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


def _doc_ahead(rows: Rows, _src: bytes, got: dict[str, list[Node]]) -> None:
    node = got["doc.ahead"][0]
    at = got["statement"][0]
    kind = at.type
    while at.next_named_sibling is not None and at.type == kind:
        at = at.next_named_sibling
    rows.ahead.append((at.start_byte, node))


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
        rows.returned.extend((node, is_yielded) for node in got[capture][:1] if node.type != "comment")

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
    if left.type in {"identifier", "variable_name", "global_variable"}:
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


def _closure(rows: Rows, _src: bytes, got: dict[str, list[Node]]) -> None:
    rows.closures.add(got["closure"][0].start_byte)


def _maker(rows: Rows, _src: bytes, got: dict[str, list[Node]]) -> None:
    rows.makers.extend((node.start_byte, node.end_byte) for node in got["maker"])


def _subject(rows: Rows, _src: bytes, got: dict[str, list[Node]]) -> None:
    rows.subjects.append((got["subject"][0], got["value"][0]))


def _commanded(rows: Rows, _src: bytes, got: dict[str, list[Node]]) -> None:
    rows.commanded.append(got["commanded"][0].start_byte)


def _mixin(rows: Rows, _src: bytes, got: dict[str, list[Node]]) -> None:
    rows.mixins.extend(got["mixin"])


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
    "doc.ahead": _doc_ahead,
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
    "mixin": _mixin,
    "maker": _maker,
    "closure": _closure,
    "subject": _subject,
    "commanded": _commanded,
    "called": _called,
    "extends": _extends,
}
"""The capture that decides what a pattern is for -> what takes its matches."""
