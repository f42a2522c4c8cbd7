"""Reads the rules that people write for assistants: `CLAUDE.md`, `AGENTS.md`, `.cursorrules` and the like. Pure.

Each item of a list and each paragraph is a rule of its own, under the headings that it stands below; what is only a
list of links, a tree of files or a heading says nothing that memory would have to hold.
"""

import re
from posixpath import basename, dirname

from memoire.notes.exchange import front_matter
from memoire.notes.exchange._entry import SOURCE, Entry, Read
from memoire.notes.exchange.sections import Block, Section, blocks, sections
from memoire.notes.writing import claim_of

FORMAT = "rules"
NAMES = frozenset(
    (
        "CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", "AGENT.md", "GEMINI.md", "CODEX.md", "copilot-instructions.md",
        ".cursorrules", ".windsurfrules", ".clinerules", ".rules", "CONVENTIONS.md", "WARP.md", "CRUSH.md",
    )
)  # fmt: skip
"""Files of rules: as they are written, for `docs/agents.md` is a page about something."""
_FOLDERS = (
    ".cursor/rules/",
    ".github/instructions/",
    ".claude/rules/",
    ".windsurf/rules/",
    ".clinerules/",
    ".roo/rules/",
)
_HIDDEN = re.compile(r"(?:^|/)(?:\.github|\.claude|\.cursor|\.windsurf|\.clinerules|\.roo)(?:/|$)")
LEAST_WORDS = 4
"""A rule with fewer says its heading before it."""
_MOST_SECTION = 120
_NO_RULE = re.compile(r"(?:\[[^\]]*\]\([^)]*\)|@[\w./~-]+|https?://\S+|`[^`]*`)[.:,;]?$")
_PROHIBITS = re.compile(
    r"\b(?:never|must not|mustn't|do not|don't|cannot|forbidden|not allowed|avoid)\b", re.IGNORECASE
)
_WARNS = re.compile(
    r"\b(?:gotchas?|beware|careful|pitfalls?|caveats?|watch out|surprising(?:ly)?|known issues?)\b", re.IGNORECASE
)
_DECIDES = re.compile(r"\b(?:we (?:decided|chose)|decisions?|rationale)\b", re.IGNORECASE)
_GLOB = re.compile(r"[*?\[{]")


def is_rules(path: str) -> bool:
    """Return whether a file is one of rules, by its name."""
    return basename(path) in NAMES or any(f"/{folder}" in f"/{path}" for folder in _FOLDERS)


def read_rules(text: str, source: str) -> Read:
    """Return the rules of a file."""
    head, body = front_matter.split(text)
    about = _about(front_matter.read(head), source)
    offset = len(text.replace("\r\n", "\n").removeprefix("\ufeff").split("\n")) - len(body.split("\n"))
    entries: list[Entry] = []
    above: list[Section] = []
    for section in sections(body):
        above = [one for one in above if one.level < section.level] + ([section] if section.level else [])
        titles = [one.title for one in above if one.level > 1]
        found = (block for block in blocks(section) if _is_rule(block))
        entries += [_entry(block, titles, source, about, offset) for block in found]
    return Read(FORMAT, tuple(entries))


def _is_rule(block: Block) -> bool:
    text = block.text.strip()
    if text.startswith(("|", "```", "~~~", "<", "![")) or set(text) <= set("-*_= \n"):
        return False
    is_intro = text.endswith(":") and not block.is_item and "\n" not in text
    says_something = len(text.split()) > 1 and re.search(r"[^\W\d_]{2}", text) is not None
    return not is_intro and not _NO_RULE.fullmatch(text) and says_something


def _entry(block: Block, titles: list[str], source: str, about: tuple[str, ...], offset: int) -> Entry:
    text = block.text.strip()
    section = " > ".join(titles)[:_MOST_SECTION]
    if titles and len(text.split()) < LEAST_WORDS:
        text = f"{titles[-1]}: {text}"
    return Entry(
        text=text,
        source=source,
        line=block.line + offset,
        type=_type(text, section),
        about=about,
        facets={SOURCE: source, **({"section": section} if section else {})},
    )


def _type(text: str, section: str) -> str:
    lead = claim_of(text)
    if _WARNS.search(lead) or _WARNS.search(section):
        return "gotcha"
    if _DECIDES.search(section) or re.match(r"we (?:decided|chose)\b", lead, re.IGNORECASE):
        return "decision"
    return "constraint" if _PROHIBITS.search(lead) else "convention"


def _about(values: dict[str, front_matter.Value], source: str) -> tuple[str, ...]:
    """Return what all rules of a file are about: what its head says they apply to, else the folder that it lies in."""
    globs = [glob for name in ("globs", "applyTo", "paths") for glob in front_matter.texts(values.get(name))]
    found = []
    for glob in globs:
        fixed = glob.lstrip("/") if not _GLOB.search(glob) else f"{dirname(_GLOB.split(glob)[0].lstrip('/'))}/"
        if fixed.strip("./"):
            found.append(fixed)
    if found:
        return tuple(dict.fromkeys(found))
    folder = dirname(source)
    return (f"{folder}/",) if folder and not _HIDDEN.search(folder) and not source.startswith(("/", "..")) else ()
