"""Reads what the inline text of AsciiDoc names: cross references, links, images, code spans, plain paths. Pure, linear.

A macro binds tighter than a code span, which binds tighter than plain text; a backslash before either escapes it.

Source: https://docs.asciidoctor.org/asciidoc/latest/
"""

import re
from collections.abc import Callable
from html import unescape
from operator import attrgetter
from posixpath import join, normpath, splitext

from memoire.extract.citations import MAX_TARGET, names_in_span, paths_in
from memoire.extract.markdown_inline import Found, local_target
from memoire.extract.suffixes import DOCUMENT_SUFFIXES, suffix_of

_TOKEN = re.compile(
    r"(?<![\w\\:])(?:(?P<macro>xref|link|image|video|audio|javadoc):(?P<target>[^\s:\[\]][^\s\[\]]{0,239})"
    r"\[(?P<text>(?:[^\[\]\\]|\\.){0,500}+)\]"
    r"|(?:https?|ftp|irc)://[^\s\[\]<>]++(?:\[(?:[^\[\]\\]|\\.){0,500}+\])?"
    r"|\{\w[\w-]{0,60}\}[^\s\[\]]{0,240}+\[(?:[^\[\]\\]|\\.){0,500}+\]"
    r"|(?:pass|stem|latexmath|asciimath|kbd|btn|menu|icon):[^\s\[\]]{0,60}+\[[^\[\]]{0,500}+\])"
    r"|(?<!\\)<<(?P<cross>[^<>]{1,300}+)>>"
    r"|(?<![\w\\`\"'])`{1,2}(?=[^\s`])(?P<code>[^`]{1,400}+)`{1,2}(?!\w)"
    r"|(?<![\w\\`+])\+{1,2}(?=\S)(?P<literal>[^+\n]{1,240}+)(?<=\S)\+{1,2}(?!\w)"
)
"""Macros with a local target, addresses (with an unknown attribute, too), macros whose content is no text, cross
references in angle brackets, code, literals."""
_INTERESTING = re.compile(r"[`/+<]|\[|\.(?=[A-Za-z])")
_CODE = re.compile(r"`([^`]{1,400})`")
_ATTRIBUTE = re.compile(r"(?<!\\)\{(\w[\w-]{0,60})\}")
_ANTORA = re.compile(r"(?:(.*)/)?modules/([^/]+)/(?:(?:pages|partials|examples|images|attachments)/|[^/]+\Z)")
"""A page, or the navigation list of a module."""
_ANTORA_ID = re.compile(r"(?:[\w.-]*@)?(?:([\w.-]*):)?(?:(page|partial|example|image|attachment)\$)?([^:$@\s]+)\Z")
PICTURES = frozenset(("image", "video", "audio"))
"""Macros that show what lies in the folder of pictures."""
_MAX_VALUE = 240
"""Characters of a document attribute's value that is put in its place."""
_MAX_TEXT = 100_000
"""Characters up to which a paragraph grows when attributes are put in place: a few of them can refer to each other."""

Resolve = Callable[[str, str], tuple[str, ...]]
"""(macro, target as written) -> the local path it names, or two of which one exists; none where it leads out."""


