"""Dockerfiles: stages, the images they start from, the files they copy and start.

What is copied is looked for in the context of the build: see `resolve`.
Source: https://docs.docker.com/reference/dockerfile/.
"""

import json
import re
from posixpath import dirname, join, normpath

import msgspec

from memoire.extract.commandline import commands
from memoire.extract.guards import MAX_BYTES
from memoire.extract.keyed import Keyed
from memoire.extract.keyed_yaml import read_yaml
from memoire.extract.registries import image_name
from memoire.extract.spec import Language
from memoire.extract.structured import Found, leading_comment, structured
from memoire.model import Target
from memoire.resolution.paths import resolve_path
from memoire.resolution.python_modules import start_module
from memoire.tree import Tree

_INSTRUCTION = re.compile(r"[ \t]*([A-Za-z]+)[ \t]+(.*)", re.DOTALL)
_FLAG = re.compile(r"--[\w-]+(?:=\S+)?\s+")
_HERE = re.compile(r"<<-?[\"']?([A-Za-z_]\w*)")
COMPOSE_FILES = ("compose.yml", "compose.yaml", "docker-compose.yml", "docker-compose.yaml")
_FOREIGN = re.compile(r"[$*?\[]|://|^/|^<<")


class _Stage(msgspec.Struct):
    """The stage that is read."""

    index: int = -1
    work: str = "/"
    copied: str = ""
    """Where the whole context was copied to."""


def read(found: Found) -> None:
    """Fill in what one file says."""
    found.summary = leading_comment(found.text)
    stages = [(line, text) for line, _, keyword, text in _instructions(found.lines) if keyword == "FROM"]
    following = [line - 1 for line, _ in stages[1:]] + [len(found.lines)] * bool(stages)
    ends = {line: end for (line, _), end in zip(stages, following, strict=True)}
    named: dict[str, _Stage] = {}
    stage = _Stage()
    for line, _last, keyword, text in _instructions(found.lines):
        if keyword == "FROM":
            stage = _from(found, line, _content_end(found.lines, line, ends[line]), text, named)
        elif keyword == "WORKDIR":
            stage.work = normpath(f"{stage.work}/{text}" if not text.startswith("/") else text)
        elif keyword in {"COPY", "ADD"}:
            _copy(found, line, text, stage)
        elif keyword in {"CMD", "ENTRYPOINT", "RUN"}:
            _run(found, line, keyword, text, stage)


def _content_end(lines: list[str], first: int, end: int) -> int:
    while end > first and (not lines[end - 1].strip() or lines[end - 1].lstrip().startswith("#")):
        end -= 1
    return end


def _instructions(lines: list[str]) -> list[tuple[int, int, str, str]]:
    """Return (first line, last line, keyword in capitals, the rest) of each instruction."""
    found = []
    index = 0
    while index < len(lines):
        start = index
        text = lines[index].strip()
        index += 1
        if not text or text.startswith("#"):
            continue
        parts = [text]
        while parts[-1].endswith("\\") and index < len(lines):
            following = lines[index].strip()
            index += 1
            # A comment between the lines of an instruction is none of it, and ends nothing.
            parts[-1] = parts[-1][:-1]
            parts.append("\\" if following.startswith("#") else following)
        text = "\n".join(parts)
        for mark in _HERE.findall(text) if "<<" in text else ():
            while index < len(lines) and lines[index].strip() != mark:
                index += 1
            index += 1
        match = _INSTRUCTION.match(text)
        if match is not None:
            found.append((start + 1, index, match[1].upper(), match[2].strip()))
    return found


def _from(found: Found, line: int, end: int, text: str, named: dict[str, _Stage]) -> _Stage:
    words = _FLAG.sub("", text).split()
    image = words[0] if words else ""
    name = words[2] if len(words) > 2 and words[1].lower() == "as" else ""
    base = image_name(image)
    index = found.define(name or base, "stage", line, end)
    if image and "$" not in image and image not in named and image != "scratch":
        found.link(f"docker:{base}", line, kind="dependency", scope=index)
    base_stage = named.get(image, _Stage())
    named[name] = stage = _Stage(index, base_stage.work, base_stage.copied)
    return stage


