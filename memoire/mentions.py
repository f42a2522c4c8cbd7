"""Finds the node that a mention names, and tells what kind of document a page is. Pure: it asks the tree and a lookup.

A wrong edge costs more trust than a missing one, so every rule asks for exactly one candidate:

- a **link** names what it points at, or nothing;
- a **path** names the file of that path relative to the document, else to the root, else the only file whose path ends
  so (two components or more), else, as a bare name with a program's suffix, the only file of that name;
- a **symbol** names the only definition it can mean: qualified (`Client.send`, `httpx.Client`), or bare where its form
  is distinctive; a dotted module names its file. Definitions in tests and examples are what nobody means from outside;
- what a **command** names is the file of exactly that path, or the only module of that name;
- what stands in an **example** (empty sentence) must be an exact path, or a qualified symbol.
"""

import builtins
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from posixpath import basename, dirname, splitext
from typing import Literal
from unicodedata import normalize

from memoire.extract.citations import is_distinctive
from memoire.extract.suffixes import (
    DATA_SUFFIXES,
    DOCUMENT_SUFFIXES,
    IMAGE_SUFFIXES,
    PROGRAM_SUFFIXES,
    suffix_of,
    word_set,
)
from memoire.model import FileFacts, Mention, parse_path
from memoire.resolution import python_modules
from memoire.resolution.links import find_path, resolve_link
from memoire.tree import Tree

Symbols = Callable[[str], tuple[str, ...]]
"""Unqualified name -> ids `path::Qualified.name` of all definitions in code with that last component."""

DocumentKind = Literal["specifies", "documents", "none"]
"""What a document's mentions of code mean; `none` = nothing causal (changelogs, licences, rules for contributors)."""

_GENERIC = word_set("""
    __init__ __main__ index main app mod lib test tests conftest setup config settings utils util helpers helper
    common base core types type models model views urls admin example examples demo hello foo bar baz script
    module file my_file file1 file2 myfile mymodule my_module my_script your_file a b c x y z one two server
    client readme license changelog contributing build run start constants errors exceptions api cli schema
    routes data input output sample template page layout package tsconfig pyproject requirements cargo
    migrations docker-compose deno
""")
"""Stems that every project has, and every tutorial: bare, they name no file of this one in particular."""
_OTHERS_NAMES = frozenset(dir(builtins)) | word_set("""
    Array Blob Boolean Buffer Cache Console Context Cookie Cookies Date Deno Document Element Enum Event File
    Function Headers Header History Image Infinity Iterator JSON Location Logger Math Module Node Number Object
    Option Package Path Point Process Promise Proxy Queue Reflect Request Response Result Scope Self Session
    Stream String Struct Symbol Task Test Text Thread Title Token Type Union Unknown User Value Vector Window
    Worker Accept Allow Authorization Bearer Connection Content Host Origin Referer Server Upgrade Vary Default
    Description Example Name Note Optional List Dict Tuple Callable Literal Sequence Mapping Iterable Generator
    Generic Protocol Counter Decimal Fraction Item Post Product Order Account Book Person Animal Main Hello
    World Dockerfile Makefile README LICENSE CHANGELOG
""")
"""Names of languages, standard libraries and headers, and what tutorials call their classes: bare, they say little."""
_ROOTS = ("", "src/", "lib/", "python/", "py/")
"""Where Python packages begin."""
_DOCUMENTATION = word_set("docs doc docs_src documentation")
_ASIDE = _DOCUMENTATION | word_set("""
    test tests testing __tests__ spec specs e2e example examples demo demos
    fixtures benchmark benchmarks bench perf-measures vendor vendored third_party node_modules testdata
""")
"""Folders whose definitions are made up for the purpose."""
_TEST_FILE = re.compile(r"(?:^|/)(?:test_[^/]*|[^/]*_test|[^/]*\.(?:test|spec|stories)|conftest)\.\w+$")
_NAME_WORDS = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")
_READERS = re.compile(
    r"\b(?:called|named|create[sd]?|creating|save[sd]?|your|you(?:'ll)? (?:can|could|may|might|need)|a (?:new )?file|"
    r"new file|imagine|suppose|given|example|for instance|e\.g\.|such as|like)\b",
    re.IGNORECASE,
)
"""Words of a sentence about a file of the reader's own: in it a bare file name means nothing here."""
IN_COMMANDS = frozenset({"command", "module"})
"""Kinds of mentions that stand in commands."""
_SCHEMAS = (".pyi", ".d.ts", ".proto", ".graphql", ".gql", ".graphqls", ".tf")
"""Files that say again what code defines: where both have a name, the code is meant."""
_MAX_DEPTH = 2
"""Modules that a re-exported name may lie below the package that it is named by."""


