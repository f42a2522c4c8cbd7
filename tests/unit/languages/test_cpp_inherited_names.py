"""A name alone in a class that may have it from a library is no function of the system."""

import pytest

from memoire.dispatch import extract

HEADER = "#include <QWidget>\n#include <sys/socket.h>\n"


@pytest.mark.parametrize(
    ("source", "calls"),
    [
        ("class Box : public QWidget { void up() { connect(a, b); } };\n", 0),
        ("void Box::up() { connect(a, b); }\n", 0),
        ("void Box::up() { ::connect(a, b, c); }\n", 1),
        ("class Plain { void up() { connect(a, b, c); } };\n", 1),
        ("void up() { connect(a, b, c); }\n", 1),
        ("void Box::up() { getaddrinfo(a, b, c, d); }\n", 1),
    ],
)
def test_a_system_call_is_one_where_no_library_may_give_its_name(source: str, calls: int) -> None:
    facts = extract("box.cpp", (HEADER + source).encode())
    assert [effect.category for effect in facts.effects] == ["network"] * calls
