"""Takes what a query matched into rows: for each capture that decides what a pattern is for, what it takes."""

from collections.abc import Callable

from memoire.extract.inheritance import bases_in
from memoire.extract.regions import Region
from memoire.extract.rows import MAX_PACKAGES, Rows
from memoire.extract.stretches import Captures, Part, Stretch, behind_arrow, declared, dotted, given_value, said_type

Take = Callable[[Rows, bytes, Captures], None]


def _text(src: bytes, node: Part) -> bytes:
    return src[node.start_byte : node.end_byte]


def definition_take(kind: str) -> Take:
    """Return what takes the matches of the patterns that capture `@def.KIND`."""
    key = f"def.{kind}"

    def take(rows: Rows, src: bytes, got: Captures) -> None:
        node, name = got[key][0], declared(got["name"][0])
        bases, returns, body, owner = got.get("bases"), got.get("returns"), got.get("body"), got.get("owner")
        if "parts" in got:
            body, returns = node.children_by_field_name("body"), behind_arrow(node)
        said = _noted(rows, returns[0] if returns else said_type(src, got, name))
        end = body[0].end_byte if body else 0
        rows.definitions.append(
            (
                node.start_byte,
                max(node.end_byte, end),
                kind,
                name,
                [base for each in bases for base in bases_in(each)] if bases else [],
                said,
                body[0] if body else None,
                owner[0] if owner else None,
            )
        )
        if kind == "variable":
            values = got.get("value")
            rows.fields.append((name, said, values[0] if values else None))
            if values:
                rows.values[node.start_byte] = values[0]

    return take


def _import(role: str) -> Take:
    def take(rows: Rows, src: bytes, got: Captures) -> None:
        node = got[role][0]
        rows.imports.append((node, role, {k[4:]: _text(src, v[0]) for k, v in got.items() if k.startswith("imp.")}))

    return take


def _decorated(rows: Rows, _src: bytes, got: Captures) -> None:
    node = got["decorated"][0]
    rows.decorated.append((node.start_byte, got["inner"][0].start_byte, node.start_point[0] + 1))


def _noted(rows: Rows, part: Part | None) -> Part | None:
    """Return a type, whose place is noted."""
    if part is not None:
        rows.types.append((part.start_byte, part.end_byte))
    return part


def _param(rows: Rows, src: bytes, got: Captures) -> None:
    for node in map(declared, got["param"]):
        said = _noted(rows, said_type(src, got, node))
        rows.params.append((node.start_byte, _text(src, node), _text(src, said) if said else b""))


def _bind(rows: Rows, src: bytes, got: Captures) -> None:
    name, items = declared(got["bind"][0]), got.get("item")
    if items:
        rows.items.add(name.start_byte)
    value = items[0] if items and "rest" not in got else given_value(got, name)
    rows.binds.append((name, _noted(rows, said_type(src, got, name)), value))


def _handed(rows: Rows, _src: bytes, got: Captures) -> None:
    name = got["handed"][0]
    rows.binds.append((name, None, Stretch(got["value"][0].start_byte, got["handed.end"][-1].end_byte)))
    rows.handed.add(name.start_byte)


def _made(rows: Rows, _src: bytes, got: Captures) -> None:
    rows.made.extend(got["made"])


def _export(rows: Rows, src: bytes, got: Captures) -> None:
    # Where only one of the two is captured, the other is called the same.
    names, locals_ = got.get("export.name"), got.get("export.local")
    node = (locals_ or names or [])[0]
    local = _text(src, node)
    rows.exports.append((node.start_byte, _text(src, names[0]) if names else local, local))


def _export_whole(rows: Rows, src: bytes, got: Captures) -> None:
    node = got["export.whole"][0]
    rows.exports.append((node.start_byte, b"=", _text(src, node)))


def _heir(rows: Rows, src: bytes, got: Captures) -> None:
    rows.heirs += [(_text(src, got["heir"][0]), base) for base in got["bases"]]


def _doc_ahead(rows: Rows, _src: bytes, got: Captures) -> None:
    node = got["doc.ahead"][0]
    at = got["statement"][0]
    kind = at.type
    while at.next_named_sibling is not None and at.type == kind:
        at = at.next_named_sibling
    rows.ahead.append((at.start_byte, node))


