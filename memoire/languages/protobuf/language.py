"""Protocol buffers: messages, enums, services and their methods; the schemas that one imports.

Source: https://protobuf.dev/reference/protobuf/proto3-spec/.
"""

import re
from posixpath import dirname

from memoire.extract.braces import QUOTED, SINGLE, Piece, comment_above, pieces, style
from memoire.extract.spec import Language
from memoire.extract.structured import Found, leading_comment, structured
from memoire.model import Target
from memoire.resolution.paths import resolve_path
from memoire.tree import Tree

_STYLE = style(line_comments=("//",), strings=f"{QUOTED}|{SINGLE}", ends=";")
_BLOCK = re.compile(r"(message|enum|service|extend)\s+([\w.]+)\s*\Z")
_METHOD = re.compile(r"rpc\s+(\w+)\s*\(")
_IMPORT = re.compile(r"import\s+(?:public\s+|weak\s+)?[\"']([^\"']+)[\"']")
_PACKAGE = re.compile(r"package\s+([\w.]+)")
_GOOGLE = "google/protobuf/"


def read(found: Found) -> None:
    """Fill in what one schema says."""
    found.summary = leading_comment(found.text, "//")
    parts = pieces(found.text, _STYLE)
    indexes: dict[int, int] = {}
    names: dict[int, str] = {}
    for place, part in enumerate(parts):
        imported, package = _IMPORT.match(part.text), _PACKAGE.match(part.text)
        if part.is_block or _METHOD.match(part.text):
            _definition(found, place, part, indexes, names)
        elif imported is not None:
            found.link(imported[1], part.line)
        elif package is not None and not found.summary:
            found.summary = f"package {package[1]}"


def _definition(found: Found, place: int, part: Piece, indexes: dict[int, int], names: dict[int, str]) -> None:
    block, method = _BLOCK.match(part.text), _METHOD.match(part.text)
    if block is None and method is None:
        return
    above = names.get(part.parent, "")
    own = block[2] if block is not None else method[1] if method is not None else ""
    name = f"{above}.{own}" if above else own
    kind = "method" if block is None else block[1] if block[1] != "extend" else "message"
    doc = comment_above(found.text, part.start)
    index = found.define(name, kind, part.line, part.end_line, parent=indexes.get(part.parent, -1), doc=doc)
    if index >= 0:
        indexes[place], names[place] = index, name


def resolve(tree: Tree, path: str, specifier: str) -> Target:
    """Return the schema of an import: looked for from each folder above, as compilers are told roots (`-I`)."""
    if specifier.startswith(_GOOGLE) and not tree.is_file(specifier):
        return Target("builtin", "google.protobuf")
    folder = dirname(path)
    while True:
        for root in ("", "proto/", "protos/"):
            file = "/".join(filter(None, (folder, root + specifier)))
            if file != path and tree.is_file(file):
                return Target("file", file)
        if not folder:
            return resolve_path(tree, path, f"/{specifier}")
        folder = dirname(folder)


LANGUAGE = Language(
    name="protobuf",
    suffixes=(".proto",),
    resolve=resolve,
    resolves_by_file=True,
    read=structured("protobuf", read),
)
