"""What .NET's test runners take for tests. Source: the documentation of xUnit.net, NUnit and MSTest. Pure."""

import re
from posixpath import basename

from memoire.model import FileFacts

TEST = (
    r"\[\s*(?:[\w.]+(?:\([^)]*\))?\s*,\s*)*(?:[\w.]+\.)?(?:Fact|Theory|SkippableFact|SkippableTheory|StaFact|WpfFact"
    r"|UIFact|ConditionalFact|ConditionalTheory|Test|TestCase|TestCaseSource|TestMethod|DataTestMethod|Property"
    r"|Scenario|Benchmark)\b(?!\w)"
)
"""Regular expression of what stands in the header of a test: an attribute of a framework."""
_TEST_FILE = re.compile(r"(?:Tests?|Specs?|Should|Fixture)\.cs$|^Test[A-Z].*\.cs$")
_TEST_FOLDER = re.compile(
    r"^(?:tests?|specs?)$|(?:[.\-_]|(?<=[a-z]))(?:(?:Unit|Integration|Functional|Acceptance|Api|E2E|End2End|Public\w*)?Tests?"
    r"|Specs?)$|[.\-_]tests?$"
)
_FRAMEWORKS = ("Xunit", "NUnit.Framework", "Microsoft.VisualStudio.TestTools", "TUnit")


def is_test(path: str) -> bool:
    """Return whether a file of this path is of the tests: by its name, or by the folder of its project."""
    name = basename(path)
    if not name.endswith((".cs", ".csx")):
        return False
    return bool(_TEST_FILE.search(name)) or any(_TEST_FOLDER.search(folder) for folder in path.split("/")[:-1])


def holds_tests(facts: FileFacts) -> bool:
    """Return whether a file among the tests holds any itself."""
    return any(item.is_test for item in facts.definitions)
