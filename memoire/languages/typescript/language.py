"""JavaScript and TypeScript: suffixes, grammars, how their imports are read."""

import re
from collections.abc import Mapping
from pathlib import Path

from memoire.extract.spec import Language, Syntax
from memoire.languages.typescript.conventions import is_barrel, is_test
from memoire.languages.typescript.externals import builtin, scheme_of, split_package
from memoire.languages.typescript.resolution import resolve
from memoire.model import Import

_FOLDER = str(Path(__file__).parent)
_SCRIPTS = (".js", ".jsx", ".mjs", ".cjs")
_TYPED = (".ts", ".mts", ".cts")
_FILE = re.compile(r"[^./]\.[A-Za-z]\w*$")
"""A relative URL that names a file, not a directory."""


_ACTUAL = re.compile(r"\b(?:require|import)Actual\b|\bimportOriginal\b|\bspy: *true\b")
_NOT_NAMES = re.compile(r"//[^\n]*|/\*.*?\*/|\.\.\.[^,}]*", re.DOTALL)
"""Comments, and the rest that a pattern takes: no name of the module."""
_NAME = r"(?:[^\s{},:=*\"']++|\"[^\"]*\"|'[^']*')"
_SPECIFIER = re.compile(
    rf"(?<![^\s{{,}}])(type\s+(?!as\b(?!\s+as\b)|[,}}]))?({_NAME})(?:\s+as\s+({_NAME})|\s*:\s*({_NAME}))?(\s*=[^,]*)?\s*(?:,|$)"
)
"""One name in braces: (type, name, `as` local, `:` local, default)."""


def read_import(role: str, got: Mapping[str, str]) -> tuple[Import, ...]:
    """Return the bindings of one import match; none where a call only looked like one."""
    specifier = got["from"][1:-1]
    if not specifier or "${" in specifier:
        return ()
    if "mocker" in got:
        # With a part of the real module in its place that part may run all the same.
        is_replaced = not _ACTUAL.search(got["arguments"])
        return (Import(specifier, "", "", 0, "mocked"),) if is_replaced else ()
    if "callee" in got:
        return _required(role, got, specifier)
    kind = "reexport" if role == "reexp" else "type_only" if "type" in got else "static"
    if role == "dyn" or "dynamic" in got:
        kind = "dynamic"
    if "clause" in got:
        return _bindings(got["clause"], specifier, kind)
    return (Import(specifier, "", got.get("ns", ""), 0, kind),)


def _required(role: str, got: Mapping[str, str], specifier: str) -> tuple[Import, ...]:
    """Return the bindings of `require`, or of `new URL("./worker.js", import.meta.url)`."""
    callee = got["callee"]
    if callee == "URL" and specifier.startswith(".") and _FILE.search(specifier):
        return (Import(specifier, "", "", 0, "dynamic"),)
    if callee != "require":
        return ()
    if role == "reexp":
        exported = got.get("ns") or got["to"].partition("exports")[2].lstrip(".")
        return (Import(specifier, "" if exported else "*", exported, 0, "reexport"),)
    if "clause" in got:
        return _bindings(got["clause"], specifier, "require")
    return (Import(specifier, got.get("name", ""), got.get("alias", ""), 0, "require"),)


def _bindings(clause: str, specifier: str, kind: str) -> tuple[Import, ...]:
    """Return what stands between `import` and `from`, `export` and `from`, or before `= require`."""
    clause = _NOT_NAMES.sub(" ", clause).strip()
    before, brace, inside = clause.partition("{")
    found = []
    for part in filter(None, (part.strip() for part in before.split(","))):
        if part.startswith("*"):
            alias = _unquoted(part[1:].strip().removeprefix("as").strip())
            found.append(Import(specifier, "" if alias else "*", alias, 0, kind))
        else:
            name = "" if kind in {"require", "dynamic"} else "default"
            found.append(Import(specifier, name, part, 0, kind))
    if brace:
        for match in _SPECIFIER.finditer(inside.rpartition("}")[0]):
            name = _unquoted(match[2])
            alias = _unquoted(match[3] or match[4] or name)
            found.append(Import(specifier, name, alias, 0, "type_only" if match[1] and kind == "static" else kind))
    return tuple(found) or (Import(specifier, "", "", 0, kind),)


def _unquoted(name: str) -> str:
    return name.strip("'\"")


_GENERATED = frozenset({"PrismaClient", "Prisma"})


