"""Says whether what a note is about is still what it was when the note was written or confirmed. Pure.

A baseline keeps three fingerprints of a node: its text, its syntax, its header. What differs today says what happened:

* `fresh`: nothing; `cosmetic`: only comments, docstrings or format;
* `changed`: the code; `signature`: the header too; `typed`: annotations of the header alone;
* `contradicted`: something that the note quotes is no longer there;
* `upstream_changed`: it is what it was, but the header of something that it calls is not;
* `moved`: it stands elsewhere, unchanged; `ambiguous`: it may be one of several; `gone`; `unparsed`: nobody can say.

Which of these make a note stale is for the anchor's watch level. Reading never makes a baseline anew.
"""

import re
from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Literal, NamedTuple, TypeAlias

import msgspec

from memoire.languages import language_of
from memoire.model import Definition, FileFacts, parse_path
from memoire.notes.model import Anchor, Baseline, Watch

State: TypeAlias = Literal[
    "fresh",
    "cosmetic",
    "upstream_changed",
    "typed",
    "changed",
    "signature",
    "contradicted",
    "moved",
    "ambiguous",
    "gone",
    "unparsed",
    "unknown",
]

STALE: dict[Watch, frozenset[State]] = {
    "body": frozenset(("changed", "signature", "contradicted", "gone", "ambiguous")),
    "signature": frozenset(("typed", "signature", "contradicted", "gone", "ambiguous")),
    "exists": frozenset(("contradicted", "gone", "ambiguous")),
    "none": frozenset(),
}
"""Watch level -> the states that make a note stale."""

_BLIND = frozenset(("too-large", "minified", "too-slow", "binary", "crashed", "unreadable", "secret", "syntax"))
"""Problems of a file with which a definition that is not found may be there all the same."""
_CODE = re.compile(r"`([^`\n]{2,120})`")
_LITERAL = re.compile(
    r"\"([^\"\n]{2,80})\"|(?<![\w.])(\d+(?:\.\d+)?)(?![\w.]|\.\d)|\b([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b"
)
_encoder = msgspec.json.Encoder()
_MOST_QUOTED = 12
_MOST_UPSTREAM = 12
_ASIDE = re.compile(
    r"""\A\s*(?:\"{3}.*?\"{3}|'{3}.*?'{3})  # the docstring of a module
    | ^[ \t]*/\*.*?\*/
    | ^[ \t]*(?://|--[ ]|\#(?=[ !\n]|\Z))[^\n]*  # no `#include`, no `#[attribute]`
    | ^[ \t]*(?:from\s+[\w.]+\s+)?import\b[ \t]*(?:type[ \t]+)?(?:\([^)]*\)|\{[^}]*\}[^\n]*|[^\n]*)
    """,
    re.DOTALL | re.MULTILINE | re.VERBOSE,
)
"""What stands outside of definitions and is no code of its own: comments, and imports, which facts tell of."""
_FORMAT = str.maketrans("", "", " \t\r\n\f\\,;'\"`")
"""What formatters move: as in `extract.fingerprint`."""


class World(NamedTuple):
    """The project as anchors see it."""

    facts: Callable[[str], FileFacts | None]
    text: Callable[[str], str | None]
    """The text of a file; None where it cannot be had."""
    is_file: Callable[[str], bool]
    is_dir: Callable[[str], bool]
    """Of a path without the trailing slash."""
    is_package: Callable[[str], bool]
    """Whether anything imports an external package of this name."""
    named: Callable[[str], Sequence[str]] = lambda _: ()
    """The nodes of the definitions, anywhere in the project, whose last name this is; or of the files."""
    callees: Callable[[str], Sequence[str]] = lambda _: ()
    """The nodes of the definitions that one calls, each once."""
    renamed: Callable[[str], str] = lambda _: ""
    """What a path is called today, by the history of git; empty where it was not renamed."""


