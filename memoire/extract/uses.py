"""Reads the uses of one file from its masked source: the hot loop of extraction.

What a chain of names comes to is worked out once for each scope that binds its head, and counted at every other place.
"""

import re
from bisect import bisect_right
from typing import NamedTuple

from memoire.effects import ANYWHERE, BLOCK
from memoire.extract.chains import CALL_MARK, ITEM, MAX_ATTR, MAX_DEPTH, SUPER, join
from memoire.extract.places import PAREN, Marks, Place, Places, bound_inside
from memoire.extract.regions import Layout
from memoire.extract.scopes import Resolver
from memoire.extract.values import Value, dotted
from memoire.model import CALL, READ, WRITE, Effect, Use

_CALLABLE = b")]_$>!"
"""What may stand before the parenthesis of a call beside a name."""
_NEGATED = (b" !", b"(!", b"\t!", b"\n!", b",!")
"""What ends before an expression in parentheses that is negated; elsewhere a mark forces open what is called."""
_BRACKET = b"["[0]
_ASSIGNED = b"="
"""Behind a chain that is assigned: its value is what is written, not what it holds."""


class Act(NamedTuple):
    """What acts on the world when it is used."""

    category: str
    callee: str
    origin: int
    """The import."""
    how: int
    head: str
    """The first name; empty where the import names what it brings."""


class Taken(NamedTuple):
    """What one chain in one scope comes to: worked out at its first place, counted at the others."""

    uses: list[list[int]]
    """Records `[how, offset, count]` of the use itself and of what it goes through."""
    effects: tuple["Act", ...]
    """What acts on the world when it is used so: of the chain, and of what it goes through where naming calls."""
    held: Value
    """What the last name is looked up on."""
    last: tuple[str, ...]
    """The last name; empty where the chain is the head alone."""


