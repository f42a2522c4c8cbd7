"""The schema's comments are the documentation of the tables, so they are complete and what the database says."""

import asyncio
import re
from pathlib import Path

import pytest

from memoire.store.client import Database
from memoire.store.records import Store
from memoire.store.schema import SCHEMA, documented


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    async def make() -> None:
        await (await Store.open(tmp_path)).close()

    asyncio.run(make())
    return tmp_path


def test_every_definition_is_documented() -> None:
    assert len(documented()) == len(re.findall(r"^DEFINE ", SCHEMA, re.MULTILINE))
    assert all(each.meaning.endswith(".") and each.meaning[0] in each.meaning.strip() for each in documented())


def test_the_documentation_is_what_the_database_holds(folder: Path) -> None:
    async def fields() -> set[tuple[str, str]]:
        database = await Database.open(f"surrealkv://{folder / 'db'}")
        try:
            tables = (await database.read("INFO FOR DB"))[0]["tables"]
            found = set()
            for table in tables:
                (info,) = await database.read(f"INFO FOR TABLE `{table}`")
                found |= {(table, name) for name in info["fields"]}
            return found
        finally:
            await database.close()

    implied = {("edge", "in"), ("edge", "out"), ("event", "entities.*"), ("event", "paths.*")}
    written = {(each.table, each.field) for each in documented() if each.field}
    assert asyncio.run(fields()) - implied == written


def test_the_queries_offered_to_a_person_work(folder: Path) -> None:
    queries = re.findall(r"^--   (.+;)$", SCHEMA, re.MULTILINE)
    assert len(queries) == 4

    async def ask() -> None:
        database = await Database.open(f"surrealkv://{folder / 'db'}")
        try:
            for query in queries:
                await database.read(query)
        finally:
            await database.close()

    asyncio.run(ask())
