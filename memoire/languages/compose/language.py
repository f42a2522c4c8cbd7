"""Compose files: services, what they are built from, the files they are given.

Source: https://docs.docker.com/reference/compose-file/.
"""

from posixpath import join

from memoire.extract.commandline import commands
from memoire.extract.keyed import Entry, Keyed
from memoire.extract.keyed_yaml import read_yaml
from memoire.extract.registries import beside, image_name
from memoire.extract.spec import Language
from memoire.extract.structured import Found, leading_comment, structured
from memoire.resolution.paths import directories_as

_NAMES = ("docker-compose", "compose")


def read(found: Found) -> None:
    """Fill in what one file says."""
    keyed = Keyed(read_yaml(found.text))
    found.summary = leading_comment(found.text) or _summary(keyed)
    for service in keyed.below("services"):
        index = found.define(service.keys[-1], "service", service.line, service.end_line)
        _build(found, keyed, service, index)
        image = keyed.text(*service.keys, "image")
        if image and "${" not in image and keyed.get(*service.keys, "build") is None:
            line = _line(keyed, service, "image")
            found.link(f"docker:{image_name(image)}", line, kind="dependency", scope=index)
        for key in ("env_file", "volumes", "configs"):
            _files(found, keyed, service, key, index)
        _file(found, keyed.text(*service.keys, "extends", "file"), _line(keyed, service, "extends"), index)
        for key in ("command", "entrypoint"):
            words = " ".join(text for text, _ in keyed.strings(*service.keys, key))
            for item in commands(words, _line(keyed, service, key), root="./", scope=index, count_lines=False):
                found.mention(item)
    for text, line in keyed.strings("include"):
        _file(found, text, line, -1)
    for holder in (*keyed.below("secrets"), *keyed.below("configs"), *keyed.below("include")):
        for key in ("file", "path"):
            _file(found, keyed.text(*holder.keys, key), holder.line, -1)


def _summary(keyed: Keyed) -> str:
    names = [entry.keys[-1] for entry in keyed.below("services")]
    return f"Services: {', '.join(names[:8])}" if names else ""


def _line(keyed: Keyed, service: Entry, key: str) -> int:
    entry = keyed.get(*service.keys, key)
    return service.line if entry is None else entry.line


def _build(found: Found, keyed: Keyed, service: Entry, index: int) -> None:
    line = _line(keyed, service, "build")
    context = keyed.text(*service.keys, "build") or keyed.text(*service.keys, "build", "context")
    if keyed.get(*service.keys, "build") is None or "${" in context or "://" in context:
        return
    file = keyed.text(*service.keys, "build", "dockerfile")
    _file(found, join(context or ".", file) if file else context or ".", line, index)


def _files(found: Found, keyed: Keyed, service: Entry, key: str, index: int) -> None:
    for text, line in keyed.strings(*service.keys, key):
        source = text.partition(":")[0]
        if key == "env_file" or source.startswith("."):
            _file(found, source, line, index)
    for item in keyed.below(*service.keys, key):
        for inner in ("path", "source"):
            source = keyed.text(*item.keys, inner)
            if key == "env_file" or source.startswith("."):
                _file(found, source, item.line, index)


def _file(found: Found, text: str, line: int, scope: int) -> None:
    """Take in a file, or a folder, relative to this one."""
    if text and "$" not in text and not text.startswith(("/", "~")):
        found.link(beside(text), line, kind="entry", scope=scope)


LANGUAGE = Language(
    name="compose",
    titles={".yml": "yaml", ".yaml": "yaml"},
    suffixes=(),
    filenames=tuple(f"{name}{suffix}" for name in _NAMES for suffix in (".yml", ".yaml")),
    paths=tuple(f"**/{name}{mark}*{suffix}" for name in _NAMES for mark in ".-" for suffix in (".yml", ".yaml")),
    resolve=directories_as("Dockerfile", "Containerfile"),
    read=structured("compose", read),
    is_setting=True,
)
