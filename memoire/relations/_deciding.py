"""Knows which sentences of a specification decide something about what they name, and which merely name it.

A sentence decides about a thing where the thing is what the sentence rules: the subject of a duty (`X` must …), the
object of a change (add `X`, move it into `X`, `X` is replaced), or, where the heading says that decisions follow, the
subject of what holds (`X` stores …). What a page gives as background, alternative, consequence or reference decides
nothing, nor does a page that was rejected or replaced.
"""

import re
from collections.abc import Sequence
from posixpath import basename

from memoire.model import Definition, FileFacts, Mention

_ASIDE = re.compile(
    r"\b(?:context|background|motivation|rationale|problems?|history|status|as[- ]is|current(?:ly)?|existing|today|"
    r"alternatives?|rejected|considered|options?|references?|links?|related|see also|reading|resources|consequences?|"
    r"implications?|positives?|negatives?|neutral|pros|cons|advantages|disadvantages|benefits|trade-?offs?|drawbacks|"
    r"limitations|risks|discussion|questions?|examples?|usage|change ?log|change history|appendix|glossary|"
    r"terminology|non-?goals|out of scope|future|prior art|credits|notes?|faq|acknowledge?ments?|comments|testing|"
    r"tests?|test cases|test vectors|deprecated)\b",
    re.IGNORECASE,
)
"""Headings of sections that tell about a decision without making it. Source: the templates of Nygard, MADR, Cosmos,
Rust's RFCs and Kubernetes' KEPs."""
_DECIDING = re.compile(
    r"\b(?:decisions?|decided|requirements?|specifications?|proposals?|proposed|solutions?|designs?|interfaces?|"
    r"rules|invariants?|contracts?|outcome)\b",
    re.IGNORECASE,
)
"""Headings of sections that make it."""
_AND_DECISION = re.compile(r"(?:\band|&|/)\s*(?:the )?decisions?\b", re.IGNORECASE)
_OF_THE_DAY = re.compile(
    r"\b(?:currently|previously|at the moment|at present|nowadays|today|already|historically|formerly|used to|"
    r"for example|for instance|e\.g\.|such as|alternatively|optionally|could|might|would|rejected|if we|was|were|"
    r"examples?|not part of|out of scope|note that|recall|see)\b",
    re.IGNORECASE,
)
"""Words of sentences that tell how things are, were or might be."""
_DUTY = r"(?:must|shall|should|will|needs? to|ha(?:s|ve) to|is to|are to|(?:may|can) (?:only|not)|cannot)"
_NOUN = (
    r"(?:(?:(?:class|method|function|module|model|component|interface|struct|structure|type|field|service|handler|"
    r"package|file|endpoint|controller|object|table|keeper|message|hook|extension|attribute|property|column|value|"
    r"record)s?|(?:and|or)\s+(?:the\s+)?`[^`]+`|`[^`]+`),?)"
)
_TAIL = (
    rf"[`'\"*]*(?:'s)?,?(?:\s+{_NOUN}){{0,4}}(?:\s+(?:in|of)\s+[`'\"]?[\w./:-]*\w[`'\"]*)?"
    r"\s+(?:(?:also|then|now|itself|themselves)\s+)?"
)
"""What may follow a name before its verb: "`Pathway`'s `status` attribute", "`A` and `B`", "`A` in `a.py`"."""
_RUN = (
    r"(?:called|used|invoked|passed|needed|employed|consulted|read|queried|executed|run|given|referenced|created|"
    r"instantiated|returned|sent|emitted|kept|stored|present|available|implemented|as is)\b"
)
"""What happens to a thing while the program runs: that rules who does it."""
_MADE = (
    r"(?:introduced|added|removed|defined|replaced|renamed|moved|changed|extended|deprecated|deleted|dropped|extracted|"
    r"refactored|split|merged|modified|updated|rewritten)\b"
)
_MAKE = (
    r"(?:introduce|add|create|define|implement|extend|modify|change|update|rename|replace|remove|drop|delete|"
    r"deprecate|move|extract|split|merge|refactor|rewrite|expose|adopt|convert|keep|store|put|make)\b"
)
_MAKER = (
    r"(?:(?:^[^\w`]*(?:\d+[.)]\s*)?|\bwe\s+|\b(?:we|this|it)\s+(?:will|must|shall|should|"
    rf"(?:decided|propose|need|have|are going)\s+to)\s+(?:also\s+|then\s+)?){_MAKE}"
    r"|\bwe\s+are\s+(?:now\s+)?(?:introduc|add|creat|defin|implement|extend|modify|chang|updat|renam|replac|remov|"
    r"dropp|delet|deprecat|mov|extract|splitt|merg|refactor|rewrit|expos|adopt|convert)ing)"
)
"""Who changes the program: an imperative, or those who write the page. What else adds something does so as it runs."""
_HOLDS = (
    r"(?:(?:is|are) (?:an?|the|one|not|only|always|never|responsible|immutable|mutable|unique|required|optional|"
    r"as follows|defined as|based on|identified by)|(?:(?:which|that) |to )?represents?|has|have|holds?|stores?|"
    r"contains?|returns?|takes?|accepts?|defines?|provides?|handles?|manages?|implements?|extends?|validates?|checks?|"
    r"tracks?|keeps?|includes?|supports?|exposes?|maintains?|sends?|performs?|verif(?:ies|y)|owns?|receives?|emits?|"
    r"converts?|maps?|inherits?|(?!(?:this|its|as|was|does|across|versus|plus|less|thus|perhaps)\b)[a-z]{2,}s"
    r"(?!\s+(?:are|were|have|do|that|which|of|and|or|in|for|to|must|should|will|can|may)\b))\b"
)
_OWN_TAIL = re.compile(rf"{_TAIL}{_DUTY}\s+(?!(?:\w+\s+)?be\s+(?:\w+ly\s+)?{_RUN})", re.IGNORECASE)
_MADE_TAIL = re.compile(rf"{_TAIL}(?:is|are)\s+(?:now\s+)?{_MADE}", re.IGNORECASE)
_HOLDING_TAIL = re.compile(rf"{_TAIL}{_HOLDS}(?!\s+(?:\w+\s+)?{_RUN})", re.IGNORECASE)
_PREPOSITIONS = r"that|which|who|by|using|uses|for|when|if|so|because|before|after|via|like|than|as|to be"
_OBJECT = re.compile(
    rf"{_MAKER}(?:\s+(?!(?:{_PREPOSITIONS}|with|from|of|to|in)\b)[\w`'./()-]+,?){{0,6}}\s+[`*(\[\"]*$", re.IGNORECASE
)
_PLACE = re.compile(
    rf"{_MAKER}(?:\s+(?!(?:{_PREPOSITIONS})\b)[^\s,;:]+){{1,8}}\s+(?:in|into|to|on|onto|from|within|inside|with)\s+"
    r"(?:(?:the|a|an|our|its|their|new|existing)\s+){0,2}[`*(\[\"]*$",
    re.IGNORECASE,
)
_NEW = re.compile(
    rf"\b(?:an?|the|two|three)\s+new\s+(?:\w+\s+){{0,2}}?{_NOUN}\s*,?\s*(?:(?:called|named)\s+)?[`*(\"]*$",
    re.IGNORECASE,
)
_CALLED = re.compile(rf"{_MAKER}\s[^;:]*\s(?:called|named)\s+[`*\"]*$", re.IGNORECASE)
_ABOUT = re.compile(
    r"(?:How|What)\s+(?:the\s+)?[`'\"]*$|(?:^|\bthis\s+(?:page|document|spec(?:ification)?)\s+|\bit\s+)"
    r"(?:specifies|defines|describes|says|tells)\s+(?:how|what)\s+(?:the\s+)?[`'\"]*$",
    re.IGNORECASE,
)
"""What stands before the one thing that a whole page is about, in the words below its title."""
_NEW_NAME = re.compile(r"(?:→|->|=>)\s*[`*]*$")
_SEPARATORS = re.compile(r"\.|::|#")
_WORDS = re.compile(r"\w+\W+\w+\W+\w")
_CLOSED = re.compile(
    r"(?<!partially )(?<!partly )\b(?:rejected|deprecated|superseded|superceded|withdrawn|declined|obsoleted?|"
    r"abandoned|retired|replaced by|cancelled|reverted|not (?:yet )?implemented)\b(?! in part)",
    re.IGNORECASE,
)
"""What a status says of a decision that binds nothing. Source: the statuses of the templates above."""


