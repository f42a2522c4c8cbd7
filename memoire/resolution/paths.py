"""Resolves what configuration, markup and schemas name: a file by its exact path, a module of Python, a package.

A specifier says how it is to be read:

- `pypi:requests`, `npm:react`, `docker:postgres`…: a package outside the project, by the registry it comes from;
- `python:app.main`: a module of the distribution whose manifest lies in the file's folder;
- anything else: a path. With a dot first it is relative to the file's folder, with a slash to the root; else to the
  folder, then to the root.
"""

import re
from collections.abc import Callable
from posixpath import dirname, join, normpath

from memoire.model import Target
from memoire.resolution import python_modules
from memoire.resolution.links import find_path
from memoire.tree import Tree

_MODULES = {
    "attrs": "attr", "beautifulsoup4": "bs4", "biopython": "Bio", "dnspython": "dns", "gitpython": "git",
    "google_cloud_storage": "google", "grpcio": "grpc", "mysqlclient": "MySQLdb", "opencv_python": "cv2",
    "opencv_python_headless": "cv2", "pillow": "PIL", "protobuf": "google", "psycopg2_binary": "psycopg2",
    "pycryptodome": "Crypto", "pyjwt": "jwt", "pymysql": "pymysql", "pyopenssl": "OpenSSL", "pyserial": "serial",
    "python_dateutil": "dateutil", "python_dotenv": "dotenv", "python_jose": "jose", "python_multipart": "multipart",
    "pyyaml": "yaml", "pyzmq": "zmq", "ruamel.yaml": "ruamel", "scikit_image": "skimage", "scikit_learn": "sklearn",
    "setuptools": "setuptools", "websocket_client": "websocket",
}  # fmt: skip
"""Distribution -> the module it installs, where the two are called differently."""


def distribution_module(name: str) -> str:
    """Return the module that a Python distribution installs: by its name, unless it is known to differ."""
    plain = re.sub(r"[-_.]+", "_", name.strip()).lower()
    return _MODULES.get(plain, plain)


def _same(name: str) -> str:
    return name


def _crate(name: str) -> str:
    return name.replace("-", "_")


_SCHEMES: dict[str, Callable[[str], str]] = {
    "pypi": distribution_module,
    "npm": _same,
    "go": _same,
    "cargo": _crate,
    "maven": _same,
    "gem": _same,
    "composer": _same,
    "nuget": _same,
    "github": _same,
    "terraform": _same,
    "docker": lambda name: f"docker:{name}",
}
"""Registry -> the name under which code knows a package of it."""


def resolve_path(tree: Tree, path: str, specifier: str) -> Target:
    """Return what a specifier names in the file at `path`."""
    return resolve_inside(tree, path, specifier, ())


def resolve_inside(
    tree: Tree, path: str, specifier: str, inside: tuple[str, ...], suffixes: tuple[str, ...] = ()
) -> Target:
    """Return what a specifier names.

    Args:
        tree: The project's files.
        path: Of the file that names it.
        specifier: As written.
        inside: Files for the first of which a directory that has it stands.
        suffixes: What may be left out at the end of a path.
    """
    scheme, colon, name = specifier.partition(":")
    if colon and scheme in _SCHEMES:
        return Target("package", _SCHEMES[scheme](name))
    if colon and scheme == "python":
        found = python_modules.start_module(tree, (dirname(path),), name, anywhere=False)
        return found or Target("unresolved", specifier)
    target = find_path(tree, path, specifier)
    if target is None and specifier and normpath(join(dirname(path), specifier)) == ".":
        target = Target("directory", "")  # the root itself
    if target is not None and target.kind == "file":
        return target
    if target is not None:
        for name in inside:
            file = f"{target.path}/{name}" if target.path else name
            if tree.is_file(file):
                return Target("file", file)
    for suffix in suffixes:
        longer = None if specifier.endswith("/") else find_path(tree, path, specifier + suffix)
        if longer is not None and longer.kind == "file":
            return longer
    return target or Target("unresolved", specifier)


def directories_as(*inside: str, suffixes: tuple[str, ...] = ()) -> Callable[[Tree, str, str], Target]:
    """Return a `Language.resolve` for which a directory stands for the first of these files in it."""

    def resolve(tree: Tree, path: str, specifier: str) -> Target:
        return resolve_inside(tree, path, specifier, inside, suffixes)

    return resolve
