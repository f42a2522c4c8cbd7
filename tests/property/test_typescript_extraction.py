"""Laws of what is read of JavaScript and TypeScript: any bytes give facts, and the facts hold together."""

from hypothesis import given, settings
from hypothesis import strategies as st

from memoire.dispatch import extract
from memoire.extract.chains import Chains
from memoire.extract.masking import mask, with_parens
from memoire.languages.typescript.language import LANGUAGE
from memoire.model import FileFacts

PIECES = [
    "import { a, b as c } from './m'\n", "import d, * as e from 'fs'\n", "import type F from './f'\n",
    "export { a as x } from './n'\n", "export * from './o'\n", "const g = require('./p')\n",
    "export default ", "export ", "class ", "extends ", "implements ", "function ", "async ", "await ", "=> ", "const ",
    "let ", "var ", "interface ", "type ", "enum ", "namespace ", "return ", "new ", "this.", "a", "b", "c", "d", "F",
    "A", "(", ")", "{", "}", "[", "]", "<", ">", ",", ";", ":", "?", "!", ".", "...", "=", "+", "'", '"', "`", "${",
    "/", "//", "/*", "*/", "\\", "\n", "\n  .", " ", "#p", "@A ", "1", "é", "\0", "module.exports = ", "exports.a = ",
    "if (a) ", "for (const a of b) ", "try {} catch (a) {} ", "<A b={c}>d</A>",
]  # fmt: skip

sources = st.lists(st.sampled_from(PIECES), max_size=60).map("".join) | st.text(max_size=100)
suffixes = st.sampled_from(LANGUAGE.suffixes)


def hold_together(facts: FileFacts) -> None:
    count = len(facts.definitions)
    for index, definition in enumerate(facts.definitions):
        assert -1 <= definition.parent < index
        assert 1 <= definition.line <= definition.end_line <= max(1, facts.lines)
        if definition.parent >= 0:
            assert definition.name.startswith(facts.definitions[definition.parent].name + ".")
    for use in facts.uses:
        assert -1 <= use.scope < count
        assert use.root < len(facts.imports) if use.root >= 0 else -use.root <= count
        assert use.how
        assert use.count >= 1
        assert 1 <= use.line <= facts.lines
    for item in facts.imports:
        assert item.specifier
        assert -1 <= item.scope < count
    for effect in facts.effects:
        assert -1 <= effect.origin < len(facts.imports)


@settings(max_examples=500, deadline=None)
@given(suffixes, sources)
def test_any_source_gives_facts_that_hold_together(suffix: str, source: str) -> None:
    hold_together(extract(f"a{suffix}", source.encode("utf-8", "replace")))


@settings(max_examples=200, deadline=None)
@given(suffixes, st.binary(max_size=300))
def test_any_bytes_give_facts_that_hold_together(suffix: str, data: bytes) -> None:
    hold_together(extract(f"a{suffix}", data))


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=60).map("".join))
def test_what_is_commented_out_or_quoted_is_not_read(source: str) -> None:
    source = source.replace("\0", "").replace("\\", "")
    quoted = source.replace("*", "")
    facts = extract("a.ts", f"/*{quoted}*/".encode("utf-8", "replace"))
    assert (facts.definitions, facts.imports, facts.uses, facts.effects) == ((), (), (), ())
    line = source.replace("\n", " ").replace('"', "")
    facts = extract("a.ts", f'const text = "{line}"'.encode("utf-8", "replace"))
    assert [definition.name for definition in facts.definitions] == ["text"]
    assert (facts.imports, facts.uses, facts.effects) == ((), (), ())


@settings(deadline=None)
@given(st.binary(max_size=200), st.lists(st.tuples(st.integers(0, 200), st.integers(0, 200)), max_size=8))
def test_masking_moves_nothing(code: bytes, spans: list[tuple[int, int]]) -> None:
    inside = [(min(a, b, len(code)), min(max(a, b), len(code))) for a, b in spans]
    masked = mask(code, inside, Chains("[a-z]+").leading, LANGUAGE.syntax.strings if LANGUAGE.syntax else "")
    assert len(masked) == len(code)
    assert all(not masked[a:b].strip(b" .?!") for a, b in inside)
    assert len(with_parens(code, [], [])) == len(code)
