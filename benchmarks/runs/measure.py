"""Records the tests of a project at one commit and asks at later ones which tests run the functions that changed.

    python -m benchmarks.runs.measure --repo GIT_FOLDER --start COMMIT --python PYTHON [--commits 10] [--source src]

The truth is what coverage.py sees at the later commit, test by test. PYTHON has the project's requirements, pytest and
coverage; the project itself is imported from the work tree.
"""

import argparse
import json
import os
import shutil
import sqlite3
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from memoire.dispatch import extract
from memoire.graph import Graph
from memoire.impact.running import RunningTests
from memoire.languages import is_test, language_of
from memoire.model import FileChange
from memoire.processor import Processor
from memoire.runs import read
from memoire.runs.observations import FUNCTIONS
from memoire.runs.taking import Files, _Bodies, take

NOW = datetime(2026, 1, 1, tzinfo=UTC)
PACKAGE = Path(__file__).parents[2] / "memoire"


class Tree:
    """The work tree and what memoire knows of it."""

    def __init__(self, root: Path, git_folder: str) -> None:
        self.root = root
        subprocess.run(["git", "clone", "-q", "-s", "-n", git_folder, str(root)], check=True)
        self.graph = Graph()
        self.files: dict[str, bytes] = {}
        self.processor = Processor(self.graph, self.files.get)

    def git(self, *arguments: str) -> str:
        return subprocess.run(
            ["git", *arguments], cwd=self.root, check=True, capture_output=True, text=True
        ).stdout.strip()

    def check_out(self, commit: str) -> dict[str, set[str]]:
        """Take a commit in; return file -> functions whose body is another than before."""
        self.git("checkout", "-q", "-f", commit)
        self.git("clean", "-q", "-fdx")
        listed = [path for path in self.git("ls-files", "-z").split("\0") if path]
        now = {path: (self.root / path).read_bytes() for path in listed if (self.root / path).is_file()}
        # The others are there to be asked for: manifests say where imports begin.
        changed = [path for path, data in now.items() if language_of(path) and self.files.get(path) != data]
        before = {path: self.prints(path) for path in changed}
        gone = [path for path in self.files if path not in now]
        self.files.clear()
        self.files.update(now)
        changes = [FileChange(path, extract(path, now[path]), 0, NOW) for path in changed]
        self.graph.apply(self.processor.plan(changes, gone, now=NOW))
        found = {}
        for path in changed:
            after = self.prints(path)
            found[path] = {name for name, body in after.items() if before[path].get(name) != body}
        return found

    def prints(self, path: str) -> dict[str, str]:
        facts = self.processor.facts(path)
        return {item.name: item.body for item in facts.definitions if item.kind in FUNCTIONS} if facts else {}


class Truth(NamedTuple):
    tests: set[str]
    executed: dict[tuple[str, str], set[str]]
    """(file, function) -> ids of the tests that execute it."""


def environment(root: Path, source: str, *more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(root / source), *more]), "PYTHONDONTWRITEBYTECODE": "1"}


def pytest(python: str, arguments: str) -> list[str]:
    return [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments.split()]


def record(tree: Tree, python: str, source: str, arguments: str, scratch: Path) -> int:
    """Record the tests at the commit that is checked out; return how many there are."""
    stub, state = scratch / "stub", scratch / "state"
    shutil.rmtree(stub, ignore_errors=True)
    shutil.rmtree(state, ignore_errors=True)
    (stub / "memoire").mkdir(parents=True)
    state.mkdir(mode=0o700)
    for name in ("__init__.py", "pytest_plugin.py", "pytest_tracer.py"):
        shutil.copy(PACKAGE / name, stub / "memoire" / name)
    (tree.root / ".memoire").mkdir(exist_ok=True)
    (tree.root / ".memoire/local").write_text(f"{state}\n")
    command = [*pytest(python, arguments), "-p", "memoire.pytest_plugin"]
    done = subprocess.run(
        command, cwd=tree.root, env=environment(tree.root, source, str(stub)), capture_output=True, check=False
    )
    print("  recorded:", (done.stdout or done.stderr).decode().strip().splitlines()[-1])
    shutil.rmtree(tree.root / ".memoire")
    for file in (state / "runs").iterdir():
        processor = tree.processor
        files = Files(
            str(tree.root), processor.records, processor.facts, tree.files.get, lambda _: 0.0, lambda text: text
        )
        taken = take(processor.observations, read(file.name, file.read_bytes(), is_own=True), "", time.time(), files)
    return taken.tests


def known_truth(keep: Path | None, commit: str, make: Callable[[], Truth]) -> Truth:
    """Return the truth of a commit: that of an earlier measurement, where it was kept."""
    file = keep / f"{commit}.json" if keep else None
    if file is not None and file.exists():
        kept = json.loads(file.read_text())
        return Truth(set(kept["tests"]), {(path, name): set(tests) for path, name, tests in kept["executed"]})
    found = make()
    if file is not None:
        executed = [[*key, sorted(tests)] for key, tests in found.executed.items()]
        file.write_text(json.dumps({"tests": sorted(found.tests), "executed": executed}))
    return found


