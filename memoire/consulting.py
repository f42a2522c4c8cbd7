"""What names are looked up in: the tree and the facts of files. Writes down what each answer rests on.

When a question's answer or a name that was looked up changes, `linker` links again what leaned on it.
"""

import functools
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from posixpath import dirname
from typing import Any, NamedTuple

from memoire.extract.chains import CALL_MARK, ITEM
from memoire.extract.spec import Language
from memoire.model import Definition, FileFacts, Target
from memoire.modules import AMBIENT, BASES, NO_MODULE, Module, module_of
from memoire.tree import Tree, shared_folders

_PARTS = re.compile(r"\w+")
MAX_INCLUDED = 2_000
"""How many files a file includes, directly or through others, that its names are looked for in."""
MAX_SEEN = 200
"""How many files, imported and passed on by those, are looked at for what they add to classes."""
MAX_DECLARING = 64
"""How many files that declare one name are looked at: of more the nearest."""
MAX_ASKED = 1_024
"""How many of them are asked for their units, until so many are found that are seen."""

Question = tuple[str, str, str]
"""(language or family, place it is asked from, what): what is remembered of the tree."""


SAME = "same"
"""Kind of a place: a method that gives an instance of the class it is called on, before it is called."""


class Place(NamedTuple):
    """Where a name leads: a definition of a file, a whole module, a namespace, or a package outside the project."""

    kind: str
    """definition, module, directory, namespace, bases (what a class inherits, without the class), items (a collection
    of instances of a class), same (see `SAME`), package, builtin, unresolved (a name of something outside that is not
    known)."""
    path: str
    """Of a file or directory; outside of the project the qualified name."""
    number: int = -1
    """The definition's index in the facts of `path`."""


def _package_of(tree: Tree, path: str) -> str:
    known = tree.declares(path)
    return known.package if known is not None else ""


