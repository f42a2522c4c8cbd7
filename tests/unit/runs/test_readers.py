"""Readers of what runs of tests leave behind: what they understand, and that nothing in a file harms them."""

import json
import sqlite3
import zlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoire.runs import READERS, read, readers_of
from memoire.runs.lines import bits
from memoire.runs.run import Run, UnreadableRunError

JUNIT = b"""<?xml version="1.0" encoding="utf-8"?>
<testsuites><testsuite name="pytest" tests="3">
<testcase classname="tests.test_core.TestShop" name="test_add[1]" time="0.25" />
<testcase classname="tests.test_core" name="test_fails" time="1,002.5"><failure>secret</failure></testcase>
</testsuite>
<testsuite file="web/cart.test.ts"><testcase name="adds" file=""><skipped/></testcase></testsuite></testsuites>"""

COBERTURA = b"""<?xml version="1.0" ?>
<!DOCTYPE coverage SYSTEM "http://cobertura.sourceforge.net/xml/coverage-04.dtd">
<coverage version="7.1" timestamp="1700000000123"><sources><source>/build/src</source></sources>
<packages><package name="shop"><classes><class name="core.py" filename="shop/core.py"><methods/>
<lines><line number="1" hits="1"/><line number="3" hits="0"/><line number="17" hits="2"/></lines></class></classes>
</package></packages></coverage>"""

LCOV = b"""TN:adds to the cart
SF:web/cart.js
FN:3,add
FNDA:1,add
DA:3,1
DA:4,0
DA:5,12,checksum
end_of_record
TN:
SF:web/other.js
DA:1,1
end_of_record
"""


def lines(data: bytes) -> set[int]:
    return {8 * at + bit for at, byte in enumerate(data) for bit in range(8) if byte >> bit & 1}


def database(folder: Path, *, arcs: bool = False, more: str = "", has_rows: bool = True) -> bytes:
    file = folder / "made.db"
    file.unlink(missing_ok=True)
    link = sqlite3.connect(file)
    link.executescript(
        "CREATE TABLE coverage_schema (version integer); INSERT INTO coverage_schema VALUES (7);"
        "CREATE TABLE file (id integer primary key, path text, unique (path));"
        "CREATE TABLE context (id integer primary key, context text, unique (context));"
        "CREATE TABLE line_bits (file_id integer, context_id integer, numbits blob);"
        "CREATE TABLE arc (file_id integer, context_id integer, fromno integer, tono integer);"
        "INSERT INTO file VALUES (1, '/home/x/shop/core.py');"
        "INSERT INTO context VALUES (1, ''), (2, 'tests/test_a.py::TestA::test_x[1]|run'),"
        " (3, 'tests/test_a.py::TestA::test_x[1]|setup'), (4, 'tests.test_b.test_y'),"
        " (5, 'linux|tests/test_a.py::test_z|run');" + more
    )
    found = {1: {1, 2}, 2: {5, 30}, 3: {4}, 4: {6}, 5: {7}}
    for context, numbers in found.items() if has_rows else ():
        if arcs:
            rows = [(1, context, -4, number) for number in numbers] + [(1, context, min(numbers), -4)]
            link.executemany("INSERT INTO arc VALUES (?, ?, ?, ?)", rows)
        else:
            link.execute("INSERT INTO line_bits VALUES (1, ?, ?)", (context, bits(numbers)))
    link.commit()
    link.close()
    return file.read_bytes()


def executed(run: Run) -> dict[str, set[int]]:
    """Return test -> the lines it executed."""
    found: dict[str, set[int]] = {}
    for test in run.tests:
        parts = [run.parts[number] for number in run.sets[test.members]]
        found[f"{test.path}::{test.name}"] = {line for part in parts for line in lines(part.lines)}
    return found


@pytest.mark.parametrize("arcs", [False, True])
def test_a_database_of_coverage_says_which_test_executed_which_lines(tmp_path: Path, arcs: bool) -> None:
    run = read(".coverage", database(tmp_path, arcs=arcs))
    assert run.files == (("/home/x/shop/core.py", ""),)
    assert executed(run) == {
        "tests/test_a.py::TestA::test_x[1]": {4, 5, 30},
        "::tests.test_b.test_y": {6},
        "tests/test_a.py::test_z": {7},
    }
    assert {line for number in run.early for line in lines(run.parts[number].lines)} == {1, 2}


@pytest.mark.parametrize(
    "harm",
    [
        "DROP TABLE line_bits; CREATE VIEW line_bits AS SELECT 1 AS file_id, 2 AS context_id, zeroblob(9) AS numbits;",
        "DROP TABLE file; CREATE VIEW file AS SELECT 1 AS id, load_extension('x') AS path;",
        "DROP TABLE context; CREATE TABLE context (id integer, context text AS (hex(zeroblob(90000000))));"
        " INSERT INTO context VALUES (2);",
    ],
)
def test_views_and_functions_of_a_stranger_are_not_run(tmp_path: Path, harm: str) -> None:
    try:
        run = read(".coverage", database(tmp_path, more=harm, has_rows=False))
    except UnreadableRunError:
        return
    assert (run.tests, run.parts) == ((), ())


