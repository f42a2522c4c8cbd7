"""Masks secrets by their shape and by the name they stand under; everything else stays as it is.

Runs before anything is stored, indexed, logged or answered, and over all source text, so it is fast: searches for fixed
strings find the few places at which a regular expression is tried, and each of those is bounded.

It cannot know a secret that looks like any other word (`ssh-keygen -N word`). Under a name that holds secrets it masks,
unless the value is plainly none: a type, a call, a variable, a placeholder, a path, a sentence.
"""

import re
from collections.abc import Iterator, Sequence

from memoire.episodes.command_secrets import KEEPERS, given_values
from memoire.episodes.secret_shapes import COMMANDS, DOTTED, PEM, TOKEN, kind_of_name, words_of

MASK = "***"

Span = tuple[int, int]

_RUN = re.compile(r"[A-Za-z0-9_\-]{20,}")
_RUN_BYTES = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")
_ONLY_RUNS = bytes(byte if byte in _RUN_BYTES else 32 for byte in range(256))
"""What makes all but runs to blanks, in UTF-8."""
_TAIL = re.compile(r"[A-Za-z0-9_\-+/=]*")
_BASE64 = re.compile(r"[A-Za-z0-9+/]{40}|\*\*\*")


def _by_gate(
    shapes: Sequence[tuple[str, str, str]], flags: re.RegexFlag = re.NOFLAG
) -> dict[str, list[tuple[str, re.Pattern[str]]]]:
    """Return text that must be there -> (text of the secret or in its line, shape) of all that share it."""
    found: dict[str, list[tuple[str, re.Pattern[str]]]] = {}
    for gate, marker, pattern in shapes:
        found.setdefault(gate, []).append((marker, re.compile(pattern, flags)))
    return found


_DOTTED = _by_gate(DOTTED)
_COMMANDS = _by_gate(COMMANDS, re.MULTILINE)

_STEMS = ("pwd", "secret", "token", "credential", "key", "sig=", "signature=", "code=", "_auth")
"""What every name that may hold a secret contains, in lower case; or `pass`, but not of `bypass`, `passed`."""
_AFTER_PASS = frozenset("wpc=")

_COMMAND_LINES = 4
"""How many lines a command may have; `.netrc` has one word a line."""

_NAME_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.")
_AFTER_NAME = frozenset("\"'`]\\ \t:=")
_ASSIGNED = re.compile(
    r"(?P<close>\\?[\"'`]?\]?)(?P<before>[ \t]{0,20})"
    r"(?:\??:[ \t]*(?:str|string|String|Final|Final\[str\]|&str|&'static str)[ \t]*(?==))?"
    r"(?P<op>:=|=>|={1,3}|!==?|:|(?:is|was)(?=[ \t]))(?P<after>[ \t]{0,20})"
    r"(?:[fFrRbBuU]{1,2}(?=[\"']))?(?P<quote>\\?[\"'`])?"
)
_QUOTED = {
    '"': re.compile(r'(?:[^"\\\n]|\\.){0,4096}'),
    "'": re.compile(r"(?:[^'\\\n]|\\.){0,4096}"),
    "`": re.compile(r"(?:[^`\\\n]|\\.){0,4096}"),
    '\\"': re.compile(r'(?:(?!\\"|"|\n).){0,4096}'),
    "\\'": re.compile(r"(?:(?!\\'|'|\n).){0,4096}"),
    "\\`": re.compile(r"(?:(?!\\`|`|\n).){0,4096}"),
}
_FLAG_VALUE = re.compile(r"(?:[ \t]+|=)(?:(?P<quote>[\"'])|(?P<word>[^\s\"'`;|<>&\-\[\](){}$][^\s\"'`;|<>&]*))")
_SHELL_WORD = re.compile(r"[^\s\"'`;|<>]{1,4096}")
_QUERY_WORD = re.compile(r"[^\s\"'`&#;<>\\]{1,4096}")
_BARE_WORD = re.compile(r"[^\s\"'`;,&#<>|(){}\[\]\\]{1,4096}")