class Targets:
    """The document attributes that are set so far, and what a target means with them.

    Args:
        path: The document, relative to the root: by it a page of an Antora site is known.
    """

    def __init__(self, path: str) -> None:
        self.attributes: dict[str, str] = {}
        place = _ANTORA.match(path)
        self._antora = (place[1] or "", place[2]) if place else None
        self._suffix = splitext(path)[1]

    def define(self, name: str, value: str) -> None:
        """Set an attribute; one whose name ends or begins with `!` is unset."""
        if "!" in name:
            self.attributes.pop(name.strip("!").lower(), None)
        else:
            value = self.fill(value)
            if len(value) <= _MAX_VALUE:
                self.attributes[name.lower()] = value

    def fill(self, text: str) -> str:
        """Return a text with the values of attributes that are known in their place; the others stay as written."""
        if "{" not in text or not self.attributes:
            return text
        filled = _ATTRIBUTE.sub(lambda match: self.attributes.get(match[1].lower(), match[0]), text)
        return filled if len(filled) <= max(_MAX_TEXT, len(text)) else text

    def resolve(self, macro: str, target: str) -> tuple[str, ...]:
        """Return the local path that the target of a macro names: see `Resolve`."""
        target = self.fill(target.strip()).replace("\\", "")
        if "{" in target:
            return ()
        if macro == "xref":
            # Another page is named without its suffix where the place on it is named as well.
            file, mark, _ = target.partition("#")
            target = file + self._suffix if mark and file and not suffix_of(file) else target
        if self._antora is not None and macro in {"xref", "include", "image"}:
            return self._of_antora(macro, target)
        local = local_target(target)
        folder = self.attributes.get("imagesdir", "") if macro in PICTURES else ""
        if local and folder and not local.startswith("/"):
            local = local_target(f"{folder.rstrip('/')}/{local}")
        return (local,) if local else ()

    def _of_antora(self, macro: str, target: str) -> tuple[str, ...]:
        """Return what a resource id means on an Antora site; of other components than the page's own, nothing.

        Source: https://docs.antora.org/antora/latest/page/resource-id/
        """
        assert self._antora is not None
        root, module = self._antora
        place = _ANTORA_ID.match(target.partition("#")[0])
        if place is None:
            return ()
        family = place[2] or {"xref": "page", "image": "image"}.get(macro, "")
        if not family or target.startswith("."):
            local = local_target(target)
            return (local,) if local else ()
        above = join(root, "modules", place[1] or module)
        # Older sites keep what is no page in a folder of its own.
        folders = (f"{family}s", f"assets/{family}s") if family in {"image", "attachment"} else (f"{family}s",)
        found = (
            (folder, normpath(join(folder, local_target(place[3])))) for folder in (join(above, f) for f in folders)
        )
        return tuple(f"/{path}" for folder, path in found if path.startswith(f"{folder}/") and len(path) < MAX_TARGET)


def asciidoc_mentions(text: str, resolve: Resolve) -> list[Found]:
    """Return what a paragraph names, in order of position.

    Args:
        text: The paragraph, attributes filled in.
        resolve: Gives the meaning of a macro's target.
    """
    if _INTERESTING.search(text) is None:
        return []
    found: list[Found] = []
    holes = []
    for match in _TOKEN.finditer(text):
        start, end = match.span()
        holes.append((start, end))
        found.extend(Found(start, end, name, kind) for name, kind in _names(match, resolve))
    found.extend(Found(start, end, path, "path") for start, end, path in paths_in(text, holes))
    found.sort(key=attrgetter("start"))
    return found


def _names(match: re.Match[str], resolve: Resolve) -> list[tuple[str, str]]:
    """Return (text, kind) of what one token names."""
    code = match["code"] or match["literal"]
    if code:
        return list(names_in_span(" ".join(code.strip("+").split())))
    if match["cross"]:
        target, _, label = match["cross"].partition(",")
        targets = () if _is_place(target) else resolve("xref", target)
        return [*((name, "link") for name in targets), *_in_label(label)]
    macro, target = match["macro"], match["target"]
    if not macro:
        return []
    if macro == "javadoc":
        return [(target.rpartition("/")[2].replace("$", ".").replace("#", "."), "symbol")] if "." in target else []
    if macro == "xref" and _is_place(target):
        return _in_label(match["text"])
    targets = resolve(macro, target)
    # What stands in the text of a link that leads out of the project is not about the project.
    label = _in_label(match["text"]) if targets and macro not in PICTURES else []
    return [*((name, "link") for name in targets), *label]


def _is_place(target: str) -> bool:
    """Return whether a cross reference names a place of this very page: an id, not a file."""
    file, mark, _ = target.partition("#")
    return not file or not (mark or "/" in file or "$" in file or suffix_of(file) in DOCUMENT_SUFFIXES)


