"""Every source file below `tests/languages/<language>/` says in comments what must be read of it; nothing else may be.

A line's facts stand behind `=>` in its comment, separated by `;`:

    import os.path as p  # => import os:path as p
    p.exists(x)          # => call os:path.exists; effect file_io os.path.exists

| fact | form |
|---|---|
| definition | `def KIND NAME`, at its first line |
| import | `import SPECIFIER[:NAME] [as LOCAL] [(KIND)]`; the kind where it is not static |
| use | `call`, `read`, `write`, `base` (joined by `+`) and what it leads to, at its first line in the scope; what
|   | nothing in the file binds leads to `*.NAME` |
| effect | `effect CATEGORY CALLEE`; `effect?` where it counts only in a project that has what it rests on |
| mention | `cite TEXT` |
| problem | `problem CODE` |

Where the format has no comments, or none at the end of a line, the facts stand in `NAME.facts` beside the file, a line
for each of its lines that has any: `12: def key name; import ./x`.
"""

import re
from pathlib import Path

import pytest

from memoire.dispatch import extract
from memoire.languages import LANGUAGES, language_of
from memoire.model import BASE, CALL, READ, TYPE, WRITE, FileFacts, Import, Use

WITHOUT_FACTS = frozenset({"image"})
"""Languages whose files have neither parts nor links."""
FOLDER = Path(__file__).parent / "languages"


def _is_fixture(path: Path) -> bool:
    """Files of code, of schemas and of settings; documents have a test of their own."""
    language = language_of(place(path)) if path.is_file() else None
    return language is not None and language.kind == "file" and language.name == path.relative_to(FOLDER).parts[0]


def place(path: Path) -> str:
    """The path of a fixture as if its language's folder were a project."""
    return "/".join(path.relative_to(FOLDER).parts[1:])


FIXTURES = sorted(path for path in FOLDER.rglob("*") if _is_fixture(path))
MARK = re.compile(r"(?:#|//|/\*|<!--|--|;)\s*=> (.*)")
"""Behind the sign of a comment: an arrow alone is a function in some languages."""


def described_import(item: Import) -> str:
    name = f":{item.name}" if item.name else ""
    bound = item.name or item.specifier.partition(".")[0]
    alias = f" as {item.alias}" if item.alias and item.alias != bound else ""
    return f"import {item.specifier}{name}{alias}" + (f" ({item.kind})" if item.kind != "static" else "")


def described_use(facts: FileFacts, use: Use) -> str:
    words = [
        word
        for bit, word in ((CALL, "call"), (READ, "read"), (WRITE, "write"), (BASE, "base"), (TYPE, "type"))
        if use.how & bit
    ]
    if use.root >= 0:
        item = facts.imports[use.root]
        head = "*" if item.is_star else item.specifier + (f":{item.name}" if item.name else "")
    else:
        head = facts.definitions[-1 - use.root].name
    return f"{'+'.join(words)} {head}" + (f".{use.attr}" if use.attr else "").replace(".()", "()")


def facts_by_line(facts: FileFacts) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for definition in facts.definitions:
        found.setdefault(definition.line, []).append(f"def {definition.kind} {definition.name}")
    for item in facts.imports:
        if item.kind in {"implicit", "injected"}:
            continue
        found.setdefault(item.line, []).append(described_import(item))
    for use in facts.uses:
        found.setdefault(use.line, []).append(described_use(facts, use))
    for effect in facts.effects:
        found.setdefault(effect.line, []).append(f"effect{'?' * effect.is_void} {effect.category} {effect.callee}")
    for mention in facts.mentions:
        found.setdefault(mention.line, []).append(f"cite {mention.text}")
    for problem in facts.problems:
        found.setdefault(problem.line, []).append(f"problem {problem.code}")
    # A mark that says `cite x` cites x itself.
    return {line: sorted(set(facts)) for line, facts in found.items()}


def marks_by_line(text: str) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for number, line in enumerate(text.split("\n"), 1):
        found_mark = MARK.search(line)
        if found_mark:
            rest = found_mark[1].removesuffix("*/}").removesuffix("*/").removesuffix("-->")
            found[number] = sorted(fact.strip() for fact in rest.split(";"))
    return found


def marks(path: Path) -> dict[int, list[str]]:
    beside = path.with_name(f"{path.name}.facts")
    if not beside.exists():
        return marks_by_line(path.read_text())
    lines = (line.split(": ", 1) for line in beside.read_text().splitlines())
    return {int(number): sorted(rest.split("; ")) for number, rest in lines}


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: str(path.relative_to(FOLDER)))
def test_a_fixture_yields_exactly_the_facts_it_marks(path: Path) -> None:
    assert facts_by_line(extract(place(path), path.read_bytes())) == marks(path)


def test_every_language_of_code_or_settings_has_a_fixture() -> None:
    assert {path.relative_to(FOLDER).parts[0] for path in FIXTURES} == {
        language.name for language in LANGUAGES if language.kind == "file" and language.name not in WITHOUT_FACTS
    }
