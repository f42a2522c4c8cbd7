"""`Cargo.toml`: the crates that a Rust package requires, its targets, the members of a workspace.

Source: https://doc.rust-lang.org/cargo/reference/manifest.html.
"""

from memoire.extract.keyed import Keyed, define_keys
from memoire.extract.keyed_toml import read_toml
from memoire.extract.spec import Language
from memoire.extract.structured import Found, structured
from memoire.resolution.paths import directories_as

_DEPENDENCIES = ("dependencies", "dev-dependencies", "build-dependencies")
_TARGETS = ("bin", "example", "test", "bench")


def read(found: Found) -> None:
    """Fill in what one manifest says."""
    entries = read_toml(found.text)
    keyed = Keyed(entries)
    title = " ".join(filter(None, (keyed.text("package", "name"), keyed.text("package", "version"))))
    found.summary = ": ".join(filter(None, (title, keyed.text("package", "description"))))
    define_keys(found, (entry for entry in entries if len(entry.keys) == 1 or entry.keys[0] in {"package", "features"}))
    tables: list[tuple[str, ...]] = [(name,) for name in _DEPENDENCIES]
    tables += [("workspace", "dependencies")]
    tables += [(*target.keys, name) for target in keyed.below("target") for name in _DEPENDENCIES]
    for table in tables:
        for entry in keyed.below(*table):
            folder = keyed.text(*entry.keys, "path")
            name = keyed.text(*entry.keys, "package") or entry.keys[-1]
            found.link(_relative(folder) if folder else f"cargo:{name}", entry.line, kind="dependency")
    for text, line in (*keyed.strings("workspace", "members"), *keyed.strings("package", "build")):
        if "*" not in text:
            found.link(_relative(text), line, kind="entry")
    for keys in (("lib",), *(target.keys for name in _TARGETS for target in keyed.below(name))):
        path = keyed.get(*keys, "path")
        if path is not None and isinstance(path.value, str):
            found.link(_relative(path.value), path.line, kind="entry")


def _relative(path: str) -> str:
    return path if path.startswith(".") else f"./{path}"


LANGUAGE = Language(
    name="cargo",
    suffixes=(),
    filenames=("Cargo.toml",),
    resolve=directories_as("Cargo.toml"),
    read=structured("cargo", read),
    is_setting=True,
)
