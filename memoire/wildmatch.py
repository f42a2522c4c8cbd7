"""The patterns of one ignore file, matched exactly as git matches them.

Works on bytes, as git does: `?` is one byte. Every pattern is a test of one path that a walk has reached, so a pattern
never looks at the directories above: who walks stops where a directory is ignored.
Patterns come with a clone, so none may take exponential time: stars compile to atomic groups.

Source: git 2.39, dir.c (`parse_path_pattern`, `match_basename`, `match_pathname`) and wildmatch.c (`dowild`).
"""

import re
import string
from collections.abc import Sequence

MAX_BYTES = 1_000_000
"""What lies beyond in an ignore file is not read."""

MAX_GLOBS = 2_000
"""How many patterns with a wildcard one file may hold; later ones are dropped."""

_SPECIAL = frozenset(b"*?[\\")
_NEVER = b"(?!)"

_CLASSES = {
    b"alnum": string.ascii_letters + string.digits,
    b"alpha": string.ascii_letters,
    b"blank": " \t",
    b"cntrl": "".join(map(chr, [*range(32), 127])),
    b"digit": string.digits,
    b"graph": "".join(map(chr, range(33, 127))),
    b"lower": string.ascii_lowercase,
    b"print": "".join(map(chr, range(32, 127))),
    b"punct": string.punctuation,
    b"space": string.whitespace,
    b"upper": string.ascii_uppercase,
    b"xdigit": string.hexdigits,
}


class Pattern:
    """One line of an ignore file.

    Attributes:
        is_negated: Whether it takes back what an earlier pattern ignored.
        is_dir_only: Whether it ended in a slash.
        by_name: Whether it is matched with the last part of a path, not with the whole.
        literal: What it equals, for a pattern without wildcards; `None` with some.
        suffix: What the name ends in, for `*` and plain text after it.
        regex: For any other pattern, to be matched in full.
    """

    __slots__ = ("by_name", "compiled", "is_dir_only", "is_negated", "literal", "regex", "suffix")

    def __init__(self, text: bytes) -> None:
        self.is_negated = text.startswith(b"!")
        body = text[1:] if self.is_negated else text
        self.is_dir_only = body.endswith(b"/")
        if self.is_dir_only:
            body = body[:-1]
        self.by_name = b"/" not in body
        self.literal: bytes | None = None
        self.suffix: bytes | None = None
        self.regex = b""
        self.compiled: re.Pattern[bytes] | None = None
        if not self.by_name and body.startswith(b"/"):
            body = body[1:]
        plain = next((at for at, byte in enumerate(body) if byte in _SPECIAL), len(body))
        if plain == len(body):
            self.literal = body
        elif self.by_name and body.startswith(b"*") and not _SPECIAL.intersection(body[1:]):
            self.suffix = body[1:]
        else:
            # git compares the plain part first and matches the rest by itself: `a**/b` matches `ax/b` for that reason.
            self.regex = re.escape(body[:plain]) + translate(body[plain:], is_path=not self.by_name)

    def matches(self, name: bytes, path: bytes, flags: int) -> bool:
        """Return whether it, which has a wildcard, matches the path, whose last part is `name`."""
        text = name if self.by_name else path
        if self.suffix is not None:
            return text.endswith(self.suffix)
        if self.compiled is None:
            self.compiled = re.compile(self.regex, flags)
        return self.compiled.fullmatch(text) is not None


