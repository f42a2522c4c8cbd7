"""`Tree.first`, `above` and `keyed`: one question each, asked again exactly when its answer may differ."""

from memoire.tree import Tree


def name_of(data: bytes) -> str:
    return data.decode()


def test_first_gives_the_first_suffix_that_is_there_and_is_asked_again_when_one_of_the_stem_comes() -> None:
    tree = Tree(lambda _: None)
    tree.update(["a/x.js"])
    with tree.track() as asked:
        assert tree.first("a/x", (".ts", ".js")) == "a/x.js"
    assert tree.add("a/x.ts") & asked
    assert tree.first("a/x", (".ts", ".js")) == "a/x.ts"
    assert tree.discard("a/x.ts") & asked
    assert not tree.add("a/y.ts") & asked
    assert not tree.add("b/x.ts") & asked


def test_first_of_a_dotted_name_is_asked_again_too() -> None:
    tree = Tree(lambda _: None)
    for stem, path in (("a/x.service", "a/x.service.ts"), ("a/.hidden", "a/.hidden.ts"), ("x", "x.ts"), (".x", ".x.y")):
        with tree.track() as asked:
            assert tree.first(stem, (".ts", ".y")) is None
        assert tree.add(path) & asked
        assert tree.first(stem, (".ts", ".y")) == path


def test_above_gives_the_nearest_first_and_is_asked_again_when_one_comes_between() -> None:
    tree = Tree(lambda _: None)
    tree.update(["c.json", "a/b/d.json", "a/b/c.json", "a/x/c.json"])
    names = ("c.json", "d.json")
    with tree.track() as asked:
        assert tree.above("a/b/e", names) == ("a/b/c.json", "a/b/d.json", "c.json")
    assert len(asked) == 1
    assert not tree.add("a/x/d.json") & asked
    assert not tree.add("a/b/e/f/c.json") & asked
    assert tree.add("a/c.json") & asked
    assert tree.above("a/b/e", names) == ("a/b/c.json", "a/b/d.json", "a/c.json", "c.json")
    assert tree.discard("c.json") & asked
    assert tree.above("a/b/e", names) == ("a/b/c.json", "a/b/d.json", "a/c.json")
    assert tree.above("", names) == ()


def test_keyed_gives_the_files_of_one_key_and_is_asked_again_only_when_they_differ() -> None:
    contents = {"a/p.json": b"one", "b/p.json": b"two", "c/q.json": b"one", "d/p.json": b""}
    tree = Tree(contents.get)
    tree.update(contents)
    names = ("p.json", "q.json")
    with tree.track() as asked:
        assert tree.keyed(names, name_of, "one") == ("a/p.json", "c/q.json")
        assert tree.keyed(names, name_of, "three") == ()
    contents["b/p.json"] = b"four"
    assert not tree.changed("b/p.json") & asked
    contents["b/p.json"] = b"three"
    assert tree.changed("b/p.json") & asked
    assert tree.keyed(names, name_of, "three") == ("b/p.json",)
    contents["a/p.json"] = b"one"
    assert not tree.changed("a/p.json") & asked
    assert tree.discard("a/p.json") & asked
    assert tree.keyed(names, name_of, "one") == ("c/q.json",)
    contents["e/q.json"] = b"one"
    assert tree.add("e/q.json") & asked
    assert tree.keyed(names, name_of, "one") == ("c/q.json", "e/q.json")


def test_a_file_whose_key_cannot_be_read_has_none() -> None:
    tree = Tree({"a/p.json": b"\xff"}.get)
    tree.update(["a/p.json", "b/p.json"])
    assert tree.keyed(("p.json",), name_of, "x") == ()
