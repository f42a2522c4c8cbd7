"""What the path of a JavaScript or TypeScript file says of it: that it holds tests, or stands for its directory. Pure.

Source: the default patterns of Jest, Vitest, Mocha, Node's runner, Deno, Playwright and Cypress.
"""

import re
from posixpath import basename

_TEST_NAME = re.compile(
    r"[.\-_](?:test|tests|spec|specs|e2e|e2e-spec|e2e-test|cy|test-d|spec-d|bench)\.[cm]?[jt]sx?$|^(?:test|tests|spec)\.[cm]?[jt]sx?$",
    re.IGNORECASE,
)
_TEST_DIRECTORIES = frozenset({"__tests__", "__test__", "test", "tests", "spec", "specs", "e2e", "cypress"})
_SUPPORT = re.compile(
    r"^(?:_?_?(?:fixtures?|mocks?|snapshots|testfixtures)_?_?|helpers?|utils?|support|setup|data|types|typings|lib|common"
    r"|shared|stubs?|resources|assets|templates?|factories|plugins|.*[-_.](?:helpers?|utils?|fixtures?|setup|mocks?))$",
    re.IGNORECASE,
)
_CODE = re.compile(r"\.[cm]?[jt]sx?$", re.IGNORECASE)
_DECLARATION = re.compile(r"\.d\.[cm]?ts$", re.IGNORECASE)
_BARREL = re.compile(r"^(?:index|mod)(?:\.d)?\.[cm]?[jt]sx?$")


def is_test(path: str) -> bool:
    """Return whether a file of this path holds tests: by its name, or by its directory unless it supports tests."""
    name = basename(path)
    if not _CODE.search(name) or _DECLARATION.search(name):
        return False
    if _TEST_NAME.search(name):
        return True
    parts = path.split("/")[:-1]
    stem = name.partition(".")[0]
    deepest = max((i for i, part in enumerate(parts) if part in _TEST_DIRECTORIES), default=None)
    if deepest is None or _SUPPORT.match(stem) or name.count(".") > 1:
        return False
    return not any(_SUPPORT.match(part) for part in parts[deepest + 1 :])


def is_barrel(path: str) -> bool:
    """Return whether a file of this path stands for its directory and passes names on (`index.ts`, Deno's `mod.ts`)."""
    return bool(_BARREL.match(basename(path)))
