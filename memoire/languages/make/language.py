"""Makefiles: targets and variables, the files they include, what their recipes run.

Source: https://www.gnu.org/software/make/manual/make.html.
"""

import re

from memoire.extract.commandline import commands
from memoire.extract.spec import Language
from memoire.extract.structured import Found, leading_comment, structured
from memoire.resolution.paths import resolve_path

_INCLUDE = re.compile(r"[ ]*(?:-|s)?include[ \t]+([^#\n]+)")
_VARIABLE = re.compile(r"[ ]*(?:(?:export|override|private)[ \t]+)*([A-Za-z_][\w.-]*)[ \t]*(?:::?:?|\?|\+|!)?=")
_DEFINE = re.compile(r"[ ]*(?:override[ \t]+)?define[ \t]+([\w.-]+)")
_RULE = re.compile(r"([^\s:#=$(][^:#=]*?)[ \t]*&?::?(?![=:])([^=\n;]*)(?:;(.*))?$")
_TARGET = re.compile(r"[\w./@+%-]+")
_DOC = re.compile(r"##\s*(.+)")


def read(found: Found) -> None:
    """Fill in what one makefile says."""
    found.summary = leading_comment(found.text)
    lines = found.lines
    seen: set[str] = set()
    index = 0
    while index < len(lines):
        start = index
        text = lines[index]
        while text.endswith("\\") and index + 1 < len(lines):
            index += 1
            text = f"{text[:-1]}{lines[index]}"
        index += 1
        if text.startswith("\t") or not text.strip() or text.lstrip().startswith("#"):
            continue
        define, include, variable = _DEFINE.match(text), _INCLUDE.match(text), _VARIABLE.match(text)
        if define is not None:
            while index < len(lines) and lines[index].strip() != "endef":
                index += 1
            _once(found, seen, define[1], "variable", (start + 1, index + 1))
        elif include is not None:
            for word in include[1].split():
                if not re.search(r"[$*?]", word):
                    found.link(word, start + 1)
        elif variable is not None:
            _once(found, seen, variable[1], "variable", (start + 1, index))
        else:
            index = _rule(found, seen, start, index, text)


def _once(found: Found, seen: set[str], name: str, kind: str, span: tuple[int, int], doc: str = "") -> int:
    if name in seen:
        return -1
    seen.add(name)
    return found.define(name, kind, span[0], min(span[1], len(found.lines)), doc=doc)


def _rule(found: Found, seen: set[str], start: int, index: int, text: str) -> int:
    """Take in a rule with its recipe; return the index of the line behind it."""
    rule = _RULE.match(text.partition("#")[0].rstrip())
    if rule is None:
        return index
    end = index
    while end < len(found.lines) and (found.lines[end].startswith("\t") or not found.lines[end].strip()):
        end += 1
    while end > index and not found.lines[end - 1].strip():
        end -= 1
    doc = _DOC.search(text)
    scope = -1
    for name in rule[1].split():
        if name[0] != "." and _TARGET.fullmatch(name):
            kept = _once(found, seen, name, "target", (start + 1, end), doc[1] if doc else "")
            scope = max(scope, kept)
    recipe = "\n".join(line.lstrip("\t@-+ ") for line in found.lines[index:end])
    if rule[3]:
        recipe = f"{rule[3].strip()}\n{recipe}"
    first = start + 1 if rule[3] else index + 1
    for one, number in _shells(recipe, first):
        for item in commands(one, number, root="", scope=scope):
            found.mention(item)
    return end


def _shells(recipe: str, line: int) -> list[tuple[str, int]]:
    """Return (command, its line) for each line of a recipe, which has a shell of its own."""
    found = []
    for part in re.split(r"(?<!\\)\n", recipe):
        found.append((part, line))
        line += part.count("\n") + 1
    return found


LANGUAGE = Language(
    name="make",
    suffixes=(".mk", ".mak"),
    filenames=("Makefile", "makefile", "GNUmakefile"),
    resolve=resolve_path,
    read=structured("make", read),
    is_setting=True,
)