class Found(NamedTuple):
    """What became of an anchor."""

    state: State
    now: str = ""
    """Where it stands today, if elsewhere; what is missing, if contradicted."""
    node: str = ""
    """Where it stands today, if elsewhere, whatever else became of it."""

    def is_stale(self, watch: Watch) -> bool:
        """Return whether a note with this watch level is stale by it."""
        return self.state in STALE[watch]


def baseline(node: str, note: str, world: World, commit: str = "") -> Baseline | None:
    """Return what a node is now; None where there is nothing to compare with later.

    Args:
        node: As in `Anchor.node`.
        note: The texts of the note, which may quote what stands in the node.
        world: The project.
        commit: What is checked out.
    """
    if node.endswith("/"):
        return Baseline("directory", commit=commit) if world.is_dir(node.rstrip("/")) else None
    if node.startswith("pkg:"):
        return Baseline("package", commit=commit) if world.is_package(node.removeprefix("pkg:")) else None
    path, symbol = parse_path(node)
    if not world.is_file(path):
        return None
    facts = world.facts(path)
    text = world.text(path) or ""
    if not symbol:
        language = language_of(path)
        kind = "document" if language is not None and language.kind == "document" else "file"
        return _of_file(kind, facts, text, quotes(note), commit)
    item = _find(facts, symbol)
    if item is None:
        return None
    span = _span(text, item)
    quoted = tuple(word for word in quotes(note) if word in span)
    known = (item.kind, _hash(span), item.body, item.signature, quoted, commit)
    base = Baseline(*known, _nameless(span, symbol), _upstream(node, world))
    return msgspec.structs.replace(base, nameless="") if _has_twin(base, node, item, world) else base


def told(found: Found, node: str) -> str:
    """Return in a few words what happened to a node; empty where nothing did."""
    path, symbol = parse_path(node)
    name, where = (f"`{symbol}`", f" in {path}") if symbol else (node, "")
    says: dict[State, str] = {
        "changed": f"{name} changed its {'body' if symbol else 'code'}{where}",
        "signature": f"{name} changed its {'header' if symbol else 'definitions'}{where}",
        "typed": f"{name} changed its annotations{where}",
        "contradicted": f"{found.now!r}, which it quotes, is no longer in {node}",
        "upstream_changed": f"{found.now}, which {name} calls, changed its header",
        "moved": f"{node} is {found.now} now",
        "ambiguous": f"{node} may be {found.now} now",
        "gone": f"{node} is gone",
        "unparsed": f"{path} cannot be read",
        "cosmetic": f"{name} changed its comments or format alone{where}",
    }
    return says.get(found.state, "")


def compare(anchor: Anchor, world: World) -> Found:
    """Return what became of the node of an anchor since its baseline."""
    base, node = anchor.base, anchor.node
    if base is None:
        return Found("unknown")
    if base.kind in {"directory", "package"}:
        is_there = world.is_dir(node.rstrip("/")) if base.kind == "directory" else world.is_package(node[len("pkg:") :])
        return Found("fresh" if is_there else "gone")
    path, symbol = parse_path(node)
    if not world.is_file(path):
        return _moved(anchor, base, world)
    facts, text = world.facts(path), world.text(path)
    if facts is None or text is None:
        return Found("unparsed")
    item = _find(facts, symbol) if symbol else None
    if symbol and item is None:
        is_blind = any(problem.code in _BLIND for problem in facts.problems)
        return Found("unparsed") if is_blind else _moved(anchor, base, world)
    if item is None:
        return _differs(base, _of_file(base.kind, facts, text, base.quoted, ""), text)
    span = _span(text, item)
    found = _differs(base, Baseline(item.kind, _hash(span), item.body, item.signature), span)
    if found.state not in {"fresh", "cosmetic"} or not base.upstream:
        return found
    differing = [name for name, print_ in base.upstream.items() if _header(name, world) not in {"", print_}]
    return Found("upstream_changed", ", ".join(differing[:3])) if differing else found