def is_in_force(facts: FileFacts) -> bool:
    """Return whether a document is one that still decides, as far as it says."""
    return _CLOSED.search(facts.status) is None


def decides(facts: FileFacts, mention: Mention) -> bool:
    """Return whether the sentence of a mention decides something about what it names.

    Args:
        facts: The document that holds it.
        mention: One in prose; an example decides nothing.
    """
    sentence = mention.sentence
    weight = _weight(facts.definitions, mention.scope)
    if not sentence or weight < 0 or _OF_THE_DAY.search(sentence):
        return False
    name = r"(?:\.|::|#)".join(map(re.escape, _SEPARATORS.split(_as_written(mention))))
    places = [*re.finditer(rf"(?<![\w./]){name}(?![\w/])", sentence)]
    if mention.scope == 0 and mention.kind in {"path", "link"}:
        # Below the title a page says what it is about: what it says there of one file, the file has to be.
        weight = 1
        if any(_ABOUT.search(sentence[: match.start()]) for match in places):
            return True
    return _is_ruled(sentence, places, weight)


def _is_ruled(sentence: str, places: Sequence[re.Match[str]], weight: int) -> bool:
    return any(_rules(sentence[: match.start()], sentence[match.end() :], is_decision=weight > 0) for match in places)


def _as_written(mention: Mention) -> str:
    """Return how a sentence without markup shows what a mention names: of a link, the name of the file."""
    return basename(mention.text) if mention.kind == "link" else mention.text


def _rules(before: str, after: str, *, is_decision: bool) -> bool:
    """Return whether what stands between these parts of a sentence is what it rules."""
    if before.count("(") > before.count(")"):
        return False  # an aside
    after = after.removeprefix("()")
    if _OWN_TAIL.match(after) or any(each.search(before) for each in (_OBJECT, _PLACE, _NEW, _CALLED)):
        return True
    if not is_decision:
        return False
    is_first = _WORDS.search(before) is None
    held = is_first and _HOLDING_TAIL.match(after) is not None
    return held or _MADE_TAIL.match(after) is not None or _NEW_NAME.search(before) is not None


def _weight(sections: Sequence[Definition], scope: int) -> int:
    """Return 1 for a section that makes decisions, -1 for one that only tells about them, 0 for one that says neither.

    The nearest heading that tells decides; that of the whole page, which names what it is about, does not.
    """
    while scope >= 0:
        section = sections[scope]
        heading = section.name.rpartition(" > ")[2]
        is_title = scope == 0 and section.parent < 0
        if not is_title and _ASIDE.search(heading) and not _AND_DECISION.search(heading):
            return -1
        if not is_title and _DECIDING.search(heading):
            return 1
        scope = section.parent
    return 0