def _guarded(rows: Rows, src: bytes, got: Captures) -> None:
    node = got["guarded"][0]
    rows.guarded.append((node.start_byte, node.end_byte, _text(src, got["cond"][0])))


def _comment(rows: Rows, _src: bytes, got: Captures) -> None:
    rows.comments.append(got["comment"][0])


def skip(rows: Rows, _src: bytes, got: Captures) -> None:
    """Take what is no code."""
    node = got["skip"][0]
    rows.skips.append((node.start_byte, node.end_byte))


def _named(rows: Rows, _src: bytes, got: Captures) -> None:
    rows.named.extend(got["named"])


def _base(rows: Rows, _src: bytes, got: Captures) -> None:
    rows.bases += [base for node in got["base"] if (base := dotted(node)) is not None]


def _package(rows: Rows, _src: bytes, got: Captures) -> None:
    if len(rows.packages) < MAX_PACKAGES:
        rows.packages.append(got["package"][0])


def _code(rows: Rows, _src: bytes, got: Captures) -> None:
    node = got["code"][0]
    rows.codes.append((node.start_byte, node.end_byte))


def _picked(rows: Rows, _src: bytes, got: Captures) -> None:
    name = got["picked"][0]
    rows.picked.append((name, got.get("picked.key", [name])[0], got["value"][0]))


def _entry(rows: Rows, src: bytes, got: Captures) -> None:
    rows.entries.append((_text(src, got["entry.of"][0]), got["entry"][0], got["value"][0]))


def _returned(capture: str, *, is_yielded: bool) -> Take:
    def take(rows: Rows, _src: bytes, got: Captures) -> None:
        rows.returned.extend((node, is_yielded) for node in got[capture][:1] if node.type != "comment")

    return take


def _unparenthesized(rows: Rows, _src: bytes, got: Captures) -> None:
    node = got["unparenthesized"][0]
    rows.unparenthesized.append((node.start_byte, node.end_byte))


def _extension_method(rows: Rows, _src: bytes, got: Captures) -> None:
    rows.extension_methods[got["extension_method"][0].start_byte] = got["type"][0]


def _called(rows: Rows, _src: bytes, got: Captures) -> None:
    rows.called.add(got["called"][0].start_byte)


def _private(rows: Rows, _src: bytes, got: Captures) -> None:
    node = got["private"][0]
    rows.private.append((node.start_byte, node.end_byte))


def _trailing(rows: Rows, _src: bytes, got: Captures) -> None:
    node, arguments = got["trailing"][0], got.get("arguments")
    start = node.start_byte
    rows.trailing.append((start, arguments[0].end_byte if arguments else start, node.end_byte))


def _labelled(rows: Rows, _src: bytes, got: Captures) -> None:
    node = got["labelled"][0]
    rows.labelled.append((node.start_byte, node.end_byte))


def _hide(rows: Rows, _src: bytes, got: Captures) -> None:
    node = got["hide"][0]
    rows.hidden.append((node.start_byte, node.end_byte))


def _doc(rows: Rows, _src: bytes, got: Captures) -> None:
    rows.docs.append(got["doc"][0])


def block(rows: Rows, _src: bytes, got: Captures) -> None:
    """Take the end of an indented block."""
    rows.blocks.append(got["block"][0].end_byte)


def _local(rows: Rows, _src: bytes, got: Captures) -> None:
    rows.locals.extend(got["local"])


def _write(rows: Rows, _src: bytes, got: Captures) -> None:
    rows.writes.extend(got["write"])


def _global(rows: Rows, src: bytes, got: Captures) -> None:
    rows.globals.extend((node.start_byte, _text(src, node)) for node in got["global"])


def _key(rows: Rows, _src: bytes, got: Captures) -> None:
    rows.keys.update(node.start_byte for node in got["key"])


def _typevar(rows: Rows, src: bytes, got: Captures) -> None:
    rows.typevars.extend((node.start_byte, _text(src, node)) for node in got["typevar"])


def _implied(rows: Rows, _src: bytes, got: Captures) -> None:
    node, items, values = got["implied"][0], got.get("item"), got.get("value")
    if node.named_child_count and node.named_children[0].type.endswith("_parameters"):
        return
    held = items or values
    if held:
        rows.implied[node.start_byte] = (held[0], bool(items))
    else:
        rows.implied.setdefault(node.start_byte, (None, False))


