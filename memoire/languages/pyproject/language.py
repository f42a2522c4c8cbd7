"""`pyproject.toml`: what a Python project requires, the commands it installs, the settings of its tools.

Source: https://packaging.python.org/specifications/pyproject-toml/, PEP 735, and the tables of Poetry.
"""

from memoire.extract.commandline import commands
from memoire.extract.keyed import Entry, Keyed, define_keys
from memoire.extract.keyed_toml import read_toml
from memoire.extract.registries import beside, entry_point, require
from memoire.extract.spec import Language
from memoire.extract.structured import Found, structured
from memoire.resolution.paths import resolve_path
from memoire.resolution.python_modules import member

_POETRY = ("tool", "poetry")
_TASKS = frozenset({("tool", "poe", "tasks"), ("tool", "taskipy", "tasks"), ("tool", "pdm", "scripts")})
"""Tables of commands of task runners."""


def read(found: Found) -> None:
    """Fill in what one manifest says."""
    entries = read_toml(found.text)
    keyed = Keyed(entries)
    project: tuple[str, ...] = ("project",) if keyed.text("project", "name") else _POETRY
    title = " ".join(filter(None, (keyed.text(*project, "name"), keyed.text(*project, "version"))))
    found.summary = ": ".join(filter(None, (title, keyed.text(*project, "description"))))
    shown = {entry.keys for entry in entries if _is_shown(entry)}
    shown |= {keys[:size] for keys in shown for size in range(1, len(keys))}
    indexes = _define(found, [entry for entry in entries if entry.keys in shown])
    _dependencies(found, keyed, indexes)
    _entry_points(found, keyed, indexes)
    for entry in entries:
        if entry.keys[:-1] in _TASKS and isinstance(entry.value, str):
            for item in commands(entry.value, entry.line, root="./", count_lines=False):
                found.mention(item)


def _is_shown(entry: Entry) -> bool:
    """Return whether a key is shown: tables, what is said of the project, its commands; no settings of tools."""
    keys = entry.keys
    if entry.is_item:
        return False
    is_command = keys[:2] in {("project", "scripts"), ("project", "gui-scripts")} or keys[:3] == (*_POETRY, "scripts")
    return len(keys) <= 2 or (len(keys) == 3 and (is_command or keys[0] == "tool")) or (len(keys) == 4 and is_command)


def _define(found: Found, entries: list[Entry]) -> dict[tuple[str, ...], int]:
    """Define tables and keys; a table whose parents are not written stands at the top."""
    names = {entry.keys for entry in entries}
    tables = [entry for entry in entries if len(entry.keys) > 1 and entry.keys[:-1] not in names]
    flat = {entry.keys: (".".join(entry.keys),) for entry in tables}

    def short(keys: tuple[str, ...]) -> tuple[str, ...]:
        for size in range(len(keys), 0, -1):
            if keys[:size] in flat:
                return (*flat[keys[:size]], *keys[size:])
        return keys

    indexes = define_keys(found, [entry._replace(keys=short(entry.keys)) for entry in entries], levels=3)
    return {entry.keys: indexes[short(entry.keys)] for entry in entries if short(entry.keys) in indexes}


def _dependencies(found: Found, keyed: Keyed, indexes: dict[tuple[str, ...], int]) -> None:
    lists: list[tuple[str, ...]] = [
        ("project", "dependencies"),
        ("build-system", "requires"),
        ("tool", "uv", "dev-dependencies"),
    ]
    lists += [entry.keys for entry in keyed.below("project", "optional-dependencies")]
    lists += [entry.keys for entry in keyed.below("dependency-groups")]
    for keys in lists:
        for text, line in keyed.strings(*keys):
            require(found, text, line, indexes.get(keys, indexes.get(keys[:-1], -1)))
    tables: list[tuple[str, ...]] = [(*_POETRY, "dependencies"), (*_POETRY, "dev-dependencies")]
    tables += [(*entry.keys, "dependencies") for entry in keyed.below(*_POETRY, "group")]
    for table in tables:
        for entry in keyed.below(*table):
            path = keyed.text(*entry.keys, "path")
            if path:
                file = path if path.endswith((".whl", ".gz")) else beside(path, "pyproject.toml")
                found.link(file, entry.line, kind="dependency", scope=indexes.get(table, -1))
            require(found, entry.keys[-1], entry.line, indexes.get(table, -1))


def _entry_points(found: Found, keyed: Keyed, indexes: dict[tuple[str, ...], int]) -> None:
    tables: list[tuple[str, ...]] = [("project", "scripts"), ("project", "gui-scripts"), (*_POETRY, "scripts")]
    tables += [entry.keys for entry in keyed.below("project", "entry-points")]
    tables += [entry.keys for entry in keyed.below(*_POETRY, "plugins")]
    for table in tables:
        for entry in keyed.below(*table):
            text = (
                keyed.text(*entry.keys) or keyed.text(*entry.keys, "reference") or keyed.text(*entry.keys, "callable")
            )
            scope = indexes.get(entry.keys, indexes.get(table, -1))
            entry_point(found, text, entry.line, scope)
    backend = keyed.get("build-system", "build-backend")
    if backend is not None and keyed.get("build-system", "backend-path") is not None:
        entry_point(found, str(backend.value), backend.line)


LANGUAGE = Language(
    name="pyproject",
    titles={".toml": "toml"},
    suffixes=(),
    filenames=("pyproject.toml",),
    resolve=resolve_path,
    member=member,
    read=structured("pyproject", read),
    is_setting=True,
)
