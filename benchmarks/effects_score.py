"""Scores the extraction of side effects against judgements made by reading files: `benchmarks/effects/README.md`.

    python -m benchmarks.effects_score --mirrors DIR [--language X] [--half tune|held] [--alone]

Takes every labelled file from the bare repository `DIR/<owner>+<name>/repo` at the labelled commit, and checks that it
is the file that was read. Each file is extracted by itself; then, unless `--alone`, the whole repository is linked, so
that what turns out to be a definition of the project is no effect. Prints precision, recall and F1 a category and a
language, their micro total with a bootstrap interval, and every disagreement with its line and callee.
"""

import argparse
import hashlib
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import msgspec

from memoire.dispatch import extract
from memoire.effects import PUBLISHED
from memoire.graph import Graph
from memoire.languages import language_of
from memoire.model import Effect, FileChange
from memoire.processor import Processor

LABELS = Path(__file__).parent / "effects" / "labels.jsonl"
LARGEST = 2_000_000
"""Bytes of a file that linking still looks at: no labelled one comes near."""
DRAWS = 2_000
"""Resamples of the bootstrap."""
CONFIDENCE = 0.95
_REGULAR = b"100"
"""How the modes of regular files begin in a tree of git; links and submodules are not followed."""


class Judgement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one file does, as its reader found it."""

    repo: str
    commit: str
    path: str
    sha256: str
    language: str
    half: Literal["tune", "held"]
    stratum: str
    labels: dict[str, bool | Literal["?"]]
    """Category -> whether the file does it itself; `?` is not scored."""
    evidence: dict[str, list[tuple[int, str]]]
    """Category -> line and callee of calls that do it: enough to show it, not all of them."""


class Verdict(msgspec.Struct, frozen=True):
    """One scored judgement beside what was extracted."""

    judgement: Judgement
    category: str
    found: tuple[Effect, ...]

    @property
    def outcome(self) -> str:
        """`tp`, `fp`, `fn` or `tn`."""
        if self.judgement.labels[self.category]:
            return "tp" if self.found else "fn"
        return "fp" if self.found else "tn"

    @property
    def is_supported(self) -> bool:
        """Whether a call that was extracted stands in a line that the evidence names."""
        return not {item.line for item in self.found}.isdisjoint(
            line for line, _ in self.judgement.evidence.get(self.category, ())
        )


def read_labels(path: Path = LABELS) -> list[Judgement]:
    """Return the judgements of a file."""
    decoder = msgspec.json.Decoder(Judgement)
    return [decoder.decode(line) for line in path.read_bytes().splitlines()]


class Snapshot:
    """The files of a bare repository at one commit."""

    def __init__(self, folder: Path, commit: str) -> None:
        self._folder = folder
        self._blobs: dict[str, str] = {}
        for row in self._git("ls-tree", "-r", "-z", commit).split(b"\0"):
            head, _, path = row.partition(b"\t")
            if head.startswith(_REGULAR):
                self._blobs[path.decode("utf-8", "surrogateescape")] = head.split()[2].decode()

    def _git(self, *arguments: str, stdin: bytes = b"") -> bytes:
        return subprocess.run(
            ["git", f"--git-dir={self._folder}", *arguments], check=True, stdout=subprocess.PIPE, input=stdin
        ).stdout

    def read(self, path: str) -> bytes | None:
        """Return the bytes of one file, None where there is none."""
        blob = self._blobs.get(path)
        return None if blob is None else self._git("cat-file", "blob", blob)

    def readable(self) -> Iterator[tuple[str, bytes]]:
        """Yield path and bytes of every file of a language that is read; what a snapshot lacks is left out."""
        paths = [path for path in self._blobs if language_of(path) is not None]
        wanted = "".join(f"{self._blobs[path]}\n" for path in paths).encode()
        out = self._git("cat-file", "--batch", "--buffer", stdin=wanted)
        at = 0
        for path in paths:
            end = out.index(b"\n", at)
            kind, size = out[at:end].split()[1:3] if b" blob " in out[at:end] else (b"missing", b"-1")
            start, at = end + 1, end + 1 + int(size) + 1
            if kind == b"blob" and int(size) <= LARGEST:
                yield path, out[start : start + int(size)]


def effects_of(snapshot: Snapshot, paths: Sequence[str], *, alone: bool) -> dict[str, tuple[Effect, ...]]:
    """Return the published effects of some files, by path.

    Args:
        snapshot: Where they lie.
        paths: The files.
        alone: Take what each says by itself; otherwise the whole tree is linked first.
    """
    if alone:
        facts = {path: extract(path, snapshot.read(path) or b"") for path in paths}
        return {path: _published(known.effects) for path, known in facts.items()}
    at = datetime(2000, 1, 1, tzinfo=UTC)
    processor = Processor(Graph(), snapshot.read)
    changes = [FileChange(path, extract(path, data), 0, at) for path, data in snapshot.readable()]
    processor.plan(changes, [], now=at)
    linked = {path: processor.facts(path) for path in paths}
    return {path: _published(known.effects) if known else () for path, known in linked.items()}


def _published(effects: Iterable[Effect]) -> tuple[Effect, ...]:
    return tuple(item for item in effects if item.category in PUBLISHED and not item.is_void)


def judge(mirrors: Path, labels: Sequence[Judgement], *, alone: bool) -> list[Verdict]:
    """Return a verdict on every judgement that is scored.

    Raises:
        SystemExit: A file is not the one that was labelled.
    """
    verdicts = []
    for repo, commit in sorted({(item.repo, item.commit) for item in labels}):
        files = [item for item in labels if (item.repo, item.commit) == (repo, commit)]
        snapshot = Snapshot(folder_of(mirrors, repo), commit)
        for item in files:
            if hashlib.sha256(snapshot.read(item.path) or b"").hexdigest() != item.sha256:
                sys.exit(f"{repo} {item.path}: not the file that was labelled")
        found = effects_of(snapshot, [item.path for item in files], alone=alone)
        for item in files:
            for category, label in item.labels.items():
                if label != "?":
                    effects = tuple(effect for effect in found[item.path] if effect.category == category)
                    verdicts.append(Verdict(item, category, effects))
    return verdicts


def folder_of(mirrors: Path, repo: str) -> Path:
    """Return where the bare repository of `owner/name` lies."""
    return mirrors / repo.replace("/", "+") / "repo"


def is_read(item: Judgement) -> bool:
    """Return whether the file's language is one that is read as code."""
    language = language_of(item.path)
    return language is not None and language.kind == "file"


