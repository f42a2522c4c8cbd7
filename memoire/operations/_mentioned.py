"""Finds what of the project a text names: files, folders and definitions that somebody wrote down without an anchor."""

import re
from collections.abc import Callable, Sequence

from memoire.languages import is_test
from memoire.model import parse_path

MOST = 8
_CODE = re.compile(r"`([^`\n]{3,200})`")
_PATH = re.compile(
    r"(?<![\w/:.@-])(?:\./)?((?:[\w.@-]+/)+[\w.@-]*[\w]|[\w-]+\.[a-z]{1,5})(?::\d+(?:-\d+)?)?(?![\w/-]|::)"
)
_NAME = re.compile(r"[A-Za-z_$][\w$]*(?:(?:\.|::)[A-Za-z_$][\w$]*)*(?:\(\))?")
_LEAST_NAME = 3


def mentioned(text: str, find: Callable[[str], str], named: Callable[[str], Sequence[str]]) -> list[str]:
    """Return the nodes that a text names, in its order, at most `MOST`.

    Args:
        text: Of a note.
        find: Returns the node that an address means; empty where it means none.
        named: Returns the nodes of definitions whose last name is this; only a name that means one alone is taken.
    """
    found: list[str] = []
    quoted = [(match.start(), match[1].strip()) for match in _CODE.finditer(text)]
    bare = _CODE.sub(lambda code: " " * len(code[0]), text)
    paths = [(match.start(), match[1]) for match in _PATH.finditer(bare)]
    for is_code, (_, name) in sorted(
        [*((True, each) for each in quoted), *((False, each) for each in paths)], key=lambda pair: pair[1][0]
    ):
        node = _of_path(name, find) or (_of_name(name, named) if is_code else "")
        if node and node != "." and node not in found:
            found.append(node)
    # A definition says more than the file that it is in.
    holders = {parse_path(node)[0] for node in found if "::" in node}
    return [node for node in found if node not in holders][:MOST]


def _of_path(name: str, find: Callable[[str], str]) -> str:
    is_path = "/" in name or "::" in name or re.search(r"\.\w{1,8}$", name) is not None
    node = find(re.sub(r":\d+(?:-\d+)?$", "", name)) if is_path and " " not in name else ""
    return "" if node.startswith(("pkg:", "note:")) else node


def _of_name(name: str, named: Callable[[str], Sequence[str]]) -> str:
    """Return the one definition that a name means; words that are as well English are none."""
    if not _NAME.fullmatch(name) or len(name) < _LEAST_NAME:
        return ""
    last = re.split(r"\.|::", name.removesuffix("()"))[-1]
    is_telling = name.endswith("()") or "_" in last.strip("_") or re.search(r"[a-z0-9][A-Z]|^[A-Z]\w*[a-z]", last)
    nodes = list(dict.fromkeys(named(last))) if is_telling else []
    qualified = name.removesuffix("()").replace("::", ".")
    if "." in qualified:
        nodes = [node for node in nodes if parse_path(node)[1].endswith(qualified)]
    # What only a test defines is seldom what a rule speaks of.
    return nodes[0] if len(nodes) == 1 and "::" in nodes[0] and not is_test(parse_path(nodes[0])[0]) else ""
