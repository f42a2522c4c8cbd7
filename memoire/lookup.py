"""Follows names from file to file: an import to its module, a re-export to its definition, an attribute to a member.

Names are followed, never guessed: where a step cannot be followed by the rules of the language, the answer is None.
"""

import re
from collections.abc import Callable, Iterator
from itertools import chain, islice

from memoire.asked import MAX_HOPS, Asked
from memoire.bodies import Bodies
from memoire.consulting import SAME, Place, of_items
from memoire.extract.chains import CALL_MARK, ITEM, SUPER, split
from memoire.extract.spec import Language
from memoire.lineage import orders
from memoire.model import CLASS_KINDS, Definition, FileFacts, Import, Target
from memoire.modules import PUBLIC, enclosing, owner_of
from memoire.tree import Tree

MAX_STARS = 300
"""Imports of all names that a name is looked for in, of a file that passes on what they bring."""
MAX_OWN_STARS = 100
"""Those of the file that uses the name."""

WHOLE = "="
"""The exported name of what stands for a module itself, in languages where something else may."""
_PASSED_ON = frozenset({"reexport", "implicit"})


class Lookup(Bodies):
    """Follows names for one file at a time.

    Args:
        tree: The files of the project.
        language_of: Path -> its language.
        facts: Path -> its facts, None where there are none.
    """

    def __init__(
        self, tree: Tree, language_of: Callable[[str], Language | None], facts: Callable[[str], FileFacts | None]
    ) -> None:
        super().__init__(tree, language_of, facts)
        self._asked = Asked()
        """What names of modules lead to."""
        self._lineages: dict[Place, tuple[int, list[Place]]] = {}
        """Class -> (hops after which it was looked for, what it inherits from)."""

    def begin(self, path: str, language: Language) -> None:
        """Start over for another file."""
        super().begin(path, language)
        self._asked, self._lineages = Asked(), {}

    # ---- names of modules

    def name(self, path: str, name: str, hops: int, *, is_kept: bool = False) -> Place | None:
        """Return where a name of a module leads, through re-exports.

        If `is_kept`, its own of that name is not given to others: it leads where an import of all names does.
        """
        find = self._passed_on if is_kept else self._find_name
        return self._asked.once((path, f"*{name}" if is_kept else name), hops, lambda: find(path, name, hops))

    def _find_name(self, path: str, name: str, hops: int) -> Place | None:
        self.consult(path, name)
        module = self.module(path)
        found = module.names.get(name)
        if found is not None:
            is_import, index = found
            return self.follow_import(path, index, hops + 1) if is_import else Place("definition", path, index)
        facts = self.facts_of(path)
        language = self.language_of(path)
        if facts is None or language is None:
            return None
        place = self._passed_on(path, name, hops)
        if place is not None:
            return place
        submodule = self.submodule(language, Target("file", path), name)
        return Place("module", submodule.path) if submodule and submodule.kind == "file" else None

    def _passed_on(self, path: str, name: str, hops: int) -> Place | None:
        """Return what a module has under a name because it imports all names of others."""
        self.consult(path, "*")
        module, facts, language = self.module(path), self.facts_of(path), self.language_of(path)
        if facts is None or language is None:
            return None
        order = [index for index in module.stars if language.passes_stars or facts.imports[index].kind in _PASSED_ON]
        order = order[::-1] if language.package_of else order
        brought = (self.from_star(path, index, name, hops + 1) for index in order[:MAX_STARS])
        ambient = (self._brought(at, specifier, name, hops + 1) for at, specifier in self.ambient(path))
        return next((place for place in chain(brought, ambient) if place is not None), None)

    def from_star(self, path: str, index: int, name: str, hops: int) -> Place | None:
        """Return what an import of all names of a module brings under a name."""
        facts = self.facts_of(path)
        return self._brought(path, facts.imports[index].specifier, name, hops) if facts is not None else None

    def _brought(self, path: str, specifier: str, name: str, hops: int) -> Place | None:
        language = self.language_of(path)
        target = self.resolve(path, language, specifier) if language is not None else None
        if target is not None and language is not None and target.kind == "namespace":
            found = self.namespace_member(target.path, name, hops)
            definition = self.definition(found) if found is not None else None
            kind = definition.kind if definition is not None else "namespace"
            return found if language.brings(specifier, kind) else None
        if target is None or language is None or language.by_inclusion:
            return None  # what the files bring that it includes is known by their namespaces
        if target.kind != "file" or target.path == path or not self._gives(target.path, name):
            return None
        return self.name(target.path, name, hops)

    def _gives(self, path: str, name: str) -> bool:
        """Return whether a module gives a name to those that import all its names."""
        language, facts = self.language_of(path), self.facts_of(path)
        if language is None or facts is None or language.syntax is None or not language.syntax.public_names:
            return True
        self.consult(path, PUBLIC)
        return name in facts.public.split() if facts.public else not name.startswith("_")

    def follow_import(self, path: str, index: int, hops: int) -> Place | None:
        """Return where an import of a file leads."""
        facts = self.facts_of(path)
        language = self.language_of(path)
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
                and target.kind != "namespace"
            ):
                # `import a.b` binds `a`.
                target = self.resolve(path, language, item.alias)
            return self._outside(target, language, item) or self._place_of(target, hops)
        return self._outside(target, language, item) or self._follow_name(path, language, (target, item.name), hops)

    def _outside(self, target: Target, language: Language, item: Import) -> Place | None:
        """Return what an import brings from outside the project, by its qualified name."""
        if target.kind not in {"package", "builtin", "unresolved"} or language.syntax is None:
            return None
        name = language.syntax.qualify(item) if item.name != "*" else ""
        return Place(target.kind, name) if name else None

    def _follow_name(self, path: str, language: Language, what: tuple[Target, str], hops: int) -> Place | None:
        """Return where a name of what an import names leads."""
        target, name = what
        if target.kind == "namespace":
            return self.namespace_member(target.path, name, hops)
        if target.kind == "directory" or (target.kind == "file" and target.path == path):
            # `from . import x` in an `__init__`: the submodule, for the name is this very import.
            submodule = self.submodule(language, target, name)
            return self._place_of(submodule, hops) if submodule else None
        if target.kind != "file":
            return self._place_of(target, hops)
        found = self.name(target.path, name, hops)
        if found is None and name == "default":
            # A module without one (CommonJS) is its own default.
            return self.whole(target.path, hops) or self._place_of(target, hops)
        return found

    def whole(self, path: str, hops: int) -> Place | None:
        """Return what stands for a module itself: `x` after `module.exports = x`."""
        self.consult(path, WHOLE)
        found = self.module(path).names.get(WHOLE)
        if found is None or hops > MAX_HOPS:
            return None
        is_import, index = found
        return self.follow_import(path, index, hops + 1) if is_import else Place("definition", path, index)

    def _place_of(self, target: Target, hops: int) -> Place | None:
        if target.kind == "file":
            return Place("module", target.path)
        if target.kind == "namespace":
            return self.qualified(target.path, hops)
        return Place(target.kind, target.path) if target.kind in {"directory", "package", "builtin"} else None

    # ---- names of namespaces

    def namespace_member(self, namespace: str, name: str, hops: int) -> Place | None:
        """Return what a name means in a namespace, or in the type of that qualified name."""
        if self.has_none(namespace, name):
            return None
        found = self.qualified(f"{namespace}.{name}" if namespace else name, hops)
        if found is not None or not namespace or hops > MAX_HOPS or self.is_namespace(self._family(), namespace):
            return found
        around = self.qualified(namespace, hops + 1)
        return self.step(around, name, hops + 1) if around is not None and around.kind == "definition" else None

    def qualified(self, name: str, hops: int) -> Place | None:
        """Return the definition or the namespace of a qualified name, the nearest of several files that declare it."""
        family = self._family()
        found = self._declared(family, name)
        if found is not None:
            return found
        spelled = self.spelled(family, name)
        if not name or self.is_namespace(family, spelled):
            return Place("namespace", spelled)
        parent, _, last = name.rpartition(".")
        if not parent or hops > MAX_HOPS:
            return None
        around = self.qualified(parent, hops + 1)
        return self.step(around, last, hops + 1) if around is not None and around.kind == "definition" else None

    # ---- names inside a file

    def free(self, path: str, scope: int, name: str, hops: int = 0) -> tuple[Place, int] | None:
        """Return what a name that nothing in its file binds leads to, and the import that brings it (-1: none).

        Members of the classes around, then names of the namespaces around, then what imports of all names bring.
        """
        language = self.language_of(path)
        mark = language.syntax.root_prefix if language is not None and language.syntax is not None else ""
        if mark and name.startswith(mark):
            name = name.removeprefix(mark)
        else:
            around = self._around(path, scope, name, hops)
            if around is not None:
                return around, -1
        facts = self.facts_of(path)
        for index in islice(reversed(self.module(path).stars), MAX_OWN_STARS):
            if facts is None or (language and not language.passes_stars and facts.imports[index].kind == "reexport"):
                continue  # it is passed on, and not seen here
            found = self.from_star(path, index, name, hops)
            if found is not None:
                return found, index
        for other, specifier in self.ambient(path):
            found = self._brought(other, specifier, name, hops)
            if found is not None:
                return found, max(self.module(path).stars, default=-1)
        return None

    def _around(self, path: str, scope: int, name: str, hops: int) -> Place | None:
        language = self.language_of(path)
        has_members = language is not None and language.syntax is not None and language.syntax.implicit_members
        if language is None or language.syntax is None or not (has_members or language.imports_names):
            return None
        is_uncaptured = bool(language.syntax.uncaptured) and re.match(language.syntax.uncaptured, name) is not None
        module = self.module(path)
        for index in enclosing(module.definitions, scope):
            if module.definitions[index].kind == "namespace":
                found = self._of_namespace(path, index, name, hops)
            elif module.definitions[index].kind not in CLASS_KINDS:
                found = self._of_owner(path, index, name, hops)
            else:
                at, by_text = Place("definition", path, index), language.syntax.members_by_text
                found = (self._own(at, name) if by_text else self.class_member(at, name, hops)) if has_members else None
                has_members = has_members and not is_uncaptured
            if found is not None:
                return found
        return None

    def _of_owner(self, path: str, index: int, name: str, hops: int) -> Place | None:
        """Return what a name means in a member that is defined outside of its type: as it would inside of that."""
        definitions = self.module(path).definitions
        if hops > MAX_HOPS:
            return None
        owner = self.dotted(path, owner_of(definitions, index), hops + 1, definitions[index].parent)
        if owner is not None and owner.kind == "namespace":
            return self.namespace_member(owner.path, name, hops + 1)
        definition = self.definition(owner) if owner is not None else None
        if owner is None or definition is None or definition.kind not in CLASS_KINDS:
            return None
        return self._around(owner.path, owner.number, name, hops + 1)

    def _of_namespace(self, path: str, index: int, name: str, hops: int) -> Place | None:
        """Return what a name means in a namespace that a file opens, and in those that it lies in."""
        module = self.module(path)
        member = module.members.get((index, name))
        if member is not None:
            return Place("definition", path, member)
        namespace = module.definitions[index].name
        while namespace:
            full = self.full_name(path, namespace)
            found = self.qualified(f"{full}.{name}", hops) if full else None
            if found is not None:
                return found
            namespace = namespace.rpartition(".")[0]
        return None

    def local(self, path: str, scope: int, name: str, hops: int) -> Place | None:
        """Return what a name leads to where it stands in a scope of a file: the class of an annotation, a base."""
        return self._around(path, scope, name, hops) or self.name(path, name, hops)

    def dotted(self, path: str, text: str, hops: int, scope: int = -1) -> Place | None:
        """Return where a dotted name that stands in a scope of a file leads."""
        if text.startswith(ITEM):
            held = self.dotted(path, text[len(ITEM) :], hops + 1, scope)
            return Place("items", held.path, held.number) if held is not None and held.kind == "definition" else None
        links = split(text)
        place = self.local(path, scope, links[0], hops + 1) if links else None
        for link in links[1:]:
            if place is None:
                return None
            place = self.step(place, link, hops + 1)
        return place

    # ---- members

    def step(self, place: Place, link: str, hops: int) -> Place | None:
        """Return where one attribute or call leads from a place; None where it cannot be followed."""
        if hops > MAX_HOPS:
            return None
        if place.kind in {"bases", "items", SAME}:
            return self._step_in(place, link, hops)
        if place.kind == "namespace":
            return None if link == CALL_MARK else self.namespace_member(place.path, link, hops + 1)
        if place.kind != "definition":
            return self._step_into(place, link, hops)
        definition = self.definition(place)
        if definition is None:
            return None
        self.consult(place.path, definition.name.partition(".")[0])
        if definition.kind in CLASS_KINDS:
            return self._step_of(place, definition, link, hops)
        return self._step_on(place, definition, link, hops)

    def _step_of(self, place: Place, definition: Definition, link: str, hops: int) -> Place | None:
        """Return where one attribute or call leads from a class."""
        if link in {SUPER, ITEM}:
            return Place("bases", place.path, place.number) if link == SUPER else None
        if link == CALL_MARK or self._is_receiver(place.path, link):
            return place
        found = self.class_member(place, link, hops) or self._beside(place, definition, link)
        return found or (place._replace(kind=SAME) if self.is_same(place, link, hops + 1) else None)

    def _step_in(self, place: Place, link: str, hops: int) -> Place | None:
        """Return where a link leads from the bases of a class, a collection of its instances, what gives one."""
        if place.kind == SAME:
            instance = place._replace(kind="definition")
            return instance if link == CALL_MARK else self.step(instance, link, hops + 1)
        if place.kind == "items":
            if link in self.transparent or (self.transparent and link == CALL_MARK):
                return place
            return of_items(self.language, place, link)
        return place if link == CALL_MARK else self._inherited(place, link, hops)

    def _step_into(self, place: Place, link: str, hops: int) -> Place | None:
        """Return where one attribute or call leads from a module or a folder."""
        found = None if link == CALL_MARK else self._module_member(place, link, hops)
        whole = self.whole(place.path, hops) if found is None and place.kind == "module" else None
        return found if whole is None else self.step(whole, link, hops + 1)

    def _is_called_bare(self, place: Place, definition: Definition) -> bool:
        """Return whether naming a definition calls it, so that what follows is a member of what it returns."""
        language = self.language_of(place.path)
        is_bare = language is not None and language.syntax is not None and language.syntax.bare_calls
        return is_bare and definition.kind in {"function", "method"}

    def _is_receiver(self, path: str, link: str) -> bool:
        """Return whether a link is what a class calls its instance or itself: `Outer.this`."""
        language = self.language_of(path)
        syntax = language.syntax if language is not None else None
        return syntax is not None and (link == syntax.receiver or link in syntax.own_types)

    def _step_on(self, place: Place, definition: Definition, link: str, hops: int) -> Place | None:
        """Return where one attribute or call leads from what is no class."""
        if definition.kind in {"variable", "namespace"}:
            index = self.module(place.path).members.get((place.number, link))
            if index is not None:
                return Place("definition", place.path, index)
        if definition.kind == "namespace":
            return None if link == CALL_MARK else self._of_namespace(place.path, place.number, link, hops)
        is_held = definition.kind in {"variable", "type", "declaration"}
        if link == CALL_MARK or is_held or self._is_called_bare(place, definition):
            text = definition.returns.strip("'\" ") or self._held_by(place, definition)
            held = self.dotted(place.path, text, hops + 1, definition.parent)
            if held is None or link == CALL_MARK:
                return held
            return self.step(held, link, hops + 1)
        return None

    def _module_member(self, place: Place, name: str, hops: int) -> Place | None:
        if place.kind == "module":
            return self.name(place.path, name, hops + 1)
        if place.kind == "directory" and self.language is not None:
            submodule = self.submodule(self.language, Target("directory", place.path), name)
            return self._place_of(submodule, hops) if submodule else None
        return None

    def class_member(self, place: Place, name: str, hops: int) -> Place | None:
        """Return the member of a class under a name: its own, one added elsewhere, or one of its bases."""
        if hops > MAX_HOPS:
            return None
        found = self._own(place, name) or self._constant(place, name) or self._added(place, name, hops)
        return found or self._inherited(place, name, hops) or self._by_other_name(place, name, hops)

    def _by_other_name(self, place: Place, name: str, hops: int) -> Place | None:
        """Return the member that another language of the family wrote under another name: a getter, a property."""
        others = self.language.other_names(name) if self.language is not None else ()
        lineage = self.lineage(place, hops) if others else []
        foreign = [above for above in lineage if self.language_of(above.path) is not self.language]
        return next(filter(None, (self._own(above, other) for above in foreign for other in others)), None)

    def _constant(self, place: Place, name: str) -> Place | None:
        """Return the constant of an enum that belongs to what is around it, too."""
        module = self.module(place.path)
        definition = module.definitions[place.number]
        around = definition.name.rpartition(".")[0]
        index = module.qualified.get(f"{around}.{name}" if around else name) if definition.kind == "enum" else None
        if index is None or not definition.line <= module.definitions[index].line <= definition.end_line:
            return None
        return Place("definition", place.path, index)

    def _added(self, place: Place, name: str, hops: int) -> Place | None:
        """Return a member that another definition of the class, or what extends it, adds."""
        language = self.language_of(place.path)
        module = self.module(place.path)
        definition = module.definitions[place.number]
        if definition.kind == "extension":
            found = self.dotted(place.path, definition.name, hops + 1, definition.parent)
            if found is None or found == place or found.kind != "definition":
                return None
            extended = self.definition(found)
            if extended is None or extended.kind not in CLASS_KINDS or extended.kind == "extension":
                return None
            return self.class_member(found, name, hops + 1)
        if language is None or language.package_of is None:
            return None
        family = language.family
        full = self.full_name(place.path, definition.name)
        if definition.kind in language.opens and language.syntax and language.syntax.names_constant(name):
            return self._declared(family, f"{full}.{name}")
        for path in self.declaring_seen(family, full):
            other = self.declared_in(path, full) if path != place.path else None
            index = self.module(path).members.get((other.number, name)) if other is not None else None
            if index is not None:
                return Place("definition", path, index)
        return self._nearest(self.declarations(family, f"{full}.{name}"))

    def _inherited(self, place: Place, name: str, hops: int) -> Place | None:
        for above in self.lineage(place, hops)[1:]:
            found = self._own(above, name) or self._added(above, name, hops + 1)
            if found is not None:
                return found
        return None

    def _own(self, place: Place, name: str) -> Place | None:
        """Return the member that a definition of a class, or one outside of it in its file, gives under a name."""
        module = self.module(place.path)
        definition = module.definitions[place.number]
        self.consult(place.path, definition.name.partition(".")[0])
        if self._is_itself(place, name):
            return place
        index = module.members.get((place.number, name))
        if index is None:
            index = module.qualified.get(f"{definition.name}.{name}")
        if index is None:
            index = self.method_spelled(place, name)
        return None if index is None else Place("definition", place.path, index)

    def lineage(self, place: Place, hops: int) -> list[Place]:
        """Return a class and all that it inherits from, in the order members are looked for.

        It is remembered with the hops it was looked for after: a later look with more of them left may find more.
        """
        known = self._lineages.get(place)
        if known is not None and known[0] <= hops:
            return known[1]
        found = orders(place, lambda at: self._looking_for_bases(at, hops))
        self._lineages |= {at: (hops, order) for at, order in found.items()}
        return found[place]

    def _looking_for_bases(self, place: Place, hops: int) -> list[Place]:
        self._lineages[place] = (-1, [place])
        return list(self.bases(place, hops)) if hops <= MAX_HOPS else []

    def bases(self, place: Place, hops: int) -> Iterator[Place]:
        """Yield the definitions of the bases of a class that can be followed."""
        for at, base, scope in self._named_bases(place):
            above = self.dotted(at, base, hops + 1, scope)
            if above is not None and above.kind == "module":
                above = self.whole(above.path, hops + 1)
            definition_above = self.definition(above) if above is not None else None
            if above is not None and definition_above is not None and above != place:
                if definition_above.kind in CLASS_KINDS:
                    yield above
                elif definition_above.kind in {"type", "variable"}:
                    held = self.dotted(above.path, definition_above.returns, hops + 1, definition_above.parent)
                    kept = self.definition(held) if held is not None else None
                    if held is not None and kept is not None and kept.kind in CLASS_KINDS and held != place:
                        yield held

    def attribute(self, place: Place, name: str, hops: int) -> Place | None:
        """Return the class of what an attribute of a class holds, where the source says or shows it."""
        definition = self.definition(place)
        if definition is None or hops > MAX_HOPS or definition.kind not in {*CLASS_KINDS, "variable"}:
            return None
        text = self.module(place.path).attributes.get(f"{definition.name}.{name}")
        if text:
            return self.dotted(place.path, text, hops + 1, place.number)
        for above in self.bases(place, hops) if definition.kind in CLASS_KINDS else ():
            found = self.attribute(above, name, hops + 1)
            if found is not None:
                return found
        return None
