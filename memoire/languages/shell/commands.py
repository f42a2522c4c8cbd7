"""Says what a command of a shell does: to the world, and which commands, functions and files it runs."""

import itertools
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from memoire.effects import load_effects
from memoire.languages.shell.words import Word

EFFECTS = load_effects(str(Path(__file__).parent))

_BUILT_IN = (
    ". : [ alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs disown echo "
    "enable eval exec exit export false fc fg getopts hash help history jobs let local logout popd printf pushd pwd "
    "read readonly return set shift shopt source test times trap true type typeset ulimit umask unalias unset unsetopt "
    "setopt autoload zmodload wait emulate load bats_load_library bats_require_minimum_version skip"
)
SPECIAL = frozenset(_BUILT_IN.split())
"""Commands that a shell has built in: those of scripts seldom have their names, and none of them is guessed."""

_WRAPPERS: dict[str, tuple[str, int]] = {
    "sudo": ("ugpCTrtDUhR", 0), "doas": ("uC", 0), "env": ("uCS", 0), "nohup": ("", 0), "setsid": ("", 0),
    "exec": ("a", 0), "builtin": ("", 0), "time": ("fo", 0), "nice": ("n", 0), "ionice": ("cnp", 0),
    "timeout": ("ks", 1), "gtimeout": ("ks", 1), "xargs": ("IJnPLdsaE", 0), "stdbuf": ("ioe", 0), "chroot": ("", 1),
    "flock": ("wE", 1), "watch": ("n", 0), "parallel": ("j", 0), "command": ("", 0), "strace": ("eopsu", 0),
    "unbuffer": ("", 0), "noglob": ("", 0), "run": ("", 0), "run_as": ("", 1), "coproc": ("", 0),
}  # fmt: skip
"""Command that runs its operands -> (letters of its options that take a value, operands before the command)."""
_BATS_ONLY = frozenset({"run"})
_INTERPRETERS = re.compile(
    r"(?:ba|z|k|da|a)?sh|python[\d.]*|pypy3?|node|nodejs|ruby|perl|php|lua[\d.]*|luajit|Rscript|tsx|ts-node|bats|deno|bun"
    r"|elixir|groovy|expect|osascript|pwsh|escript|swift"
)
_SCRIPT_SUFFIX = re.compile(
    r"\.(?:sh|bash|zsh|ksh|bats|py|js|mjs|cjs|ts|mts|rb|pl|php|lua|R|exs?|groovy|swift|sql|ps1)$"
)
_VALUE_OPTIONS = frozenset({"-W", "-X", "-r", "-I", "-L", "-l", "--require", "--import", "--loader", "-o", "-O"})
_PATH = re.compile(r"^\.{0,2}/|\w/\w|\.[A-Za-z]\w*$")
_FILTERS: dict[str, tuple[int, str]] = (
    dict.fromkeys(("cat", "tac", "less", "more", "zcat", "bzcat", "xzcat", "rev"), (0, ""))
    | dict.fromkeys(("gzip", "gunzip", "bzip2", "bunzip2", "xz", "unxz", "zstd", "unzstd", "lzma", "pigz"), (0, "oSTM"))
    | dict.fromkeys(("md5sum", "md5", "sha1sum", "sha224sum", "sha256sum", "sha384sum", "sha512sum", "b2sum"), (0, ""))
    | dict.fromkeys(("shasum", "cksum", "wc", "nl", "strings", "column", "paste", "fold", "base64"), (0, "aCdswobnNtc"))
    | dict.fromkeys(("head", "ghead", "tail", "cut", "uniq", "xxd", "od", "hexdump", "comm"), (0, "ncdfbslNjAtCe"))
    | dict.fromkeys(("sort", "gsort"), (0, "ktTSo"))
    | dict.fromkeys(("grep", "egrep", "fgrep", "zgrep", "rg", "ag", "ack"), (1, "efmABCdDgtT"))
    | dict.fromkeys(("awk", "gawk", "mawk", "nawk"), (1, "vFf"))
    | dict.fromkeys(("sed", "gsed"), (1, "efl"))
    | dict.fromkeys(("jq", "yq", "xq"), (1, "fL"))
    | {"xmllint": (0, ""), "join": (0, "12tjave")}
)
"""Tool that reads its standard input where no operand names a file -> (operands before those, letters of its options
that take a value). Source: POSIX, "Utilities"; the manuals of GNU, ripgrep and jq."""
_PATTERN_OPTIONS = re.compile(r"-[ef].*|--(?:regexp|file|expression)=.*")
"""Options whose value stands for the first operand."""
_TWO_VALUES = frozenset({"--arg", "--argjson", "--slurpfile", "--rawfile", "--argfile"})
_FILE_TESTS = frozenset({f"-{letter}" for letter in "bcdefghkLOGNprSsuwx"} | {"-nt", "-ot", "-ef"})
"""Conditions on files. Source: POSIX, "test"; the manual of bash, "Conditional Expressions"."""
_PROGRAM = re.compile(r"[A-Za-z][A-Za-z\d.+-]*[A-Za-z\d]")
"""A name as programs have it; underscores are of functions."""


