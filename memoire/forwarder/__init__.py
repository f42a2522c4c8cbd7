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

from memoire.forwarder.client import Baked, Client, Frame

BAKED_FILE = os.path.join(os.path.dirname(os.path.dirname(__file__)), "baked.json")

SILENCE_S = 0.25
"""A client that says nothing for so long gets its daemon before it lists the tools."""

_USAGE = "usage: memoire mcp [--root DIR]\n\nSpeaks MCP on stdin and stdout; an assistant starts it, not a person."


def main(arguments: Sequence[str]) -> int:
    """Run `memoire mcp`; return its exit status."""
    rest = list(arguments)
    if rest[:1] in (["-h"], ["--help"]):
        sys.stdout.write(f"{_USAGE}\n")
        return 0
    if rest and (len(rest) != 2 or rest[0] != "--root"):
        sys.stderr.write(f"{_USAGE}\n")
        return 2
    folder = rest[1] if rest else os.getcwd()
    if os.isatty(0):
        sys.stderr.write("This speaks MCP with an assistant, which starts it by itself. Ctrl-D ends it.\n")
    return forward(folder, BAKED_FILE)


def forward(folder: str, baked_file: str, command: Sequence[str] | None = None) -> int:
    """Serve the client on stdin and stdout until it leaves; return the exit status.

    Args:
        folder: In the project, or anywhere: then every call is answered by what is to be done about it.
        baked_file: What the real server answers always the same.
        command: Starts the daemon; the one of this installation unless given.
    """
    parent = os.getppid()
    try:
        client = Client(Baked(baked_file))
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