def _copy(found: Found, line: int, text: str, stage: _Stage) -> None:
    if "--from" in text:
        return
    words = _words(_FLAG.sub("", text))
    for source in words[:-1]:
        if normpath(source) == ".":
            stage.copied = normpath(f"{stage.work}/{words[-1]}" if not words[-1].startswith("/") else words[-1])
        elif not _FOREIGN.search(source):
            found.link(normpath(source), line, kind="entry", scope=stage.index)


def _words(text: str) -> list[str]:
    """Return the words of an instruction, which may be written as a list of JSON."""
    if text.lstrip().startswith("["):
        try:
            words = json.loads(text)
        except (ValueError, RecursionError):
            return []
        return [word for word in words if isinstance(word, str)]
    return text.split()


def _run(found: Found, line: int, keyword: str, text: str, stage: _Stage) -> None:
    text = _FLAG.sub("", text) if keyword == "RUN" else text
    is_list = text.startswith("[")
    command = " ".join(_words(text)) if is_list else text
    if stage.copied.strip("/"):
        # What lies in the image where the whole context was copied is a file of the project.
        command = re.sub(rf"(?<![\w./-]){re.escape(stage.copied)}/", "", command)
    for item in commands(command, line, root="", scope=stage.index, count_lines=not is_list):
        if keyword == "RUN":
            found.mention(item)
        elif item.kind == "module":
            module, _, name = item.text.partition(":")
            found.link(f"python:{module}", item.line, name=name, kind="entry", scope=stage.index)
        else:
            found.link(item.text, item.line, kind="entry", scope=stage.index)


def resolve(tree: Tree, path: str, specifier: str) -> Target:
    """Return what is copied or started.

    A compose file that builds this file says which folder is the context. Else it may be the file's own or the root:
    where both have what is named, neither is meant for sure.
    """
    contexts = _contexts(tree, path)
    if specifier.startswith("python:"):
        folders = contexts or {dirname(path), ""}
        found = {start_module(tree, (folder,), specifier[7:], anywhere=False) for folder in folders} - {None}
        started = found.pop() if len(found) == 1 else start_module(tree, (), specifier[7:], anywhere=not found)
        return started or Target("unresolved", specifier)
    if ":" in specifier or specifier.startswith("/"):
        return resolve_path(tree, path, specifier)
    if contexts:
        copied = {resolve_path(tree, path, f"/{normpath(join(context, specifier))}") for context in contexts}
    else:
        copied = {resolve_path(tree, path, text) for text in (f"./{specifier}", f"/{specifier}")}
    files = {target for target in copied if target.kind != "unresolved"}
    return files.pop() if len(files) == 1 else Target("unresolved", specifier)


def _contexts(tree: Tree, path: str) -> set[str]:
    """Return the folders that compose files build a Dockerfile in."""
    found = set()
    for name in COMPOSE_FILES:
        for compose in tree.named(name):
            builds: tuple[tuple[str, str], ...] = tree.config(compose, parse_builds) or ()
            for context, file in builds:
                folder = normpath(join(dirname(compose), context))
                if normpath(join(folder, file)) == path and not folder.startswith(".."):
                    found.add("" if folder == "." else folder)
    return found


def parse_builds(data: bytes) -> tuple[tuple[str, str], ...]:
    """Return (context, Dockerfile in it) of what a compose file builds."""
    keyed = Keyed(read_yaml(data[:MAX_BYTES].decode("utf-8", "replace")))
    found = []
    for service in keyed.below("services"):
        build = (*service.keys, "build")
        context = keyed.text(*build) or keyed.text(*build, "context") or "."
        if keyed.get(*build) is not None and "$" not in context and "://" not in context:
            found.append((context, keyed.text(*build, "dockerfile") or "Dockerfile"))
    return tuple(found)


LANGUAGE = Language(
    name="dockerfile",
    suffixes=(".dockerfile", ".containerfile"),
    filenames=("Dockerfile", "Containerfile"),
    paths=("**/Dockerfile.*", "**/Containerfile.*", "**/Dockerfile-*"),
    resolve=resolve,
    resolves_by_file=True,
    read=structured("dockerfile", read),
    is_setting=True,
)