def rates(counts: Counter[str]) -> tuple[float, float, float]:
    """Return precision, recall and F1; NaN where nothing says what they are."""
    hits, found, true = counts["tp"], counts["tp"] + counts["fp"], counts["tp"] + counts["fn"]
    nan = float("nan")
    both = found + true
    return hits / found if found else nan, hits / true if true else nan, 2 * hits / both if both else nan


def interval(verdicts: Sequence[Verdict], seed: int = 1) -> tuple[float, float]:
    """Return the bounds of the micro F1 by resampling files: the judgements of one file hang together."""
    files: dict[tuple[str, str], Counter[str]] = {}
    for item in verdicts:
        files.setdefault((item.judgement.repo, item.judgement.path), Counter())[item.outcome] += 1
    drawing = random.Random(seed)
    values = []
    for _ in range(DRAWS):
        total: Counter[str] = Counter()
        for counts in drawing.choices(list(files.values()), k=len(files)):
            total.update(counts)
        if total["tp"] + total["fp"] + total["fn"]:
            values.append(rates(total)[2])
    values.sort()
    if not values:
        return float("nan"), float("nan")
    cut = int(len(values) * (1 - CONFIDENCE) / 2)
    return values[cut], values[-1 - cut]


def table(verdicts: Sequence[Verdict]) -> Iterator[str]:
    """Yield the lines of the report: each language by category, each category, the whole."""
    languages = sorted({item.judgement.language for item in verdicts})
    yield f"{'language':<12}{'category':<12}{'TP':>5}{'FP':>5}{'FN':>5}{'TN':>6}{'P':>8}{'R':>8}{'F1':>8}"
    for language in [*languages, "all"]:
        for category in [*PUBLISHED, "micro"]:
            counts = Counter(
                item.outcome
                for item in verdicts
                if language in {item.judgement.language, "all"} and category in {item.category, "micro"}
            )
            numbers = "".join(f"{counts[key]:>{width}}" for key, width in (("tp", 5), ("fp", 5), ("fn", 5), ("tn", 6)))
            yield f"{language:<12}{category:<12}{numbers}" + "".join(f"{value:>8.3f}" for value in rates(counts))
    low, high = interval(verdicts)
    files = len({(item.judgement.repo, item.judgement.path) for item in verdicts})
    hits = [item for item in verdicts if item.outcome == "tp"]
    yield f"{sum(item.is_supported for item in hits)} of {len(hits)} TP share a line with the evidence"
    yield f"micro F1 in [{low:.3f}, {high:.3f}], {CONFIDENCE:.0%} by {DRAWS} resamples of {files} files"


def disagreements(verdicts: Sequence[Verdict]) -> Iterator[str]:
    """Yield a line for each verdict that is wrong: what was extracted, or what was read and not extracted."""
    for item in sorted(verdicts, key=lambda item: (item.judgement.language, item.judgement.repo, item.judgement.path)):
        if item.outcome not in {"fp", "fn"}:
            continue
        judgement = item.judgement
        seen = [(effect.line, effect.callee) for effect in item.found] or judgement.evidence[item.category]
        where = ", ".join(f"{line} {callee}" for line, callee in seen)
        head = f"{item.outcome.upper()} {judgement.half} {item.category}"
        yield f"{head:<20} {judgement.repo} {judgement.path}: {where}"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mirrors", type=Path, required=True, help="holds <owner>+<name>/repo, bare repositories")
    parser.add_argument("--labels", type=Path, default=LABELS)
    parser.add_argument("--language", help="score files of this language only")
    parser.add_argument("--half", choices=["tune", "held"], help="score repositories of this half only")
    parser.add_argument("--alone", action="store_true", help="do not link the repositories")
    options = parser.parse_args(arguments)
    labels = [
        item
        for item in read_labels(options.labels)
        if options.language in {None, item.language} and options.half in {None, item.half}
    ]
    unread = Counter(item.language for item in labels if not is_read(item))
    labels = [item for item in labels if is_read(item)]
    missing = sorted({item.repo for item in labels if not folder_of(options.mirrors, item.repo).is_dir()})
    if missing:
        sys.exit(f"not under {options.mirrors}; get them first: " + " ".join(f"github:{name}" for name in missing))
    if unread:
        print("not read yet, left out: " + ", ".join(f"{name} ({count} files)" for name, count in unread.items()))
    verdicts = judge(options.mirrors, labels, alone=options.alone)
    print(*table(verdicts), "", *disagreements(verdicts), sep="\n")


if __name__ == "__main__":
    main()