_PLACEHOLDER = re.compile(
    r"[$%{<\[(].*|.*[}>\])]|[xX]{3,}|[*.\-_?#0]+|1234(?:56(?:78(?:90?)?)?)?"
    r"|(?:your|my|the|some|an?|insert|enter|change|replace|put|example|dummy|fake|placeholder|sample|test)"
    r"(?:[-_ ][a-z]+){1,8}"
    r"|(?:your|my|change|insert|example|dummy|fake|sample|test|placeholder)"
    r"(?:me|it|here|this|password|token|secret|(?:api)?key)?"
    r"|foo|bar|baz|foobar",
    re.DOTALL | re.IGNORECASE,
)
_NONE = frozenset(
    [
        "and", "any", "argument", "arguments", "array", "auto", "basic", "bearer", "blank", "bool", "boolean",
        "bytes", "char", "const", "default", "deprecated", "disabled", "empty", "enabled", "false", "field",
        "file", "flag", "flags", "float", "for", "hidden", "input", "integer", "invalid", "literal",
        "missing", "none", "not", "null", "number", "object", "option", "optional", "options", "or", "param",
        "parameter", "pass", "passwd", "password", "path", "plain", "plaintext", "property", "readonly",
        "redacted", "required", "secret", "secrets", "self", "string", "strings", "table", "text", "that",
        "this", "token", "tokens", "true", "type", "undefined", "unknown", "unset", "user", "username",
        "value", "varchar", "void", "with",
    ]
)  # fmt: skip
"""Words that name a type, a state or the thing itself, never a secret."""
_TYPE = re.compile(
    r"(?:u?int|bytes|float|str|string|sha|md|base|varchar|char|utf|aes|rsa|hs|rs|es|oauth|v)-?[0-9]{0,4}"
)
_WORDS = re.compile(r"_*[A-Za-z]+(?:[_\-. :/,!?'][A-Za-z]*)*")
_LOWER_PATH = re.compile(r"(?:~|\.{0,2})/[a-z0-9_.\-/]*|[a-z0-9_.\-]+(?:/[a-z0-9_.\-]+){2,}|[a-z][a-z0-9+.\-]*://.*")
_CODE = re.compile(r"[A-Za-z_$][\w$]*(?:(?:\.|::|->|\?\.)[A-Za-z_$][\w$]*)+|[A-Z][A-Z_]{3,}")
_CAPITALS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ_")
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")

_URL_LOGIN = re.compile(
    r"://[^\s/@:\"'`<>?#]{0,200}:(?P<value>[^\s/@\"'`<>]{1,500})@|://(?P<token>[A-Za-z0-9_.\-~%+=]{20,300})@"
)
_HEADER = re.compile(
    r"authorization(?P<close>\\?[\"']?\]?)\s{0,3}(?P<sign>[:=,])\s{0,3}(?:[fFbB](?=[\"']))?\\?[\"'`]?"
    r"(?:(?P<scheme>bearer|basic|token|digest|negotiate|apikey|aws4-hmac-sha256)[ ]{1,3})?"
    r"(?P<value>[^\s\"'`\\<>{}$][^\s\"'`\\<>]*)",
    re.IGNORECASE,
)
_AWS_REST = re.compile(r"[^\r\n\"'`]*")
_COOKIE = re.compile(r"cookie(?:\\?[\"'])?:\s{0,3}(?:\\?[\"'])?(?P<value>[\w.\-]{1,100}=[^\"'\r\n]{4,})", re.IGNORECASE)
_BEARER = re.compile(
    r"bearer[ \t]{1,4}(?=[A-Za-z0-9._~+/\-]{0,400}[0-9])(?P<value>[A-Za-z0-9._~+/\-]{16,}={0,2})", re.IGNORECASE
)

