"""Says why a file may be reached by a change of another one: each kind of evidence as one sentence."""

from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from memoire.impact.features import Board, Evidence
from memoire.impact.nearness import is_changed
from memoire.linker import Linked
from memoire.model import CALL

_NAMES = 3
"""Names of one sentence."""
_FEW = 2
"""Shared rare identifiers that are worth a sentence."""


class Reason(NamedTuple):
    """One piece of evidence."""

    kind: str
    """uses, test, history, words, name, between, upstream."""
    text: str


class Reasons:
    """Answers for one change.

    Args:
        board: What is known of all files.
        known: What is known with regard to the one that changes.
        path: That file.
        links: (path) -> the links of a file.
        symbols: Its definitions that change; empty = not known.
    """

    def __init__(
        self, board: Board, known: Evidence, path: str, links: Callable[[str], Linked], symbols: frozenset[str]
    ) -> None:
        self._board = board
        self._known = known
        self._path = path
        self._links = links
        self._symbols = symbols

    def of(self, other: str) -> list[Reason]:
        """Return the reasons for one file, the strongest kind first; never none."""
        at = self._board.place[other]
        near, together, shared = self._known.near, self._known.together, self._known.shared
        found: list[Reason] = []
        if near.users[at] or near.imports[at]:
            found.append(Reason("uses", self._uses(other)))
        if near.tests[at]:
            found.append(Reason("test", f"exercises {self._path}"))
        if together.times[at]:
            found.append(Reason("history", self._history(other, int(together.times[at]))))
        if shared.few[at] >= _FEW:
            count = int(shared.few[at])
            found.append(Reason("words", f"shares {count} identifiers with it that at most two other files have"))
        if self._board.likeness.stems[at] == self._board.likeness.stems[self._board.place[self._path]]:
            found.append(Reason("name", f"is called like {self._path}"))
        if not found and (near.used[at] or near.imported[at] or near.tested[at]):
            found.append(Reason("upstream", f"{self._path} uses it"))
        if not found and near.second[at]:
            found.append(Reason("between", f"a file between it and {self._path} uses or is used by both"))
        return found or [Reason("words", f"speaks of what {self._path} speaks of")]

    def _uses(self, other: str) -> str:
        names: Counter[str] = Counter()
        line = 0
        for item in self._links(other).references:
            if item.path == self._path and item.symbol and is_changed(item.symbol, self._symbols):
                names[item.symbol + ("()" if item.how & CALL else "")] += item.count
                line = min(line or item.line, item.line)
        if not names:
            return f"imports {self._path}" + (", but uses nothing that changes" if self._symbols else "")
        shown = [name for name, _ in sorted(names.items(), key=lambda pair: (-pair[1], pair[0]))]
        more = f" and {len(shown) - _NAMES} more" if len(shown) > _NAMES else ""
        return f"line {line} uses {', '.join(shown[:_NAMES])}{more}"

    def _history(self, other: str, count: int) -> str:
        total = self._known.together.commits
        last = self._board.past.shared_commits(self._path, other)[0]
        return f"changed with it in {count} of its {total} commits, last {last.id[:9]} of {last.at:%Y-%m-%d}"
