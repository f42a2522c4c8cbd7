"""Tells which names a module exports, and as what it knows them itself."""

from bisect import bisect_right
from collections.abc import Callable, Sequence

from memoire.extract.regions import Raw
from memoire.extract.rows import Rows


def exported(rows: Rows, raw: Sequence[Raw], parents: Sequence[int], owner: Callable[[int], int]) -> dict[str, str]:
    """Return exported name -> local name; what a namespace exports is not exported by the module.

    Args:
        rows: What the query matched in the file.
        raw: The definitions, as they were matched.
        parents: The definition around each; -1 = module.
        owner: Offset -> the innermost definition there.
    """
    passed_on = sorted((node.start_byte, node.end_byte) for node, role, _ in rows.imports if role == "reexp")

    def is_passed_on(offset: int) -> bool:
        """Return whether an exported name is one of another module: `export { x } from "./y"`."""
        at = bisect_right(passed_on, (offset, float("inf"))) - 1
        return at >= 0 and offset < passed_on[at][1]

    def is_in_namespace(offset: int, local: bytes) -> bool:
        at = owner(offset)
        if at >= 0 and raw[at][3] == local:
            at = parents[at]
        while at >= 0 and raw[at][2] != "namespace":
            at = parents[at]
        return at >= 0

    return {
        name.decode("utf-8", "replace"): local.decode("utf-8", "replace")
        for offset, name, local in rows.exports
        if not is_passed_on(offset) and not is_in_namespace(offset, local)
    }
