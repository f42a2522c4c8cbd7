"""SPECIFIES, DOCUMENTS and IMPLEMENTS: one claim for each pair of files, which quotes its line."""

import pytest

from memoire.model import Claim, EdgeKey, Mention
from memoire.relations import documents, implements, specifies
from tests.unit.document_facts import asciidoc, markdown, rest

SPEC = "docs/spec.md"
BOOK = "src/order_book.py::OrderBook"


def _specifies(text: str, nodes: dict[str, str], path: str = SPEC) -> list[str]:
    """Return the files that a Markdown page specifies, where its mentions name these nodes."""
    facts = markdown(text, path)
    resolved = [(mention, nodes[mention.text]) for mention in facts.mentions if mention.text in nodes]
    return [claim.key.target for claim in specifies.claims(path, "specifies", resolved, facts)]


def test_a_specification_specifies_what_its_sentences_rule_and_documents_the_rest() -> None:
    facts = markdown(
        "# Parsing\n\n`src/parser.py` must reject it.\n\n`src/parser.py` is fast.\n\nSee `src/lexer.py`.\n\n"
        "```python\nfrom src.token import Token\n```\n",
        SPEC,
    )
    nodes = {"src/parser.py": "src/parser.py", "src/lexer.py": "src/lexer.py", "src.token.Token": "src/token.py::Token"}
    resolved = [(mention, nodes[mention.text]) for mention in facts.mentions if mention.text in nodes]
    specified = specifies.claims(SPEC, "specifies", resolved, facts)
    assert specified == [
        Claim(
            key=EdgeKey(SPEC, "SPECIFIES", "src/parser.py"),
            rationale='docs/spec.md:3 "`src/parser.py` must reject it." names src/parser.py.',
            extracted_from=SPEC,
            is_causal=True,
            line=3,
            confidence=0.95,
        ),
    ]
    told = documents.claims(SPEC, "specifies", resolved, {claim.key.target for claim in specified})
    assert [(claim.key.target, claim.rationale) for claim in told] == [
        ("src/lexer.py", 'docs/spec.md:7 "See `src/lexer.py`." names src/lexer.py.'),
        ("src/token.py", "docs/spec.md:10 shows src/token.py::Token in an example."),
    ]


DECIDED = [
    "`OrderBook` must hold every open order.",
    "The `OrderBook` class will be rebuilt at start.",
    "`OrderBook`'s `depth` field shall be bounded.",
    "We introduce a new interface, `OrderBook`.",
    "Add `OrderBook` to the public API.",
    "We will add the `depth` field to the `OrderBook` model.",
    "We are moving the limit to the `OrderBook` model.",
    "Make a new model in the shop called `OrderBook`.",
    "A new model `OrderBook` is needed.",
    "Remove the `OrderBook` class.",
]
TOLD = [
    "The shop uses `OrderBook`.",
    "Each trader must call `OrderBook`.",
    "`OrderBook` should be used by traders.",
    "`OrderBook` must be implemented by each market.",
    "Currently `OrderBook` will lose orders.",
    "For example, `OrderBook` must hold every order.",
    "We could add `OrderBook`.",
    "Traders (see `OrderBook`) will be told.",
    "A trader has a link to `OrderBook` and will be told.",
]


@pytest.mark.parametrize("sentence", DECIDED)
def test_a_sentence_decides_about_what_it_rules(sentence: str) -> None:
    assert _specifies(f"# Book\n\n## Decision\n\n{sentence}\n", {"OrderBook": BOOK}) == ["src/order_book.py"]


@pytest.mark.parametrize("sentence", TOLD)
def test_a_sentence_does_not_decide_about_what_it_merely_names(sentence: str) -> None:
    assert _specifies(f"# Book\n\n## Decision\n\n{sentence}\n", {"OrderBook": BOOK}) == []


@pytest.mark.parametrize(
    "heading", ["Context", "Background", "Alternatives considered", "Consequences", "Current design", "References"]
)
def test_a_section_that_only_tells_about_a_decision_specifies_nothing(heading: str) -> None:
    assert _specifies(f"# Book\n\n## {heading}\n\n`OrderBook` must hold all.\n", {"OrderBook": BOOK}) == []


