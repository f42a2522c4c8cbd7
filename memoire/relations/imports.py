"""IMPORTS: a file names another file, or a package, in an import.

Evidence: the import statement, resolved by the language's own rules. Where the named file only passes the name on (a
barrel such as `__init__.py` or `index.ts`, or one that says so: `pub use`), the file that defines it is imported as
well, and the rationale says through which.
"""

from collections.abc import Callable, Iterator

from memoire.linker import ImportLink, Linked
from memoire.model import Claim, EdgeKey
from memoire.relations._spec import PACKAGE

_MAX_NAMES = 3
_VERBS = {"dependency": "requires", "entry": "names"}
"""What a manifest does with what it names; everything else imports."""


def claims(path: str, linked: Linked, is_barrel: Callable[[str], bool]) -> Iterator[Claim]:
    """Yield one claim for each file and package that a file imports.

    Args:
        path: The importing file.
        linked: Its links.
        is_barrel: Whether a file only stands for its folder.
    """
    direct: dict[str, list[ImportLink]] = {}
    through: dict[str, list[ImportLink]] = {}
    for item in linked.imports:
        if item.kind in {"injected", "mocked"}:
            continue  # what a test runner gives, or replaces, is no import
        if item.target_kind == "file" and item.target != path:
            direct.setdefault(item.target, []).append(item)
            if item.origin and (item.is_passed or is_barrel(item.target)):
                through.setdefault(item.origin, []).append(item)
        elif item.target_kind in {"package", "builtin"}:
            direct.setdefault(PACKAGE + item.target, []).append(item)
    for target, items in direct.items():
        yield _claim(path, target, items, f"{_VERBS.get(items[0].kind, 'imports')} {_names(items)}")
    for target, items in through.items():
        if target not in direct:
            yield _claim(path, target, items, f"imports {_names(items)} through {items[0].target}")


def _claim(path: str, target: str, items: list[ImportLink], what: str) -> Claim:
    first = items[0]
    return Claim(EdgeKey(path, "IMPORTS", target), f"{path}:{first.line} {what}", extracted_from=path, line=first.line)


def _names(items: list[ImportLink]) -> str:
    names = list(dict.fromkeys(item.name for item in items if item.name and item.name != "default"))
    if not names:
        return items[0].specifier
    more = f" and {len(names) - _MAX_NAMES} more" if len(names) > _MAX_NAMES else ""
    origin = f" from {items[0].specifier}" if items[0].specifier else ""
    return f"{', '.join(names[:_MAX_NAMES])}{more}{origin}"
