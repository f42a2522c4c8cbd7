"""Reads `composer.json` and `composer.lock`. Pure.

Source: https://getcomposer.org/doc/04-schema.md
"""

import json
from collections.abc import Iterator
from posixpath import join, normpath
from typing import Any

import msgspec

MANIFESTS = ("composer.json",)
LOCKS = ("composer.lock",)


class Manifest(msgspec.Struct, frozen=True):
    """What one `composer.json` says of where its code lies and what it needs."""

    psr4: tuple[tuple[str, str], ...] = ()
    """(namespace with dots, folder), the longest namespace first."""
    psr0: tuple[tuple[str, str], ...] = ()
    """(beginning of the name with dots, folder), the longest first."""
    listed: tuple[str, ...] = ()
    """Files and folders that are searched for classes or always loaded."""
    requires: tuple[str, ...] = ()
    """Names of packages."""

    def covers(self, folder: str, file: str) -> bool:
        """Return whether the code in a file is loaded by what a manifest in a folder says."""
        places = (*(place for _, place in self.psr4), *(place for _, place in self.psr0), *self.listed)
        whole = (normpath(join(folder, place)) for place in places)
        return any(each in {".", file} or file.startswith(f"{each}/") for each in whole)


def _pairs(value: Any) -> Iterator[tuple[str, str]]:
    """Yield (namespace with dots, folder) of a mapping whose values are one folder or many."""
    for prefix, places in value.items() if isinstance(value, dict) else ():
        for place in places if isinstance(places, list) else [places]:
            if isinstance(place, str):
                yield prefix.strip("\\").replace("\\", "."), place


def _texts(value: Any) -> Iterator[str]:
    yield from (item for item in value if isinstance(item, str)) if isinstance(value, list) else ()


def _load(data: bytes) -> dict[str, Any]:
    """Return the object in a file.

    Raises:
        ValueError: It is none.
    """
    try:
        found = json.loads(data)
    except RecursionError as error:
        raise ValueError from error
    if not isinstance(found, dict):
        raise ValueError  # noqa: TRY004 - the content is wrong, not what was passed
    return found


def _section(found: dict[str, Any], name: str) -> dict[str, Any]:
    value = found.get(name)
    return value if isinstance(value, dict) else {}


def parse_manifest(data: bytes) -> Manifest:
    """Return what a `composer.json` says.

    Raises:
        ValueError: It holds no object.
    """
    found = _load(data)
    loads = [_section(found, "autoload"), _section(found, "autoload-dev")]

    def longest(pair: tuple[str, str]) -> int:
        return -len(pair[0])

    return Manifest(
        psr4=tuple(sorted((pair for each in loads for pair in _pairs(each.get("psr-4"))), key=longest)),
        psr0=tuple(sorted((pair for each in loads for pair in _pairs(each.get("psr-0"))), key=longest)),
        listed=tuple(text for each in loads for key in ("classmap", "files") for text in _texts(each.get(key))),
        requires=tuple(name for key in ("require", "require-dev") for name in _section(found, key)),
    )


def package_name(data: bytes) -> str:
    """Return what a `composer.json` calls its package; empty where it says nothing.

    Raises:
        ValueError: It holds no object.
    """
    name = _load(data).get("name")
    return name if isinstance(name, str) else ""


def parse_lock(data: bytes) -> tuple[tuple[str, str], ...]:
    """Return (namespace with dots, name of the package that gives it), the longest namespace first.

    Raises:
        ValueError: It holds no object.
    """
    found = _load(data)
    pairs = [
        (prefix.rstrip("_"), package["name"])
        for key in ("packages", "packages-dev")
        for package in (found.get(key) or ())
        if isinstance(package, dict) and isinstance(package.get("name"), str)
        for kind in ("psr-4", "psr-0")
        for prefix, _ in _pairs(_section(package, "autoload").get(kind))
        if prefix
    ]
    return tuple(sorted(pairs, key=lambda pair: -len(pair[0])))
