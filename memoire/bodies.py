"""Leads from what only declares something to what defines it, and picks one of several definitions of one name.

A prototype in a header, a method of a class whose body another file has, a variable that is `extern`.
"""

from collections.abc import Sequence

from memoire.consulting import Consulting, Place
from memoire.extract.spec import Language
from memoire.model import Definition
from memoire.tree import base_stem, shared_folders, variant


class Bodies(Consulting):
    """The definitions of qualified names."""

    def declarations(self, family: str, name: str) -> list[Place]:
        """Return the definitions that declare a qualified name, of those files that the one being linked sees."""
        places = (self.declared_in(path, name) for path in self.seen(self.declaring(family, name)))
        return [place for place in places if place is not None]

    def seen(self, paths: Sequence[str]) -> Sequence[str]:
        """Return those of some files whose names the file that is being linked may see."""
        if not paths or self.language is None:
            return paths
        if not self.language.by_inclusion:
            unit = self.unit(self.path)
            seen = self.units_seen(unit) if unit else frozenset()
            return [path for path in paths if self.unit(path) in seen or not self.unit(path)] if unit else paths
        included = self.inclusion(self.path)
        return [path for path in paths if path in included]

    def declared_in(self, path: str, name: str) -> Place | None:
        """Return the definition of a qualified name in a file that declares it."""
        language = self.language_of(path)
        if language is None or language.package_of is None:
            return None
        module = self.module(path)
        package = self.package(path)
        inner = name[len(package) + 1 :] if package else name
        self.consult(path, inner.partition(".")[0])
        index = module.qualified.get(inner)
        return None if index is None else Place("definition", path, index)

    def _nearest(self, places: list[Place]) -> Place | None:
        """Return the place in the file nearest to the one being linked, what has a body before what has none.

        Of two in one folder the one whose file is for the same system: `disk_linux.go` goes with `net_linux.go`.
        """
        if len(places) < 2:
            return places[0] if places else None

        def distance(place: Place) -> tuple[bool, int, bool, str]:
            is_other = variant(place.path) != variant(self.path)
            return self._is_declaration(place), -shared_folders(self.path, place.path), is_other, place.path

        return min(places, key=distance)

    def _is_declaration(self, place: Place) -> bool:
        definition = self.definition(place)
        return definition is not None and definition.kind == "declaration"

    def body_of(self, place: Place) -> Place:
        """Return the definition of what a place only declares; the place itself where there is no one such."""
        definition = self.definition(place)
        language = self.language_of(place.path)
        if definition is None or definition.kind != "declaration" or language is None or language.package_of is None:
            return place
        package = self.package(place.path)
        name = f"{package}.{definition.name}" if package else definition.name
        found = []
        for path in self.declaring(language.family or language.name, name):
            at = self.declared_in(path, name)
            candidate = self.definition(at) if at is not None else None
            if at is not None and candidate is not None and self._is_body_of(place, path, candidate, language):
                found.append(at)
        if len(found) > 1 and language.by_inclusion:
            found = [at for at in found if place.path in self.inclusion(at.path)] or found
        if len(found) > 1:
            stem = place.path.rpartition(".")[0]
            pair = [at for at in found if base_stem(at.path) == base_stem(stem + ".")]
            shared = [shared_folders(place.path, at.path) for at in pair or found]
            found = [at for at, near in zip(pair or found, shared, strict=True) if near == max(shared)]
        return found[0] if len(found) == 1 else place

    def _is_body_of(self, place: Place, path: str, candidate: Definition, language: Language) -> bool:
        """Return whether a definition of the same name may be the one that a place declares."""
        if candidate.kind == "declaration" or (candidate.is_private and path != place.path):
            return False
        if not language.by_inclusion or path == place.path or base_stem(path) == base_stem(place.path):
            return True
        return place.path in self.inclusion(path)
