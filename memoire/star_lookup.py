"""Follows names where a file does not pass on all that it sees: imports of all names, libraries of several files."""

import re
from posixpath import dirname, join

from memoire.asked import MAX_HOPS
from memoire.consulting import Place
from memoire.extract.chains import CALL_MARK
from memoire.extract.spec import Language
from memoire.lookup import Lookup
from memoire.model import Definition


class StarLookup(Lookup):
    """Knows which names an import of all names brings, and to whom."""

    _quoted_for = ""
    """The file that is being linked, which `_quotes` is for."""
    _quotes: dict[str, dict[str, tuple[str, int]]]
    """Module -> name -> (file, import) of what it puts into those that use it."""

    def from_star(self, path: str, index: int, name: str, hops: int) -> Place | None:
        """Return what an import of all names of a module brings under a name."""
        facts, language = self.facts_of(path), self.language_of(path)
        if facts is None or language is None or hops > MAX_HOPS:
            return None
        item = facts.imports[index]
        if name in item.hides:
            return None
        if item.kind == "part":
            whole = self.resolve(path, language, item.specifier)
            return self.inside(whole.path, name, hops) if whole.kind == "file" and whole.path != path else None
        private = language.syntax.private_names if language.syntax is not None else ""
        if private and item.kind != "implicit" and re.match(private, name):
            return None
        target = self.resolve(path, language, item.specifier)
        if target.kind == "file" and target.path != path and self._keeps(target.path, name):
            return self.name(target.path, name, hops, is_kept=True)
        return super().from_star(path, index, name, hops) or self._quoted(item.specifier, language, name, hops)

    def _quoted(self, specifier: str, language: Language, name: str, hops: int) -> Place | None:
        """Return what a module puts under a name into those that use it: an import inside of one of its functions.

        Such an import may use another module in its turn.
        """
        if language.syntax is None or not language.syntax.quotes_imports or not specifier:
            return None
        if self._quoted_for != self.path:
            self._quoted_for, self._quotes = self.path, {}
        if specifier not in self._quotes:
            self._quotes[specifier] = self._quoted_by(specifier, language)
        found = self._quotes[specifier].get(name)
        return self.follow_import(*found, hops + 1) if found is not None else None

    def _quoted_by(self, specifier: str, language: Language) -> dict[str, tuple[str, int]]:
        """Return name -> (file, import) of all that a module puts into those that use it."""
        found: dict[str, tuple[str, int]] = {}
        modules = [specifier]
        for module in modules:
            for path in self.declaring(language.family, module):
                self.consult(path, module.partition(".")[0])
                facts = self.facts_of(path)
                for index, item in enumerate(facts.imports if facts is not None else ()):
                    if item.scope < 0:
                        continue
                    if item.alias:
                        found.setdefault(item.alias, (path, index))
                    if item.is_star and item.specifier not in modules and len(modules) < MAX_HOPS:
                        modules.append(item.specifier)
        return found

    def _keeps(self, path: str, name: str) -> bool:
        """Return whether a module does not give a name that it has to those that import all its names."""
        facts, language = self.facts_of(path), self.language_of(path)
        self.consult(path, name)
        found = self.module(path).names.get(name)
        if facts is None or language is None or found is None:
            return False
        is_import, index = found
        if is_import and facts.imports[index].kind == "reexport":
            return False
        return name not in facts.exports if facts.exports else is_import and not language.passes_stars

    def injected(self, path: str, index: int, name: str) -> Place | None:
        """Return the fixture that a test runner gives to a parameter: of the file, or of the nearest to share any."""
        facts, language = self.facts_of(path), self.language_of(path)
        specifier = facts.imports[index].specifier if facts is not None else ""
        at, asking = path, path
        for _ in range(MAX_HOPS):
            self.consult(at, name)
            if name in self.module(at).names:
                return self.name(at, name, 0)
            target = self.resolve(asking, language, specifier) if language is not None else None
            if target is None or target.kind != "file":
                return None
            at = target.path
            folder = dirname(at)
            if not folder and at == path:
                return None
            asking = join(dirname(folder), "_") if folder else at
        return None

    def inside(self, path: str, name: str, hops: int) -> Place | None:
        """Return what a name of a module means to the module itself, which sees all that it imports."""
        found = self.name(path, name, hops)
        language, facts = self.language_of(path), self.facts_of(path)
        if found is not None or language is None or facts is None or language.passes_stars:
            return found
        for index in reversed(self.module(path).stars):
            found = self.from_star(path, index, name, hops + 1) if facts.imports[index].kind != "reexport" else None
            if found is not None:
                return found
        return None

    def module_named(self, path: str, name: str) -> tuple[Place, int] | None:
        """Return the module all of whose names a file imports, by its own name, and that import: `Core.Client`."""
        facts, language = self.facts_of(path), self.language
        for index in self.module(path).stars:
            if facts is None or language is None or facts.imports[index].specifier != name:
                continue
            target = self.resolve(path, language, name)
            if target.kind == "namespace":
                return Place("namespace", target.path), index
        return None

    def local(self, path: str, scope: int, name: str, hops: int) -> Place | None:
        """Return what a name leads to where it stands in a scope of a file: the class of an annotation, a base."""
        return super().local(path, scope, name, hops) or self.inside(path, name, hops)

    def _step_on(self, place: Place, definition: Definition, link: str, hops: int) -> Place | None:
        """Return where one attribute or call leads from what is no class: a computed property is a method, too."""
        text = self.module(place.path).attributes.get(definition.name) if definition.kind == "method" else None
        if text and link != CALL_MARK:
            held = self.dotted(place.path, text, hops + 1, definition.parent)
            return self.step(held, link, hops + 1) if held is not None else None
        return super()._step_on(place, definition, link, hops)

    def _added(self, place: Place, name: str, hops: int) -> Place | None:
        """Return a member that another definition of the class, or what extends it, adds: one seen here alone, too."""
        found = super()._added(place, name, hops)
        if found is None and self.package(place.path) == self.package(self.path) != "":
            definition = self.module(place.path).definitions[place.number]
            index = self.module(self.path).qualified.get(f"{definition.name}.{name}")
            return None if index is None else Place("definition", self.path, index)
        return found
