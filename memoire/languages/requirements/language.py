"""Requirements and constraints of pip: the packages they list, the lists they take over.

Source: https://pip.pypa.io/en/stable/reference/requirements-file-format/.
"""

import re

from memoire.extract.registries import beside, require
from memoire.extract.spec import Language
from memoire.extract.structured import Found, leading_comment, structured
from memoire.resolution.paths import resolve_path

_LIST = re.compile(r"(?:-r|-c|--requirement|--constraint)[ =]?\s*([^\s#]+)")
_LOCAL = re.compile(r"(?:-e\s+)?(\.{1,2}(?:/[^\s;#\[]*)?)(?:\[[^\]]*\])?(?:\s|\Z)")


def read(found: Found) -> None:
    """Fill in what one list says."""
    found.summary = leading_comment(found.text)
    for number, line in enumerate(found.lines, 1):
        text = line.strip()
        listed, local = _LIST.match(text), _LOCAL.match(text)
        if listed is not None:
            found.link(listed[1] if listed[1].startswith(("/", ".")) else f"./{listed[1]}", number)
        elif local is not None:
            found.link(beside(local[1], "pyproject.toml"), number, kind="dependency")
        elif text and text[0] not in "#-":
            require(found, text, number)


LANGUAGE = Language(
    name="requirements",
    titles={".txt": "text"},
    suffixes=(),
    paths=(
        "**/requirements.txt", "**/requirements-*.txt", "**/requirements_*.txt", "**/*-requirements.txt",
        "**/*_requirements.txt", "**/requirements/*.txt", "**/requirements.in",
        "**/requirements/*.in", "**/constraints.txt",
    ),
    resolve=resolve_path,
    read=structured("requirements", read),
    is_setting=True,
)  # fmt: skip
