"""House rules that no linter knows. Who may import whom is import-linter's, in pyproject.toml."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import memoire

ROOT = Path(__file__).parents[1]
PACKAGE = Path(memoire.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))
MAX_LINES = 500
BANNED_NAMES = {"utils", "util", "helpers", "common", "base", "core", "manager", "misc"}

BOUNDARIES = {
    "queue task", "watcher", "request", "client payload parse", "hook main", "foreign format", "one file",
    "links of a file",
}  # fmt: skip
"""Where `except Exception` may stand, each naming the boundary it is."""


def test_no_module_is_longer_than_500_lines() -> None:
    lengths = {str(path.relative_to(ROOT)): len(path.read_text().splitlines()) for path in MODULES}
    assert not {path: lines for path, lines in lengths.items() if lines > MAX_LINES}


def test_no_module_has_a_name_that_says_nothing() -> None:
    assert not [path for path in MODULES if path.stem.strip("_") in BANNED_NAMES or path.parent.name in BANNED_NAMES]


def test_every_module_says_what_it_is_for() -> None:
    assert not [path for path in MODULES if ast.get_docstring(ast.parse(path.read_bytes())) is None]


def test_imports_are_absolute_and_unconditional() -> None:
    found = []
    for path, node in nodes():
        if isinstance(node, ast.ImportFrom) and node.level:
            found.append(f"{path.name}:{node.lineno} is relative")
        if isinstance(node, ast.Name | ast.Attribute) and "TYPE_CHECKING" in ast.unparse(node):
            found.append(f"{path.name}:{node.lineno} imports for the type checker alone")
    assert not found


def test_everything_is_caught_at_the_named_boundaries_only() -> None:
    """A handler that cleans up and raises again catches nothing."""
    boundary = re.compile(r"# (?:noqa: BLE001 - )?boundary: ([a-z ]+)$")
    found: dict[str, list[str]] = {}
    for path, node in nodes():
        if isinstance(node, ast.ExceptHandler) and catches_everything(node) and not raises_again(node):
            named = boundary.search(path.read_text().splitlines()[node.lineno - 1])
            found.setdefault(named[1] if named else "unnamed", []).append(f"{path.name}:{node.lineno}")
    assert set(found) <= BOUNDARIES, found
    assert all(len(places) == 1 for places in found.values()), found


def catches_everything(handler: ast.ExceptHandler) -> bool:
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(kind is None or ast.unparse(kind) in {"Exception", "BaseException"} for kind in kinds)


def raises_again(handler: ast.ExceptHandler) -> bool:
    last = handler.body[-1]
    return isinstance(last, ast.Raise) and last.exc is None


def nodes() -> Iterator[tuple[Path, ast.AST]]:
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_bytes())):
            yield path, node
