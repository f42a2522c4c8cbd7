"""Plain text, and what projects write about themselves without a suffix: documents.

What they name is found by `memoire.extract.documents`.
"""

from memoire.languages._links import resolve_link
from memoire.languages._spec import Language

LANGUAGE = Language(
    name="text",
    suffixes=(".txt",),
    filenames=(
        "README",
        "LICENSE",
        "LICENCE",
        "COPYING",
        "NOTICE",
        "AUTHORS",
        "CONTRIBUTORS",
        "MAINTAINERS",
        "CHANGELOG",
        "CHANGES",
        "HISTORY",
        "NEWS",
        "CONTRIBUTING",
        "INSTALL",
        "TODO",
        "THANKS",
        "SECURITY",
        "COPYRIGHT",
        "PATENTS",
        "ROADMAP",
    ),
    resolve=resolve_link,
    kind="document",
)
