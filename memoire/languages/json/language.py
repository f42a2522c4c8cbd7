"""JSON, with or without comments: the keys of its two upper levels, and the files that it takes over.

A file takes over another by `extends`, `$ref`, `$schema`, and `references` in the settings of TypeScript.
"""

import re

from memoire.extract.keyed import Keyed, define_keys
from memoire.extract.keyed_json import read_json
from memoire.extract.spec import Language
from memoire.extract.structured import Found, structured
from memoire.resolution.paths import directories_as

_REFERENCE = re.compile(r'"\$ref"\s*:\s*"([^"#\\\n:]{1,200})[#"]')
_LOCAL = re.compile(r"\.{1,2}/")
_TITLES = ("title", "description", "name", "displayName")


def read(found: Found) -> None:
    """Fill in what one file says."""
    name = found.path.rpartition("/")[2]
    is_tsconfig = name.startswith(("tsconfig", "jsconfig"))
    entries, error = read_json(found.text, depth=3 if is_tsconfig else 2, lists=is_tsconfig)
    if error:
        found.problem("syntax", f"is no JSON from line {error} on", error)
    define_keys(found, (entry for entry in entries if len(entry.keys) <= 2))
    keyed = Keyed(entries)
    found.summary = next(filter(None, (keyed.text(key) for key in _TITLES)), "")
    for key in ("$schema", "extends"):
        for text, line in keyed.strings(key):
            if _LOCAL.match(text):
                found.link(text, line)
    if is_tsconfig:
        for item in keyed.below("references"):
            found.link(keyed.text(*item.keys, "path"), item.line)
        for text, line in keyed.strings("files"):
            found.link(f"./{text}" if text[0] not in "./" else text, line, kind="entry")
    if '"$ref"' in found.text:
        _references(found)


def _references(found: Found) -> None:
    seen: set[str] = set()
    line, at = 1, 0
    for each in _REFERENCE.finditer(found.text):
        line, at = line + found.text.count("\n", at, each.start()), each.start()
        text = each[1]
        if text not in seen and not text.startswith(("/", "http")):
            seen.add(text)
            found.link(text if text.startswith(".") else f"./{text}", line)


LANGUAGE = Language(
    name="json",
    suffixes=(".json", ".jsonc", ".webmanifest"),
    filenames=(".babelrc", ".eslintrc", ".prettierrc", ".swcrc"),
    resolve=directories_as("tsconfig.json", "index.json", suffixes=(".json",)),
    read=structured("json", read),
    is_setting=True,
)
