"""What Markdown names, and that its headings and code are those of CommonMark."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from memoire.extract.markdown_blocks import CODE, HEADING, blocks_of
from tests.unit.document_facts import found, markdown


class TestMarkdownMentions:
    def test_links_are_local_and_lose_fragment_query_and_escapes(self) -> None:
        text = (
            "[a](docs/a.md#x) [b](b.md?y=1) [c](<with space.md>) [d](per%20cent.md) [e](a\\(b\\).md 'title') "
            "[f](https://x.y/z.md) [g](#here) [h](mailto:a@b.md) [i](//x.y/z.md) ![j](p(1).png) [k]()"
        )
        assert [name for _, _, name in found(markdown(text))] == [
            "docs/a.md",
            "b.md",
            "with space.md",
            "per cent.md",
            "a(b).md",
            "p(1).png",
        ]

    def test_references_are_followed_wherever_they_are_defined(self) -> None:
        facts = markdown("[A][One], [one][] and [ONE].\n\n[two]\n\n[One]: docs/one.md 'T'\n[two]:\n  docs/two.md\n")
        assert found(facts) == [(1, "link", "docs/one.md"), (3, "link", "docs/two.md")]

    def test_a_link_around_a_picture_is_two(self) -> None:
        assert found(markdown("[![x](a.png)](b.md)")) == [(1, "link", "b.md"), (1, "link", "a.png")]

    def test_code_in_a_link_that_leads_out_is_not_about_the_project(self) -> None:
        assert found(markdown("[`requests.get`](https://x.y) and [`Client.send`](api.md) and [`a.b`](#here)")) == [
            (1, "link", "api.md"),
            (1, "symbol", "Client.send"),
            (1, "symbol", "a.b"),
        ]

    @pytest.mark.parametrize(
        ("span", "name", "kind"),
        [
            ("memoire/sdk.py", "memoire/sdk.py", "path"),
            ("sdk.py:12-30", "sdk.py", "path"),
            ("src/a.ts#L10", "src/a.ts", "path"),
            ("src/x/", "src/x/", "path"),
            ("./run.sh", "./run.sh", "path"),
            ("hono/jwt", "hono/jwt", "path"),
            ("app/[id]/page.tsx", "app/[id]/page.tsx", "path"),
            ("Client.send", "Client.send", "symbol"),
            ("get_context()", "get_context()", "symbol"),
            ("get_context(path, depth=2)", "get_context()", "symbol"),
            ("await client.fetch(x)", "client.fetch()", "symbol"),
            ("def build(x: int) -> str:", "build()", "symbol"),
            ("class HttpClient", "HttpClient", "symbol"),
            ("@app.route('/x')", "app.route()", "symbol"),
            (".send_all()", "send_all()", "symbol"),
            ("self.cache_size", "cache_size", "symbol"),
            ("std::collections::HashMap", "std.collections.HashMap", "symbol"),
            ("src/a.py::Class::method", "src/a.py::Class.method", "symbol"),
            ("tests/test_a.py::test_b[x-1]", "tests/test_a.py::test_b", "symbol"),
            ("pytest tests/test_a.py -k x", "tests/test_a.py", "path"),
            ("from a.b import C", "a.b.C", "symbol"),
            ("MAX_SIZE", "MAX_SIZE", "symbol"),
            ("Client", "Client", "symbol"),
        ],
    )
    def test_code_spans_name_paths_and_symbols(self, span: str, name: str, kind: str) -> None:
        assert found(markdown(f"Uses `{span}` here.")) == [(1, kind, name)]

    @pytest.mark.parametrize(
        "span",
        [
            "send", "--flag", "GET", "1.5", "a + b", "x = 1", "*.py", "src/*.py", "{name}.py", "<file>.py",
            "https://x.y/a.py", "true", "npm install", "$HOME/x.py", "@scope/pkg", "key: value", "", " ", "~/x.py",
            "//x/y.py",
        ],
    )  # fmt: skip
    def test_other_code_spans_name_nothing(self, span: str) -> None:
        assert found(markdown(f"Uses `{span}` here.")) == []

    @pytest.mark.parametrize(
        ("text", "paths"),
        [
            ("See memoire/sdk.py.", ["memoire/sdk.py"]),
            ("(docs/a.md), docs/b.md; 'docs/c.md': x", ["docs/a.md", "docs/b.md", "docs/c.md"]),
            ("the folder src/pkg/ and README.md", ["src/pkg/", "README.md"]),
            ("../up/a.go and ./b.rs", ["../up/a.go", "./b.rs"]),
            ("types in a.d.ts and x.test.tsx", ["a.d.ts", "x.test.tsx"]),
            ("看docs/spec.md文件", ["docs/spec.md"]),
            ("docs/設計.md", ["docs/設計.md"]),
            ("and/or, n/a, 1/2, e.g., i.e., v1.2, U.S.A., client/server, text/html", []),
            ("https://github.com/a/b/blob/main/c.py www.x.org/a.py github.com/x/y.py", []),
            ("bob@example.py a.b.c foo.bar <name>.py src/{a,b}.py src/[id].ts *.md", []),
        ],
    )
    def test_paths_stand_in_plain_text(self, text: str, paths: list[str]) -> None:
        assert [name for _, _, name in found(markdown(text))] == paths

    def test_examples_give_paths_with_a_folder_and_imports_without_a_sentence(self) -> None:
        text = (
            "```python\nfrom a.b import C, d as e\nimport os, x.y\nopen('data/in.csv')\n"
            "open('bare.py')\n```\n\n    src/z.py\n"
        )
        facts = markdown(text)
        assert found(facts) == [
            (2, "symbol", "a.b.C"),
            (2, "symbol", "a.b.d"),
            (4, "path", "data/in.csv"),
            (8, "path", "src/z.py"),
        ]
        assert {mention.sentence for mention in facts.mentions} == {""}

    def test_comments_and_scripts_name_nothing(self) -> None:
        assert found(markdown("<!-- docs/a.md -->\n\nx <!-- docs/b.md\n`c/d.py` --> y\n\n<!-- [e](f.md)\n\nopen")) == []

    def test_html_names_what_it_links(self) -> None:
        assert found(markdown("<p>\n<a href=\"docs/a.md#x\">docs/b.md</a>\n<img\nsrc='c.png'>\n</p>\n")) == [
            (2, "link", "docs/a.md"),
            (2, "path", "docs/b.md"),
            (3, "link", "c.png"),
        ]

    def test_double_backticks_hold_single_ones_and_escapes_open_nothing(self) -> None:
        assert found(markdown("``a`b/c.py`` \\`d/e.py and more`")) == [(1, "path", "d/e.py")]
        assert found(markdown("`` a/b.py `` and ` c/d.py `")) == [(1, "path", "a/b.py"), (1, "path", "c/d.py")]

    def test_lines_are_counted_through_lists_quotes_and_tables(self) -> None:
        text = "> a\n> `b/c.py`\n\n- x\n  `d/e.py`\n\n  - y\n    `f/g.py`\n\n|a|b|\n|-|-|\n|`h/i.py`|x|\n"
        assert found(markdown(text)) == [
            (2, "path", "b/c.py"),
            (5, "path", "d/e.py"),
            (8, "path", "f/g.py"),
            (12, "path", "h/i.py"),
        ]

    def test_the_sentence_is_the_one_around_the_mention(self) -> None:
        text = "First one. The **parser** in\n[it](src/p.py) must *reject* `Bad.input`, e.g. here! Last one."
        assert {mention.sentence for mention in markdown(text).mentions} == {
            "The parser in it must reject `Bad.input`, e.g. here!"
        }

    def test_a_long_sentence_is_cut_around_the_mention(self) -> None:
        (mention,) = markdown("word " * 100 + "`src/a.py`" + " word" * 100).mentions
        assert len(mention.sentence) <= 200
        assert "`src/a.py`" in mention.sentence
        assert mention.sentence.startswith("…")
        assert mention.sentence.endswith("…")

    def test_mkdocs_and_myst_are_understood(self) -> None:
        text = (
            "```{currentmodule} click\n```\n\n```{eval-rst}\n.. autofunction:: echo\n```\n\n::: pkg.mod.Class\n\n"
            "```{note}\nSee {meth}`Context.invoke` and {doc}`/guide`, {ref}`x`.\n```\n\n"
            "```{toctree}\n:hidden:\nintro\n```\n\n"
            '=== "Tab"\n\n    `src/t.py`\n\n```{code-block} python\nopen("a/b.py")\n```\n'
        )
        facts = markdown(text)
        assert found(facts) == [
            (5, "symbol", "click.echo()"),
            (8, "symbol", "pkg.mod.Class"),
            (11, "symbol", "click.Context.invoke()"),
            (11, "link", "/guide"),
            (16, "link", "intro"),
            (21, "path", "src/t.py"),
            (24, "path", "a/b.py"),
        ]
        assert facts.mentions[-1].sentence == ""

    def test_definitions_may_precede_text_and_brackets_may_be_none(self) -> None:
        facts = markdown("[a]: docs/a.md\nText [a], ] [b](no target [c][gone] {code}`d/e.py` {file}`{x}/y`.\n")
        assert found(facts) == [(2, "link", "docs/a.md"), (2, "path", "d/e.py")]
        assert found(markdown("[" * 40 + "[x](a.md) [y][z")) == [(1, "link", "a.md")]

    def test_colon_fences_are_prose_and_comments_in_html_are_not(self) -> None:
        text = (
            ":::{note}\nSee `a/b.py`.\n:::\n\n<div>\n<!-- docs/c.md -->docs/d.md <a href='https://x.y'>e</a>\n</div>\n"
        )
        assert found(markdown(text)) == [(2, "path", "a/b.py"), (6, "path", "docs/d.md")]
        assert found(markdown("<?php docs/a.md ?>\n\n<!DOCTYPE x/y.md>\n")) == []

    def test_imports_in_examples_are_dotted_names(self) -> None:
        text = "```py\nimport a.b\nimport c\nfrom d.e import (\n    F,\n)\nfrom g import h\n```\n"
        assert found(markdown(text)) == [(2, "symbol", "a.b"), (4, "symbol", "d.e"), (7, "symbol", "g.h")]

    def test_a_mention_may_hold_the_end_of_a_sentence(self) -> None:
        (mention,) = markdown('One. Two [a! B](x.md "c? D") three. Four.').mentions
        assert mention.sentence == "Two a! B three."

    def test_imports_of_mdx_are_links_of_an_example(self) -> None:
        facts = markdown("import Box from './Box.mdx'\nexport const x = 1\n\n# A\n", "docs/page.mdx")
        assert [(mention.text, mention.kind, mention.sentence) for mention in facts.mentions] == [
            ("./Box.mdx", "link", "")
        ]


_LINES = st.lists(
    st.sampled_from(
        [
            "# h", "## h ##", "text", "- item", "  - sub", "* x", "1. one", "2) two", "> q", "> - q", ">", "```",
            "```py", "~~~", "   ```", "    code", "    - x", "\tcode", "---", "===", "***", "<div>", "</div>",
            "<!-- c", "-->", "<pre>", "</pre>", "", "", "  text", "- ", "1.", "<b>x</b>", "- # h", "> ```",
            "- ```", "  ```", "#h", "- - a", "1. - b", ">text", "-t",
        ]
    ),
    max_size=9,
)  # fmt: skip


@given(_LINES)
@example(["- ", "", "      text"])
@example(["> - q", "    - x", "text", "", "1. one", "   ```", "  ```"])
@example(["text", "1.", "2) two", "-t", "    code", "---"])
def test_headings_and_code_are_those_of_commonmark(lines: list[str]) -> None:
    """Held equal to markdown-it-py, which is too slow to read every page with."""
    ours = []
    for block in blocks_of(lines)[0]:
        if block.kind == HEADING:
            ours.append((block.line, " ".join(block.text.split())))
        elif block.kind == CODE and block.text.strip():
            ours.append((block.line, block.text.strip()))
    theirs = []
    tokens = MarkdownIt("commonmark").parse("\n".join(lines))
    for index, token in enumerate(tokens):
        start = token.map[0] + 1 if token.map else 0
        if token.type == "heading_open":
            theirs.append((start, " ".join(tokens[index + 1].content.split())))
        elif token.type in {"fence", "code_block"} and token.content.strip():
            theirs.append((start + (token.type == "fence"), token.content.strip()))
    assert ours == theirs