def _within(rows: Rows, _src: bytes, got: Captures) -> None:
    rows.within[got["within"][0].start_byte] = got["value"][0]


def _tried(rows: Rows, _src: bytes, got: Captures) -> None:
    node = got["tried"][0]
    rows.tried.append((node.start_byte, node.end_byte))


def _region(capture: str, *, is_function: bool) -> Take:
    def take(rows: Rows, _src: bytes, got: Captures) -> None:
        node = got[capture][0]
        rows.regions.add(Region(node.start_byte, node.end_byte, is_function))
        if "local" in got:
            rows.locals.extend(got["local"])

    return take


def _hoist(rows: Rows, _src: bytes, got: Captures) -> None:
    rows.hoisted.add(got["hoist"][0].start_byte)


def _assign(rows: Rows, _src: bytes, got: Captures) -> None:
    left = got["assign"][0]
    value = given_value(got, left)
    if left.type.endswith("identifier") or left.type in {"variable_name", "global_variable"}:
        rows.assigns.append((left, value))
    else:
        rows.binds.append((left, None, value))


def _field(rows: Rows, src: bytes, got: Captures) -> None:
    name = declared(got["field"][0])
    rows.fields.append((name, _noted(rows, said_type(src, got, name)), given_value(got, name)))


def _tag(rows: Rows, _src: bytes, got: Captures) -> None:
    rows.tags.append(got["tag"][0])


def _annotation(rows: Rows, _src: bytes, got: Captures) -> None:
    _noted(rows, got["annotation"][0])


def _generic(rows: Rows, _src: bytes, got: Captures) -> None:
    first, last = got["generic"][0], got["generic"][-1]
    rows.generics.append((first.start_byte, last.end_byte))
    rows.types.append((first.start_byte, last.end_byte))


def _attribute(rows: Rows, _src: bytes, got: Captures) -> None:
    node = got["attribute"][0]
    rows.attributes[node.end_byte] = node.start_byte


def _head(rows: Rows, src: bytes, got: Captures) -> None:
    node = got["head"][0]
    rows.heads.setdefault(_text(src, node), []).append(node)


def _closure(rows: Rows, _src: bytes, got: Captures) -> None:
    rows.closures.add(got["closure"][0].start_byte)


def _maker(rows: Rows, _src: bytes, got: Captures) -> None:
    rows.makers.extend((node.start_byte, node.end_byte) for node in got["maker"])


def _subject(rows: Rows, _src: bytes, got: Captures) -> None:
    rows.subjects.append((got["subject"][0], got["value"][0]))


def _subshell(rows: Rows, _src: bytes, got: Captures) -> None:
    rows.subshells.append(got["subshell"][0].start_byte)


def _base_first(rows: Rows, _src: bytes, got: Captures) -> None:
    rows.first_bases.extend(got["base.first"])


def _tagged(rows: Rows, _src: bytes, got: Captures) -> None:
    node = got["tagged"][0]
    rows.tagged.append((node.start_byte, node.end_byte))


TAKES: dict[str, Take] = {
    "implied": _implied,
    "within": _within,
    "picked": _picked,
    "entry": _entry,
    "imp": _import("imp"),
    "reexp": _import("reexp"),
    "dyn": _import("dyn"),
    "decorated": _decorated,
    "field": _field,
    "param": _param,
    "bind": _bind,
    "handed": _handed,
    "made": _made,
    "export.local": _export,
    "export.name": _export,
    "export.whole": _export_whole,
    "doc.ahead": _doc_ahead,
    "heir": _heir,
    "guarded": _guarded,
    "comment": _comment,
    "skip": skip,
    "hide": _hide,
    "doc": _doc,
    "block": block,
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
    "named": _named,
    "unparenthesized": _unparenthesized,
    "trailing": _trailing,
    "labelled": _labelled,
    "returned": _returned("returned", is_yielded=False),
    "yielded": _returned("yielded", is_yielded=True),
    "private": _private,
    "base.first": _base_first,
    "maker": _maker,
    "closure": _closure,
    "subject": _subject,
    "subshell": _subshell,
    "called": _called,
    "extension_method": _extension_method,
}
"""The capture that decides what a pattern is for -> what takes its matches."""
