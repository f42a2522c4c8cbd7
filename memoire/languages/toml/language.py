"""TOML: its tables and keys, two levels of them."""

from memoire.extract.keyed import define_keys
from memoire.extract.keyed_toml import read_toml
from memoire.extract.spec import Language
from memoire.extract.structured import Found, leading_comment, structured
from memoire.resolution.paths import resolve_path

_DATA_BYTES = 300_000
"""A larger file is data."""


def read(found: Found) -> None:
    """Fill in what one file says."""
    found.summary = leading_comment(found.text)
    define_keys(found, read_toml(found.text))


LANGUAGE = Language(
    name="toml",
    suffixes=(".toml",),
    resolve=resolve_path,
    read=structured("toml", read, max_bytes=_DATA_BYTES),
    is_setting=True,
)
