"""Python: suffixes, grammar, how its imports are read."""

import builtins
import keyword
from collections.abc import Mapping
from pathlib import Path

from memoire.extract.spec import Language, Syntax
from memoire.model import Import
from memoire.resolution.python_modules import FIXTURES, holds_tests, is_barrel, is_test, member, resolve

_FOLDER = str(Path(__file__).parent)


def read_import(role: str, got: Mapping[str, str]) -> Import | None:
    """Return the binding of one import match."""
    del role
    if "module" in got:
        module = got["module"]
        if "alias" in got:
            # `import a.b as x` binds what `from a import b as x` binds.
            parent, _, name = module.rpartition(".")
            return Import(parent or module, name if parent else "", got["alias"], 0)
        return Import(module, "", module.partition(".")[0], 0)
    specifier = "".join(got["from"].split())
    if "star" in got:
        return Import(specifier, "*", "", 0)
    return Import(specifier, got["name"], got.get("alias", got["name"]), 0)


def qualify(item: Import) -> str:
    """Return the qualified name an absolute import binds; `import a.b` binds `a`."""
    if item.specifier.startswith("."):
        return ""
    if item.is_star:
        return item.specifier
    if not item.name:
        return item.alias if item.specifier.partition(".")[0] == item.alias else item.specifier
    return f"{item.specifier}.{item.name}"


_PLAIN = (
    r"(?:(?:None|str|bytes|int|float|bool)\b|(?:os\.PathLike|dict|list|tuple|set|Mapping|Sequence)\b(?:\[[^\[\]]*\])?)"
)
"""Types of which no value is used like one of a class: what may also be a string is used as what else it may be."""

_SYNTAX = Syntax(
    erases_types=True,
    grammars={".py": "tree_sitter_python:language", ".pyi": "tree_sitter_python:language"},
    queries={".py": ("queries.scm",), ".pyi": ("queries.scm",)},
    folder=_FOLDER,
    read_import=read_import,
    qualify=qualify,
    effect_tables=(_FOLDER,),
    reserved=frozenset((*keyword.kwlist, *keyword.softkwlist, *dir(builtins))),
    super_name="super",
    own_types=frozenset({"Self"}),
    fixtures=Import(FIXTURES, "*", "", 1, "injected"),
    fixture_marks=r"@(?:\w+\.)*(?:async_)?fixture\b",
    automatic_marks=r"\bautouse\s*=\s*True\b",
    generator_marks=r"@(?:\w+\.)*(?:(?:async_)?fixture|(?:async)?contextmanager)\b",
    property_marks=r"@(?:functools\.)?(?:cached_)?property\b",
    choices={"boolean_operator": (1, 0), "conditional_expression": (0, 2)},
    value_nodes=frozenset(
        {"call", "await", "identifier", "attribute", "binary_operator", "subscript", "list", "list_comprehension"}
    ),
    operators={" / ": "__truediv__"},
    public_names=r"(?m)^__all__[ \t]*(?::[^=\n]+)?=[ \t]*(\[[^\[\]]*\]|\([^()]*\))",
    passing=r"(?:sorted|list|tuple|set|reversed|iter|(?:functools\.)?partial|nullcontext|(?:contextlib\.)?(?:closing|nullcontext)|(?:asyncio\.)?(?:wait_for|shield)|tqdm|track)\(",
    makers=r"(?:typing\.)?cast\(\s*['\"]?([A-Za-z_][\w.]*)['\"]?\s*,",
    wrappers=frozenset({"parenthesized_expression", "await"}),
    collection=(
        r"^[\s'\"]*(?:(?:typing\.)?Optional\[)?(?:(?:typing|t|collections\.abc|abc)\.)?(?:list|List|set|Set|frozenset|FrozenSet|Sequence"
        r"|MutableSequence|Iterable|Collection|Deque|deque)\[\s*['\"]?([A-Za-z_][\w.]*)['\"]?\s*\]\]?\s*(?:\|\s*None)?[\s'\"]*$"
        r"|^[\s'\"]*(?:typing\.)?(?:tuple|Tuple)\[\s*([A-Za-z_][\w.]*)\s*,\s*\.\.\.\]"
    ),
    static_decorators=frozenset({"staticmethod"}),
    nothing=frozenset({"None", "...", "NotImplemented", ":Any", ":typing.Any", ":object"}),
    type_guards=("TYPE_CHECKING",),
    annotation=(
        r"(?![^\[]*Union\[[\s'\"]*[A-Z][\w.]*\s*,\s*(?!None\b)[\w.'\"]*[A-Z])"
        r"^[\s'\"]*(?:(?:typing\.)?(?:Optional|Annotated|Final|ClassVar|Type|type|Iterator|AsyncIterator|Generator"
        r"|ContextManager|AsyncContextManager|AsyncGenerator|Awaitable|Mapped|Union)\[)?[\s'\"]*"
        rf"(?:{_PLAIN}\s*[|,]\s*)*(?!(?:typing\.)?(?:Any|object)\b)([A-Za-z_][\w.]*)[\s'\"]*(?:\[[^\[\]|]*\]?)?\s*(?:(?:\|\s*{_PLAIN}\s*)+|,.*)?[\s'\"\]]*$"
    ),
)

LANGUAGE = Language(
    name="python",
    is_constructor=lambda name, _owner: name.startswith("__") and name.endswith("__"),
    suffixes=(".py", ".pyi"),
    resolve=resolve,
    member=member,
    is_test=is_test,
    holds_tests=holds_tests,
    is_barrel=is_barrel,
    syntax=_SYNTAX,
)
