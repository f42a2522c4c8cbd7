"""What a path says by itself."""

import pytest

from memoire.languages.typescript.conventions import is_barrel, is_test


@pytest.mark.parametrize(
    "path",
    [
        "src/a.test.ts",
        "src/a.spec.jsx",
        "src/a_test.ts",
        "src/a-test.js",
        "a.e2e-spec.ts",
        "a.test-d.ts",
        "cypress/e2e/login.cy.ts",
        "src/__tests__/a.tsx",
        "test/a.js",
        "test.js",
        "packages/x/tests/deep/a.mjs",
        "spec/a.cjs",
        "test/fixtures/a.test.ts",
    ],
)
def test_a_file_that_test_runners_would_run_holds_tests(path: str) -> None:
    assert is_test(path)


@pytest.mark.parametrize(
    "path",
    [
        "src/a.ts",
        "src/test-utils/a.ts",
        "src/contest.ts",
        "src/latest.ts",
        "test/helpers/a.js",
        "test/fixtures/a.js",
        "test/setup.ts",
        "test/a-helper.js",
        "src/__tests__/__mocks__/a.ts",
        "test/types.d.ts",
        "tests/data.json",
        "test/a.config.ts",
        "src/testing/a.ts",
        "",
    ],
)
def test_a_file_that_only_supports_tests_or_is_none_holds_none(path: str) -> None:
    assert not is_test(path)


@pytest.mark.parametrize("path", ["src/index.ts", "index.js", "a/index.d.ts", "a/index.tsx", "fs/mod.ts"])
def test_an_index_stands_for_its_directory(path: str) -> None:
    assert is_barrel(path)


@pytest.mark.parametrize("path", ["src/a.ts", "index.test.ts", "index/a.ts", "reindex.ts", "index.json", ""])
def test_other_files_stand_for_themselves(path: str) -> None:
    assert not is_barrel(path)
