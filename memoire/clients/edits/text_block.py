"""Lines between two marks in a text: everything around them is the user's."""

from memoire.clients._spec import Change, Edit, Undo
from memoire.clients.edits import marks
from memoire.clients.edits.marks import BLOCK_VERSION, MARKDOWN


class MarkdownBlock(Edit, frozen=True, kw_only=True):
    """Lines between two marks in a text for assistants; everything around them is the user's."""

    lines: tuple[str, ...]

    @property
    def name(self) -> str:
        """What tells the edit from others of the same file."""
        return "block"

    def install(self, text: str | None, undo: Undo | None) -> Change:
        """Return the text with the block: at its end, or where an older one is."""
        text = text or ""
        lines = (MARKDOWN.begin, *self.lines, MARKDOWN.end)
        blocks = list(MARKDOWN.blocks(text))
        if None in blocks:
            return Change(text, undo, "its `memoire:begin` and `memoire:end` do not match", is_refused=True)
        if any(found and found.version > BLOCK_VERSION for found in blocks):
            return Change(text, undo, "a newer memoire wrote its block")
        if blocks:
            first, *others = (found for found in blocks if found)
            for other in reversed(others):
                text = marks.cut(text, other, None)
            newline = marks.newline(text[first.start : first.end])
            return Change(text[: first.start] + newline.join(lines) + text[first.end :], undo)
        newline = marks.newline(text)
        before, after = marks.ends(text, newline)
        return Change(
            text + newline * before + newline.join(lines) + newline * after,
            Undo(before=before, after=after),
            is_added=True,
        )

    def uninstall(self, text: str, undo: Undo | None) -> Change:
        """Return the text without the block and the line ends that were added with it."""
        blocks = list(MARKDOWN.blocks(text))
        if None in blocks:
            why = "its `memoire:begin` and `memoire:end` do not match; remove what is between them"
            return Change(text, why=why, is_refused=True)
        for found in reversed(blocks):
            assert found is not None
            text = marks.cut(text, found, undo if len(blocks) == 1 else None)
        return Change(text)