class Rules:
    """The patterns of one ignore file; the last one that matches decides.

    Args:
        data: The content of the file.
        ignore_case: As `core.ignoreCase` of git.
    """

    def __init__(self, data: bytes, *, ignore_case: bool = False) -> None:
        self._fold = ignore_case
        self._flags = re.DOTALL | (re.IGNORECASE if ignore_case else 0)
        self._patterns = _at_most(MAX_GLOBS, parse(data))
        self._names: dict[bytes, list[int]] = {}
        self._paths: dict[bytes, list[int]] = {}
        self._globs: list[int] = []
        suffixes = set()
        for number, pattern in enumerate(self._patterns):
            if pattern.literal is not None:
                pattern.literal = self._case(pattern.literal)
                (self._names if pattern.by_name else self._paths).setdefault(pattern.literal, []).append(number)
                continue
            self._globs.append(number)
            if pattern.suffix is not None:
                pattern.suffix = self._case(pattern.suffix)
                suffixes.add(pattern.suffix)
        self._suffixes = tuple(suffixes)
        self._name_glob = self._union(by_name=True)
        self._path_glob = self._union(by_name=False)

    def __bool__(self) -> bool:
        return bool(self._patterns)

    def decide(self, name: bytes, path: bytes, *, is_dir: bool) -> bool | None:
        """Return True for ignored, False for taken back, None where no pattern matches.

        Args:
            name: Last part of the path.
            path: Relative to the directory of the ignore file.
            is_dir: Whether it is a directory.
        """
        if self._fold:
            name, path = name.lower(), path.lower()
        # Most paths match nothing: one look at all patterns of a kind.
        is_globbed = (
            name.endswith(self._suffixes)
            or (self._name_glob is not None and self._name_glob.fullmatch(name))
            or (self._path_glob is not None and self._path_glob.fullmatch(path))
        )
        if not is_globbed and name not in self._names and path not in self._paths:
            return None
        last = max(
            self._last(self._names.get(name, ()), is_dir=is_dir), self._last(self._paths.get(path, ()), is_dir=is_dir)
        )
        if is_globbed:
            for number in reversed(self._globs):
                if number < last:
                    break
                pattern = self._patterns[number]
                if (is_dir or not pattern.is_dir_only) and pattern.matches(name, path, self._flags):
                    last = number
                    break
        return None if last < 0 else not self._patterns[last].is_negated

    def _last(self, numbers: Sequence[int], *, is_dir: bool) -> int:
        return next((each for each in reversed(numbers) if is_dir or not self._patterns[each].is_dir_only), -1)

    def _case(self, text: bytes) -> bytes:
        return text.lower() if self._fold else text

    def _union(self, *, by_name: bool) -> re.Pattern[bytes] | None:
        regexes = [pattern.regex for pattern in self._patterns if pattern.regex and pattern.by_name is by_name]
        return re.compile(b"|".join(regexes), self._flags) if regexes else None


def _at_most(limit: int, patterns: Sequence[Pattern]) -> list[Pattern]:
    """Return the patterns without those that have a wildcard and come after so many of their kind."""
    kept = []
    for pattern in patterns:
        limit -= pattern.literal is None
        if pattern.literal is not None or limit >= 0:
            kept.append(pattern)
    return kept


def parse(data: bytes) -> list[Pattern]:
    """Return the patterns of an ignore file, in order."""
    text = data[:MAX_BYTES].removeprefix(b"\xef\xbb\xbf")
    patterns = []
    for raw in text.split(b"\n"):
        if not raw or raw.startswith(b"#"):
            continue
        line = _strip(raw.removesuffix(b"\r").partition(b"\0")[0])
        if line:
            patterns.append(Pattern(line))
    return patterns


def translate(glob: bytes, *, is_path: bool) -> bytes:
    """Return the regular expression, to be matched in full with DOTALL, that matches what the glob matches.

    Args:
        glob: With wildcards.
        is_path: Whether wildcards but `**` stop at a slash.
    """
    units: list[tuple[bytes, list[list[bytes]]]] = [(b"", [[]])]
    at = 0
    while at < len(glob):
        if glob[at : at + 1] == b"*":
            at, double = _stars(glob, at, is_path=is_path)
            if double:
                units.append((double, [[]]))
            else:
                units[-1][1].append([])
            continue
        at, piece = _one(glob, at, is_path=is_path)
        if piece == _NEVER:
            return _NEVER
        units[-1][1][-1].append(piece)
    star = b"[^/]*" if is_path else b".*"
    regex = b""
    for number, (before, chunks) in enumerate(units):
        unit = before + _unit(chunks, star)
        # Between two `**` the first match is as good as any later one: no need to come back to it.
        regex += unit if number in {0, len(units) - 1} else b"(?>" + unit + b")"
    return regex


