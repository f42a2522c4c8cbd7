"""Pipelines of GitLab, CircleCI, Azure, Bitbucket, Travis and pre-commit: their jobs, images, and what they run.

All of them run their commands at the root of the repository, in lists or texts under a few keys.
Source: https://docs.gitlab.com/ci/yaml/, https://circleci.com/docs/configuration-reference/,
https://learn.microsoft.com/azure/devops/pipelines/yaml-schema/, https://pre-commit.com/#new-hooks.
"""

from memoire.extract.commandline import commands
from memoire.extract.keyed import Entry, Keyed
from memoire.extract.keyed_yaml import read_yaml
from memoire.extract.registries import beside, image_name
from memoire.extract.spec import Language
from memoire.extract.structured import Found, leading_comment, structured
from memoire.resolution.paths import resolve_path

_COMMANDS = frozenset(
    {"script", "before_script", "after_script", "before_install", "install", "run", "command", "bash", "entry"}
)
_NAMES = ("job", "stage", "id")
"""Keys by which an item of a list of jobs is named."""


def read(found: Found) -> None:
    """Fill in what one file says."""
    found.summary = leading_comment(found.text)
    entries = read_yaml(found.text)
    keyed = Keyed(entries)
    spans = [(job.line, job.end_line, found.define(name, "job", job.line, job.end_line)) for job, name in _jobs(keyed)]
    for entry in entries:
        scope = next((index for first, last, index in reversed(spans) if first <= entry.line <= last), -1)
        key = entry.keys[-2] if entry.is_item and len(entry.keys) > 1 else entry.keys[-1]
        if isinstance(entry.value, str) and entry.value:
            _said(found, entry, key, scope)


def _jobs(keyed: Keyed) -> list[tuple[Entry, str]]:
    """Return the jobs with their names, in the order of their lines."""
    found: list[tuple[Entry, str]] = []
    for entry in (*keyed.below(), *keyed.below("jobs"), *keyed.below("repos")):
        if not entry.is_item and keyed.get(*entry.keys, "script") and len(entry.keys) == 1:
            found.append((entry, entry.keys[0]))
        elif not entry.is_item and entry.keys[0] == "jobs" and len(entry.keys) > 1:
            found.append((entry, entry.keys[1]))
        for item in (entry, *keyed.below(*entry.keys, "hooks")) if entry.is_item else ():
            name = next(filter(None, (keyed.text(*item.keys, key) for key in _NAMES)), "")
            if name:
                found.append((item, name))
    return sorted(found, key=lambda job: job[0].line)


def _said(found: Found, entry: Entry, key: str, scope: int) -> None:
    text = str(entry.value)
    if key in _COMMANDS:
        is_block = "\n" in text or entry.end_line > entry.line
        for item in commands(text, entry.line + is_block, root="/", scope=scope):
            found.mention(item)
    elif key == "image" and "$" not in text and not entry.is_item:
        found.link(f"docker:{image_name(text)}", entry.line, kind="dependency", scope=scope)
    elif key in {"local", "include"} and _is_path(text):
        found.link(f"/{text.lstrip('/')}", entry.line, kind="entry", scope=scope)
    elif key == "template" and _is_path(text) and found.path.rpartition("/")[2].startswith("azure"):
        found.link(text if text.startswith("/") else beside(text), entry.line, kind="entry", scope=scope)


def _is_path(text: str) -> bool:
    return not any(mark in text for mark in ("$", "*", "@", "://"))


LANGUAGE = Language(
    name="pipeline",
    titles={".yml": "yaml", ".yaml": "yaml"},
    suffixes=(),
    filenames=(
        ".gitlab-ci.yml", ".gitlab-ci.yaml", "azure-pipelines.yml", "azure-pipelines.yaml", "bitbucket-pipelines.yml",
        ".travis.yml", ".pre-commit-config.yaml",
    ),
    paths=(".circleci/config.yml", ".gitlab/ci/*.yml"),
    resolve=resolve_path,
    read=structured("pipeline", read),
    is_setting=True,
)  # fmt: skip
