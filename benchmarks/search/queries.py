"""Makes questions of commits: what the message asks for must find the code files that the commit changed.

The message loses all that would give the answer away: file names, paths, links, issue numbers and the names of the
files it changed. Commits of chores, of more than eight code files or with nothing left to say are no questions.
"""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import msgspec

MOST_FILES = 8
MOST_CHARACTERS = 400
FEWEST_WORDS = 3
CODE = frozenset(
    [
        "py",
        "pyi",
        "js",
        "jsx",
        "mjs",
        "cjs",
        "ts",
        "tsx",
        "mts",
        "cts",
        "go",
        "rs",
        "java",
        "c",
        "h",
        "cc",
        "cpp",
        "cxx",
        "hpp",
        "hh",
        "kt",
        "scala",
        "swift",
        "rb",
        "php",
        "cs",
        "lua",
        "tcl",
        "sh",
        "sql",
        "vue",
        "svelte",
    ]
)
_STRANGE = re.compile(
    r"(^|/)(node_modules|vendor|vendored|third_party|thirdparty|\.yarn|dist|site-packages|__snapshots__)/"
    r"|\.min\.js$|\.d\.ts$|_pb2\.py$"
)
_CHORE = re.compile(
    r"\W*(merge|revert|bump|release|prepare|version|update (the )?(change ?log|changes|dep)|change ?log|lint|format"
    r"|black\b|isort|ruff|flake8|(fix )?(a )?typos?\b|pre-?commit|chore|build\(|ci\b|docs?\b|copyright|v?\d+\.\d+"
    r"|wip\b|cleanup$|initial commit)",
    re.IGNORECASE,
)
_GIVEN_AWAY = re.compile(
    r"https?://\S+|\(?#\d+\)?|\bgh-\d+|\b[0-9a-f]{7,40}\b|`?[\w.@~-]*/[\w./@*-]+`?"
    r"|`?\b[\w-]+\.(?:py|pyi|js|jsx|mjs|cjs|ts|tsx|go|rs|java|c|h|cc|cpp|hpp|md|rst|txt|toml|ya?ml|json|cfg|ini|sh|rb|php)\b`?"
)
_TRAILER = re.compile(r"\s*([\w-]+-by:|co-|signed|http|#|\(cherry)", re.IGNORECASE)
_SPELLED = re.compile(r"[a-z][A-Z]|_|-")
_EMPTY = frozenset(
    [
        "the",
        "and",
        "for",
        "with",
        "without",
        "from",
        "this",
        "that",
        "these",
        "those",
        "not",
        "use",
        "uses",
        "used",
        "using",
        "when",
        "into",
        "can",
        "could",
        "should",
        "would",
        "will",
        "now",
        "than",
        "then",
        "also",
        "more",
        "only",
        "all",
        "any",
        "some",
        "one",
        "make",
        "makes",
        "made",
        "add",
        "adds",
        "added",
        "remove",
        "removes",
        "removed",
        "fix",
        "fixes",
        "fixed",
        "update",
        "updates",
        "updated",
        "change",
        "changes",
        "changed",
        "allow",
        "allows",
        "support",
        "feat",
        "refactor",
        "test",
        "tests",
        "chore",
        "perf",
        "style",
        "issue",
        "bug",
        "closes",
        "close",
        "via",
        "see",
        "authored",
        "signed",
        "off",
    ]
)


class Question(msgspec.Struct, frozen=True):
    """One commit as a question."""

    commit: str
    text: str
    answers: tuple[str, ...]
    """Code files that it changed, under their names before it."""


def is_code(path: str) -> bool:
    """Return whether a path is code that people write."""
    return path.rpartition(".")[2].lower() in CODE and not _STRANGE.search(path)


def questions(repository: Path) -> Iterator[Question]:
    """Yield the questions of a bare repository, oldest first."""
    for record in _log(repository).split("\x01")[1:]:
        head, _, rest = record.partition("\x02")
        commit, parents, subject, body = head.split("\x1f", 3)
        changes = [one for one in _changes(rest) if is_code(one[1]) or is_code(one[2])]
        answers = tuple(sorted({old for kind, old, _ in changes if kind != "A" and is_code(old)}))
        if len(parents.split()) != 1 or not 1 <= len(changes) <= MOST_FILES or not answers:
            continue
        text = _asked(subject, body, {name for _, old, new in changes for name in (old, new)})
        if text:
            yield Question(commit, text, answers)


def _log(repository: Path) -> str:
    for renames in ("-M", "-M100%"):  # a copy may lack its largest files, and these cannot be compared then
        command = ["git", f"--git-dir={repository}", "log", "--no-merges", "--reverse", "--topo-order", "-z", "-l400"]
        command += ["--name-status", renames, "--format=%x01%H%x1f%P%x1f%s%x1f%b%x02", "HEAD"]
        done = subprocess.run(command, capture_output=True, check=renames == "-M100%")
        if not done.returncode:
            break
    return done.stdout.decode("utf-8", "replace")


def _changes(rest: str) -> Iterator[tuple[str, str, str]]:
    tokens = iter([token for token in rest.replace("\n", "\0", 1).split("\0") if token])
    for status in tokens:
        old = next(tokens, "")
        yield status[0], old, next(tokens, "") if status[0] in "RC" else old


def _asked(subject: str, body: str, names: set[str]) -> str:
    """Return the question that a message is; empty for none."""
    if _CHORE.match(subject):
        return ""
    line = next((line for line in body.splitlines() if line.strip()), "")
    text = _GIVEN_AWAY.sub(" ", f"{subject} {'' if _TRAILER.match(line) else line}")
    stems = {PurePosixPath(name).name.partition(".")[0] for name in names}
    kept = [
        word for word in text.split() if not ((bare := word.strip("`'\"(),:;.")) in stems and _SPELLED.search(bare))
    ]
    words = {word.lower() for word in re.findall(r"[A-Za-z_]\w+", " ".join(kept)) if len(word) > 2}
    return " ".join(kept)[:MOST_CHARACTERS] if len(words - _EMPTY) >= FEWEST_WORDS else ""
