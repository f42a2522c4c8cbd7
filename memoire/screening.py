"""Makes names from a project fit to be put before an assistant unasked: they are data, and must read as such. Pure.

A repository may be a stranger's, and a file may be called anything: a line of its own, the end of the block it stands
in, or an order. What cannot be a name is replaced, and a name that reads like an order is withheld.
"""

import re
import unicodedata
from collections.abc import Iterable

from memoire.budget import clip_middle

NAME_CHARS = 140
"""A longer name is shown without its middle."""

WITHHELD = "[name withheld: it reads like an instruction]"

_UNFIT = frozenset("<>`\"'\\")
_MARKS = frozenset(("Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"))
"""Unicode categories of what is not seen, or moves what is: control, format (bidirectional marks among them)."""

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_]+")
_SENTENCE_WORDS = 9
"""A name of so many words with spaces between is a sentence."""

_VERBS = r"(?:ignore|disregard|forget|override|bypass|discard|neglect|skip)"
_WHAT = r"(?:instructions?|prompts?|guidelines?|directions?|orders?|policies|policy|safety|restrictions?|constraints?)"
_WHICH = r"(?:previous|prior|above|preceding|earlier|everything|all|any|the|your|my|these|those|system|safety)"
_ORDER = re.compile(
    rf"\b{_VERBS} (?:\w+ ){{0,3}}{_WHAT}\b"
    rf"|\b{_VERBS} (?:{_WHICH} )+(?:previous|prior|above|preceding|earlier|rules?|context|messages?|text)\b"
    r"|\b(?:new|updated|real|actual|following) (?:system )?instructions?\b"
    r"|\bsystem (?:prompt|message|reminder|override)\b"
    r"|\byou (?:must|should|are now|will now|have to|need to|shall)\b"
    r"|\b(?:do not|don t|never) (?:tell|inform|mention|show|warn|ask) (?:the )?(?:user|anyone|human|developer)\b"
    r"|\b(?:run|execute|curl|wget|send|upload|post|email|delete|exfiltrate) (?:\w+ ){0,4}"
    r"(?:http|https|secrets?|credentials?|passwords?|tokens? to|ssh|env to|command below|this command)\b"
    r"|\b(?:human|assistant|user|system) (?:says?|asks?|wants? you|instructs?)\b"
    r"|\bas an? (?:ai|assistant|language model)\b|\bmemoire context\b|\bjailbreak\b"
)


def screen(name: str, *, limit: int = NAME_CHARS) -> str:
    """Return a path or the name of a definition as it may be shown; `WITHHELD` for one that reads like an order.

    Never empty, one line, without quotes, backticks and angle brackets, at most `limit` characters.
    """
    folded = unicodedata.normalize("NFKC", name[:4096])
    words = [word.lower() for word in _WORD.findall(folded)]
    spaces = sum(letter.isspace() for letter in folded.strip())
    if _ORDER.search(" ".join(words)) or (spaces >= _SENTENCE_WORDS - 1 and len(words) >= _SENTENCE_WORDS):
        return WITHHELD
    shown = "".join("?" if letter in _UNFIT or unicodedata.category(letter) in _MARKS else letter for letter in name)
    return clip_middle(" ".join(shown.split()) or "?", limit)


def screen_all(names: Iterable[str]) -> list[str]:
    """Return each name as it may be shown."""
    return [screen(name) for name in names]