def _in_label(label: str) -> list[tuple[str, str]]:
    return [name for match in _CODE.finditer(label) for name in names_in_span(match[1].strip("+"))]


_IMAGE = re.compile(r"\b(?:image|video|audio|icon)::?[^\s\[\]]{1,240}\[[^\[\]]{0,500}\]")
_NOTE = re.compile(r"\bfootnote:[\w-]{0,60}\[[^\[\]]{0,500}\]|\[\[[^\[\]]{1,200}\]\]|\{(?:nbsp|empty|zwsp|sp)\}")
_LABELLED = re.compile(
    r"(?:(?<![\w\\])(?:xref|link|mailto|javadoc):|\b(?=https?://)|(?=\{\w[\w-]{0,60}\}))([^\s\[\]]{1,400})\[((?:[^\[\]\\]|\\.){0,500}+)\]"
)
_INDEX = re.compile(r"\(\(\([^()]{1,200}\)\)\)|\(\(([^()]{1,200})\)\)")
_CROSS = re.compile(r"<<([^<>,]{1,200}+)(?:,([^<>]{0,300}+))?>>")
_KEYS = re.compile(r"\b(?:kbd|btn|menu|pass|stem):[^\s\[\]]{0,60}\[([^\[\]]{0,500})\]")
_QUOTED = re.compile(r"([\"'])`([^`]{1,400})`\1")
_ROLE = re.compile(r"\[[.#%][^\[\]\s]{1,80}\](?=[#*_`])")
_STRONG = re.compile(r"(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)")
_HIGHLIGHT = re.compile(r"(?<!\w)#{1,2}(?=[^\s#])([^#\n]{1,200})(?<=\S)#{1,2}(?!\w)")
_PASS = re.compile(r"(?<![\w+])\+{1,3}(?=[^\s+])([^+\n]{1,240})(?<=\S)\+{1,3}(?!\w)")
_TERM = re.compile(r"(?:(?<=\S)|\A)(?::{2,4}|;;)(?=\s|\Z)")
_ESCAPE = re.compile(r"\\(?=[\w<*_{\[])")
_BREAK = re.compile(r" \+$", re.MULTILINE)


def plain_asciidoc(text: str) -> str:
    """Return AsciiDoc as text on one line: no images, targets, anchors, emphasis; code stays in single backticks."""
    if "[" in text:
        text = _LABELLED.sub(_label, _NOTE.sub("", _IMAGE.sub("", text)))
        text = _ROLE.sub("", _KEYS.sub(r"\1", text))
    if "((" in text:
        text = _INDEX.sub(lambda match: match[1] or "", text)
    if "<<" in text:
        text = _CROSS.sub(lambda match: (match[2] or match[1]).strip(), text)
    if "`" in text:
        text = _QUOTED.sub(r"\1\2\1", text).replace("``", "`").replace("`+", "`").replace("+`", "`")
    text = "`".join(
        part if index % 2 else _without_marks(part) for index, part in enumerate(_BREAK.sub("", text).split("`"))
    )
    return " ".join(text.split())


def _label(match: re.Match[str]) -> str:
    label = match[2].split(",window=")[0].rstrip("^").strip('"')
    return label.replace("\\]", "]") or match[1]


def _without_marks(text: str) -> str:
    """Return text between code spans without emphasis, literal marks, escapes and entities."""
    if "+" in text:
        text = _PASS.sub(r"\1", text)
    if "#" in text:
        text = _HIGHLIGHT.sub(r"\1", text)
    if "*" in text or "_" in text:
        text = _STRONG.sub("", text.replace("**", "").replace("__", ""))
    if "::" in text or ";;" in text:
        text = _TERM.sub(":", text)
    if "\\" in text:
        text = _ESCAPE.sub("", text)
    return unescape(text) if "&" in text else text