def _upstream(node: str, world: World) -> dict[str, str]:
    """Return the headers of what a definition calls, its own inner ones aside."""
    others = sorted(name for name in world.callees(node) if name != node and not name.startswith(f"{node}."))
    return {name: header for name in others[:_MOST_UPSTREAM] if (header := _header(name, world))}


def _header(node: str, world: World) -> str:
    path, symbol = parse_path(node)
    item = _find(world.facts(path), symbol)
    return item.signature if item is not None else ""


def quotes(note: str) -> tuple[str, ...]:
    """Return what a note quotes: code, names of constants, texts in quotation marks, numbers; each once."""
    found = [*_CODE.findall(note)]
    bare = _CODE.sub(" ", note)
    found += [next(filter(None, groups)) for groups in _LITERAL.findall(bare)]
    return tuple(dict.fromkeys(word for word in found if len(word) > 1))[:_MOST_QUOTED]


def _of_file(kind: str, facts: FileFacts | None, text: str, quoted: Sequence[str], commit: str) -> Baseline:
    """Return the baseline of a whole file: of code, what all its definitions are; of a document its words."""
    kept = tuple(word for word in quoted if word in text)
    if facts is None or kind == "document" or not facts.definitions:
        return Baseline(kind, _hash(text), _hash(" ".join(text.split())), "", kept, commit)
    top = [item for item in facts.definitions if item.parent < 0]
    body = "\n".join(f"{item.name} {item.body}" for item in sorted(top, key=lambda item: (item.name, item.body)))
    body += "\n" + "\n".join(sorted(f"{item.specifier} {item.name}" for item in facts.imports))
    body += "\n" + _outside(text, top)
    signature = "\n".join(sorted(f"{item.name} {item.signature}" for item in facts.definitions if not item.is_private))
    return Baseline(kind, _hash(text), _hash(body), _hash(signature), kept, commit)


def _outside(text: str, top: Sequence[Definition]) -> str:
    """Return the code of a file that is in no definition, without comments, imports and format."""
    lines = text.split("\n")
    for item in top:
        lines[item.line - 1 : item.end_line] = [""] * len(lines[item.line - 1 : item.end_line])
    return _ASIDE.sub("", "\n".join(lines)).translate(_FORMAT)


def _differs(base: Baseline, now: Baseline, text: str) -> Found:
    missing = next((word for word in base.quoted if word not in text), "")
    if missing:
        return Found("contradicted", missing)
    if base.span == now.span:
        return Found("fresh")
    if base.signature != now.signature and base.body != now.body:
        return Found("signature")
    if base.body != now.body:
        return Found("changed")
    return Found("typed" if base.signature != now.signature else "cosmetic")


def _moved(anchor: Anchor, base: Baseline, world: World) -> Found:
    """Return where what a node was stands today: under its name elsewhere, or beside where it was under another."""
    node = anchor.node
    path, symbol = parse_path(node)
    renamed = world.renamed(path)
    if renamed and renamed != path and world.is_file(renamed):
        found = _renamed(base, renamed, symbol, world)
        if found is not None:
            return found
        path = renamed
    if (back := _back(anchor, world)) is not None:
        return back
    if not symbol:
        places = [other for other in world.named(path.rpartition("/")[2]) if _is_same_file(base, other, world)]
    else:
        beside = [f"{path}::{item.name}" for item in _definitions(world, path)]
        candidates = dict.fromkeys((*world.named(symbol.rpartition(".")[2]), *beside))
        places = [other for other in candidates if other != node and _is_same(base, other, world)]
    if len(places) == 1:
        return Found("moved", places[0], places[0])
    return Found("ambiguous", ", ".join(places[:3])) if places else Found("gone")


