"""Finds what a `using` of C# names, and which projects see which. Pure but for what it asks the tree.

Source: the C# language specification, "Namespaces and types"; MSBuild's `ProjectReference` and `PackageReference`.
"""

import re
from posixpath import dirname, join, normpath

from memoire.model import Import, Target
from memoire.tree import Tree

FAMILY = "dotnet"
MAX_PROJECTS = 500
"""Projects that one refers to, directly or through others."""
_REFERENCE = re.compile(r"<ProjectReference\b[^>]*?\bInclude\s*=\s*\"([^\"]+)\"", re.IGNORECASE)
_PACKAGE = re.compile(r"<PackageReference\b[^>]*?\bInclude\s*=\s*\"([^\"]+)\"", re.IGNORECASE)
_USING = re.compile(r"<Using\b[^>]*>", re.IGNORECASE)
_INCLUDE = re.compile(r"\bInclude\s*=\s*\"([\w.]+)\"")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_SDK = (
    "System", "System.IO", "System.Linq", "System.Net.Http", "System.Threading", "System.Threading.Tasks",
    "System.Collections.Generic",
)  # fmt: skip
"""Namespaces that the SDK uses in all files of a project with `ImplicitUsings`; others have to name them."""


def implicit(package: str) -> tuple[Import, ...]:
    """Return the imports that a file makes by itself: those of the SDK, of the global namespace, and its own."""
    parts = package.split(".") if package else []
    around = [".".join(parts[: count + 1]) for count in range(len(parts))]
    return tuple(Import(name, "*", "", 1, "implicit") for name in (*_SDK, "", *around))


def resolve(tree: Tree, path: str, specifier: str) -> Target:
    """Return the namespace or type that a `using` names, or the library it is of."""
    name = specifier.removeprefix("global::")
    if not name or tree.is_namespace(FAMILY, name) or tree.declared(FAMILY, name):
        return Target("namespace", name)
    around = name.rpartition(".")[0]
    while around:
        if tree.declared(FAMILY, around):
            return Target("namespace", name)  # a member of a type, a type in a type
        around = around.rpartition(".")[0]
    if name == "System" or name.startswith("System."):
        return Target("builtin", name)
    return Target("package", _package(tree, path, name))


def _package(tree: Tree, path: str, name: str) -> str:
    """Return the package that a namespace is of: one that the project refers to and that is called like its begin."""
    for project in tree.above(dirname(path), ("*.csproj",))[:1]:
        packages = tree.config(project, _packages) or ()
        for package in packages:
            if name == package or name.startswith(package + "."):
                return str(package)
    return ".".join(name.split(".")[:2])


def package_of(_tree: Tree, _path: str, package: str) -> str:
    """Return the namespace that a file declares for all that is in it."""
    return package


def unit_of(tree: Tree, path: str) -> str:
    """Return the project that compiles a file: the nearest above it."""
    return next(iter(tree.above(dirname(path), ("*.csproj",))), "")


def units_seen(tree: Tree, unit: str) -> frozenset[str]:
    """Return a project and all that it refers to, also through others."""
    seen = {unit}
    queue = [unit]
    while queue and len(seen) < MAX_PROJECTS:
        at = queue.pop()
        for written in tree.config(at, _references) or ():
            found = normpath(join(dirname(at), written.replace("\\", "/")))
            if found not in seen and tree.is_file(found):
                seen.add(found)
                queue.append(found)
    return frozenset(seen)


def unit_uses(tree: Tree, unit: str) -> tuple[str, ...]:
    """Return the namespaces that a project file, or what MSBuild takes in with it, uses for all files."""
    configs = (unit, *tree.above(dirname(unit), ("Directory.Build.props", "Directory.Build.targets")))
    return tuple(dict.fromkeys(name for config in configs for name in tree.config(config, _uses) or ()))


def _uses(data: bytes) -> tuple[str, ...]:
    items = _USING.findall(_COMMENT.sub("", data.decode("utf-8", "replace")))
    return tuple(found for item in items if "Alias" not in item for found in _INCLUDE.findall(item))


def _references(data: bytes) -> tuple[str, ...]:
    return tuple(_REFERENCE.findall(_COMMENT.sub("", data.decode("utf-8", "replace"))))


def _packages(data: bytes) -> tuple[str, ...]:
    found = _PACKAGE.findall(_COMMENT.sub("", data.decode("utf-8", "replace")))
    return tuple(sorted(found, key=len, reverse=True))