_HEREDOC = re.compile(r"(?<!<)<<-?[ \t]*(?P<quote>[\"']?)(?P<word>[A-Za-z_]\w*)(?P=quote)[^\n]*\n")


def redact(text: str) -> str:
    """Return the text with every secret replaced by `***`; applied again, it changes nothing more."""
    for _ in range(4):  # what was glued to a secret may be one by itself
        masked = _redact_once(text)
        if masked == text:
            break
        text = masked
    return text


def _redact_once(text: str) -> str:
    lowered = _lower(text)
    spans = [*_tokens(text), *_named(text, lowered), *_headers(text, lowered)]
    if "://" in text:
        spans.extend(_urls(text))
    for gate, commands in _COMMANDS.items():
        if gate in lowered:
            for marker, pattern in commands:
                spans.extend(_commands(text, lowered, marker, pattern))
    return _mask(text, spans)


def redact_command(command: str) -> str:
    """Return a command line without its secrets; applied again, it changes nothing more.

    Beside what `redact` masks: the bodies of here-documents and here-strings, what is handed to a secret store, and the
    values of options and operands that are secrets by the program's manual.
    """
    for _ in range(8):
        masked = redact(_mask(command, _command_spans(command)))
        if masked == command:
            break
        command = masked
    return command


def _command_spans(command: str) -> list[Span]:
    spans = []
    at = 0
    while found := _HEREDOC.search(command, at):
        closing = re.compile(rf"^[ \t]*{found['word']}[ \t]*$", re.MULTILINE).search(command, found.end())
        end = closing.start() if closing else len(command)
        if end > found.end():
            spans.append((found.end(), end - 1 if closing else end))
        at = end + 1
    spans.extend(found.span("value") for found in KEEPERS.finditer(command))
    spans.extend(_inside(found) for found in given_values(command) if not _is_none(found["value"]))
    return spans


def _inside(found: re.Match[str]) -> Span:
    """Return where a value is, without the quotes around it."""
    start, end = found.span("value")
    value = found["value"]
    is_quoted = len(value) >= 2 and value[0] == value[-1] and value[0] in "'\""
    return (start + 1, end - 1) if is_quoted else (start, end)


def _mask(text: str, spans: list[Span]) -> str:
    if not spans:
        return text
    parts = []
    at = 0
    for start, end in sorted(spans):
        if start >= at:
            parts.append(text[at:start])
            parts.append(MASK)
        at = max(at, end)
    parts.append(text[at:])
    return "".join(parts)


