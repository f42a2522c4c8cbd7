"""`memoire mcp`: an assistant's stdin and stdout <-> the daemon's socket. Standard library only.

The assistant shows its model no tools before `tools/list` is answered, and waits for it at every start. So this is no
MCP server: it answers what is constant from `baked.json`, which is made from the real one, and passes the rest on.

Until the tools are listed it runs on the few imports of this module and `client`; then it loads the rest, and starts
the daemon.
"""

import os
import select
import sys
from collections.abc import Sequence

from memoire.forwarder.client import TOOLS, Baked, Client, Frame

BAKED_FILE = os.path.join(os.path.dirname(os.path.dirname(__file__)), "baked.json")

SILENCE_S = 0.25
"""A client that says nothing for so long gets its daemon before it lists the tools."""

_USAGE = """usage: memoire mcp [--root DIR] [--tools all|graph|memory] [--read-only]

Speaks MCP on stdin and stdout; an assistant starts it, not a person.

  --root DIR    a folder in the project, the current one unless given
  --tools SOME  offers all tools, the four of the graph, or those of the notes
  --read-only   offers none that writes"""


def main(arguments: Sequence[str]) -> int:
    """Run `memoire mcp`; return its exit status."""
    rest = list(arguments)
    if rest[:1] in (["-h"], ["--help"]):
        sys.stdout.write(f"{_USAGE}\n")
        return 0
    given = {"--root": "", "--tools": "all", "--read-only": ""}
    while rest and rest[0] in given and (rest[0] == "--read-only" or len(rest) > 1):
        option = rest.pop(0)
        given[option] = "yes" if option == "--read-only" else rest.pop(0)
    if rest or given["--tools"] not in TOOLS:
        sys.stderr.write(f"{_USAGE}\n")
        return 2
    folder = given["--root"] or os.getcwd()
    if os.isatty(0):
        sys.stderr.write("This speaks MCP with an assistant, which starts it by itself. Ctrl-D ends it.\n")
    return forward(folder, BAKED_FILE, tools=given["--tools"], is_read_only=bool(given["--read-only"]))


def forward(
    folder: str,
    baked_file: str,
    command: Sequence[str] | None = None,
    *,
    tools: str = "all",
    is_read_only: bool = False,
) -> int:
    """Serve the client on stdin and stdout until it leaves; return the exit status.

    Args:
        folder: In the project, or anywhere: then every call is answered by what is to be done about it.
        baked_file: What the real server answers always the same.
        command: Starts the daemon; the one of this installation unless given.
        tools: Which tools are offered: all, graph, memory.
        is_read_only: Whether those that write are left out.
    """
    parent = os.getppid()
    try:
        client = Client(Baked(baked_file, tools, is_read_only=is_read_only))
        frames = _serve_early(client)
        from memoire.forwarder.relay import Link, Relay

        return Relay(client, Link(folder, command), parent).run(frames)
    except BrokenPipeError:
        return 0  # the client is gone, and with it whoever could be told
    except OSError as error:
        sys.stderr.write(f"memoire mcp: {error}\n")
        return 1
    except KeyboardInterrupt:
        return 130


def _serve_early(client: Client) -> list[Frame]:
    """Answer what needs no daemon until the tools are listed; return what does need one."""
    frames: list[Frame] = []
    while client.outgoing or not (frames or client.is_over or client.has_listed):
        readers = [] if frames or client.is_over else [client.stdin]
        readable, writable, _ = select.select(readers, [client.stdout] if client.outgoing else [], [], SILENCE_S)
        if not readable and not writable and not client.outgoing:
            break
        if readable:
            frames += client.read()
        if writable:
            client.flush()
    return frames
