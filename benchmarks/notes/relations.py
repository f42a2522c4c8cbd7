"""Tells pairs of statements that say the same, or contradict each other, from those that do neither.

    python -m benchmarks.notes.relations MIRRORS [--half held|tune] [--thresholds]

- the same: a commit's subject and the entry of the changelog that cites the same issue, whatever words they share;
- at odds: an entry and itself with one thing turned round: a denial, a number, one of two opposites;
- neither: an entry and any other, and an entry and the other one that is most like it.
"""

import argparse
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.notes.changelogs import REPOSITORIES, Case, case_of
from memoire.notes import relating
from memoire.notes.relating import relate
from memoire.notes.words import Words

EACH = 120
"""Pairs of each kind and repository, at most."""
DENIALS = (
    (r"\b(is|are|was|were|will|should|must|does|do)\b(?! not)", r"\1 not"),
    (r"\bcan\b(?! not)", "cannot"),
    (r"\bnow\b", "no longer"),
    (r"^(Allow|Use|Add|Make|Ensure|Return|Raise|Keep|Include|Show|Set)\b", r"Do not \1"),
)
VARIANTS = (
    ("enable", "disable"), ("enabled", "disabled"), ("add", "remove"), ("added", "removed"), ("before", "after"),
    ("client", "server"), ("request", "response"), ("read", "write"), ("sync", "async"), ("upload", "download"),
    ("get", "post"), ("windows", "linux"), ("minimum", "maximum"), ("first", "last"), ("start", "stop"),
    ("open", "close"), ("input", "output"), ("local", "remote"), ("public", "private"), ("always", "never"),
    ("with", "without"), ("include", "exclude"), ("allow", "disallow"), ("increase", "decrease"), ("left", "right"),
    ("http", "https"), ("true", "false"), ("optional", "required"), ("lower", "upper"), ("import", "export"),
)  # fmt: skip


class Pair(NamedTuple):
    """Two statements."""

    kind: str
    one: str
    other: str


def pairs(case: Case) -> Iterator[Pair]:
    """Yield the pairs of a repository, drawn by its name."""
    drawing = random.Random(case.name)
    questions = drawing.sample(case.questions, min(EACH, len(case.questions)))
    for question in questions:
        yield Pair("same", question.text, case.notes[min(question.answers)])
    notes = [note for note in case.notes if 20 <= len(note) <= 300]
    drawing.shuffle(notes)
    for kind, turn in (("denial", denied), ("number", renumbered), ("variant", varied)):
        turned = ((note, turn(note)) for note in notes)
        found = [(note, other) for note, other in turned if other != note]
        for note, other in found[: EACH // 3]:
            yield Pair(kind, note, other)
    for note in notes[:EACH]:
        yield Pair("any", note, drawing.choice([other for other in notes if other != note]))
    words = words_of(notes)
    for note in notes[:EACH]:
        scores = words.scores(note)
        ranked = sorted(scores, key=lambda name: (-scores[name], name))
        other = next((notes[int(name)] for name in ranked if notes[int(name)] != note), "")
        if other:
            yield Pair("near", note, other)


def words_of(notes: Sequence[str]) -> Words:
    """Return the terms of some notes, each under its place."""
    words = Words()
    for place, note in enumerate(notes):
        words.put(str(place), note)
    return words


def denied(text: str) -> str:
    """Return a statement that denies another; itself where no way is known."""
    for pattern, with_not in DENIALS:
        found = re.sub(pattern, with_not, text, count=1)
        if found != text:
            return found
    return text


def renumbered(text: str) -> str:
    """Return a statement with another number; itself where it has none."""
    return re.sub(r"(?<![\w.\-/])\d+(?![\w\-/])", lambda found: str(int(found[0]) * 2 + 1), text, count=1)


def varied(text: str) -> str:
    """Return a statement with one of two opposites in the place of the other; itself where it has none."""
    for one, other in VARIANTS:
        for old, new in ((one, other), (other, one)):
            found = re.sub(rf"\b{old}\b", new, text, count=1, flags=re.IGNORECASE)
            if found != text:
                return found
    return text


def judged(drawn: Sequence[tuple[Callable[[str], float], Sequence[Pair]]]) -> dict[str, Counter[str]]:
    """Return kind -> verdict -> how many of the pairs of (rarity of terms, pairs)."""
    found: dict[str, Counter[str]] = {}
    for rarity, several in drawn:
        for pair in several:
            verdict = relate(pair.one, pair.other, rarity).verdict
            found.setdefault(pair.kind, Counter())[verdict] += 1
    return found


def report(found: dict[str, Counter[str]]) -> None:
    """Print the verdicts on each kind, and F1 of the two that are reported to who writes."""
    for kind, verdicts in found.items():
        total = verdicts.total()
        shown = "  ".join(f"{name} {count / total:.3f}" for name, count in verdicts.most_common())
        print(f"{kind:8s} {total:5d}  {shown}")
    for verdict, kinds in (("restates", {"same"}), ("contradicts", {"denial", "number", "variant"})):
        right = sum(found[kind][verdict] for kind in kinds)
        said = sum(verdicts[verdict] for verdicts in found.values())
        wanted = sum(found[kind].total() for kind in kinds)
        precision, recall = right / max(said, 1), right / max(wanted, 1)
        f1 = 2 * precision * recall / max(precision + recall, 1e-9)
        print(f"{verdict:12s} precision {precision:.3f}  recall {recall:.3f}  F1 {f1:.3f}")


def main() -> None:
    """Judge and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mirrors", type=Path)
    parser.add_argument("--half", choices=("held", "tune"), default="tune")
    parser.add_argument("--thresholds", action="store_true", help="also with other likenesses")
    given = parser.parse_args()
    cases = [case_of(given.mirrors, name, verbatim=1.0) for name in REPOSITORIES[given.half]]
    drawn = [(words_of(case.notes).rarity, list(pairs(case))) for case in cases]
    report(judged(drawn))
    for threshold in (0.4, 0.45, 0.5, 0.6) if given.thresholds else ():
        relating.RESTATES = threshold
        print(f"\nfrom {threshold}")
        report(judged(drawn))


if __name__ == "__main__":
    main()
