"""The folded map of a project's directories."""

from datetime import datetime, timedelta

import msgspec

from memoire.graph import Graph
from memoire.model import Edge, EdgeKey, FileRecord, GraphDelta
from memoire.operations._structure import STRUCTURE_CHARS, build, fold, reweigh
from tests.memories import NOW


def fold_paths(paths: list[str], *, limit: int = STRUCTURE_CHARS, graph: Graph | None = None) -> dict[str, list[str]]:
    return fold(build(graph or Graph(), paths, NOW), limit).children


def record(path: str, *, changed_at: datetime = NOW) -> FileRecord:
    return FileRecord(path, "file", "python", "0", 1, 0, changed_at)


def drives(source: str, target: str) -> Edge:
    return Edge(EdgeKey(source, "DRIVES", target), "", target, True, "normal", 1.0, NOW)


def cost(children: dict[str, list[str]]) -> int:
    return len(msgspec.json.encode(children).decode())


def test_a_small_project_is_shown_whole_directories_first() -> None:
    assert fold_paths(["memoire/sdk.py", "memoire/a/b.py", "README.md", "tests/test_sdk.py", "Makefile"]) == {
        ".": ["memoire/", "tests/", "Makefile", "README.md"],
        "memoire/": ["memoire/a/", "memoire/sdk.py"],
        "memoire/a/": ["memoire/a/b.py"],
        "tests/": ["tests/test_sdk.py"],
    }


def test_a_chain_of_single_directories_is_one_step() -> None:
    assert fold_paths(["src/main/java/org/shop/Cart.java", "src/main/java/org/shop/db/Row.java"]) == {
        ".": ["src/main/java/org/shop/"],
        "src/main/java/org/shop/": ["src/main/java/org/shop/db/", "src/main/java/org/shop/Cart.java"],
        "src/main/java/org/shop/db/": ["src/main/java/org/shop/db/Row.java"],
    }


def test_no_files_are_an_empty_root() -> None:
    assert fold_paths([]) == {".": []}


def test_what_is_left_out_is_counted_where_it_was() -> None:
    found = fold_paths([f"src/f{number:04}.py" for number in range(1000)] + ["README.md"])
    assert found["."] == ["src/", "README.md"]
    assert found["src/"][0] == "src/f0000.py"
    assert found["src/"][-1] == f"… {1000 - len(found['src/']) + 1} more"


def test_the_map_stays_small_at_any_size_and_shape() -> None:
    shapes = [
        [f"f{number}.py" for number in range(20_000)],
        [f"d{number}/f.py" for number in range(5000)],
        ["/".join(["deep"] * depth) + "/f.py" for depth in range(1, 300)],
        [f"{'x' * 200}{number}/{'y' * 200}.py" for number in range(200)],
        [f"a{a}/b{b}/c{c}/f{f}.py" for a in range(8) for b in range(8) for c in range(8) for f in range(8)],
    ]
    for paths in shapes:
        found = fold_paths(paths)
        assert 2 < cost(found) <= STRUCTURE_CHARS <= 250 * 4
        for limit in (20, 60, 100, 200, 400):
            assert cost(fold_paths(paths, limit=limit)) <= limit


def test_every_child_is_below_its_parent_and_every_parent_is_shown() -> None:
    paths = [f"a{a}/b{b}/c{c}/f{f}.py" for a in range(8) for b in range(8) for c in range(8) for f in range(8)]
    found = fold_paths(paths)
    shown = {child for children in found.values() for child in children}
    for parent, children in found.items():
        assert parent == "." or parent in shown
        names = [child for child in children if not child.startswith("… ")]
        assert names
        assert len(set(names)) == len(names)
        assert all(child.startswith(parent) for child in names if parent != ".")


def test_what_changed_or_is_depended_upon_is_shown_before_the_rest() -> None:
    paths = [f"old{number:02}/f{file:02}.py" for number in range(60) for file in range(30)]
    records = [FileRecord(path, "file", "python", "0", 1, 0, NOW - timedelta(days=900)) for path in paths]
    graph = Graph()
    edges = [
        Edge(EdgeKey("old50/f20.py", "DRIVES", path), "", path, True, "normal", 1.0, NOW)
        for path in paths
        if path != "old50/f20.py"
    ]
    hot = FileRecord("old40/f10.py", "file", "python", "0", 1, 0, NOW)
    before = fold(build(graph, paths, NOW), STRUCTURE_CHARS).children
    assert "old50/" not in before
    graph.apply(GraphDelta(files=[*records, hot], opened=edges))
    found = fold(build(graph, paths, NOW), STRUCTURE_CHARS).children
    assert "old50/f20.py" in found["old50/"]
    assert "old40/f10.py" in found["old40/"]


def test_files_are_shown_beside_many_directories() -> None:
    paths = [f"app/d{number}/f{file}.py" for number in range(20) for file in range(9)]
    found = fold_paths([*paths, "app/core.py", "app/api.py", "x/y.py"])
    assert {"app/core.py", "app/api.py"} <= set(found["app/"])


def test_the_order_in_which_files_were_found_does_not_matter() -> None:
    paths = [f"a{a}/b{b}/f{f}.py" for a in range(9) for b in range(9) for f in range(9)]
    assert list(fold_paths(paths).items()) == list(fold_paths(paths[::-1]).items())


def test_directories_weighed_anew_equal_directories_built_anew() -> None:
    graph = Graph()
    paths = [f"{folder}/{name}.py" for folder in ("a", "a/b", "c/d/e", "f") for name in "xyz"] + ["main.py"]
    graph.apply(GraphDelta(files=[record(path, changed_at=NOW - timedelta(days=9)) for path in paths]))
    found = build(graph, [*paths, "unknown.bin"], NOW)
    graph.apply(
        GraphDelta(
            files=[record("a/b/y.py", changed_at=NOW), record("c/d/e/x.py", changed_at=NOW - timedelta(days=1))],
            opened=[drives("a/b/y.py", "f/z.py"), drives("f/z.py", "main.py")],
        )
    )
    touched = {"a/b/y.py", "c/d/e/x.py", "f/z.py", "main.py"}
    assert found != build(graph, [*paths, "unknown.bin"], NOW)
    assert reweigh(graph, found, touched, NOW)
    assert found == build(graph, [*paths, "unknown.bin"], NOW)


def test_directories_are_not_weighed_anew_where_a_file_came_or_went() -> None:
    graph = Graph()
    graph.apply(GraphDelta(files=[record("a/x.py"), record("a/y.py")]))
    found = build(graph, ["a/x.py", "a/y.py"], NOW)
    before = build(graph, ["a/x.py", "a/y.py"], NOW)
    graph.apply(GraphDelta(gone=["a/y.py"]))
    assert not reweigh(graph, found, {"a/x.py", "a/y.py"}, NOW)
    assert not reweigh(graph, found, {"a/new.py"}, NOW)
    assert not reweigh(graph, found, {"new/a.py"}, NOW)
    assert found == before
