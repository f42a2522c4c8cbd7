"""Collects the evidence that the weights of impact are fitted to: `README.md`.

    python -m benchmarks.impact.collect --mirrors DIR --out DIR REPO…

For each repository: two trees, at 40 and 70 % of its history, and of the commits after each up to 60 with 2 to 15 code
files; one of these changes, the others are to be told. The past of a question ends at the tree (`snap`), or at the
commit's parent (`walk`), or is empty (`cold`); `diff` and `cold_diff` also know the lines that change. Of the files
that do not change 300 are kept, by a fixed draw; a row says how many each stands for.
"""

import argparse
import random
import sys
import time
from pathlib import Path

import numpy as np

from benchmarks.impact.replay import FIRST, Repo, World, changed
from memoire.episodes.history import History
from memoire.impact import is_code
from memoire.impact.features import Board, Evidence, make_board, table
from memoire.impact.nearness import Nearness
from memoire.impact.past import Past
from memoire.impact.vocabulary import Vocabulary
from memoire.languages import is_test

EACH = 60
KINDS = ("snap", "walk", "cold", "diff", "cold_diff")
NEGATIVES = 300
TREES = (FIRST, 0.7)


def collect(mirrors: Path, name: str, out: Path) -> None:
    """Write `out/<name>.npz`."""
    started = time.process_time()
    repo = Repo(mirrors, name)
    trunk = repo.trunk()
    blocks: list[np.ndarray] = []
    targets: list[np.ndarray] = []
    weights: list[np.ndarray] = []
    groups: list[tuple[int, int, int, int, float, int]] = []
    for number, share in enumerate(TREES):
        tip = trunk[int(len(trunk) * share)]
        world = World(repo, tip)
        files = sorted(world.files)
        later = trunk[int(len(trunk) * share) + 1 :]
        vocabulary = Vocabulary()
        records = world.processor
        words = [facts.identifiers if (facts := records.facts(path)) else b"" for path in files]
        vocabulary.fill(words)
        sizes = [records.records[path].size for path in files]
        index = {path: at for at, path in enumerate(files)}
        nearness = Nearness(world.graph, world.references, world.processor.users, index)
        still = repo.history(tip)

        def board_of(history: History, files: list[str] = files, sizes: list[int] = sizes) -> Board:
            past = Past(history.commits, files, is_code)
            return make_board(files, past, is_test=is_test, is_code=is_code, sizes=sizes)

        boards = {"snap": board_of(still), "cold": board_of(History())}
        for question in repo.questions(tip, world.files, later, EACH, number):
            at = index[question.anchor]
            shared = vocabulary.shared(words[at])
            near = nearness.of(question.anchor)
            what = changed(repo, question)
            difference = (
                vocabulary.shared(what.words),
                nearness.of(question.anchor, what.symbols) if what.symbols else None,
                nearness.of(question.anchor, what.resigned) if what.resigned else None,
            )
            boards["walk"] = board_of(repo.history(question.parent))
            boards["diff"] = boards["walk"]
            boards["cold_diff"] = boards["cold"]
            for kind, board in boards.items():
                together = board.past.together(at)
                alike = board.likeness.to(at)
                known = Evidence(together, shared, near, alike, *(difference if "diff" in kind else ()))
                rows = table(board, at, known)
                truth = np.array([path in question.truth for path in files])
                others = [row for row in range(len(files)) if not truth[row] and row != at]
                drawn = random.Random(f"{question.commit}").sample(others, min(NEGATIVES, len(others)))
                kept = np.array([*np.flatnonzero(truth), *sorted(drawn)])
                blocks.append(rows[kept].astype(np.float32))
                targets.append(truth[kept])
                worth = len(others) / max(len(drawn), 1)
                weights.append(np.where(truth[kept], 1.0, worth))
                kinds = KINDS.index(kind)
                groups.append((len(kept), kinds, number, len(files), together.mean_size, together.commits))
    np.savez_compressed(
        out / (name.replace("/", "+") + ".npz"),
        rows=np.concatenate(blocks),
        targets=np.concatenate(targets),
        weights=np.concatenate(weights),
        groups=np.array(groups, np.float64),
    )
    print(f"{name}: {len(groups)} questions, {len(files)} files, {time.process_time() - started:.0f} s", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mirrors", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("repos", nargs="+")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    for name in options.repos:
        try:
            collect(options.mirrors, name, options.out)
        except (OSError, ValueError, KeyError, IndexError) as error:
            print(f"{name}: {error}", file=sys.stderr)


if __name__ == "__main__":
    main()
