"""Draws a part of the graph as SVG: who drives stands left of whom it drives, in columns; no program is needed.

Layered drawing after Sugiyama, Tagawa and Toda (IEEE Transactions on Systems, Man and Cybernetics 11, 1981): layers by
the longest path from a source, circles broken where they are first met; order within a layer by the mean of neighbours.
"""

from collections.abc import Mapping, Sequence
from typing import Any
from xml.sax.saxutils import escape

LETTER, LINE, GAP = 7.2, 26, 90
"""Pixels: width of a letter of the labels, height of a row, space between columns."""

SWEEPS = 6
"""Passes that order the layers; more change next to nothing."""

_STYLE = (
    "text{font:12px ui-monospace,monospace;fill:#1f2328}rect{fill:#fff;stroke:#57606a}"
    ".document rect{fill:#f6f8fa;stroke-dasharray:4 2}.start rect{stroke-width:3}"
    "path{fill:none;stroke:#8c959f}.causal{stroke:#0969da}.costly{stroke:#cf222e;stroke-width:2}"
    "@media(prefers-color-scheme:dark){svg{background:#0d1117}text{fill:#e6edf3}rect{fill:#161b22;stroke:#8b949e}}"
)


def svg(drawing: Mapping[str, Any]) -> str:
    """Return the picture: boxes with paths, and lines that say their relation and evidence when pointed at."""
    nodes = {node["path"]: node for node in drawing["nodes"]}
    arrows = [(edge["source"], edge["target"]) for edge in drawing["edges"]]
    columns = ordered(layers(list(nodes), arrows), arrows)
    places, width, height = _places(columns)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}">',
        f"<style>{_STYLE}</style>",
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0 0L8 4L0 8z" style="fill:#8c959f;stroke:none"/></marker></defs>',
    ]
    for edge in drawing["edges"]:
        kind = "costly" if edge.get("is_costly") else "causal" if edge.get("is_causal") else ""
        told = escape(f"{edge['source']} {edge['relation']} {edge['target']}: {edge['rationale']}")
        curve = _curve(places[edge["source"]], places[edge["target"]])
        lines.append(f'<path class="{kind}" d="{curve}" marker-end="url(#tip)"><title>{told}</title></path>')
    for path, node in nodes.items():
        left, top, wide = places[path]
        kind = f"{node['kind']} start" if node.get("is_start") else node["kind"]
        box = f'<rect x="{left:.1f}" y="{top:.1f}" width="{wide:.1f}" height="{LINE - 8}" rx="3"/>'
        text = f'<text x="{left + 6:.1f}" y="{top + LINE - 14:.1f}">{escape(path)}</text>'
        lines.append(f'<g class="{kind}">{box}{text}</g>')
    return "\n".join([*lines, "</svg>"]) + "\n"


def layers(paths: Sequence[str], arrows: Sequence[tuple[str, str]]) -> list[list[str]]:
    """Return the paths in columns: each one right of all that lead to it, circles aside."""
    after: dict[str, list[str]] = {path: [] for path in paths}
    for source, target in arrows:
        after[source].append(target)
    order = _topological(paths, after)
    place = {path: number for number, path in enumerate(order)}
    depth = dict.fromkeys(order, 0)
    for path in order:
        for target in after[path]:
            if place[target] > place[path]:  # else it closes a circle
                depth[target] = max(depth[target], depth[path] + 1)
    columns: dict[int, list[str]] = {}
    for path in paths:
        columns.setdefault(depth[path], []).append(path)
    return [columns[number] for number in sorted(columns)]


def ordered(columns: list[list[str]], arrows: Sequence[tuple[str, str]]) -> list[list[str]]:
    """Return the columns with each path near the height of those it is tied to."""
    beside: dict[str, list[str]] = {}
    for source, target in arrows:
        beside.setdefault(source, []).append(target)
        beside.setdefault(target, []).append(source)
    for _ in range(SWEEPS):
        height = {path: row - len(column) / 2 for column in columns for row, path in enumerate(column)}
        mean = {
            path: sum(height[other] for other in beside[path]) / len(beside[path]) if path in beside else height[path]
            for path in height
        }
        columns = [sorted(column, key=lambda path: (mean[path], path)) for column in columns]
    return columns


def _topological(paths: Sequence[str], after: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the paths so that each comes before those that it leads to, where no circle forbids it."""
    done: dict[str, None] = {}
    for first in reversed(paths):
        stack = [(first, iter(after[first]))] if first not in done else []
        open_ones = {first}
        while stack:
            path, rest = stack[-1]
            target = next((each for each in rest if each not in done and each not in open_ones), None)
            if target is None:
                done[path] = None
                stack.pop()
            else:
                open_ones.add(target)
                stack.append((target, iter(after[target])))
    return list(done)[::-1]


def _places(columns: Sequence[Sequence[str]]) -> tuple[dict[str, tuple[float, float, float]], float, float]:
    """Return (path -> left, top and width of its box; width and height of the picture), in pixels."""
    tallest = max((len(column) for column in columns), default=0)
    places: dict[str, tuple[float, float, float]] = {}
    left = 10.0
    for column in columns:
        wide = max(len(path) for path in column) * LETTER + 12
        top = 10.0 + (tallest - len(column)) * LINE / 2
        for row, path in enumerate(column):
            places[path] = (left, top + row * LINE, len(path) * LETTER + 12)
        left += wide + GAP
    return places, max(left - GAP + 10, 20.0), tallest * LINE + 20.0


def _curve(source: tuple[float, float, float], target: tuple[float, float, float]) -> str:
    """Return the way from the right of one box to the left of another; to one further left it turns back."""
    start, height = source[0] + source[2], source[1] + (LINE - 8) / 2
    end, to_height = target[0], target[1] + (LINE - 8) / 2
    bend = max(abs(end - start) / 2, 30.0)
    points = ((start, height), (start + bend, height), (end - bend, to_height), (end, to_height))
    first, *others = (f"{x:.1f} {y:.1f}" for x, y in points)
    return f"M{first}C{' '.join(others)}"
