"""One frozen `Settings`, merged from four sources, and what was wrong with them.

`.memoire/config.toml` arrives with a clone, so it may only narrow and describe; then the user's own
`~/.config/memoire/config.toml`, the `MEMOIRE_*` environment and the flags of the command, the later winning.
"""

import difflib
import os
import tomllib
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from memoire import paths
from memoire.errors import ConfigError
from memoire.validation import problem_of
from memoire.wildmatch import Rules, covers

DocumentKind = Literal["specification", "documentation", "none"]
"""A specification SPECIFIES code, documentation DOCUMENTS it, `none` is left out of both."""

PROJECT_KEYS = frozenset({"project_id", "ignore", "documents"})
"""What `.memoire/config.toml` may hold."""

_FILE_BYTES = 1_000_000
"""A larger configuration file is none."""


def _default_workers() -> int:
    return min(2, os.cpu_count() or 1)


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Every setting, with its unit and default. `load` builds it once in an entry point; it is passed down from there.

    The description of each field is its line in the README.
    """

    project_id: Annotated[str, msgspec.Meta(description="Name of the project in answers and in a shared store.")] = ""
    ignore: Annotated[
        tuple[str, ...],
        msgspec.Meta(description="Patterns as in `.gitignore`, relative to the root, added to those of git."),
    ] = ()
    documents: Annotated[
        dict[str, DocumentKind],
        msgspec.Meta(
            description="Pattern as in `.gitignore` -> `specification`, `documentation` or `none`; the last match wins."
        ),
    ] = {}
    max_file_kb: Annotated[
        int, msgspec.Meta(ge=1, le=65_536, description="Largest file whose content is read, kB (1,024 bytes).")
    ] = 1024
    idle_exit_minutes: Annotated[
        int, msgspec.Meta(ge=0, le=525_600, description="The daemon exits after so long without a client; 0 = never.")
    ] = 30
    debounce_ms: Annotated[
        int,
        msgspec.Meta(ge=0, le=10_000, description="A saved file is taken in after so long without another save, ms."),
    ] = 200
    debounce_cap_ms: Annotated[
        int,
        msgspec.Meta(
            ge=0, le=60_000, description="A file that is saved again and again is taken in after so long, ms."
        ),
    ] = 2000
    checkpoint_mb: Annotated[
        int, msgspec.Meta(ge=1, le=1024, description="The store is compacted after so much was written, MB.")
    ] = 32
    workers: Annotated[
        int, msgspec.Meta(ge=1, le=64, description="Processes that parse files; by default 2, or 1 on a single core.")
    ] = msgspec.field(default_factory=_default_workers)
    retention_days: Annotated[
        int,
        msgspec.Meta(
            ge=14, le=36_500, description="Events are kept so many days; older ones are told by day and file."
        ),
    ] = 90
    budget_tokens: Annotated[
        int,
        msgspec.Meta(ge=200, le=100_000, description="Largest answer to an assistant that names no budget, tokens."),
    ] = 5500


class Setting(msgspec.Struct, frozen=True):
    """One line of the table of settings."""

    name: str
    default: str
    variable: str
    """Environment variable; empty where there is none."""
    in_project: bool
    """Whether `.memoire/config.toml` may hold it."""
    description: str


def describe() -> list[Setting]:
    """Return one row per setting, in order: the README's table is made from it."""
    rows, plain = [], Settings()
    for field in msgspec.structs.fields(Settings):
        default = "2" if field.name == "workers" else msgspec.json.encode(getattr(plain, field.name)).decode()
        rows.append(
            Setting(
                field.name,
                "`name_hash`" if field.name == "project_id" else f"`{default}`",
                _variable(field.name),
                field.name in PROJECT_KEYS,
                str(field.type.__metadata__[0].description),
            )
        )
    return rows


def user_file() -> Path:
    """Return where the user's own configuration is: under HOME alone, as clients pass hardly any environment."""
    return Path(paths.home_dir()) / ".config" / "memoire" / "config.toml"


def load(
    root: paths.AnyPath, *, environ: Mapping[str, str] | None = None, flags: Mapping[str, object] | None = None
) -> tuple[Settings, list[str]]:
    """Return the settings of a project and what was ignored on the way, one sentence each.

    Args:
        root: The project.
        environ: Stands in for the process's environment.
        flags: Setting -> value given on the command line; None = not given.

    Raises:
        ConfigError: The user's file, a `MEMOIRE_*` variable or a flag holds what no setting takes. The project's file
            never raises: it is somebody else's.
        UnsafeFolderError: `.memoire` is a symbolic link.
    """
    warnings: list[str] = []
    project = _project_values(root, warnings)
    own = user_file()
    user = _checked(str(own), _read_toml(own))
    variables = _variables(os.environ if environ is None else environ, warnings)
    given = _checked("command line", {name: value for name, value in (flags or {}).items() if value is not None})
    merged: dict[str, Any] = {}
    for values in (project, user, variables, given):
        for name, value in values.items():
            if name == "ignore":
                merged[name] = (*merged.get(name, ()), *value)
            elif name == "documents":
                merged[name] = {**merged.get(name, {}), **value}
            else:
                merged[name] = value
    merged["project_id"] = paths.project_id(root)
    settings = Settings(**merged)
    if settings.debounce_cap_ms < settings.debounce_ms:
        raise ConfigError("debounce_cap_ms", f"is {settings.debounce_cap_ms}, less than debounce_ms")
    return settings, warnings


