"""Finds where a definition begins with all that stands before it and belongs to it: attributes and doc comments."""

from memoire.extract.rows import Rows


class Preambles:
    """What stands before the definitions of one file.

    Args:
        rows: What the file holds.
        src: Its source.
    """

    def __init__(self, rows: Rows, src: bytes) -> None:
        self._attributes = rows.attributes
        self._src = src
        self._comments: dict[int, int] = {}
        """End -> start."""
        for node in rows.comments if rows.attributes else ():
            end = node.end_byte
            self._comments[end - 1 if src[end - 1 : end] == b"\n" else end] = node.start_byte

    def begin(self, start: int) -> int:
        """Return where a definition begins with all attributes that stand before it, comments between them included."""
        at = start
        while self._attributes and at:
            while at and self._src[at - 1] in b" \t\r\n":
                at -= 1
            if at in self._attributes:
                start = at = self._attributes[at]
            elif at in self._comments:
                at = self._comments[at]
            else:
                break
        return start
