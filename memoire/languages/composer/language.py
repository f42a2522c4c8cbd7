"""`composer.json`: what a package of PHP requires, loads and runs.

Source: https://getcomposer.org/doc/04-schema.md.
"""

from memoire.extract.commandline import commands
from memoire.extract.keyed import Keyed, define_keys
from memoire.extract.keyed_json import read_json
from memoire.extract.spec import Language
from memoire.extract.structured import Found, structured
from memoire.resolution.paths import resolve_path


def read(found: Found) -> None:
    """Fill in what one manifest says."""
    entries, error = read_json(found.text, depth=4, lists=True)
    if error:
        found.problem("syntax", f"is no JSON from line {error} on", error)
    keyed = Keyed(entries)
    title = " ".join(filter(None, (keyed.text("name"), keyed.text("version"))))
    found.summary = ": ".join(filter(None, (title, keyed.text("description"))))
    indexes = define_keys(found, (entry for entry in entries if len(entry.keys) == 1 or entry.keys[0] == "scripts"))
    for key in ("require", "require-dev"):
        for entry in keyed.below(key):
            if "/" in entry.keys[-1]:
                found.link(f"composer:{entry.keys[-1]}", entry.line, kind="dependency", scope=indexes.get((key,), -1))
    for keys in (("bin",), ("autoload", "files"), ("autoload-dev", "files")):
        for text, line in keyed.strings(*keys):
            found.link(f"./{text}", line, kind="entry")
    for entry in keyed.below("scripts"):
        for text, line in keyed.strings(*entry.keys):
            for item in commands(text, line, root="./", scope=indexes.get(entry.keys, -1), count_lines=False):
                found.mention(item)


LANGUAGE = Language(
    name="composer",
    titles={".json": "json"},
    suffixes=(),
    filenames=("composer.json",),
    resolve=resolve_path,
    read=structured("composer", read),
    is_setting=True,
)