def document_kind(settings: Settings, path: str) -> DocumentKind | None:
    """Return the kind that the last matching pattern of `settings.documents` gives a document, None where none does."""
    raw = path.encode("utf-8", "surrogateescape")
    for pattern, kind in reversed(settings.documents.items()):
        if covers(_rules(pattern), raw):
            return kind
    return None


@lru_cache(maxsize=256)
def _rules(pattern: str) -> Rules:
    return Rules(pattern.encode("utf-8", "surrogateescape"))


def _project_values(root: paths.AnyPath, warnings: list[str]) -> dict[str, Any]:
    """Return what the project's file may say; everything else goes to the warnings."""
    file = Path(paths.config_dir(root)) / "config.toml"
    try:
        found = _read_toml(file)
    except ConfigError as error:
        warnings.append(f"{paths.CONFIG_FILE}: {error.problem}. The whole file is ignored.")
        return {}
    values: dict[str, Any] = {}
    for name, value in found.items():
        if name not in PROJECT_KEYS:
            is_setting = name in Settings.__struct_fields__
            why = "belongs in your own configuration" if is_setting else f"is no setting{_near(name, PROJECT_KEYS)}"
            warnings.append(f"{paths.CONFIG_FILE}: `{name}` {why}. It is ignored here.")
            continue
        try:
            values |= _checked(paths.CONFIG_FILE, {name: value})
        except ConfigError as error:
            warnings.append(f"{paths.CONFIG_FILE}: {error.problem}. It is ignored.")
    return values


def _variables(environ: Mapping[str, str], warnings: list[str]) -> dict[str, Any]:
    names = {_variable(name): name for name in Settings.__struct_fields__ if _variable(name)}
    values: dict[str, Any] = {}
    for variable, text in sorted(environ.items()):
        if not variable.startswith("MEMOIRE_"):
            continue
        name = names.get(variable)
        if name is None:
            warnings.append(f"{variable} is no setting{_near(variable, names)}. It is ignored.")
        elif name == "ignore":
            values[name] = tuple(pattern for pattern in text.split(",") if pattern.strip())
        else:
            values |= _checked(variable, {name: text}, is_text=True)
    return values


def _variable(name: str) -> str:
    # A table does not fit into a variable, and one id for every project would merge them.
    return "" if name in {"project_id", "documents"} else f"MEMOIRE_{name.upper()}"


def _read_toml(file: Path) -> dict[str, Any]:
    """Return the top level of a TOML file, nothing where it is absent.

    Raises:
        ConfigError: It cannot be read or parsed.
    """
    try:
        with file.open("rb") as stream:
            data = stream.read(_FILE_BYTES + 1)
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise ConfigError(str(file), f"cannot be read: {error.strerror}") from error
    if len(data) > _FILE_BYTES:
        raise ConfigError(str(file), f"is larger than {_FILE_BYTES} bytes")
    try:
        # tomllib takes no byte order mark, and no bare carriage return.
        return tomllib.loads(data.decode("utf-8-sig").replace("\r\n", "\n"))
    except (ValueError, RecursionError) as error:
        raise ConfigError(str(file), f"is not valid TOML: {error}") from error


def _checked(where: str, values: Mapping[str, object], *, is_text: bool = False) -> dict[str, Any]:
    """Return the values converted to the types of their settings.

    Raises:
        ConfigError: A name is unknown (the nearest one is given), or a value out of its type or range.
    """
    kinds = {field.name: field.type for field in msgspec.structs.fields(Settings)}
    checked: dict[str, Any] = {}
    for name, value in values.items():
        if name not in kinds:
            raise ConfigError(where, f"`{name}` is no setting{_near(name, kinds)}")
        try:
            checked[name] = msgspec.convert(value, kinds[name], strict=not is_text)
        except msgspec.ValidationError as error:
            place, problem = problem_of(error, msgspec.json.schema(kinds[name]))
            raise ConfigError(where, f"`{name}{place}` {problem}") from error
    if checked.get("project_id") and not paths.is_project_id(checked["project_id"]):
        raise ConfigError(where, "`project_id`: takes letters, digits, `.`, `_` and `-`, at most 80")
    return checked


def _near(name: str, known: Mapping[str, object] | frozenset[str]) -> str:
    found = difflib.get_close_matches(name, list(known), n=1, cutoff=0.6)
    return f" (did you mean `{found[0]}`?)" if found else ""
