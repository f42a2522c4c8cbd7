"""What AsciiDoc says: sections, attributes, includes, references of an Antora site."""

import pytest

from memoire.extract.documents import split_summary
from tests.unit.document_facts import asciidoc, found, names


class TestSections:
    def test_they_nest_by_their_marks(self) -> None:
        facts = asciidoc("= A\n\n== B\n\n==== C\n\n## D\n\n=E\n\n== F ==\n")
        assert [(item.name, item.line, item.end_line, item.parent) for item in facts.definitions] == [
            ("A", 1, 11, -1),
            ("B", 3, 5, 0),
            ("C", 5, 5, 1),
            ("D", 7, 9, 0),
            ("F", 11, 11, 0),
        ]

    def test_titles_of_two_lines_are_underlined_in_their_own_length(self) -> None:
        facts = asciidoc(
            "Manual\n======\n\nPart one\n--------\n\nSmaller\n~~~~~~~\n\nShort\n---------\nsrc/code.py\n---------\n"
        )
        assert [(item.name, item.parent) for item in facts.definitions] == [
            ("Manual", -1),
            ("Part one", 0),
            ("Smaller", 1),
        ]
        assert [(mention.text, mention.sentence) for mention in facts.mentions] == [("src/code.py", "")]

    def test_the_offset_of_levels_is_followed_and_taken_back(self) -> None:
        text = (
            "= A\n\n:leveloffset: +1\n\n= B\n\n== C\n\n:leveloffset: -1\n\n== D\n\n:leveloffset: 2\n\n= E\n\n"
            ":leveloffset!:\n\n== F\n"
        )
        assert [(item.name, item.parent) for item in asciidoc(text).definitions] == [
            ("A", -1), ("B", 0), ("C", 1), ("D", 0), ("E", 3), ("F", 0),
        ]  # fmt: skip

    @pytest.mark.parametrize("offset", ["", "x", "+", "--1", "99999999999", "+5", "-5"])
    def test_an_offset_that_is_none_or_too_great_keeps_every_section(self, offset: str) -> None:
        assert names(asciidoc(f"= A\n\n:leveloffset: {offset}\n\n== B\n\n=== C\n")) == ["A", "B", "C"]

    @pytest.mark.parametrize(
        "text",
        [
            "----\n== no\n----\n", "....\n== no\n", "////\n== no\n////\n", "```ruby\n== no\n```\n", " == no\n",
            "====\n== no\n====\n", "|===\n== no\n|===\n", "[discrete]\n== no\n", "[float#id]\n== no\n", "==no\n",
            "++++\n== no\n++++\n", "[source]\n--\n== no\n--\n", "****\n== no\n****\n", "====== \n", "-- \n",
        ],
    )  # fmt: skip
    def test_what_only_looks_like_a_section_is_none(self, text: str) -> None:
        assert names(asciidoc(text)) == []

    def test_a_block_without_an_end_hides_code_to_the_end_and_else_a_line(self) -> None:
        assert names(asciidoc("====\n\n== A\n\n|===\n\n== B\n")) == ["A"]
        assert names(asciidoc("////\n\n== A\n\n----\n\n== B\n")) == ["A"]

    def test_blocks_close_those_inside_them(self) -> None:
        assert names(asciidoc("====\n****\n====\n\n== A\n\n****\n\n== B\n")) == ["A", "B"]


class TestTitle:
    @pytest.mark.parametrize(
        ("text", "title", "sentence"),
        [
            ("= Name\nAda Writer <a@b.org>\nv1, 2024-01-01\n\nDoes a thing. And more.\n", "Name", "Does a thing."),
            ("= {x} guide\n:x: The\n\n*Bold* and _slanted_ `c`, #it#.\n", "The guide", "Bold and slanted `c`, it."),
            (":description: Says it.\n= T\n\nBody.\n", "T", "Says it."),
            ("---\ntitle: Front\n---\n== Other\n\nBody.\n", "Front", "Body."),
            ("Body first.\n\n== Late\n", "page", "Body first."),
            ("= T\n\nNOTE: Not this.\n\nimage::a.png[]\n\n* This {unknown}.\n", "T", "This {unknown}."),
            ("= T\n\n(((not, this)))A ((term)) of `C`:: and C# [.role]#x#.\n", "T", "A term of `C`: and C# x."),
            ("= T\n\nSee https://a.b/c[the site], {url}/x[that] +\nand <<id>>.\n", "T", "See the site, that and id."),
            ("", "page", ""),
        ],
    )  # fmt: skip
    def test_it_is_found_with_the_first_sentence(self, text: str, title: str, sentence: str) -> None:
        assert split_summary(asciidoc(text).summary) == (title, sentence)

    def test_a_signature_of_the_same_suffix_is_no_document(self) -> None:
        facts = asciidoc(
            "-----BEGIN PGP SIGNATURE-----\n\n= src/a.py\n-----END PGP SIGNATURE-----\n", "dist/a.tar.gz.asc"
        )
        assert (facts.definitions, facts.mentions, facts.problems, facts.summary) == ((), (), (), "a.tar.gz")


