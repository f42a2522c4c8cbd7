"""Says which version of the extraction made stored facts: they are made again where it differs."""

import functools
from hashlib import blake2b
from importlib import metadata
from pathlib import Path

import msgspec

from memoire.config import Settings
from memoire.languages import LANGUAGES
from memoire.model import FACTS_VERSION


@functools.cache
def fingerprint() -> str:
    """Return what stored facts and index words depend on beside the bytes: it changes with queries and grammars."""
    digest = blake2b(digest_size=8)
    for language in LANGUAGES:
        if language.syntax is None:
            continue
        for names in language.syntax.queries.values():
            for name in names:
                digest.update((Path(language.syntax.folder) / name).read_bytes())
        digest.update((Path(language.syntax.folder) / "effects.toml").read_bytes())
        for grammar in language.syntax.grammars.values():
            digest.update(metadata.version(grammar.partition(":")[0]).encode())
    return f"{FACTS_VERSION}.{digest.hexdigest()}"


def version(settings: Settings) -> str:
    """Return what the facts and edges of a project depend on beside its files: the extraction and some settings."""
    told = msgspec.json.encode((sorted(settings.documents.items()), settings.max_file_kb))
    return f"{fingerprint()}.{blake2b(told, digest_size=4).hexdigest()}"
