"""Project files of .NET (`*.csproj` and their like): packages, and the projects they refer to.

Source: https://learn.microsoft.com/dotnet/core/project-sdk/msbuild-props.
"""

from memoire.extract.markup import tags
from memoire.extract.spec import Language
from memoire.extract.structured import Found, structured
from memoire.resolution.paths import resolve_path

_SUFFIXES = (".csproj", ".fsproj", ".vbproj", ".props", ".targets")


def read(found: Found) -> None:
    """Fill in what one project says."""
    for tag in tags(found.text):
        name = tag.attributes.get("Include", tag.attributes.get("Update", ""))
        if tag.name in {"PackageReference", "PackageVersion"} and name and "$(" not in name:
            found.link(f"nuget:{name}", tag.line, kind="dependency")
        elif tag.name == "ProjectReference" and "$(" not in name:
            found.link(_relative(name), tag.line, kind="dependency")
        elif tag.name == "Import":
            project = tag.attributes.get("Project", "")
            if project and "$(" not in project:
                found.link(_relative(project), tag.line)
        elif tag.name == "Description" and not found.summary:
            found.summary = found.text[tag.start : tag.start + 300].partition("<")[0]


def _relative(text: str) -> str:
    text = text.replace("\\", "/")
    return text if not text or text.startswith((".", "/")) else f"./{text}"


LANGUAGE = Language(
    name="dotnet",
    titles=dict.fromkeys(_SUFFIXES, "xml"),
    suffixes=_SUFFIXES,
    resolve=resolve_path,
    read=structured("dotnet", read),
    is_setting=True,
)
