"""Joins the facts of files: imports to the files they name, uses to the definitions they reach.

Names are followed, never guessed: an import to its module, through re-exports to the defining file, an attribute to a
member of its class or of a base class, a call to the class that its annotation says it returns. Where a step cannot be
followed, the reference ends at the last thing that is known, or is left out.

Everything a file's links rest on is written down: the questions asked of the `Tree`, and the files whose facts were
consulted. When one of them changes, the file is linked again. So a save costs one file and those that lean on what it
changed, and the result equals that of a rebuild.
"""

import functools
from collections import defaultdict
from collections.abc import Callable, Iterable
from posixpath import dirname
from typing import NamedTuple

import msgspec

from memoire.extract.chains import CALL_MARK, split
from memoire.extract.spec import Language
from memoire.model import READ, WRITE, FileFacts, Import, Target, Use
from memoire.modules import NO_MODULE, Module, interface, module_of
from memoire.tree import Tree

WHOLE = "="
"""The exported name of what stands for a module itself, in languages where something else may."""
MAX_HOPS = 12
"""How many re-exports, base classes and assignments are followed from one name."""


class Place(NamedTuple):
    """Where a name leads: a definition of a file, a whole module, or a package outside the project."""

    kind: str
    """definition, module, directory, package, builtin."""
    path: str
    number: int = -1
    """The definition's index in the facts of `path`."""


