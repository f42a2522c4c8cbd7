"""Names what lies outside the project: the runtime's own modules, npm and JSR packages, modules behind a URL. Pure.

Source: Node's `module.builtinModules`; https://docs.deno.com/runtime/fundamentals/modules/ (npm:, jsr:, https:).
"""

import re
from urllib.parse import urlsplit

from memoire.model import Target

_NODE = (
    "assert async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns domain "
    "events fs http http2 https inspector module net os path perf_hooks process punycode querystring readline repl "
    "stream string_decoder sys timers tls trace_events tty url util v8 vm wasi worker_threads zlib "
    "assert/strict dns/promises fs/promises inspector/promises path/posix path/win32 readline/promises "
    "stream/consumers stream/promises stream/web timers/promises util/types"
)
"""Modules that Node also gives without `node:`."""
_BUILTINS = frozenset(_NODE.split())
_RUNTIMES = frozenset({"node", "bun", "deno", "cloudflare", "workerd", "fastly"})
_INLINE = frozenset({"data", "blob"})
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]+):", re.IGNORECASE)
_PACKAGE = re.compile(r"((?:@[a-z0-9~_-][a-z0-9._~-]*/)?[a-z0-9_-][a-z0-9._~-]*)(?:@[^/]*)?(?:/|$)", re.IGNORECASE)
_KIT = re.compile(r"\$(?:app|env|service-worker)(?:/|$)")
_CDN_PREFIX = re.compile(r"/(?:v\d+/|gh/[^/]+/|npm[/:]|pin/|-/)?")
_CDNS = frozenset({"esm.sh", "esm.run", "cdn.jsdelivr.net", "unpkg.com", "cdn.skypack.dev", "ga.jspm.io", "jspm.dev",
                   "cdn.esm.sh", "jsr.io"})  # fmt: skip


def scheme_of(specifier: str) -> str:
    """Return the scheme of a specifier (`node`, `https`), empty without one."""
    found = _SCHEME.match(specifier)
    return found[1].lower() if found else ""


def split_package(specifier: str) -> tuple[str, str] | None:
    """Return (package name, subpath `.` or `./x`) of a bare specifier; None where it can be no package's name.

    A version, as Deno and CDNs write it, is dropped: `chalk@5/source` gives `chalk`, `./source`.
    """
    found = _PACKAGE.match(specifier)
    if not found:
        return None
    rest = specifier[found.end() :]
    return found[1], f"./{rest}" if rest else "."


def builtin(specifier: str) -> Target | None:
    """Return the runtime's own module of this name: `fs`, `node:fs` and `fs/promises` are all `node:fs`."""
    if specifier in _BUILTINS:
        return Target("builtin", f"node:{specifier.partition('/')[0]}")
    return Target("builtin", "bun") if specifier == "bun" else None


def schemed(scheme: str, specifier: str) -> Target:
    """Return what a specifier with a scheme names, other than `npm:` and `jsr:`."""
    if scheme in _RUNTIMES:
        return Target("builtin", f"{scheme}:{specifier.partition(':')[2].partition('/')[0]}")
    if scheme in _INLINE:
        return Target("builtin", f"{scheme}:")
    if scheme in {"http", "https"}:
        return _url(specifier)
    if scheme == "file":
        return Target("unresolved", specifier)
    # A module that a framework or a bundler's plug-in makes up: `astro:content`, `virtual:pwa-register/react`.
    return Target("package", specifier.partition("/")[0] if scheme == "virtual" else scheme)


def external(specifier: str) -> Target:
    """Return the package of a bare specifier, unresolved where it can be none (`@/x`, `#x`)."""
    if _KIT.match(specifier):
        return Target("package", "@sveltejs/kit")
    package = split_package(specifier)
    return Target("package", package[0]) if package else Target("unresolved", specifier)


def _url(specifier: str) -> Target:
    try:
        parts = urlsplit(specifier)
        host = parts.hostname or ""
    except ValueError:
        return Target("unresolved", specifier)
    if host in _CDNS:
        package = split_package(parts.path[_cdn_prefix(parts.path) :])
        return Target("package", package[0] if package else host)
    segments = [segment.partition("@")[0] for segment in parts.path.split("/") if segment]
    if host == "deno.land":
        return Target("package", "/".join([host, *segments[: 2 if segments[:1] == ["x"] else 1]]))
    if host == "raw.githubusercontent.com":
        return Target("package", "/".join(["github.com", *segments[:2]]))
    return Target("package", host) if host else Target("unresolved", specifier)


def _cdn_prefix(path: str) -> int:
    found = _CDN_PREFIX.match(path)
    return found.end() if found else 0