def _renamed(base: Baseline, path: str, symbol: str, world: World) -> Found | None:
    """Return what became of a node whose file is called otherwise; None where that file does not hold it."""
    node = f"{path}::{symbol}" if symbol else path
    found = compare(Anchor(node, "none", base), world._replace(renamed=lambda _: "", named=lambda _: ()))
    if found.state in {"gone", "ambiguous"}:
        return None
    at = found.node or node
    if found.state in {"fresh", "cosmetic", "moved"}:
        return Found("moved", at, at)
    return Found(found.state, found.now or at, at)


def _back(anchor: Anchor, world: World) -> Found | None:
    """Return what became of a node under a name that it had before, where that is there again: on another branch."""
    for index in range(len(anchor.was) - 1, -1, -1):
        name = anchor.was[index]
        path, symbol = parse_path(name)
        if not world.is_file(path) or (symbol and _find(world.facts(path), symbol) is None):
            continue
        back = carried(anchor, name, world)
        found = compare(back, world)
        if found.state in {"fresh", "cosmetic"}:
            return Found("moved", name, name)
        return Found(found.state, found.now or name, name)
    return None


def carried(anchor: Anchor, place: str, world: World) -> Anchor:
    """Return an anchor that goes along to where its node stands today; under a name it had before, as it was then.

    Its baseline stays, so that what changed on the way is seen. Only of a definition that is called otherwise the name
    is in the fingerprints: they are those of today, where nothing but the name differs.
    """
    was = anchor.was[: anchor.was.index(place)] if place in anchor.was else (*anchor.was, anchor.node)
    base = anchor.base
    path, symbol = parse_path(place)
    is_renamed = symbol.rpartition(".")[2] != parse_path(anchor.node)[1].rpartition(".")[2]
    item = _find(world.facts(path), symbol) if symbol and is_renamed else None
    if base is not None and item is not None:
        span = _span(world.text(path) or "", item)
        if base.nameless and _nameless(span, symbol) == base.nameless:
            base = msgspec.structs.replace(base, span=_hash(span), body=item.body, signature=item.signature)
    return msgspec.structs.replace(anchor, node=place, was=was, base=base)


def fingerprint(anchor: Anchor) -> str:
    """Return what tells an anchor, with its baseline, from every other one of the same node."""
    return _hash(_encoder.encode(anchor).decode())


def _has_twin(base: Baseline, node: str, item: Definition, world: World) -> bool:
    """Return whether another definition is the same already: that one must not pass for this one once this is gone."""
    path, symbol = parse_path(node)
    beside = [
        f"{path}::{other.name}"
        for other in _definitions(world, path)
        if other.kind == item.kind and other.end_line - other.line == item.end_line - item.line
    ]
    candidates = dict.fromkeys((*world.named(symbol.rpartition(".")[2]), *beside))
    return any(other != node and _is_same(base, other, world) for other in candidates)


def _is_same(base: Baseline, node: str, world: World) -> bool:
    """Return whether a definition is the one of a baseline; never where there were two of it (`_has_twin`)."""
    path, symbol = parse_path(node)
    if not base.nameless:
        return False
    item = _find(world.facts(path), symbol)
    if item is None or item.kind != base.kind:
        return False
    return item.body == base.body or _nameless(_span(world.text(path) or "", item), symbol) == base.nameless


def _is_same_file(base: Baseline, path: str, world: World) -> bool:
    text = world.text(path)
    return text is not None and _hash(text) == base.span


def _definitions(world: World, path: str) -> Sequence[Definition]:
    facts = world.facts(path)
    return facts.definitions if facts is not None else ()


def _nameless(span: str, symbol: str) -> str:
    name = re.escape(symbol.rpartition(".")[2])
    return _hash("".join(re.sub(rf"\b{name}\b", "", span).split()))


def _find(facts: FileFacts | None, symbol: str) -> Definition | None:
    return next((item for item in facts.definitions if item.name == symbol), None) if facts is not None else None


def _span(text: str, item: Definition) -> str:
    return "\n".join(text.split("\n")[item.line - 1 : item.end_line])


def _hash(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
