"""Fits the weights of impact to what `collect` wrote, and says how well they do on repositories they have not seen.

    python -m benchmarks.impact.fit DIR [--drop FEATURE…]

Listwise: the probability of a file is the softmax of its score among the files of its question, and the likelihood of
the files that did change is raised. Each repository counts the same, so does each question of one. Files that stand for
others count as often as these (their share of the denominator).
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from memoire.impact.features import NAMES, OF_HISTORY

Floats = npt.NDArray[np.float64]
KINDS = ("snap", "walk", "cold", "diff", "cold_diff")
MODELS = {"warm": ("snap", "walk"), "cold": ("cold",), "warm_diff": ("diff",), "cold_diff": ("cold_diff",)}
"""Set of weights -> the questions that it is fitted to."""
SHOWN = 10
"""First files of an answer: their probabilities are what a reader sees."""
L2 = 3e-4
"""Strength of the pull of each standardised weight to zero. Source: the best of 3e-3, 3e-4, 3e-5 on unseen ones."""
LEAST_SPREAD = 0.1
"""Features that are nearly always 0 are divided by no less: their rarity would pull their weights to zero."""
STEPS = 30
THIN = 3
"""Of the files that do not change one in so many is fitted to: the others change nothing in the second digit."""
SETTLED = 1e-4


class Data(NamedTuple):
    """The questions of some kinds of one repository."""

    name: str
    rows: Floats
    targets: Floats
    weights: Floats
    owners: npt.NDArray[np.int64]
    groups: Floats
    """Per question: rows, kind, tree, files, mean size of the file's commits, their number."""


def load(file: Path, kinds: Sequence[str], thin: int = 1) -> Data:
    """Return the questions of these kinds."""
    with np.load(file) as found:
        rows, targets, weights, groups = (found[name] for name in ("rows", "targets", "weights", "groups"))
    wanted = np.isin(groups[:, 1], [KINDS.index(kind) for kind in kinds])
    kept = np.repeat(wanted, groups[:, 0].astype(int))
    groups = groups[wanted]
    owners = np.repeat(np.arange(len(groups)), groups[:, 0].astype(int))
    rows, targets, weights = rows[kept].astype(float), targets[kept].astype(float), weights[kept]
    if thin > 1:
        drawn = np.random.default_rng(1).random(len(rows)) < 1 / thin
        stays = (targets > 0) | drawn
        rows, targets, owners = rows[stays], targets[stays], owners[stays]
        weights = np.where(targets > 0, 1.0, weights[stays] * thin)
        groups[:, 0] = np.bincount(owners, minlength=len(groups))
    return Data(file.stem, rows, targets, weights, owners, groups)


def fit(data: Sequence[Data], active: npt.NDArray[np.bool_]) -> tuple[Floats, Floats, Floats]:
    """Return (weights of the standardised features, means, deviations)."""
    rows = np.concatenate([item.rows for item in data])
    mean, spread = rows.mean(0), np.maximum(rows.std(0), LEAST_SPREAD)
    rows = (rows - mean) / spread * active
    targets = np.concatenate([item.targets for item in data])
    logs = np.log(np.concatenate([item.weights for item in data]))
    offsets = np.cumsum([0, *(len(item.groups) for item in data)])
    owners = np.concatenate([item.owners + offset for item, offset in zip(data, offsets[:-1], strict=True)])
    count = int(offsets[-1])
    hits = np.maximum(np.bincount(owners, targets, minlength=count), 1)
    share = np.concatenate([np.full(len(item.groups), 1.0 / len(item.groups)) for item in data]) / len(data)
    wanted = targets / hits[owners] * share[owners]
    weights = np.zeros(rows.shape[1])
    starts = np.flatnonzero(np.diff(owners, prepend=-1))

    def chances_at(point: Floats) -> tuple[Floats, float]:
        scores = rows @ point + logs
        top = np.maximum.reduceat(scores, starts)
        exps = np.exp(scores - top[owners])
        totals = np.add.reduceat(exps, starts)
        loss = float(share @ (np.log(totals) + top) - wanted @ scores + L2 / 2 * point @ point)
        return exps / totals[owners], loss

    chances, loss = chances_at(weights)
    for _ in range(STEPS):
        weighed = chances * share[owners]
        slope = rows.T @ (weighed - wanted) + L2 * weights
        centres = np.add.reduceat(rows * chances[:, None], starts)
        curve = (rows * weighed[:, None]).T @ rows - (share[:, None] * centres).T @ centres + L2 * np.eye(len(weights))
        step = np.linalg.solve(curve, slope)
        length = 1.0
        while length > SETTLED:
            chances, after = chances_at(weights - length * step)
            if after < loss:
                break
            length /= 2
        else:
            break
        weights, gained, loss = weights - length * step, loss - after, after
        if gained < SETTLED**2:
            break
    return weights * active, mean, spread


def measure(item: Data, weights: Floats, mean: Floats, spread: Floats) -> tuple[float, float]:
    """Return (recall@10, MRR); a file that stands for others counts as often in the ranks."""
    scores = (item.rows - mean) / spread @ weights
    recalls, ranks = [], []
    start = 0
    for size in item.groups[:, 0].astype(int):
        part = slice(start, start + size)
        start += size
        order = np.argsort(-scores[part], kind="stable")
        hit = item.targets[part][order] > 0
        place = np.cumsum(item.weights[part][order])
        recalls.append((hit & (place <= 10.5)).sum() / hit.sum())
        ranks.append(1.0 / max(place[hit][0], 1.0))
    return float(np.mean(recalls)), float(np.mean(ranks))


