"""Every behaviour that systems of notes are known for is shown by a test, or it is said why not."""

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parent
INVENTORY = tomllib.loads((TESTS / "inventory.toml").read_text("utf-8"))
IDS = {
    *(f"H{number}" for number in (*range(1, 9), *range(10, 25), *range(30, 84))),
    *(f"T{number}" for number in range(1, 30)),
    *(f"M{number}" for number in range(1, 38)),
}


def marks() -> Iterator[tuple[str, str]]:
    """Yield (name of the test, id) for each id of each mark; read from the sources, so that none need run."""
    for path in sorted(TESTS.rglob("test_*.py")):
        if "languages" in path.relative_to(TESTS).parts[:-1]:
            continue  # sources that the tests read, some of them broken on purpose
        for node in ast.walk(ast.parse(path.read_bytes())):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            for call in node.decorator_list:
                if isinstance(call, ast.Call) and ast.unparse(call.func) == "pytest.mark.shows":
                    for argument in call.args:
                        assert isinstance(argument, ast.Constant), f"{path}: an id is written out"
                        yield node.name, str(argument.value)


def test_every_id_is_in_one_part_of_the_inventory_and_no_other_is() -> None:
    listed = [name for part in ("shown", "replaced", "missing") for name in INVENTORY[part]]
    assert len(listed) == len(set(listed))
    assert set(listed) == IDS


def test_what_is_said_to_be_shown_has_a_test_and_what_is_marked_is_said_to_be_shown() -> None:
    marked = {name for _, name in marks()}
    assert sorted(INVENTORY["shown"].keys() - marked) == [], "no test is marked with these"
    assert sorted(marked - INVENTORY["shown"].keys()) == [], "these are not under `shown`"


def test_only_tests_are_marked() -> None:
    assert not [name for name, _ in marks() if not name.startswith("test_")]


def test_what_is_not_shown_says_why() -> None:
    for part in ("replaced", "missing"):
        for name, entry in INVENTORY[part].items():
            assert entry["says"], name
            assert entry["why"], name
