"""Gradle: the artefacts that a build requires, the projects it is made of, the tasks it defines.

Source: https://docs.gradle.org/current/userguide/declaring_dependencies.html.
"""

import re

from memoire.extract.spec import Language
from memoire.extract.structured import Found, leading_comment, structured
from memoire.model import Target
from memoire.resolution.paths import resolve_inside
from memoire.tree import Tree

_CONFIGURATION = (
    r"\b\w*(?:[iI]mplementation|[aA]pi|[cC]ompileOnly|[rR]untimeOnly|[aA]nnotationProcessor|[cC]ompile"
    r"|kapt|ksp|classpath)"
)
_ARTEFACT = re.compile(rf"{_CONFIGURATION}\b[\s(]*(?:platform\()?[\"']([\w.-]+):([\w.-]+)(?::[^\"'\n]*)?[\"']")
_PROJECT = re.compile(r"\bproject\(\s*(?:path\s*[:=]\s*)?[\"'](:[\w:.-]+)[\"']")
_APPLY = re.compile(r"\bapply\s*\(?\s*from\s*[:=]\s*[\"']([^\"'$\n]+)[\"']")
_INCLUDE = re.compile(r"^\s*include\b(.*)$")
_NAMES = re.compile(r"[\"'](:?[\w:./-]+)[\"']")
_TASK = re.compile(
    r"^\s*(?:task\s+(\w+)|(?:val\s+\w+\s+by\s+)?tasks\.(?:register|create)(?:<[^>]*>)?\(\s*[\"'](\w+)[\"'])"
)
_FILES = ("build.gradle", "build.gradle.kts")


def read(found: Found) -> None:
    """Fill in what one build script says."""
    found.summary = leading_comment(found.text, "//")
    is_settings = found.path.rpartition("/")[2].startswith("settings.")
    for number, line in enumerate(found.lines, 1):
        if line.lstrip().startswith(("//", "*", "/*")):
            continue
        for artefact in _ARTEFACT.finditer(line):
            found.link(f"maven:{artefact[1]}:{artefact[2]}", number, kind="dependency")
        for project in _PROJECT.finditer(line):
            found.link(project[1], number, kind="dependency")
        for applied in _APPLY.finditer(line):
            text = re.sub(r"^\.?/", "", applied[1])
            found.link(f"./{text}", number)
        included = _INCLUDE.match(line) if is_settings else None
        for name in _NAMES.findall(included[1]) if included else ():
            found.link(f":{name.lstrip(':')}", number, kind="entry")
        task = _TASK.match(line)
        if task is not None:
            found.define(task[1] or task[2], "target", number)


def resolve(tree: Tree, path: str, specifier: str) -> Target:
    """Return what a specifier names; `:core:api` is the project whose folder it is, from that of the settings."""
    if not specifier.startswith(":"):
        return resolve_inside(tree, path, specifier, _FILES)
    settings = tree.above(path.rpartition("/")[0], ("settings.gradle", "settings.gradle.kts"))
    root = settings[-1].rpartition("/")[0] if settings else ""
    folder = "/".join(filter(None, (root, specifier.strip(":").replace(":", "/"))))
    return resolve_inside(tree, path, f"/{folder}", _FILES)


LANGUAGE = Language(
    name="gradle",
    suffixes=(".gradle",),
    filenames=("build.gradle.kts", "settings.gradle.kts"),
    resolve=resolve,
    read=structured("gradle", read),
    is_setting=True,
)