def calibration_rows(item: Data, learned: tuple[Floats, Floats, Floats]) -> tuple[Floats, Floats, Floats]:
    """Return (terms of the formula of `memoire.impact.model`, targets, worth) of the first files of each question."""
    weights, _, spread = learned
    scores = item.rows @ (weights / spread)
    terms, targets, worth = [], [], []
    start = 0
    for size, _, _, files, mean_size, _ in item.groups:
        part = slice(start, start + int(size))
        start += int(size)
        own, counts, hits = scores[part], item.weights[part], item.targets[part]
        top = own.max()
        level = top + np.log((np.exp(own - top) * counts).sum())
        order = np.argsort(-own, kind="stable")[:SHOWN]
        shape = np.ones(len(order))
        terms.append(
            np.column_stack(
                [
                    own[order] - level,
                    level * shape,
                    np.log1p(files - 1) * shape,
                    np.log1p(mean_size) * shape,
                    shape,
                ]
            )
        )
        targets.append(hits[order])
        worth.append(counts[order] / len(item.groups))
    return np.concatenate(terms), np.concatenate(targets), np.concatenate(worth)


def calibrate(terms: Floats, targets: Floats, worth: Floats) -> Floats:
    """Return the coefficients of the logistic formula: Newton's method, with a slight pull to zero."""
    found = np.zeros(terms.shape[1])
    for _ in range(STEPS):
        chances = 1 / (1 + np.exp(-terms @ found))
        slope = terms.T @ ((chances - targets) * worth) + 1e-4 * found
        curve = (terms * (worth * chances * (1 - chances))[:, None]).T @ terms + 1e-4 * np.eye(len(found))
        found -= np.linalg.solve(curve, slope)
    return found


def reliability(chances: Floats, targets: Floats) -> tuple[float, float, list[tuple[float, float, int]]]:
    """Return (expected calibration error, Brier skill against the base rate, [(said, happened, count)] in ten bins)."""
    order = np.argsort(chances)
    bins = [(float(chances[part].mean()), float(targets[part].mean()), len(part)) for part in np.array_split(order, 10)]
    error = sum(abs(said - came) * count for said, came, count in bins) / len(chances)
    base = targets.mean()
    skill = 1 - np.square(chances - targets).mean() / max(base * (1 - base), 1e-9)
    return error, float(skill), bins


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--drop", nargs="*", default=[], help="features to leave out")
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--write", type=Path, help="write the weights there: memoire/impact/weights.toml")
    options = parser.parse_args()
    files = sorted(options.folder.glob("*.npz"))
    written = [f"# Made by benchmarks.impact.fit from {len(files)} projects; see benchmarks/impact/README.md."]
    for model, kinds in MODELS.items():
        data = [load(file, kinds, THIN) for file in files]
        active = np.array(
            [
                name not in options.drop
                and not (model.startswith("cold") and name in OF_HISTORY)
                and not (name.startswith("c_") and not model.endswith("diff"))
                for name in NAMES
            ]
        )
        found: dict[str, list[tuple[float, float]]] = {kind: [] for kind in kinds}
        shown: list[tuple[Floats, Floats, Floats]] = []
        for fold in range(options.folds):
            learned = fit([item for at, item in enumerate(data) if at % options.folds != fold], active)
            for file in files[fold :: options.folds]:
                for kind in kinds:
                    item = load(file, [kind])
                    found[kind].append(measure(item, *learned))
                    shown.append(calibration_rows(item, learned))
        for kind, values in found.items():
            print(f"{kind}: recall@10 {np.mean([v[0] for v in values]):.3f}, MRR {np.mean([v[1] for v in values]):.3f}")
        # The probabilities of each part of the projects by what the others say.
        chances = []
        for fold in range(options.folds):
            others = [item for at, item in enumerate(shown) if at % options.folds != fold]
            curve = calibrate(*(np.concatenate(parts) for parts in zip(*others, strict=True)))
            chances += [(1 / (1 + np.exp(-item[0] @ curve)), item[1]) for item in shown[fold :: options.folds]]
        error, skill, bins = reliability(*(np.concatenate(parts) for parts in zip(*chances, strict=True)))
        print(f"  first {SHOWN}: calibration error {error:.3f}, Brier skill {skill:.3f}")
        print("  said, happened: " + ", ".join(f"{said:.2f} {came:.2f}" for said, came, _ in bins))
        weights, _, spread = fit(data, active)
        curve = calibrate(*(np.concatenate(parts) for parts in zip(*shown, strict=True)))
        written += ["", f"[{model}]", f"calibration = [{', '.join(f'{number:.4f}' for number in curve)}]"]
        written += [f"[{model}.weights]"]
        written += [
            f"{name} = {weight / scale:.4f}"
            for name, weight, scale in zip(NAMES, weights, spread, strict=True)
            if weight
        ]
    if options.write:
        options.write.write_text("\n".join(written) + "\n", "utf-8")


if __name__ == "__main__":
    main()
