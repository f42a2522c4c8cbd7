"""Writes a part of the graph in the formats of other programs: Mermaid, Graphviz, GraphML, and as a picture."""

import json
from collections.abc import Callable, Mapping
from typing import Any
from xml.sax.saxutils import quoteattr

from memoire.terminal import picture

Drawing = Mapping[str, Any]
"""What the operation `subgraph` gives."""


def mermaid(drawing: Drawing) -> str:
    """Return a flow chart for Mermaid, as Markdown pages show it."""
    ids = _ids(drawing)
    lines = ["flowchart LR"]
    for node in drawing["nodes"]:
        label = node["path"].replace('"', "#quot;").replace("\\", "\\\\")
        lines.append(f"  {ids[node['path']]}{_MERMAID_SHAPES[node['kind']].format(label)}")
    for edge in drawing["edges"]:
        arrow = "==>" if edge.get("is_costly") else "-->" if edge.get("is_causal") else "-.->"
        lines.append(f"  {ids[edge['source']]} {arrow}|{edge['relation']}| {ids[edge['target']]}")
    if starts := [ids[node["path"]] for node in drawing["nodes"] if node.get("is_start")]:
        lines += ["  classDef start stroke-width:3px", f"  class {','.join(starts)} start"]
    return "\n".join(lines) + "\n"


_MERMAID_SHAPES = {"file": '["{0}"]', "document": '(["{0}"])'}


def dot(drawing: Drawing) -> str:
    """Return a graph for Graphviz."""
    lines = ["digraph memoire {", "  rankdir=LR;", "  node [shape=box, fontname=sans];", "  edge [fontname=sans];"]
    for node in drawing["nodes"]:
        shape = ", shape=note" if node["kind"] == "document" else ""
        width = ", penwidth=3" if node.get("is_start") else ""
        lines.append(f"  {_quoted(node['path'])} [label={_quoted(node['path'])}{shape}{width}];")
    for edge in drawing["edges"]:
        style = "" if edge.get("is_causal") else ", style=dashed"
        style += ", penwidth=2" if edge.get("is_costly") else ""
        ends = f"{_quoted(edge['source'])} -> {_quoted(edge['target'])}"
        lines.append(f"  {ends} [label={_quoted(edge['relation'])}, tooltip={_quoted(edge['rationale'])}{style}];")
    return "\n".join([*lines, "}"]) + "\n"


def graphml(drawing: Drawing) -> str:
    """Return a graph in GraphML, as Gephi, yEd and networkx read it."""
    nodes, edges = ("kind", "language", "side_effects"), ("relation", "rationale", "is_causal", "count")
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">']
    for owner, names in (("node", nodes), ("edge", edges)):
        for name in names:
            kind = {"is_causal": "boolean", "count": "int"}.get(name, "string")
            lines.append(f'  <key id="{name}" for="{owner}" attr.name="{name}" attr.type="{kind}"/>')
    lines.append('  <graph id="memoire" edgedefault="directed">')
    for node in drawing["nodes"]:
        lines += [f"    <node id={quoteattr(_clean(node['path']))}>", *_data(node, nodes), "    </node>"]
    for number, edge in enumerate(drawing["edges"]):
        ends = f"source={quoteattr(_clean(edge['source']))} target={quoteattr(_clean(edge['target']))}"
        lines += [f'    <edge id="e{number}" {ends}>', *_data({"count": 1, **edge}, edges), "    </edge>"]
    return "\n".join([*lines, "  </graph>", "</graphml>"]) + "\n"


FORMATS: Mapping[str, Callable[[Drawing], str]] = {
    "mermaid": mermaid,
    "dot": dot,
    "graphml": graphml,
    "svg": picture.svg,
}
"""Format -> what writes it."""


def _ids(drawing: Drawing) -> dict[str, str]:
    return {node["path"]: f"n{number}" for number, node in enumerate(drawing["nodes"])}


def _quoted(text: str) -> str:
    """Return a text as Graphviz quotes it: its escapes are those of JSON, but for letters, which it has bare."""
    return json.dumps(_clean(text), ensure_ascii=False)


def _clean(text: str) -> str:
    """Return a text without the control letters that XML and Graphviz have no place for."""
    return "".join(max(letter, " ") for letter in text)


def _data(fields: Mapping[str, Any], names: tuple[str, ...]) -> list[str]:
    """Return what is known of a node or an edge, a line each; what is not known is left out."""
    lines = []
    for name in names:
        value = fields.get(name, False if name == "is_causal" else "")
        text = " ".join(value) if isinstance(value, list) else str(value)
        text = text.lower() if isinstance(value, bool) else text
        if text:
            lines.append(f'      <data key="{name}">{_escaped(_clean(text))}</data>')
    return lines


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