def qualify(item: Import) -> str:
    """Return the qualified name an import from outside binds: `fs.promises.readFile`, `pg.Pool`, `axios`.

    The default export of a package goes by the package's name, as people write it.
    """
    specifier = item.specifier
    if item.name in _GENERATED and "prisma" in specifier:
        return f"@prisma/client.{item.name}"  # the generated client may lie anywhere, and in no repository
    if specifier.startswith((".", "/", "#", "@/", "~")) or item.name == "*":
        return ""
    module = _module(specifier)
    return module if item.name in {"", "default"} or not module else f"{module}.{item.name}"


def _module(specifier: str) -> str:
    scheme = scheme_of(specifier)
    if scheme == "node":
        return specifier[5:].replace("/", ".")
    if scheme in {"npm", "jsr"}:
        package = split_package(specifier[len(scheme) + 1 :].lstrip("/"))
        return package[0] + package[1][1:] if package else ""
    if not scheme and builtin(specifier):
        return specifier.replace("/", ".")
    return specifier


_QUERIES = {
    **dict.fromkeys(_SCRIPTS, ("queries.scm", "script.scm", "jsx.scm")),
    **dict.fromkeys(_TYPED, ("queries.scm", "types.scm")),
    ".tsx": ("queries.scm", "types.scm", "jsx.scm"),
}
_GRAMMARS = {
    **dict.fromkeys(_SCRIPTS, "tree_sitter_javascript:language"),
    **dict.fromkeys(_TYPED, "tree_sitter_typescript:language_typescript"),
    ".tsx": "tree_sitter_typescript:language_tsx",
}

_IDENTIFIER = r"[^\x00-#%-@\[-^`{-\x7f][^\x00-#%-/:-@\[-^`{-\x7f]*"
"""Letters, `$`, `_` and all that is not ASCII; written as what is left out, which holds for bytes and text alike."""
_STRINGS = "(?s)" + "|".join(
    rf"{quote}[^{quote}\\\n]*+(?:\\.[^{quote}\\\n]*+)*+(?:{quote}|(?=\n)|\\?\Z)" for quote in "\"'"
)
"""An open string ends with its line: trying again at each quote in it would be quadratic."""
_WRAPPERS = frozenset(
    {"parenthesized_expression", "as_expression", "satisfies_expression", "non_null_expression", "await_expression"}
)

LANGUAGE = Language(
    name="typescript",
    is_constructor=lambda name, _owner: name == "constructor",
    suffixes=(*_TYPED, ".tsx", *_SCRIPTS),
    titles=dict.fromkeys(_SCRIPTS, "javascript"),
    resolve=resolve,
    is_test=is_test,
    is_barrel=is_barrel,
    resolves_by_file=True,
    syntax=Syntax(
        grammars=_GRAMMARS,
        queries=_QUERIES,
        folder=_FOLDER,
        read_import=read_import,
        qualify=qualify,
        effect_tables=(_FOLDER,),
        identifier=_IDENTIFIER,
        receiver="this",
        super_name="super",
        name_nodes=frozenset({"identifier", "type_identifier", "default"}),
        nothing=frozenset({"null", "undefined", "void 0", ""}),
        annotation=(
            r"^[:\s]*(?:(?:readonly|Promise|PromiseLike|Awaited|Readonly|Partial|Required|NonNullable)[\s<]\s*)*"
            r"(?:(?:null|undefined)\s*\|\s*)*([A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*)"
            r"(?:<[^\[\]|&]*>|<[^|&]*(?=>))?[\s>]*(?:\|\s*(?:null|undefined)\s*)*[\s>]*$"
        ),
        has_labels=True,
        marks_types=True,
        erases_types=True,
        strings=_STRINGS,
        wrappers=_WRAPPERS,
        choices={"binary_expression": (1, 0), "ternary_expression": (1, 2)},
        passing=(
            r"(?:util\.)?(?:promisify|callbackify)\(|(?:React\.)?(?:useMemo|useCallback)\(\(\) => "
            r"|(?:pify|toRaw|markRaw|shallowReactive|reactive|readonly)\("
        ),
        makers=(
            r"(?:this\.)?(?:inject|(?:[Cc]ontainer|app|module|moduleRef)\.(?:get|resolve))\(\s*([A-Z][\w$]*)\s*[,)]"
            r"|[\w$.]+\((?:[^(){}=]*,\s*)?(?:async )?\(\)\s*=>\s*new\s+([A-Z][\w$.]*)\("
        ),
        property_marks=r"\bget\s+#?[\w$]+\Z",
    ),
)
