"""Finds the file that `require` names, and tells specs and tests from code.

Source: `package.path` in the Lua 5.4 reference manual; the folders that LuaRocks, Neovim and busted put on it.
"""

from posixpath import basename, dirname, join, normpath

from memoire.model import Target
from memoire.tree import Tree

_ROOTS = ("", "src", "lua", "lib")
_MARKERS = (
    "main.lua",
    "conf.lua",
    ".busted",
    ".luacheckrc",
    ".luarc.json",
    ".luarc.jsonc",
    "stylua.toml",
    ".stylua.toml",
)
"""What lies where a program starts, or its tools do."""
BUILTIN = frozenset({
    "string", "table", "math", "io", "os", "coroutine", "package", "debug", "utf8", "bit", "bit32", "ffi", "jit",
    "table.new", "table.clear", "table.nkeys", "string.buffer", "jit.util", "jit.opt",
})  # fmt: skip


def resolve(tree: Tree, path: str, specifier: str) -> Target:
    """Return what `require` names in the file at `path`: below the nearest folder that has it."""
    if specifier in BUILTIN:
        return Target("builtin", specifier)
    if specifier.endswith(".lua"):
        found = _above(tree, path, (specifier,))
        return Target("file", found) if found else Target("unresolved", specifier)
    place = specifier.strip("/") if "/" in specifier else specifier.replace(".", "/").strip("/")
    if not place or ".." in specifier:
        return Target("unresolved", specifier)
    found = _above(tree, path, (f"{place}.lua", f"{place}/init.lua"))
    return Target("file", found) if found else Target("package", specifier.partition(".")[0].partition("/")[0])


def _above(tree: Tree, path: str, names: tuple[str, ...]) -> str | None:
    """Return the first of some files below a folder that a program starts in, or else that the file lies in."""
    for folder in _folders(tree, path):
        for root in _ROOTS:
            for name in names:
                found = normpath(join(folder, root, name))
                if found != path and not found.startswith("..") and tree.is_file(found):
                    return found
    return None


def _folders(tree: Tree, path: str) -> list[str]:
    """Return where the working directory may be: what says so first, then the top, then the folders around."""
    folder = dirname(path)
    around = [folder]
    while folder:
        folder = dirname(folder)
        around.append(folder)
    marked = [dirname(marker) for marker in tree.above(dirname(path), _MARKERS)]
    return list(dict.fromkeys((*marked, "", *around)))


def is_test(path: str) -> bool:
    """Return whether busted, luaunit or telescope-like runners collect the file, or it lies in a test folder."""
    stem = basename(path).rpartition(".")[0]
    if stem.endswith(("_spec", "_test", "-test", ".test", ".spec")) or stem.startswith(("test_", "test-")):
        return True
    return any(part in {"spec", "specs", "test", "tests"} for part in path.split("/")[:-1])
