"""Measures what recording costs: CPU time of a suite with the plug-in and without, in turn.

python -m benchmarks.runs.cost --tree FOLDER --python PYTHON [--rounds 5] [--source src] [--pytest ARGUMENTS]
"""

import argparse
import os
import resource
import shutil
import subprocess
import tempfile
from pathlib import Path

from memoire.runs import read

PACKAGE = Path(__file__).parents[2] / "memoire"


def spent(command: list[str], tree: Path, variables: dict[str, str]) -> float:
    """Return the CPU time of a command and of all it starts, seconds.

    Raises:
        SystemExit: Tests could not be collected: what is measured then is nothing.
    """
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=tree, env=variables, capture_output=True, text=True, check=False)
    if done.returncode not in {0, 1}:
        raise SystemExit(done.stdout[-2000:] + done.stderr[-2000:])
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tree", type=Path, required=True)
    parser.add_argument("--python", required=True)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--source", default="src")
    parser.add_argument("--pytest", default="")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        tree, stub, state = Path(scratch, "tree"), Path(scratch, "stub"), Path(scratch, "state")
        shutil.copytree(given.tree, tree, symlinks=True)
        (stub / "memoire").mkdir(parents=True)
        state.mkdir(mode=0o700)
        (tree / ".memoire").mkdir(exist_ok=True)
        (tree / ".memoire/local").write_text(f"{state}\n")
        for name in ("__init__.py", "pytest_plugin.py", "pytest_tracer.py"):
            shutil.copy(PACKAGE / name, stub / "memoire" / name)
        variables = {**os.environ, "PYTHONPATH": f"{tree / given.source}{os.pathsep}{stub}"}
        plain = [given.python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *given.pytest.split()]
        with_plugin = [*plain, "-p", "memoire.pytest_plugin"]
        spent(plain, tree, variables)
        spent(with_plugin, tree, variables)
        (file,) = (state / "runs").glob("*.run")
        run = read(file.name, file.read_bytes(), is_own=True)
        print(f"{len(run.tests)} tests, {sum(test.members >= 0 for test in run.tests)} traced in one run")
        pairs = []
        for _ in range(given.rounds):
            pairs.append((spent(plain, tree, variables), spent(with_plugin, tree, variables)))
            print(f"{pairs[-1][0]:.2f} s without, {pairs[-1][1]:.2f} s with")
        without, with_it = (sum(column) for column in zip(*pairs, strict=True))
        best = min(pair[1] for pair in pairs) / min(pair[0] for pair in pairs)
        print(f"{with_it / without - 1:+.1%} on the whole, {best - 1:+.1%} of the best")


if __name__ == "__main__":
    main()
