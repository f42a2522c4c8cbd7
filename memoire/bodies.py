"""Leads from what only declares something to what defines it, and picks one of several definitions of one name.

A prototype in a header, a method of a class whose body another file has, a variable that is `extern`.
"""

from collections.abc import Iterator
from itertools import islice
from posixpath import basename

from memoire.consulting import MAX_ASKED, MAX_DECLARING, Consulting, Place
from memoire.extract.spec import Language
from memoire.model import CLASS_KINDS, Definition
from memoire.tree import base_stem, shared_folders, variant


class Bodies(Consulting):
    """The definitions of qualified names."""

    def declarations(self, family: str, name: str) -> list[Place]:
        """Return the definitions that declare a qualified name, of those files that the one being linked sees."""
        spelled = self.spelled(family, name)
        places = (self.declared_in(path, spelled) for path in self.declaring_seen(family, spelled))
        found = [place for place in places if place is not None and self._is_included(place)]
        return found if spelled == name else [place for place in found if not self._is_constant(place)]

    def _is_constant(self, place: Place) -> bool:
        definition = self.definition(place)
        return definition is not None and definition.kind == "variable"

    def _is_included(self, place: Place) -> bool:
        """Return whether the file being linked includes that of a definition, where its language asks that of it."""
        definition, language = self.definition(place), self.language
        if language is None or definition is None or definition.kind not in language.by_inclusion:
            return True
        return place.path in self.inclusion(self.path)

    def _declared(self, family: str, name: str) -> Place | None:
        """Return the definition of a qualified name: in its own file, else in the nearest that declares it."""
        places = self.declarations(family, name)
        found = self._own_file(name, places) if len(places) > 1 else None
        return found or self._nearest(places)

    def has_none(self, namespace: str, name: str) -> bool:
        """Return whether a namespace has nothing of a name because nothing in the project is called so.

        That is one question for each name and one for each namespace, where there may be many of both.
        """
        family = self._family()
        if not namespace or "." in name or self.is_last(family, name):
            return False
        return self.is_namespace(family, namespace) and not self.all_declaring(family, namespace)

    def _family(self) -> str:
        language = self.language
        return language.family if language is not None else ""

    def _beside(self, place: Place, definition: Definition, name: str) -> Place | None:
        """Return what a name means in the namespace that is called like a class."""
        if self.language is None or not self.language.imports_names or definition.parent >= 0:
            return None
        full = self.full_name(place.path, definition.name)
        is_both = bool(full) and self.is_namespace(self._family(), full)
        return self._declared(self._family(), f"{full}.{name}") if is_both else None

    def _own_file(self, name: str, places: list[Place]) -> Place | None:
        """Return the place in the file that is a name's own; None where several files add to it alike."""
        own = self.preferred(self.language, name, tuple(place.path for place in places)) if self.language else ""
        return next((place for place in places if place.path == own), None)

    def full_name(self, path: str, name: str) -> str:
        """Return the qualified name of what a file declares; empty where the language has no namespaces."""
        language = self.language_of(path)
        if language is None or language.package_of is None:
            return ""
        package = self.package(path)
        return f"{package}.{name}" if package else name

    def is_shared(self, place: Place) -> bool:
        """Return whether several files declare what a place defines, and none of them is its own."""
        definition = self.definition(place)
        if definition is None or definition.kind not in CLASS_KINDS:
            return False
        name = self.full_name(place.path, definition.name)
        places = self.declarations(self._family(), name)
        return len(places) > 1 and self._own_file(name, places) is None

    def _named_bases(self, place: Place) -> Iterator[tuple[str, str, int]]:
        """Yield (file, base as written, scope it stands in) of a class, and of where other files open it again."""
        definition = self.module(place.path).definitions[place.number]
        yield from self.said_bases(place)
        language = self.language_of(place.path)
        if language is None or definition.kind not in language.opens:
            return
        family = language.family
        for other in self.declarations(family, self.full_name(place.path, definition.name)):
            opened = self.definition(other)
            if opened is not None and other != place:
                yield from ((other.path, base, opened.parent) for base in opened.bases)

    def _held_by(self, place: Place, definition: Definition) -> str:
        """Return the class of the instance variable that a method is called like; empty where there is none."""
        language = self.language_of(place.path)
        mark = language.syntax.member_mark if language is not None and language.syntax is not None else ""
        owner, _, name = definition.name.rpartition(".")
        return self.module(place.path).attributes.get(f"{owner}.{mark}{name}", "") if mark else ""

    def _is_itself(self, place: Place, name: str) -> bool:
        """Return whether a name in a class means the class: it is called so, as its constructor may be."""
        language = self.language_of(place.path)
        own = self.module(place.path).definitions[place.number]
        syntax = language.syntax if language is not None else None
        is_own = own.name.rpartition(".")[2] == name and own.kind != "extension"
        return is_own and syntax is not None and syntax.implicit_members and not syntax.repeats_names

    def declaring_seen(self, family: str, name: str) -> list[str]:
        """Return the files that declare a qualified name and are seen in the one being linked; of many the nearest."""
        paths, language = self.all_declaring(family, name), self.language
        if not paths or language is None:
            return []
        if language.is_pasted:
            included = self.inclusion(self.path)
            return [path for path in paths if path in included][:MAX_DECLARING]
        unit = self.unit(self.path)
        if not unit:
            return list(paths[:MAX_DECLARING])
        seen = self.units_seen(unit)
        of_seen = (path for path in paths[:MAX_ASKED] if self.unit(path) in seen or not self.unit(path))
        return list(islice(of_seen, MAX_DECLARING))

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
        name = self.full_name(place.path, definition.name)
        found = []
        for path in self.declaring(language.family, name, place.path):
            at = self.declared_in(path, name)
            candidate = self.definition(at) if at is not None else None
            if at is not None and candidate is not None and self._is_body_of(place, at, candidate, language):
                found.append(at)
        if len(found) > 1 and language.is_pasted:
            found = [at for at in found if place.path in self.inclusion(at.path)] or found
        if len(found) > 1:
            stem = place.path.rpartition(".")[0]
            pair = [at for at in found if base_stem(at.path) == base_stem(stem + ".")]
            shared = [shared_folders(place.path, at.path) for at in pair or found]
            found = [at for at, near in zip(pair or found, shared, strict=True) if near == max(shared)]
        return found[0] if len(found) == 1 else place

    def _is_body_of(self, place: Place, at: Place, candidate: Definition, language: Language) -> bool:
        """Return whether a definition of the same name may be the one that a place declares."""
        path = at.path
        if candidate.kind == "declaration" or (candidate.is_private and path != place.path):
            return False
        if not language.is_pasted or path == place.path or place.path in self.inclusion(path):
            return True
        return base_stem(path) == base_stem(place.path) and not self._has_own_header(place, path, language)

    def _has_own_header(self, header: Place, path: str, language: Language) -> bool:
        """Return whether another file that is called like a header, and declares the same, is nearer to a file."""
        definition = self.definition(header)
        name = self.full_name(header.path, definition.name) if definition is not None else ""
        last, near = basename(header.path), shared_folders(header.path, path)
        others = self.declaring(language.family, name, path)
        return any(basename(other) == last and shared_folders(other, path) > near for other in others)
