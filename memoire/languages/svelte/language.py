"""Svelte: the scripts of components, and what their markup uses of them.

Source: https://svelte.dev/docs/svelte/svelte-files.
"""

import re

from memoire.extract.components import component
from memoire.extract.spec import Language, Script
from memoire.model import Problem

_EXPRESSION = re.compile(r"\{(?:[#:@/]\w+\s)?([^{}]{1,1000})\}")


def script(path: str, data: bytes) -> Script | Problem | None:
    """Return the script of one component."""
    del path
    return component(data, _EXPRESSION, ("use:", "transition:", "in:", "out:", "animate:"))


LANGUAGE = Language(name="svelte", suffixes=(".svelte",), script=script, rules_of="typescript")
