"""Asks memoire the questions of repositories and writes what every feature says of every candidate, for `fit`.

    python -m benchmarks.search.collect --mirrors DIR --out DIR [--trees 12] [--each 15] OWNER/NAME...

Each repository is laid out at some of its commits, spread over the younger four fifths of its history; at each, the
next questions are asked of the index as the daemon keeps it. Nothing later than the commit can be seen.
"""

import argparse
import asyncio
import os
import subprocess
import tempfile
from pathlib import Path

import msgspec

from benchmarks.search.queries import Question, is_code, questions
from memoire.errors import InvalidQueryError
from memoire.project import Project

DIGITS = 4


class Row(msgspec.Struct, array_like=True):
    """One question, asked."""

    repository: str
    commit: str
    paths: list[str]
    """Code files that took part."""
    features: dict[str, list[float]]
    """Feature -> its value for each of them."""
    answers: list[str]


def chosen(found: list[Question], trees: int, each: int) -> list[list[Question]]:
    """Return shares of questions that follow one another, spread over the younger part of a history."""
    young = found[len(found) // 5 :]
    step = max(len(young) // trees, each)
    return [young[start : start + each] for start in range(0, len(young) - 1, step)][:trees]


def laid_out(mirror: Path, root: Path) -> None:
    """Make an empty work tree that borrows the objects of a bare repository, and sees none of its references."""
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    (root / ".git/objects/info/alternates").write_text(f"{mirror.resolve()}/objects\n")


def move(root: Path, commit: str) -> None:
    """Check a commit out."""
    subprocess.run(["git", "-C", str(root), "checkout", "-q", "-f", "--detach", commit], check=True)


async def collect(root: Path, name: str, shares: list[list[Question]]) -> list[Row]:
    """Return the answers to all questions about one repository, whose work tree is moved meanwhile."""
    rows: list[Row] = []
    move(root, f"{shares[0][0].commit}^")
    project = await Project.open(root)
    await project.start()
    for share in shares:
        await asyncio.to_thread(move, root, f"{share[0].commit}^")
        await project.ingest()
        rows += [row for one in share if (row := asked(project, name, one)) is not None]
    await project.close()
    return rows


def asked(project: Project, name: str, question: Question) -> Row | None:
    """Return what the features say; None where the files are not there, or nothing was asked."""
    answers = [path for path in question.answers if path in project.memory.tree]
    if len(answers) < len(question.answers):
        return None
    try:
        found = project.index.features(question.text)
    except InvalidQueryError:
        return None
    paths = sorted(path for path in found if is_code(path))
    names = sorted({feature for path in paths for feature in found[path]})
    values = {feature: [round(found[path].get(feature, 0.0), DIGITS) for path in paths] for feature in names}
    return Row(name, question.commit[:12], paths, values, answers)


def main() -> None:
    """Write one file a repository."""
    parser = argparse.ArgumentParser()
    parser.add_argument("repositories", nargs="+")
    parser.add_argument("--mirrors", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--trees", type=int, default=12)
    parser.add_argument("--each", type=int, default=15)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    for name in arguments.repositories:
        flat = name.replace("/", "+")
        mirror = arguments.mirrors / flat / "repo"
        shares = chosen(list(questions(mirror)), arguments.trees, arguments.each)
        with tempfile.TemporaryDirectory() as folder:
            os.environ["HOME"] = folder  # where the state of the project lies
            root = Path(folder) / "tree"
            laid_out(mirror, root)
            rows = asyncio.run(collect(root, name, shares)) if shares else []
        (arguments.out / f"{flat}.msgpack").write_bytes(msgspec.msgpack.encode(rows))
        print(name, len(rows), "questions", flush=True)


if __name__ == "__main__":
    main()
