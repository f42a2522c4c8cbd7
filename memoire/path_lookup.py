"""Follows the paths of names of languages in which modules are named by paths: `crate::store::Disk`.

Of such a path `Language.resolve` finds the first part; each other is a name of what the part before it leads to: a
declared module, a definition, a re-export.
"""

from collections.abc import Iterator, Mapping
from itertools import islice

from memoire.asked import MAX_HOPS
from memoire.consulting import Place
from memoire.lookup import MAX_OWN_STARS
from memoire.model import CLASS_KINDS, Target
from memoire.modules import PACKAGE
from memoire.star_lookup import StarLookup


class PathLookup(StarLookup):
    """A `Lookup` that knows paths, and packages that are called unlike their folders."""

    def target_of(self, path: str, index: int) -> Target:
        """Return what the specifier of an import names: for a path the file it comes to, where it is one of a file."""
        facts, language = self.facts_of(path), self.language_of(path)
        assert facts is not None
        assert language is not None
        item = facts.imports[index]
        paths = language.module_paths
        if paths is None:
            return self.resolve(path, language, item.specifier)
        place = self._path(path, index, 0)
        if place is None:
            head = item.specifier.partition(paths.joint)[0]
            found = self.resolve(path, language, head)
            return found if found.kind in {"package", "builtin"} else Target("unresolved", item.specifier)
        return Target("file" if place.kind in {"module", "definition"} else place.kind, place.path)

    def follow_import(self, path: str, index: int, hops: int) -> Place | None:
        """Return where an import of a file leads."""
        facts, language = self.facts_of(path), self.language_of(path)
        paths = language.module_paths if language is not None else None
        if facts is None or language is None or paths is None:
            return super().follow_import(path, index, hops)
        item = facts.imports[index]
        place = self._path(path, index, hops)
        if place is None or place.kind in {"package", "builtin"}:
            head = self.resolve(path, language, item.specifier.partition(paths.joint)[0])
            return self._outside(head, language, item) or place
        if not item.name or item.name == "*":
            return place
        return self.step(place, item.name, hops + 1)

    def from_star(self, path: str, index: int, name: str, hops: int) -> Place | None:
        """Return what an import of all names of a module, or of an enumeration, brings under a name."""
        facts, language = self.facts_of(path), self.language_of(path)
        if facts is None or language is None or language.module_paths is None:
            return super().from_star(path, index, name, hops)
        place = self._star_path(path, index, hops)
        if place is not None and place.kind == "module" and self._keeps_from(path, place.path, name):
            return self.name(place.path, name, hops + 1, is_kept=True)
        return self.step(place, name, hops + 1) if place is not None else None

    def _star_path(self, path: str, index: int, hops: int) -> Place | None:
        """Return where the path of an import of all names leads: looked for once, whatever names it is to bring.

        Other such imports may bring a name of it, and it one of theirs.
        """
        key = (path, index)
        if key not in self.star_paths:
            self.star_paths[key] = None
            self.star_paths[key] = self._path(path, index, hops)
        return self.star_paths[key]

    def _keeps_from(self, path: str, module: str, name: str) -> bool:
        """Return whether a module imports a name for itself and those inside it, and a file is none of these."""
        is_import, index = self.module(module).names.get(name, (False, -1))
        facts, language = self.facts_of(module), self.language_of(module)
        paths = language.module_paths if language is not None else None
        if not is_import or facts is None or language is None or paths is None or path == module:
            return False
        item = facts.imports[index]
        if item.kind == "reexport" or paths.is_declaration(item.specifier):
            return False
        at = Target("file", path)
        for _ in range(MAX_HOPS):
            if at.kind != "file" or at.path == module:
                break
            at = self.resolve(at.path, language, paths.outer)
        self.consult(module, name)
        return at.path != module

    def leads(
        self, path: str, index: int, through: Mapping[str, tuple[int, str]]
    ) -> Iterator[tuple[int, str, str, str, str]]:
        """Yield (line, name, target, its kind, origin) of where a path of names leads, as in `ImportLink`.

        Args:
            path: The importing file.
            index: The import.
            through: File that is named through the module that it binds -> (line, name).
        """
        facts = self.facts_of(path)
        assert facts is not None
        item = facts.imports[index]
        target = self.target_of(path, index)
        files = {other: line for other, (line, _) in through.items() if other != path}
        if item.kind == "implicit":
            yield from ((line, "", other, "file", "") for other, line in files.items())
            if target.kind in {"package", "builtin"}:
                yield item.line, "", target.path, target.kind, ""
            return
        place, origin = target.path, ""
        is_named = item.name not in {"", "*"} and target.kind == "file"
        found = self.follow_import(path, index, 0) if is_named else None
        if found is not None and found.kind == "module":
            place = found.path
        elif found is not None and found.kind == "definition" and found.path != place:
            place, origin = (found.path, "") if place == path else (place, found.path)
        elif found is None and is_named:
            deepest = self._passed_through(place, item.name, 0)
            origin = deepest if deepest not in {place, path} else ""
        yield item.line, item.name, place, target.kind, origin
        for other in files:
            if other not in {place, origin}:
                yield item.line, item.name, other, "file", ""

    def _passed_through(self, path: str, name: str, hops: int) -> str:
        """Return the file up to which modules pass on a name that none of them shows: a macro may make it."""
        self.consult(path, name)
        is_import, index = self.module(path).names.get(name, (False, -1))
        facts = self.facts_of(path)
        target = self.target_of(path, index) if is_import and hops <= MAX_HOPS else None
        if facts is None or target is None or target.kind != "file" or target.path == path:
            return path
        return self._passed_through(target.path, facts.imports[index].name, hops + 1)

    def named_through(self, path: str, index: int, links: tuple[str, ...]) -> str:
        """Return the file of what is named through the module that an import binds, empty where that is none."""
        place = self.follow_import(path, index, 0)
        if place is None or place.kind != "module":
            return ""
        for link in links:
            following = self.step(place, link, 0)
            if following is None or following.kind not in {"module", "definition"}:
                break
            place = following
            if place.kind == "definition":
                break
        return place.path if place.path != path else ""

    def free(self, path: str, scope: int, name: str, hops: int = 0) -> tuple[Place, int] | None:
        """Return what a name that nothing in its file binds leads to, and the import that brings it (-1: none)."""
        return super().free(path, scope, name, hops) or self._by_package(path, name)

    def _find_name(self, path: str, name: str, hops: int) -> Place | None:
        found = super()._find_name(path, name, hops)
        called_so = self._by_package(path, name) if found is None else None
        return called_so[0] if called_so is not None else found

    def _passed_on(self, path: str, name: str, hops: int) -> Place | None:
        """Return what a module has under a name because it imports all names of others: not modules inside it."""
        facts, language = self.facts_of(path), self.language_of(path)
        if facts is None or language is None or language.module_paths is None:
            return super()._passed_on(path, name, hops)
        self.consult(path, "*")
        own = (index for index in reversed(self.module(path).stars) if facts.imports[index].scope < 0)
        # What each brings is looked for along its path, whose names these imports may bring as well.
        brought = (self.from_star(path, index, name, hops + 1) for index in islice(own, MAX_OWN_STARS))
        return next(filter(None, brought), None)

    def _by_package(self, path: str, name: str) -> tuple[Place, int] | None:
        """Return the namespace that is imported as a whole and that its files call so, whatever its path is."""
        facts, language = self.facts_of(path), self.language_of(path)
        if facts is None or language is None or language.package_of is None:
            return None
        for index, item in enumerate(facts.imports):
            target = self.resolve(path, language, item.specifier) if not item.name and item.alias else None
            if target is None or target.kind != "namespace":
                continue
            for other in self.files_of(self._family(), target.path)[:1]:
                self.consult(other, PACKAGE)
                if self.module(other).package == name:
                    return Place("namespace", target.path), index
        return None

    def local(self, path: str, scope: int, name: str, hops: int) -> Place | None:
        """Return what a name leads to where it stands in a scope of a file."""
        around = self._namespace(path, scope)
        language = self.language_of(path)
        if around >= 0 and language is not None and language.module_paths is not None:
            return self._of_namespace(path, around, name, hops)
        return super().local(path, scope, name, hops)

    def bases(self, place: Place, hops: int) -> Iterator[Place]:
        """Yield the bases of a class: those of what extends it in its file, too."""
        yield from super().bases(place, hops)
        language, definitions = self.language_of(place.path), self.module(place.path).definitions
        own = definitions[place.number]
        if language is None or language.module_paths is None or own.kind == "extension":
            return
        for index, item in enumerate(definitions):
            if item.kind == "extension" and item.name == own.name and item.bases:
                yield from super().bases(Place("definition", place.path, index), hops)

    def _path(self, path: str, index: int, hops: int) -> Place | None:
        """Return where the specifier of an import leads."""
        facts, language = self.facts_of(path), self.language_of(path)
        paths = language.module_paths if language is not None else None
        if facts is None or paths is None or hops > MAX_HOPS:
            return None
        head, *links = facts.imports[index].specifier.split(paths.joint)
        place = self._head(path, index, head, hops)
        for link in links:
            if place is None or place.kind in {"package", "builtin"}:
                return place
            place = self._inner(place, link, hops + 1)
        return place

    def _imported(self, path: str, head: str, hops: int) -> Place | None:
        """Return what the first name of a path means in a file; what it names of a crate called so is something else.

        After `use regex::regex` the crate is `regex` still, for that is a macro.
        """
        is_import, index = self.module(path).names.get(head, (False, -1))
        facts, language = self.facts_of(path), self.language_of(path)
        paths = language.module_paths if language is not None else None
        if is_import and facts is not None and paths is not None:
            item = facts.imports[index]
            if item.name and item.specifier.partition(paths.joint)[0] == head:
                self.consult(path, head)
                return None
        return self.name(path, head, hops + 1)

    def _inner(self, place: Place, link: str, hops: int) -> Place | None:
        """Return where a name in the middle of a path leads: modules and types have names apart from functions."""
        if place.kind == "module":
            declared = self._module_in(place.path, link, hops)
            if declared is not None:
                return declared
        return self.step(place, link, hops)

    def _module_in(self, path: str, name: str, hops: int) -> Place | None:
        """Return the module of a name that a file declares at its top."""
        facts, language = self.facts_of(path), self.language_of(path)
        paths = language.module_paths if language is not None else None
        self.consult(path, name)
        module = self.module(path)
        imports = facts.imports if facts is not None and name in module.names else ()
        for index, item in enumerate(imports):
            if item.alias == name and item.scope < 0 and paths is not None and paths.is_declaration(item.specifier):
                return self.follow_import(path, index, hops)
        at = module.qualified.get(name)
        is_namespace = at is not None and module.definitions[at].kind == "namespace"
        return Place("definition", path, at) if at is not None and is_namespace else None

    def _head(self, path: str, index: int, head: str, hops: int) -> Place | None:
        """Return where the first name of a path leads."""
        facts, language = self.facts_of(path), self.language_of(path)
        assert facts is not None
        assert language is not None
        assert language.module_paths is not None
        item, paths = facts.imports[index], language.module_paths
        around = self._namespace(path, item.scope)
        if around >= 0 and head == paths.own:
            return Place("definition", path, around)
        if around >= 0 and head == paths.outer:
            outer = self._namespace(path, facts.definitions[around].parent)
            return Place("definition", path, outer) if outer >= 0 else Place("module", path)
        is_named = head not in {paths.root, paths.own, paths.outer} and not paths.is_declaration(head)
        if is_named and item.kind != "implicit":
            if around >= 0:
                local = self._of_namespace(path, around, head, hops)
            else:
                local = self._module_in(path, head, hops) or self._imported(path, head, hops)
            if local is not None and self._holds_names(local):
                return local
        if around >= 0 and head.startswith(paths.declares):
            names = (*facts.definitions[around].name.split("."), head.removeprefix(paths.declares))
            head = paths.declares + "/".join(names)
        found = self._place_of(self.resolve(path, language, head), hops)
        if found is not None or item.kind != "implicit":
            return found
        return self._from_stars(path, head, hops) or self._macro(self.resolve(path, language, paths.root).path, head)

    def _module_member(self, place: Place, name: str, hops: int) -> Place | None:
        found = super()._module_member(place, name, hops)
        follows = self.language is not None and self.language.module_paths is not None
        return self._macro(place.path, name) if found is None and follows and place.kind == "module" else found

    def _macro(self, root: str, name: str) -> Place | None:
        """Return the macro that a package has under a name, wherever it is defined: all belong to the root."""
        language = self.language_of(root)
        paths = language.module_paths if language is not None else None
        if language is None or paths is None:
            return None
        for path in self.declaring(language.family, name, root):
            module = self.module(path)
            self.consult(path, name)
            at = module.qualified.get(name, -1)
            is_macro = at >= 0 and module.definitions[at].kind == "macro"
            if is_macro and self.resolve(path, language, paths.root).path == root:
                return Place("definition", path, at)
        return None

    def _from_stars(self, path: str, name: str, hops: int) -> Place | None:
        for star in self.module(path).stars:
            found = self.from_star(path, star, name, hops + 1)
            if found is not None:
                return found
        return None

    def _namespace(self, path: str, scope: int) -> int:
        """Return the innermost namespace with a body that a scope of a file lies in; -1 for the file itself."""
        definitions = self.module(path).definitions
        while scope >= 0 and definitions[scope].kind != "namespace":
            scope = definitions[scope].parent
        return scope

    def _holds_names(self, place: Place) -> bool:
        """Return whether a path may go on behind a place: modules and types, no functions."""
        definition = self.definition(place)
        return place.kind == "module" or (
            definition is not None and (definition.kind in CLASS_KINDS or definition.kind in {"namespace", "type"})
        )

    def _of_namespace(self, path: str, index: int, name: str, hops: int) -> Place | None:
        """Return what a name means in a namespace with a body: what it defines and what it imports."""
        language = self.language_of(path)
        if language is None or language.module_paths is None:
            return super()._of_namespace(path, index, name, hops)
        module, facts = self.module(path), self.facts_of(path)
        self.consult(path, module.definitions[index].name.partition(".")[0])
        member = module.members.get((index, name))
        if member is not None:
            return Place("definition", path, member)
        if facts is None:
            return None
        return self._asked.once((path, f"{index}:{name}"), hops, lambda: self._imported_in(path, index, name, hops))

    def _imported_in(self, path: str, index: int, name: str, hops: int) -> Place | None:
        """Return what a namespace with a body imports under a name."""
        facts = self.facts_of(path)
        for at, item in enumerate(facts.imports if facts is not None else ()):
            if item.scope == index and item.alias == name:
                return self.follow_import(path, at, hops + 1)
        for at in self.module(path).stars:
            if facts is not None and facts.imports[at].scope == index:
                found = self.from_star(path, at, name, hops + 1)
                if found is not None:
                    return found
        return None

    def _added(self, place: Place, name: str, hops: int) -> Place | None:
        """Return a member that an extension of the class gives it, here or in another file."""
        language = self.language_of(place.path)
        definition = self.definition(place)
        if language is None or language.module_paths is None or definition is None or definition.kind == "extension":
            return super()._added(place, name, hops)
        own = definition.name.rpartition(".")[2]
        for path in self.declaring(language.family, f"{own}.{name}", place.path):
            for index, item in enumerate(self.module(path).definitions):
                if item.parent < 0 or item.name.rpartition(".")[2] != name:
                    continue
                extension = self.module(path).definitions[item.parent]
                if extension.kind != "extension" or extension.name.rpartition(".")[2] != own:
                    continue
                self.consult(path, extension.name.partition(".")[0])
                if self._extended(path, item.parent, hops) == place:
                    return Place("definition", path, index)
        return None

    def _extended(self, path: str, index: int, hops: int) -> Place | None:
        """Return the class that an extension of a file adds to."""
        extension = self.module(path).definitions[index]
        around = self._namespace(path, extension.parent)
        name = extension.name
        if around >= 0:
            name = name.removeprefix(self.module(path).definitions[around].name + ".")
        return self.dotted(path, name, hops + 1, around)
