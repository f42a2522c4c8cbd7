"""Files that are made where they are missing: the user's from then on, or memoire's own."""

from collections.abc import Callable
from hashlib import blake2b

from memoire.clients._spec import Change, Edit, Undo


class WholeFile(Edit, frozen=True, kw_only=True):
    """A file that is made where it is missing, and is its user's from then on."""

    content: str
    needs: str = ""
    """A line that a file which is there already must have."""

    @property
    def name(self) -> str:
        """What tells the edit from others of the same file."""
        return "file"

    def install(self, text: str | None, undo: Undo | None) -> Change:
        """Return the content where there is no file."""
        if text is None:
            return Change(self.content, Undo(), is_added=True)
        if self.needs and not {self.needs, f"/{self.needs}"} & {line.strip() for line in text.splitlines()}:
            return Change(text, undo, f"it lacks the line `{self.needs}`; add it", is_refused=True)
        return Change(text, undo)

    def uninstall(self, text: str, undo: Undo | None) -> Change:
        """Return nothing where the file is as it was made."""
        del undo
        if text.replace("\r\n", "\n") == self.content:
            return Change("")
        return Change(text, why="it was changed, so it stays")


class OwnFile(Edit, frozen=True, kw_only=True):
    """A file that is memoire's alone, as a hook or a command of an assistant that has a folder of them.

    A newer version rewrites it as long as nobody else changed it.
    """

    make: Callable[[], str]
    """Returns the content as it is on this machine now."""

    @property
    def name(self) -> str:
        """What tells the edit from others of the same file."""
        return "own file"

    def install(self, text: str | None, undo: Undo | None) -> Change:
        """Return the content, unless the file is somebody else's by now."""
        content = self.make()
        wrote = Undo(wrote=_digest(content))
        if text is None:
            return Change(content, wrote, is_added=True)
        if text == content:
            return Change(text, undo)
        if undo is None or undo.wrote != _digest(text):
            return Change(text, undo, "it is not as memoire wrote it, and stays so")
        return Change(content, wrote)

    def uninstall(self, text: str, undo: Undo | None) -> Change:
        """Return nothing where the file is as it was made."""
        if text == self.make() or (undo is not None and undo.wrote == _digest(text)):
            return Change("")
        return Change(text, why="it was changed, so it stays; remove it if it is no longer wanted")


def _digest(text: str) -> str:
    return blake2b(text.encode(), digest_size=16).hexdigest()
