"""The files of a project as import resolution sees them; it records what each answer rested on.

A resolver asks `is_file`, `first`, `is_dir`, `above`, `config`, `named`, `keyed`, `declared`, `is_last`,
`is_namespace`, `namespaces`, `members`, and nothing else. While `track` is
active every question is written down, hits and misses alike. When a path appears, vanishes or changes, exactly the
answers that asked about it are resolved again: that is what makes the incremental graph equal a rebuild, whatever
rules a language has.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from posixpath import basename, dirname, join
from typing import Any, NamedTuple


class Declared(NamedTuple):
    """The names that one file adds to what all files of its languages see."""

    family: str
    """Its language, or the family of languages that share packages."""
    namespaces: frozenset[str]
    names: frozenset[str]
    """Qualified: the namespace, a dot, the name; a member that is declared outside of its type with that before it."""
    package: str = ""
    """The namespace that its top-level names belong to."""
    said: str = ""
    """The package that the file itself declares."""
    folds: bool = False
    """See `Syntax.folds_names`: the same for all files of a family."""


class Tree:
    """The set of files of one project.

    Args:
        read: Returns the bytes of a small file of the project, or None; used for configuration files only.
    """

    def __init__(self, read: Callable[[str], bytes | None]) -> None:
        self._read = read
        self._files: set[str] = set()
        self._dirs: Counter[str] = Counter()
        self._named: dict[str, set[str]] = {}
        self._configs: dict[tuple[str, Callable[[bytes], Any]], Any] = {}
        self._indexes: dict[tuple[str, ...], _KeyIndex] = {}
        self._ending: dict[str, dict[str, set[str]]] = {}
        """Ending that was asked for -> directory -> the files in it whose names end so."""
        self._above: dict[tuple[str, ...], dict[str, tuple[str, ...]]] = {}
        self._declared: dict[str, dict[str, set[str]]] = {}
        """Family of languages -> qualified name -> files that declare it."""
        self._members: dict[str, dict[str, set[str]]] = {}
        """Family -> namespace -> files whose names belong to it."""
        self._namespaces: dict[str, Counter[str]] = {}
        """Family -> namespace, or one that others lie in -> how many files give it."""
        self._lasts: dict[str, Counter[str]] = {}
        """Family -> last part of a qualified name or of a namespace -> how many files and namespaces give it."""
        self._spelled: dict[str, dict[str, Counter[str]]] = {}
        """Family in which the case of letters says nothing -> `folded` -> names, namespaces with a dot behind them."""
        self._declares: dict[str, Declared] = {}
        self._asked: set[str] | None = None

    def __len__(self) -> int:
        return len(self._files)

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __contains__(self, path: str) -> bool:
        return path in self._files

    def add(self, path: str) -> set[str]:
        """Take in one file; return the questions whose answers may differ now."""
        if path in self._files:
            return set()
        self._files.add(path)
        self._named.setdefault(basename(path), set()).add(path)
        for ending, directories in self._ending.items():
            if path.endswith(ending):
                directories.setdefault(dirname(path), set()).add(path)
        changed = {path, _stem(path), f"named:{basename(path)}", f"config:{path}"}
        changed |= self._rekey(path) | self._forget_above(path)
        for parent in _parents(path):
            self._dirs[parent] += 1
            if self._dirs[parent] == 1:
                changed.add(parent)
        return changed

    def discard(self, path: str) -> set[str]:
        """Take out one file; return the questions whose answers may differ now."""
        if path not in self._files:
            return set()
        self._files.discard(path)
        self._named[basename(path)].discard(path)
        for ending, directories in self._ending.items():
            if path.endswith(ending):
                directories[dirname(path)].discard(path)
        changed = {path, _stem(path), f"named:{basename(path)}"} | self.changed(path) | self._forget_above(path)
        for parent in _parents(path):
            self._dirs[parent] -= 1
            if not self._dirs[parent]:
                del self._dirs[parent]
                changed.add(parent)
        return changed

    def changed(self, path: str) -> set[str]:
        """Forget what was parsed of one configuration file; return the questions whose answers may differ now."""
        for key in [key for key in self._configs if key[0] == path]:
            del self._configs[key]
        return {f"config:{path}"} | self._rekey(path)

    @contextmanager
    def track(self) -> Iterator[set[str]]:
        """Record every question asked inside the block into the set it gives. Not nested."""
        assert self._asked is None
        self._asked = set()
        try:
            yield self._asked
        finally:
            self._asked = None

    def is_file(self, path: str) -> bool:
        """Return whether the project has this file."""
        if self._asked is not None:
            self._asked.add(path)
        return path in self._files

    def first(self, path: str, suffixes: Iterable[str]) -> str | None:
        """Return the first of `path + suffix` that the project has as a file.

        One question however many suffixes: asked again when a file of this stem comes or goes. The path is not empty;
        a suffix begins with a dot or is empty.
        """
        if self._asked is not None:
            self._asked.add(_stem(path))
        files = self._files
        for suffix in suffixes:
            if (found := path + suffix) in files:
                return found
        return None

    def is_dir(self, path: str) -> bool:
        """Return whether a file of the project lies below this directory (no trailing slash; empty = the root)."""
        if self._asked is not None:
            self._asked.add(path)
        return not path or path in self._dirs

    def above(self, directory: str, names: tuple[str, ...]) -> tuple[str, ...]:
        """Return the files with one of these base names in a directory and all above it, nearest first.

        One question however deep the directory, asked again when such a file comes or goes in or above it. A name that
        begins with `*` stands for all that end like it.
        """
        if self._asked is not None:
            self._asked.add(_above(names, directory))
        known = self._above.setdefault(names, {})
        found = known.get(directory)
        if found is None:
            places = (directory, *_parents(directory), "") if directory else ("",)
            paths = (path for place in places for name in names for path in self._called(place, name))
            found = known[directory] = tuple(path for path in paths if path in self._files)
        return found

    def _called(self, directory: str, name: str) -> Iterable[str]:
        if not name.startswith("*"):
            return (join(directory, name),)
        ending = name[1:]
        if ending not in self._ending:
            found: dict[str, set[str]] = {}
            for path in self._files:
                if path.endswith(ending):
                    found.setdefault(dirname(path), set()).add(path)
            self._ending[ending] = found
        return sorted(self._ending[ending].get(directory, ()))

    def named(self, name: str) -> tuple[str, ...]:
        """Return the sorted paths of all files with this base name."""
        if self._asked is not None:
            self._asked.add(f"named:{name}")
        return tuple(sorted(self._named.get(name, ())))

    def config(self, path: str, parse: Callable[[bytes], Any]) -> Any:
        """Return the parsed content of a configuration file, None where it is absent or `parse` raises ValueError."""
        if self._asked is not None:
            self._asked.update((path, f"config:{path}"))
        return self._parsed(path, parse)

    def keyed(self, names: tuple[str, ...], parse: Callable[[bytes], str], key: str) -> tuple[str, ...]:
        """Return the sorted paths of the files with one of these base names whose content gives this key.

        "Which `package.json` is called `@acme/api`?" is one question however many such files there are, asked again
        only when a file of this very key comes, goes or changes its key.

        Args:
            names: Base names; one index is kept for each tuple.
            parse: Content -> its key, empty = none; the same function for the same `names`.
            key: The key to look up, not empty.
        """
        if self._asked is not None:
            self._asked.add(_keyed(names, key))
        index = self._indexes.get(names)
        if index is None:
            index = self._indexes[names] = _KeyIndex(parse)
            for name in names:
                for path in self._named.get(name, ()):
                    index.put(path, self._key(path, parse))
        return tuple(sorted(index.paths.get(key, ())))

    def _forget_above(self, path: str) -> set[str]:
        """Forget what was found in and below the directory of a file that came or went; return those questions."""
        name, base, changed = basename(path), dirname(path), set()
        for names, known in self._above.items():
            if any(name == each or (each[0] == "*" and name.endswith(each[1:])) for each in names):
                below = [d for d in known if not base or d == base or d.startswith(base + "/")]
                changed |= {_above(names, d) for d in below}
                for directory in below:
                    del known[directory]
        return changed

    def _rekey(self, path: str) -> set[str]:
        name, changed = basename(path), set()
        for names, index in self._indexes.items():
            if name in names:
                changed |= {_keyed(names, key) for key in index.put(path, self._key(path, index.parse))}
        return changed

    def _key(self, path: str, parse: Callable[[bytes], str]) -> str:
        return self._parsed(path, parse) or ""

    def _parsed(self, path: str, parse: Callable[[bytes], Any]) -> Any:
        if path not in self._files:
            return None
        key = (path, parse)
        if key not in self._configs:
            data = self._read(path)
            try:
                self._configs[key] = None if data is None else parse(data)
            except ValueError:
                self._configs[key] = None
        return self._configs[key]

    # ---- names that many files declare

    def declare(self, path: str, declared: Declared | None) -> set[str]:
        """Note what a file declares (None: nothing any more); return the questions whose answers may differ now."""
        old = self._declares.pop(path, None)
        if declared is not None:
            self._declares[path] = declared
        if old == declared:
            return set()
        changed: set[str] = set()
        if old is None or declared is None or old[1:2] + old[3:] != declared[1:2] + declared[3:]:
            changed.add(f"namespaces:{path}")
        if old is not None:
            self._withdraw(path, old, changed)
        if declared is not None:
            self._announce(path, declared, changed)
        return changed

    def _announce(self, path: str, declared: Declared, changed: set[str]) -> None:
        family = declared.family
        if declared.folds:
            self._spelled.setdefault(family, {})
        names = self._declared.setdefault(family, {})
        for name in declared.names:
            names.setdefault(name, set()).add(path)
            changed.add(f"declared:{family}:{name}")
            self._count_last(family, name, 1, changed)
        counts = self._namespaces.setdefault(family, Counter())
        for namespace in declared.namespaces:
            self._members.setdefault(family, {}).setdefault(namespace, set()).add(path)
            changed.add(f"members:{family}:{namespace}")
            for each in _and_above(namespace):
                counts[each] += 1
                changed.add(f"namespace:{family}:{each}")
                self._count_last(family, f"{each}.", 1, changed)

    def _withdraw(self, path: str, declared: Declared, changed: set[str]) -> None:
        family = declared.family
        names = self._declared[family]
        for name in declared.names:
            names[name].discard(path)
            if not names[name]:
                del names[name]
            changed.add(f"declared:{family}:{name}")
            self._count_last(family, name, -1, changed)
        counts, members = self._namespaces[family], self._members.get(family, {})
        for namespace in declared.namespaces:
            members[namespace].discard(path)
            if not members[namespace]:
                del members[namespace]
            changed.add(f"members:{family}:{namespace}")
            for each in _and_above(namespace):
                counts[each] -= 1
                if not counts[each]:
                    del counts[each]
                changed.add(f"namespace:{family}:{each}")
                self._count_last(family, f"{each}.", -1, changed)

    def _count_last(self, family: str, name: str, step: int, changed: set[str]) -> None:
        """Count a name, or a namespace with a dot behind it, by its last part and by how it is spelled."""
        last = name.removesuffix(".").rpartition(".")[2]
        spelled = self._spelled.get(family)
        if spelled is not None:
            common, last = folded(name), last.lower()
            known = spelled.setdefault(common, Counter())
            known[name] += step
            if known[name] == (step > 0):
                changed.add(f"spelled:{family}:{common}")
            if not known[name]:
                del known[name]
            if not known:
                del spelled[common]
        counts = self._lasts.setdefault(family, Counter())
        counts[last] += step
        if not counts[last]:
            del counts[last]
        if counts[last] == (step > 0):
            changed.add(f"last:{family}:{last}")

    def is_last(self, family: str, name: str) -> bool:
        """Return whether any qualified name, or namespace, that the family declares ends in this name."""
        name = name.lower() if family in self._spelled else name
        if self._asked is not None:
            self._asked.add(f"last:{family}:{name}")
        return name in self._lasts.get(family, ())

    def spelled(self, family: str, name: str) -> str:
        """Return a qualified name as the one that declares it spells it, where the case of letters says nothing.

        It is returned as it is where it is declared so, by none, or by several in other ways.
        """
        spelled = self._spelled.get(family)
        for each in (folded(name), folded(f"{name}.")):
            if self._asked is not None:
                self._asked.add(f"spelled:{family}:{each}")
            known = spelled.get(each, ()) if spelled is not None else ()
            if known:
                return next(iter(known)).removesuffix(".") if len(known) == 1 else name
        return name

    def declared(self, family: str, name: str) -> tuple[str, ...]:
        """Return the sorted paths of the files of a family of languages that declare a qualified name."""
        if self._asked is not None:
            self._asked.add(f"declared:{family}:{name}")
        return tuple(sorted(self._declared.get(family, {}).get(name, ())))

    def declares(self, path: str) -> Declared | None:
        """Return what a file was last noted to declare, None for one that declares nothing to others.

        Of it only the namespaces and the package are what an answer may rest on.
        """
        if self._asked is not None:
            self._asked.add(f"namespaces:{path}")
        return self._declares.get(path)

    def is_namespace(self, family: str, name: str) -> bool:
        """Return whether any file of the family belongs to this namespace, or to one below it."""
        if self._asked is not None:
            self._asked.add(f"namespace:{family}:{name}")
        return name in self._namespaces.get(family, ())

    def namespaces(self, path: str) -> frozenset[str]:
        """Return the namespaces that a file's own names belong to; of none where it declares nothing."""
        if self._asked is not None:
            self._asked.add(f"namespaces:{path}")
        found = self._declares.get(path)
        return found.namespaces if found is not None else frozenset()

    def members(self, family: str, namespace: str) -> tuple[str, ...]:
        """Return the sorted paths of the files whose names belong to a namespace."""
        if self._asked is not None:
            self._asked.add(f"members:{family}:{namespace}")
        return tuple(sorted(self._members.get(family, {}).get(namespace, ())))

    def update(self, paths: Iterable[str]) -> None:
        """Take in many files at once."""
        for path in paths:
            self.add(path)


