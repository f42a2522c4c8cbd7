"""SPECIFIES, DOCUMENTS and IMPLEMENTS: one claim for each pair of files, which quotes its line."""

from memoire.model import Claim, EdgeKey, Mention
from memoire.relations import documents, implements, specifies

SPEC = "docs/spec.md"


def test_a_specification_specifies_and_quotes_the_first_line() -> None:
    resolved = [
        (Mention("src/parser.py", "path", 12, "The parser must reject."), "src/parser.py"),
        (Mention("Parser.feed", "symbol", 20, "`Parser.feed` returns."), "src/parser.py::Parser.feed"),
        (Mention("src/parser.py", "path", 20, "`Parser.feed` returns."), "src/parser.py"),
        (Mention("src/lexer.py", "path", 30, ""), "src/lexer.py"),
    ]
    assert specifies.claims(SPEC, "specifies", resolved) == [
        Claim(
            key=EdgeKey(SPEC, "SPECIFIES", "src/parser.py"),
            rationale='docs/spec.md:12 "The parser must reject." names src/parser.py, as 1 more line does.',
            extracted_from=SPEC,
            is_causal=True,
            line=12,
            confidence=0.95,
        ),
    ]
    assert documents.claims(SPEC, "specifies", resolved) == [
        Claim(
            key=EdgeKey(SPEC, "DOCUMENTS", "src/lexer.py"),
            rationale="docs/spec.md:30 shows src/lexer.py in an example.",
            extracted_from=SPEC,
            is_causal=True,
            line=30,
            confidence=0.6,
        ),
    ]


def test_what_is_generated_is_not_specified() -> None:
    resolved = [(Mention("MsgSend", "symbol", 3, "`MsgSend` carries a memo."), "proto/tx.pb.go::MsgSend")]
    assert specifies.claims(SPEC, "specifies", resolved) == []


def test_prose_is_quoted_before_an_example_and_many_lines_are_counted() -> None:
    resolved = [
        (Mention("pkg.Client", "symbol", 3, ""), "pkg/api.py::Client"),
        (Mention("Client.send", "symbol", 9, "w" * 300), "pkg/api.py::Client.send"),
        (Mention("Client.send", "symbol", 11, "More."), "pkg/api.py::Client.send"),
    ]
    (claim,) = documents.claims("README.md", "documents", resolved)
    assert claim.rationale == f'README.md:9 "{"w" * 119}…" names pkg/api.py::Client.send, as 2 more lines do.'
    assert (claim.key.relation, claim.is_causal, claim.line, claim.confidence) == ("DOCUMENTS", True, 9, 0.9)


def test_each_kind_of_document_has_its_verb() -> None:
    resolved = [(Mention("a/b.py", "path", 1, "x"), "a/b.py")]
    for kind, verbs in {"specifies": ["SPECIFIES"], "documents": ["DOCUMENTS"], "none": []}.items():
        found = specifies.claims(SPEC, kind, resolved) + documents.claims(SPEC, kind, resolved)
        assert [claim.key.relation for claim in found] == verbs


def test_only_code_is_specified_or_documented() -> None:
    nodes = {
        "docs/other.md": "link",
        "src/": "path",
        "docs/img/a.svg": "link",
        "docs/page.md": "link",
        "pyproject.toml": "path",
        "deploy/app.yaml": "path",
        "Makefile": "link",
        "db/schema.sql": "path",
    }
    resolved = [(Mention(node, kind, 1, "x"), node) for node, kind in nodes.items()]
    assert [claim.key.target for claim in documents.claims("docs/page.md", "documents", resolved)] == [
        "deploy/app.yaml",
        "Makefile",
        "db/schema.sql",
    ]


def test_code_implements_a_specification_it_cites() -> None:
    resolved = [(Mention("docs/spec.md", "path", 7, "See docs/spec.md."), "docs/spec.md")]
    (claim,) = implements.claims("src/a.py", lambda _: "specifies", resolved)
    assert claim.key == EdgeKey("src/a.py", "IMPLEMENTS", "docs/spec.md")
    assert claim.rationale == 'src/a.py:7 "See docs/spec.md." names docs/spec.md.'
    assert (claim.extracted_from, claim.is_causal) == ("src/a.py", True)


def test_another_document_binds_only_where_the_sentence_says_so() -> None:
    def relations(sentence: str, kind: str, target: str = "docs/guide.md") -> list[str]:
        resolved = [(Mention(target, "path", 1, sentence), target)]
        return [claim.key.relation for claim in implements.claims("src/a.py", lambda _: kind, resolved)]

    assert relations("See docs/guide.md.", "documents") == []
    assert relations("Implements docs/guide.md.", "documents") == ["IMPLEMENTS"]
    assert relations("As described in docs/guide.md.", "documents") == ["IMPLEMENTS"]
    assert relations("The format is documented in docs/guide.md.", "documents") == ["IMPLEMENTS"]
    assert relations("Implements CHANGELOG.md.", "none", "CHANGELOG.md") == []
    assert relations("Implements src/b.py.", "specifies", "src/b.py") == []
