"""Finds the side effects of a file that other files of the project decide on.

A name that the text of a file takes for a library's may be one of the project; and what a file calls may lead through
other files to a library.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

from memoire import constants, outside
from memoire.consulting import SAME, Place
from memoire.effects import ANYWHERE
from memoire.extract.chains import CALL_MARK, split
from memoire.extract.spec import Language
from memoire.model import CALL, Effect, FileFacts
from memoire.path_lookup import PathLookup

Walked = tuple[Place, tuple[str, ...]]
"""Where a chain leads, and the links of it that could not be followed."""
Walk = Callable[[tuple[str, int, int], tuple[str, ...]], Walked | None]
"""((file, root of a use, scope it stands in), links behind the root) -> where they lead; None where they do not."""


class OutsideEffects:
    """Follows what one file calls.

    Args:
        lookup: The names of the project.
        walk: Follows chains of the file.
        path: The file.
        facts: What it says by itself.
        language: Its language.
    """

    def __init__(self, lookup: PathLookup, walk: Walk, path: str, facts: FileFacts, language: Language) -> None:
        self._lookup = lookup
        self._walk = walk
        self._path = path
        self._facts = facts
        self._language = language

    def void(self, found: Iterable[Effect]) -> tuple[int, ...]:
        """Return the effects of the file's own text whose callee turns out to be one of the project.

        Args:
            found: What `found` yielded: what is said there already counts no second time.
        """
        void = {index for index, effect in enumerate(self._facts.effects) if self._is_void(effect)}
        own = (effect for index, effect in enumerate(self._facts.effects) if index not in void)
        said = {_brief(effect) for effect in (*found, *own) if effect.head != ANYWHERE}
        void |= {index for index, effect in enumerate(self._facts.effects) if _is_said(effect, said)}
        return tuple(sorted(void))

    def _is_void(self, effect: Effect) -> bool:
        lookup, language = self._lookup, self._language
        if effect.head == ANYWHERE:
            return not self._counts(effect)
        if effect.origin < 0:
            is_loaded = language.loads_anywhere and effect.head
            return bool(is_loaded and lookup.declaring(language.family, effect.head))
        if effect.is_linked:
            return False
        item = self._facts.imports[effect.origin]
        if item.is_star or effect.head:
            return bool(effect.head) and self._is_own(effect)
        target = lookup.target_of(self._path, effect.origin)
        place = lookup.follow_import(self._path, effect.origin, 0) if target.kind == "namespace" else None
        return outside.is_within(lookup, self._path, effect.origin, target) or (
            place is not None and (place.kind == "definition" or (place.kind == "namespace" and not item.name))
        )

    def _counts(self, effect: Effect) -> bool:
        """Return whether a method that counts on whatever it is called does so in this project."""
        syntax, family = self._language.syntax, self._language.family
        what = syntax.effects.anywhere.get(effect.callee) if syntax is not None else None
        if what is None:
            return False
        if not what.before and self._lookup.all_declaring(family, f"{ANYWHERE}.{effect.callee}"):
            return False  # a method of the project may be meant
        return any(self._lookup.all_declaring(family, name) for name in what.declared)

    def _is_own(self, effect: Effect) -> bool:
        """Return whether a name that nothing in the file binds leads to something of the project.

        A class of a library that the project opens again is the library's, but for the members that are added there.
        """
        what = (self._path, effect.origin, effect.scope)
        links: tuple[str, ...] = (effect.head,)
        walked = self._walk(what, links)
        if self._is_reopened(walked) and not effect.callee.startswith(f"{effect.head}."):
            return self._is_added(effect)
        further = effect.callee.removeprefix(effect.head).strip(".").split(".")
        for link in further if effect.callee.startswith(f"{effect.head}.") else ():
            if not self._is_reopened(walked):
                break
            links = (*links, link)
            walked = self._walk(what, links)
        return constants.is_of_project(walked) and not self._is_reopened(walked)

    def _is_added(self, effect: Effect) -> bool:
        """Return whether what an effect stands for is a member that the project adds to a class of a library."""
        last = effect.callee.rpartition(".")[2]
        for use in self._facts.uses:
            links = split(use.attr)
            if use.scope == effect.scope and links[:1] == (effect.head,) and links[-1] == last:
                walked = self._walk((self._path, use.root, use.scope), links)
                return constants.is_of_project(walked)
        return False

    def _is_reopened(self, walked: Walked | None) -> bool:
        """Return whether a chain leads to a class or module of a library that the project adds to."""
        return walked is not None and not walked[1] and bool(outside.reopened(self._lookup, walked[0]))

    def found(self) -> Iterator[Effect]:
        """Yield the effects of calls that other files of the project lead to something outside."""
        syntax = self._language.syntax
        if syntax is None:
            return
        table = syntax.effects
        known = {(effect.scope, effect.callee) for effect in self._facts.effects if not effect.is_linked}
        for use in self._facts.uses:
            if use.root >= 0 and not self._facts.imports[use.root].is_star:
                target = self._lookup.target_of(self._path, use.root)
                if target.kind in outside.OUTSIDE:
                    continue  # what the file imports from outside it says itself
            for links in _called(split(use.attr), on_the_way=syntax.bare_calls):
                is_called = use.how & CALL or links != split(use.attr)
                callee = self._callee((self._path, use.root, use.scope), links, is_called=bool(is_called))
                if not callee or (use.scope, callee) in known:
                    continue
                acts = is_called or (syntax.bare_calls and not syntax.names_constant(callee))
                category = (table.category(callee) if acts else None) or table.read_category(callee)
                if category:
                    known.add((use.scope, callee))
                    yield Effect(category, callee, use.line, use.scope, is_linked=True)

    def _callee(self, what: tuple[str, int, int], links: tuple[str, ...], *, is_called: bool) -> str:
        """Return the qualified name of what a chain calls outside of the project; empty where there is none."""
        walked = self._walk(what, links)
        if walked is None:
            is_star = what[1] >= 0 and self._facts.imports[what[1]].is_star
            return outside.inherited_around(self._lookup, self._path, what[2], links) if is_star and links else ""
        if walked[0].kind == SAME and not walked[1]:
            before = self._walk(what, links[:-1])
            return outside.qualified(self._lookup, before[0], (*before[1], links[-1])) if before is not None else ""
        if not (walked[1] or walked[0].kind in outside.OUTSIDE or is_called):
            return ""
        return outside.qualified(self._lookup, *walked)


def declared_names(facts: FileFacts, language: Language) -> Iterator[str]:
    """Yield what a file adds to the names of its language: its own methods that would count anywhere else."""
    anywhere = language.syntax.effects.anywhere if language.syntax is not None else {}
    for definition in facts.definitions if anywhere else ():
        name = definition.name.rpartition(".")[2]
        if name in anywhere and definition.kind in {"method", "function"}:
            yield f"{ANYWHERE}.{name}"


def _brief(effect: Effect) -> tuple[int, str, str]:
    """Return (scope, category, last name) of an effect."""
    return effect.scope, effect.category, effect.callee.rpartition(".")[2]


def _is_said(effect: Effect, said: set[tuple[int, str, str]]) -> bool:
    return effect.head == ANYWHERE and _brief(effect) in said


def _called(links: Sequence[str], *, on_the_way: bool) -> Iterator[tuple[str, ...]]:
    """Yield the parts of a chain that call something: the whole, and where naming calls what it goes through."""
    for count in range(1, len(links)) if on_the_way else ():
        if links[count - 1] != CALL_MARK and links[count] != CALL_MARK and not links[count - 1][:1].isupper():
            yield tuple(links[:count])
    yield tuple(links)
