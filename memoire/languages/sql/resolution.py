"""Finds what SQL names: tables by their name in one database, models of dbt and included scripts by their file."""

from posixpath import basename, dirname, join, normpath

from memoire.model import FileFacts, Target
from memoire.tree import Tree

_FOLDERS = (
    "migrations migration migrate db database databases sql schema schemas queries query models tables views functions "
    "procedures procs sprocs triggers indexes types seeds seed fixtures scripts ddl dml src test tests spec resources "
    "prisma supabase drizzle flyway liquibase dbt snapshots macros analyses analysis stored_procedures sqlc ent pg "
    "postgres postgresql mysql sqlite mssql up down init initdb docker-entrypoint-initdb.d t"
)
FOLDERS = frozenset(_FOLDERS.split())
"""Folders that lie inside of what one database is for."""
_PGTAP = frozenset({"plan", "no_plan", "finish", "runtests"})


def package_of(_tree: Tree, path: str, _declared: str) -> str:
    """Return the database that the names of a file belong to: the folder above those that hold its scripts.

    Two services of one repository have a database each; the migrations and queries of one service share theirs.
    """
    parts = path.split("/")[:-1]
    for at, part in enumerate(parts):
        if part.lower() in FOLDERS:
            return "/".join(parts[:at])
    return "/".join(parts)


def resolve(tree: Tree, path: str, specifier: str) -> Target:
    """Return what a specifier names in the script at `path`: a table, `ref('a model')`, or a file."""
    if specifier.startswith("ref("):
        # A model is written in SQL or Python; a seed is a table of values.
        names = [specifier[5:-2] + suffix for suffix in (".sql", ".py", ".csv")]
        found = next((found for name in names if (found := [at for at in tree.named(name) if at != path])), [])
        inner = package_of(tree, path, "")
        near = [other for other in found if package_of(tree, other, "") == inner] or found
        return Target("file", near[0]) if len(near) == 1 else Target("unresolved", specifier)
    if "/" in specifier or specifier.lower().endswith((".sql", ".psql", ".ddl", ".pks", ".pkb")):
        return _file(tree, path, specifier)
    package = package_of(tree, path, "")
    name = f"{package}.{specifier}" if package else specifier
    return Target("namespace", name)


def _file(tree: Tree, path: str, specifier: str) -> Target:
    folder = dirname(path)
    while True:
        found = normpath(join(folder, specifier))
        if not found.startswith("..") and tree.is_file(found):
            return Target("file", found)
        if not folder:
            return Target("unresolved", specifier)
        folder = dirname(folder)


def is_test(path: str) -> bool:
    """Return whether a script is a test by the conventions of pgTAP, tSQLt and dbt."""
    name = basename(path)
    stem = name.rpartition(".")[0].lower()
    if stem.startswith("test_") or stem.endswith(("_test", ".test", "_tests")):
        return True
    return any(part in {"test", "tests", "t"} for part in path.split("/")[:-1])


def holds_tests(facts: FileFacts) -> bool:
    """Return whether a script defines tests, or is one by what it calls."""
    return any(item.is_test for item in facts.definitions) or any(item.specifier in _PGTAP for item in facts.imports)