def test_a_report_of_junit_says_how_tests_ended() -> None:
    run = read("junit.xml", JUNIT)
    assert [(test.path, test.name, test.outcome, test.ms) for test in run.tests] == [
        ("", "tests.test_core.TestShop::test_add[1]", "passed", 250),
        ("", "tests.test_core::test_fails", "failed", 1_002_500),
        ("web/cart.test.ts", "adds", "skipped", -1),
    ]


def test_a_report_of_cobertura_says_which_lines_some_test_executed() -> None:
    run = read("coverage.xml", COBERTURA)
    assert (run.at, run.files, run.tests) == (1_700_000_000, (("shop/core.py", ""),), ())
    assert lines(run.parts[0].lines) == {1, 17}


def test_a_trace_of_lcov_names_tests_where_the_tool_does() -> None:
    run = read("coverage/lcov.info", LCOV)
    assert executed(run) == {"::adds to the cart": {3, 5}}
    assert [run.files[run.parts[number].file][0] for number in run.early] == ["web/other.js"]


def test_a_trace_whose_lines_would_take_more_memory_than_is_believed_is_refused() -> None:
    record = "SF:a{0}.py\nDA:1999999,1\nend_of_record\n"
    assert len(read("lcov.info", record.format(1).encode()).parts) == 1
    with pytest.raises(UnreadableRunError, match="more than is taken in"):
        read("lcov.info", "".join(record.format(number) for number in range(300)).encode())


@pytest.mark.parametrize(
    "data",
    [
        b'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]><testsuite><testcase name="&b;"/></testsuite>',
        b'<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><testsuite><testcase name="x">&a;</testcase>',
        b"<testsuite>" * 5000,
        b"<html><testcase name='a'/></html>",
        b"",
    ],
)
def test_xml_with_entities_depth_or_another_root_is_refused(data: bytes) -> None:
    with pytest.raises(UnreadableRunError):
        read("test-report.xml", data)


def recorded(**changes: object) -> bytes:
    told: dict[str, object] = {
        "version": 1, "tool": "pytest 9", "at": 5, "files": [["core.py", ""]], "early": [0],
        "definitions": [[0, "run", 1, 2, "ab"]], "sets": [[0]], "tests": [[0, "test_x", "passed", 1, False, 0]],
    }  # fmt: skip
    return zlib.compress(json.dumps(told | changes).encode())


@pytest.mark.parametrize(
    "data",
    [
        recorded(version=2),
        recorded(sets=[[1]]),
        recorded(sets=[[-1]]),
        recorded(tests=[[3, "x", "", 1, False, 0]]),
        recorded(tests=[[0, "x", "", 1, False, 7]]),
        recorded(definitions=[[9, "run", 1, 2, ""]]),
        recorded(tests="x"),
        recorded()[:-9],
        b"",
    ],
)
def test_a_recorded_run_that_is_damaged_is_refused(data: bytes) -> None:
    assert read("a.run", recorded(), is_own=True).tests[0].name == "test_x"
    with pytest.raises(UnreadableRunError):
        read("a.run", data, is_own=True)


def test_names_tell_what_may_be_an_artefact() -> None:
    kinds = {
        ".coverage": ["coverage.py"], ".coverage.host.123.xyz": ["coverage.py"], ".coveragerc": [],
        "coverage.xml": ["cobertura"], "cobertura-coverage.xml": ["cobertura"], "lcov.info": ["lcov"],
        "TEST-org.example.ShopTest.xml": ["junit"], "pom.xml": [], "x.run": [],
    }  # fmt: skip
    assert {name: [reader.kind for reader in readers_of(f"a/{name}")] for name in kinds} == kinds


@settings(max_examples=150)
@given(st.sampled_from([JUNIT, COBERTURA, LCOV, recorded()]), st.data())
def test_any_bytes_are_a_run_or_refused(whole: bytes, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(whole)))
    junk = whole[:start] + data.draw(st.binary(max_size=40)) + whole[data.draw(st.integers(0, len(whole))) :]
    for each in READERS:
        try:
            run = each.read("x", junk)
        except UnreadableRunError:
            continue
        assert all(-1 <= test.members < len(run.sets) for test in run.tests)


def test_a_damaged_database_is_a_run_or_refused(tmp_path: Path) -> None:
    sound = database(tmp_path)

    @settings(max_examples=80)
    @given(st.lists(st.tuples(st.integers(16, len(sound) - 1), st.integers(0, 255)), min_size=1, max_size=30))
    def check(damage: list[tuple[int, int]]) -> None:
        whole = bytearray(sound)
        for at, byte in damage:
            whole[at] = byte
        try:
            run = read(".coverage", bytes(whole))
        except UnreadableRunError:
            return
        assert all(-1 <= test.members < len(run.sets) for test in run.tests)

    check()
