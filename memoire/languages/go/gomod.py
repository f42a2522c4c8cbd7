"""Reads `go.mod` and `go.work`: module path, requirements, replacements, the modules of a workspace. Pure.

Source: the Go modules reference, sections "go.mod files" and "Workspaces".
"""

import re
from collections.abc import Iterator

import msgspec

_DIRECTIVE = re.compile(r"^(module|require|replace|use)\b\s*(.*)$")
_COMMENT = re.compile(r"(?:^|\s)//.*$")
_WORD = re.compile(r'"([^"]*)"|`([^`]*)`|(\S+)')


class Mod(msgspec.Struct, frozen=True):
    """What a `go.mod` or a `go.work` says of where modules are."""

    module: str = ""
    """Its own path: `example.com/app`."""
    requires: tuple[str, ...] = ()
    """Paths of the modules it needs."""
    replaces: tuple[tuple[str, str], ...] = ()
    """(path of a module, folder that stands for it, or path of another module)."""
    uses: tuple[str, ...] = ()
    """Folders of the modules of a workspace."""


def parse(data: bytes) -> Mod:
    """Return what a `go.mod` or `go.work` says; what is no directive is passed over."""
    found: dict[str, list[list[str]]] = {"module": [], "require": [], "replace": [], "use": []}
    for directive, words in _lines(data.decode("utf-8", "replace")):
        found[directive].append(words)
    replaces = [
        (words[0], words[words.index("=>") + 1])
        for words in found["replace"]
        if "=>" in words and 0 < words.index("=>") < len(words) - 1
    ]
    return Mod(
        module=next((words[0] for words in found["module"]), ""),
        requires=tuple(words[0] for words in found["require"]),
        replaces=tuple(replaces),
        uses=tuple(words[0] for words in found["use"]),
    )


def module_path(data: bytes) -> str:
    """Return the path of the module that a `go.mod` declares; empty where it declares none."""
    return parse(data).module


def _lines(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield (directive, words) of each line that says something, those in parentheses included."""
    block = ""
    for raw in text.splitlines():
        line = _COMMENT.sub("", raw).strip()
        if block:
            if line == ")":
                block = ""
            elif words := _words(line):
                yield block, words
            continue
        found = _DIRECTIVE.match(line)
        if not found:
            continue
        if found[2].startswith("("):
            block = found[1]
        elif words := _words(found[2]):
            yield found[1], words


def _words(line: str) -> list[str]:
    return [one or two or three for one, two, three in _WORD.findall(line)]
