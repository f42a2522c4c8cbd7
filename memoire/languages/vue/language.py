"""Vue: the scripts of components of one file, and what their templates use of them.

Source: https://vuejs.org/api/sfc-spec.html and https://vuejs.org/api/sfc-script-setup.html.
"""

import re

from memoire.extract.components import component
from memoire.extract.spec import Language, Script
from memoire.model import Problem

_EXPRESSION = re.compile(r"\{\{([^{}]{1,1000})\}\}")


def script(path: str, data: bytes) -> Script | Problem | None:
    """Return the script of one component."""
    del path
    return component(data, _EXPRESSION, (":", "@", "v-", "#"))


LANGUAGE = Language(name="vue", suffixes=(".vue",), script=script, rules_of="typescript")
