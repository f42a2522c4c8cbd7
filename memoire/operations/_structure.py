"""The shape of a project in about 200 tokens, whatever its size.

Directories that hold more of what is recently changed or depended upon are opened first; what is not shown is counted.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Set
from datetime import datetime
from heapq import heappop, heappush
from operator import itemgetter
from posixpath import dirname

import msgspec

from memoire.graph import Graph
from memoire.memory import Memory
from memoire.scorer import centrality, recency

STRUCTURE_CHARS = 840
"""Of the map's compact JSON: 210 tokens."""

_ROOT_SHARE = 0.45
"""What the top directory may take of it before others are opened."""
_CHILDREN = 5
"""Children of an opened directory shown before the next one is opened."""
_FOLDERS_FIRST = 3
"""Of those, the most that are directories where there are files."""
_PLAIN = 0.05
"""Weight of a file that nothing is known about: many of them count for something."""


class Folder(msgspec.Struct):
    """One directory with all that is below it."""

    path: str
    """Ends in `/`; `.` for the root."""
    weight: float = 0.0
    """Of all files below it."""
    files: int = 0
    """Below it, at any depth."""
    folders: list["Folder"] = []
    own: list[tuple[float, str]] = []
    """Its own files: (weight, path), in the order of their paths."""
    ranked: "list[Folder | str]" = []
    """Its directories and files in the order in which they are shown as far as there is room: the heaviest first, but
    among the first of a directory are files too. A chain of single directories is one child."""


class Structure(msgspec.Struct, frozen=True):
    """The map as it goes out, and what it does not show."""

    children: dict[str, list[str]]
    """Parent -> children, directories with a trailing slash; a last entry `… 12 more` counts those left out."""
    files_shown: int
    files: int


def folders(memory: Memory, now: datetime) -> dict[str, Folder]:
    """Return every directory of the project by its path (`.` is the root): kept until the graph changes, or the day."""
    graph = memory.graph

    def make() -> tuple[dict[str, Folder], datetime]:
        return build(graph, memory.tree, now), now

    def mend(made: tuple[dict[str, Folder], datetime], paths: Set[str]) -> bool:
        return reweigh(graph, made[0], paths, made[1])

    return graph.followed("folders", (len(memory.tree), now.toordinal()), make, mend)[0]


def reweigh(graph: Graph, found: dict[str, Folder], paths: Set[str], now: datetime) -> bool:
    """Weigh some files anew, and the directories above them, as `build` at that time does; False: it has to.

    Args:
        graph: The graph as it is.
        found: What `build` made; nothing of it is changed where this returns False.
        paths: The files.
        now: The time of that `build`.
    """
    above: set[str] = set()
    weights: list[tuple[Folder, int, float]] = []
    for path in paths:
        folder = found.get(_folder_of(path))
        place = bisect_left(folder.own, path, key=itemgetter(1)) if folder is not None else 0
        is_there = folder is not None and place < len(folder.own) and folder.own[place][1] == path
        if folder is None or not is_there or graph.node(path) is None:
            return False  # it came or went
        weights.append((folder, place, _weight(graph, path, now)))
        above.add(folder.path)
    for folder, place, weight in weights:
        folder.own[place] = (weight, folder.own[place][1])
    for path in tuple(above):
        above.update(_ancestors(path))
    for path in sorted(above, key=_from_below):
        _weigh(found[path])
    for path in above:
        found[path].ranked = _ranked(found[path])
    return True


def build(graph: Graph, paths: Iterable[str], now: datetime) -> dict[str, Folder]:
    """Return every directory of these files by its path, `.` for the root."""
    found = {".": Folder(".")}
    for path in sorted(paths):
        _enter(found, dirname(path)).own.append((_weight(graph, path, now), path))
    for path in sorted(found, key=_from_below):
        _weigh(found[path])
        if path != ".":
            found[_parent(path)].folders.append(found[path])
    for folder in found.values():
        folder.ranked = _ranked(folder)
    return found


def _weight(graph: Graph, path: str, now: datetime) -> float:
    node = graph.node(path)
    if node is None:
        return _PLAIN
    return _PLAIN + centrality(graph.reachability(path), graph.causal_in(path)) + recency(node.changed_at, now)


def _weigh(folder: Folder) -> None:
    """Add up what is in a folder, in the order in which it stands there: so that doing it again gives the same."""
    folder.weight = sum(weight for weight, _ in folder.own) + sum(below.weight for below in folder.folders)
    folder.files = len(folder.own) + sum(below.files for below in folder.folders)


def _from_below(path: str) -> tuple[bool, int, str]:
    """Return the sort key by which children stand before their parents: a longer path is never above a shorter one."""
    return path == ".", -len(path), path


def _folder_of(path: str) -> str:
    above = dirname(path)
    return f"{above}/" if above else "."