def _unit(chunks: Sequence[Sequence[bytes]], star: bytes) -> bytes:
    """Return the regex of chunks of single bytes with a star between each two."""
    first, *rest = [b"".join(chunk) for chunk in chunks]
    if not rest:
        return first
    middle = b"".join(b"(?>" + star + b"?" + chunk + b")" for chunk in rest[:-1])
    return first + middle + star + rest[-1]


def _stars(glob: bytes, at: int, *, is_path: bool) -> tuple[int, bytes]:
    """Return where the run of stars ends, and the regex of a `**` that crosses directories; empty for any other run."""
    end = at
    while glob[end : end + 1] == b"*":
        end += 1
    if not is_path or end - at < 2 or (at and glob[at - 1 : at] != b"/"):
        return end, b""
    if end == len(glob) or glob[end : end + 2] == b"\\/":
        return end, b".*?"
    if glob[end : end + 1] == b"/":
        return end + 1, b"(?:.*?/)??"
    return end, b""


def _one(glob: bytes, at: int, *, is_path: bool) -> tuple[int, bytes]:
    """Return where the token at `at`, which is no star, ends, and the regex of the one byte that it matches."""
    token = glob[at : at + 1]
    if token == b"?":
        return at + 1, b"[^/]" if is_path else b"."
    if token == b"[":
        return _bracket(glob, at, is_path=is_path)
    if token == b"\\":
        escaped = glob[at + 1 : at + 2]
        return at + 2, re.escape(escaped) if escaped else _NEVER
    return at + 1, re.escape(token)


def _bracket(glob: bytes, at: int, *, is_path: bool) -> tuple[int, bytes]:
    """Return where the bracket expression at `at` ends, and its regex; `_NEVER` where git gives up on it."""
    at += 1
    negated = glob[at : at + 1] in {b"!", b"^"}
    at += negated
    members: set[int] = set()
    previous = 0
    is_first = True
    while is_first or glob[at : at + 1] != b"]":
        is_first = False
        if at >= len(glob):
            return at, _NEVER
        step = _member(glob, at, previous, members)
        if step is None:
            return at, _NEVER
        at, previous = step
    chosen = set(range(1, 256)) - members if negated else members
    if is_path:
        chosen.discard(0x2F)
    if not chosen:
        return at + 1, _NEVER
    return at + 1, b"[" + b"".join(b"\\x%02x" % byte for byte in sorted(chosen)) + b"]"


def _member(glob: bytes, at: int, previous: int, members: set[int]) -> tuple[int, int] | None:
    """Add one part of a bracket expression; return where it ends and the byte a range may start from (0: none)."""
    byte = glob[at]
    following = glob[at + 1 : at + 2]
    if byte == 0x2D and previous and following not in {b"", b"]"}:
        at += 2 if following == b"\\" else 1
        if at >= len(glob):
            return None
        members.update(range(previous, glob[at] + 1))
        return at + 1, 0
    if byte == 0x5C:
        if not following:
            return None
        members.add(following[0])
        return at + 2, following[0]
    if byte == 0x5B and following == b":":
        end = glob.find(b"]", at + 2)
        if end < 0:
            return None
        if end - at >= 3 and glob[end - 1 : end] == b":":
            named = _CLASSES.get(glob[at + 2 : end - 1])
            if named is None:
                return None
            members.update(named.encode())
            return end + 1, 0
    members.add(byte)
    return at + 1, byte


def _strip(line: bytes) -> bytes:
    """Return the line without trailing spaces; an escaped one stays, and tabs stay."""
    end = len(line.rstrip(b" "))
    if end == len(line):
        return line
    slashes = end - len(line[:end].rstrip(b"\\"))
    return line[: end + 1] if slashes % 2 else line[:end]


def covers(rules: Rules, path: bytes) -> bool:
    """Return whether the patterns match the file or a directory above it, the path being relative to their file."""
    parts = path.split(b"/")
    above = b""
    for part in parts[:-1]:
        above += part
        if rules.decide(part, above, is_dir=True):
            return True
        above += b"/"
    return bool(rules.decide(parts[-1], path, is_dir=False))
