"""What Go's tools take for tests. Source: `go help test`, `go help testfunc`; testify, gocheck and Ginkgo."""

from memoire.model import FileFacts

TEST = (
    r"^func\s+(?:(?:Test(?!Main\b)|Benchmark|Fuzz)(?![a-z])\w*\s*\(\s*\w+\s+\*testing\.[TBF]\b|Example(?![a-z])\w*\s*\(\s*\))"
    r"|^func\s*\(\s*\w*\s*\*?\w*(?:Suite|Tests?)\w*\s*\)\s*Test(?![a-z])\w*\s*\(\s*\)"
    r"|^func\s*\(\s*\w*\s*\*?\w+\s*\)\s*Test(?![a-z])\w*\s*\(\s*\w+\s+\*(?:\w+\.)?C\s*\)"
)
"""Regular expression of the header of a test: a function of the tool, a method of a suite, one of gocheck."""
_SPEC_FRAMEWORKS = ("github.com/onsi/ginkgo", "github.com/franela/goblin", "github.com/DATA-DOG/godog")


def is_test(path: str) -> bool:
    """Return whether `go test` alone compiles the file."""
    return path.endswith("_test.go")


def holds_tests(facts: FileFacts) -> bool:
    """Return whether a file among the tests defines one, or describes some in the words of a framework."""
    return any(item.is_test for item in facts.definitions) or any(
        item.specifier.startswith(_SPEC_FRAMEWORKS) for item in facts.imports
    )
