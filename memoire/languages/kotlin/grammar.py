"""Ways round what the grammar of Kotlin lacks: what it reads in place of the source."""

import re

from memoire.extract.lines import at_lines, replaced

_ONE_LINE = re.compile(
    rb"^(?=[^\n]{1,400}$)[^\n\"'/]*\b(?:class|interface|object)\b[^\n\"'/]*\}[^\n\"'/]*(?://[^\n]*)?$", re.MULTILINE
)
"""No longer lines: the time of a search grows with the square of their length."""
_IN_ONE_LINE = re.compile(rb"(?:class|interface|object)\b[^\n]*\}")
"""What stands in such a line."""
_CLOSING = re.compile(rb"(?<=[^\s{;,>]) (?=\})")
_ANNOTATED = re.compile(
    rb"(?:^[ \t]*@[\w.:]++(?:\((?:[^()]++|\([^()]*+\))*+\))?[ \t]*\n)+"
    rb"(?=[ \t]*(?:(?:(?:annotation|enum)[ ]+class|const[ ]+val)\b|[gs]et\())",
    re.MULTILINE,
)
_AT_ANNOTATION = re.compile(rb"\n[ \t]*+@")
_ANNOTATED_ACCESS = re.compile(rb"@\w+[ ](?=[gs]et\()")
_BLANKED = bytes(byte if byte == 10 else 32 for byte in range(256))
"""A table for `translate`: all but the ends of lines becomes a space."""
_SOFT = re.compile(
    rb"\b(?:(?:abstract|crossinline|external|final|infix|inline|internal|lateinit|noinline|open|override|private|"
    rb"protected|public|sealed|tailrec|vararg|dynamic)(?=\(|\??\.|[ ]*=[^=]|[ ]*\{)|"
    rb"(?<=[\w)\]}\"][ ])(?:get|set)(?=[ ][\w(\"])|where\b(?![ \n]+\w+\s*:))"
)
"""Words that are keywords in some places only, in the others."""
_IS = re.compile(rb"is[ ]")
_GUARDED = re.compile(rb"^[ \t]*!?is[ ][\w.<>*, ?]+[ ]if\b[^{}]{0,400}?->", re.MULTILINE)
_GUARD = re.compile(rb"(?<=[\w>?*])[ ]if\b.*", re.DOTALL)
_DOLLARS = re.compile(rb'(?<![\w$"])(?:\$\$+(?=""")|\$\$+"(?!"")(?:[^"\\\n]|\\.)*")')
_DOLLAR = re.compile(rb"(?<!\$)\$(?!\$)|\A\$+")


def _blank(found: re.Match[bytes]) -> bytes:
    return found[0].translate(_BLANKED)


def _without_guard(branch: re.Match[bytes]) -> bytes:
    return _GUARD.sub(_blank, branch[0][:-2]) + branch[0][-2:]


def prepare(source: bytes) -> bytes:
    """Return the source as the grammar understands it; no offset changes.

    The grammar wants the last member of a class to end with its line: a semicolon stands before each brace that ends a
    class in the line it began in. Behind an annotation it takes `enum class A` for a call of `class`: the annotation
    is blanked. Words that are keywords in some places only are written as no keyword is in the others. Guards of `when`
    and dollars before a string are newer than the grammar: they are blanked, and so is each dollar alone in that.
    """
    source = _SOFT.sub(lambda word: word[0].title(), source)
    source = replaced(at_lines(_GUARDED, _IS, source), _without_guard, source) if b"if" in source else source
    source = _DOLLARS.sub(lambda text: _DOLLAR.sub(_blank, text[0]), source) if b"$$" in source else source
    source = replaced(at_lines(_ONE_LINE, _IN_ONE_LINE, source), lambda line: _CLOSING.sub(b";", line[0]), source)
    source = replaced(at_lines(_ANNOTATED, _AT_ANNOTATION, source), _blank, source)
    return _ANNOTATED_ACCESS.sub(_blank, source)
