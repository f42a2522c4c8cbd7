"""The commands that write the graph: all of it as records, a part of it as a drawing."""

import sys
from collections.abc import Callable, Sequence

from memoire.sdk import Memoire
from memoire.terminal import arguments, drawing, export
from memoire.terminal.arguments import Parser, project_root
from memoire.terminal.outcome import Outcome


def export_graph(command: str, summary: str, given: Sequence[str]) -> Outcome:
    """Write every node and edge, to standard output or into a file.

    Raises:
        MemoireError: The daemon does not answer.
        OSError: The file cannot be written.
    """
    parser = Parser.of(command, summary)
    parser.add_argument("-o", "--output", metavar="FILE", default="", help="write there instead of standard output")
    options = parser.parse(given)
    project = Memoire(project_root(options.root))
    if not options.output:
        export.write(project, sys.stdout)
        return Outcome(None, as_json=False)
    return Outcome({"output": options.output, **export.write_file(project, options.output)}, options.json)


def show(command: str, summary: str, given: Sequence[str]) -> Outcome:
    """Draw, to standard output or into a file.

    Raises:
        MemoireError: The daemon does not answer; a path names nothing.
        OSError: The file cannot be written.
    """
    parser = Parser.of(command, summary)
    parser.add_argument("paths", metavar="PATH", nargs="*", help="files or directories (default: the best edges)")
    parser.add_argument("--format", choices=list(drawing.FORMATS), default="mermaid", help="default: mermaid")
    parser.add_argument("--depth", type=arguments.whole_number, default=1, help="how many edges away (default: 1)")
    parser.add_argument("--limit", type=arguments.whole_number, default=40, help="most files (default: 40)")
    parser.add_argument("--relation", action="append", default=[], help="only this relation (default: all causal ones)")
    parser.add_argument("-o", "--output", metavar="FILE", default="", help="write there instead of standard output")
    options = parser.parse(given)
    root = project_root(options.root)
    paths = options.paths if options.root else [arguments.from_root(root, path) for path in options.paths]
    asked = {"depth": options.depth, "limit": options.limit, "relations": options.relation}
    found = Memoire(root).call("subgraph", paths=paths, **asked)
    text = drawing.FORMATS[options.format](found)
    told = {
        "shown": len(found["nodes"]),
        "files": found["files"],
        "edges": len(found["edges"]),
        "as_of": found["as_of"],
    }
    if options.output:
        export.write_text(options.output, text)
        return Outcome({"output": options.output, **told}, options.json)
    if options.json:
        return Outcome({"format": options.format, "text": text, **told}, as_json=True)
    sys.stdout.write(text)
    return Outcome(None, as_json=False)


COMMANDS: dict[str, Callable[[str, str, Sequence[str]], Outcome]] = {
    "export": export_graph,
    "graph show": show,
}
