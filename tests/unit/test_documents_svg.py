"""What an SVG drawing says; nothing in it is expanded, fetched or run."""

import pytest

from memoire.languages import language_of
from tests.unit.document_facts import found, svg

BOMB = "<!DOCTYPE svg [<!ENTITY a 'ha'>" + "".join(f"<!ENTITY a{n} '{'&a;' * 10}'>" for n in range(30)) + "]>"


def text(data: str) -> str:
    language = language_of("a.svg")
    assert language is not None
    assert language.text is not None
    return language.text("a.svg", data.encode())


class TestText:
    def test_its_labels_stand_on_their_lines(self) -> None:
        data = (
            '<svg>\n<title>T</title>\n<text>One\n  more</text><text>Two</text>\n\n<path d="M1 2"/>\n'
            "<text>a &lt; b</text></svg>"
        )
        assert text(data) == "\nT\nOne more\nTwo\n\n\na < b"

    @pytest.mark.parametrize("unseen", ["style", "script", "metadata"])
    def test_what_nobody_sees_is_no_text(self, unseen: str) -> None:
        assert text(f"<svg><{unseen}>no <b>no</b></{unseen}><text>yes</text><{unseen}>no") == "yes"
        assert text(f'<svg><{unseen} href="a"/><text>yes</text></svg>') == "yes"

    def test_pieces_that_stand_apart_are_apart(self) -> None:
        assert text('<svg><text>a<tspan>b</tspan>c<tspan x="1">d</tspan></text></svg>') == "abc · d"

    def test_an_entity_of_its_own_stays_as_it_is(self) -> None:
        assert text(f"{BOMB}<svg><text>&a29; &amp; &#65;</text></svg>") == "&a29; & A"
        assert text('<!DOCTYPE svg SYSTEM "file:///etc/passwd"><svg><text>&x;</text></svg>') == "&x;"

    def test_what_is_broken_is_read_around(self) -> None:
        assert text("<svg><text>a</g><text>b</text></svg></svg><text>c") == "a · b · c"
        assert text("<svg><text>a<!-- b") == "a"
        assert text('<svg><text>1 < 2</text><text x="unclosed>b</text><text>c</text>') == (
            '1 < 2 · <text x="unclosed>b · c'
        )


class TestFacts:
    def test_its_labels_sum_up_a_drawing_without_a_description(self) -> None:
        facts = svg(
            "<svg><g><title>inner</title></g>" + "".join(f"<text>Label {n}</text>" for n in range(50)) + "</svg>"
        )
        assert facts.summary.startswith("flow — Labels: inner, Label 0, Label 1, ")
        assert len(facts.summary) < 140

    @pytest.mark.parametrize("data", ["", "no drawing", "<html></html>", "<!DOCTYPE svg [", "<svg"])
    def test_what_is_no_drawing_is_a_problem(self, data: str) -> None:
        assert [problem.code for problem in svg(data).problems] == ["syntax"]

    def test_a_line_of_megabytes_is_read(self) -> None:
        facts = svg(f'<svg><path d="{"1 2 " * 200_000}"/><text>src/a.py</text></svg>')
        assert (found(facts), facts.problems) == ([(1, "path", "src/a.py")], ())

    def test_links_stay_in_the_project(self) -> None:
        data = (
            '<svg xlink:href="#a"><a xlink:href=\'b/c.md#d\'/><image href="data:image/png;base64,AAAA"/>\n'
            '<a href="//x.y"/><a data-href="no.md" href = "e&amp;f.md"/><a href="javascript:x()"/><use href=""/></svg>'
        )
        assert found(svg(data)) == [(1, "link", "b/c.md"), (2, "link", "e&f.md")]

    def test_only_a_name_that_is_one_is_a_symbol(self) -> None:
        labels = [
            "Gateway",
            "OrderService",
            "run()",
            "Order.total",
            "a OrderQueue",
            "store",
            "function to",
            "a/b.py::C.d",
        ]
        facts = svg(f"<svg>{''.join(f'<text>{label}</text>' for label in labels)}</svg>")
        assert [name for _, _, name in found(facts)] == ["OrderService", "run()", "Order.total", "a/b.py::C.d"]

    def test_the_title_of_an_icon_names_no_component(self) -> None:
        data = "<svg><title>ArrowLeft</title><g><desc>icons/arrow.py</desc><title>ArrowHead</title></g></svg>"
        assert (svg(data).summary, found(svg(data))) == (
            "ArrowLeft — Labels: icons/arrow.py, ArrowHead",
            [(1, "path", "icons/arrow.py")],
        )

    @pytest.mark.parametrize(
        "piece",
        ["<a ", '<a "', "<!--", "<![CDATA[", "<!DOCTYPE[", "<?", "<style>", "<text>", "<text>a", "</a>", "<title>x",
         "&", '<a href="b">', "'\"<a", "<a b='<a b=\"", "<", ">", "a/b.py "],
    )  # fmt: skip
    def test_repetition_costs_no_more_than_its_length(self, piece: str) -> None:
        facts = svg(f"<svg>{piece * (200_000 // len(piece))}")
        assert facts.size >= 199_990
