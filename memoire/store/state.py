"""What a store knows about itself, inside and beside the database, and what makes a database just opened usable."""

import logging
from contextlib import suppress
from pathlib import Path

import msgspec

from memoire.errors import SchemaMismatchError, StoreDamagedError, StoreUnavailableError
from memoire.model import Edge, FileRecord
from memoire.store.client import Database
from memoire.store.schema import SCHEMA, SCHEMA_VERSION
from memoire.store.upgrade import upgrade

logger = logging.getLogger(__name__)


class State(msgspec.Struct):
    """The record `meta:state`."""

    generation: int
    unfinished: bool
    projected: str
    project: dict[str, str]


class Snapshot(msgspec.Struct, frozen=True, gc=False):
    """The graph as the store holds it: what the one in memory starts from."""

    files: list[FileRecord]
    edges: list[Edge]
    """Open ones."""


class Counts(msgspec.Struct, frozen=True):
    """How many records each table holds."""

    files: int
    edges: int
    closed_edges: int
    events: int


def private(folder: Path) -> None:
    """Make a folder that only its owner may enter.

    Raises:
        StoreUnavailableError: It cannot be made.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if folder.stat().st_mode & 0o077:
            folder.chmod(0o700)
    except OSError as error:
        raise StoreUnavailableError(str(folder), (error.strerror or str(error)).lower()) from error


def damage_noted(folder: Path) -> str:
    """Return why the database is known to be damaged; "" where it is not.

    The engine checks a block of a table only when it reads it, so an open would not notice again.
    """
    try:
        return (folder / "damaged").read_text(encoding="utf-8", errors="replace").strip() or "it was found damaged"
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise StoreUnavailableError(str(folder), (error.strerror or str(error)).lower()) from error


def note_damage(folder: Path, why: str) -> None:
    """Leave a note for the next open."""
    with suppress(OSError):
        (folder / "damaged").write_text(why + "\n", encoding="utf-8")


def forget_damage(folder: Path) -> None:
    """Remove the note: the database it was about has been moved away."""
    with suppress(FileNotFoundError):
        (folder / "damaged").unlink()


def generation_beside(folder: Path) -> int:
    """Return the generation written beside the database; 0 where there is none that can be read."""
    try:
        return int((folder / "generation").read_bytes())
    except (OSError, ValueError):
        return 0


def write_generation(folder: Path, generation: int) -> None:
    """Write the generation beside the database, so that a database that opens with less is noticed.

    Renamed into place, not forced to disk: after a power cut the older file or an empty one says at most that the
    store is ahead, which is normal; only an older *store* is damage, and the commit itself was forced.
    """
    beside = folder / "generation.new"
    try:
        beside.write_text(f"{generation}\n", encoding="ascii")
        beside.replace(folder / "generation")
    except OSError as error:
        logger.warning("generation file not written why=%s", error)


async def prepare(database: Database, folder: Path, first_generation: int) -> State:
    """Return the state of a database just opened, after making or upgrading its tables.

    Args:
        database: Just opened.
        folder: The state folder, with the generation beside the database.
        first_generation: Where a new database starts to count; more than 0 says that a new one is expected here.

    Raises:
        SchemaMismatchError: A newer memoire wrote it.
        StoreDamagedError: It holds less than was acknowledged, or is not what its schema says.
        StoreUnavailableError: No space.
    """
    beside = generation_beside(folder)
    tables = (await database.read("INFO FOR DB"))[0]["tables"]
    if not tables:
        if beside > first_generation:
            raise StoreDamagedError(str(folder / "db"), f"it is empty, and generation {beside} was acknowledged")
        state = State(first_generation, unfinished=False, projected="", project={})
        create = "CREATE meta:state CONTENT $state RETURN NONE"
        await database.write([SCHEMA, create], {"state": {"schema": SCHEMA_VERSION, **msgspec.to_builtins(state)}})
        return state
    found = await _schema_of(database) if "meta" in tables else None
    if found is None:
        raise StoreDamagedError(str(folder / "db"), "it holds tables, but not the record of its state")
    if found > SCHEMA_VERSION:
        raise SchemaMismatchError(found, SCHEMA_VERSION)
    if found < SCHEMA_VERSION:
        await upgrade(database, found)
        logger.info("store upgraded from=%s to=%s", found, SCHEMA_VERSION)
    kept = await read_state(database)
    if kept is None:
        raise StoreDamagedError(str(folder / "db"), "the record of its state cannot be understood")
    if kept.generation < beside:
        why = f"it holds generation {kept.generation}, and {beside} was acknowledged"
        raise StoreDamagedError(str(folder / "db"), why)
    return kept


async def _schema_of(database: Database) -> int | None:
    found = (await database.read("RETURN meta:state.schema"))[0]
    return found if isinstance(found, int) else None


async def read_state(database: Database) -> State | None:
    """Return the record of its state; None where there is none that can be understood."""
    found = (await database.read("SELECT * FROM ONLY meta:state"))[0]
    try:
        return msgspec.convert(found, State)
    except msgspec.ValidationError:
        return None
