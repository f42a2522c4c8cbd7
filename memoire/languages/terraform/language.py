"""Terraform (HCL): resources, data, variables, outputs and modules by their address; the modules and files they use.

Source: https://developer.hashicorp.com/terraform/language/syntax/configuration.
"""

import re

from memoire.extract.braces import QUOTED, Piece, comment_above, pieces, style
from memoire.extract.spec import Language
from memoire.extract.structured import Found, leading_comment, structured
from memoire.resolution.paths import directories_as

_HERE = r"<<-?(?P<mark>[A-Za-z_]\w*)\n(?:.*?\n[ \t]*(?P=mark)\b|.*)"
"""Text up to its mark; without one all the rest, for trying again at each would be quadratic."""
_STYLE = style(line_comments=("#", "//"), strings=f"{QUOTED}|{_HERE}", ends="\n")
_HEADER = re.compile(r"([\w-]+)((?:\s+(?:\"[^\"]*\"|[\w-]+))*)\s*\Z")
_LABEL = re.compile(r"\"([^\"]*)\"|([\w-]+)")
_ASSIGNED = re.compile(r"([\w-]+)\s*=\s*(.*)\Z", re.DOTALL)
"""A block may be the value."""
_REGISTRY = re.compile(r"[\w.-]+(?:/[\w.-]+)+")
"""A module of a registry; a URL is none, and may hold a password."""
_FILE = re.compile(r"\b(?:file|templatefile|filebase64|filemd5|filesha256|filebase64sha256)\(\s*\"([^\"]+)\"")
_PREFIXES = {"variable": "var.", "output": "output.", "module": "module.", "provider": "provider.", "data": "data."}
_KINDS = {"variable": "variable", "output": "variable"}


def read(found: Found) -> None:
    """Fill in what one file says."""
    found.summary = leading_comment(found.text)
    parts = pieces(found.text, _STYLE)
    tops: list[int] = []
    """Of each piece: the block of the top level that it stands in, or is."""
    indexes: dict[int, int] = {}
    blocks: dict[int, str] = {}
    for place, part in enumerate(parts):
        tops.append(place if part.parent < 0 else tops[part.parent])
        if part.depth or not part.is_block:
            _statement(found, part, blocks.get(tops[-1], ""), indexes.get(tops[-1], -1))
            continue
        header = _HEADER.match(part.text)
        if header is not None:
            labels = [a or b for a, b in _LABEL.findall(header[2])]
            blocks[place] = header[1]
            indexes[place] = _block(found, part, header[1], labels)


def _block(found: Found, part: Piece, kind: str, labels: list[str]) -> int:
    if kind in {"locals", "terraform", "moved", "import", "removed", "check"} or not labels:
        return -1
    name = _PREFIXES.get(kind, "") + ".".join(labels)
    doc = comment_above(found.text, part.start)
    return found.define(name, _KINDS.get(kind, "resource"), part.line, part.end_line, doc=doc)


def _statement(found: Found, part: Piece, kind: str, scope: int) -> None:
    """Take in one assignment in a block of this kind, or the header of a block inside it."""
    assigned = _ASSIGNED.match(part.text)
    if assigned is not None and part.depth == 1 and kind == "locals":
        found.define(f"local.{assigned[1]}", "variable", part.line, part.end_line)
    if assigned is not None and part.depth == 1 and kind == "module" and assigned[1] == "source":
        source = assigned[2].strip('"')
        if source.startswith("."):
            found.link(source, part.line, scope=scope)
        elif _REGISTRY.fullmatch(source):
            found.link(f"terraform:{source}", part.line, kind="dependency", scope=scope)
    for each in _FILE.finditer(part.text):
        text = each[1].replace("${path.module}/", "./").replace("${path.root}/", "./")
        if "${" not in text and not text.startswith("/"):
            found.link(text if text.startswith(".") else f"./{text}", part.line, scope=scope)


LANGUAGE = Language(
    name="terraform",
    suffixes=(".tf", ".hcl"),
    resolve=directories_as("main.tf"),
    read=structured("terraform", read),
)
