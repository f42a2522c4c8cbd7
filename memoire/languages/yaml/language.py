"""YAML: the keys of its two upper levels, the objects of Kubernetes by kind and name, and the files it refers to."""

import re

from memoire.extract.keyed import Keyed, define_keys
from memoire.extract.keyed_yaml import documents, outline_yaml, read_yaml
from memoire.extract.spec import Language
from memoire.extract.structured import Found, leading_comment, structured
from memoire.resolution.paths import directories_as

_REFERENCE = re.compile(r"\$ref[\"']?\s*:\s*[\"']?([^\"'#\s:]{1,200})(?:#|[\"']|\s|$)")
_OBJECT = re.compile(r"^apiVersion\s*:.*$", re.MULTILINE)
_KIND = re.compile(r"^kind\s*:\s*[\"']?[A-Z]\w+[\"']?\s*(?:#.*)?$", re.MULTILINE)
_MOST_OF_OBJECTS = 300_000
"""Characters of a file that is read whole for its objects."""
_DATA_BYTES = 500_000
"""A larger file is data: generated, or a recording. Its words are found, its keys are no outline."""


def read(found: Found) -> None:
    """Fill in what one file says."""
    text = found.text
    found.summary = leading_comment(text)
    if len(text) > _DATA_BYTES:
        return
    is_object = "apiVersion" in text and _OBJECT.search(text) and _KIND.search(text)
    if is_object and len(text) <= _MOST_OF_OBJECTS and _objects(found):
        return
    entries = outline_yaml(text)
    define_keys(found, entries)
    if "$ref" in text:
        _references(found)


def _objects(found: Found) -> int:
    """Define the objects of Kubernetes; return how many there are."""
    count = 0
    for document in documents(read_yaml(found.text)):
        keyed = Keyed(document)
        kind, name = keyed.text("kind"), keyed.text("metadata", "name")
        if kind and name and keyed.text("apiVersion"):
            count += 1
            last = max(entry.end_line for entry in document)
            found.define(f"{kind}/{name}", "resource", document[0].line, last)
        for key in ("resources", "bases", "components", "patchesStrategicMerge"):
            if kind == "Kustomization":
                for text, line in keyed.strings(key):
                    found.link(f"./{text}" if text[0] not in "./" else text, line)
    return count


def _references(found: Found) -> None:
    seen: set[str] = set()
    for number, line in enumerate(found.lines, 1):
        each = _REFERENCE.search(line) if "$ref" in line else None
        text = each[1] if each else ""
        if text and text not in seen and "." in text and text[0] != "/":
            seen.add(text)
            found.link(text if text[0] == "." else f"./{text}", number)


LANGUAGE = Language(
    name="yaml",
    suffixes=(".yaml", ".yml"),
    resolve=directories_as("kustomization.yaml", "kustomization.yml"),
    read=structured("yaml", read),
    is_setting=True,
)