class Run(NamedTuple):
    """One program or function that a command runs."""

    name: str
    """As written without its folder; empty where it is not known."""
    words: tuple[Word, ...]
    """Itself and its operands."""
    is_direct: bool
    """Whether the shell looks the name up, so that a function of that name is meant; a program that runs it does not.
    """


def runs(words: Sequence[Word], *, is_bats: bool) -> Iterator[Run]:
    """Yield what a simple command runs: itself, then what it passes its operands to."""
    rest = tuple(words)
    is_direct = True
    for _ in range(6):
        if not rest:
            return
        text = rest[0].literal or ""
        name = text.rpartition("/")[2]
        if name == "When" and len(rest) > 2 and rest[1].literal in {"call", "run"}:
            rest = rest[2:]
            continue
        if name == "command" and any(word.literal in {"-v", "-V"} for word in rest[1:3]):
            return
        if name not in {"command", "builtin", "coproc", "noglob"}:
            yield Run(name, rest, is_direct)
        wrapper = _WRAPPERS.get(name) if is_bats or name not in _BATS_ONLY else None
        if wrapper is None:
            if name == "find":
                yield from _executed(rest)
            return
        is_direct = is_direct and name in {"run", "time", "noglob", "coproc"}
        rest = _operands(rest[1:], *wrapper)


def _operands(words: tuple[Word, ...], valued: str, skipped: int) -> tuple[Word, ...]:
    """Return the command that a wrapper runs."""
    at = 0
    while at < len(words):
        text = words[at].literal or ""
        if text == "--":
            at += 1
            break
        if text.startswith("-") and len(text) > 1:
            at += 2 if len(text) == 2 and text[1] in valued else 1
        elif re.match(r"[A-Za-z_]\w*=", text) or (not text and words[at].pieces and _is_assignment(words[at])):
            at += 1
        else:
            break
    return words[at + skipped :]


def _is_assignment(word: Word) -> bool:
    kind, text = word.pieces[0]
    return kind == "text" and re.match(r"[A-Za-z_]\w*=", text) is not None


def _executed(words: tuple[Word, ...]) -> Iterator[Run]:
    """Yield what `find … -exec` runs."""
    for at, word in enumerate(words[:-1]):
        if word.literal in {"-exec", "-execdir", "-ok"}:
            name = (words[at + 1].literal or "").rpartition("/")[2]
            yield Run(name, words[at + 1 :], is_direct=False)


def effects_of(run: Run) -> Iterator[tuple[str, str]]:
    """Yield (category, callee) of what a program does; the callee is the command with its subcommand: `git push`.

    What reaches the network by a program that is no mere tool for that starts a process, too.
    """
    literals = [word.literal for word in run.words]
    operands = [text for text in literals[1:] if text is None or not text.startswith("-")]
    name = run.name
    seen: set[str] = set()
    for names in ((name, *operands[:2]), (name, *operands[:1]), (name,)):
        category = None if None in names else EFFECTS.category(".".join(str(part) for part in names))
        if category and category not in seen:
            seen.add(category)
            yield category, " ".join(str(part) for part in names)
    if seen:
        return
    if name in {"[", "test"}:
        yield from file_tests(literals[1:])
    elif _is_file_access(name, literals):
        yield "file_io", f"{name} -i" if _is_in_place(name, literals) else name
    elif name == "exec":
        if len(literals) > 1 and literals[1] is None:
            yield "subprocess", name
    elif script_of(run) is not None or _INTERPRETERS.fullmatch(name):
        yield "subprocess", name or _last_part(run.words[0])


def is_program(run: Run) -> bool:
    """Return whether a name that no table knows is one that a program may have; a function may have it as well."""
    name = run.name
    return bool(_PROGRAM.fullmatch(name)) and name not in SPECIAL and name not in EFFECTS.exact and not name.isupper()