class ImportLink(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Where one import leads."""

    line: int
    kind: str
    specifier: str
    name: str
    target: str
    """Path of a file, or name of a package; empty where it could not be resolved."""
    target_kind: str
    """file, directory, package, builtin, unresolved."""
    origin: str = ""
    """The defining file, where the target passes the name on."""


class Reference(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One scope's use of one definition or module of the project."""

    scope: str
    """Qualified name of the definition that uses it; empty at module level."""
    path: str
    symbol: str
    """Qualified name of what is used; empty = the module itself."""
    how: int
    line: int
    count: int
    state: str = ""
    """The attribute of `symbol` that is read or written where it is no definition of its own."""


class Linked(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What the facts of one file come to among those of the others."""

    imports: tuple[ImportLink, ...] = ()
    references: tuple[Reference, ...] = ()
    void_origins: tuple[int, ...] = ()
    """Imports that are files of the project: effects that claim to come from them are none."""


class Linker:
    """Links files one by one and knows which to link again.

    Args:
        tree: The files of the project.
        language_of: Path -> its language.
        facts: Path -> its facts, None where there are none.
    """

    def __init__(
        self, tree: Tree, language_of: Callable[[str], Language | None], facts: Callable[[str], FileFacts | None]
    ) -> None:
        self._tree = tree
        self._language_of = language_of
        self._facts = facts
        self._modules: dict[str, Module] = {}
        self._resolved: dict[tuple[str, str, str], Target | None] = {}
        self._resolved_by: dict[str, set[tuple[str, str, str]]] = defaultdict(set)
        """Question to the tree -> resolutions that asked it."""
        self._holders: dict[tuple[str, str, str], set[str]] = defaultdict(set)
        """Resolution -> files that rest on it."""
        self._held: dict[str, set[tuple[str, str, str]]] = {}
        self._leaners: dict[str, set[str]] = defaultdict(set)
        """File -> files that consulted its facts."""
        self._leans: dict[str, dict[str, frozenset[str]]] = {}
        """File -> other file -> the names it looked up there, found or not."""
        self._asking: set[tuple[str, str, str]] = set()
        self._consulted: dict[str, set[str]] = {}
        self._language: Language | None = None
        """Of the file that is being linked."""
        self._walked: dict[tuple[int, tuple[str, ...]], tuple[Place, tuple[str, ...]] | None] = {}
        """What chains of the file that is being linked lead to: (place, links that could not be followed)."""
        self._named: dict[tuple[str, str], Place | None] = {}
        """What names of modules lead to, while one file is linked."""
        self._looking: set[tuple[str, str]] = set()
        """(module, name) asked in the look-up that goes on."""

    # ---- what to link again

    def forget(self, path: str) -> None:
        """Drop what is known of a file's names: its facts changed or it is gone."""
        self._modules.pop(path, None)

    def drop(self, path: str) -> None:
        """Forget that a file that is gone rested on anything."""
        self.forget(path)
        self._replace(path, set(), {})

    def affected_by_tree(self, questions: Iterable[str]) -> set[str]:
        """Return the files whose imports may resolve differently now; their resolutions are forgotten."""
        files: set[str] = set()
        for question in questions:
            for key in self._resolved_by.pop(question, ()):
                self._resolved.pop(key, None)
                files |= self._holders.get(key, set())
        return files

    def affected_by_facts(self, path: str, before: FileFacts | None, after: FileFacts | None) -> set[str]:
        """Return the files that looked a name up in this one that means something else now."""
        leaners = self._leaners.get(path)
        if not leaners:
            return set()
        old, new = interface(before), interface(after)
        changed = {name for name in old.keys() | new.keys() if old.get(name) != new.get(name)}
        if not changed:
            return set()
        return {file for file in leaners if not changed.isdisjoint(self._leans[file][path])}

    # ---- linking

    def link(self, path: str) -> Linked:
        """Return the links of one file."""
        facts = self._facts(path)
        language = self._language_of(path)
        if facts is None or language is None:
            self._replace(path, set(), {})
            return Linked()
        self._asking, self._consulted, self._language, self._walked = set(), {}, language, {}
        self._named = {}
        imports = tuple(self._import(path, language, item) for item in facts.imports)
        references = self._references(path, facts)
        void = tuple(
            index for index, item in enumerate(imports) if item.target_kind in {"file", "directory"} or item.origin
        )
        self._consulted.pop(path, None)
        self._replace(path, self._asking, {other: frozenset(names) for other, names in self._consulted.items()})
        return Linked(imports, references, void)

    def _replace(self, path: str, held: set[tuple[str, str, str]], leans: dict[str, frozenset[str]]) -> None:
        for key in self._held.get(path, set()) - held:
            self._holders[key].discard(path)
        for key in held:
            self._holders[key].add(path)
        for other in self._leans.get(path, {}).keys() - leans.keys():
            self._leaners[other].discard(path)
        for other in leans:
            self._leaners[other].add(path)
        if held or leans:
            self._held[path], self._leans[path] = held, leans
        else:
            self._held.pop(path, None)
            self._leans.pop(path, None)

    def resolve(self, path: str, language: Language, specifier: str) -> Target:
        """Return what a specifier names in a file; remembered for the file's folder, where the language allows it."""
        key = (language.name, path if language.resolves_by_file else _folder(path), specifier)
        known = self._resolved.get(key)
        if known is not None:
            self._asking.add(key)
            return known
        found = self._ask(key, lambda: language.resolve(self._tree, path, specifier))
        assert found is not None
        return found

    def _member(self, language: Language, target: Target, name: str) -> Target | None:
        """Return the submodule of a package; remembered like a resolution."""
        key = (language.name, f"{target.kind}:{target.path}", f":{name}")
        return self._ask(key, lambda: language.member(self._tree, target, name))

    def _ask(self, key: tuple[str, str, str], find: Callable[[], Target | None]) -> Target | None:
        self._asking.add(key)
        if key not in self._resolved:
            with self._tree.track() as asked:
                self._resolved[key] = find()
            for question in asked:
                self._resolved_by[question].add(key)
        return self._resolved[key]

    def _import(self, path: str, language: Language, item: Import) -> ImportLink:
        target = self.resolve(path, language, item.specifier)
        kind, place, origin = target.kind, target.path, ""
        if item.name and item.name != "*" and kind in {"file", "directory"}:
            submodule = self._member(language, target, item.name)
            found = self._name(target.path, item.name, 0) if kind == "file" else None
            is_own = found is not None and found.kind == "definition" and found.path == target.path
            # An attribute of the package goes before a submodule of that name.
            if not is_own and submodule is not None and submodule.kind == "file" and submodule.path != path:
                kind, place = "file", submodule.path
            if found is not None and found.kind in {"definition", "module"} and found.path not in {place, path}:
                origin = found.path
        return ImportLink(item.line, item.kind, item.specifier, item.name, place, kind, origin)

    # ---- names

    def _consult(self, path: str, name: str) -> None:
        """Write down that what is being linked rests on what a name means in a file."""
        names = self._consulted.get(path)
        if names is None:
            self._consulted[path] = {name}
        else:
            names.add(name)

    def module(self, path: str) -> Module:
        """Return the names of a module: what it defines and imports at its top level, and what it exports."""
        known = self._modules.get(path)
        if known is not None:
            return known
        facts = self._facts(path)
        known = self._modules[path] = module_of(facts) if facts is not None else NO_MODULE
        return known

    def _name(self, path: str, name: str, hops: int) -> Place | None:
        """Return where a name of a module leads, through re-exports.

        Each module is asked once for a name within one look-up: star imports may form cycles and diamonds, in which
        the ways are without number, and a module that did not have the name the first time has it no other time.
        """
        key = (path, name)
        if key in self._named:
            return self._named[key]
        if key in self._looking or hops > MAX_HOPS:
            return None
        is_first = not self._looking
        self._looking.add(key)
        try:
            found = self._find_name(path, name, hops)
        finally:
            if is_first:
                self._looking.clear()
        if is_first or found is not None:
            self._named[key] = found
        return found

    def _find_name(self, path: str, name: str, hops: int) -> Place | None:
        self._consult(path, name)
        module = self.module(path)
        found = module.names.get(name)
        if found is not None:
            is_import, index = found
            return self._follow_import(path, index, hops + 1) if is_import else Place("definition", path, index)
        facts = self._facts(path)
        language = self._language_of(path)
        if facts is None or language is None:
            return None
        self._consult(path, "*")
        for index in module.stars:
            target = self.resolve(path, language, facts.imports[index].specifier)
            if target.kind == "file" and target.path != path:
                place = self._name(target.path, name, hops + 1)
                if place is not None:
                    return place
        submodule = self._member(language, Target("file", path), name)
        return Place("module", submodule.path) if submodule and submodule.kind == "file" else None

    def _follow_import(self, path: str, index: int, hops: int) -> Place | None:
        """Return where an import of a file leads."""
        facts = self._facts(path)
        language = self._language_of(path)
        if facts is None or language is None or hops > MAX_HOPS:
            return None
        item = facts.imports[index]
        target = self.resolve(path, language, item.specifier)
        if not item.name or item.name == "*":
            if (
                not item.name
                and item.alias
                and item.alias != item.specifier
                and item.specifier.startswith(item.alias + ".")
            ):
                # `import a.b` binds `a`.
                target = self.resolve(path, language, item.alias)
            return _place_of(target)
        if target.kind == "directory":
            submodule = self._member(language, target, item.name)
            return _place_of(submodule) if submodule else None
        if target.kind != "file":
            return _place_of(target)
        if target.path == path:
            # `from . import x` in an `__init__`: the submodule, for the name is this very import.
            submodule = self._member(language, target, item.name)
            return _place_of(submodule) if submodule else None
        found = self._name(target.path, item.name, hops)
        if found is None and item.name == "default":
            # A module without one (CommonJS) is its own default.
            return self._whole(target.path, hops) or _place_of(target)
        return found

    def _whole(self, path: str, hops: int) -> Place | None:
        """Return what stands for a module itself: `x` after `module.exports = x`."""
        self._consult(path, WHOLE)
        found = self.module(path).names.get(WHOLE)
        if found is None or hops > MAX_HOPS:
            return None
        is_import, index = found
        return self._follow_import(path, index, hops + 1) if is_import else Place("definition", path, index)

    def _step(self, place: Place, link: str, hops: int) -> Place | None:
        """Return where one attribute or call leads from a place; None where it cannot be followed."""
        if hops > MAX_HOPS:
            return None
        if place.kind != "definition":
            found = None if link == CALL_MARK else self._module_member(place, link, hops)
            whole = self._whole(place.path, hops) if found is None and place.kind == "module" else None
            return found if whole is None else self._step(whole, link, hops + 1)
        definitions = self.module(place.path).definitions
        if place.number >= len(definitions):
            return None
        definition = definitions[place.number]
        self._consult(place.path, definition.name.partition(".")[0])
        if definition.kind in {"class", "interface", "enum"}:
            return place if link == CALL_MARK else self._class_member(place, link, hops)
        if definition.kind in {"variable", "namespace"}:
            index = self.module(place.path).members.get((place.number, link))
            if index is not None:
                return Place("definition", place.path, index)
        if link == CALL_MARK or definition.kind == "variable":
            held = self._annotated(place.path, definition.returns, hops + 1)
            if held is None or link == CALL_MARK:
                return held
            return self._step(held, link, hops + 1)
        return None

    def _module_member(self, place: Place, name: str, hops: int) -> Place | None:
        if place.kind == "module":
            return self._name(place.path, name, hops + 1)
        if place.kind == "directory" and self._language is not None:
            submodule = self._member(self._language, Target("directory", place.path), name)
            return _place_of(submodule) if submodule else None
        return None

    def _class_member(self, place: Place, name: str, hops: int) -> Place | None:
        module = self.module(place.path)
        index = module.members.get((place.number, name))
        if index is not None:
            return Place("definition", place.path, index)
        for base in module.definitions[place.number].bases:
            above = self._dotted(place.path, base, hops + 1)
            if above is not None and above.kind == "definition" and above != place:
                found = self._step(above, name, hops + 1)
                if found is not None:
                    return found
        return None

    def _annotated(self, path: str, annotation: str, hops: int) -> Place | None:
        """Return the class that an annotation, or the value of a variable, names in its module."""
        text = annotation.strip("'\" ")
        return self._dotted(path, text, hops) if text else None

    def _dotted(self, path: str, text: str, hops: int) -> Place | None:
        links = split(text)
        place = self._name(path, links[0], hops + 1) if links else None
        for link in links[1:]:
            if place is None:
                return None
            place = self._step(place, link, hops + 1)
        return place

    # ---- references

    def _references(self, path: str, facts: FileFacts) -> tuple[Reference, ...]:
        found: dict[tuple[int, str, str, str], list[int]] = {}
        for use in facts.uses:
            walked = self._walk(path, use.root, split(use.attr))
            if walked is not None:
                self._reference(found, path, walked, use)
        return tuple(
            Reference(facts.definitions[scope].name if scope >= 0 else "", to, symbol, how, line, count, state)
            for (scope, to, symbol, state), (how, line, count) in found.items()
        )

    def _walk(self, path: str, root: int, links: tuple[str, ...]) -> tuple[Place, tuple[str, ...]] | None:
        """Return where a chain leads and what of it could not be followed; remembered, as chains begin alike."""
        key = (root, links)
        if key in self._walked:
            return self._walked[key]
        walked: tuple[Place, tuple[str, ...]] | None
        if not links:
            start = self._follow_import(path, root, 0) if root >= 0 else Place("definition", path, -1 - root)
            walked = (start, ()) if start is not None else None
        elif len(links) == 1 and root in self.module(path).stars:
            brought = self._brought(path, links[0])
            walked = (brought, ()) if brought is not None else None
        else:
            walked = self._walk(path, root, links[:-1])
            if walked is not None:
                place, rest = walked
                following = None if rest else self._step(place, links[-1], 0)
                walked = (place, (*rest, links[-1])) if following is None else (following, ())
        self._walked[key] = walked
        return walked

    def _brought(self, path: str, name: str) -> Place | None:
        """Return what a star import of a file brings under a name: the last one that has it."""
        for index in reversed(self.module(path).stars):
            module = self._follow_import(path, index, 0)
            found = self._name(module.path, name, 0) if module is not None and module.kind == "module" else None
            if found is not None:
                return found
        return None

    def _reference(
        self,
        found: dict[tuple[int, str, str, str], list[int]],
        path: str,
        walked: tuple[Place, tuple[str, ...]],
        use: Use,
    ) -> None:
        place, rest = walked
        if place.kind == "module":
            place = self._whole(place.path, 0) or place
        symbol = ""
        definitions = self.module(place.path).definitions
        if place.kind == "definition":
            if place.number >= len(definitions):
                return
            symbol = definitions[place.number].name
        elif place.kind != "module":
            return
        state = rest[0] if len(rest) == 1 and rest[0] != CALL_MARK else ""
        if place.path == path and use.scope >= 0 and place.number == use.scope and not state:
            return  # a definition that calls itself tells nothing
        how = use.how if not rest else (use.how & WRITE or READ)
        targets = [(place.path, symbol)]
        if state and place.kind == "definition" and definitions[place.number].kind == "variable":
            # The attribute of what a variable holds is one of its class: both names lead to the same state.
            held = self._annotated(place.path, definitions[place.number].returns, 0)
            if held is not None and held.kind == "definition":
                targets.append((held.path, self.module(held.path).definitions[held.number].name))
        for to, name in targets:
            record = found.setdefault((use.scope, to, name, state), [0, use.line, 0])
            record[0] |= how
            record[2] += use.count


_folder = functools.lru_cache(maxsize=100_000)(dirname)


def _place_of(target: Target) -> Place | None:
    if target.kind == "file":
        return Place("module", target.path)
    return Place(target.kind, target.path) if target.kind in {"directory", "package", "builtin"} else None