def test_what_holds_is_decided_where_the_heading_says_so() -> None:
    for heading, specified in {"Decision": True, "Context and decision": True, "Overview": False}.items():
        text = f"# Book\n\n## {heading}\n\nThe `OrderBook` stores every open order.\n"
        assert bool(_specifies(text, {"OrderBook": BOOK})) == specified, heading


@pytest.mark.parametrize(
    ("text", "is_specified"),
    [
        ("How `src/order_book.py` turns orders into trades.", True),
        ("This document specifies how `src/order_book.py` matches.", True),
        ("`src/order_book.py` writes one line for each trade.", True),
        ("Traders like `src/order_book.py`.", False),
        ("We looked at how others do it, and at `src/order_book.py`.", False),
        ("Currently `src/order_book.py` writes one line for each trade.", False),
    ],
)
def test_what_a_page_says_below_its_title_of_one_file_the_file_has_to_be(text: str, is_specified: bool) -> None:
    assert bool(_specifies(f"# Book\n\n{text}\n", {"src/order_book.py": "src/order_book.py"})) == is_specified


def test_a_decision_may_say_where_a_thing_stands_and_any_verb_of_it() -> None:
    text = "# Retries\n\n## Decision\n\n`OrderBook` in `src/order_book.py` tries a trade three times.\n"
    assert _specifies(text, {"OrderBook": BOOK}) == ["src/order_book.py"]


STATUSES = {
    "---\nstatus: rejected\n---\n# Book\n\n": False,
    "---\nstatus: accepted\n---\n# Book\n\n": True,
    "# Book\n\n* Status: superseded by [ADR 7](0007-other.md)\n\n": False,
    "# Book\n\n**Status**: Accepted\n\n": True,
    "# Book\n\n| Status | Deprecated |\n|---|---|\n| Date | 2020-02-02 |\n\n": False,
    "# Book\n\n## Status\n\nACCEPTED Not Implemented\n\n## Decision\n\n": False,
    "# Book\n\n## Status\n\nProposed\n\n## Decision\n\n": True,
    "# Book\n\n## Status\n\nAccepted, partially superseded by ADR 9\n\n## Decision\n\n": True,
}


def test_what_was_rejected_or_replaced_specifies_nothing() -> None:
    for head, in_force in STATUSES.items():
        assert bool(_specifies(f"{head}`OrderBook` must hold all.\n", {"OrderBook": BOOK})) == in_force, head


def test_the_status_is_read_in_every_kind_of_document() -> None:
    assert rest("Book\n====\n\nStatus\n------\n\n**Superseded** by 7\n").status == "Superseded by 7"
    assert rest("Book\n====\n\n:Status: Deprecated\n").status == "Deprecated"
    assert asciidoc("= Book\n:status: rejected\n\nText.\n").status == "rejected"
    assert markdown("# Book\n\nIt tells the status of orders: open.\n").status == ""


def test_what_follows_something_else_is_not_specified() -> None:
    for path in ("proto/tx.pb.go", "vendor/a/tx.go", "tests/tx.py", "db/migrations/tx.py", "src/tx.py"):
        found = _specifies("# A\n\n`MsgSend.memo` must be short.\n", {"MsgSend.memo": f"{path}::MsgSend.memo"})
        assert found == [path] * (path == "src/tx.py")


def test_a_name_of_few_words_means_no_file_by_itself() -> None:
    text = "# A\n\n`{}` must be small.\n"
    for name, others, is_sure in (
        ("Executor", "", False),
        ("EventSink", "", False),
        ("EventSink", "\n`SinkError` is raised.\n", True),
        ("RetrySignerClient", "", True),
        ("sink.EventSink", "", True),
    ):
        nodes = {name: f"a/psql.go::{name.rpartition('.')[2]}", "SinkError": "a/psql.go::SinkError"}
        assert bool(_specifies(text.format(name) + others, nodes)) == is_sure, name


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
    facts = markdown("`a/b.py` must stay.", SPEC)
    resolved = [(mention, "a/b.py") for mention in facts.mentions]
    for kind, verbs in {"specifies": ["SPECIFIES"], "documents": ["DOCUMENTS"], "none": []}.items():
        found = specifies.claims(SPEC, kind, resolved, facts)
        found += documents.claims(SPEC, kind, resolved, {claim.key.target for claim in found})
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
