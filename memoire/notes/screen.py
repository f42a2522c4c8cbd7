"""Refuses texts that must not become notes: secrets, orders to an assistant, markup that hides or runs something. Pure.

A note is read by every later session, so what stands in it must be what it seems. It is screened when it is written,
and again when it is read from the journal: that may have come by a merge, from anybody.
"""

import re
import unicodedata

from memoire.episodes.redact import redact
from memoire.errors import InjectionRefusedError, MemoryRefusedError, SecretRefusedError

_UNSEEN = frozenset(("Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"))
"""Unicode categories of what is not seen, or moves what is."""
_SEEN = frozenset("\n\t\u200d\ufe0f")
"""Of those, what texts are made of: lines, tabs, the joiners of emoji."""
_CODE = re.compile(r"^(```|~~~).*?^\1[^\n]*$|`[^`\n]+`", re.MULTILINE | re.DOTALL)
_MARKUP = re.compile(
    r"<!--|<!\[CDATA|</?(?:a|base|body|button|embed|form|frame|frameset|head|html|iframe|img|input|link|marquee|meta"
    r"|object|script|style|svg|template|textarea|video|audio|memoire[\w:-]*|system[\w-]*|context)\b[^>]*>?"
    r"|\bjavascript:|\bdata:text/html",
    re.IGNORECASE,
)
_VERBS = r"(?:ignore|disregard|forget|override|bypass|discard|neglect)"
_ORDER = re.compile(
    rf"\b{_VERBS}\s+(?:\w+\s+){{0,3}}(?:instructions?|prompts?|guidelines?|system messages?|safety)\b"
    rf"|\b{_VERBS}\s+(?:all|any|everything|the|your|my|these|those|previous|prior|above|preceding|earlier)\s+"
    r"(?:previous|prior|above|preceding|earlier|of\s+the\s+above)\b"
    r"|\b(?:new|updated|real|actual)\s+(?:system\s+)?instructions?\s*:"
    r"|\bsystem\s+(?:prompt|message|reminder|override)\s*:"
    r"|\byou\s+are\s+now\s+(?:a|an|in|the|no)\b"
    r"|\b(?:do\s+not|don't|never)\s+(?:tell|inform|mention|show|warn|ask)\s+(?:\w+\s+)?(?:the\s+)?(?:user|human|developer)\b"
    r"|\b(?:send|upload|post|exfiltrate|e?mail|curl|wget)\b[^.\n]{0,80}(?:\b(?:secrets?|credentials?|passwords?|tokens?"
    r"|api\s?keys?|private\s+keys?|env(?:ironment)?\s+variables?)|\.env)\b[^\n]{0,100}(?:https?://|[\w+-]@[\w-]+\.\w)"
    r"|\b(?:curl|wget)\b[^\n]{0,200}\|\s*(?:ba|z|da)?sh\b"
    r"|^\s*(?:human|assistant|system|user)\s*:\s"
    r"|\bjailbreak\b|\bDAN mode\b",
    re.IGNORECASE | re.MULTILINE,
)


def refusal(text: str, what: str = "the text") -> MemoryRefusedError | None:
    """Return why a text must not become a note, or be shown as one, without quoting a secret; None where it may."""
    for place, letter in enumerate(text):
        if not letter.isprintable() and letter not in _SEEN and unicodedata.category(letter) in _UNSEEN:
            return MemoryRefusedError(f"{what} holds the invisible character U+{ord(letter):04X}{_at(text, place)}")
    masked = redact(text)
    if masked != text:
        place = next((at for at, (old, new) in enumerate(zip(text, masked, strict=False)) if old != new), len(masked))
        return SecretRefusedError(f"{what} holds what looks like a secret{_at(text, place)}")
    prose = _CODE.sub(lambda code: re.sub(r"[^\n]", " ", code[0]), text)
    if found := _MARKUP.search(prose):
        return MemoryRefusedError(f"{what} holds markup that is not shown as written{_at(text, found.start())}")
    if found := _ORDER.search(unicodedata.normalize("NFKC", text)):
        return InjectionRefusedError(f"{what} reads like an order to an assistant: {found[0].strip()[:60]!r}")
    return None


def _at(text: str, place: int) -> str:
    return f", line {text.count(chr(10), 0, place) + 1}"