def fold(found: dict[str, Folder], limit: int) -> Structure:
    """Return the map of a project in at most `limit` characters of compact JSON."""
    root = found["."]
    whole = _Map(limit)
    if whole.open_all(root):
        return whole.result(root)
    partial = _Map(limit)
    partial.open(root, len(root.ranked), int(limit * _ROOT_SHARE))
    partial.open_heaviest()
    partial.extend()
    return partial.result(root)


class _Map:
    """A map that grows while there is room."""

    def __init__(self, limit: int) -> None:
        self._room = limit - len("{}")
        self._shown: dict[str, list[Folder | str]] = {}
        self._waiting: dict[str, list[Folder | str]] = {}
        """Children not shown, of each opened directory, the heaviest last."""
        self._frontier: list[tuple[float, str, Folder]] = []

    def open_all(self, root: Folder) -> bool:
        """Open every directory; return whether there was room for it."""
        todo = [root]
        while todo:
            folder = todo.pop()
            self.open(folder, len(folder.ranked), self._room)
            if folder.path not in self._shown or self._waiting[folder.path]:
                return False
            todo += [child for child in self._shown[folder.path] if isinstance(child, Folder)]
        return True

    def open(self, folder: Folder, count: int, share: int) -> None:
        """Show a directory with up to `count` children, the heaviest, in up to `share` characters."""
        base = _cost(folder.path) + len(":[],") + len('"… 0000 more",')
        first = min((_cost(_path(child)) for child in folder.ranked[: min(count, _CHILDREN)]), default=0)
        if base + first > self._room:
            return
        floor = max(self._room - share, 0)
        self._room -= base
        self._shown[folder.path] = []
        self._waiting[folder.path] = folder.ranked[::-1]
        self._show(folder.path, count, floor)

    def open_heaviest(self) -> None:
        """Open directories that are shown, the heaviest first, while there is room."""
        while self._frontier:
            _, _, folder = heappop(self._frontier)
            self.open(folder, _CHILDREN, self._room)

    def extend(self) -> None:
        """Show more children of what is open, the top first, while there is room."""
        for path in self._shown:
            self._show(path, len(self._waiting[path]), 0)

    def _show(self, path: str, count: int, floor: int) -> None:
        waiting = self._waiting[path]
        passed: list[Folder | str] = []
        while waiting and count and self._room > floor:
            child = waiting.pop()
            cost = _cost(_path(child)) + len(",")
            if self._room - cost < floor:
                passed.append(child)  # a shorter name may still fit
                if len(passed) > 3:
                    break
                continue
            count -= 1
            self._room -= cost
            self._shown[path].append(child)
            if isinstance(child, Folder):
                heappush(self._frontier, (-child.weight, child.path, child))
        waiting += reversed(passed)

    def result(self, root: Folder) -> Structure:
        """Return the map: keys in order; directories before files, each in order."""
        children: dict[str, list[str]] = {}
        for path in sorted(self._shown):
            shown = sorted(self._shown[path], key=lambda child: (isinstance(child, str), _path(child)))
            children[path] = [_path(child) for child in shown]
            hidden = len(self._waiting[path])
            if hidden:
                children[path].append(f"… {hidden} more")
        files = sum(isinstance(child, str) for shown in self._shown.values() for child in shown)
        return Structure(children=children, files_shown=files, files=root.files)


def _enter(found: dict[str, Folder], directory: str) -> Folder:
    """Return the folder of a directory (no trailing slash), made with those above it where missing."""
    path = f"{directory}/" if directory else "."
    while path not in found:
        found[path] = Folder(path)
        path = _parent(path)
    return found[f"{directory}/" if directory else "."]


def _parent(path: str) -> str:
    above = dirname(path[:-1])
    return f"{above}/" if above else "."


def _ancestors(path: str) -> Iterator[str]:
    while path != ".":
        path = _parent(path)
        yield path


def _ranked(folder: Folder) -> list[Folder | str]:
    ends = [_end_of_chain(child) for child in folder.folders]
    found: list[tuple[float, str, Folder | str]] = [(end.weight, end.path, end) for end in ends]
    found += [(weight, path, path) for weight, path in folder.own]
    found.sort(key=lambda child: (-child[0], child[1]))
    ranked = [child for _, _, child in found]
    if folder.path != ".":
        # A directory weighs what all its files weigh together: without this, no file is ever shown beside directories.
        below = [child for child in ranked if isinstance(child, Folder)]
        own = [child for child in ranked if isinstance(child, str)]
        first: list[Folder | str] = [*below[:_FOLDERS_FIRST], *own[: _CHILDREN - _FOLDERS_FIRST]]
        chosen = {_path(child) for child in first}
        ranked = first + [child for child in ranked if _path(child) not in chosen]
    return ranked


def _end_of_chain(folder: Folder) -> Folder:
    while not folder.own and len(folder.folders) == 1:
        folder = folder.folders[0]
    return folder


def _path(child: Folder | str) -> str:
    return child if isinstance(child, str) else child.path


def _cost(text: str) -> int:
    """Return the characters of a string in JSON."""
    return len(msgspec.json.encode(text).decode())
