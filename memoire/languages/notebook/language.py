"""Jupyter notebooks: the code of their cells, read as Python.

Source: https://nbformat.readthedocs.io/en/latest/format_description.html.
"""

import re

from memoire.extract.guards import decode
from memoire.extract.keyed import Keyed
from memoire.extract.keyed_json import read_json
from memoire.extract.spec import Language, Script
from memoire.model import Problem

MAX_BYTES = 10_000_000
"""A notebook holds pictures: it may be larger than code, which of a cell is a line or two."""
_MAGIC = re.compile(r"^(\s*)(?:[%!?]|[\w.]+\?|(?:[\w, ]+)=\s*[%!])")
_KEPT = ("%%time", "%%timeit", "%%capture", "%%prun")
"""Magics of a cell below which there is Python."""


def script(path: str, data: bytes) -> Script | Problem | None:
    """Return the Python of one notebook: each line of code on the line of the file where it stands."""
    del path
    source, recoded = decode(data)
    if recoded is not None and recoded.code == "binary":
        return recoded
    if len(source) > MAX_BYTES:
        return Problem("too-large", f"{len(source) // 1000} kB; only notebooks up to {MAX_BYTES // 1000} kB are read")
    entries, error = read_json(source.decode("utf-8", "replace").replace("\r\n", "\n"), depth=4, lists=True)
    keyed = Keyed(entries)
    if not keyed.below("cells"):
        return Problem("syntax", f"is no notebook from line {error} on", error) if error else None
    language = keyed.text("metadata", "language_info", "name") or keyed.text("metadata", "kernelspec", "language")
    if language.lower() not in {"", "python", "ipython"}:
        return None
    lines: list[str] = []
    for cell in keyed.below("cells"):
        if keyed.text(*cell.keys, "cell_type") == "code":
            _place(lines, [part for part, _ in keyed.strings(*cell.keys, "source")], _lines(keyed, cell.keys))
    return Script(".py", "\n".join([*lines, ""]).encode("utf-8", "replace"))


def _lines(keyed: Keyed, keys: tuple[str, ...]) -> list[int]:
    return [line for _, line in keyed.strings(*keys, "source")]


def _place(lines: list[str], parts: list[str], numbers: list[int]) -> None:
    """Put the code of one cell on its lines; where several stand on one line of the file, behind each other."""
    code = [(text, number) for part, number in zip(parts, numbers, strict=True) for text in part.splitlines()]
    if code and code[0][0].lstrip().startswith("%%") and not code[0][0].lstrip().startswith(_KEPT):
        return
    for text, number in code:
        lines += [""] * (number - 1 - len(lines))
        magic = _MAGIC.match(text)
        lines.append(f"{magic[1]}pass" if magic is not None else text)


LANGUAGE = Language(name="notebook", suffixes=(".ipynb",), script=script, rules_of="python")
