"""Which PHP files hold tests: by the names that PHPUnit, Pest, Codeception, phpspec and WordPress look for."""

import re
from posixpath import basename

from memoire.model import CALL, FileFacts

_FOLDERS = frozenset({"tests", "Tests", "test", "Test", "spec", "features", "__tests__"})
_NAMES = re.compile(r"(?:Test|Tests|TestCase|Cest|Cept|Spec|_test|\.test)\.(?:php|phtml|inc)$|^test[-_].*\.php$")
_PEST = frozenset({"it", "test", "describe", "arch", "todo"})
"""The functions that declare a test. Source: https://pestphp.com/docs/writing-tests"""


def is_test(path: str) -> bool:
    """Return whether a file is named like a test or lies in a folder of tests."""
    *folders, name = path.split("/")
    return bool(_NAMES.search(basename(name))) or not _FOLDERS.isdisjoint(folders)


def holds_tests(facts: FileFacts) -> bool:
    """Return whether a file declares tests: methods by name, attribute or documentation, or calls of Pest."""
    if any(item.is_test and item.kind in {"method", "function"} for item in facts.definitions):
        return True
    if any(
        item.kind == "class" and item.name.rpartition(".")[2].endswith(("Spec", "Cest")) for item in facts.definitions
    ):
        return True
    stars = {index for index, item in enumerate(facts.imports) if item.is_star}
    return any(
        use.root in stars and use.how & CALL and use.attr.partition(".")[0].removesuffix("()") in _PEST
        for use in facts.uses
    )
