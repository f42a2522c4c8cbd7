"""reStructuredText: documents. What they name is found by `memoire.extract.documents`."""

from memoire.languages._links import resolve_link
from memoire.languages._spec import Language

LANGUAGE = Language(
    name="rest",
    suffixes=(".rst",),
    filenames=(),
    resolve=resolve_link,
    kind="document",
)