def truth(tree: Tree, python: str, source: str, arguments: str, scratch: Path) -> Truth:
    """Run the tests under coverage.py and return what each executes."""
    data, told = scratch / "coverage", scratch / "truth.json"
    data.unlink(missing_ok=True)
    plugin = Path(__file__).parent / "plugin"
    variables = environment(tree.root, source, str(plugin))
    variables |= {"MEMOIRE_TRUTH": str(told), "COVERAGE_CORE": "ctrace"}
    config = scratch / "coveragerc"
    config.write_text(f"[run]\nsource = {tree.root}\nomit =\n    */site-packages/*\n")
    command = [python, "-m", "coverage", "run", f"--rcfile={config}", f"--data-file={data}", "-m"]
    command += [*pytest(python, arguments)[2:], "-p", "memoire_truth"]
    done = subprocess.run(command, cwd=tree.root, env=variables, capture_output=True, check=False)
    print("  truth:", (done.stdout or done.stderr).decode().strip().splitlines()[-1])
    users: dict[str, set[str]] = {}
    tests = json.loads(told.read_text())
    for test, fixtures in tests.items():
        for fixture in fixtures:
            users.setdefault(fixture, set()).add(test)
    executed: dict[tuple[str, str], set[str]] = {}
    bodies: dict[str, _Bodies] = {}
    link = sqlite3.connect(data)
    rows = link.execute(
        "SELECT path, context, numbits FROM line_bits JOIN file ON file.id = file_id"
        " JOIN context ON context.id = context_id"
    )
    for file, context, numbers in rows:
        path = file.removeprefix(f"{tree.root}/")
        facts = tree.processor.facts(path)
        if facts is None or not context:
            continue
        if path not in bodies:
            bodies[path] = _Bodies(facts.definitions, tree.files[path].split(b"\n"))
        for name in bodies[path].hit(numbers):
            executed.setdefault((path, name), set()).update(users.get(context, {context} & tests.keys()))
    link.close()
    return Truth(set(tests), executed)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repo", required=True)
    parser.add_argument("--start", required=True)
    parser.add_argument("--python", required=True)
    parser.add_argument("--commits", type=int, default=10)
    parser.add_argument("--source", default="src")
    parser.add_argument("--pytest", default="")
    parser.add_argument("--keep", type=Path, help="folder for the truth of each commit")
    parser.add_argument("--verbose", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        run(given, Path(scratch))


def run(given: argparse.Namespace, scratch: Path) -> None:
    tree = Tree(scratch / "tree", given.repo)
    listed = tree.git("rev-list", "--reverse", "--first-parent", f"{given.start}..", "--", given.source).split()
    tree.check_out(given.start)
    record(tree, given.python, given.source, given.pytest, scratch)
    processor = tree.processor
    running = RunningTests(
        processor.observations, processor.exercise, processor.facts, processor.links, processor.users
    )
    rows: list[tuple[int, int, int, int]] = []
    hows: Counter[str] = Counter()
    spent = 0.0
    for commit in listed[: given.commits]:
        changed = tree.check_out(commit)
        asked = [
            (path, name)
            for path, names in changed.items()
            if path.startswith(f"{given.source}/") and not is_test(path)
            for name in sorted(names)
        ]
        print(commit[:10], tree.git("log", "-1", "--format=%s")[:60], len(asked), "functions")
        if not asked:
            continue
        known = known_truth(given.keep, commit, lambda: truth(tree, given.python, given.source, given.pytest, scratch))
        for path, name in asked:
            true = known.executed.get((path, name), set())
            edges = [edge for edge in tree.graph.edges_in(path) if edge.key.relation == "ASSERTS_ON"]
            files = {edge.key.source for edge in edges}
            began = time.process_time()
            found = running.observed_tests(path, {name}, files)
            spent = max(spent, time.process_time() - began)
            claimed = expand({item.node for item in found}, known.tests)
            in_files = {test for test in known.tests if test.partition("::")[0] in files}
            hows.update(item.how for item in found)
            rows.append((len(true), len(claimed), len(true & claimed), len(in_files)))
            if given.verbose or true - claimed or len(claimed) > 2 * len(true):
                print(f"    {path}::{name} true {len(true)} named {len(claimed)} found {len(true & claimed)}")
                print("      missed", sorted(true - claimed)[:4], "more", sorted(claimed - true)[:4])
                print("      by", dict(Counter(item.how for item in found)))
    report(rows, hows, spent)


def expand(nodes: set[str], tests: set[str]) -> set[str]:
    """Return the tests that ids stand for: that of a function for all its parameters."""
    whole = {node for node in nodes if "[" not in node}
    return {test for test in tests if test in nodes or test.partition("[")[0] in whole}


def report(rows: list[tuple[int, int, int, int]], hows: Counter[str], spent: float) -> None:
    run_ones = [row for row in rows if row[0]]
    true, claimed, found, in_files = (sum(column) for column in zip(*run_ones, strict=True))
    recall = sum(row[2] / row[0] for row in run_ones) / len(run_ones)
    ratio = sum(row[1] / row[0] for row in run_ones) / len(run_ones)
    print(
        f"functions {len(rows)}, run by a test {len(run_ones)}; how {dict(hows)}; slowest answer {spent * 1000:.0f} ms"
    )
    ratios = sorted(row[1] / row[0] for row in run_ones)
    print(
        f"named / true: median {ratios[len(ratios) // 2]:.2f}, in all {claimed / true:.2f}; "
        f"recall in all {found / true:.3f}"
    )
    print(f"mean recall {recall:.3f}, mean named / true {ratio:.2f}; in all: {found} of {true}, {claimed} named")
    print(f"files of the static reach hold {in_files} tests: {in_files / true:.1f} times the true ones")
    idle = [row for row in rows if not row[0]]
    print(f"functions that no test runs: {len(idle)}, tests named for them: {sum(row[1] for row in idle)}")


if __name__ == "__main__":
    main()
