"""TOML: its tables and keys, two levels of them."""

from memoire.extract.keyed import define_keys
from memoire.extract.keyed_toml import read_toml
from memoire.extract.spec import Language
from memoire.extract.structured import Found, leading_comment, structured
from memoire.resolution.paths import resolve_path

_DATA_BYTES = 300_000
"""A larger file is data: its words are found, its keys are no outline."""


def read(found: Found) -> None:
    """Fill in what one file says."""
    found.summary = leading_comment(found.text)
    if len(found.text) <= _DATA_BYTES:
        define_keys(found, read_toml(found.text))


LANGUAGE = Language(
    name="toml",
    suffixes=(".toml",),
    resolve=resolve_path,
    read=structured("toml", read),
    is_setting=True,
)
