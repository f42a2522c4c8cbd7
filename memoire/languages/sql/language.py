"""SQL: suffixes of the files, and the rules that find what a script names."""

from memoire.extract.spec import Language
from memoire.languages.sql.reader import read
from memoire.languages.sql.resolution import holds_tests, is_test, package_of, resolve

LANGUAGE = Language(
    name="sql",
    suffixes=(".sql", ".psql", ".pgsql", ".ddl", ".pks", ".pkb", ".plsql", ".tsql", ".mysql"),
    resolve=resolve,
    resolves_by_file=True,
    is_test=is_test,
    holds_tests=holds_tests,
    package_of=package_of,
    read=read,
)