def resolve_mention(tree: Tree, symbols: Symbols, from_path: str, mention: Mention) -> str | None:
    """Return the id of the node that a mention names, None where there is not exactly one.

    The id is a path, `path/` for a directory, or `path::Symbol`.

    Args:
        tree: The project's files; what is asked is recorded there.
        symbols: The project's definitions in code; the caller records what is asked.
        from_path: The file that holds the mention.
        mention: From `memoire.extract`.
    """
    if mention.kind == "link":
        target = resolve_link(tree, from_path, mention.text)
        if target.kind == "unresolved":
            return None
        return f"{target.path}/" if target.kind == "directory" else target.path
    if mention.kind in IN_COMMANDS:
        return _in_command(tree, symbols, from_path, mention)
    if mention.kind == "path":
        return _path(tree, symbols, from_path, mention.text, mention.sentence)
    path, name = parse_path(mention.text)
    if name and suffix_of(path):
        file = _path(tree, symbols, from_path, path, mention.sentence)
        if file is None or file.endswith("/"):
            return None
        member = f"{file}::{name}"
        return member if member in symbols(name.rpartition(".")[2]) else file
    return _symbol(tree, symbols, from_path, mention.text, is_example=not mention.sentence)


def _in_command(tree: Tree, symbols: Symbols, from_path: str, mention: Mention) -> str | None:
    """Return the file that a command names by its path or as a module, or the definition in that module."""
    if mention.kind == "command":
        found = find_path(tree, from_path, mention.text)
        return found.path if found is not None and found.kind == "file" else None
    module, _, name = mention.text.partition(":")
    target = python_modules.start_module(tree, (dirname(from_path), ""), module, anywhere=True)
    if target is None:
        return None
    if not name and basename(target.path).startswith("__init__."):
        # `python -m package` runs its `__main__`.
        main = f"{dirname(target.path)}/__main__.py"
        return main if tree.is_file(main) else target.path
    node = f"{target.path}::{name}"
    return node if name and node in symbols(name.rpartition(".")[2]) else target.path


def resolve_mentions(tree: Tree, symbols: Symbols, from_path: str, facts: FileFacts) -> list[tuple[Mention, str]]:
    """Return the mentions of a file that name a node, with its id; those of the file itself are left out."""
    resolved = []
    for mention in facts.mentions:
        node = resolve_mention(tree, symbols, from_path, mention)
        if node is not None and parse_path(node)[0] != from_path:
            resolved.append((mention, node))
    return resolved


def _path(tree: Tree, symbols: Symbols, from_path: str, text: str, sentence: str) -> str | None:
    text = normalize("NFC", text).removeprefix("./")
    name = basename(text)
    is_bare = "/" not in text
    suffix = suffix_of(name)
    if is_bare and (_is_generic(name) or (suffix in DATA_SUFFIXES and _READERS.search(sentence))):
        return None
    if not text.startswith("/") or suffix:
        found = find_path(tree, from_path, text)
        # `text/html` or `client/server` may be a folder by chance; with a slash at its end it is meant to be one.
        if found is not None and (found.kind == "file" or text.endswith("/")):
            return f"{found.path}/" if found.kind == "directory" else found.path
    if not sentence or text.startswith("/") or not suffix:
        return None
    while text.startswith("../"):
        text = text[3:]
    if "/" in text:
        return _only(path for path in tree.named(name) if path == text or path.endswith(f"/{text}"))
    if not is_bare or _READERS.search(sentence):
        return None
    if suffix in PROGRAM_SUFFIXES or suffix in DOCUMENT_SUFFIXES:
        return _only(tree.named(name))
    # `Context.json` has the form of a file name, and of a method.
    parts = text.split(".")
    return _member(_candidates(symbols, from_path, parts[-1]), text) if len(parts) == 2 and name[0].isupper() else None


def _is_generic(name: str) -> bool:
    return splitext(name)[0].lower().lstrip(".") in _GENERIC


def _only(candidates: Iterable[str]) -> str | None:
    """Return the one candidate, None where there are none or several."""
    found = set(candidates)
    return found.pop() if len(found) == 1 else None


