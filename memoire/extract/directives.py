"""What a Sphinx directive names, in reStructuredText and in the fences of MyST alike."""

from memoire.extract.markdown_inline import local_target, qualified
from memoire.extract.suffixes import word_set

CODE_DIRECTIVES = word_set("""
    code code-block sourcecode highlight parsed-literal math raw doctest testcode testsetup testoutput
    testcleanup prompt ipython code-cell graphviz digraph uml plantuml mermaid csv-table list-table-data
    productionlist click:example click:run example run termynal command-output program-output jupyter-execute
    exec
""")
"""Their content is an example, not prose."""
_CALLED = word_set("""
    autofunction automethod autodecorator function method classmethod staticmethod decorator
""")
"""Directives that describe something that is called."""
_OBJECTS = _CALLED | word_set("""
    autoclass autoexception autodata autoattribute autoproperty class exception data attribute property interface
""")
"""Directives that describe one object."""
_MODULES = frozenset(("automodule", "module", "currentmodule"))
_MEMBERS = word_set("method classmethod staticmethod attribute property")
_FILES = word_set("include literalinclude image figure download thumbnail video")
NAMING = _MODULES | _FILES | _OBJECTS
"""Directives whose argument is what `Directives.read` returns, and nothing else."""
_DOMAINS = frozenset(("py", "js", "ts", "c", "cpp", "go", "rb", "php", "java"))
LISTS = frozenset(("toctree", "autosummary"))
"""Their content names one document or object a line."""


class Directives:
    """The names that directives set for those below them: the current module and class."""

    def __init__(self) -> None:
        self.module = ""
        self._class = ""
        self._class_indent = 0

    def read(self, name: str, argument: str, indent: int = 0) -> list[tuple[str, str]]:
        """Return (text, kind) of what one directive names.

        Args:
            name: `autoclass`, `py:function`, `literalinclude`…
            argument: What follows `::` on its first line.
            indent: The column it begins at: a method further in belongs to the class above.
        """
        domain, _, plain = name.rpartition(":")
        if domain and domain not in _DOMAINS:
            return []
        if indent <= self._class_indent:
            self._class = ""
        if plain in _FILES:
            target = local_target(argument)
            return [(target, "link")] if target else []
        if plain in _MODULES:
            self.module = argument.split("(", maxsplit=1)[0].strip() if argument != "None" else ""
            named = self.module if plain != "currentmodule" else ""
            return [(named, "symbol")] if _is_dotted(named) else []
        if plain not in _OBJECTS:
            return []
        return self._object(plain, argument, indent)

    def _object(self, name: str, argument: str, indent: int) -> list[tuple[str, str]]:
        words = (
            argument.split("(", maxsplit=1)[0]
            .split("[", maxsplit=1)[0]
            .split("=", maxsplit=1)[0]
            .split(":", maxsplit=1)[0]
            .split()
        )
        target = words[-1] if words else ""
        if "." in target and not target.strip(".").count("."):
            target = target.strip(".")
        if not _is_dotted(target):
            return []
        if name in ("class", "exception", "interface"):
            self._class, self._class_indent = target, indent
        elif name in _MEMBERS and self._class and not target.startswith(f"{self._class}."):
            target = f"{self._class}.{target}"
        return [(f"{qualified(self.module, target)}{'()' if name in _CALLED else ''}", "symbol")]

    def listed(self, name: str, entry: str) -> list[tuple[str, str]]:
        """Return (text, kind) of what one line of a `toctree` or an `autosummary` names."""
        entry = entry.strip()
        if not entry or entry.startswith(":"):
            return []
        if name == "toctree":
            head, bracket, target = entry.rpartition("<")
            target = local_target(target[:-1] if bracket and head and target.endswith(">") else entry)
            return (
                [(target, "link")] if target and not any(char in target for char in "*?[") and target != "self" else []
            )
        target = entry.split()[0].lstrip("~")
        return [(qualified(self.module, target), "symbol")] if _is_dotted(target) else []


def _is_dotted(name: str) -> bool:
    return bool(name) and all(part.isidentifier() for part in name.split("."))
