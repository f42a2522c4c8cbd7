"""What holds of the facts of any file, whatever its language and its bytes."""

from hashlib import sha256

import msgspec

from memoire.dispatch import extract
from memoire.model import BASE, CALL, READ, TYPE, WRITE, FileFacts
from memoire.processor import encode_facts

_DECODER = msgspec.msgpack.Decoder(FileFacts)
_HOWS = CALL | READ | WRITE | BASE | TYPE


def check_extraction(path: str, data: bytes) -> FileFacts:
    """Extract a file; assert that its facts hold together and depend on nothing but its name and bytes; return them."""
    facts = extract(path, data)
    assert facts == extract(f"some/folder/{path}", data), "the same bytes give other facts"
    assert (facts.size, facts.sha) == (len(data), sha256(data).hexdigest())
    assert _DECODER.decode(encode_facts(facts)) == msgspec.structs.replace(facts, words=""), "is stored otherwise"
    check(facts)
    return facts


def check(facts: FileFacts) -> None:
    """Assert that the facts of one file hold together."""
    last = max(1, facts.lines)
    count = len(facts.definitions)
    for index, item in enumerate(facts.definitions):
        assert item.name, item
        assert item.kind, item
        assert 1 <= item.line <= item.end_line <= last, (item, last)
        assert -1 <= item.parent < index, (item, index)
        if item.parent >= 0 and item.kind != "key":  # a table of TOML may stand anywhere behind the one it belongs to
            around = facts.definitions[item.parent]
            assert around.line <= item.line <= item.end_line <= around.end_line, (around, item)
    for use in facts.uses:
        assert -1 <= use.scope < count, use
        assert -count <= use.root < len(facts.imports), use
        assert 0 < use.how <= _HOWS, use
        assert use.count >= 1, use
        assert 1 <= use.line <= last, use
    for got in facts.imports:
        assert got.specifier or got.name, got
        assert -1 <= got.scope < count, got
        assert 1 <= got.line <= last, got
    for effect in facts.effects:
        assert effect.category, effect
        assert effect.callee, effect
        assert -1 <= effect.scope < count, effect
        assert -1 <= effect.origin < len(facts.imports), effect
        assert 1 <= effect.line <= last, effect
    for mention in facts.mentions:
        assert mention.text, mention
        assert -1 <= mention.scope < count, mention
        assert 1 <= mention.line <= last, mention
    for problem in facts.problems:
        assert problem.code, problem
        assert problem.message, problem
        assert 0 <= problem.line <= last, problem