def _symbol(tree: Tree, symbols: Symbols, from_path: str, text: str, *, is_example: bool) -> str | None:
    name = text.removesuffix("()")
    parts = name.split(".")
    if len(parts) > 1:
        return _qualified(tree, symbols, from_path, parts)
    if is_example:
        return None
    if name.islower() and "_" not in name:
        # A plain word is either called, and may be anybody's method, or the markup said that it is a module.
        return None if text.endswith("()") else _module(tree, parts)
    if name in _OTHERS_NAMES or (not is_distinctive(name) and (len(name) < 4 or not name[0].isupper())):
        return None
    node = _only(_candidates(symbols, from_path, name))
    if node is not None and "." in parse_path(node)[1]:
        # Members share their names with arguments, options and variables (`contentType`): one word more, or a call.
        words = len(_NAME_WORDS.findall(name))
        return node if words > (1 if text.endswith("()") else 2) or _is_snake(name) else None
    return node


def _is_snake(name: str) -> bool:
    return "_" in name.strip("_") and name.islower()


def _candidates(symbols: Symbols, from_path: str, name: str) -> list[str]:
    """Return the definitions of a name that a file may mean: those aside only where it stands beside them."""
    found = [node for node in symbols(name) if suffix_of(parse_path(node)[0]) not in DOCUMENT_SUFFIXES]
    found = [node for node in found if not is_aside(node) or _is_beside(from_path, node)]
    if len(found) > 1:
        stubs = {node for node in found if parse_path(node)[0].endswith(_SCHEMAS)}
        found = [node for node in found if node not in stubs] or found
    return found


def is_aside(node: str) -> bool:
    """Return whether a file belongs to tests, examples, documentation or code of others."""
    path = parse_path(node)[0]
    return any(part in _ASIDE for part in path.split("/")[:-1]) or _TEST_FILE.search(path) is not None


def _is_beside(path: str, node: str) -> bool:
    """Return whether a file stands in the folder inside which a definition aside is meant.

    That is `examples/` for `examples/shop/cart.py`. The code of the documentation itself is never meant by its pages.
    """
    folders = parse_path(node)[0].split("/")[:-1]
    size = next((at for at, part in enumerate(folders, 1) if part in _ASIDE), len(folders))
    is_page = bool(folders) and folders[size - 1] in _DOCUMENTATION
    return not is_page and path.startswith("/".join(folders[:size]) + "/")


def _qualified(tree: Tree, symbols: Symbols, from_path: str, parts: Sequence[str]) -> str | None:
    """Return what a dotted name means: a member of a class, a name in a module, a module, else the class in it."""
    candidates = _candidates(symbols, from_path, parts[-1])
    name = ".".join(parts)
    if any(_ends(node, name) for node in candidates):
        return _member(candidates, name)
    for cut in range(len(parts) - 1, 0, -1):
        prefix, rest = parts[:cut], ".".join(parts[cut:])
        inside = {node: _depth(parse_path(node)[0], prefix) for node in candidates if parse_path(node)[1] == rest}
        inside = {node: depth for node, depth in inside.items() if depth >= 0}
        if inside:
            # The module of this very name defines it; else the package passes on what one module below it defines.
            return _only([node for node, depth in inside.items() if not depth] or inside)
    module = _module(tree, parts)
    if module is not None:
        return module
    owner = parts[-2]
    if not owner[0].isupper() or owner.isupper():
        return None
    if len(parts) > 2:
        return _qualified(tree, symbols, from_path, parts[:-1])
    return None if owner in _OTHERS_NAMES or len(owner) < 4 else _only(_candidates(symbols, from_path, owner))


def _member(candidates: Iterable[str], name: str) -> str | None:
    """Return the only definition whose qualified name is, or ends in, a dotted name."""
    return _only(node for node in candidates if _ends(node, name))


def _ends(node: str, name: str) -> bool:
    return node.endswith((f"::{name}", f".{name}"))


def _depth(path: str, prefix: Sequence[str]) -> int:
    """Return how many modules below a dotted prefix a file lies; -1 where it does not lie there, or too deep."""
    modules = splitext(path)[0].split("/")
    if modules[-1] in ("__init__", "index", "mod", "lib"):
        modules.pop()
    size = len(prefix)
    start = next((at for at in range(len(modules) - size + 1) if modules[at : at + size] == list(prefix)), -1)
    if start < 0:
        return -1
    depth = len(modules) - start - size
    if size == 1 and prefix[0] in sys.stdlib_module_names and start:
        return -1
    above = "/".join(modules[:start])
    # An object has the name of a folder by chance (`app.get`): below the top it must be the module itself.
    is_top = not above or f"{above}/" in _ROOTS
    return depth if depth <= (_MAX_DEPTH if is_top else 0) else -1


