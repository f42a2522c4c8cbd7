"""Makes a journal shorter without losing anything that it says. Pure.

Left out are lines that stand in it twice (a merge by `union` doubles them), empty ones, and the marks that a conflict
of git left between the lines of both sides; counts of how often notes were opened are added up. Every version, every
retired note and every tombstone stays, and so does every line that cannot be read.
"""

from collections import Counter

import msgspec

from memoire.notes.book import Book
from memoire.notes.journal import MARKS, parse
from memoire.notes.model import Erase, Opened, Transaction

_encoder = msgspec.json.Encoder()


class Compacted(msgspec.Struct, frozen=True, kw_only=True):
    """What can be left out of a journal."""

    data: bytes
    lines: int
    doubled: int = 0
    empty: int = 0
    marks: int = 0
    """Lines that a conflict left."""
    opened: int = 0
    """Lines that only count how often notes were opened, less the one that is left of them."""
    is_torn: bool = False
    """Whether its last line had no end."""
    is_disordered: bool = False
    """Whether lines did not stand in the order of their transactions: that stays so, it harms nothing."""

    @property
    def left_out(self) -> int:
        """Return the number of lines that are left out."""
        return self.doubled + self.empty + self.marks + self.opened


def compact(data: bytes) -> Compacted:
    """Return a journal without what says nothing; it comes to the same book, or it is returned as it was."""
    lines = data.split(b"\n")
    is_torn = bool(lines.pop())  # after the last line's end there is nothing
    whole = [*lines, data.rsplit(b"\n", 1)[-1]] if is_torn else lines
    kept: list[bytes] = []
    seen: set[bytes] = set()
    counts: Counter[str] = Counter()
    for line in whole:
        bare = line.strip(b"\r \t")
        what = "empty" if not bare else "marks" if bare.startswith(MARKS) else "doubled" if bare in seen else ""
        if what:
            counts[what] += 1
            continue
        seen.add(bare)
        kept.append(bare)
    kept, counts["opened"] = _added_up(kept)
    made = b"".join(line + b"\n" for line in kept)
    if _content(made) != _content(data):
        return Compacted(data=data, lines=len(whole), is_torn=is_torn)
    order = [each.tx for line in kept for each in parse(line).transactions]
    return Compacted(
        data=made,
        lines=len(whole),
        doubled=counts["doubled"],
        empty=counts["empty"],
        marks=counts["marks"],
        opened=counts["opened"],
        is_torn=is_torn,
        is_disordered=order != sorted(order),
    )


def _added_up(lines: list[bytes]) -> tuple[list[bytes], int]:
    """Return lines with those that only count openings made into one, in the place of the last; and how many left."""
    places: list[int] = []
    counts: Counter[str] = Counter()
    last: Transaction | None = None
    for at, line in enumerate(lines):
        if b'"open"' not in line:
            continue
        found = parse(line)
        if found.bad or not found.transactions or not all(isinstance(op, Opened) for op in found.transactions[0].ops):
            continue
        places.append(at)
        last = max(last, found.transactions[0], key=lambda each: each.tx) if last else found.transactions[0]
        for op in found.transactions[0].ops:
            if isinstance(op, Opened):
                counts[op.id] += op.count
    if last is None or len(places) < 2:
        return lines, 0
    one = msgspec.structs.replace(last, ops=tuple(Opened(name, count) for name, count in sorted(counts.items())))
    gone = set(places)
    kept = [line if at not in gone else b"" for at, line in enumerate(lines)]
    kept[places[-1]] = _encoder.encode(one)
    return [line for line in kept if line], len(places) - 1


def _content(data: bytes) -> object:
    """Return all that a journal comes to, but how often notes were opened by each line."""
    found = parse(data)
    book = Book(found.transactions)
    rows = {row.note.id: book.versions(row.note.id) for row in book.current()}
    said = {name: (book.ratings(name), book.opens(name)) for name in rows}
    erased = sorted(op.id for each in found.transactions for op in each.ops if isinstance(op, Erase))
    unread = {bad.why for bad in found.bad if not bad.why.startswith("a merge left")}
    return rows, said, erased, unread, book.forks(), sorted(book.paths())
