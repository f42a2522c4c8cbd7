"""Tells which names a module exports, and as what it knows them itself."""

import ast
import re
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


MOST_LISTED = 100_000
"""Bytes of a list of names; a longer one is none that anybody wrote."""


def public_names(source: bytes, pattern: str) -> str:
    """Return the names that an import of all names brings, each after a space; empty where that is not known for sure.

    It is where the source lists them once, as literals: a list that is built or added to may hold anything.
    """
    found = [*re.finditer(pattern.encode(), source)] if pattern else []
    if len(found) != 1 or len(found[0][1]) > MOST_LISTED:
        return ""
    name = found[0][0].split(b"=")[0].split(b":")[0].strip()
    if source.count(name) != 1 or source[found[0].end() :].lstrip(b" \t")[:1] not in {b"\n", b"\r", b"#", b""}:
        return ""
    try:
        listed = ast.literal_eval(found[0][1].decode())
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return ""
    names = [listed] if isinstance(listed, str) else listed
    if not all(isinstance(each, str) and each.isidentifier() for each in names):
        return ""
    return "".join(f" {each}" for each in names) or " "
