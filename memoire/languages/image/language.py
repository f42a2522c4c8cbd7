"""Pictures and videos: known by the documents and code that show them, and by what their header says."""

from hashlib import sha256

from memoire.extract.lfs import is_kept_elsewhere
from memoire.extract.spec import Language
from memoire.languages.image.header import picture_of
from memoire.model import FileFacts, Problem


def read(path: str, data: bytes) -> FileFacts:
    """Return the facts of one picture: its format and size."""
    del path
    found = picture_of(data)
    problems: tuple[Problem, ...] = ()
    if found is not None:
        name, size = found
        summary = f"{name}, {size[0]} x {size[1]} pixels" if size else name
    elif is_kept_elsewhere(data):
        summary = "kept by Git LFS"
    else:
        summary = ""
        problems = (Problem("syntax", "its first bytes are those of no picture or video that is known"),)
    return FileFacts("image", sha256(data).hexdigest(), len(data), 0, summary=summary, problems=problems)


def _no_text(path: str, data: bytes) -> str:
    """Return nothing: what a picture shows is not read."""
    del path, data
    return ""


LANGUAGE = Language(
    name="image",
    suffixes=(".png", ".jpg", ".jpeg", ".gif", ".webp", ".ico", ".bmp", ".avif", ".mp4"),
    read=read,
    text=_no_text,
)