class Consulting:
    """The answers that names of one file at a time are followed by.

    Args:
        tree: The files of the project.
        language_of: Path -> its language.
        facts: Path -> its facts, None where there are none.
    """

    def __init__(
        self, tree: Tree, language_of: Callable[[str], Language | None], facts: Callable[[str], FileFacts | None]
    ) -> None:
        self.tree = tree
        self.language_of = language_of
        self.facts_of = facts
        self._modules: dict[str, Module] = {}
        self._methods: dict[str, dict[tuple[int, str], int]] = {}
        """File -> (class, name of a method in lower case) -> its index; of languages in which case says nothing."""
        self._folds = False
        self._resolved: dict[Question, Any] = {}
        self._resolved_by: dict[str, set[Question]] = defaultdict(set)
        """Question to the tree -> what was answered by it."""
        self.asking: set[Question] = set()
        """What the file that is being linked asked."""
        self.consulted: dict[str, set[str]] = {}
        """File -> the names that the one being linked looked up there, found or not."""
        self.gives_same: Callable[[Place, str, int], bool] = lambda _place, _name, _hops: False
        """(class, name, hops) -> whether a library gives the class such a member, which gives an instance of it."""
        self._same: dict[tuple[Place, str], bool] = {}
        self.around: dict[tuple[str, int, tuple[str, ...]], str] = {}
        """See `outside.inherited_around`: what it found for the file that is being linked, empty while it looks."""
        self.star_paths: dict[tuple[str, int], Place | None] = {}
        """(file, import of all names) -> where its path leads, None while that is looked for."""
        self.path = ""
        """The file that is being linked."""
        self.language: Language | None = None
        """Its language."""
        self.transparent: frozenset[str] = frozenset()
        """See `Syntax.transparent`."""
        self._included: dict[str, set[str]] = {}
        self._sorted: dict[tuple[str, ...], tuple[str, tuple[str, ...]]] = {}
        """Files that declare a name -> (folder, the same, those nearest to it first)."""
        self._ambient: dict[str, list[tuple[str, str]]] = {}
        self._namespaces: list[str] | None = None

    def begin(self, path: str, language: Language) -> None:
        """Start over for another file."""
        self.asking, self.consulted, self.path, self.language = set(), {}, path, language
        self.transparent = language.syntax.transparent if language.syntax is not None else frozenset()
        self._folds = language.syntax is not None and language.syntax.folds_names
        self._included, self._sorted, self._ambient, self._namespaces = {}, {}, {}, None
        self._same, self.around, self.star_paths = {}, {}, {}

    def forget(self, path: str) -> None:
        """Drop what is known of a file's names: its facts changed or it is gone."""
        self._modules.pop(path, None)
        self._methods.pop(path, None)

    def withdraw(self, questions: Iterable[str]) -> Iterator[Question]:
        """Forget and yield what was answered by questions to the tree whose answers may differ now."""
        for question in questions:
            for key in self._resolved_by.pop(question, ()):
                self._resolved.pop(key, None)
                yield key

    # ---- what the tree says

    def resolve(self, path: str, language: Language, specifier: str) -> Target:
        """Return what a specifier names in a file; remembered for the file's folder, where the language allows it."""
        key = (language.name, path if language.resolves_by_file else _folder(path), specifier)
        known = self._resolved.get(key)
        if known is None:
            known = self._ask(key, lambda: language.resolve(self.tree, path, specifier))
        self.asking.add(key)
        target: Target = known
        return target

    def submodule(self, language: Language, target: Target, name: str) -> Target | None:
        """Return the submodule of a package; remembered like a resolution."""
        key = (language.name, f"{target.kind}:{target.path}", f":{name}")
        found: Target | None = self._ask(key, lambda: language.member(self.tree, target, name))
        return found

    def declaring(self, family: str, name: str, near: str = "") -> tuple[str, ...]:
        """Return the files that declare a qualified name, of too many the nearest.

        Args:
            family: Of languages.
            name: The qualified name.
            near: The file they are to be near to; empty = the one that is being linked.
        """
        return self.all_declaring(family, name, near)[:MAX_DECLARING]

    def all_declaring(self, family: str, name: str, near: str = "") -> tuple[str, ...]:
        """Return all files that declare a qualified name, the nearest first where they are many."""
        found: tuple[str, ...] = self._ask((family, "declared", name), lambda: self.tree.declared(family, name))
        language, path = self.language, self.path
        if found and language is not None and language.package_of is not None:
            key = (family, f"seen from {'tests in ' * language.is_test(path)}{_folder(path)}", name)
            found = self._ask(key, lambda: language.sees(self.tree, path, name, self.tree.declared(family, name)))
        return found if len(found) <= MAX_DECLARING else self._nearest_first(found, near or path)

    def _nearest_first(self, files: tuple[str, ...], near: str) -> tuple[str, ...]:
        folder = _folder(near)
        known = self._sorted.get(files)
        if known is None or known[0] != folder:
            found = tuple(sorted(files, key=lambda path: -shared_folders(near, path)))
            known = self._sorted[files] = (folder, found)
        return known[1]

    def preferred(self, language: Language, name: str, files: tuple[str, ...]) -> str:
        """Return which of several files that declare a name is its own; empty where none is."""
        key = (language.name, "|".join(files), f"own:{name}")
        found: str = self._ask(key, lambda: language.prefers(self.tree, name, files))
        return found

    def is_last(self, family: str, name: str) -> bool:
        """Return whether any qualified name that the family declares ends in this name."""
        return bool(self._ask((family, "last", name), lambda: self.tree.is_last(family, name)))

    def spelled(self, family: str, name: str) -> str:
        """Return a qualified name as it is declared, where the case of its letters says nothing."""
        if not self._folds:
            return name
        found: str = self._ask((family, "spelled", name), lambda: self.tree.spelled(family, name))
        return found

    def method_spelled(self, place: Place, name: str) -> int | None:
        """Return the method of a class whose name differs in the case of letters alone, where that says nothing."""
        if not self._folds:
            return None
        known = self._methods.get(place.path)
        if known is None:
            module = self.module(place.path)
            methods = (item for item in module.members.items() if module.definitions[item[1]].kind == "method")
            known = self._methods[place.path] = {(of, other.lower()): at for (of, other), at in methods}
        return known.get((place.number, name.lower()))

    def is_namespace(self, family: str, name: str) -> bool:
        """Return whether a namespace of this name exists."""
        return bool(self._ask((family, "namespace", name), lambda: self.tree.is_namespace(family, name)))

    def files_of(self, family: str, namespace: str) -> tuple[str, ...]:
        """Return the files whose names belong to a namespace."""
        found: tuple[str, ...] = self._ask((family, "members", namespace), lambda: self.tree.members(family, namespace))
        return found

    def package(self, path: str) -> str:
        """Return the namespace that the top-level names of a file belong to."""
        found: str = self._ask(("", "package", path), lambda: _package_of(self.tree, path))
        return found

    def unit(self, path: str) -> str:
        """Return the unit that a file is built in; empty where there is none."""
        language = self.language_of(path)
        unit_of = language.unit_of if language is not None else None
        if language is None or unit_of is None:
            return ""
        found: str = self._ask((language.name, _folder(path), ":unit"), lambda: unit_of(self.tree, path))
        return found

    def units_seen(self, unit: str) -> frozenset[str]:
        """Return the units whose names are seen in a unit of the language of the file that is being linked."""
        language = self.language
        if language is None:
            return frozenset({unit})
        found: frozenset[str] = self._ask((language.name, unit, ":seen"), lambda: language.units_seen(self.tree, unit))
        return found

    def ambient(self, path: str) -> list[tuple[str, str]]:
        """Return what is imported for all files of the unit of this one: (file that resolves it, specifier)."""
        known = self._ambient.get(path)
        if known is None:
            known = self._ambient[path] = self._find_ambient(path)
        return known

    def _find_ambient(self, path: str) -> list[tuple[str, str]]:
        unit = self.unit(path)
        language = self.language_of(path)
        if not unit or language is None:
            return []
        used: tuple[str, ...] = self._ask((language.name, unit, ":uses"), lambda: language.unit_uses(self.tree, unit))
        found = [(path, specifier) for specifier in used]
        declaring = self.all_declaring(language.family, AMBIENT, path)[:MAX_ASKED]
        of_unit = (other for other in declaring if other != path and self.unit(other) == unit)
        for other in islice(of_unit, MAX_DECLARING):
            self.consult(other, "*")
            found += [(other, specifier) for specifier in self._global_stars(other)]
        return found

    def _global_stars(self, path: str) -> list[str]:
        facts = self.facts_of(path)
        imports = facts.imports if facts is not None else ()
        return [item.specifier for item in imports if item.is_star and item.kind == "global"]

    def _ask(self, key: Question, find: Callable[[], Any]) -> Any:
        self.asking.add(key)
        if key not in self._resolved:
            with self.tree.track() as asked:
                self._resolved[key] = find()
            for question in asked:
                self._resolved_by[question].add(key)
        return self._resolved[key]

    # ---- what the facts of files say

    def consult(self, path: str, name: str) -> None:
        """Write down that what is being linked rests on what a name means in a file."""
        names = self.consulted.get(path)
        if names is None:
            self.consulted[path] = {name}
        else:
            names.add(name)

    def module(self, path: str) -> Module:
        """Return the names of a module: what it defines and imports at its top level, and what it exports."""
        known = self._modules.get(path)
        if known is not None:
            return known
        facts = self.facts_of(path)
        known = self._modules[path] = module_of(facts) if facts is not None else NO_MODULE
        return known

    def names_module(self, link: str) -> bool:
        """Return whether a name is one that only modules have in the language of the file that is being linked."""
        names = self.language.syntax.module_names if self.language is not None and self.language.syntax else ""
        return bool(names and re.match(names, link))

    def is_same(self, place: Place, name: str, hops: int) -> bool:
        """Return whether a member of a class that is none of the project gives an instance of the class."""
        key = (place, name)
        if key not in self._same:
            self._same[key] = self.gives_same(place, name, hops)
        return self._same[key]

    def definition(self, place: Place) -> Definition | None:
        """Return the definition of a place, None where it is none (any more)."""
        definitions = self.module(place.path).definitions if place.kind == "definition" else ()
        return definitions[place.number] if 0 <= place.number < len(definitions) else None

    def star_specifiers(self, path: str) -> tuple[str, ...]:
        """Return the modules whose names a file imports, their parts joined by dots; none that lies in the project."""
        facts = self.facts_of(path)
        if facts is None:
            return ()
        stars = self.module(path).stars
        # What the language brings by itself goes behind what the file asks for, but for its own package, the last.
        ordered = sorted(stars, key=lambda index: (index == stars[-1], facts.imports[index].kind != "implicit", index))
        specifiers = (facts.imports[index].specifier for index in ordered)
        return tuple(".".join(_PARTS.findall(text)) for text in specifiers if not text.startswith((".", "/")))

    def called(self, place: Place) -> Place:
        """Return the function that is called under the name of a variable of the same class, else the place itself."""
        definition = self.definition(place)
        if definition is None or definition.kind != "variable" or definition.parent < 0:
            return place
        for index, other in enumerate(self.module(place.path).definitions):
            if other.name == definition.name and other.parent == definition.parent and other.kind == "method":
                return Place("definition", place.path, index)
        return place

    def seen_namespaces(self) -> list[str]:
        """Return the namespaces whose names the file that is being linked sees without naming them one by one."""
        if self._namespaces is None:
            self._namespaces = []
            files: list[str] = [self.path]
            for path in files:
                facts, language = self.facts_of(path), self.language_of(path)
                self.consult(path, "*")
                for item in facts.imports if facts is not None else ():
                    if language is None or not (item.is_star if path == self.path else item.kind == "reexport"):
                        continue
                    target = self.resolve(path, language, item.specifier)
                    namespace = self.package(target.path) if target.kind == "file" else target.path
                    if target.kind in {"file", "namespace"} and namespace not in self._namespaces:
                        self._namespaces.append(namespace)
                        files += [target.path] if target.kind == "file" and len(files) < MAX_SEEN else []
        return self._namespaces

    def said_bases(self, place: Place) -> Iterator[tuple[str, str, int]]:
        """Yield (file, base as written, scope it stands in) of a class and of what extends it in its namespace."""
        definition, language = self.module(place.path).definitions[place.number], self.language_of(place.path)
        yield from ((place.path, base, definition.parent) for base in definition.bases)
        if language is None or language.package_of is None or definition.kind == "extension":
            return
        package = self.package(place.path)
        full = f"{package}.{definition.name}" if package else definition.name
        for path in self.declaring(language.family, f"{full}.{BASES}"):
            self.consult(path, definition.name.partition(".")[0])
            for other in self.module(path).definitions:
                if other.kind == "extension" and other.name == definition.name:
                    yield from ((path, base, other.parent) for base in other.bases)

    def inclusion(self, path: str) -> set[str]:
        """Return the files that a file includes, directly or through others, and itself."""
        known = self._included.get(path)
        if known is not None:
            return known
        known = self._included[path] = {path}
        queue = [path]
        while queue and len(known) < MAX_INCLUDED:
            at = queue.pop()
            facts, language = self.facts_of(at), self.language_of(at)
            self.consult(at, "*")
            if facts is None or language is None:
                continue
            for index in self.module(at).stars:
                target = self.resolve(at, language, facts.imports[index].specifier)
                if target.kind == "file" and target.path not in known:
                    known.add(target.path)
                    queue.append(target.path)
        return known


_folder = functools.lru_cache(maxsize=100_000)(dirname)


def of_items(language: Language | None, place: Place, link: str) -> Place | None:
    """Return where a link leads from a collection: to one of its items, or to one of the same items."""
    syntax = language.syntax if language is not None else None
    if link == ITEM or (syntax is not None and link in syntax.item_calls):
        return Place("definition", place.path, place.number)
    return place if link == CALL_MARK or (syntax is not None and link in syntax.same_items) else None
