"""Joins the facts of files: imports to the files they name, uses to the definitions they reach.

Names are followed, never guessed (`lookup`): an import to its module, through re-exports to the defining file, an
attribute to a member of its class or of a base class, a call to the class that its annotation says it returns. Where a
step cannot be followed, the reference ends at the last thing that is known, or is left out.

Everything a file's links rest on is written down: the questions asked of the `Tree`, and the files whose facts were
consulted. When one of them changes, the file is linked again. So a save costs one file and those that lean on what it
changed, and the result equals that of a rebuild.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import partial

import msgspec

from memoire import constants, extension_members, inherited, outside, outside_effects
from memoire.consulting import Place, Question
from memoire.extract.chains import CALL_MARK, split
from memoire.extract.spec import Language
from memoire.grouping import Grouping
from memoire.model import (
    BEHIND,
    CALL,
    CLASS_KINDS,
    MEMBER,
    READ,
    WRITE,
    Definition,
    Effect,
    FileFacts,
    Import,
    Target,
    Use,
)
from memoire.modules import declared, enclosing, interface, loadable
from memoire.outside_effects import OutsideEffects, Walked
from memoire.path_lookup import PathLookup
from memoire.tree import Declared, Tree

_PASSED = frozenset({"variable"})
_PASSED_BARE = frozenset({"function", "method"})
"""Kinds of what a chain may go through without a sign of it; the second in languages in which naming is calling."""
_WITH_INSTANCES = CLASS_KINDS - {"module"}
MAX_MEMBERS = 50
"""Files of a namespace that an import of all of it names, where nothing shows which of them is used."""

Found = dict[tuple[int, str, str, str], list[int]]
"""(scope, path, symbol, state) -> (how, first line, count) of the references of one file."""


class ImportLink(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Where one import leads."""

    line: int
    kind: str
    specifier: str
    name: str
    target: str
    """Path of a file, or name of a package; empty where it could not be resolved."""
    target_kind: str
    """file, directory, namespace, package, builtin, unresolved."""
    origin: str = ""
    """The defining file, where the target passes the name on."""
    is_passed: bool = False
    """Whether the target says that it does, whatever file it is: `pub use`."""


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
    void_effects: tuple[int, ...] = ()
    """Effects of the file's own facts whose callee is one of the project and none of a library."""
    effects: tuple[Effect, ...] = ()
    """Effects whose callee other files of the project lead to."""


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
        self._language_of = language_of
        self._facts = facts
        self._lookup = PathLookup(tree, language_of, facts)
        self._lookup.gives_same = partial(outside.gives_same, self._lookup)
        self.grouping = Grouping(tree, language_of)
        self._holders: dict[Question, set[str]] = defaultdict(set)
        """Question -> files that rest on its answer."""
        self._held: dict[str, set[Question]] = {}
        self._leaners: dict[str, set[str]] = defaultdict(set)
        """File -> files that consulted its facts."""
        self._leans: dict[str, dict[str, frozenset[str]]] = {}
        """File -> other file -> the names it looked up there, found or not."""
        self._walked: dict[tuple[int, int, tuple[str, ...]], Walked | None] = {}
        """(root, class or namespace around, links) of the file that is being linked -> where they lead."""
        self._through: dict[int, dict[str, tuple[int, str]]] = {}
        """Import of the file that is being linked -> file that it leads uses to -> (first line, name)."""
        self._extends = False
        """Whether the language of the file that is being linked has functions that are extension members."""
        self._injected: set[int] = set()
        """Imports that stand for what a test runner gives to parameters."""
        self._brought_by: dict[tuple[int, tuple[str, ...]], int] = {}
        """(class or namespace around, name) -> the import of all names that brings it."""

    # ---- what to link again

    def forget(self, path: str) -> None:
        """Drop what is known of a file's names: its facts changed or it is gone."""
        self._lookup.forget(path)

    def drop(self, path: str) -> None:
        """Forget that a file that is gone rested on anything."""
        self.forget(path)
        self.grouping.drop(path)
        self._replace(path, set(), {})

    def affected_by_tree(self, questions: Iterable[str]) -> set[str]:
        """Return the files that rest on what may be answered differently now; the answers are forgotten."""
        files: set[str] = set()
        for key in self._lookup.withdraw(questions):
            files |= self._holders.get(key, set())
        return files

    def affected_by_facts(self, path: str, before: FileFacts | None, after: FileFacts | None) -> set[str]:
        """Return the files that looked a name up in this one that means something else now."""
        leaners = self._leaners.get(path)
        if not leaners:
            return set()
        old, new = interface(before), interface(after)
        changed = {name for name in old.keys() | new.keys() if old.get(name) != new.get(name)}
        return {file for file in leaners if not changed.isdisjoint(self._leans[file][path])} if changed else set()

    def declared(self, path: str, facts: FileFacts | None) -> Declared | None:
        """Return what a file adds to the names that all files of its languages see; None for most languages."""
        language = self._language_of(path)
        if facts is None or language is None or language.package_of is None:
            self.grouping.drop(path)
            return loadable(facts, language.family) if facts and language and language.loads_anywhere else None
        family, package = language.family, self.grouping.package_of(path, language, facts.package)
        found = declared(facts, family, package, is_pasted=language.is_pasted, opens=language.opens)
        found = found._replace(names=found.names | set(outside_effects.declared_names(facts, language)))
        if language.syntax is not None and language.syntax.extension_members == "functions":
            found = found._replace(names=found.names | set(extension_members.declared_names(package, facts)))
        return found._replace(folds=True) if language.syntax is not None and language.syntax.folds_names else found

    # ---- linking

    def link(self, path: str) -> Linked:
        """Return the links of one file."""
        facts = self._facts(path)
        language = self._language_of(path)
        if facts is None or language is None:
            self._replace(path, set(), {})
            return Linked()
        self._lookup.begin(path, language)
        self._walked, self._through, self._brought_by = {}, {}, {}
        self._extends = language.syntax is not None and language.syntax.extension_members == "functions"
        self._injected = {index for index, item in enumerate(facts.imports) if item.kind == "injected"}
        references = self._references(path, facts, language)
        imports = tuple(
            link for index, item in enumerate(facts.imports) for link in self._import((path, index), language, item)
        )
        following = OutsideEffects(self._lookup, self._walk, path, facts, language)
        effects = tuple(following.found())
        void = following.void(effects)
        consulted = self._lookup.consulted
        consulted.pop(path, None)
        self._replace(path, self._lookup.asking, {other: frozenset(names) for other, names in consulted.items()})
        return Linked(imports, references, void, effects)

    def _replace(self, path: str, held: set[Question], leans: dict[str, frozenset[str]]) -> None:
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

    # ---- what it imports

    def _import(self, what: tuple[str, int], language: Language, item: Import) -> Iterator[ImportLink]:
        """Yield where an import leads: one file, or the files of a namespace that are used through it."""
        path, index = what
        if language.module_paths is not None:
            for line, name, to, kind, origin in self._lookup.leads(path, index, self._through.get(index, {})):
                yield ImportLink(line, item.kind, item.specifier, name, to, kind, origin, is_passed=bool(origin))
            return
        target = self._lookup.resolve(path, language, item.specifier)
        if target.kind == "namespace":
            if not language.is_pasted:  # or it says nothing of files
                yield from self._namespace_import(what, language, item, target)
            return
        kind, place, origin = target.kind, target.path, ""
        if item.name and item.name != "*" and kind in {"file", "directory"}:
            submodule = self._lookup.submodule(language, target, item.name)
            found = self._lookup.name(target.path, item.name, 0) if kind == "file" else None
            is_own = found is not None and found.kind == "definition" and found.path == target.path
            # An attribute of the package goes before a submodule of that name.
            if not is_own and submodule is not None and submodule.kind == "file" and submodule.path != path:
                kind, place = "file", submodule.path
            if found is not None and found.kind in {"definition", "module"} and found.path not in {place, path}:
                origin = found.path
        if item.kind not in {"implicit", "injected"} or kind == "file":
            yield ImportLink(item.line, item.kind, item.specifier, item.name, place, kind, origin)

    def _namespace_import(
        self, what: tuple[str, int], language: Language, item: Import, target: Target
    ) -> Iterator[ImportLink]:
        path, index = what
        files = {other: seen for other, seen in self._through.get(index, {}).items() if other != path}
        found = self._lookup.follow_import(path, index, 0)
        is_both = language.imports_names and (item.is_star or item.kind == "implicit")
        if found is not None and found.kind == "definition" and found.path != path and not is_both:
            files.setdefault(found.path, (item.line, item.name))
        if found is None and self._extends and item.name and not item.is_star:
            for place in extension_members.imported(self._lookup, target.path, item.name):
                if place.path != path:
                    files.setdefault(place.path, (item.line, item.name))
        if not files and item.kind != "implicit" and (found is None or found.kind == "namespace") and not item.name:
            members = self._lookup.files_of(language.family, target.path)
            members = tuple(other for other in members if not language.is_test(other)) or members
            files = dict.fromkeys(members[:MAX_MEMBERS], (item.line, ""))
            files.pop(path, None)
        for other, (line, name) in files.items():
            at = line if item.kind == "implicit" else item.line
            yield ImportLink(at, item.kind, item.specifier, name, other, "file")
        if not files and item.kind != "implicit":
            yield ImportLink(item.line, item.kind, item.specifier, item.name, target.path, "namespace")

    # ---- references

    def _references(self, path: str, facts: FileFacts, language: Language) -> tuple[Reference, ...]:
        found: Found = {}
        ends: dict[str, int] = {}
        longer = constants.beginnings(facts.uses) if language.opens else frozenset()
        bare = language.syntax is not None and language.syntax.bare_calls
        passed = _PASSED_BARE if bare else _PASSED if language.syntax and language.syntax.keeps_types else None
        for use in facts.uses:
            links = split(use.attr)
            walked = self._walk((path, use.root, use.scope), links)
            if language.opens:
                self._note_constant(path, use, links, longer)
            elif use.root >= 0:
                self._note_import(path, facts, use, links)
            if self._extends and walked is not None and walked[0].kind == "definition":
                self._note_extension(path, facts, use, walked[0])
            if walked is not None and not inherited.tells_nothing(self._lookup, walked, links):
                if walked[0].kind == "definition" and walked[0].path not in ends:
                    ends[walked[0].path] = use.line
                self._reference(found, path, walked, use, bare=bare)
            if passed and len(links) > 1:
                self._on_the_way(found, path, use, links, passed)
        self._note_ends(path, facts, language, ends)
        if self._extends:
            for scope, to, symbol, line in extension_members.selected(self._lookup, path, facts, language):
                found.setdefault((scope, to, symbol, ""), [CALL, line, 1])
        return tuple(
            Reference(facts.definitions[scope].name if scope >= 0 else "", to, symbol, how, line, count, state)
            for (scope, to, symbol, state), (how, line, count) in found.items()
        )

    def _is_of_class(self, path: str, definition: Definition | None) -> bool:
        """Return whether a definition is a class with instances, or stands in one."""
        if definition is None:
            return False
        facts = self._lookup.facts_of(path)
        above = facts.definitions[definition.parent] if facts is not None and definition.parent >= 0 else None
        return any(item is not None and item.kind in _WITH_INSTANCES for item in (definition, above))

    def _note_import(self, path: str, facts: FileFacts, use: Use, links: tuple[str, ...]) -> None:
        """Note which file of a namespace a use leads to, by the first name that is one of a file."""
        index, item = use.root, facts.imports[use.root]
        if self._lookup.language is not None and self._lookup.language.module_paths and not item.is_star:
            other = self._lookup.named_through(path, index, links)
            if other:
                self._through.setdefault(index, {}).setdefault(other, (use.line, ""))
            return
        if item.is_star:
            index = self._brought_by.get((self._container(path, use.scope), links[:1]), -1)
        if index < 0:
            return
        for count in range(0 if item.name and not item.is_star else 1, max(2, len(links) + 1)):
            # The names of namespaces, and of modules in modules, come first: `com.acme.Client.send`.
            walked = self._walk((path, use.root, use.scope), links[:count])
            later = self._walk((path, use.root, use.scope), links[: count + 1]) if count < len(links) else None
            if constants.goes_on(self._lookup, later, links[count : count + 1]):
                continue
            if not count and (walked is None or walked[0].kind != "namespace"):
                return
            if walked is not None and walked[0].kind == "definition":
                name = links[count - 1] if links else ""
                self._through.setdefault(index, {}).setdefault(walked[0].path, (use.line, name))
            if walked is None or walked[0].kind != "namespace" or walked[1]:
                return

    def _note_constant(self, path: str, use: Use, links: tuple[str, ...], longer: frozenset[constants.Way]) -> None:
        """Note which file the last constant of a chain is of, where types are open and lie in each other."""
        walked = [self._walk((path, use.root, use.scope), links[:count]) for count in range(len(links) + 1)]
        found = None if constants.is_beginning(use, longer) else constants.last(self._lookup, walked)
        stars = self._lookup.module(path).stars
        if found is not None and found.path != path and stars:
            files = self._through.setdefault(stars[-1], {})
            files.setdefault(found.path, (use.line, use.attr))

    def _on_the_way(self, found: Found, path: str, use: Use, links: tuple[str, ...], kinds: frozenset[str]) -> None:
        """Add what a chain goes through by its name alone: a function that is called so, a variable."""
        for count in range(1, len(links)):
            if CALL_MARK in links[count - 1 : count + 1]:
                continue
            walked = self._walk((path, use.root, use.scope), links[:count])
            definition = self._lookup.definition(walked[0]) if walked is not None and not walked[1] else None
            if walked is not None and definition is not None and definition.kind in kinds:
                self._reference(found, path, walked, msgspec.structs.replace(use, how=READ), bare=kinds is _PASSED_BARE)

    def _note_extension(self, path: str, facts: FileFacts, use: Use, place: Place) -> None:
        """Note which file of the own package, or of one of which all names are imported, adds the member used."""
        definition = self._lookup.definition(place)
        language = self._lookup.language_of(place.path)
        if definition is None or definition.kind != "method" or definition.parent >= 0 or place.path == path:
            return
        if language is None or language.package_of is None:
            return
        name = (split(use.attr) or (definition.name.rpartition(".")[2],))[-1]
        package = self._lookup.package(place.path)
        for index in self._lookup.module(path).stars:
            target = self._lookup.resolve(path, language, facts.imports[index].specifier)
            if target.kind == "namespace" and target.path == package:
                self._through.setdefault(index, {}).setdefault(place.path, (use.line, name))

    def _note_ends(self, path: str, facts: FileFacts, language: Language, ends: dict[str, int]) -> None:
        """Note the files that uses lead to in the end, of namespaces that are imported as a whole.

        A member may be in another file than its class, and what a function gives in another than the function.
        """
        if language.package_of is None or language.module_paths or language.imports_names:
            return
        imported: dict[str, int] = {}
        for index, item in enumerate(facts.imports):
            if item.is_star or not item.name:
                target = self._lookup.resolve(path, language, item.specifier)
                if target.kind == "namespace":
                    imported.setdefault(target.path, index)
        for other, line in ends.items():
            namespace = self._lookup.package(other)
            if namespace in imported:
                self._through.setdefault(imported[namespace], {}).setdefault(other, (line, ""))

    def _container(self, path: str, scope: int) -> int:
        return next(enclosing(self._lookup.module(path).definitions, scope), -1)

    def _walk(self, what: tuple[str, int, int], links: tuple[str, ...]) -> Walked | None:
        """Return where a chain leads and what of it could not be followed; remembered, as chains begin alike.

        Args:
            what: (file, root of the use, scope it stands in).
            links: What follows the root.
        """
        path, root, scope = what
        is_star = root >= 0 and root in self._lookup.module(path).stars
        around = self._container(path, scope) if is_star else -1
        key = (root, around, links)
        if key in self._walked:
            return self._walked[key]
        walked: Walked | None
        if is_star and len(links) == 1:
            walked = self._free(path, scope, around, links)
        elif root in self._injected and links:
            start = self._lookup.injected(path, root, links[0]) if len(links) == 1 else None
            walked = (start, ()) if start is not None else self._later(what, links)
        elif not links:
            start = self._lookup.follow_import(path, root, 0) if root >= 0 else Place("definition", path, -1 - root)
            walked = (start, ()) if start is not None else None
        else:
            walked = self._later(what, links)
        self._walked[key] = walked
        return walked

    def _later(self, what: tuple[str, int, int], links: tuple[str, ...]) -> Walked | None:
        """Return where the last of several links leads."""
        walked = self._walk(what, links[:-1]) if len(links) > 1 or what[1] not in self._injected else None
        if walked is None and self._extends and len(links) == 3 and links[1] == CALL_MARK:
            found = extension_members.of_library(self._lookup, links[0], links[2])
            return (found, ()) if found is not None else None
        return self._further(walked, links[-1]) if walked is not None else None

    def _free(self, path: str, scope: int, around: int, links: tuple[str, ...]) -> Walked | None:
        found = self._lookup.free(path, scope, links[0])
        if found is None or found[1] >= 0:
            field = inherited.field(self._lookup, path, scope, links[0])
            if field is not None:
                return field, links
        found = found or self._lookup.module_named(path, links[0])
        if found is None:
            return None
        place, index = found
        if index >= 0:
            self._brought_by[around, links] = index
        return place, ()

    def _further(self, walked: Walked, link: str) -> Walked | None:
        """Return where one more link leads; None where it is a module that is none of the project."""
        place, rest = walked
        if rest and rest[0] in self._lookup.transparent and rest[1:] in {(), (CALL_MARK,)} and link != CALL_MARK:
            rest = ()  # the same class still
        if len(rest) == 1:
            # An attribute that is no definition, on the way to something: what it holds is known by its class.
            held = self._lookup.attribute(place, rest[0], 0)
            if held is not None:
                place, rest = held, ()
        if link == CALL_MARK and not rest:
            place = self._lookup.called(place)
        following = None if rest else self._lookup.step(place, link, 0)
        if following is None and not rest and link != CALL_MARK:
            following = extension_members.extension_member(self._lookup, place, link)
        if following is None and place.kind in {"definition", "namespace"} and self._lookup.names_module(link):
            return None
        return (place, (*rest, link)) if following is None else (following, ())

    def _reference(self, found: Found, path: str, walked: Walked, use: Use, *, bare: bool) -> None:
        place, rest = walked
        if place.kind == "module":
            place = self._lookup.whole(place.path, 0) or place
        elif place.kind == "bases":
            place = inherited.made_by(self._lookup, place)
        place = self._lookup.body_of(self._lookup.called(place) if use.how & CALL and not rest else place)
        definition = self._lookup.definition(place)
        symbol = definition.name if definition is not None else ""
        state = constants.state(self._lookup.language, definition, rest, use.how)
        if state is None or (definition is None and place.kind != "module"):
            return
        if place.path == path and use.scope >= 0 and place.number == use.scope and not state:
            return  # a definition that calls itself tells nothing
        how = use.how if not rest else (use.how & WRITE if state else 0) or READ
        is_function = definition is not None and definition.kind in {"function", "method"}
        how = how & ~READ | CALL if bare and how & READ and is_function else how
        if how & WRITE and not state and (rest or is_function):
            how = how & ~WRITE or READ  # what is assigned belongs to what a call gives, not to what is named
        how |= BEHIND if rest and use.how & CALL else 0
        targets = [(place.path, symbol, self._is_of_class(place.path, definition))]
        if state and "." not in state and definition is not None and definition.kind == "variable":
            # The attribute of what a variable holds is one of its class: both names lead to the same state.
            held = self._lookup.dotted(place.path, definition.returns.strip("'\" "), 0, definition.parent)
            kept = self._lookup.definition(held) if held is not None else None
            if held is not None and kept is not None:
                targets.append((held.path, kept.name, True))
        for to, name, is_of_class in targets:
            record = found.setdefault((use.scope, to, name, state), [0, use.line, 0])
            record[0] |= how | MEMBER * is_of_class
            record[2] += use.count
