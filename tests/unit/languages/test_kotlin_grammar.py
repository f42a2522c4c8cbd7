"""What the grammar of Kotlin reads in place of the source: every byte where it was, no error where none is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoire.dispatch import extract
from memoire.languages.kotlin.grammar import prepare

WORDS = st.sampled_from([
    "class A { val x = 1 }", "is A if (x) -> 1", '$$"x"', "@A\n", "enum class B", "x get y", "where", "open(1)",
    "\n", " }",
])  # fmt: skip


@given(st.binary() | st.lists(WORDS).map(lambda words: " ".join(words).encode()))
def test_every_byte_and_line_stays_where_it_was(source: bytes) -> None:
    made = prepare(source)
    assert len(made) == len(source)
    assert [at for at, byte in enumerate(made) if byte == 10] == [at for at, byte in enumerate(source) if byte == 10]


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("class A { companion object { fun make() = A() } }\n", ["A", "A.make"]),
        ("sealed class S { object E : S() }  // one\n", ["S", "S.E"]),
        ("@One\n@Two(a = (1))\nannotation class A\n", ["A"]),
        ("fun f() {\n  val x = a get b\n  open(x)\n  where?.let { x }\n}\n", ["f"]),
        (
            "fun f(x: Any) = when (x) {\n  is A if x.ok() -> 1\n  is B if (\n    x.ok()\n  ) -> 2\n  else -> 3\n}\n",
            ["f"],
        ),
        ('val a = $$"x $y"\n', ["a"]),
        ("class A {\n  val x: Int\n    @Inject\n    get() = 1\n}\n", ["A", "A.x"]),
        ("fun <T> f() where T : A, T : B {}\n", ["f"]),
        ("class A {\n  var x = 1\n    private set\n}\n", ["A", "A.x"]),
    ],
)
def test_what_is_no_error_is_read_without_one(source: str, names: list[str]) -> None:
    facts = extract("a.kt", source.encode())
    assert not facts.problems
    assert [item.name for item in facts.definitions] == names
