"""Laws of resolution: total on any configuration and specifier, and as fresh as the questions it asked."""

import json
from contextlib import suppress

from hypothesis import given, settings
from hypothesis import strategies as st

from memoire.languages.typescript.files import join_path
from memoire.languages.typescript.globs import matches_glob, split_glob
from memoire.languages.typescript.jsonc import parse_jsonc
from memoire.languages.typescript.resolution import resolve
from memoire.tree import Tree

WORDS = ["a", "b", "src", "lib", "dist", "index", "@a", "#a", "@/a", "*", "..", ".", "", "a.ts", "a.js", "b.json", "x"]
NAMES = ["tsconfig.json", "package.json", "deno.json", "lerna.json", "pnpm-workspace.yaml", "jsconfig.json"]
FIELDS = ["name", "main", "types", "exports", "imports", "workspaces", "extends", "references", "compilerOptions",
          "paths", "baseUrl", "rootDirs", "outDir", "include", "files", "exclude", "path", "import", "default",
          "scopes", ".", "./a", "./*", "@/*", "#a", "a", "importMap", "moduleSuffixes", "dependencies"]  # fmt: skip

segments = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map("/".join)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | segments | segments.map(lambda text: "./" + text) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(FIELDS), inner, max_size=5),
    max_leaves=12,
)
objects = st.dictionaries(st.sampled_from(FIELDS), values, max_size=6)
directories = st.sampled_from(["", "a/", "a/b/", "src/", "src/a/", "lib/"])
configs = st.dictionaries(
    st.tuples(directories, st.sampled_from(NAMES)).map("".join),
    objects.map(json.dumps) | st.text(max_size=20),
    max_size=5,
)
paths = st.lists(
    st.tuples(directories, st.sampled_from(["a.ts", "b.tsx", "index.ts", "index.d.ts", "a.js", "x.json"])).map("".join),
    min_size=1,
    max_size=8,
    unique=True,
)
specifiers = (
    segments | segments.map(lambda text: "./" + text) | segments.map(lambda text: "../" + text) | st.text(max_size=12)
)


@settings(max_examples=400, deadline=None)
@given(configs, paths, specifiers)
def test_any_specifier_under_any_configuration_names_a_file_of_the_tree_or_none(
    contents: dict[str, str], files: list[str], specifier: str
) -> None:
    tree = Tree({path: text.encode() for path, text in contents.items()}.get)
    tree.update([*contents, *files])
    target = resolve(tree, files[0], specifier)
    assert target.kind in {"file", "package", "builtin", "unresolved"}
    assert target.path or not specifier
    assert target.kind != "file" or target.path in tree


@settings(max_examples=300, deadline=None)
@given(configs, configs, paths, paths, st.lists(specifiers, min_size=1, max_size=3))
def test_an_answer_whose_questions_did_not_change_is_the_answer_of_a_rebuild(
    before: dict[str, str], after: dict[str, str], old: list[str], new: list[str], wanted: list[str]
) -> None:
    contents = {path: text.encode() for path, text in before.items()}
    tree = Tree(contents.get)
    tree.update([*before, *old])
    kept = {}
    for specifier in wanted:
        with tree.track() as asked:
            kept[specifier] = (resolve(tree, old[0], specifier), frozenset(asked))
    target_files = {*after, *new, old[0]}
    changed: set[str] = set()
    contents.update({path: text.encode() for path, text in after.items()})
    for path in {*before, *old} - target_files:
        changed |= tree.discard(path)
    for path in target_files:
        changed |= tree.add(path) or (tree.changed(path) if path in contents else set())
    fresh = Tree(contents.get)
    fresh.update(target_files)
    for specifier, (answer, questions) in kept.items():
        if not questions & changed:
            assert answer == resolve(fresh, old[0], specifier)
        assert resolve(tree, old[0], specifier) == resolve(fresh, old[0], specifier)


@settings(deadline=None)
@given(st.text(max_size=200) | values.map(json.dumps))
def test_json_that_is_strict_reads_as_json_and_any_other_text_is_a_value_error(text: str) -> None:
    data = text.encode("utf-8", "replace")
    try:
        expected = json.loads(data, strict=False)
    except ValueError:
        with suppress(ValueError):
            parse_jsonc(data)
        return
    with suppress(UnicodeEncodeError):
        assert parse_jsonc(data) == expected


@settings(deadline=None)
@given(segments, segments)
def test_a_joined_path_stays_inside_and_is_normal(directory: str, relative: str) -> None:
    base = join_path("", directory.lstrip("/"))
    path = join_path(base, relative) if base is not None else None
    assert path is None or not {"", ".", ".."} & set(path.split("/")) or path == ""


@settings(deadline=None)
@given(st.lists(st.text("ab", min_size=1, max_size=3), min_size=1, max_size=6))
def test_a_glob_of_stars_matches_every_path_and_a_literal_one_itself(path: list[str]) -> None:
    assert matches_glob(split_glob("**/*"), tuple(path))
    assert matches_glob(split_glob("/".join(path)), tuple(path))
    assert not matches_glob(split_glob("/".join([*path, "c"])), tuple(path))
