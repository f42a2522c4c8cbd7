"""Reads names of packages as manifests write them: requirements of Python, images, entry points. Pure."""

import re
from posixpath import join, normpath

from memoire.extract.structured import Found

_REQUIREMENT = re.compile(r"\s*([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*(?:\[[^\]]*\])?\s*(?:$|[@<>=!~;,( #])")
_ENTRY = re.compile(r"\s*([A-Za-z_]\w*(?:\.\w+)*)(?:\s*:\s*([A-Za-z_]\w*(?:\.\w+)*))?\s*(?:\[.*\])?\s*\Z")


def image_name(image: str) -> str:
    """Return the name of an image of a container without tag and digest."""
    head, slash, last = image.partition("@")[0].rpartition("/")
    return f"{head}{slash}{last.partition(':')[0]}"


def beside(*parts: str) -> str:
    """Return a path from the folder of the file that says it, as `resolve` reads it: with a dot first."""
    placed = normpath(join(*parts))
    return placed if placed.startswith("..") else f"./{placed}"


def require(found: Found, text: str, line: int, scope: int = -1) -> None:
    """Take in one requirement of Python, as PEP 508 writes it: `anyio[trio]>=4; python_version > "3.8"`."""
    match = _REQUIREMENT.match(text)
    if match is not None and match[1].lower() != "python":
        found.link(f"pypi:{match[1]}", line, kind="dependency", scope=scope)


def entry_point(found: Found, text: str, line: int, scope: int = -1) -> None:
    """Take in one entry point of Python: `package.module:function`, or a module alone."""
    match = _ENTRY.match(text)
    if match is not None:
        found.link(f"python:{match[1]}", line, name=match[2] or "", kind="entry", scope=scope)
