"""What a reader of one kind of artefact is."""

from collections.abc import Callable
from typing import NamedTuple

from memoire.runs.run import Run


class Reader(NamedTuple):
    """Reads one kind of artefact that runs leave behind."""

    kind: str
    is_named: Callable[[str], bool]
    """Whether a file of this name (without its folders) may be one."""
    read: Callable[[str, bytes], Run]
    """(path, bytes) -> what it holds. Pure.

    Raises:
        UnreadableRunError: It is damaged, of another kind, or too large.
    """
    is_own: bool = False
    """Whether it lies in the state folder, not in the project."""