def _module(tree: Tree, parts: Sequence[str]) -> str | None:
    """Return the file of a dotted Python module, or of a class named by its package as in Java."""
    path = "/".join(parts)
    for root in _ROOTS:
        for file in (f"{root}{path}/__init__.py", f"{root}{path}.py"):
            if tree.is_file(file):
                return file
    if len(parts) < 2:
        return None
    for suffix in (".py", ".java", ".kt", ".scala"):
        found = [
            file for file in tree.named(parts[-1] + suffix) if file.endswith(f"/{path}{suffix}") and not is_aside(file)
        ]
        if found:
            return _only(found)
    return None


_NO_CAUSE = word_set("""
    license licence copying copyright notice patents authors contributors maintainers owners codeowners thanks
    credits acknowledgements acknowledgments changelog changes history news releases release-notes release_notes
    releasenotes whatsnew contributing code_of_conduct code-of-conduct conduct security support funding
    governance citation backers sponsors robots humans llms todo pull_request_template issue_template cmakelists
    top_level sources entry_points record wheel dictionary wordlist spelling codespell-ignore-words cname
""")
_NO_CAUSE_FOLDERS = word_set("""
    changelogs changelog changelog.d changes.d newsfragments news releases release-notes release_notes licenses
    licences issue_template vendor vendored third_party node_modules fixtures testdata test-data snapshots
    __snapshots__ golden corpus _posts posts blog site-packages versioned_docs archive archived attic obsolete
""")
_DEPENDENCIES = re.compile(r"(?:requirements|constraints|deps|dependencies)([-_.].*)?$")
_SPECIFYING_FOLDERS = word_set("""
    spec specs specification specifications adr adrs decisions decision-records rfc rfcs requirements prd prds
    proposals design designs design-docs architecture pep peps kep keps standards contracts theory invariants
""")
_SPECIFYING_WORDS = word_set("""
    spec specs specification specifications adr rfc prd srs requirements design architecture theory proposal
    protocol invariants constitution contract contracts
""")
_SPECIFYING_TITLE = re.compile(
    r"\bspecification\b|^architecture\b|\barchitecture$|\barchitecture decision|\bdesign (?:doc|document|note|decision)"
    r"|\bdesign proposal|^design\b|\bdecision record\b|\b(?:rfc|adr|pep|kep)[- #:]*\d|\bproduct requirements\b"
    r"|\brequirements? (?:document|spec)",
    re.IGNORECASE,
)
_GUIDE = re.compile(r"(?:migrat|upgrad|how-?_?to|guide|tutorial|getting-?_?started|walkthrough|onboarding)")
"""How the names of pages begin that tell a reader what to do, wherever they lie."""
_WORDS = re.compile(r"[A-Za-z]+")


def document_kind(path: str, title: str, overrides: Mapping[str, str] | None = None) -> DocumentKind:
    """Return what a document's mentions of code mean, by its path and title.

    Specifications, decision records, RFCs, requirements, designs, architecture and theory pages specify; READMEs,
    guides, tutorials and API pages document. Changelogs, licences, dependency lists, rules for contributors, blog posts
    and test data say nothing causal: what they name they do not follow.

    Args:
        path: The document.
        title: Its title; empty is fine.
        overrides: Glob over paths -> kind, from the project's settings; the first match wins.
    """
    for pattern, kind in (overrides or {}).items():
        if kind in ("specifies", "documents", "none") and fnmatchcase(path, pattern):
            return kind  # type: ignore[return-value]
    folders = [part.lower() for part in dirname(path).split("/")]
    stem = splitext(basename(path))[0].lower()
    if (
        stem in _NO_CAUSE
        or _NO_CAUSE_FOLDERS.intersection(folders)
        or (path.endswith((".txt", ".in")) and any(map(_DEPENDENCIES.match, (stem, *folders[-2:]))))
    ):
        return "none"
    if _GUIDE.match(stem) or suffix_of(path) in IMAGE_SUFFIXES:
        return "documents"
    if _SPECIFYING_FOLDERS.intersection(folders) or _SPECIFYING_WORDS.intersection(_WORDS.findall(stem)):
        return "specifies"
    return "specifies" if _SPECIFYING_TITLE.search(title) else "documents"