class TestTargets:
    def test_attributes_hold_from_where_they_are_set(self) -> None:
        text = (
            "{dir}/early.py\n\n:dir: src/a\n\nlink:{dir}/b.py[] and {dir}/c.py\n\n:dir!:\n\nlink:{dir}/d.py[]\n\n"
            ":deep: {deep}/{deep}\n:deep: {deep}/{deep}\n\nlink:{deep}/e.py[]\n"
        )
        assert [name for _, _, name in found(asciidoc(text))] == ["src/a/b.py", "src/a/c.py"]

    def test_pictures_lie_in_their_folder(self) -> None:
        text = (
            ":imagesdir: ./img\n\nimage::a.png[]\n\nvideo::b.mp4[]\n\nvideo::300817511[vimeo]\n\n"
            "image:/c.png[] link:d.png[]\n\n:imagesdir: https://e.f\n\nimage::g.png[]\n"
        )
        assert [name for _, _, name in found(asciidoc(text))] == ["./img/a.png", "./img/b.mp4", "/c.png", "d.png"]

    def test_resources_of_an_antora_site_are_found_by_their_module(self) -> None:
        text = (
            "xref:deep/b.adoc#x[] xref:other:c.adoc[] xref:comp:other:d.adoc[] xref:2.0@e.adoc[] xref:./f.adoc[]\n\n"
            "include::example$g/H.java[]\n\ninclude::other:partial$i.adoc[]\n\ninclude::j.adoc[]\n\nimage::k.png[]\n\n"
            "xref:attachment$l.pdf[] xref:#here[] xref:id[] <<an.id>> <<m.adoc#n,that>> xref:../../../../etc/o.adoc[]\n"
        )
        root = "/docs/modules"
        assert [name for _, _, name in found(asciidoc(text, "docs/modules/ROOT/pages/start/a.adoc"))] == [
            f"{root}/ROOT/pages/deep/b.adoc",
            f"{root}/other/pages/c.adoc",
            f"{root}/ROOT/pages/e.adoc",
            "./f.adoc",
            f"{root}/ROOT/examples/g/H.java",
            f"{root}/other/partials/i.adoc",
            "j.adoc",
            f"{root}/ROOT/images/k.png",
            f"{root}/ROOT/assets/images/k.png",
            f"{root}/ROOT/attachments/l.pdf",
            f"{root}/ROOT/assets/attachments/l.pdf",
            f"{root}/ROOT/pages/m.adoc",
            "../../../../etc/o.adoc",
        ]
        nav = asciidoc("* xref:start/a.adoc[]\n", "modules/ROOT/nav.adoc")
        assert found(nav) == [(1, "link", "/modules/ROOT/pages/start/a.adoc")]

    def test_what_is_escaped_is_text_and_what_leads_out_names_nothing(self) -> None:
        text = (
            "\\link:a.py[] \\<<b.adoc#c>> \\`d/e.py` https://x.y/f.py[`g/h.py`] link:https://x.y[`i/j.py`] "
            "mailto:k@l.py[] pass:[m/n.py] stem:[o/p.py] {url}/q[`r/s.py`]\n"
        )
        assert [name for _, _, name in found(asciidoc(text))] == ["b.adoc", "d/e.py"]

    def test_code_in_any_quotes_is_read(self) -> None:
        text = '`a/b.py` ``c/d.py`` `+e/f.py+` +g/h.py+ "`no code: i/j.py`" `Client#send` `x`\n'
        assert [(kind, name) for _, kind, name in found(asciidoc(text))] == [
            ("path", "a/b.py"),
            ("path", "c/d.py"),
            ("path", "e/f.py"),
            ("path", "g/h.py"),
            ("path", "i/j.py"),
            ("symbol", "Client.send"),
        ]
