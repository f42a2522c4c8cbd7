"""The relations of definitions, read from the links of files."""

from memoire.linker import Linked, Reference
from memoire.model import BASE, CALL, Definition, FileFacts
from memoire.symbol_graph import KEPT, SymbolGraph


class Files:
    """Files with definitions and references, which may be linked anew."""

    def __init__(self) -> None:
        self.links: dict[str, Linked] = {}
        self.state: dict[str, object] = {}
        self.reads = 0
        definitions = (Definition("Box", "class", 1, 9), Definition("Box.put", "method", 2, 4))
        self.facts = FileFacts("python", "0" * 64, 10, 1, definitions=definitions)
        self.graph = SymbolGraph(lambda _path: self.facts, self._read, lambda _path: (), self.state.get)

    def link(self, path: str, *references: Reference) -> None:
        self.links[path] = Linked(references=references)
        self.state[path] = object()

    def told(self, node: str) -> list[tuple[str, str, str]]:
        return [(item.source, item.relation, item.target) for item in self.graph.relations_from(node)]

    def _read(self, path: str) -> Linked:
        self.reads += 1
        return self.links.get(path, Linked())


def test_a_definition_has_its_own_references_and_those_within_it_in_their_order() -> None:
    files = Files()
    files.link(
        "a.py",
        Reference("Box.put", "b.py", "seal", CALL, 3, 1),
        Reference("Box", "b.py", "Base", BASE, 1, 1),
        Reference("Boxes", "b.py", "other", 0, 8, 1),
        Reference("Box.put", "b.py", "", 0, 3, 1),
        Reference("Box.put", "b.py", "LIMIT", 0, 4, 1),
    )
    assert files.told("a.py::Box") == [
        ("a.py::Box.put", "CALLS", "b.py::seal"),
        ("a.py::Box", "INHERITS", "b.py::Base"),
        ("a.py::Box.put", "REFERENCES", "b.py::LIMIT"),
    ]
    assert files.told("a.py::Box.put") == [
        ("a.py::Box.put", "CALLS", "b.py::seal"),
        ("a.py::Box.put", "REFERENCES", "b.py::LIMIT"),
    ]
    assert len(files.told("a.py")) == 4
    assert files.told("a.py::Nothing") == files.told("none.py::Box") == []


def test_what_was_read_is_read_again_once_a_file_is_linked_anew() -> None:
    files = Files()
    files.link("a.py", Reference("Box.put", "b.py", "seal", CALL, 3, 1))
    assert files.told("a.py::Box.put") == files.told("a.py::Box") == [("a.py::Box.put", "CALLS", "b.py::seal")]
    assert files.reads == 1
    files.link("a.py", Reference("Box.put", "b.py", "open_", CALL, 3, 1))
    assert files.told("a.py::Box.put") == [("a.py::Box.put", "CALLS", "b.py::open_")]


def test_few_files_are_kept() -> None:
    files = Files()
    for number in range(3 * KEPT):
        files.link(f"f{number}.py", Reference("Box", "b.py", "seal", CALL, 3, 1))
        assert files.told(f"f{number}.py::Box") == [(f"f{number}.py::Box", "CALLS", "b.py::seal")]
    assert len(files.graph._by_scope) <= KEPT
