"""What a file is by its name alone: a secret, a lock file, minified, generated or vendored."""

import re
from functools import lru_cache

SECRET, LOCK, MINIFIED, GENERATED, VENDORED = "secret", "lock", "minified", "generated", "vendored"

_SECRET_NAMES = frozenset(
    [
        ".aws-credentials", ".bash_history", ".dockercfg", ".envrc", ".git-credentials", ".htpasswd", ".my.cnf",
        ".netrc", ".npmrc", ".pgpass", ".pypirc", ".python_history", ".s3cfg", ".vault-token", ".zsh_history", "_netrc",
        "credentials", "id_dsa", "id_ecdsa", "id_ecdsa_sk", "id_ed25519", "id_ed25519_sk", "id_rsa", "kubeconfig",
        "local.settings.json", "master.key", "terraform.tfstate", "terraform.tfstate.backup",
    ]
)  # fmt: skip
_SECRET_SUFFIXES = (
    ".asc.key", ".gpg", ".jks", ".kdb", ".kdbx", ".key", ".keychain", ".keystore", ".mobileprovision", ".ovpn", ".p12",
    ".p8", ".pem", ".pfx", ".pkcs12", ".ppk", ".tfvars", ".tfvars.json",
)  # fmt: skip
_SECRET_STEMS = ("client_secret", "client-secret", "credentials", "secrets", "service-account", "service_account")
_DATA_SUFFIXES = (".json", ".yaml", ".yml", ".toml", ".ini", ".xml", ".csv", ".txt", ".properties", ".enc")
_SECRET_PATHS = (".docker/config.json", ".kube/config", ".aws/config", ".ssh/config", ".gem/credentials")
_HARMLESS_ENV = frozenset(("example", "sample", "template", "dist", "defaults", "schema", "tpl"))

_LOCK_NAMES = frozenset(
    [
        "bun.lockb", "cartfile.resolved", "conda-lock.yml", "go.sum", "go.work.sum", "gradle.lockfile", "manifest.lock",
        "npm-shrinkwrap.json", "package-lock.json", "package.resolved", "packages.lock.json", "pnpm-lock.yaml",
        "pnpm-lock.yml", "project.assets.json", ".pnp.cjs", ".pnp.js", ".terraform.lock.hcl",
    ]
)  # fmt: skip
_MINIFIED = (".min.js", ".min.css", ".min.mjs", ".min.cjs", "-min.js", ".bundle.js", ".chunk.js", ".map")
_GENERATED = (
    "_pb2.py", "_pb2.pyi", "_pb2_grpc.py", ".pb.go", ".pb.gw.go", ".pb.cc", ".pb.h", ".pb.swift", "_pb.js", "_pb.ts",
    "_pb.d.ts", ".g.dart", ".freezed.dart", ".gr.dart", ".designer.cs", ".g.cs", ".g.i.cs", ".gen.go", ".gen.ts",
    ".gen.tsx", ".tsbuildinfo", ".snap", "-snapshot.json", ".xcuserstate", ".pbxproj",
)  # fmt: skip
_GENERATED_NAMES = re.compile(
    r"zz_generated\..*|.*[._-]generated\.[a-z]+|moc_.*\.cpp|qrc_.*\.(?:cpp|py)|ui_.*\.h|parsetab\.py|lextab\.py"
    r"|lex\.yy\.c|y\.tab\.[ch]|bindata\.go"
)
_VENDORED = frozenset(
    ("vendor", "vendored", "_vendor", "_vendored", "third_party", "third-party", "thirdparty", "3rdparty")
)


_ODD_NAMES = _SECRET_NAMES | _LOCK_NAMES | {"parsetab.py", "lextab.py", "lex.yy.c", "y.tab.c", "y.tab.h", "bindata.go"}
_ODD_ENDS = (*_SECRET_SUFFIXES, *_MINIFIED, *_GENERATED, ".lock", ".env")
_ODD_STARTS = (".env", "zz_", "moc_", "qrc_", "ui_", *_SECRET_STEMS)
_ODD_FOLDERS = tuple({path.rpartition("/")[0] for path in _SECRET_PATHS})


def label(path: str) -> str:
    """Return `secret`, `lock`, `minified`, `generated`, `vendored` or the empty string for an ordinary file.

    Args:
        path: Relative to the root; upper and lower case are the same.
    """
    lowered = path.lower()
    folder, _, name = lowered.rpartition("/")
    # One look at the whole list tells most files apart: a scan asks for each.
    if (
        name.endswith(_ODD_ENDS)
        or name in _ODD_NAMES
        or name.startswith(_ODD_STARTS)
        or "generated." in name
        or folder.endswith(_ODD_FOLDERS)
    ):
        found = _label_of_name(lowered, name)
        if found:
            return found
    return VENDORED if _is_vendored(folder) else ""


def is_secret(path: str) -> bool:
    """Return whether a file of this name holds secrets: it is known by name, and never read."""
    lowered = path.lower()
    return _is_secret(lowered, lowered.rpartition("/")[2])


def _label_of_name(lowered: str, name: str) -> str:
    if _is_secret(lowered, name):
        return SECRET
    if name in _LOCK_NAMES or name.endswith(".lock"):
        return LOCK
    if name.endswith(_MINIFIED):
        return MINIFIED
    return GENERATED if name.endswith(_GENERATED) or _GENERATED_NAMES.fullmatch(name) else ""


@lru_cache(maxsize=4096)
def _is_vendored(folder: str) -> bool:
    return not _VENDORED.isdisjoint(folder.split("/"))


def _is_secret(lowered: str, name: str) -> bool:
    if name in _SECRET_NAMES or name.endswith(_SECRET_SUFFIXES):
        return True
    if name.endswith(".env") or name.startswith(".env"):
        return _is_secret_env(name)
    if name.startswith(_SECRET_STEMS) and name.endswith(_DATA_SUFFIXES):
        return True
    return lowered.endswith(_SECRET_PATHS) and any(
        lowered == path or lowered.endswith(f"/{path}") for path in _SECRET_PATHS
    )


def _is_secret_env(name: str) -> bool:
    parts = re.split(r"[.\-_]", name)
    return "env" in parts and _HARMLESS_ENV.isdisjoint(parts)
