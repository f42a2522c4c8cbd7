"""Which Ruby files hold tests: by the names and words of RSpec, Minitest, Test::Unit and Cucumber."""

import re

from memoire.model import FileFacts

_FOLDERS = frozenset({"spec", "test", "tests", "features", "specs"})
_CODE = frozenset({"lib", "app"})
_NAMES = re.compile(r"(?:_spec|_test|_steps)\.rb$|^(?:test_|tc_|ts_).*\.rb$")
_DECLARING = (
    "it specify test scenario example describe context feature should property fit xit its it_behaves_like "
    "include_examples RSpec.describe RSpec.feature Minitest.Test"
)
_WORDS = frozenset(_DECLARING.split())
"""What declares a test, or a group of some."""


def is_test(path: str) -> bool:
    """Return whether a file is named like a test or lies in a folder of tests that is not part of the code."""
    *folders, name = path.split("/")
    if _NAMES.search(name):
        return True
    for folder in folders:
        if folder in _CODE:
            return False
        if folder in _FOLDERS:
            return True
    return False


def holds_tests(facts: FileFacts) -> bool:
    """Return whether a file declares tests: methods by their name, or examples in blocks."""
    if any(item.is_test and item.kind in {"method", "function"} for item in facts.definitions):
        return True
    stars = {index for index, item in enumerate(facts.imports) if item.is_star}
    return any(use.root in stars and use.attr.removesuffix("()") in _WORDS for use in facts.uses)
