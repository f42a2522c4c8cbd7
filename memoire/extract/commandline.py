"""Finds what a command names in the project: the files it runs or reads, the Python modules it starts.

Only the form is looked at. Whether there is such a file is asked later, by the exact path: so a word that only looks
like one costs nothing. `cd` is followed; behind one that leads nowhere known, nothing is named.
"""

import re
from collections.abc import Iterator
from itertools import islice
from posixpath import join, normpath

from memoire.extract.citations import as_path
from memoire.extract.docstrings import MAX_DOC
from memoire.model import Mention

_MAX_NAMED = 200
"""Names kept of one script."""
_MAX_COMMANDS = 5_000
"""Simple commands of one script that are looked at."""
_PARTS = re.compile(r"\"(?:[^\"\\]|\\.)*+(?:\"|\Z)|'[^']*+(?:'|\Z)|(&&|\|\||[;|\n()])", re.DOTALL)
"""What is in quotes, else what ends a simple command (group 1)."""
_COMMENT = re.compile(r"(?<![^\s;])#[^\n]*")
_WORD = re.compile(r"\"((?:[^\"\\]|\\.)*)\"|'([^']*)'|([^\s\"'`]+)")
_PATH = re.compile(r"(?:\.{0,2}/)?(?:[\w.@+-]+/)*[\w.@+-]*\w")
_FLAG = re.compile(r"-{1,2}[\w-]+=|[A-Za-z_]\w*=")
_MODULE = re.compile(r"[A-Za-z_]\w*(?:\.\w+)*(?::[A-Za-z_]\w*(?:\.\w+)*)?(?:\(\))?")
_PYTHON = re.compile(r"(?:[\w./-]*/)?(?:python|pypy)[\d.]*\Z")
_SERVERS = frozenset(
    {"uvicorn", "gunicorn", "hypercorn", "daphne", "uwsgi", "granian", "waitress-serve", "functions-framework"}
)
"""Programs that are given the application as `module:name`."""
_APPLICATIONS = {"celery": ("-A", "--app"), "flask": ("-A", "--app"), "faust": ("-A", "--app"), "dramatiq": ()}
"""Programs that are given a module after an option; without one, as their first word."""
_SCRIPTS = frozenset({"run", "run-script", "test", "t", "start", "stop", "restart", "build"})
"""Commands of package managers that run a script of the manifest."""
_ELSEWHERE = re.compile(r"-(?:-prefix|w\b|-workspace|F\b|-filter|C\b|-cwd|-dir|r\b|-recursive)")
"""Options by which another manifest is meant."""
_FOREIGN = re.compile(r"[$*?{}<>~^%\\]|://|^[a-z][\w+.-]*:|@.*/|^-")
"""In words that are no plain path: variables, globs, URLs, options."""


def commands(text: str, line: int, *, root: str, scope: int = -1, count_lines: bool = True) -> list[Mention]:
    """Return what the commands of one script name, each once.

    Args:
        text: One or several lines of a shell.
        line: The first line's number.
        root: What stands before a path for the folder in which the commands run: `./` that of the file, `/` the
            project's, empty where either may be.
        scope: Index of the definition they belong to.
        count_lines: Whether a line of the text is one of the file.
    """
    found: dict[tuple[str, str], Mention] = {}
    base: str | None = ""
    at, counted = line, 0
    for offset, command in islice(_simple(text), _MAX_COMMANDS):
        words = [next((group for group in word.groups() if group is not None), "") for word in _WORD.finditer(command)]
        if not words:
            continue
        if words[0] in {"cd", "pushd"}:
            base = _moved(base, words)
            continue
        if count_lines:
            at, counted = at + text.count("\n", counted, offset), offset
        sentence = " ".join(command.split())[:MAX_DOC]
        for kind, named in _named(words):
            target = named if kind == "module" else _placed(base, named, root)
            if target and len(found) < _MAX_NAMED:
                found.setdefault((kind, target), Mention(target, kind, at, sentence, scope))
    return list(found.values())