def file_tests(words: Sequence[str | None]) -> Iterator[tuple[str, str]]:
    """Yield what the words of a condition ask about files: `-f x`, `a -nt b`; devices are none."""
    for before, (word, following) in zip(("", *words), itertools.pairwise(words), strict=False):
        is_compared = before in {"=", "==", "!=", "=~", "<", ">"}
        is_test = word in _FILE_TESTS and not is_compared and following not in {"]", "-a", "-o", "&&", "||"}
        if is_test and not (following or "").startswith("/dev/"):
            yield "file_io", f"test {word}"
            return


def _last_part(word: Word) -> str:
    """Return the name of a script whose folder a variable holds."""
    kind, text = word.pieces[-1] if word.pieces else ("", "")
    return (text.rpartition("/")[2] if kind == "text" else "") or "script"


def _is_in_place(name: str, literals: Sequence[str | None]) -> bool:
    """Return whether a tool changes the files that it is given."""
    options = [text for text in literals[1:] if text and text.startswith("-")]
    if name in {"sed", "gsed"}:
        return any(re.match(r"-[nErsz]*i|--in-place", text) for text in options)
    return name == "perl" and any(re.match(r"-[pnle0]*i", text) for text in options)


def _is_file_access(name: str, literals: Sequence[str | None]) -> bool:
    """Return whether a tool reads or changes files; it may as well read what it is piped."""
    if _is_in_place(name, literals):
        return True
    filtering = _FILTERS.get(name)
    if filtering is None:
        return False
    before, valued = filtering
    options = [text for text in literals[1:] if text and text.startswith("-")]
    if before and any(_PATTERN_OPTIONS.fullmatch(text) for text in options):
        before = 0
    is_deep = name.endswith("grep") and any(re.match(r"-\w*[rR]|--recursive", text) for text in options)
    files = [text for text in _plain_operands(literals[1:], valued) if text != "-"][before:]
    return is_deep or any(text is None or not text.startswith("/dev/") for text in files)


def _plain_operands(words: Sequence[str | None], valued: str) -> Iterator[str | None]:
    """Yield the operands that are no values of options."""
    skipped = 0
    for word in words:
        if skipped:
            skipped -= 1
        elif word is None or not word.startswith("-") or word == "-":
            yield word
        elif word in _TWO_VALUES:
            skipped = 2
        elif not word.startswith("--") and word[-1] in valued:
            skipped = 1


def script_of(run: Run) -> Word | None:
    """Return the word that names the script that a command runs, None where it runs none by a path."""
    word = run.words[0]
    text = word.literal
    last = "".join(piece for kind, piece in word.pieces[-1:] if kind == "text")
    if "/" in (text or last) or (text is None and _SCRIPT_SUFFIX.search(last)):
        if text is not None and (text.startswith(("/", "~")) or text.endswith("/")):
            return None if not _is_interpreter(run) else _operand_script(run)
        if not _is_interpreter(run):
            return word
    return _operand_script(run) if _is_interpreter(run) else None


def _is_interpreter(run: Run) -> bool:
    return _INTERPRETERS.fullmatch(run.name) is not None


def _operand_script(run: Run) -> Word | None:
    """Return the script among the operands of an interpreter."""
    at = 1
    words = run.words
    while at < len(words):
        text = words[at].literal or ""
        if text in {"-c", "-e", "-m", "-s", "-", "--eval", "-n"} and text != "-n":
            return None
        if text in {"run", "test"} and run.name in {"deno", "bun"}:
            at += 1
        elif text.startswith("-"):
            at += 2 if text in _VALUE_OPTIONS else 1
        else:
            return words[at] if words[at].literal is None or _PATH.search(text) else None
    return None


def redirect_effects(redirects: Sequence[tuple[str, Word]]) -> Iterator[tuple[str, str]]:
    """Yield the effects of redirections: to files, not to descriptors or devices."""
    for operator, word in redirects:
        text = word.literal
        if operator in {">&", "<&"} and (text is None or re.fullmatch(r"[\d-]+-?", text)):
            continue
        if text is not None and text.startswith("/dev/"):
            if text.startswith(("/dev/tcp/", "/dev/udp/")):
                yield "network", text[:8]
            elif text.startswith(("/dev/urandom", "/dev/random")):
                yield "random", text
            continue
        if word.pieces and word.pieces[0][0] == "code" and len(word.pieces) == 1 and operator == "<":
            continue  # `< <(command)`
        if word.pieces[:1] and word.pieces[0][0] == "text" and word.pieces[0][1].startswith("/dev/tcp"):
            yield "network", "/dev/tcp"
            continue
        yield "file_io", operator
