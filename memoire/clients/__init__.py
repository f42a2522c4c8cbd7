"""The assistants and shells that are configured by memoire: one module each."""

from memoire.clients import claude_code
from memoire.clients._spec import Client

CLIENTS: tuple[Client, ...] = (claude_code.CLIENT,)
"""Every client. The first is set up where none is detected: others read its files too."""
