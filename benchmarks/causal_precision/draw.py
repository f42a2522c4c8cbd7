"""Draws causal edges of real repositories to be judged by reading, so many of each rule.

    python -m benchmarks.causal_precision.draw MIRRORS OUT [REPO…]

Writes `OUT/sheet.jsonl`, what the reader is given (edges without their evidence, in an order that tells nothing), and
`OUT/key.jsonl`, which rule claims each. The same commits of the repositories and the same code give the same edges.
"""

import argparse
import json
import random
from collections import defaultdict
from collections.abc import Generator, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from benchmarks.impact.replay import Repo, World
from memoire.impact import is_code
from memoire.model import Edge, GraphDelta
from memoire.relations.changes_with import together

SEED = "2026-12-01 causal precision, third draw"
REPOS = (
    "openedx/openedx-learning", "openedx/frontend-platform", "cosmos/gaia", "eclipse-edc/Connector",
    "UKGovernmentBEIS/beis-report-official-development-assistance",
)  # fmt: skip
"""Five languages, none of them in an earlier sample; chosen for having decision records, before anything of them was
read."""
EACH = 32
"""Edges of each rule over all repositories: the same number of each as far as there are so many."""


class Drawn(NamedTuple):
    """One edge of one repository."""

    repo: str
    commit: str
    rule: str
    source: str
    relation: str
    target: str

    @property
    def lot(self) -> str:
        """What chooses among the edges: a hash of which edge it is, whatever else was drawn."""
        return self._hash("lot")

    @property
    def place(self) -> str:
        """What orders the chosen: another hash, since among the first lots are more of the rules with many edges."""
        return self._hash("place")

    def _hash(self, use: str) -> str:
        name = f"{SEED}/{use}/{self.repo}/{self.source}/{self.relation}/{self.target}"
        return random.Random(name).randbytes(8).hex()


def rule_of(edge: Edge) -> str:
    """Return the rule that alone supports an edge; empty where several do, or it is no causal one."""
    relation, why = edge.key.relation, edge.rationale
    if not edge.is_causal:
        return ""
    if relation == "DRIVES":
        told = [
            name
            for name, mark in (("fan-in", "a file that at least"), ("state", " reads "), ("commits", " commits"))
            if mark in why
        ]
        return f"DRIVES {told[0]}" if len(told) == 1 else ""
    if relation == "ASSERTS_ON":
        return "ASSERTS_ON use" if " uses " in why else "ASSERTS_ON reach"
    return relation


def edges_of(repo: Repo) -> Iterator[Drawn]:
    """Yield the causal edges that one rule supports, of what is checked out in a repository."""
    commit = repo.trunk()[-1]
    world = World(repo, commit)
    processor = world.processor
    keys = processor.lessons.know(together(repo.history(commit).commits, frozenset(processor.records), is_code))
    world.graph.apply(finished(processor.planning([], [], now=datetime(2000, 1, 2, tzinfo=UTC), taught=keys)))
    for edge in world.graph.edges():
        rule = rule_of(edge)
        if rule:
            yield Drawn(repo.name, commit, rule, edge.key.source, edge.key.relation, edge.key.target)


def finished(steps: Generator[None, None, GraphDelta]) -> GraphDelta:
    """Run to the end and return what comes of it."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            delta: GraphDelta = end.value
            return delta


def draw(found: list[Drawn]) -> list[Drawn]:
    """Return `EACH` edges of each rule, from each repository as many as from the others where it has them."""
    by_rule: dict[str, dict[str, list[Drawn]]] = defaultdict(lambda: defaultdict(list))
    for one in sorted(found, key=lambda one: one.lot):
        by_rule[one.rule][one.repo].append(one)
    drawn = []
    for _, of_repos in sorted(by_rule.items()):
        taken: list[Drawn] = []
        while len(taken) < EACH and any(of_repos.values()):
            for _, waiting in sorted(of_repos.items()):
                if waiting and len(taken) < EACH:
                    taken.append(waiting.pop(0))
        drawn += taken
    return sorted(drawn, key=lambda one: one.place)


def main() -> None:
    """Draw, and write the sheet and its key."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("mirrors", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("repos", nargs="*", default=REPOS)
    arguments = parser.parse_args()
    found: list[Drawn] = []
    for name in arguments.repos:
        found += edges_of(Repo(arguments.mirrors, name))
        print(name, len(found), flush=True)
    drawn = draw(found)
    arguments.out.mkdir(parents=True, exist_ok=True)
    with (arguments.out / "sheet.jsonl").open("w", encoding="utf-8") as sheet:
        for number, one in enumerate(drawn):
            shown = {name: value for name, value in one._asdict().items() if name != "rule"}
            sheet.write(json.dumps({"id": number, **shown}) + "\n")
    with (arguments.out / "key.jsonl").open("w", encoding="utf-8") as key:
        for number, one in enumerate(drawn):
            key.write(json.dumps({"id": number, "rule": one.rule}) + "\n")


if __name__ == "__main__":
    main()
