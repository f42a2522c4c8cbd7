"""How Java, Kotlin and Scala find what a name in a package is: by the packages that files declare, not by folders.

A file without a package sees only its like in its own source tree: two programs of one repository that both have a
`Main` in no package never see each other's.
"""

import re
from pathlib import Path
from posixpath import dirname

from memoire.extract.suffixes import word_set
from memoire.model import Import, Target
from memoire.tree import Tree

FAMILY = "jvm"
EFFECTS = str(Path(__file__).parent / "jvm.toml")
"""What acts on the world for all of them."""
ROOT = ""
"""Specifier of the names that all packages begin with: `com` in `com.acme.Client.send()`."""
UNNAMED = "_unnamed_"
"""Specifier of the package that files without one are in."""

_SOURCE_SET = re.compile(r"(?:^|/)src/([^/]+)/(?:java|kotlin|scala|groovy)(?:-[\d.]+)?(?=/|$)")
"""Group 1 is the name of the set. Source: the directory layout of Maven and of Gradle's plug-ins."""
_TEST_SET = re.compile(r"[tT]est|^(?:it|spec|jmh)$")
_TEST_FOLDER = re.compile(r"(?:^|/)(?:src/\w*[tT]est\w*|tests?|specs?|it)/")
_TEST_NAME = re.compile(
    r"(?:^|/)(?:Test[A-Z0-9_]\w*|\w+(?:Tests?|TestCase|IT|ITCase|Spec|Specs|Suite|Properties))\.\w+$"
)
"""Source: the defaults of Maven's Surefire and Failsafe, and what sbt and Kotest users name their files."""
_BUILTIN = ("java", "javax", "jdk", "sun", "com.sun", "kotlin", "scala", "dotty")
_TYPE = re.compile(r"\.[A-Z]")


_COLLECTIONS = (
    "List|Set|Collection|Iterable|Iterator|Stream|ArrayList|LinkedList|Queue|Deque|ArrayDeque|HashSet|LinkedHashSet|"
    "TreeSet|SortedSet|CopyOnWriteArrayList|ImmutableList|ImmutableSet|Optional|Page|Slice|Flux|Mono|"
    "MutableList|MutableSet|MutableCollection|Array|Sequence|Flow|StateFlow|"
    "Seq|Vector|IndexedSeq|LazyList|Option|Buffer|ListBuffer|ArrayBuffer|Traversable"
)
COLLECTION = (
    rf"(?s)^\s*(?:[\w.]+\.)?(?:{_COLLECTIONS})\s*[<\[]\s*(?:\?\s*(?:extends|super)\s+|out\s+|in\s+)?(\w.*)[>\]]\s*\??\s*$|"
    r"^\s*(\w[\w.]*(?:<.*>)?)\s*\[\]\s*$"
)
"""Regular expression of the types whose items are told by their one argument, and of arrays of Java."""
SAME_ITEMS = word_set(
    "stream parallelStream parallel sequential filter filterNot filterNotNull sorted sortedBy sortedWith sortWith "
    "sortBy distinct distinctBy limit skip take takeWhile drop dropWhile reversed reverse toList toSet toMutableList "
    "asSequence asIterable shuffled peek onEach iterator orEmpty subList or findFirst findAny min max minBy maxBy tail "
    "init withFilter"
)
"""Members of collections in the standard libraries that give the same items, fewer or in another order."""
ITEM_CALLS = word_set(
    "get getFirst getLast next orElse orElseThrow orElseGet first last single find firstOrNull lastOrNull singleOrNull "
    "random head getOrElse elementAt poll pop removeFirst removeLast"
)
"""Members of collections in the standard libraries that give one item."""


def package_of(_tree: Tree, path: str, package: str) -> str:
    """Return the namespace that the top-level names of a file belong to."""
    return package or _unnamed(path)


def _unnamed(path: str) -> str:
    """Return the namespace of files without a package: those of one module, or else of one folder.

    It is no name that can be written in a source, and has no dot.
    """
    found = _SOURCE_SET.search(path)
    folder = path[: found.start()] if found else dirname(path)
    return f"({folder.replace('.', ':')})"


def implicit(package: str, builtin: tuple[str, ...]) -> tuple[Import, ...]:
    """Return the imports that the language makes by itself, the one that goes before the others last.

    Args:
        package: The package the file declares.
        builtin: The packages whose names are always known: `java.lang`.
    """
    stars = (ROOT, *builtin, package or UNNAMED)
    return tuple(Import(star, "*", "", 1, "implicit") for star in stars)


def resolve(tree: Tree, path: str, specifier: str) -> Target:
    """Return the namespace that a package or a type is, or the package outside of the project."""
    if specifier == ROOT:
        return Target("namespace", "")
    if specifier == UNNAMED:
        return Target("namespace", _unnamed(path))
    # What a companion object has, its class has.
    name = specifier.replace(".Companion", "") if ".Companion" in specifier else specifier
    return known(tree, name) or outside(specifier)


def known(tree: Tree, name: str) -> Target | None:
    """Return the namespace, or the type taken as one, of a qualified name of the project; None where it has none."""
    at = name
    while at:
        if tree.declared(FAMILY, at):
            return Target("namespace", name)
        if tree.is_namespace(FAMILY, at):
            return Target("namespace", name) if at == name else None
        at = at.rpartition(".")[0]
    return None


def outside(name: str) -> Target:
    """Return the package of a qualified name that is none of the project."""
    found = _TYPE.search(name)
    package = name[: found.start()] if found else name
    is_builtin = any(package == each or package.startswith(f"{each}.") for each in _BUILTIN)
    return Target("builtin" if is_builtin else "package", package)


def qualify(item: Import) -> str:
    """Return the qualified name that an import binds, or of the package all of whose names it brings."""
    return f"{item.specifier}.{item.name}" if item.name and not item.is_star else item.specifier


def is_test(path: str) -> bool:
    """Return whether a file of this path holds tests or helps them: by its source set, else by its folder or name."""
    found = _SOURCE_SET.search(path)
    if found:
        return bool(_TEST_SET.search(found[1]))
    return bool(_TEST_FOLDER.search(path) or _TEST_NAME.search(path))


_ACCESSOR = re.compile(r"^(?:get|set)([A-Z]\w*)$")


def getters(name: str) -> tuple[str, ...]:
    """Return how Java may have written a property that Kotlin reads: `name` is `getName()`."""
    return (f"get{name[0].upper()}{name[1:]}",) if name[:1].islower() else ()


def properties(name: str) -> tuple[str, ...]:
    """Return how Kotlin may have written a getter or a setter that Java calls: `getName()` is `name`."""
    found = _ACCESSOR.match(name)
    return (f"{found[1][0].lower()}{found[1][1:]}",) if found else ()
