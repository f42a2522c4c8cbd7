"""What a change does to a note about a whole file, a key of its settings, or a section of a document."""

import pytest

from memoire.dispatch import extract
from memoire.notes.anchors import World, baseline, compare
from memoire.notes.model import Anchor

PYTHON = '"""Words."""\nimport os\nimport sys\n\nLIMIT = 1\n\ndef run():\n    return LIMIT\n\nrun()\n'
SHELL = "#!/bin/sh\n# Clears.\nclear() { rm x; }\nclear\n"
TYPESCRIPT = 'import { b } from "./b";\n\nfunction run() { return b }\n// Starts.\nrun()\n'
C = "#include <a.h>\n#define MOST 64\nint run(int x) { return x; }\n"
TOML = "[project]\nname = 'a'\n[tool.x]\nline = 3\n"
JSON = '{\n  "scripts": {\n    "test": "jest",\n    "lint": "tsc"\n  }\n}\n'
YAML = "build:\n  image: one\nother: 1\n"
MARKDOWN = "# Shop\n\nIt sells.\n\n## Queue\n\nAt most 64.\n"


def world(path: str, text: str) -> World:
    facts = extract(path, text.encode())
    return World({path: facts}.get, {path: text}.get, lambda other: other == path, lambda _: False, lambda _: False)


@pytest.mark.parametrize(
    ("node", "source", "old", "new", "expected"),
    [
        ("a.py", PYTHON, "\nrun()\n", "\nrun(2)\n", "changed"),
        ("a.py", PYTHON, "LIMIT = 1", "LIMIT = 2", "changed"),
        ("a.py", PYTHON, "return LIMIT", "return 2", "changed"),
        ("a.py", PYTHON, "import os", "import re", "changed"),
        ("a.py", PYTHON, "import os\nimport sys", "import sys\n\nimport os", "cosmetic"),
        ("a.py", PYTHON, "Words.", "Other\nwords.", "cosmetic"),
        ("a.py", PYTHON, "\nrun()\n", "\n# now\n\nrun( )\n", "cosmetic"),
        ("a.sh", SHELL, "}\nclear", "}\nclear -a", "changed"),
        ("a.sh", SHELL, "# Clears.", "# Clears all.", "cosmetic"),
        ("a.ts", TYPESCRIPT, "\nrun()\n", "\nrun(2);\n", "changed"),
        ("a.ts", TYPESCRIPT, "\nrun()\n", "\nrun();\n", "cosmetic"),
        ("a.ts", TYPESCRIPT, "// Starts.", "/* Starts\n   it. */", "cosmetic"),
        ("a.ts", TYPESCRIPT, "{ b }", "{\n  b,\n}", "cosmetic"),
        ("a.c", C, "MOST 64", "MOST 65", "changed"),
        ("pyproject.toml::tool.x.line", TOML, "3", "4", "changed"),
        ("pyproject.toml::tool.x.line", TOML, "'a'", "'b'", "fresh"),
        ("pyproject.toml::tool.x", TOML, "line = 3\n", "", "changed"),
        ("pyproject.toml::tool.x.line", TOML, "line = 3\n", "", "gone"),
        ("package.json::scripts.test", JSON, "jest", "vitest", "changed"),
        ("package.json::scripts.test", JSON, "tsc", "eslint", "fresh"),
        ("a.yaml::build.image", YAML, "one", "two", "changed"),
        ("a.yaml::build.image", YAML, "1", "2", "fresh"),
        ("a.md", MARKDOWN, "64", "65", "changed"),
        ("a.md", MARKDOWN, "It sells.\n", "It\nsells.\n", "cosmetic"),
        ("a.md::Queue", MARKDOWN, "64", "65", "changed"),
        ("a.md::Queue", MARKDOWN, "sells", "buys", "fresh"),
        ("a.md::Queue", MARKDOWN, "## Queue\n\nAt most 64.\n", "", "gone"),
    ],
)
def test_a_change_of_a_file_is_told_for_what_it_is(node: str, source: str, old: str, new: str, expected: str) -> None:
    path = node.partition("::")[0]
    assert old in source
    base = baseline(node, "", world(path, source))
    assert base is not None, f"{node} is not found"
    assert compare(Anchor(node, "body", base), world(path, source.replace(old, new))).state == expected
