"""A plug-in of pytest for the truth: coverage.py writes down under which test each line runs.

What a fixture that outlives a test executes is written under the fixture; `truth.json` says which tests are given it.
"""

import json
import os
from collections.abc import Generator
from pathlib import Path

import coverage
import pytest

FIXTURES: dict[int, str] = {}
TESTS: dict[str, list[str]] = {}
NOW = [""]


def switch(context: str) -> None:
    running = coverage.Coverage.current()
    assert running is not None
    running.switch_context(context)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[object]) -> Generator[None, object, object]:
    if fixturedef.scope == "function":
        return (yield)
    name = FIXTURES.setdefault(id(fixturedef), f"fixture:{len(FIXTURES)}")
    switch(name)
    try:
        return (yield)
    finally:
        switch(NOW[0])


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    NOW[0] = item.nodeid
    switch(item.nodeid)
    try:
        return (yield)
    finally:
        known = getattr(item, "_fixtureinfo").name2fixturedefs  # noqa: B009 - not declared
        names = getattr(item, "fixturenames", ())
        given = [FIXTURES.get(id(one)) for name in names for one in known.get(name, ())]
        TESTS[item.nodeid] = [name for name in given if name]
        NOW[0] = ""
        switch("")


def pytest_sessionfinish() -> None:
    Path(os.environ["MEMOIRE_TRUTH"]).write_text(json.dumps(TESTS))
