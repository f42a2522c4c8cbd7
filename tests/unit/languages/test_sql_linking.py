"""SQL through extraction, linking and relations: which script reads and writes what another creates."""

import pytest

from memoire.dispatch import extract
from memoire.model import CALL, READ, WRITE
from tests.support import Linked


def references(project: Linked, path: str) -> set[tuple[str, str, str, int]]:
    return {(item.scope, item.path, item.symbol, item.how) for item in project.processor.links(path).references}


def test_migrations_alter_the_table_that_the_first_of_them_creates() -> None:
    project = Linked(
        {
            "db/migrations/001_init.sql": "CREATE TABLE users (id int);\nCREATE TABLE IF NOT EXISTS tags (id int);\n",
            "db/migrations/002_age.sql": "ALTER TABLE public.Users ADD age int;\nDROP TABLE tags;\n",
            "db/queries/users.sql": "-- name: GetUser\nSELECT * FROM {{ .Schema }}.users u JOIN tags t USING (id);\n",
        }
    )
    assert references(project, "db/migrations/002_age.sql") == {
        ("", "db/migrations/001_init.sql", "users", WRITE),
        ("", "db/migrations/001_init.sql", "tags", WRITE),
    }
    assert references(project, "db/queries/users.sql") == {
        ("", "db/migrations/001_init.sql", "users", READ),
        ("", "db/migrations/001_init.sql", "tags", READ),
    }
    assert project.edges("IMPORTS") == {
        ("db/migrations/002_age.sql", "db/migrations/001_init.sql"),
        ("db/queries/users.sql", "db/migrations/001_init.sql"),
    }


def test_a_table_of_another_service_or_schema_is_another_table() -> None:
    project = Linked(
        {
            "services/a/migrations/1.sql": "CREATE TABLE users (id int);\n",
            "services/b/queries/q.sql": "SELECT * FROM users;\n",
            "services/a/queries/q.sql": "SELECT * FROM billing.users;\nSELECT users FROM x;\nSELECT 'from users';\n",
        }
    )
    assert project.edges("IMPORTS") == set()


def test_what_a_statement_names_itself_shadows_a_table() -> None:
    project = Linked(
        {
            "db/a.sql": "CREATE TABLE recent (id int);\nCREATE TABLE orders (id int);\n",
            "db/b.sql": (
                "WITH recent (id) AS (SELECT id FROM orders), x AS MATERIALIZED (SELECT 1)\nSELECT * FROM recent, x;\n"
            ),
        }
    )
    assert references(project, "db/b.sql") == {("", "db/a.sql", "orders", READ)}


def test_routines_of_other_scripts_are_called_in_the_bodies_of_all_dialects() -> None:
    project = Linked(
        {
            "sql/f.sql": "CREATE FUNCTION f(a int) RETURNS int AS $$ SELECT a; $$ LANGUAGE sql;\n",
            "sql/p.sql": (
                "DELIMITER $$\nCREATE PROCEDURE p() BEGIN SELECT 1; SELECT f(1); END$$\nDELIMITER ;\nCALL p();\n"
            ),
            "sql/t.sql": "CREATE PROC t AS\nSELECT 1;\nSELECT dbo.f(2);\nGO\nEXEC t;\n",
            "sql/v.sql": "CREATE VIEW v AS SELECT f(id) AS count, count(*) FROM g(1);\n",
        }
    )
    assert references(project, "sql/p.sql") == {("p", "sql/f.sql", "f", CALL), ("", "sql/p.sql", "p", CALL)}
    assert references(project, "sql/t.sql") == {("t", "sql/f.sql", "f", CALL), ("", "sql/t.sql", "t", CALL)}
    assert references(project, "sql/v.sql") == {("v", "sql/f.sql", "f", CALL)}


def test_models_of_dbt_are_reached_by_their_file_and_sources_by_their_table() -> None:
    project = Linked(
        {
            "models/staging/stg_orders.sql": "{{ config() }}\nselect * from {{ source('raw', 'orders') }}\n",
            "models/marts/orders.sql": (
                "{% set x = 1 %}\nwith o as (select * from {{ ref('stg_orders') }})\n"
                "select * from o join {{ ref('missing') }} using (id) -- {{ ref('stg_orders') }}\n"
            ),
            "seeds/rates.csv": "a,b\n",
            "models/marts/rates.sql": "select * from {{ ref('shop', 'rates') }}",
            "raw/schema.sql": "create table raw.orders (id int);\n",
        }
    )
    assert project.edges("IMPORTS") == {
        ("models/marts/orders.sql", "models/staging/stg_orders.sql"),
        ("models/marts/rates.sql", "seeds/rates.csv"),
    }
    assert references(project, "models/marts/orders.sql") == {
        ("orders", "models/staging/stg_orders.sql", "stg_orders", READ)
    }


@pytest.mark.parametrize(
    ("line", "target"),
    [
        ("\\i a/b.sql", "db/a/b.sql"),
        ("\\ir 'a/b.sql'", "db/a/b.sql"),
        ("\\i db/a/b.sql", "db/a/b.sql"),
        ("@a/b.sql", "db/a/b.sql"),
        ("@@a/b.sql;", "db/a/b.sql"),
        ("SOURCE a/b.sql;", "db/a/b.sql"),
        (":r a/b.sql", "db/a/b.sql"),
        (".read a/b.sql", "db/a/b.sql"),
        ("-- \\i a/b.sql", ""),
        ("\\echo a/b.sql", ""),
        ("SELECT @a;", ""),
    ],
)
def test_a_script_includes_the_file_that_its_client_would_read(line: str, target: str) -> None:
    project = Linked({"db/a/b.sql": "", "db/main.sql": f"{line}\nSELECT 1;\n"})
    assert project.edges("IMPORTS") == ({("db/main.sql", target)} if target else set())


def test_tests_of_pgtap_assert_on_the_functions_they_call() -> None:
    project = Linked(
        {
            "sql/add.sql": "CREATE FUNCTION add_up(a int) RETURNS int LANGUAGE sql AS $$ SELECT a $$;\n",
            "tests/add.sql": "BEGIN;\nSELECT plan(1);\nSELECT is(add_up(1), 1);\nSELECT * FROM finish();\nROLLBACK;\n",
            "tests/rows.sql": "INSERT INTO x VALUES (add_up(1));\n",
        }
    )
    assert project.edges("ASSERTS_ON") == {("tests/add.sql", "sql/add.sql")}


@pytest.mark.parametrize(
    "text", ["", "-- only", "/*", "'", '"', "$$", "CREATE", "CREATE TABLE", "(" * 999, "BEGIN " * 99]
)
def test_broken_scripts_are_read_to_their_end(text: str) -> None:
    facts = extract("x.sql", (text + "\nSELECT 1 FROM a;\n").encode())
    assert facts.lines == text.count("\n") + 2
    assert facts.problems == ()


def test_a_dump_of_rows_is_no_code() -> None:
    rows = "".join(f"{number}\tselect * from x{number};\n" for number in range(1000))
    facts = extract("x.sql", f"COPY t (id, note) FROM stdin;\n{rows}\\.\nSELECT 1 FROM after_it;\n".encode())
    assert [item.specifier for item in facts.imports] == ["t", "after_it"]
