"""What is left alone in any project, whatever its ignore files say: by name, or by evidence inside a directory."""

import os
import re
from collections.abc import Collection

FOLDERS = frozenset(
    (
        b".bundle", b".bzr", b".cache", b".dart_tool", b".direnv", b".eggs", b".git", b".gradle", b".hg",
        b".hypothesis", b".idea", b".import_linter_cache", b".ipynb_checkpoints", b".jj", b".memoire",
        b".mypy_cache", b".next", b".nox", b".nuxt", b".nyc_output", b".parcel-cache", b".pnpm-store",
        b".pytest_cache", b".pytype", b".ruff_cache", b".serverless", b".svelte-kit", b".svn", b".terraform",
        b".tox", b".turbo", b".venv", b".vs", b".yarn", b"DerivedData", b"Pods", b"__MACOSX", b"__pycache__",
        b"__pypackages__", b"bower_components", b"jspm_packages", b"node_modules", b"site-packages",
    )
)  # fmt: skip
"""Directories that hold other people's code, caches or a version control's data, by name."""

FILES = frozenset(
    (b".DS_Store", b".coverage", b".git", b"4913", b"Thumbs.db", b"desktop.ini", b"ehthumbs.db", b"settings.local.json")
)
"""Files of a desktop, a tool or (the last) one person's settings of Claude Code."""

MARKERS = frozenset(
    (b".git", b".gitignore", b".memoireignore", b"CACHEDIR.TAG", b"autoload.php", b"conda-meta", b"modules.txt",
     b"pyvenv.cfg")
)  # fmt: skip
"""Names whose coming, changing or going may change what is ignored in their directory."""

_TEMPORARY = (
    b"~", b".class", b".crswap", b".kate-swp", b".o", b".obj", b".pyc", b".pyd", b".pyo", b".swo", b".swp", b".swpx",
    b".swx", b".vsctmp", b"___jb_bak___", b"___jb_old___", b"___jb_tmp___",
)  # fmt: skip
_TEMPORARY_STARTS = (b".#", b".goutputstream-", b".merge_file_", b".~lock.", b"._")
_TEMPORARY_PATTERN = re.compile(rb"#.+#|.+\.tmp\.[0-9]+(?:\.[0-9]+)?|\.subl[0-9a-z]+\.tmp")
"""What Emacs saves by itself, what tools name after their process while they write, and Sublime Text's."""

_DOTNET = frozenset((b"bin", b"obj"))
_DOUBTFUL = _DOTNET | {b"_build", b"build", b"dist", b"out", b"output", b"target", b"vendor"}
"""Directories that may be generated or may be source: what is inside tells."""

_EVIDENCE_NAMES = frozenset(
    (
        b".buildinfo", b".doctrees", b".ninja_log", b".rustc_info.json", b"CMakeCache.txt", b"CMakeFiles",
        b"asset-manifest.json", b"build.ninja", b"classes", b"cmake_install.cmake", b"doctrees", b"intermediates",
        b"maven-status", b"project.assets.json",
    )
)  # fmt: skip
_EVIDENCE_ENDS = (
    b".a", b".apk", b".class", b".css.map", b".dll", b".dylib", b".egg", b".exe", b".jar", b".js.map", b".min.js",
    b".o", b".obj", b".pyc", b".rlib", b".so", b".tar.gz", b".tsbuildinfo", b".war", b".whl",
)  # fmt: skip
_EVIDENCE_STARTS = (b"bdist.", b"temp.linux-", b"temp.macosx-", b"temp.win-")
_HASHED = re.compile(rb".*[.-](?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])[0-9a-f]{8,32}\.(?:js|css|mjs)")

_CACHE_TAG = b"Signature: 8a477f597d28d172789f06886806bc55"
"""First bytes of CACHEDIR.TAG. Source: the Cache Directory Tagging Specification, bford.info/cachedir."""


def is_temporary(name: bytes) -> bool:
    """Return whether a file of this name is an editor's or a compiler's own."""
    return (
        name.endswith(_TEMPORARY)
        or name.startswith(_TEMPORARY_STARTS)
        or _TEMPORARY_PATTERN.fullmatch(name) is not None
    )


def is_foreign(names: Collection[bytes]) -> bool:
    """Return whether a directory with these names inside is another project: a repository, submodule or worktree."""
    return b".git" in names


def is_doubtful(rel: bytes) -> bool:
    """Return whether a directory (trailing slash) has a name of which its content tells what it is."""
    return rel[:-1].rpartition(b"/")[2] in _DOUBTFUL


def is_generated(name: bytes, names: Collection[bytes], folder: bytes) -> bool:
    """Return whether a directory is an environment, a cache or a build's output, by what is inside.

    Args:
        name: Of the directory.
        names: Of the entries inside.
        folder: Its path on disk.
    """
    if b"pyvenv.cfg" in names or b"conda-meta" in names or name.endswith((b".egg-info", b".dist-info")):
        return True
    if b"CACHEDIR.TAG" in names and _is_tagged(folder):
        return True
    if name == b"worktrees" and folder.rstrip(b"/").endswith(b"/.claude/worktrees"):
        return True
    if name == b"vendor":
        # Written by `go mod vendor` and by Composer; a vendor directory made by hand has neither.
        return b"modules.txt" in names or b"autoload.php" in names
    if name in _DOTNET:  # scripts and tools live in `bin` too
        return not {b"Debug", b"Release", b"project.assets.json"}.isdisjoint(names)
    return name in _DOUBTFUL and _has_evidence(names)


def _has_evidence(names: Collection[bytes]) -> bool:
    if not _EVIDENCE_NAMES.isdisjoint(names) or (b"index.html" in names and b"assets" in names):
        return True
    return any(
        name.endswith(_EVIDENCE_ENDS)
        or name.startswith(_EVIDENCE_STARTS)
        or _HASHED.fullmatch(name)
        or (name.endswith(b".d.ts") and name[:-5] + b".js" in names)  # what tsc writes
        for name in names
    )


def _is_tagged(folder: bytes) -> bool:
    try:
        with open(os.path.join(folder, b"CACHEDIR.TAG"), "rb") as file:
            return file.read(len(_CACHE_TAG)) == _CACHE_TAG
    except OSError:
        return False
