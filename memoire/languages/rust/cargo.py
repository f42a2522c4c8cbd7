"""Reads `Cargo.toml`: the package, its targets, what its dependencies are and where. Pure.

Source: the Cargo book, "The manifest format", "Specifying dependencies", "Workspaces".
"""

import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

_FOLDERS = {"bin": "src/bin", "test": "tests", "bench": "benches", "example": "examples"}
"""Where a target lies that is named without a path: in a file of its name."""


class Dependency(msgspec.Struct, frozen=True):
    """What one name in the tables of dependencies stands for."""

    package: str
    """The name of the package, which may be another."""
    path: str = ""
    """Its folder as written, where it has one."""
    is_inherited: bool = False
    """Whether the workspace says what it is."""


class Manifest(msgspec.Struct, frozen=True):
    """What a `Cargo.toml` says."""

    package: str = ""
    """Empty for a workspace without a package of its own."""
    library: str = ""
    """The name of its library as code says it."""
    library_path: str = "src/lib.rs"
    targets: tuple[str, ...] = ()
    """Paths of programs, tests, benchmarks and examples that it names."""
    dependencies: dict[str, Dependency] = {}
    """Name as code says it -> what it stands for."""
    shared: dict[str, Dependency] = {}
    """The same for what the members of its workspace may inherit."""
    is_workspace: bool = False
    finds_tests: bool = True
    """Whether every file in `tests` is a test without being named."""


def crate_name(name: str) -> str:
    """Return the name of a package or target as code says it."""
    return name.replace("-", "_")


def parse(data: bytes) -> Manifest:
    """Return what a manifest says.

    Raises:
        ValueError: It is no TOML.
    """
    content = tomllib.loads(data.decode("utf-8", "replace"))
    package = _text(_table(content, "package"), "name")
    library = _table(content, "lib")
    workspace = _table(content, "workspace")
    dependencies: dict[str, Dependency] = {}
    for table in _dependency_tables(content):
        dependencies.update(_dependencies(table))
    return Manifest(
        package=package,
        library=crate_name(_text(library, "name") or package),
        library_path=_text(library, "path") or "src/lib.rs",
        targets=tuple(_targets(content)),
        dependencies=dependencies,
        shared=_dependencies(_table(workspace, "dependencies")),
        is_workspace="workspace" in content,
        finds_tests=_table(content, "package").get("autotests") is not False,
    )


def library_name(data: bytes) -> str:
    """Return the name of the library of a manifest as code says it, empty where it has no package.

    Raises:
        ValueError: It is no TOML.
    """
    return parse(data).library


def _table(content: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = content.get(key)
    return found if isinstance(found, dict) else {}


def _text(content: Mapping[str, Any], key: str) -> str:
    found = content.get(key)
    return found if isinstance(found, str) else ""


def _targets(content: Mapping[str, Any]) -> Iterator[str]:
    for kind, folder in _FOLDERS.items():
        found = content.get(kind)
        for target in found if isinstance(found, list) else ():
            name = _text(target, "name") if isinstance(target, dict) else ""
            if name or (isinstance(target, dict) and _text(target, "path")):
                yield _text(target, "path") or f"{folder}/{name}.rs"
    build = _text(_table(content, "package"), "build")
    if build:
        yield build


def _dependency_tables(content: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    platforms = [table for table in _table(content, "target").values() if isinstance(table, dict)]
    for place in (content, *platforms):
        for key in ("dependencies", "dev-dependencies", "build-dependencies", "dev_dependencies", "build_dependencies"):
            yield _table(place, key)


def _dependencies(table: Mapping[str, Any]) -> dict[str, Dependency]:
    found = {}
    for name, value in table.items():
        details = value if isinstance(value, dict) else {}
        found[crate_name(name)] = Dependency(
            _text(details, "package") or name, _text(details, "path"), details.get("workspace") is True
        )
    return found
