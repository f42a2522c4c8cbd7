"""What Rust's tools take for tests. Source: the Cargo book, "Cargo targets"; rstest, test-case, Tokio and others."""

from posixpath import basename

from memoire.model import FileFacts

TEST = (
    r"#\[\s*(?:\w+\s*::\s*)*(?:test|bench|rstest|test_case|case|quickcheck|wasm_bindgen_test|test_log|gtest|apply)\b"
    r"|#\[\s*cfg\s*\((?:\s*(?:all|any)\s*\()?\s*test\b(?s:.*)\bmod\b"
)
"""Regular expression of the header of a test, or of a module of tests."""


def is_test(path: str) -> bool:
    """Return whether a file is a test of its own, or a module of tests by its name."""
    stem = basename(path).removesuffix(".rs")
    if not path.endswith(".rs"):
        return False
    return stem in {"tests", "test"} or stem.endswith(("_test", "_tests")) or "tests" in path.split("/")[:-1]


def holds_tests(facts: FileFacts) -> bool:
    """Return whether a file among the tests defines one itself."""
    return any(item.is_test and item.kind != "namespace" for item in facts.definitions)


def is_barrel(path: str) -> bool:
    """Return whether a file stands for its folder and passes on names."""
    return basename(path) in {"lib.rs", "mod.rs"}
