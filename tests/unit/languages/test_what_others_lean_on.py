"""A change that only what others see of a file tells links them again: every save equals a rebuild."""

import pytest

from tests.support import Linked

CHANGES = {
    "a function of C that is its file's own no more": (
        {
            "net.h": "int go(int a);\n",
            "net.c": '#include "net.h"\nstatic int go(int a) { return a; }\n',
            "main.c": '#include "net.h"\nint main(void) { return go(1); }\n',
        },
        {"net.c": '#include "net.h"\nint go(int a) { return a; }\n'},
    ),
    "names that Dart passes on instead of importing": (
        {
            "lib/a.dart": "class A {}\n",
            "lib/b.dart": "import 'a.dart';\n",
            "lib/c.dart": "import 'b.dart';\nfinal a = A();\n",
        },
        {"lib/b.dart": "export 'a.dart';\n"},
    ),
    "a name that Dart hides": (
        {
            "lib/a.dart": "class A {}\n",
            "lib/b.dart": "export 'a.dart' hide A;\n",
            "lib/c.dart": "import 'b.dart';\nfinal a = A();\n",
        },
        {"lib/b.dart": "export 'a.dart';\n"},
    ),
    "what a module of Rust inside of a file passes on": (
        {
            "Cargo.toml": '[package]\nname = "x"\n',
            "src/lib.rs": "mod a;\nmod b;\nmod inner { pub use crate::a::X; }\npub fn go() { inner::X::new(); }\n",
            "src/a.rs": "pub struct X;\nimpl X { pub fn new() {} }\n",
            "src/b.rs": "pub struct X;\nimpl X { pub fn new() {} }\n",
            "src/c.rs": "use crate::inner::X;\nfn run() { X::new(); }\n",
        },
        {
            "src/lib.rs": "mod a;\nmod b;\nmod inner { pub use crate::b::X; }\npub fn go() { inner::X::new(); }\n",
        },
    ),
    "two files of Ruby of which one has the name of a library": (
        {"lib/json.rb": 'require "json"\n', "lib/other.rb": 'require "json"\nJSON.parse("x")\n'},
        {"lib/other.rb": 'require "json"\nJSON.parse("y")\n'},
    ),
}


def state(project: Linked) -> set[tuple[str, str, str, str]]:
    symbols = {(relation, *pair, "") for relation in ("CALLS", "REFERENCES") for pair in project.symbols(relation)}
    edges = {(edge.key.relation, edge.key.source, edge.key.target, "") for edge in project.graph.edges()}
    return symbols | edges


@pytest.mark.parametrize("name", CHANGES)
def test_a_save_equals_a_rebuild(name: str) -> None:
    files, changed = CHANGES[name]
    project = Linked(files)
    project.save(changed)
    assert state(project) == state(Linked(files | changed))


def test_the_order_of_files_does_not_decide_what_they_require() -> None:
    files, _ = CHANGES["two files of Ruby of which one has the name of a library"]
    forwards, backwards = Linked({}), Linked({})
    for path in files:
        forwards.save({path: files[path]})
    for path in reversed(files):
        backwards.save({path: files[path]})
    assert state(forwards) == state(backwards) == state(Linked(files))
