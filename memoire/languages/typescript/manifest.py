"""Reads `package.json`, `deno.json` and their like, and says which files a package offers under which subpath. Pure.

Source: https://nodejs.org/api/packages.html (exports, imports, conditions, pattern order) and
https://docs.deno.com/runtime/fundamentals/configuration/ (imports, workspace).
"""

from collections.abc import Iterator, Mapping

import msgspec

from memoire.languages.typescript.jsonc import JSON, object_of, parse_object, strings, text_of

NAMES = ("package.json", "deno.json", "deno.jsonc", "jsr.json")
"""Files that name a package."""

_MAIN_FIELDS = ("source", "module", "jsnext:main", "main", "react-native", "browser", "types", "typings")
"""Fields that name the entry of a package without `exports`, implementation before declarations."""
_DEPENDENCIES = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")
_ENVIRONMENTS = frozenset(
    {
        "browser",
        "react-native",
        "worker",
        "workerd",
        "deno",
        "bun",
        "edge-light",
        "electron",
        "production",
        "style",
        "sass",
        "script",
        "netlify",
        "fastly",
    }
)
"""Conditions that hold in one environment only: tried after all others."""
MAX_TARGETS = 64
MAX_DEPTH = 32
"""Conditions nest two or three deep; more is hostile."""


class Manifest(msgspec.Struct, frozen=True):
    """What resolution needs of one package's manifest."""

    name: str = ""
    entries: tuple[str, ...] = ()
    """Values of `main` and its like."""
    exports: Mapping[str, JSON] | None = None
    """Subpath (`.`, `./x`, `./x/*`) -> target; None = the package hides nothing."""
    imports: Mapping[str, JSON] = {}
    """`#name` -> target; in Deno any specifier."""
    scopes: Mapping[str, JSON] = {}
    """Deno: path prefix -> further imports."""
    import_map: str = ""
    """Deno: a file that holds `imports` instead."""
    workspaces: tuple[str, ...] = ()
    """Globs of member directories; `!` excludes."""
    dependencies: Mapping[str, str] = {}
    tsconfig: str = ""


def parse_manifest(data: bytes) -> Manifest:
    """Return the manifest a file holds.

    Raises:
        ValueError: It holds no JSON object.
    """
    raw = parse_object(data)
    workspaces = raw.get("workspaces", raw.get("workspace"))
    if isinstance(workspaces, dict):
        workspaces = workspaces.get("packages", workspaces.get("members"))
    dependencies = {
        name: value
        for field in reversed(_DEPENDENCIES)
        for name, value in object_of(raw.get(field)).items()
        if isinstance(value, str)
    }
    return Manifest(
        name=text_of(raw.get("name")),
        entries=tuple(dict.fromkeys(filter(None, (text_of(raw.get(field)) for field in _MAIN_FIELDS)))),
        exports=_exports(raw.get("exports")),
        imports=object_of(raw.get("imports")),
        scopes=object_of(raw.get("scopes")),
        import_map=text_of(raw.get("importMap")),
        workspaces=strings(workspaces),
        dependencies=dependencies,
        tsconfig=text_of(raw.get("tsconfig")),
    )


def manifest_name(data: bytes) -> str:
    """Return the name of the package a manifest describes, empty without one.

    Raises:
        ValueError: It holds no JSON object.
    """
    return text_of(parse_object(data).get("name"))


def parse_lerna(data: bytes) -> tuple[str, ...]:
    """Return the globs of `lerna.json`.

    Raises:
        ValueError: It holds no JSON object.
    """
    return strings(parse_object(data).get("packages"))


def parse_pnpm(data: bytes) -> tuple[str, ...]:
    """Return the globs under `packages:` of `pnpm-workspace.yaml`, written as a block or in brackets."""
    lines = data[:100_000].decode(errors="replace").splitlines()
    found: list[str] = []
    inside = False
    for raw in lines:
        line = raw.split(" #", 1)[0].rstrip()
        if not line or line.lstrip().startswith("#"):
            continue
        if line.startswith("packages:"):
            inside = True
            found += _flow(line.removeprefix("packages:"))
        elif inside and line.lstrip().startswith("- "):
            found.append(_unquoted(line.lstrip()[2:]))
        elif inside and line[0] in " \t[]":
            found += _flow(line)
        else:
            inside = False
    return tuple(filter(None, found))


def _flow(text: str) -> list[str]:
    return [_unquoted(item) for item in text.strip().strip("[]").split(",")]


def _unquoted(text: str) -> str:
    return text.strip().strip("'\"")


def _exports(value: JSON) -> Mapping[str, JSON] | None:
    if value is None:
        return None
    if isinstance(value, dict) and any(key.startswith(".") for key in value):
        return {key: target for key, target in value.items() if key.startswith(".")}
    return {".": value}


def match_key(table: Mapping[str, JSON], name: str) -> tuple[str, str] | None:
    """Return (key, what its `*` stands for) of the entry for a name; None where there is none.

    An exact key wins, then the pattern with the longest part before its `*`, then the longest pattern. A key that ends
    in `/` stands for everything below it.
    """
    if name in table and "*" not in name and not name.endswith("/"):
        return name, ""
    best: tuple[int, int, str, str] | None = None
    for key in table:
        before, star, after = key.partition("*")
        if not star:
            if not key.endswith("/"):
                continue
            after = ""
        long_enough = len(name) >= len(before) + len(after) and len(name) > len(before)
        if long_enough and name.startswith(before) and name.endswith(after) and "*" not in after:
            found = (len(before), len(key), key, name[len(before) : len(name) - len(after)])
            best = max(best, found) if best else found
    return (best[2], best[3]) if best else None


def targets(table: Mapping[str, JSON], name: str, *, require: bool = False) -> list[str] | None:
    """Return what a table of exports or imports offers under a name, best first; None where it says nothing of it.

    An empty list means the name is blocked. Conditions are not chosen among, but ordered: the caller takes the first
    target that is a file of the project, and a condition that says "source" is often the only one that is.

    Args:
        table: `exports` or `imports`.
        name: `.`, `./sub`, `#internal`.
        require: Prefer what `require` gets over what `import` gets.
    """
    found = match_key(table, name)
    if found is None:
        return None
    key, rest = found
    leaves = list(_leaves(table[key], (), 0, [MAX_TARGETS]))

    def rank(leaf: tuple[str, tuple[str, ...]]) -> tuple[int, int, int]:
        target, conditions = leaf
        return (
            len(_ENVIRONMENTS.intersection(conditions)),
            int(("import" if require else "require") in conditions),
            int(target.endswith((".d.ts", ".d.mts", ".d.cts"))),
        )

    leaves.sort(key=rank)
    if key.endswith("/"):
        return [target + rest for target, _ in leaves if target.endswith("/")]
    return list(dict.fromkeys(target.replace("*", rest) if "*" in key else target for target, _ in leaves))


def _leaves(
    value: JSON, conditions: tuple[str, ...], depth: int, left: list[int]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield (target, the conditions it stands under) of a nested value, in the order written."""
    if depth > MAX_DEPTH or left[0] <= 0:
        return
    left[0] -= 1
    if isinstance(value, str):
        yield value, conditions
    elif isinstance(value, list):
        for item in value:
            yield from _leaves(item, conditions, depth + 1, left)
    elif isinstance(value, dict):
        for condition, item in value.items():
            yield from _leaves(item, (*conditions, condition), depth + 1, left)
