"""`Cargo.toml`: the crates that a Rust package requires, its targets, the members of a workspace.

Source: https://doc.rust-lang.org/cargo/reference/manifest.html.
"""

from posixpath import dirname

from memoire.extract.guards import MAX_BYTES
from memoire.extract.keyed import Keyed, define_keys
from memoire.extract.keyed_toml import read_toml
from memoire.extract.registries import beside
from memoire.extract.spec import Language
from memoire.extract.structured import Found, structured
from memoire.model import Target
from memoire.resolution.paths import resolve_inside
from memoire.tree import Tree

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
            is_shared = keyed.get(*entry.keys, "workspace") is not None
            specifier = beside(folder) if folder else f"{'workspace' if is_shared else 'cargo'}:{name}"
            found.link(specifier, entry.line, kind="dependency")
    for text, line in (*keyed.strings("workspace", "members"), *keyed.strings("package", "build")):
        if "*" not in text:
            found.link(beside(text), line, kind="entry")
    for keys in (("lib",), *(target.keys for name in _TARGETS for target in keyed.below(name))):
        path = keyed.get(*keys, "path")
        if path is not None and isinstance(path.value, str):
            found.link(beside(path.value), path.line, kind="entry")


def resolve(tree: Tree, path: str, specifier: str) -> Target:
    """Return what a specifier names; `workspace:x` is what the workspace around says of `x`."""
    scheme, _, name = specifier.partition(":")
    if scheme == "workspace":
        for manifest in tree.above(dirname(path), ("Cargo.toml",)):
            shared: dict[str, str] = tree.config(manifest, parse_shared) or {}
            if shared.get(name):
                return resolve_inside(tree, manifest, beside(shared[name]), ("Cargo.toml",))
        specifier = f"cargo:{name}"
    return resolve_inside(tree, path, specifier, ("Cargo.toml",))


def parse_shared(data: bytes) -> dict[str, str]:
    """Return the dependencies that a workspace shares: name -> folder, empty for those from outside."""
    keyed = Keyed(read_toml(data[:MAX_BYTES].decode("utf-8", "replace")))
    return {entry.keys[-1]: keyed.text(*entry.keys, "path") for entry in keyed.below("workspace", "dependencies")}


LANGUAGE = Language(
    name="cargo",
    titles={".toml": "toml"},
    suffixes=(),
    filenames=("Cargo.toml",),
    resolve=resolve,
    read=structured("cargo", read),
    is_setting=True,
)
