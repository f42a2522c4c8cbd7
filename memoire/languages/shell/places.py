"""Works out which file a word of a shell script names: from the script's own folder, the root, or where it runs.

A place is a path that begins with `HERE` (the folder of the script), `ROOT` (the top of the repository) or neither:
it is then taken from where the script runs.
"""

import re
from collections.abc import Mapping
from posixpath import basename, dirname, join, normpath

from memoire.languages.shell.syntax import Command, Parser
from memoire.languages.shell.words import Word

HERE, ROOT, SELF = "\x01", "\x02", "\x03"
_MAX_CODE = 400
"""Characters of a substitution that is looked into."""

_ITSELF = re.compile(r"(?:0|BASH_SOURCE(?:\[[0@]\])?|BASH_SOURCE\[\$?\{?#?[^\]]*\]|\(%\):-%[xN])(:[aA]|:P)?")
_FOLDER = re.compile(r"(?:(?:0|BASH_SOURCE(?:\[0\])?|\(%\):-%[xN])(?:%/\*|(?::[aA]|:P)?:h))")
_HERE_NAMES = frozenset({"BATS_TEST_DIRNAME"})
_ROOT_NAMES = frozenset({"GITHUB_WORKSPACE", "CI_PROJECT_DIR", "TRAVIS_BUILD_DIR", "BUILDKITE_BUILD_CHECKOUT_PATH"})
_VALUE = re.compile(r"([A-Za-z_]\w*)(%/\*|%/|:h)?")
_DEFAULT = re.compile(r"([A-Za-z_]\w*):?[-=](.*)", re.DOTALL)
_PLACES = re.compile(r"dirname|pwd|readlink|realpath|rev-parse|\bcd\b|PWD")


def place_of(word: Word, values: Mapping[str, str | None], where: str | None, depth: int = 0) -> str | None:
    """Return the place that a word names, None where that cannot be known.

    Args:
        word: As written.
        values: Variable -> the place it holds.
        where: The folder in which it runs, as a place; None where that is not known.
        depth: How many substitutions it stands in.
    """
    found = ""
    for kind, text in word.pieces:
        if kind == "text":
            part: str | None = text
        elif kind == "param":
            part = _parameter(text, values, where, depth)
        else:
            part = _substituted(text, values, where, depth)
        if part is None:
            return None
        found += part
    return found if word.pieces else None


def _parameter(text: str, values: Mapping[str, str | None], where: str | None, depth: int) -> str | None:
    if _ITSELF.fullmatch(text):
        return f"{HERE}/{SELF}"
    if _FOLDER.fullmatch(text) or text in _HERE_NAMES:
        return HERE
    if text in _ROOT_NAMES:
        return ROOT
    if text == "PWD":
        return where if where is None else where or "."
    default = _DEFAULT.fullmatch(text)
    if default:
        if default[1] in values:
            return values[default[1]]
        inner = Parser(default[2]).word() if depth < 2 and len(default[2]) < _MAX_CODE else None
        return place_of(inner, values, where, depth + 1) if inner is not None else None
    found = _VALUE.fullmatch(text)
    value = values.get(found[1]) if found else None
    if found is None or value is None or not found[2]:
        return value
    return value.rstrip("/") if found[2] == "%/" else parent_of(value)


def parent_of(place: str) -> str:
    """Return the folder that a place lies in."""
    place = place.rstrip("/") or place
    if place in {"", ".", HERE, ROOT} or basename(place) in {"..", "."}:
        return join(place, "..") if place != "." else ".."
    return dirname(place) or "."


def _substituted(code: str, values: Mapping[str, str | None], where: str | None, depth: int) -> str | None:
    """Return the place that a command prints."""
    if depth > 4 or len(code) > _MAX_CODE or not _PLACES.search(code):
        return None
    parser = Parser(code).parse()
    at = where
    found: str | None = None
    for command in parser.commands:
        if command.shell or not command.words:
            continue
        folder = entered(command, values, at, depth + 1)
        if folder is not None:
            at = folder[0]
        else:
            found = _printed(command, values, at, depth + 1)
    return found


def entered(
    command: Command, values: Mapping[str, str | None], where: str | None, depth: int = 0
) -> tuple[str | None] | None:
    """Return the folder that a command changes to (None in it: not known); None where it changes to none."""
    names = [word.literal for word in command.words]
    if not names or names[0] not in {"cd", "pushd", "popd"}:
        return None
    targets = [word for word in command.words[1:] if not (word.literal or "").startswith("-")]
    if names[0] == "popd" or len(targets) != 1:
        return (None,)
    place = place_of(targets[0], values, where, depth)
    return (within(place, where),)


def within(place: str | None, where: str | None) -> str | None:
    """Return a place as seen from a folder."""
    if place is None or place.startswith((HERE, ROOT)):
        return place
    if place.startswith(("/", "~")) or where is None:
        return None
    return join(where, place)


def _printed(command: Command, values: Mapping[str, str | None], where: str | None, depth: int) -> str | None:
    name = command.words[0].literal
    words = [word for word in command.words[1:] if not (word.literal or "").startswith("-")]
    if name == "pwd":
        return where if where is None else where or "."
    if name == "git" and any(word.literal == "--show-toplevel" for word in command.words):
        return ROOT
    if name == "dirname" and len(words) == 1:
        place = place_of(words[0], values, where, depth)
        return None if place is None else parent_of(place)
    if name in {"readlink", "realpath", "echo"} and len(words) == 1:
        return place_of(words[0], values, where, depth)
    return None


def specifier_of(place: str | None, where: str | None) -> str:
    """Return a place as a specifier; empty where it names no file of the project.

    `./x` is taken from the folder of the script, `//x` from the top of the project, `x` from where the script runs.
    """
    place = within(place, where)
    if not place or SELF in place[1:] or HERE in place[1:] or ROOT in place[1:]:
        return ""
    rest = normpath(place[1:].lstrip("/") or ".") if place[0] in {HERE, ROOT} else normpath(place)
    if place[0] == HERE:
        return rest if rest.startswith("..") else f"./{rest}"
    if place[0] == ROOT:
        return "" if rest.startswith("..") else f"//{rest}"
    return rest
