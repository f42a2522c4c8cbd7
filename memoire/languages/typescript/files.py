"""Which file a module path names: TypeScript's rules for extensions, then what bundlers and Node add to them.

Where TypeScript would take a declaration file beside its implementation, the implementation is taken: it is what runs,
so it is what a change breaks. Only a declaration file that imports keeps to declarations.

Source: https://www.typescriptlang.org/docs/handbook/modules/reference.html (file extension substitution, extensionless
relative paths, directory modules).
"""

from posixpath import basename, dirname, join, normpath, splitext

from memoire.tree import Tree

SUFFIXES = (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs")
_DECLARATIONS = (".d.ts", ".d.mts", ".d.cts")
_OTHERS = (".json", ".vue", ".svelte")

_WRITTEN: dict[str, tuple[str, ...]] = {
    ".js": (".ts", ".tsx", ".js", ".jsx", ".d.ts"),
    ".jsx": (".tsx", ".ts", ".jsx", ".js", ".d.ts"),
    ".mjs": (".mts", ".mjs", ".d.mts", ".d.ts"),
    ".cjs": (".cts", ".cjs", ".d.cts", ".d.ts"),
    ".ts": (".ts", ".tsx", ".d.ts", ".js"),
    ".tsx": (".tsx", ".ts", ".d.ts", ".jsx"),
    ".mts": (".mts", ".d.mts", ".mjs"),
    ".cts": (".cts", ".d.cts", ".cjs"),
    ".d.ts": (".d.ts", ".ts", ".tsx", ".js"),
    ".d.mts": (".d.mts", ".mts", ".mjs"),
    ".d.cts": (".d.cts", ".cts", ".cjs"),
    ".json": (".json", ".d.json.ts"),
}
"""The extension of a specifier -> the extensions of the file it may mean."""

_PLATFORMS = (".native", ".ios", ".android", ".web")
"""React Native: `./Button` is `Button.ios.tsx` on one platform; the first that exists stands for all."""


def _is_declaration(suffix: str) -> bool:
    return suffix.startswith(".d.")


class Order:
    """The order in which one kind of importing file tries extensions."""

    def __init__(self, *, scripts_first: bool = False, declarations_first: bool = False) -> None:
        self._scripts_first = scripts_first
        self._declarations_first = declarations_first
        self.added = self._sorted(SUFFIXES + _DECLARATIONS) + _OTHERS
        self.written = {
            suffix: (suffix, *(s for s in self._sorted(tried) if s != suffix)) if scripts_first else self._sorted(tried)
            for suffix, tried in _WRITTEN.items()
        }
        self.platforms = tuple(platform + suffix for platform in _PLATFORMS for suffix in self.added[:8])

    def _sorted(self, suffixes: tuple[str, ...]) -> tuple[str, ...]:
        def rank(suffix: str) -> int:
            if self._declarations_first:
                return 0 if _is_declaration(suffix) else 1
            if self._scripts_first:
                return 2 if _is_declaration(suffix) else 0 if "js" in suffix else 1
            return 0

        return tuple(sorted(suffixes, key=rank))


SOURCE_ORDER = Order()
_SCRIPT_ORDER = Order(scripts_first=True)
_DECLARATION_ORDER = Order(declarations_first=True)


def order_of(path: str) -> Order:
    """Return the order in which a file tries extensions."""
    _, suffix = split_suffix(path)
    if _is_declaration(suffix):
        return _DECLARATION_ORDER
    return _SCRIPT_ORDER if suffix in {".js", ".jsx", ".mjs", ".cjs"} else SOURCE_ORDER


def split_suffix(path: str) -> tuple[str, str]:
    """Return (stem, extension) of a path; the extension is that of a script, declaration or JSON file, else empty."""
    stem, suffix = splitext(path)
    if stem.endswith(".d") and suffix in {".ts", ".mts", ".cts"}:
        return stem[:-2], ".d" + suffix
    return (stem, suffix) if suffix in _WRITTEN else (path, "")


def join_path(directory: str, relative: str) -> str | None:
    """Return the path `relative` names as seen from a directory, empty for the root; None outside the project."""
    if "\\" in relative:
        relative = relative.replace("\\", "/")
    path = normpath(join(directory, relative)) if directory or relative else ""
    if path == ".":
        return ""
    return None if path.startswith(("../", "/")) or path == ".." else path


def find_file(tree: Tree, path: str, order: Order = SOURCE_ORDER) -> str | None:
    """Return the file that a module path means, without looking into directories."""
    if not path:
        return None
    stem, suffix = split_suffix(path)
    if suffix:
        found = tree.first(stem, order.written[suffix])
        if found:
            return found
    elif "." in basename(path)[1:] and tree.is_file(path):
        return path
    return tree.first(path, order.added) or tree.first(path, order.platforms) or (path if tree.is_file(path) else None)


def find_index(tree: Tree, directory: str, order: Order = SOURCE_ORDER) -> str | None:
    """Return the index file of a directory."""
    return find_file(tree, join(directory, "index"), order)


def ancestors(path: str) -> list[str]:
    """Return the directories above a path, nearest first, the root (empty) last."""
    found = []
    while path:
        path = dirname(path)
        found.append(path)
    return found