def _simple(text: str) -> Iterator[tuple[int, str]]:
    """Yield (offset of its first word, command) for each simple command; lines that go on are one."""
    text = _COMMENT.sub(lambda found: " " * len(found[0]), text.replace("\\\n", " \0"))
    at = 0
    for end in _PARTS.finditer(text):
        if end[1] is None:
            continue
        yield _trimmed(text, at, end.start())
        at = end.end()
    yield _trimmed(text, at, len(text))


def _trimmed(text: str, start: int, end: int) -> tuple[int, str]:
    part = text[start:end]
    # The line feed that was taken out of a line that goes on still counts.
    return start + len(part) - len(part.lstrip(" \t\n")), part.replace("\0", " ").strip()


def _moved(base: str | None, words: list[str]) -> str | None:
    if base is None or len(words) != 2 or not _PATH.fullmatch(words[1].rstrip("/")) or words[1].startswith("/"):
        return None
    moved = normpath(join(base, words[1]))
    return None if moved.startswith("..") else "" if moved == "." else moved


def _named(words: list[str]) -> Iterator[tuple[str, str]]:
    """Yield (kind, text) of what a simple command's words name."""
    program = next((word for word in words if not _FLAG.match(word) and word not in _WRAPPERS), "")
    name = program.rpartition("/")[2]
    start = words.index(program) if program else 0
    read = _read_by(name, words[start + 1 :])
    if read:
        yield "command", read
    for index, word in enumerate(words):
        before = words[index - 1] if index else ""
        if before == "-m" and index > start and _is_python(words[:index]):
            yield "module", word
        elif index > start and _is_application(name, word, before):
            yield "module", word.removesuffix("()")
        elif (path := _path(word)) and before != "-c":
            yield "command", path


_WRAPPERS = frozenset(
    {"exec", "sudo", "time", "env", "uv", "poetry", "pipenv", "run", "npx", "@", "-", "xvfb-run", "bash", "sh"}
)
"""Words before the program itself."""


def _read_by(program: str, arguments: list[str]) -> str:
    """Return the file that a program reads its targets or scripts from; empty where the command does not say which."""
    if program in {"make", "gmake", "$(MAKE)", "${MAKE}"}:
        folder = next((arguments[index + 1] for index, word in enumerate(arguments[:-1]) if word == "-C"), "")
        is_known = not any(_FOREIGN.search(word) for word in arguments if word == folder or word.startswith("-f"))
        return join(folder, "Makefile") if is_known and "-f" not in arguments else ""
    if program in {"npm", "pnpm", "yarn", "bun"} and arguments and not any(map(_ELSEWHERE.match, arguments)):
        return "package.json" if arguments[0] in _SCRIPTS else ""
    return ""


def _is_python(words: list[str]) -> bool:
    return any(_PYTHON.match(word.lstrip("@-")) for word in words)


def _is_application(name: str, word: str, before: str) -> bool:
    if _MODULE.fullmatch(word) is None:
        return False
    if name in _SERVERS:
        return ":" in word and not before.startswith("-")
    return before in _APPLICATIONS.get(name, ())


def _path(word: str) -> str:
    """Return the path that a word is, empty where it is none."""
    flag = _FLAG.match(word)
    word = (word[flag.end() :] if flag else word).lstrip("@").rstrip(",:")
    word = word.partition("::")[0]
    if not word or len(word) > MAX_DOC or _FOREIGN.search(word):
        return ""
    if "/" in word:
        return word if _PATH.fullmatch(word) else ""
    return as_path(word)


def _placed(base: str | None, path: str, root: str) -> str:
    """Return a path as it is to be looked up; empty where it is not known from where."""
    if base is None or path.startswith("/"):
        return ""
    if not base and not root:
        return path
    placed = normpath(join(base, path))
    if root == "/":
        return "" if placed.startswith("..") else f"/{placed}"
    return placed if placed.startswith("..") else f"./{placed}"
