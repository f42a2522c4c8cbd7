"""A causal memory of a software project, kept by a daemon and served to AI coding assistants.

Importing it loads nothing else: the hooks and the forwarder pay for every import at every start. What the names are to
a type checker is in `__init__.pyi`.
"""

__all__ = ["Memoire", "MemoireError", "__version__"]

__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """Return a public name, loaded when it is first used."""
    if name == "Memoire":
        from memoire.sdk import Memoire

        return Memoire
    if name == "MemoireError":
        from memoire.errors import MemoireError

        return MemoireError
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
