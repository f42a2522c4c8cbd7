import ast
from collections.abc import Iterator
from pathlib import Path

from tests.requirements import REQUIREMENTS

TESTS = Path(__file__).parent


def test_every_promise_of_the_published_page_is_covered_by_a_test_and_no_other() -> None:
    claimed = {requirement for _, requirement in claims()}
    assert claimed == set(REQUIREMENTS)


def test_only_tests_claim_to_cover_a_promise() -> None:
    assert not [name for name, _ in claims() if not name.startswith("test_")]


def claims() -> Iterator[tuple[str, str]]:
    """Yield (name of the test, id) for each id of each `@covers(…)`; read from the sources, so that none need run."""
    for path in sorted(TESTS.rglob("test_*.py")):
        if "languages" in path.relative_to(TESTS).parts[:-1]:
            continue  # sources that the tests read, some of them broken on purpose
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                for call in node.decorator_list:
                    if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "covers":
                        for argument in call.args:
                            assert isinstance(argument, ast.Constant), f"{path}: an id is written out"
                            yield node.name, str(argument.value)