def _lower(text: str) -> str:
    """Return the text in lower case, every character still at its place."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(letter.lower() if letter.isascii() else letter for letter in text)


def _tokens(text: str) -> Iterator[Span]:
    if _has_token(text):
        for run in _RUN.finditer(text):
            for found in TOKEN.finditer(text, run.start(), run.end()):
                tail = _TAIL.match(text, found.end())
                yield found.start(), tail.end() if tail else found.end()
    for gate, dotted in _DOTTED.items():
        if gate in text:
            for marker, pattern in dotted:
                if marker in text:
                    yield from (found.span() for found in pattern.finditer(text))
    if "PRIVATE KEY" in text:
        yield from (found.span("value") for found in PEM.finditer(text) if _BASE64.search(found["value"]))


def _has_token(text: str) -> bool:
    """Return whether a token is anywhere: runs are split off and measured faster than an expression finds long ones."""
    runs = text.encode("utf-8", "surrogatepass").translate(_ONLY_RUNS).split()
    return any(TOKEN.search(run.decode()) for run in runs if len(run) >= 20 and not _is_one_case(run))


def _is_one_case(run: bytes) -> bool:
    """Return whether a run is a name of letters that are all small or all capital, which no token is."""
    letters = run.translate(None, b"_-")
    return not letters or (letters.isalpha() and (letters.islower() or letters.isupper()))


def _commands(text: str, lowered: str, marker: str, pattern: re.Pattern[str]) -> Iterator[Span]:
    """Yield the values of a command in the lines around its marker."""
    at = lowered.find(marker)
    while at >= 0:
        start = end = text.rfind("\n", 0, at) + 1
        for _ in range(_COMMAND_LINES):
            end = text.find("\n", end) + 1
            if not end:
                end = len(text) + 1
                break
        for found in pattern.finditer(text, start, end - 1):
            if not _is_none(found["value"]):
                yield found.span("value")
        at = lowered.find(marker, end)


def _urls(text: str) -> Iterator[Span]:
    for found in _URL_LOGIN.finditer(text):
        group = "token" if found["value"] is None else "value"
        is_plain = found["value"] is None and not any(map(str.isdigit, found["token"]))
        if not is_plain and not _is_stand_in(found[group]):  # here even two letters are a password
            yield found.span(group)


def _headers(text: str, lowered: str) -> Iterator[Span]:
    for at in _places(lowered, "authorization"):
        found = _HEADER.match(text, at)
        if found is None or _is_none(found["value"]):
            continue
        start, end = found.span("value")
        scheme = (found["scheme"] or "").lower()
        if scheme in {"aws4-hmac-sha256", "digest"}:
            rest = _AWS_REST.match(text, start)
            yield start, rest.end() if rest else end
        elif _is_random(found["value"], 4) if scheme else found["sign"] != "," and _is_random(found["value"], 8):
            yield start, end
    for at in _places(lowered, "cookie"):
        found = _COOKIE.match(text, at)
        if found is not None:
            yield found.span("value")
    if "bearer" in lowered:
        yield from (found.span("value") for found in _BEARER.finditer(text))


def _named(text: str, lowered: str) -> Iterator[Span]:
    """Yield the values that stand under a name which holds secrets."""
    done = covered = 0
    places = [at for stem in _STEMS for at in _places(lowered, stem)]
    places += [
        at
        for at in _places(lowered, "pass")
        if lowered[at + 4 : at + 5] in _AFTER_PASS or lowered[max(at - 1, 0) : at] == "_"
    ]
    for at in sorted(places):
        if at < done or at < covered:
            continue
        end = at
        while text[end : end + 1] in _NAME_CHARACTERS and end - at < 100:
            end += 1
        done = end
        if text[end : end + 1] not in _AFTER_NAME:
            continue
        start = at
        while start and text[start - 1] in _NAME_CHARACTERS and at - start < 100:
            start -= 1
        for span in _value_of(text, start, end):
            covered = span[1]
            yield span


def _places(text: str, word: str) -> Iterator[int]:
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + 1)


def _value_of(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield the span of the value assigned to the name in the text, if it is a secret."""
    name, before = text[start:end], text[start - 1 : start]
    kind = kind_of_name(name, is_parameter=before in {"?", "&"})
    if not kind:
        return
    if name.startswith("-"):
        yield from _value_of_flag(text, end)
        return
    found = _ASSIGNED.match(text, end)
    if found is None or (before == ":" and found["op"] == ":"):  # `a:secret:b`, `A::Secret`
        return
    quote = found["quote"]
    if quote is not None:
        body = _QUOTED[quote].match(text, found.end())
        if body is not None and _is_quoted_secret(body.group(), kind, is_shell=_is_shell(name, found)):
            yield body.span()
        return
    if before in {"?", "&"} and found["op"] == "=":
        word = _QUERY_WORD.match(text, found.end())
        if word is not None and not _is_none(word.group()):
            yield word.span()
        return
    is_shell = _is_shell(name, found)
    word = (_SHELL_WORD if is_shell else _BARE_WORD).match(text, found.end())
    if word is None or found["op"] in {"==", "===", "!=", "!==", "=>"}:
        return
    value = word.group().rstrip(".,:")
    is_code = not is_shell and text[word.end() : word.end() + 1] in {"(", "[", "{"}
    if not is_code and _is_bare_secret(value, kind, found, is_shell=is_shell, is_header=name[:2] in {"X-", "x-"}):
        yield word.start(), word.start() + len(value)


