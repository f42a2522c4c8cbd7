"""SVG: documents. Their title, description and labels are their text; a label may name code, as a caption does."""

from collections.abc import Iterator

from memoire.extract.citations import is_distinctive, names_in_span, paths_in
from memoire.extract.documents import facts_of, lines_of
from memoire.extract.sections import Outline
from memoire.extract.sentences import MAX_SENTENCE
from memoire.extract.spec import Language
from memoire.languages.svg.drawing import Drawing, Label, drawing_of
from memoire.model import FileFacts, Problem
from memoire.resolution.links import resolve_link

_LEAD = 120
"""Characters of its labels that sum up a drawing without a description."""


def read(path: str, data: bytes) -> FileFacts:
    """Return the facts of one drawing."""
    problems: list[Problem] = []
    lines = lines_of(data, problems)
    drawing = drawing_of(lines)
    outline = Outline(_on_one_line)
    outline.title = drawing.title[:MAX_SENTENCE]
    outline.summary = drawing.description[:MAX_SENTENCE] or _lead(drawing)
    for link in drawing.links:
        outline.mention(link.line, link.target, "link", f"{link.element} {link.target}"[:MAX_SENTENCE])
    for label in drawing.labels:
        sentence = _on_one_line(label.text)[:MAX_SENTENCE]
        line, last = label.line, 0
        for offset, name, kind in _names(label):
            line += label.text.count("\n", last, offset)
            last = offset
            outline.mention(line, name, kind, sentence)
    if not drawing.is_svg and not problems:
        problems.append(Problem("syntax", "It has no svg element."))
    if drawing.is_cut:
        problems.append(Problem("too-large", "Only its first 10,000 labels are read."))
    return facts_of("svg", path, data, lines, outline, problems)


def text_of(path: str, data: bytes) -> str:
    """Return the labels of a drawing, each on the line on which it begins."""
    del path
    lines = lines_of(data, [])
    found = [""] * len(lines)
    for label in drawing_of(lines).labels:
        text = _on_one_line(label.text)
        before = found[label.line - 1]
        found[label.line - 1] = f"{before} · {text}" if before else text
    return "\n".join(found).rstrip("\n")


def _names(label: Label) -> Iterator[tuple[int, str, str]]:
    """Yield (offset, text, kind) of what a label names: paths, and a symbol that is all it says.

    The title of an icon is as often the name of the component that shows it: it is not about that.
    """
    found = names_in_span(label.text) if not label.is_caption and len(label.text.split()) == 1 else ()
    if found and found[0][1] == "symbol" and (is_distinctive(found[0][0]) or found[0][0].endswith("()")):
        # A plain word with a capital is a box with a caption, not a class.
        yield 0, *found[0]
        return
    for start, _, path in paths_in(label.text):
        yield start, path, "path"


def _on_one_line(text: str) -> str:
    return " ".join(text.split())


def _lead(drawing: Drawing) -> str:
    """Return the first labels of a drawing."""
    labels: dict[str, None] = {}
    for label in drawing.labels:
        text = _on_one_line(label.text)
        if len(", ".join([*labels, text])) > _LEAD:
            break
        if text != drawing.title and any(map(str.isalpha, text)):
            labels[text] = None
    return f"Labels: {', '.join(labels)}" if labels else ""


LANGUAGE = Language(name="svg", suffixes=(".svg",), resolve=resolve_link, kind="document", read=read, text=text_of)
