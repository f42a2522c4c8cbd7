"""Reads memories that are HTML pages, one each: a head of `memhtml-` fields, and an article. Pure, never raises."""

import re
from html.parser import HTMLParser

from memoire.notes.exchange._entry import SOURCE, Entry, Read, Tie, Trouble, moment_of
from memoire.notes.model import Relation, Status

FORMAT = "memory-pages"
PREFIX = "memhtml-"
_BLOCKS = frozenset(
    ("p", "li", "section", "table", "tr", "figcaption", "aside", "address", "ul", "ol", "div", "blockquote")
)
_SILENT = frozenset(("script", "style", "template"))
_RELATIONS: dict[str, Relation] = {
    "supersedes": "supersedes", "contradicts": "contradicts", "caused-by": "caused_by", "leads-to": "leads_to",
    "part-of": "part_of", "relates-to": "relates_to", "example-of": "example_of", "supports": "supports",
    "laterally-related": "laterally_related",
}  # fmt: skip
_STATUS: dict[str, Status] = {"archived": "archived", "superseded": "superseded", "deprecated": "deprecated"}


def is_page(text: str) -> bool:
    """Return whether a text is such a page."""
    return f'name="{PREFIX}' in text[:20_000] and "<article" in text


def read_page(text: str, source: str) -> Read:
    """Return the memory of a page."""
    page = _Page()
    page.feed(text)
    page.close()
    article = page.article()
    if not article:
        return Read(FORMAT, (), (Trouble(source, 0, "its article is empty"),))
    one = {name: values[-1] for name, values in page.metas.items()}
    entities = [value if ":" in value else f"unknown:{value}" for value in page.metas.get("entity", [])]
    facets = {name: value for name, value in page.facets.items() if "=" not in name and value}
    for name in ("due", "task-status"):
        if one.get(name):
            facets["state" if name == "task-status" else name] = one[name]
    by = one.get("superseded-by", "").lstrip("/")
    status = _STATUS.get(one.get("status", ""), "active")
    if one.get("archived") and status == "active":
        status = "archived"
    if by and status in {"active", "archived"}:
        status = "superseded"
    return Read(
        FORMAT,
        (
            Entry(
                text=article,
                source=source,
                name=source,
                type=one.get("type", "semantic"),
                title=page.title if page.title.rstrip(".") not in article else "",
                details=page.details(),
                about=tuple(dict.fromkeys([*entities, *(f"concept:{term}" for term in page.terms)])),
                tags=tuple(page.metas.get("tag", ())),
                facets={**facets, SOURCE: source},
                importance=_whole(one.get("importance", ""), 5),
                confidence=_share(one.get("confidence", "")),
                since=moment_of(one.get("valid-from") or page.happened or one.get("created")),
                until=moment_of(one.get("valid-until")),
                author=one.get("author", ""),
                session=one.get("session", ""),
                prompt=one.get("prompt", ""),
                turn=one.get("turn", ""),
                status=status,
                by=by,
                reason="" if status == "active" else "so in the pages it comes from",
                ties=tuple(Tie(_RELATIONS[rel], to.lstrip("/")) for rel, to in page.links if rel in _RELATIONS),
            ),
        ),
    )


class _Page(HTMLParser):
    """Collects the fields of the head, and the article as Markdown."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.metas: dict[str, list[str]] = {}
        self.links: list[tuple[str, str]] = []
        self.title = ""
        self.happened = ""
        self.terms: list[str] = []
        self.facets: dict[str, str] = {}
        self._open: list[str] = []
        self._texts: dict[bool, list[str]] = {False: [], True: []}
        """Whether it is folded away -> what the article says."""
        self._term = ""
        self._held: list[str] = []

    def article(self) -> str:
        return _tidy("".join(self._texts[False]))

    def details(self) -> str:
        return _tidy("".join(self._texts[True]))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag in {"meta", "link"}:
            self._field(given)
        elif tag in {"br", "hr", "img", "input"}:
            self._say("\n" if tag == "br" else "")
        else:
            self._open.append(tag)
            if tag == "time":
                self.happened = self.happened or given.get("datetime", "")
            if tag in {"dt", "dd", "dfn"}:
                self._held = []
            self._begin(tag, given.get("data-lang", ""))

    def _field(self, given: dict[str, str]) -> None:
        """Take in an element of the head."""
        name, content = given.get("name", ""), given.get("content", "").strip()
        if name.startswith(PREFIX) and content:
            self.metas.setdefault(name.removeprefix(PREFIX), []).append(content)
        if given.get("rel", "").startswith(PREFIX) and given.get("href"):
            self.links.append((given["rel"].removeprefix(PREFIX), given["href"]))

    def _begin(self, tag: str, language: str) -> None:
        """Say what stands for the beginning of an element in Markdown."""
        if tag == "code":
            self._say(f"{language}\n" if "pre" in self._open else "`")
        elif tag == "pre":
            self._say("\n\n```")
        elif tag in _BLOCKS:
            self._say("\n- " if tag == "li" else "\n\n")

    def handle_endtag(self, tag: str) -> None:
        if tag not in self._open:
            return
        while self._open and self._open[-1] != tag:
            self._open.pop()
        held = " ".join("".join(self._held).split())
        if tag == "dt":
            self._term = held
        elif tag == "dd" and self._term:
            before = self.facets.get(self._term)
            self.facets[self._term] = f"{before}, {held}" if before else held
        elif tag == "dfn" and held:
            self.terms.append(held)
        elif tag == "code" and "pre" not in self._open:
            self._say("`")
        elif tag == "pre":
            self._say("\n```\n\n")
        elif tag in _BLOCKS and tag != "li":
            self._say("\n\n")
        self._open.pop()

    def handle_data(self, data: str) -> None:
        if "title" in self._open and "article" not in self._open:
            self.title += " ".join(data.split())
        self._held.append(data)
        self._say(data if "pre" in self._open else re.sub(r"\s+", " ", data))

    def _say(self, text: str) -> None:
        is_told = "article" in self._open and "dl" not in self._open and not _SILENT & set(self._open)
        if is_told:
            self._texts["details" in self._open].append(text)


def _tidy(text: str) -> str:
    lines: list[str] = []
    in_code = False
    for line in text.split("\n"):
        if line.startswith("```"):
            in_code = not in_code
        bare = line.rstrip() if in_code or line.startswith(("```", "- ")) else " ".join(line.split())
        if bare or (lines and lines[-1]):
            lines.append(bare)
    return "\n".join(lines).strip()


def _whole(text: str, default: int) -> int:
    return min(10, max(1, int(text))) if text.isdigit() else default


def _share(text: str) -> float | None:
    try:
        return min(1.0, max(0.0, float(text))) if text else None
    except ValueError:
        return None
