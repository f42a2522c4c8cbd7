"""What reStructuredText and plain text say."""

import pytest

from tests.unit.document_facts import found, names, plain, rest


class TestRest:
    def test_levels_follow_the_order_of_the_underlines(self) -> None:
        facts = rest("====\nTop\n====\n\nOne\n---\n\nTwo\n~~~\n\nThree\n-----\n\nFour\n====\n")
        assert [(item.name, item.parent) for item in facts.definitions] == [
            ("Top", -1),
            ("One", 0),
            ("Two", 1),
            ("Three", 0),
            ("Four", 3),
        ]

    @pytest.mark.parametrize(
        "text",
        [
            "a long title\n---\n", "----\n\ntext\n", "* a\n---\n", "    a\n    =\n", ".. a\n   b\n   =\n",
            "x::\n\n  a\n  =\n", "p\nq\n==\n", ">>> a\n===\n",
        ],
    )  # fmt: skip
    def test_what_only_looks_like_a_title_is_none(self, text: str) -> None:
        assert names(rest(text)) == []

    def test_roles_name_their_target(self) -> None:
        text = (
            ":func:`get` :meth:`.Client.send` :class:`~a.b.C` :mod:`a.b` :exc:`!ValueError` :attr:`x` :attr:`max_size` "
            ":doc:`/guide` :doc:`T <other>` :file:`etc/a.conf` :ref:`z` :py:func:`title <pkg.run>` :term:`word`"
        )
        assert [(name, kind) for _, kind, name in found(rest(text))] == [
            ("get()", "symbol"),
            ("Client.send()", "symbol"),
            ("a.b.C", "symbol"),
            ("a.b", "symbol"),
            ("max_size", "symbol"),
            ("/guide", "link"),
            ("other", "link"),
            ("etc/a.conf", "path"),
            ("pkg.run()", "symbol"),
        ]

    def test_the_current_module_qualifies_what_follows(self) -> None:
        facts = rest(
            ".. module:: pkg.mod\n\n.. autoclass:: pkg.mod.A\n\n.. class:: B\n\n   .. method:: c(x)\n\n:func:`d`\n"
        )
        assert [name for _, _, name in found(facts)] == [
            "pkg.mod",
            "pkg.mod.A",
            "pkg.mod.B",
            "pkg.mod.B.c()",
            "pkg.mod.d()",
        ]

    def test_literal_blocks_doctests_and_code_are_examples_and_comments_are_nothing(self) -> None:
        text = (
            "See ``a/b.py``::\n\n    c/d.py\n\n>>> from e.f import G\n\n.. code:: sh\n\n   h/i.sh\n\n"
            ".. hidden j/k.py\n\n   l/m.py\n\nend n/o.py\n"
        )
        facts = rest(text)
        assert [
            (name, bool(mention.sentence)) for (_, _, name), mention in zip(found(facts), facts.mentions, strict=True)
        ] == [
            ("a/b.py", True),
            ("c/d.py", False),
            ("e.f.G", False),
            ("h/i.sh", False),
            ("n/o.py", True),
        ]

    def test_directives_that_describe_nothing_here_name_nothing(self) -> None:
        text = (
            ".. foo:bar:: a.b.C\n\n.. autoclass:: .Script\n\n.. autoclass:: not/a/name\n\n.. js:function:: run(x)\n\n"
            ".. autosummary::\n   :nosignatures:\n\n   ~pkg.A\n   not/this\n\n"
            ".. toctree::\n   :glob:\n\n   self\n   x*\n"
        )
        assert found(rest(text)) == [(3, "symbol", "Script"), (7, "symbol", "run()"), (12, "symbol", "pkg.A")]

    def test_footnotes_and_anonymous_targets_are_read(self) -> None:
        text = ".. [1] See ``a/b.py``.\n\n__ docs/c.rst\n\n..\n\n   quoted d/e.py\n\n:field: f/g.py\n"
        assert [name for _, _, name in found(rest(text))] == ["a/b.py", "docs/c.rst", "d/e.py", "f/g.py"]

    def test_files_and_targets_are_links(self) -> None:
        text = (
            ".. include:: a.rst\n.. |x| image:: b.png\n.. _t: c.rst\n.. _u: https://x.y/z.rst\n\n"
            "`text <d.rst>`_ `e <t_>`_\n"
        )
        assert found(rest(text)) == [
            (1, "link", "a.rst"),
            (2, "link", "b.png"),
            (3, "link", "c.rst"),
            (6, "link", "d.rst"),
        ]


class TestPlainText:
    def test_underlined_and_numbered_lines_are_sections(self) -> None:
        facts = plain(
            "Top\n===\n\n1. First part\n\ntext\n\n1.1 Inner\n\n2. Second\n\nThis is 1. no\n\n3. Ends with a stop.\n"
        )
        assert [(item.name, item.parent) for item in facts.definitions] == [
            ("Top", -1),
            ("1. First part", 0),
            ("1.1 Inner", 1),
            ("2. Second", 0),
        ]

    def test_paths_and_spans_are_mentions(self) -> None:
        assert found(plain("See src/a.py and\n`Parser.feed`, ``b/c.go``; http://x.y/d.py\n")) == [
            (1, "path", "src/a.py"),
            (2, "symbol", "Parser.feed"),
            (2, "path", "b/c.go"),
        ]
