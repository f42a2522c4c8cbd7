"""Workflows and actions of GitHub: jobs, the actions and workflows they use, the files their commands run.

Paths count from the root of the repository, in commands and after `uses:` alike.
Source: https://docs.github.com/actions/reference/workflow-syntax-for-github-actions and
https://docs.github.com/actions/reference/metadata-syntax-for-github-actions.
"""

from posixpath import normpath

from memoire.extract.commandline import commands
from memoire.extract.keyed import Entry, Keyed
from memoire.extract.keyed_yaml import read_yaml
from memoire.extract.registries import image_name
from memoire.extract.spec import Language
from memoire.extract.structured import Found, leading_comment, structured
from memoire.resolution.paths import directories_as

_SHELLS = ("", "bash", "sh", "pwsh", "powershell", "cmd")


def read(found: Found) -> None:
    """Fill in what one workflow or action says."""
    keyed = Keyed(read_yaml(found.text))
    said = keyed.text("description") or leading_comment(found.text)
    found.summary = ": ".join(filter(None, (keyed.text("name"), said)))
    for job in keyed.below("jobs"):
        name = keyed.text(*job.keys, "name")
        index = found.define(job.keys[-1], "job", job.line, job.end_line, doc=name)
        _uses(found, keyed, job, index)
        folder = keyed.text(*job.keys, "defaults", "run", "working-directory")
        for step in keyed.below(*job.keys, "steps"):
            _step(found, keyed, step, index, folder)
    for step in keyed.below("runs", "steps"):
        _step(found, keyed, step, -1, "")
    for key in ("main", "pre", "post", "image"):
        entry = keyed.get("runs", key)
        text = keyed.text("runs", key)
        if entry is not None and text and "://" not in text and "${" not in text:
            found.link(f"./{normpath(text)}", entry.line, kind="entry")


def _uses(found: Found, keyed: Keyed, holder: Entry, scope: int) -> None:
    entry = keyed.get(*holder.keys, "uses")
    text = keyed.text(*holder.keys, "uses").strip("\"'")
    if entry is None or "${" in text:
        return
    if text.startswith("./"):
        found.link(f"/{normpath(text)}", entry.line, kind="entry", scope=scope)
    elif text.startswith("docker://"):
        found.link(f"docker:{image_name(text[9:])}", entry.line, kind="dependency", scope=scope)
    elif text.count("/") >= 1:
        owner, repository = text.partition("@")[0].split("/")[:2]
        found.link(f"github:{owner}/{repository}", entry.line, kind="dependency", scope=scope)


def _step(found: Found, keyed: Keyed, step: Entry, scope: int, folder: str) -> None:
    _uses(found, keyed, step, scope)
    run = keyed.get(*step.keys, "run")
    shell = keyed.text(*step.keys, "shell").split(" ", 1)[0]
    folder = keyed.text(*step.keys, "working-directory") or folder
    if run is None or not isinstance(run.value, str) or shell not in _SHELLS or "${" in folder:
        return
    is_block = run.end_line > run.line or "\n" in run.value
    text = run.value
    if folder and normpath(folder) != ".":
        text = f"cd {normpath(folder)} && {text}"
    for item in commands(text, run.line + is_block, root="/", scope=scope):
        found.mention(item)


LANGUAGE = Language(
    name="workflow",
    titles={".yml": "yaml", ".yaml": "yaml"},
    suffixes=(),
    paths=(".github/workflows/*.yml", ".github/workflows/*.yaml"),
    filenames=("action.yml", "action.yaml"),
    resolve=directories_as("action.yml", "action.yaml", "Dockerfile"),
    read=structured("workflow", read),
    is_setting=True,
)
