"""`package.json`: what a package of JavaScript offers, runs and requires.

Files are found as TypeScript finds them: a built file by its source, a package of the workspace by its name.
Source: https://docs.npmjs.com/cli/configuring-npm/package-json and https://nodejs.org/api/packages.html.
"""

from memoire.extract.commandline import commands
from memoire.extract.keyed import Entry, Keyed, define_keys
from memoire.extract.keyed_json import read_json
from memoire.extract.spec import Language
from memoire.extract.structured import Found, structured

_ENTRIES = (
    "main",
    "module",
    "browser",
    "types",
    "typings",
    "bin",
    "exports",
    "source",
    "react-native",
    "imports",
    "files",
)
_DEPENDENCIES = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")
_DEPTH = 6
_DEFINED = frozenset({"scripts", "exports", "bin"})
"""Keys whose own keys are names that people use; the packages are imports already."""


def read(found: Found) -> None:
    """Fill in what one manifest says."""
    entries, error = read_json(found.text, depth=_DEPTH, lists=True)
    if error:
        found.problem("syntax", f"is no JSON from line {error} on", error)
    keyed = Keyed(entries)
    title = " ".join(filter(None, (keyed.text("name"), keyed.text("version"))))
    found.summary = ": ".join(filter(None, (title, keyed.text("description"))))
    kept = (entry for entry in entries if len(entry.keys) == 1 or (len(entry.keys) == 2 and entry.keys[0] in _DEFINED))
    indexes = define_keys(found, kept)
    seen: set[str] = set()
    for key in _ENTRIES:
        for entry in _below(keyed, key):
            if isinstance(entry.value, str) and _is_file(entry) and _relative(entry.value) not in seen:
                seen.add(_relative(entry.value))
                scope = indexes.get(entry.keys[:2], indexes.get(entry.keys[:1], -1))
                found.link(_relative(entry.value), entry.line, kind="entry", scope=scope)
    for entry in keyed.below("scripts"):
        if isinstance(entry.value, str):
            scope = indexes.get(entry.keys, -1)
            for item in commands(entry.value, entry.line, root="./", scope=scope, count_lines=False):
                found.mention(item)
    for key in _DEPENDENCIES:
        for entry in keyed.below(key):
            found.link(f"npm:{entry.keys[-1]}", entry.line, kind="dependency", scope=indexes.get((key,), -1))


def _below(keyed: Keyed, key: str) -> list[Entry]:
    return [entry for entry in keyed.entries if entry.keys[0] == key]


def _is_file(entry: Entry) -> bool:
    text = str(entry.value)
    if entry.keys[0] in {"files", "imports", "browser"} and not text.startswith("./"):
        return False
    return "*" not in text and "." in text and not text.startswith(("/", "#", "http"))


def _relative(text: str) -> str:
    return text if text.startswith(("./", "../")) else f"./{text}"


LANGUAGE = Language(
    name="npm",
    titles={".json": "json"},
    suffixes=(),
    filenames=("package.json",),
    rules_of="typescript",
    read=structured("npm", read),
    is_setting=True,
)
