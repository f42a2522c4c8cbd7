"""How a project's tests are run: a command line for some test files, by the runner that the project uses.

Which runner that is, its manifests say (`package.json`, `pyproject.toml`, `pom.xml` …), the nearest one above the test.
"""

from collections.abc import Callable, Mapping, Sequence
from posixpath import basename, dirname, splitext
from shlex import join

from memoire.memory import Memory

Maker = Callable[[Memory, str, Sequence[str]], str]
"""(project, folder of the nearest manifest, test files of one language below it) -> a command line; empty = unknown."""


def commands(memory: Memory, tests: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the command lines that run some tests from the root of the project, in the order of their files.

    Args:
        memory: The project.
        tests: File -> ids of the tests to run of it; none = all of them. Only pytest takes ids.
    """
    groups: dict[tuple[str, str], list[str]] = {}
    for path, ids in tests.items():
        family = _FAMILIES.get(splitext(path)[1].lower(), "")
        if family:
            chosen = ids if ids and family == "python" and _uses_pytest(memory) else [path]
            groups.setdefault((family, _home(memory, path, _MANIFESTS[family])), []).extend(chosen)
    made = (_MAKERS[family](memory, home, paths) for (family, home), paths in groups.items())
    return list(dict.fromkeys(line for line in made if line))


def _home(memory: Memory, path: str, manifests: Sequence[str]) -> str:
    """Return the nearest folder above a file that holds a manifest; the root where none does."""
    folder = dirname(path)
    while folder:
        if any(f"{folder}/{name}" in memory.tree for name in manifests):
            return folder
        folder = dirname(folder)
    return ""


def _has(memory: Memory, home: str, *names: str) -> bool:
    return any((f"{home}/{name}" if home else name) in memory.tree for name in names)


def _depends(memory: Memory, manifest: str, *names: str) -> str:
    """Return the first of some packages that a manifest requires; empty = none."""
    facts = memory.facts(manifest)
    known = {item.specifier for item in facts.imports} if facts else set()
    return next((name for name in names if name in known), "")


def _within(home: str, paths: Sequence[str]) -> list[str]:
    """Return the paths as seen from a folder."""
    return [path.removeprefix(f"{home}/") if home else path for path in paths]


def _in(home: str, command: Sequence[str]) -> str:
    line = join(command)
    return f"(cd {join([home])} && {line})" if home else line


def _uses_pytest(memory: Memory) -> bool:
    return bool(memory.graph.edges_in("pkg:pytest")) or _has(memory, "", "pytest.ini", "conftest.py", "tox.ini")


def _python(memory: Memory, home: str, paths: Sequence[str]) -> str:
    uses_pytest = _uses_pytest(memory)
    if not uses_pytest and _has(memory, home, "manage.py"):
        modules = [splitext(path)[0].replace("/", ".") for path in _within(home, paths)]
        return _in(home, ["python", "manage.py", "test", *modules])
    return join(["python", "-m", "pytest" if uses_pytest else "unittest", *paths])


def _javascript(memory: Memory, home: str, paths: Sequence[str]) -> str:
    manifest = f"{home}/package.json" if home else "package.json"
    runner = _depends(memory, manifest, *_OF_NODE) or _depends(memory, "package.json", *_OF_NODE)
    if runner:
        return _in(home, [*_OF_NODE[runner], *_within(home, paths)])
    if _has(memory, home, "deno.json", "deno.jsonc"):
        return _in(home, ["deno", "test", *_within(home, paths)])
    if _has(memory, "", "bun.lock", "bun.lockb", "bunfig.toml"):
        return _in(home, ["bun", "test", *_within(home, paths)])
    return _in(home, ["node", "--test", *_within(home, paths)])


def _go(_memory: Memory, home: str, paths: Sequence[str]) -> str:
    folders = sorted({f"./{dirname(path)}" if dirname(path) else "." for path in _within(home, paths)})
    return _in(home, ["go", "test", *folders])


def _rust(_memory: Memory, home: str, paths: Sequence[str]) -> str:
    near = _within(home, paths)
    apart = sorted(splitext(basename(path))[0] for path in near if dirname(path) == "tests")
    inner = ["--lib"] if any(not path.startswith("tests/") for path in near) else []
    return _in(home, ["cargo", "test", *inner, *(word for name in apart for word in ("--test", name))])


def _jvm(memory: Memory, home: str, paths: Sequence[str]) -> str:
    names = sorted(splitext(basename(path))[0] for path in paths)
    if _has(memory, home, "pom.xml"):
        return _in(home, ["mvn", "test", f"-Dtest={','.join(names)}"])
    if _has(memory, "", "build.sbt"):
        return join(["sbt", f"testOnly {' '.join(f'*.{name}' for name in names)}"])
    wrapper = "./gradlew" if _has(memory, "", "gradlew") else "gradle"
    task = ":" + home.replace("/", ":") + ":test" if home else "test"
    return join([wrapper, task, *(word for name in names for word in ("--tests", f"*{name}"))])


def _ruby(memory: Memory, home: str, paths: Sequence[str]) -> str:
    near = _within(home, paths)
    if all(path.endswith("_spec.rb") for path in near):
        return _in(home, ["bundle", "exec", "rspec", *near])
    if _has(memory, home, "bin/rails"):
        return _in(home, ["bin/rails", "test", *near])
    return _in(home, ["bundle", "exec", "ruby", "-Ilib:test", "-e", _EACH_RUBY, *near])


def _php(memory: Memory, home: str, paths: Sequence[str]) -> str:
    manifest = f"{home}/composer.json" if home else "composer.json"
    runner = "vendor/bin/pest" if _depends(memory, manifest, "pestphp/pest") else "vendor/bin/phpunit"
    names = "|".join(sorted(splitext(basename(path))[0] for path in paths))
    return _in(home, [runner, *(_within(home, paths) if len(paths) == 1 else ["--filter", f"/({names})/"])])


def _csharp(_memory: Memory, home: str, paths: Sequence[str]) -> str:
    names = sorted(splitext(basename(path))[0] for path in paths)
    return _in(home, ["dotnet", "test", "--filter", "|".join(f"FullyQualifiedName~{name}" for name in names)])


def _swift(_memory: Memory, home: str, paths: Sequence[str]) -> str:
    names = "|".join(sorted(splitext(basename(path))[0] for path in paths))
    return _in(home, ["swift", "test", "--filter", names])


def _dart(memory: Memory, home: str, paths: Sequence[str]) -> str:
    is_flutter = bool(memory.graph.edges_in("pkg:flutter_test"))
    return _in(home, ["flutter" if is_flutter else "dart", "test", *_within(home, paths)])


def _with(*command: str) -> Maker:
    return lambda _memory, home, paths: _in(home, [*command, *_within(home, paths)])


_EACH_RUBY = "ARGV.each { |file| require File.expand_path(file) }"
_OF_NODE = {
    "vitest": ("npx", "vitest", "run"), "jest": ("npx", "jest"), "mocha": ("npx", "mocha"), "ava": ("npx", "ava"),
    "tap": ("npx", "tap"), "uvu": ("npx", "uvu"), "@playwright/test": ("npx", "playwright", "test"),
    "react-scripts": ("npx", "react-scripts", "test", "--watchAll=false"), "bun-types": ("bun", "test"),
}  # fmt: skip
"""Package -> the command that runs tests with it; the first that a manifest requires is taken."""
_MAKERS: dict[str, Maker] = {
    "python": _python, "javascript": _javascript, "go": _go, "rust": _rust, "jvm": _jvm, "ruby": _ruby, "php": _php,
    "csharp": _csharp, "swift": _swift, "dart": _dart, "elixir": _with("mix", "test"), "lua": _with("busted"),
    "bats": _with("bats"),
}  # fmt: skip
_MANIFESTS: dict[str, tuple[str, ...]] = {
    "python": ("manage.py",), "javascript": ("package.json", "deno.json", "deno.jsonc"), "go": ("go.mod",),
    "rust": ("Cargo.toml",), "jvm": ("pom.xml", "build.gradle", "build.gradle.kts"), "ruby": ("Gemfile",),
    "php": ("composer.json",), "csharp": (), "swift": ("Package.swift",), "dart": ("pubspec.yaml",),
    "elixir": ("mix.exs",), "lua": (), "bats": (),
}  # fmt: skip
_FAMILIES = {
    f".{suffix}": family
    for family, suffixes in {
        "python": "py", "javascript": "js jsx mjs cjs ts tsx mts cts vue svelte", "go": "go", "rust": "rs",
        "jvm": "java kt kts scala groovy", "ruby": "rb", "php": "php", "csharp": "cs", "swift": "swift", "dart": "dart",
        "elixir": "exs", "lua": "lua", "bats": "bats",
    }.items()
    for suffix in suffixes.split()
}  # fmt: skip
"""Suffix -> whose rules."""
