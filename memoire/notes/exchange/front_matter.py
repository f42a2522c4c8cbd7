"""Reads and writes the head of a Markdown file: the part of YAML that such heads are made of. Pure, never raises.

Understood are texts, lists and maps of one level, in block and flow form, and texts over several lines. What is written
is YAML that any reader takes; a text is quoted as in JSON wherever it could be taken for something else.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import TypeAlias

Value: TypeAlias = str | list[str] | dict[str, str]

MAX_LINES = 2_000
_KEY = re.compile(r"""([\w][\w .:/()-]*?|"(?:[^"\\]|\\.)*"|'[^']*')\s*:(?:\s+(.*)|\s*)$""")
_PLAIN = re.compile(r"[A-Za-z_./][\w ./()+@-]*(?:::?[\w./()+@-]+)*|\d[\d.:TZ+-]*")
_WORDS = frozenset(["true", "false", "yes", "no", "on", "off", "null", "y", "n"])


def split(text: str) -> tuple[str, str]:
    """Return (head, rest): the head without its marks, empty where there is none."""
    bare = text.removeprefix("\ufeff").replace("\r\n", "\n")
    if not bare.startswith("---\n"):
        return "", bare
    lines = bare.split("\n", MAX_LINES + 1)
    for number, line in enumerate(lines[1 : MAX_LINES + 1], start=1):
        if line.rstrip() in {"---", "..."}:
            return "\n".join(lines[1:number]), "\n".join(lines[number + 1 :])
    return "", bare


def read(head: str) -> dict[str, Value]:
    """Return what a head says; a line that is not understood is passed over."""
    lines = head.split("\n")
    found: dict[str, Value] = {}
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        match = _KEY.match(line) if line[:1].strip() and not line.startswith(("#", "- ")) else None
        if match is None:
            continue
        end = at
        while end < len(lines) and (not lines[end].strip() or lines[end][:1] in " \t" or lines[end].startswith("- ")):
            end += 1
        found[_scalar(match[1])] = _value((match[2] or "").strip(), lines[at:end])
        at = end
    return found


def write(values: Mapping[str, Value]) -> str:
    """Return a head with its marks; what is empty is left out."""
    lines = ["---"]
    for name, value in values.items():
        if not value:
            continue
        if isinstance(value, str):
            lines.append(f"{name}: {_quoted(value)}")
        elif isinstance(value, dict):
            lines += [f"{name}:", *(f"  {_quoted(key)}: {_quoted(text)}" for key, text in value.items())]
        else:
            lines += [f"{name}:", *(f"  - {_quoted(text)}" for text in value)]
    return "\n".join([*lines, "---"]) + "\n"


def texts(value: Value | None) -> list[str]:
    """Return a value as a list of texts."""
    if value is None:
        return []
    if isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()]
    return list(value)


def _value(inline: str, below: Sequence[str]) -> Value:
    if inline[:1] in {"|", ">"} and len(inline) <= 3:
        return _block(below, is_folded=inline.startswith(">"))
    if inline and not inline.startswith("#"):
        if inline.startswith(("[", "{")):
            return _flow(" ".join([inline, *(line.strip() for line in below)]))
        rest = [line.strip() for line in below if line.strip()]
        return _scalar(" ".join([inline, *rest]))
    rows = [line.strip() for line in below if line.strip() and not line.strip().startswith("#")]
    if (rows and rows[0].startswith("- ")) or rows == ["-"]:
        return [_scalar(row[2:].strip()) for row in rows if row.startswith("- ")]
    pairs = [match for row in rows if (match := _KEY.match(row)) is not None]
    if pairs:
        return {_scalar(match[1]): _scalar((match[2] or "").strip()) for match in pairs}
    return _scalar(" ".join(rows))


def _block(lines: Sequence[str], *, is_folded: bool) -> str:
    indent = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    bare = [line[indent:].rstrip() for line in lines]
    if not is_folded:
        return "\n".join(bare).strip("\n")
    return "\n".join(" ".join(part.split("\n")) for part in "\n".join(bare).strip("\n").split("\n\n"))


def _flow(text: str) -> Value:
    try:
        found = json.loads(text)
    except ValueError:
        found = None
    if isinstance(found, dict):
        return {str(key): _word(each) for key, each in found.items()}
    if isinstance(found, list):
        return [_word(each) for each in found]
    inner = text.partition("#")[0].strip().strip("[]{}")
    parts = [part.strip() for part in re.split(r",(?=(?:[^\"']|\"[^\"]*\"|'[^']*')*$)", inner) if part.strip()]
    if text.startswith("{"):
        return {
            _scalar(key.strip()): _scalar(value.strip()) for key, _, value in (part.partition(":") for part in parts)
        }
    return [_scalar(part) for part in parts]


def _word(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _scalar(text: str) -> str:
    if text.startswith('"'):
        try:
            found, _ = json.JSONDecoder().raw_decode(text)
        except ValueError:
            return text.strip('"')
        return str(found)
    if text.startswith("'"):
        end = text.find("'", 1)
        while end >= 0 and text[end : end + 2] == "''":
            end = text.find("'", end + 2)
        return text[1 : end if end > 0 else len(text)].replace("''", "'")
    bare = re.split(r"\s#", text, maxsplit=1)[0].strip()
    return "" if bare in {"null", "~"} else bare


def _quoted(text: str) -> str:
    is_plain = _PLAIN.fullmatch(text) and text.lower() not in _WORDS and text == text.strip()
    return text if is_plain else json.dumps(text, ensure_ascii=False)
