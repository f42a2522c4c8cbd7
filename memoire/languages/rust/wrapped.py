"""Opens macros that give the items they are called with: `cfg_net! { pub mod tcp; }`. Pure.

To a grammar what stands in them is no code. They are told by their names, as their definitions are elsewhere: a macro
called `cfg_…` puts a condition before items (a convention of Tokio, mio, cfg-if and many that follow them), so does
`feature`, and `pin_project` takes a struct as it stands; and where the file defines them by `$($item:item)*`, or
`tt`. What stands in them must begin like an item, too.
"""

import re

_NAMES = rb"cfg_\w+|feature|pin_project"
_PASSING = re.compile(
    rb"macro_rules!\s*(\w+)\s*[{(\[]\s*[({\[]\s*(?:\$\(#\[\$\w+:meta\]\)\*\s*)?\$\(\s*\$\w+:(?:item|tt)\s*\)\*"
)
"""A macro whose first rule takes anything, items as a rule, and nothing else."""
_ATTRIBUTES = rb"(?:\s|//[^\n]*\n|#!?\[[^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)*\])*"
_ITEM = re.compile(
    _ATTRIBUTES + rb"(?:(?:pub|mod|use|fn|impl|enum|trait|extern|unsafe|async|type|const|macro_rules|cfg_\w+)\b"
    rb"|struct\s+\w+\s*[^\s\w:]|static\s+(?!ref\b))"
)
"""What begins an item; `static ref` and `struct Flags: u32` are ways of writing that only their macros know."""
_PUBLIC = re.compile(rb"pub(?:\([^)]*\))?\s+(?:struct\s+\w+\s*:|static\s+ref\b)")
_BRANCH = re.compile(rb"(?:\s|//[^\n]*\n)*if\s+#\[[^\n]*\]\s*\{")
_STRING = re.compile(rb"(?:[^\"\\]|\\.)*\"", re.DOTALL)
_TOKEN = rb"|/[/*]|\br(?P<hashes>#*)\"|\"|'(?:[^'\\\n]|\\[^\n][^'\n]{0,8})'|[{}]"
_CALL = re.compile(rb"!\s*\{")
"""What stands behind the name of each of them."""
_ANY = re.compile(rb"[^\n]+")


def opened(source: bytes) -> bytes:
    """Return the source with such macros closed before what they give, every byte where it was."""
    if _CALL.search(source) is None:
        return source
    names = b"|".join((_NAMES, *_PASSING.findall(source)))
    call = rb"^[ \t]*(?:\w+::)*(?:" + names + rb")!\s*\{"
    if re.search(call, source, re.MULTILINE) is None:
        return source
    token = re.compile(rb"(?P<call>" + call + rb")" + _TOKEN, re.MULTILINE)
    opening = _Opening(source)
    at = 0
    while (found := token.search(source, at)) is not None:
        at = opening.call(found.end()) if found["call"] else opening.take(found)
        if at < 0:
            break  # what is not closed hides all behind it
    return bytes(opening.result)


class _Opening:
    """The source, and what each brace that is open belongs to."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self.result = bytearray(source)
        self._around: list[tuple[str, int]] = []
        """(macro, choice, branch of it, or other; of a choice where what leads to its next branch begins)"""

    def call(self, end: int) -> int:
        """Open the macro whose brace ends at an offset; return where to go on."""
        branch = _BRANCH.match(self.source, end)
        inside = branch.end() if branch else end
        item = _ITEM.match(self.source, inside)
        kind = "other"
        if item is not None and not _PUBLIC.match(self.source, item.end() - len(b"pub")):
            kind = "choice" if branch else "macro"
            # The call stays one where there is room for it: it is a use of the macro.
            brace = self.source[end - 3 : end]
            if brace == b"! {":
                self.result[end - 3 : end] = b"!{}"
            else:
                self._blank(self.source.rfind(b"\n", 0, end - 1) + 1, end)
        self._around.append((kind, end))
        return end

    def take(self, found: re.Match[bytes]) -> int:
        """Take in any other token; return where to go on, negative where it has no end."""
        word, end = found[0], found.end()
        if word == b"//":
            return self.source.find(b"\n", end)
        if word == b"/*":
            return _behind(self.source.find(b"*/", end), 2)
        if word == b'"':
            text = _STRING.match(self.source, end)
            return text.end() if text else -1
        if found["hashes"] is not None:
            close = b'"' + found["hashes"]
            return _behind(self.source.find(close, end), len(close))
        if word == b"{":
            self._open(end)
        elif word == b"}" and self._around:
            self._close(found.start())
        return end

    def _open(self, end: int) -> None:
        kind, start = self._around[-1] if self._around else ("", 0)
        if kind == "choice":
            self._comment(start, end)
        self._around.append(("branch" if kind == "choice" else "other", end))

    def _close(self, at: int) -> None:
        kind, start = self._around.pop()
        if kind != "other":
            self._blank(start if kind == "choice" else at, at + 1)
        if kind == "branch":
            self._around[-1] = ("choice", at + 1)

    def _comment(self, start: int, end: int) -> None:
        """Make a comment of what leads to a branch: its conditions are no names of the code."""
        said = re.sub(rb"[*!]", b" ", self.source[start:end]).lstrip()
        start = end - len(said)
        if b"\n" in said[:2] + said[-2:] or len(said) < len(b"/**/"):
            self._blank(start, end)
        else:
            self.result[start:end] = b"/*" + said[2:-2] + b"*/"

    def _blank(self, start: int, end: int) -> None:
        self.result[start:end] = _ANY.sub(lambda found: b" " * len(found[0]), bytes(self.result[start:end]))


def _behind(at: int, length: int) -> int:
    return at + length if at >= 0 else -1