class UseCollector:
    """Scans masked source for uses; the hot loop of extraction.

    Args:
        resolver: The scopes.
        layout: Where the innermost scope changes.
        lines: Offset of the first byte of every line.
    """

    def __init__(self, resolver: Resolver, layout: Layout, lines: list[int]) -> None:
        self._resolver = resolver
        self._layout = layout
        self._lines = lines
        self._uses: dict[tuple[int, int, str], list[int]] = {}
        self.effects: list[Effect] = []
        self._taken: dict[tuple[int, int, bytes], Taken | None] = {}
        paths = resolver.syntax.module_paths
        self._paths = paths.joint.encode() if paths is not None else None
        self._groups: list[Value] = []
        """Values of expressions in parentheses, kept so that no other value is taken for one of them."""
        self._heads: dict[tuple[int, str, tuple[bool, bool, bool]], Value | None] = {}
        self._inside: set[str] | None = None
        """Names that do not mean the same in all scopes; None where any name may."""
        self._masked = b""
        self._followed: dict[int, int] = {}
        self._brackets: dict[int, int] = {}

    def scan(self, masked: bytes, names: set[bytes], marks: Marks) -> None:
        """Add every use of one of `names`.

        Args:
            masked: The source with strings, comments and import statements blanked.
            names: Heads that some scope of the file binds to something known, and globals with effects.
            marks: What is known of places in it.
        """
        places = Places(self._resolver, self._layout, masked, marks)
        self._masked, self._followed, self._brackets = masked, places.followed, places.brackets
        self._inside = bound_inside(self._resolver)
        followed, brackets = self._followed, self._brackets
        counted: dict[tuple[int, bytes, int], list[list[int]]] = {}
        for place in places.of(names):
            owner, text, _, _, end, how = place
            if end - 1 in followed or end in brackets:
                self._record(place)
                continue
            key = (owner, text, how)
            if key in counted:
                for use in counted[key]:
                    use[2] += 1
                continue
            got = self._record(place)
            if got is None or not got.effects:
                counted[key] = got.uses if got is not None else []
        for opening, after in followed.items():
            self._group(opening, after)

    def _record(self, place: Place) -> Taken | None:
        """Count one place at which a chain is used; return what it comes to, None where that is nothing."""
        owner, text, links, at, end, how = place
        is_alone = len(links) == 1
        is_called = is_alone and text[-1] == PAREN
        is_written = how == WRITE and is_alone
        is_path = self._paths is not None and text.startswith(self._paths, len(self._resolver.chains.head(text)))
        value = self._lookup(owner, links[0], (is_alone and (is_written or not is_called), is_called, is_path))
        if value is None:
            return None
        # What a chain comes to depends on the value of its head and the definition it stands in, not on the block.
        holder = self._layout.holders[owner]
        key = (holder, id(value), text + _ASSIGNED if how == WRITE else text)
        if key in self._taken:
            got = self._taken[key]
        else:
            got = self._taken[key] = self._take(value, links[1:], key, at, is_written=is_written)
        if got is not None:
            is_followed = end - 1 in self._followed
            # `super().run()` calls no `super`, whereas `super(x)` calls what makes an instance of the base.
            if not (is_followed and value.links[-1:] == (SUPER,) and not got.last):
                self._count(got, holder, at, how)
            if is_followed:
                self._go_on(key, self._resolver.follow(got.held, (*got.last, CALL_MARK)), end - 1)
            elif end in self._brackets:
                self._go_on(key, self._resolver.follow(got.held, (*got.last, self._link(end))), end)
        return got

    def _group(self, opening: int, after: int) -> None:
        """Follow what is called on an expression in parentheses: `.c(` in `(a / b).c(`."""
        before = self._masked[opening - 1 : opening]
        if before == b"!" and self._masked.endswith(_NEGATED, 0, opening):
            before = b" "
        if not before or before.isalnum() or before in _CALLABLE or before >= b"\x80":
            return  # a call
        close = self._masked.rfind(b")", opening, after)
        owner = self._layout.at(opening)
        inside = self._masked[opening + 1 : close].rpartition(b":=")[2]
        value = self._resolver.expression(inside, self._resolver.scope(owner))
        if value is not None:
            text = self._masked[opening : close + 1]
            self._go_on((self._layout.holders[owner], id(value), text), value, opening)
            self._groups.append(value)

    def add(self, owner: int, root: int, attr: str, at: int, how: int = CALL) -> None:
        """Count a use that the text around does not show."""
        use = self._use(owner, root, attr, at)
        use[0] |= how
        use[2] += 1

    def selectors(self, masked: bytes) -> dict[int, str]:
        """Return scope -> the names of members that it selects, joined by spaces."""
        found: dict[int, set[bytes]] = {}
        starts, scopes, holders = self._layout.starts, self._layout.scopes, self._layout.holders
        position, last = 0, len(starts) - 1
        names = found.setdefault(holders[scopes[0]], set())
        anywhere = {name.encode() for name in self._resolver.syntax.effects.anywhere}
        for place in self._resolver.chains.selector.finditer(masked):
            at = place.start()
            if position < last and starts[position + 1] <= at:
                while position < last and starts[position + 1] <= at:
                    position += 1
                names = found.setdefault(holders[scopes[position]], set())
            names.add(place[1])
            if place[1] in anywhere:
                self._add_anywhere(place[1].decode(), holders[scopes[position]], place)
        return {
            owner: b" ".join(sorted(names)).decode("utf-8", "replace")
            for owner, names in sorted(found.items())
            if names
        }

    def _add_anywhere(self, name: str, owner: int, place: re.Match[bytes]) -> None:
        """Add what a method does on whatever it is called; linking sees whether the project has what it rests on."""
        syntax = self._resolver.syntax
        what = syntax.effects.anywhere[name]
        before = what.before or ("" if syntax.bare_calls else "(")
        if place.string.startswith(before.encode(), place.end()):
            line = self.line(place.start(1))
            self.effects.append(Effect(what.category, name, line, owner, is_void=True, head=ANYWHERE))

    def _lookup(self, owner: int, head: str, how: tuple[bool, bool, bool]) -> Value | None:
        """Return what a name means in a scope; remembered, also while its value is alive by nothing else."""
        if self._inside is not None and head not in self._inside:
            owner = -1  # whatever scope it stands in
        key = (owner, head, how)
        if key not in self._heads:
            scope = self._resolver.scope(owner)
            is_written, is_called, is_path = how
            self._heads[key] = self._resolver.lookup(
                scope, head, is_written=is_written, is_called=is_called, is_path=is_path
            )
        return self._heads[key]

    def _go_on(self, key: tuple[int, int, bytes], value: Value | None, at: int) -> None:
        """Follow what is called on the result of a call: `.c(` in `a.b(…).c(`.

        Args:
            key: The scope, what tells its value from others, and what was read of the chain.
            value: What the parenthesis at `at` gives.
            at: An opening parenthesis, or bracket, behind whose closing one the chain goes on.
        """
        owner, head, prefix = key
        masked, followed, brackets = self._masked, self._followed, self._brackets
        for _ in range(MAX_DEPTH):
            found = self._resolver.chains.pattern.match(masked, followed[at] if at in followed else brackets[at])
            if value is None or not found:
                return
            text = found.group()
            prefix += masked[at : at + 1] + b"." + text
            key = (owner, head, prefix)
            if key in self._taken:
                known = self._taken[key]
            else:
                names = self._resolver.chains.names(text)
                known = self._taken[key] = self._take(value, names, key, found.start())
            if known is None:
                return
            is_call = text[-1] == PAREN
            self._count(known, owner, found.start(), CALL if is_call else READ)
            at = found.end() - is_call
            if at not in (followed if is_call else brackets):
                return
            value = self._resolver.follow(known.held, (*known.last, self._link(at)))

    def _link(self, opening: int) -> str:
        """Return what a bracket behind a name leads to: an item, or what a call, or a literal of a class, gives."""
        return ITEM if self._masked[opening] == _BRACKET else CALL_MARK

    def _count(self, got: Taken, owner: int, at: int, how: int) -> None:
        uses = got.uses
        if uses:
            uses[0][0] |= how
            for use in uses:
                use[2] += 1
        for category, callee, origin, acting, head in got.effects:
            if how & acting:
                self.effects.append(Effect(category, callee, self.line(at), owner, origin, head=head))

    def _take(
        self, value: Value, links: tuple[str, ...], key: tuple[int, int, bytes], at: int, *, is_written: bool = False
    ) -> Taken | None:
        """Return what a chain of names on a value comes to."""
        owner, _, text = key
        is_call = text[-1] == PAREN
        root, before, qualified, _, depth, variable = value
        itself = [self._use(owner, -1 - variable, "", at)] if variable >= 0 else []
        nothing = [0, at, 0]
        if depth:
            is_followed = bool(itself or not links or self._resolver.syntax.item_calls)
            return Taken([nothing, *itself] if links else itself, (), value, links) if is_followed else None
        if root is not None and root >= 0 and not before:
            # An import itself: nothing on the way can hold anything else.
            if links and qualified:
                qualified = dotted(qualified, ".".join(links))
            uses = [self._use(owner, root, ".".join(links), at)]
            return Taken(uses, self._effect(qualified, value, is_call=is_call), value, links)
        if not links:
            # A variable passed on is no use of the class it is an instance of. A name that a star import may bring is
            # itself the first link; so is a member of the class around that is assigned by its name alone, or computed.
            is_own = root is not None and root < 0 and len(before) == 1 and before != (CALL_MARK,)
            is_own = is_own and (is_written or self._is_property(-1 - (root or 0), before[0]))
            is_free = root == self._resolver.star and len(before) == 1
            is_read = is_free or (not value.is_instance and not before)
            is_assigned = text.endswith(_ASSIGNED) and before == (self._head(text),)
            is_use = root is not None and (is_call or is_read or is_own or is_assigned or self._is_member(value))
            uses = [self._use(owner, root, join(before), at)] if root is not None and is_use else itself
            return Taken(uses, self._effect(qualified, value, is_call=is_call), value, ())
        got = self._take_attribute(value, links, owner, at, is_call=is_call)
        return got if got is None or not itself else got._replace(uses=got.uses + itself)

    def _head(self, text: bytes) -> str:
        mark = self._resolver.syntax.root_prefix
        head = self._resolver.chains.names(text)[0]
        return mark + head if mark and text.startswith(mark.encode()) else head

    def _is_member(self, value: Value) -> bool:
        """Return whether a name alone calls a member of the class around, where variables of it have a mark."""
        mark = self._resolver.syntax.member_mark
        if not mark or value.root is None or value.root >= 0 or len(value.links) != 1:
            return False
        return value.links[0] != CALL_MARK and not value.links[0].startswith(mark)

    def _is_property(self, index: int, name: str) -> bool:
        """Return whether a member of a class is both a method and an attribute."""
        key = (index, name)
        return key in self._resolver.methods and key in self._resolver.attributes

    def _take_attribute(
        self, value: Value, links: tuple[str, ...], owner: int, at: int, *, is_call: bool
    ) -> Taken | None:
        through: list[list[int]] = []
        given = self._resolver.given(value)
        if given is not value and value.root is not None:
            through = [self._use(owner, value.root, join(value.links), at)]
            value = given
        root = value.root
        if len(links) > 1:
            if root is not None and root < 0 and not value.links:
                through.append(self._use(owner, root, links[0], at))
            held = self._resolver.follow(value, links[:-1])
            if held is None:
                return Taken(through, (), value, links) if through else None
        else:
            held = value
        if held.depth:
            return Taken([[0, at, 0], *through], (), held, links[-1:])  # a collection has no members
        named = self._resolver.name(held, links[-1])
        uses = [self._use(owner, named.root, join(named.links), at)] if named.root is not None else []
        # `unwrap` and the like act on nothing, though what they are called on goes by the same name behind them.
        is_same = named.qualified == held.qualified
        effects = () if is_same else self._effect(named.qualified, named, is_call=is_call)
        on_the_way = self._on_the_way(value, links) if self._resolver.syntax.bare_calls else ()
        return Taken(uses + through, effects + on_the_way, held, links[-1:])

    def _on_the_way(self, value: Value, links: tuple[str, ...]) -> tuple[Act, ...]:
        """Return what a chain calls that it goes through: in `file.read.strip` it reads."""
        found: tuple[Act, ...] = ()
        for link in links[:-1]:
            named = self._resolver.name(value, link)
            if not self._resolver.syntax.names_constant(link):
                found += tuple(act._replace(how=-1) for act in self._effect(named.qualified, named, is_call=True))
            following = self._resolver.follow(value, (link,))
            if following is None:
                break
            value = self._resolver.given(following)
        return found

    def _effect(self, name: str, value: Value, *, is_call: bool) -> tuple[Act, ...]:
        if not name:
            return ()
        syntax = self._resolver.syntax
        # A class is not called by its name alone, nor is a variable that holds what a call gave.
        is_bare = syntax.bare_calls and not syntax.names_constant(name) and value.links[-1:] != (CALL_MARK,)
        category = syntax.effects.category(name) if is_call or is_bare else None
        category = category or (None if is_call else syntax.effects.read_category(name))
        if not category:
            return ()
        root = value.root
        if root is not None and root < 0:
            # A member that a class of the file has from a base of another.
            base = self._resolver.outer_base(-1 - root)
            root, links = (base.root, base.links) if base is not None else (None, ())
        else:
            links = value.links
        how = CALL if is_call else READ | WRITE
        is_brought = root is not None and (root == self._resolver.star or self._resolver.is_root(root))
        origin = root if root is not None and root >= 0 else -1
        head = (links[0] if links else name.partition(".")[0]) if is_brought else ""
        return (Act(category, name, origin, how, head.removesuffix(BLOCK)),)

    def _use(self, owner: int, root: int, attr: str, at: int) -> list[int]:
        key = (owner, root, attr[:MAX_ATTR])
        known = self._uses.get(key)
        if known is None:
            known = self._uses[key] = [0, at, 0]
        elif at < known[1]:
            known[1] = at  # expressions in parentheses are read after the others
        return known

    def line(self, offset: int) -> int:
        """Return the 1-based line of an offset."""
        return bisect_right(self._lines, offset)

    def uses(self) -> tuple[Use, ...]:
        """Return the uses, in order of their first place."""
        line = self.line
        return tuple(
            Use(owner, root, attr, how or READ, line(at), count)
            for (owner, root, attr), (how, at, count) in sorted(self._uses.items(), key=_at)
            if count
        )


def _at(item: tuple[object, list[int]]) -> int:
    return item[1][1]
