"""Finds the file that a shell script names, and tells scripts that are tests."""

from posixpath import basename, dirname, join, normpath

from memoire.model import FileFacts, Target
from memoire.tree import Tree

_FOLDERS = frozenset({"test", "tests", "spec", "bats"})


def resolve(tree: Tree, path: str, specifier: str) -> Target:
    """Return the file that a specifier of `places.specifier_of` names in the script at `path`.

    Where a script runs is not known from its text: in the folder that it lies in, or in one above. The nearest of these
    in which the file exists is taken.
    """
    folder = dirname(path)
    if specifier.startswith("//"):
        found = _file(tree, specifier[2:])
    elif specifier.startswith(("./", "../")):
        found = _file(tree, normpath(join(folder, specifier)))
    else:
        found = _file(tree, join(folder, specifier))
        while found is None and folder:
            folder = dirname(folder)
            found = _file(tree, normpath(join(folder, specifier)))
    return Target("file", found) if found else Target("unresolved", specifier)


def _file(tree: Tree, path: str) -> str | None:
    return path if not path.startswith("..") and tree.is_file(path) else None


def is_test(path: str) -> bool:
    """Return whether a path is that of a test by the conventions of bats, shunit2 and shellspec."""
    name = basename(path)
    stem, _, suffix = name.rpartition(".")
    if suffix == "bats" or stem.endswith(("_test", "_spec", "-test", ".test")) or stem.startswith(("test_", "test-")):
        return True
    return any(part in _FOLDERS for part in path.split("/")[:-1])


def holds_tests(facts: FileFacts) -> bool:
    """Return whether a file defines a test itself, or is a script among the tests that is run as a whole."""
    return any(item.is_test for item in facts.definitions)
