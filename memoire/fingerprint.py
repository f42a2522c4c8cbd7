"""Says which version of the extraction made stored facts: they are made again where it differs."""

import functools
from hashlib import blake2b
from importlib import metadata
from pathlib import Path

import msgspec

from memoire.config import Settings
from memoire.languages import FILES
from memoire.model import FACTS_VERSION

_READING = ("extract", "languages", "resolution")
"""Packages whose code and tables decide what is read of a file."""


@functools.cache
def fingerprint() -> str:
    """Return what stored facts and index words depend on beside the bytes: code, queries, tables and grammars."""
    digest = blake2b(digest_size=8)
    home = Path(__file__).parent
    for folder in _READING:
        for path in sorted((home / folder).rglob("*")):
            if path.suffix in {".json", ".py", ".scm", ".toml"}:
                digest.update(path.relative_to(home).as_posix().encode() + b"\0" + path.read_bytes())
    for grammar in sorted({grammar for files in FILES.values() for grammar in files.grammars}):
        digest.update(metadata.version(grammar).encode())
    return f"{FACTS_VERSION}.{digest.hexdigest()}"


def version(settings: Settings) -> str:
    """Return what the facts and edges of a project depend on beside its files: the extraction and some settings."""
    told = msgspec.json.encode((sorted(settings.documents.items()), settings.max_file_kb))
    return f"{fingerprint()}.{blake2b(told, digest_size=4).hexdigest()}"
