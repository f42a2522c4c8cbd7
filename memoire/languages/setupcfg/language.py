"""`setup.cfg`: what a Python project requires and the commands it installs.

Source: https://setuptools.pypa.io/en/latest/userguide/declarative_config.html.
"""

import re
from itertools import pairwise

from memoire.extract.registries import entry_point, require
from memoire.extract.spec import Language
from memoire.extract.structured import Found, structured
from memoire.resolution.paths import resolve_path
from memoire.resolution.python_modules import member

_SECTION = re.compile(r"\[([^\]\n]+)\]\s*\Z")
_PAIR = re.compile(r"([\w.-]+)\s*[=:]\s*(.*)\Z")
_REQUIRES = frozenset({"install_requires", "setup_requires", "tests_require"})


def read(found: Found) -> None:
    """Fill in what one file says."""
    section, key = "", ""
    said: dict[tuple[str, str], str] = {}
    heads = [number for number, line in enumerate(found.lines, 1) if _SECTION.match(line.strip())]
    ends = {first: following - 1 for first, following in pairwise([*heads, len(found.lines) + 1])}
    scope = -1
    for number, line in enumerate(found.lines, 1):
        text = line.split(" #", 1)[0].rstrip()
        if not text.strip() or text.lstrip()[0] in "#;":
            continue
        if number in ends:
            section, key = line.strip()[1:-1].strip(), ""
            scope = found.define(section, "key", number, _content_end(found.lines, number, ends[number]))
            continue
        pair = None if text[0].isspace() else _PAIR.match(text)
        value = text.strip()
        if pair is not None:
            key, value = pair[1], pair[2].strip()
            said.setdefault((section, key), value)
        if value:
            _value(found, section, key, value, number, scope)
    title = " ".join(filter(None, (said.get(("metadata", "name"), ""), said.get(("metadata", "version"), ""))))
    found.summary = ": ".join(filter(None, (title, said.get(("metadata", "description"), ""))))


def _content_end(lines: list[str], first: int, end: int) -> int:
    while end > first and not lines[end - 1].strip():
        end -= 1
    return end


def _value(found: Found, section: str, key: str, value: str, line: int, scope: int) -> None:
    if (section == "options" and key in _REQUIRES) or section == "options.extras_require":
        require(found, value, line, scope)
    elif section == "options.entry_points" and "=" in value:
        entry_point(found, value.partition("=")[2], line, scope)


LANGUAGE = Language(
    name="setupcfg",
    titles={".cfg": "ini"},
    suffixes=(),
    filenames=("setup.cfg",),
    resolve=resolve_path,
    member=member,
    read=structured("setupcfg", read),
    is_setting=True,
)
