"""Collects what a reader finds in a document, and makes its sections and mentions."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from hashlib import blake2b
from itertools import pairwise

from memoire.extract.citations import MAX_TARGET, imports_in
from memoire.extract.sentences import Strip, first_sentence, plain
from memoire.model import Definition, Mention

MAX_SECTIONS = 10_000
MAX_MENTIONS = 5_000
"""Per document; what goes beyond says nothing more about it, and is reported."""
_FORMAT = b" \t\r\n\f"
"""Bytes that do not count for a fingerprint: wrapping a paragraph anew changes no section."""
_MAX_NAME = 160

_CODE_PATH = re.compile(
    r"(?<![\w./@:%{}$<>~*+=\\-])(?:\.{0,2}/)?(?:[\w.@+-]++/)+[\w.@+-]*\.[A-Za-z]\w{0,9}(?![\w/<{*$:@=-]|\.\w)"
)


class Outline:
    """What one document says, in the order in which it is read.

    Args:
        strip: Takes the inline markup out of its paragraphs.
    """

    def __init__(self, strip: Strip = plain) -> None:
        self.strip = strip
        self.title = ""
        """Where the document states one other than by its first heading: front matter, `<h1>`."""
        self.summary = ""
        """One sentence, likewise stated."""
        self.is_cut = False
        """Whether sections or mentions were left out for their number."""
        self._headings: list[tuple[int, int, str]] = []
        self._first: list[str] = []
        self._lead = ""
        self._has_preface = False
        self._mentions: list[tuple[int, str, str, str]] = []
        self._seen: set[tuple[int, str, str]] = set()

    def heading(self, line: int, level: int, text: str) -> None:
        """Begin a section.

        Args:
            line: Its first line.
            level: 1 = the highest.
            text: Its heading without markup.
        """
        if len(self._headings) >= MAX_SECTIONS:
            self.is_cut = True
            return
        text = " ".join(text.replace("`", "").split())[:_MAX_NAME].strip() or "untitled"
        self._headings.append((line, level, text))
        self._first.append("")

    def prose(self, text: str) -> None:
        """Take in a paragraph of the current section: the first one with words gives its first sentence."""
        first = self._first
        if first:
            if not first[-1]:
                self._first[-1] = first_sentence(text, self.strip)
                if not self._lead and len(self._first) < 3:
                    self._lead = self._first[-1]
        elif not self._lead:
            self._lead = first_sentence(text, self.strip)
            self._has_preface = bool(self._lead)

    def mention(self, line: int, text: str, kind: str, sentence: str) -> None:
        """Keep one mention; twice on one line is once. An empty sentence says that it stands in an example."""
        key = (line, text, kind)
        if key in self._seen or not text or len(text) > MAX_TARGET:
            return
        if len(self._mentions) >= MAX_MENTIONS:
            self.is_cut = True
            return
        self._seen.add(key)
        self._mentions.append((line, text, kind, sentence))

    def code(self, line: int, text: str) -> None:
        """Keep the paths and Python imports of an example, with an empty sentence: they are weaker than prose."""
        found = [(start, name, "symbol") for start, name in imports_in(text)]
        if "/" in text:
            found.extend((match.start(), match[0], "path") for match in _CODE_PATH.finditer(text))
            found.sort()
        last = 0
        for start, name, kind in found:
            line += text.count("\n", last, start)
            last = start
            self.mention(line, name, kind, "")

    def lead(self) -> tuple[str, str]:
        """Return the title (empty where there is none) and the first sentence.

        A second-level heading below a lead paragraph is no title: many a README begins with a picture and a slogan.
        """
        title = self.title or next((text for _, level, text in self._headings if level == 1), "")
        if not title and self._headings and not self._has_preface:
            title = self._headings[0][2]
        return title, self.summary or self._lead

    def finish(self, lines: Sequence[str]) -> tuple[tuple[Definition, ...], tuple[Mention, ...]]:
        """Return the sections, and the mentions with the section each stands in.

        Args:
            lines: The whole document, without line ends.
        """
        starts = [line for line, _, _ in self._headings]
        mentions = tuple(
            Mention(text, kind, line, sentence, bisect_right(starts, line) - 1)
            for line, text, kind, sentence in sorted(self._mentions, key=lambda mention: mention[0])
        )
        return self._sections(lines), mentions

    def _sections(self, lines: Sequence[str]) -> tuple[Definition, ...]:
        headings = self._headings
        parents: list[int] = []
        ends = [len(lines)] * len(headings)
        stack: list[int] = []
        for index, (line, level, _) in enumerate(headings):
            while stack and headings[stack[-1]][1] >= level:
                ends[stack.pop()] = line - 1
            parents.append(stack[-1] if stack else -1)
            stack.append(index)
        names = self._names(parents)
        bodies = self._bodies(lines, parents)
        sections = []
        for index, (line, level, text) in enumerate(headings):
            end = ends[index]
            while end > line and not lines[end - 1].strip():
                end -= 1
            sections.append(
                Definition(
                    name=names[index],
                    kind="section",
                    line=line,
                    end_line=max(line, end),
                    parent=parents[index],
                    body=bodies[index],
                    signature=_digest(f"{level} {text}"),
                    doc=self._first[index],
                )
            )
        return tuple(sections)

    def _names(self, parents: Sequence[int]) -> list[str]:
        """Return one name for each section: its heading; where several share it, `Parent > Heading`, then ` #2`."""
        texts = [text for _, _, text in self._headings]
        counts = Counter(texts)
        names: list[str] = []
        taken: Counter[str] = Counter()
        for index, text in enumerate(texts):
            parent = parents[index]
            name = text if counts[text] == 1 or parent < 0 else f"{texts[parent]} > {text}"
            taken[name] += 1
            number = taken[name]
            if number > 1:
                while f"{name} #{number}" in taken or f"{name} #{number}" in counts:
                    number += 1
                taken[name] = number
                name = f"{name} #{number}"
                taken[name] = 1
            names.append(name)
        return names

    def _bodies(self, lines: Sequence[str], parents: Sequence[int]) -> list[str]:
        """Return the fingerprints: of the text without white space; a subsection stands in as its own."""
        starts = [line for line, _, _ in self._headings]
        parts = [["".join(lines[start : after - 1])] for start, after in pairwise([*starts, len(lines) + 1])]
        prints = [""] * len(starts)
        for index in reversed(range(len(starts))):
            own, *below = parts[index]
            prints[index] = _digest("\n".join([own, *reversed(below)]))
            if parents[index] >= 0:
                parts[parents[index]].append(f"{self._headings[index][2]} {prints[index]}")
        return prints


def _digest(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass").translate(None, _FORMAT), digest_size=8).hexdigest()