def _value_of_flag(text: str, end: int) -> Iterator[Span]:
    found = _FLAG_VALUE.match(text, end)
    if found is None:
        return
    if found["word"] is not None:
        if not _is_none(found["word"]):
            yield found.span("word")
        return
    body = _QUOTED[found["quote"]].match(text, found.end())
    if body is not None and body.group() and not _is_none(body.group()):
        yield body.span()


def _is_shell(name: str, assigned: re.Match[str]) -> bool:
    """Return whether it is written as a shell or an environment file assigns: `NAME=value`."""
    return (
        assigned["op"] == "="
        and not assigned["before"]
        and not assigned["after"]
        and not assigned["close"]
        and name.isupper()
    )


def _is_none(value: str) -> bool:
    """Return whether a value is plainly no secret, whatever the name it stands under."""
    value = value.strip("'\"")
    return len(value) < 3 or _is_stand_in(value)


def _is_stand_in(value: str) -> bool:
    """Return whether a value is a placeholder, a type or the name of the thing, of any length."""
    return (
        value.lower() in _NONE
        or _PLACEHOLDER.fullmatch(value) is not None
        or _TYPE.fullmatch(value.lower()) is not None
    )


def _is_quoted_secret(value: str, kind: str, *, is_shell: bool) -> bool:
    if _is_none(value) or _LOWER_PATH.fullmatch(value):
        return False
    if is_shell:
        return True
    if any(map(str.isspace, value)) or "{" in value or "$" in value[:-1]:
        return False
    if kind == "password":
        return len(value) >= 4 and not (kind_of_name(value) and _IDENTIFIER.fullmatch(value))
    return len(value) >= 8 and (_WORDS.fullmatch(value) is None or (value.isalpha() and not _is_wordy(value)))


def _is_bare_secret(value: str, kind: str, assigned: re.Match[str], *, is_shell: bool, is_header: bool) -> bool:
    is_tag = assigned["op"] == ":" and value.startswith("!")  # of YAML: `!vault |`, `!secret name`
    if _is_none(value) or _LOWER_PATH.fullmatch(value) or is_tag:
        return False
    if is_shell:
        return kind == "password" or not value.isdigit()
    if is_header:
        return True
    is_identifier = _IDENTIFIER.fullmatch(value) is not None
    if _CODE.fullmatch(value) or (is_identifier and kind_of_name(value)):
        return False
    if kind == "password":
        return len(value) >= 4 and (_WORDS.fullmatch(value) is None or not _is_wordy(value))
    if len(value) < 8 or (assigned["op"] == ":" and not assigned["after"]) or not any(map(str.isalpha, value)):
        return False
    if not any(map(str.isdigit, value)):
        return _WORDS.fullmatch(value) is None or not _is_wordy(value)
    # `token = sha256hash` and `key: PKCS7Key` may be of a program: a variable, a type.
    is_program = is_identifier and (assigned["before"] if assigned["op"] == "=" else value[0] in _CAPITALS)
    return not is_program or not _is_wordy(value)


def _is_wordy(value: str) -> bool:
    """Return whether a name is made of words; random letters change case after two on average."""
    words = words_of(value)
    return len(value) < 12 or sum(map(len, words)) >= 3.5 * len(words)


def _is_random(value: str, least: int) -> bool:
    """Return whether a word looks like a secret: digits, or upper case in the middle, or very long."""
    is_code = not {"{", "(", "["}.isdisjoint(value) or _CODE.fullmatch(value.lstrip("!").rstrip(";,"))
    if len(value) < least or is_code:
        return False
    is_mixed = any(map(str.isupper, value[1:])) and any(map(str.islower, value))
    return any(map(str.isdigit, value)) or is_mixed or len(value) >= 20
