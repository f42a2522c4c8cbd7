"""Prints the precision of causal edges by rule and over all, from the verdicts of readers: `README.md`."""

import json
import sys
from collections import defaultdict
from math import sqrt
from pathlib import Path

HOME = Path(__file__).parent
Z = 1.96
"""Of a 95 % interval."""


def interval(right: int, total: int) -> tuple[float, float]:
    """Return the interval of a share. Source: E. B. Wilson, J. Am. Stat. Assoc. 22 (1927)."""
    if not total:
        return 0.0, 1.0
    share, weight = right / total, Z * Z / total
    middle = (share + weight / 2) / (1 + weight)
    half = Z * sqrt(share * (1 - share) / total + weight / (4 * total)) / (1 + weight)
    return max(0.0, middle - half), min(1.0, middle + half)


def read(file: Path) -> list[dict[str, str]]:
    """Return the records of a file; none where there is none."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []


def main() -> None:
    """Print one line for each rule, and one for all."""
    folder = HOME / sys.argv[1] if len(sys.argv) > 1 else HOME
    rules = {record["id"]: record["rule"] for record in read(folder / "key.jsonl")}
    found: dict[str, list[bool]] = defaultdict(list)
    for record in read(folder / "verdicts.jsonl"):
        for name in (rules[record["id"]], "all"):
            found[name].append(record["verdict"] == "yes")
    for name, verdicts in sorted(found.items(), key=lambda item: (item[0] == "all", item[0])):
        low, high = interval(sum(verdicts), len(verdicts))
        share = sum(verdicts) / len(verdicts)
        print(f"{name:18} {sum(verdicts):4} of {len(verdicts):4}  {share:.3f} [{low:.3f}, {high:.3f}]")


if __name__ == "__main__":
    main()
