"""Finds the file that an `#include` names. Shared by C and C++.

The order of places is that of GCC: a name in quotes is looked for beside the including file, then in the directories of
`-iquote`; then, as one in angle brackets, in those of `-I` and `-isystem`. What the directories are says a compilation
database, `compile_commands.json`; without one they are those that projects use by convention and that CMake names.
Source: "Search Path" in the manual of the GNU C preprocessor.
"""

import re
import shlex
from collections.abc import Iterator
from posixpath import basename, dirname, isabs, join, normpath
from typing import Any, NamedTuple

import msgspec

from memoire.model import Target
from memoire.resolution.system_headers import is_system_header
from memoire.tree import Tree

DATABASE = "compile_commands.json"
MAX_COMMANDS = 20_000
"""Entries of one database that are read."""
MAX_DIRECTORIES = 200
"""Directories that are searched for one name."""
_CMAKE = ("CMakeLists.txt",)
_INCLUDING = re.compile(r"(?i)\b(?:target_)?include_directories\s*\(([^()]*)\)")
_GENERATOR = re.compile(r"\$<(?:BUILD_INTERFACE|BUILD_LOCAL_INTERFACE):([^<>]*)>")
_CMAKE_WORDS = frozenset({"PUBLIC", "PRIVATE", "INTERFACE", "SYSTEM", "BEFORE", "AFTER"})
_BY_CONVENTION = ("include", "src")
_FLAGS = {"-I": 1, "-isystem": 2, "-iquote": 0, "/I": 1, "-external:I": 2, "/external:I": 2}


class Command(NamedTuple):
    """The search directories of one file: absolute, or relative to wherever the compiler ran."""

    file: str
    quoted: tuple[str, ...]
    others: tuple[str, ...]


def include_target(tree: Tree, path: str, specifier: str) -> Target:
    """Return the file that an include names.

    Args:
        tree: The project.
        path: The including file.
        specifier: With its quotes or angle brackets.
    """
    written = specifier[1:-1].strip().replace("\\", "/")
    is_quoted = specifier.startswith('"')
    if not written:
        return Target("unresolved", specifier)
    found = _beside(tree, path, written) if is_quoted else None
    if found is None:
        found = _searched(tree, path, written, is_quoted=is_quoted)
    if found is not None:
        return Target("file", found)
    if is_system_header(written):
        return Target("builtin", written)
    return Target("unresolved", specifier) if is_quoted else Target("package", written.partition("/")[0])


def _beside(tree: Tree, path: str, written: str) -> str | None:
    return _file(tree, dirname(path), written)


def _file(tree: Tree, directory: str, written: str) -> str | None:
    """Return the file of this name in a directory of the project."""
    if isabs(written):
        return None
    found = normpath(join(directory, written))
    return found if not found.startswith("../") and tree.is_file(found) else None


def _searched(tree: Tree, path: str, written: str, *, is_quoted: bool) -> str | None:
    quoted, others = _directories(tree, path)
    for directory in (*(quoted if is_quoted else ()), *others)[:MAX_DIRECTORIES]:
        found = _file(tree, directory, written)
        if found is not None:
            return found
    if not is_quoted and is_system_header(written):
        return None
    for directory in _conventional(tree, path):
        found = _file(tree, directory, written)
        if found is not None and found != path:
            return found
    return _only(tree, path, written)


def _only(tree: Tree, path: str, written: str) -> str | None:
    """Return the one header of the project whose path ends as written."""
    tail = "/" + written.lstrip("./")
    found = [each for each in tree.named(basename(written)) if f"/{each}".endswith(tail) and each != path]
    return found[0] if len(found) == 1 else None


# ---- what a compilation database says