class _KeyIndex:
    """Key -> paths, and back, for the files of some base names."""

    def __init__(self, parse: Callable[[bytes], str]) -> None:
        self.parse = parse
        self.paths: dict[str, set[str]] = {}
        self._keys: dict[str, str] = {}

    def put(self, path: str, key: str) -> set[str]:
        """Give the path this key (empty = none); return the keys whose paths differ now."""
        old = self._keys.pop(path, "")
        if key:
            self._keys[path] = key
        if key == old:
            return set()
        if old:
            self.paths[old].discard(path)
        if key:
            self.paths.setdefault(key, set()).add(path)
        return {old, key} - {""}


def _stem(path: str) -> str:
    """Return the question about a path up to the first dot of its base name (a leading dot is part of the name)."""
    dot = path.find(".", path.rfind("/") + 2)
    return f"stem:{path if dot < 0 else path[:dot]}"


def _above(names: tuple[str, ...], directory: str) -> str:
    return f"above:{'|'.join(names)}:{directory}"


def _keyed(names: tuple[str, ...], key: str) -> str:
    return f"keyed:{'|'.join(names)}:{key}"


def _parents(path: str) -> Iterator[str]:
    """Yield every directory above a path, nearest first, the root excluded."""
    path = dirname(path)
    while path:
        yield path
        path = dirname(path)


def _and_above(namespace: str) -> Iterator[str]:
    """Yield a dotted namespace and all that it lies in."""
    while namespace:
        yield namespace
        namespace = namespace.rpartition(".")[0]


def shared_folders(path: str, other: str) -> int:
    """Return how many folders two paths share."""
    count = 0
    for one, two in zip(path.split("/")[:-1], other.split("/")[:-1], strict=False):
        if one != two:
            break
        count += 1
    return count


def variant(path: str) -> str:
    """Return the last word of a file's name: `linux` of `disk_linux.go`."""
    return base_stem(path).rpartition("_")[2]


def base_stem(path: str) -> str:
    """Return the base name of a path without its suffix."""
    return path.rpartition("/")[2].rpartition(".")[0]


def folded(name: str) -> str:
    """Return what two spellings of one dotted name have in common where the case of letters says nothing.

    Functions, classes and constants of one name are different things there: see `extract.folding`.
    """
    around, dot, last = name.rpartition(".")
    return around.lower() + dot + last[:1] + last[1:].lower()
