"""Replays real commits with every function of the files they touch anchored: `README.md`.

    python -m benchmarks.staleness.replay MIRRORS OWNER/NAME… [--commits 300]

Truth is the compiler of Python: a function changed if its byte code, its decorators or its defaults did; docstrings,
annotations, positions and the names of local variables aside. Prints precision and recall for each repository and over
all, with an interval over commits.
"""

import argparse
import ast
import inspect
import random
import types
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from benchmarks.impact.replay import Repo
from memoire.dispatch import extract
from memoire.notes.anchors import World, baseline, compare
from memoire.notes.model import Anchor

CHANGED = frozenset({"changed", "signature", "contradicted"})
_KINDS = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS | inspect.CO_GENERATOR | inspect.CO_COROUTINE
"""Flags that say what a function is; others say how its file was compiled."""
DRAWS = 1_000
_LARGEST = 300_000


class Counts(NamedTuple):
    """What became of the anchors of one commit."""

    right: int = 0
    """Said to have changed, and did."""
    false: int = 0
    missed: int = 0
    checks: int = 0

    def plus(self, other: "Counts") -> "Counts":
        """Return the sum."""
        return Counts(*(one + two for one, two in zip(self, other, strict=True)))

    @property
    def precision(self) -> float:
        """Share of what was said to have changed that did."""
        return self.right / max(self.right + self.false, 1)

    @property
    def recall(self) -> float:
        """Share of what changed that was said to have."""
        return self.right / max(self.right + self.missed, 1)


def code_of(source: bytes, *, is_narrow: bool = False) -> dict[str, object] | None:
    """Return function -> what decides what it does, of a file; None where it does not compile.

    Args:
        source: The file.
        is_narrow: Take the optimised byte code alone: without asserts, decorators and defaults.
    """
    try:
        tree = ast.parse(source)
        heads = {} if is_narrow else _heads(tree)
        module = compile(tree, "file", "exec", dont_inherit=True, optimize=2 if is_narrow else 0)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    found: dict[str, object] = {}
    todo = [module]
    while todo:
        code = todo.pop()
        for constant in code.co_consts:
            if isinstance(constant, types.CodeType):
                todo.append(constant)
                if constant.co_flags & inspect.CO_NEWLOCALS and not constant.co_name.startswith("<"):
                    name = constant.co_qualname.replace(".<locals>", "")
                    found.setdefault(name, (essence(constant), heads.get(name)))
    return found


class _Unannotated(ast.NodeTransformer):
    """Takes annotations out of functions: nothing looks at them when the function runs."""

    def visit_arg(self, node: ast.arg) -> ast.arg:
        """Return a parameter without its annotation."""
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        """Return a function without what it says it returns."""
        node.returns = None
        self.generic_visit(node)
        return node

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AsyncFunctionDef:
        """Return a function without what it says it returns."""
        node.returns = None
        self.generic_visit(node)
        return node


def _heads(tree: ast.Module) -> dict[str, str]:
    """Return function -> its decorators and defaults; take docstrings and annotations out of the tree."""
    _Unannotated().visit(tree)
    found: dict[str, str] = {}

    def visit(node: ast.AST, around: str) -> None:
        for child in ast.iter_child_nodes(node):
            name = around
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                name = f"{around}.{child.name}" if around else child.name
                if ast.get_docstring(child, clean=False) is not None:
                    child.body = child.body[1:] or [ast.copy_location(ast.Pass(), child)]
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                parts = [*child.decorator_list, *child.args.defaults, *filter(None, child.args.kw_defaults)]
                found.setdefault(name, " ".join(map(ast.dump, parts)))
            visit(child, name)

    visit(tree, "")
    return found


def essence(code: types.CodeType) -> object:
    """Return what of some code decides what it does."""
    constants = tuple(
        essence(constant) if isinstance(constant, types.CodeType) else (type(constant).__name__, repr(constant))
        for constant in code.co_consts
    )
    arguments = code.co_argcount + code.co_kwonlyargcount
    return code.co_code, constants, code.co_names, code.co_varnames[:arguments], code.co_flags & _KINDS


def replay(repo: Repo, most: int, *, is_narrow: bool) -> Iterator[Counts]:
    """Yield what became of the anchors in the files that each commit changed, the last commits first."""
    asked = 0
    for sha in reversed(repo.trunk()):
        each = repo.touched.get(sha)
        paths = [change.path for change in each.changes if change.kind == "modified"] if each is not None else []
        paths = [path for path in paths if path.endswith(".py")]
        if not paths or len(paths) > 30:
            continue
        found = Counts()
        for path in paths:
            before, after = repo.git("show", f"{sha}^:{path}"), repo.git("show", f"{sha}:{path}")
            found = found.plus(one_file(before, after, path, is_narrow=is_narrow))
        asked += 1
        yield found
        if asked >= most:
            return


def one_file(before: bytes, after: bytes, path: str, *, is_narrow: bool = False) -> Counts:
    """Return what became of the anchors of one file."""
    if not before or not after or max(len(before), len(after)) > _LARGEST:
        return Counts()
    old, new = code_of(before, is_narrow=is_narrow), code_of(after, is_narrow=is_narrow)
    if old is None or new is None:
        return Counts()
    then, now = world(path, before), world(path, after)
    right = false = missed = checks = 0
    for name in old.keys() & new.keys():
        node = f"{path}::{name}"
        base = baseline(node, "", then)
        if base is None:
            continue
        checks += 1
        is_said = compare(Anchor(node, "body", base), now).state in CHANGED
        is_so = old[name] != new[name]
        right += is_said and is_so
        false += is_said and not is_so
        missed += is_so and not is_said
    return Counts(right, false, missed, checks)


def world(path: str, data: bytes) -> World:
    """Return a project of one file."""
    facts, text = extract(path, data), data.decode("utf-8", "replace")
    return World({path: facts}.get, {path: text}.get, lambda other: other == path, lambda _: False, lambda _: False)


def interval(counts: list[Counts], measure: str) -> tuple[float, float]:
    """Return the 95 % interval of a measure, commits drawn again and again."""
    drawing = random.Random(1)
    values = []
    for _ in range(DRAWS):
        total = Counts()
        for each in drawing.choices(counts, k=len(counts)):
            total = total.plus(each)
        values.append(float(getattr(total, measure)))
    values.sort()
    return values[int(DRAWS * 0.025)], values[int(DRAWS * 0.975)]


def main() -> None:
    """Replay, and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("mirrors", type=Path)
    parser.add_argument("repos", nargs="+")
    parser.add_argument("--commits", type=int, default=300)
    parser.add_argument("--narrow", action="store_true", help="of optimised byte code alone")
    arguments = parser.parse_args()
    everything: list[Counts] = []
    for name in arguments.repos:
        counts = [
            each
            for each in replay(Repo(arguments.mirrors, name), arguments.commits, is_narrow=arguments.narrow)
            if each.checks
        ]
        everything += counts
        show(name, counts)
    show("all", everything)


def show(name: str, counts: list[Counts]) -> None:
    """Print one line."""
    total = Counts()
    for each in counts:
        total = total.plus(each)
    told = []
    for measure in ("precision", "recall"):
        low, high = interval(counts, measure) if counts else (0.0, 1.0)
        told.append(f"{measure} {getattr(total, measure):.3f} [{low:.3f}, {high:.3f}]")
    print(
        f"{name}: {len(counts)} commits, {total.checks} checks, {total.right + total.missed} changed; {'; '.join(told)}"
    )


if __name__ == "__main__":
    main()