def _directories(tree: Tree, path: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the directories, of the project, in which names in quotes and all names are looked for."""
    quoted: dict[str, None] = {}
    others: dict[str, None] = {}
    for database in tree.named(DATABASE):
        commands = tree.config(database, _parse_database)
        if not commands:
            continue
        root = _root(tree, database, commands)
        own = [command for command in commands.get(basename(path), ()) if command.file == f"{root}/{path}"]
        # A header is compiled with whatever includes it.
        for command in own or [command for each in commands.values() for command in each]:
            quoted.update(dict.fromkeys(_inside(root, command.quoted)))
            others.update(dict.fromkeys(_inside(root, command.others)))
            if len(others) > MAX_DIRECTORIES:
                break
    return tuple(quoted), tuple(others)


def _inside(root: str, directories: tuple[str, ...]) -> Iterator[str]:
    """Yield those of some absolute directories that lie in the project, relative to it."""
    for directory in directories:
        if directory == root:
            yield ""
        elif directory.startswith(root + "/"):
            yield directory[len(root) + 1 :]


def _root(tree: Tree, database: str, commands: dict[str, list[Command]]) -> str:
    """Return the absolute path that the project had where the database was made.

    It is what stands before the path that a file has in the project; the longest such path counts.
    """
    best, length = "", 0
    for command in [command for each in commands.values() for command in each][:20]:
        parts = command.file.split("/")
        for index in range(1, len(parts)):
            inner = "/".join(parts[index:])
            if len(parts) - index > length and tree.is_file(inner):
                best, length = "/".join(parts[:index]), len(parts) - index
                break
    del database
    return best


def _parse_database(data: bytes) -> dict[str, list[Command]]:
    """Return base name -> what the compiler is told for files of this name."""
    entries: Any = msgspec.json.decode(data)
    found: dict[str, list[Command]] = {}
    for entry in entries[:MAX_COMMANDS] if isinstance(entries, list) else ():
        command = _command(entry) if isinstance(entry, dict) else None
        if command is not None:
            found.setdefault(basename(command.file), []).append(command)
    return found


def _command(entry: dict[str, Any]) -> Command | None:
    directory, file = entry.get("directory", ""), entry.get("file")
    words = entry.get("arguments")
    if not isinstance(words, list):
        command = entry.get("command", "")
        words = _words(command) if isinstance(command, str) else []
    if not isinstance(file, str) or not isinstance(directory, str):
        return None
    kinds: tuple[dict[str, None], dict[str, None], dict[str, None]] = ({}, {}, {})
    words = [word for word in words if isinstance(word, str)]
    for index, word in enumerate(words):
        for flag, kind in _FLAGS.items():
            if word == flag and index + 1 < len(words):
                kinds[kind][normpath(join(directory, words[index + 1]))] = None
            elif word.startswith(flag) and len(word) > len(flag):
                kinds[kind][normpath(join(directory, word[len(flag) :]))] = None
    return Command(normpath(join(directory, file)), tuple(kinds[0]), (*kinds[1], *kinds[2]))


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:
        return command.split()


# ---- without one


def _conventional(tree: Tree, path: str) -> Iterator[str]:
    """Yield `include` and `src` in the directories above a file, what CMake names, then those directories."""
    above = [dirname(path)]
    while above[-1]:
        above.append(dirname(above[-1]))
    for name in _BY_CONVENTION:
        yield from (join(directory, name) for directory in above)
    lists = tree.above(dirname(path), _CMAKE)
    rest = [each for each in tree.named(_CMAKE[0]) if each not in lists]
    for config in [*lists, *rest][:MAX_DIRECTORIES]:
        for directory in tree.config(config, _parse_cmake) or ():
            found = _cmake_directory(config, lists[-1] if lists else config, directory)
            if found is not None:
                yield found
    yield from above


def _parse_cmake(data: bytes) -> tuple[str, ...]:
    """Return the directories that a `CMakeLists.txt` names as places of headers, as written."""
    text = re.sub(r"#[^\n]*", "", data.decode("utf-8", "replace"))
    found: list[str] = []
    for call in _INCLUDING.finditer(_GENERATOR.sub(r"\1", text)):
        words = [word.strip('"') for word in call[1].split()]
        if call[0].lower().startswith("target"):
            words = words[1:]
        found += [word for word in words if word not in _CMAKE_WORDS and word]
    return tuple(dict.fromkeys(found))


def _cmake_directory(config: str, top: str, written: str) -> str | None:
    """Return a directory that a `CMakeLists.txt` names, relative to the project; None where that cannot be known."""
    base = dirname(config)
    for variable, place in (
        ("${CMAKE_CURRENT_SOURCE_DIR}", base),
        ("${CMAKE_CURRENT_LIST_DIR}", base),
        ("${CMAKE_SOURCE_DIR}", dirname(top)),
        ("${PROJECT_SOURCE_DIR}", dirname(top)),
    ):
        if written.startswith(variable):
            base, written = place, written[len(variable) :].lstrip("/")
            break
    if "$" in written or isabs(written):
        return None
    found = normpath(join(base, written))
    return None if found.startswith("..") else "" if found == "." else found
