"""Finds what a caller means by a path: a file, a directory, a definition or an external package of the project."""

import difflib
from collections.abc import Iterable
from posixpath import basename, dirname, splitext

import msgspec

from memoire.episodes.sessions import NODE
from memoire.errors import InvalidQueryError, UnknownPathError
from memoire.memory import Memory
from memoire.model import FileFacts, Session, parse_path
from memoire.operations._structure import folders
from memoire.paths import to_rel
from memoire.relations._spec import PACKAGE

_NEAR = 3
"""Suggestions for a path that is not known."""
_COMPARED = 300
"""Names compared letter by letter: more would take longer than the answer."""


class Place(msgspec.Struct, frozen=True):
    """What was found."""

    kind: str
    """file (documents too), directory, symbol or package."""
    path: str
    """The file; the directory with a trailing slash, `.` for the root; the package's node id."""
    symbol: str = ""
    """Qualified name of the definition."""


def locate(memory: Memory, given: str) -> Place:
    """Return what a path names: `x`, `x/`, `./x` and absolute paths are the same `x`; `x::Class.method` is a symbol.

    Raises:
        UnknownPathError: Nothing of the project; says why and what is near.
    """
    given = given.strip()
    whole = to_rel(memory.root, given)
    if whole is not None and _is_file(memory, whole):  # a file whose own name holds `::` comes first
        return Place("file", whole)
    path, symbol = parse_path(given)
    rel = to_rel(memory.root, path)
    if rel is not None and _is_file(memory, rel):
        return _locate_symbol(memory, rel, symbol) if symbol else Place("file", rel)
    if rel is not None and memory.tree.is_dir(rel) and not symbol:
        return Place("directory", f"{rel}/" if rel else ".")
    if memory.graph.edges_in(f"{PACKAGE}{given.removeprefix(PACKAGE)}"):
        return Place("package", f"{PACKAGE}{given.removeprefix(PACKAGE)}")
    if rel is None:
        raise UnknownPathError(given, why="it is outside the project")
    raise UnknownPathError(given, _near(memory, rel, symbol), memory.absence(rel) if rel else "")


async def find_session(memory: Memory, given: str) -> Session:
    """Return the session with an id, or a node id `session:<id>`.

    Raises:
        UnknownPathError: There is none; names those that are near.
    """
    name = given.strip().removeprefix(NODE)
    found = await memory.sessions([name]) if name else []
    if found:
        return found[0]
    known = [session.id for session in await memory.sessions(limit=_COMPARED)]
    near = [one for one in known if len(name) > 2 and one.startswith(name)]
    near += difflib.get_close_matches(name, known, n=_NEAR, cutoff=0.6)
    shown = list(dict.fromkeys(near))[:_NEAR]
    raise UnknownPathError(f"{NODE}{name}", [f"{NODE}{one}" for one in shown], "no session has this id")


def find_definition(facts: FileFacts, symbol: str) -> int | None:
    """Return the index of the definition a name means: its qualified name, or the end of one where only one ends so.

    Of several with one name (overloads, branches) it is the first.
    """
    for index, definition in enumerate(facts.definitions):
        if definition.name == symbol:
            return index
    ends = [
        index
        for index, definition in enumerate(facts.definitions)
        if definition.name.endswith((f".{symbol}", f"#{symbol}"))
    ]
    return ends[0] if len({facts.definitions[index].name for index in ends}) == 1 else None


def _is_file(memory: Memory, path: str) -> bool:
    return path in memory.tree or memory.graph.node(path) is not None


def _locate_symbol(memory: Memory, path: str, symbol: str) -> Place:
    facts = memory.facts(path)
    if facts is None:
        raise UnknownPathError(f"{path}::{symbol}", [path], f"the definitions of {path} are not known")
    index = find_definition(facts, symbol)
    if index is not None:
        return Place("symbol", path, facts.definitions[index].name)
    names = [definition.name for definition in facts.definitions]
    near = [name for name in names if name.rpartition(".")[2] == symbol.rpartition(".")[2]]
    near += difflib.get_close_matches(symbol, names[:_COMPARED], n=_NEAR, cutoff=0.5)
    shown = [f"{path}::{name}" for name in dict.fromkeys(near)][:_NEAR]
    raise UnknownPathError(f"{path}::{symbol}", shown or [path], f"{path} defines nothing of this name")


def _near(memory: Memory, path: str, symbol: str) -> list[str]:
    """Return up to three existing paths (or definitions) that the caller may have meant, the likeliest first."""
    found = [*memory.tree.named(basename(path))]
    if not found:
        found = _near_siblings(memory, path) or _near_names(memory.tree, basename(path))
    if symbol:
        found = [f"{near}::{symbol}" for near in found if _defines(memory, near, symbol)] or found
    elif not found and any(letter.isalnum() for letter in path):
        try:
            hits = memory.search(path, limit=_NEAR, offset=0, kinds=("symbol",), prefix="", language="")
        except InvalidQueryError:  # `x:A` holds no word
            hits = ()
        found = [f"{hit.path}::{hit.name}" for hit in hits if hit.name.rpartition(".")[2] == path.rpartition(".")[2]]
    return found[:_NEAR]


def _near_siblings(memory: Memory, path: str) -> list[str]:
    """Return what is named alike in the nearest directory above that exists."""
    known = folders(memory, memory.now())
    above = dirname(path)
    while above and f"{above}/" not in known:
        above = dirname(above)
    folder = known[f"{above}/" if above else "."]
    names = [path for _, path in folder.own] + [below.path for below in folder.folders]
    return difflib.get_close_matches(path, names[:_COMPARED], n=_NEAR, cutoff=0.8)


def _near_names(paths: Iterable[str], name: str) -> list[str]:
    """Return paths, anywhere, whose last part holds the name without its suffix, the shortest first."""
    stem = splitext(name)[0].lower()
    found = [path for path in paths if stem in basename(path).lower()] if len(stem) > 2 else []
    return sorted(found, key=lambda path: (len(path), path))


def _defines(memory: Memory, path: str, symbol: str) -> bool:
    facts = memory.facts(path)
    return facts is not None and find_definition(facts, symbol) is not None
