"""Reads one record of the spool: its frame here, what is in it by the parser of its client.

A record begins with the number of its format and a unit separator. What follows in format 1: of an assistant, the time
it was received (microseconds since the epoch), a separator, and what the client sent, to the byte; of a shell, what
`shell` says.
"""

from memoire.clients.payloads import PARSERS, shell
from memoire.episodes.actions import Action

_BEGIN = b"1\x1f"


def read_record(client: str, name: str, data: bytes) -> list[Action] | None:
    """Return the actions that a record tells; None for one that cannot be understood.

    Args:
        client: Whose hook wrote it.
        name: Of its file: no other record has it.
        data: The record without its end.
    """
    if not data.startswith(_BEGIN):
        return None
    if client in shell.SHELLS:
        action = shell.action(client, name, data)
        return None if action is None else [action]
    parse = PARSERS.get(client)
    received, separator, payload = data[len(_BEGIN) :].partition(b"\x1f")
    if parse is None or not separator or not received.isdigit():
        return None
    return parse(payload, shell.from_us(int(received[:18])))
