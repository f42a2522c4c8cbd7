"""`pom.xml`: the artefacts that a Maven project requires, its modules and its parent.

Source: https://maven.apache.org/pom.html.
"""

import re

from memoire.extract.spec import Language
from memoire.extract.structured import Found, structured
from memoire.resolution.paths import directories_as

_TOKEN = re.compile(r"<!--(?:.*?-->|.*)|<(/?)([\w.:-]+)(?:\s[^<>]*)?>([^<]*)", re.DOTALL)
_MAX_DEPTH = 40
_ARTEFACTS = frozenset({"dependency", "plugin", "parent"})


def read(found: Found) -> None:
    """Fill in what one project says."""
    _Reader(found).read()


class _Reader:
    """Goes through the elements of one project once."""

    def __init__(self, found: Found) -> None:
        self._found = found
        self._stack: list[str] = []
        self._said: dict[str, str] = {}
        self._artefact: dict[str, str] = {}
        self._first = 1
        """Line of the artefact that is open."""

    def read(self) -> None:
        text = self._found.text
        line, at = 1, 0
        for token in _TOKEN.finditer(text):
            line, at = line + text.count("\n", at, token.start()), token.start()
            closes, name, value = token[1], token[2], (token[3] or "").strip()
            if name is None or token[0][: token[0].find(">")].endswith("/"):
                continue
            if not closes:
                self._opened(name, value, line)
            elif name in self._stack:
                while self._stack.pop() != name:
                    pass
                if name in _ARTEFACTS:
                    self._closed(name)
        title = " ".join(filter(None, (self._said.get("artifactId", ""), self._said.get("version", ""))))
        self._found.summary = ": ".join(filter(None, (title, self._said.get("description", ""))))

    def _opened(self, name: str, value: str, line: int) -> None:
        above = self._stack[-1] if self._stack else ""
        if name in _ARTEFACTS:
            self._artefact, self._first = {}, line
        elif above in _ARTEFACTS:
            self._artefact[name] = value
        elif self._stack == ["project"]:
            self._said[name] = value
        elif above == "modules" and name == "module" and value:
            self._found.link(f"./{value}", line, kind="entry")
        if len(self._stack) < _MAX_DEPTH:
            self._stack.append(name)

    def _closed(self, name: str) -> None:
        """Take in a dependency, plugin or parent that was read whole."""
        group, identifier = self._artefact.get("groupId", ""), self._artefact.get("artifactId", "")
        if name == "parent" and self._stack == ["project"]:
            self._found.link(self._artefact.get("relativePath", "../pom.xml"), self._first)
        elif name != "parent" and identifier and "${" not in group + identifier:
            group = group or "org.apache.maven.plugins"
            self._found.link(f"maven:{group}:{identifier}", self._first, kind="dependency")
        self._artefact = {}


LANGUAGE = Language(
    name="maven",
    titles={".xml": "xml"},
    suffixes=(),
    filenames=("pom.xml",),
    resolve=directories_as("pom.xml"),
    read=structured("maven", read),
    is_setting=True,
)
