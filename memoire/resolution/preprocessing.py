"""Puts C and C++ into a form that a grammar reads, every byte where it was. Shared by both; pure.

No grammar knows what macros come to, and the branches of a conditional need not be whole statements. So lines of
conditionals are blanked, and all branches read one after the other where each is whole by itself, only the first one
where it is not; what is left out by `#if 0` or is meant for another language is not read. Macros that stand for
attributes are blanked, those of test frameworks made into functions.
"""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from memoire.extract.chains import open_of
from memoire.extract.lines import at_lines, replaced

MAX_NESTED = 40
"""Conditionals nested deeper are not looked into: each level would read all that is inside of it again."""

MAX_UNCLOSED = 64
"""Marks of raw strings that are looked for in vain: each costs a walk to the end."""
MAX_COMMENT = 2_000
"""Bytes behind a directive in which a comment that begins in it may end."""

_LITERALS = re.compile(
    rb'//[^\n]*|/\*.*?(?:\*/|\Z)|R"([^()\s\\]{0,16})\(|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.){1,8}\'',
    re.DOTALL,
)
_DIRECTIVE = re.compile(
    rb"^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b((?:[^\n\\]|\\\r?\n|\\.)*)", re.MULTILINE
)
_ANY_DIRECTIVE = re.compile(rb"^[ \t]*#(?:[^\n\\]|\\\r?\n|\\.)*", re.MULTILINE)
_AT_DIRECTIVE = re.compile(rb"\n[ \t]*+#")
_BRACKETS = re.compile(rb"[(){}\[\]]")
_NEVER = re.compile(rb"^\s*0\s*$")
_TYPE_ATTRIBUTES = tuple(
    re.compile(
        rb"%b(?<=\b%b)%b\s+([A-Z_][A-Z0-9_]*(?:\([^()\n]*\))?)\s+"
        rb"(?=[A-Za-z_]\w*(?:::\w+)*(?:<[^<>{};]{0,200}>)?\s*(?:final\s*)?(?::(?!:)|\{))" % (word, word, more)
    )
    for word, more in ((b"class", b""), (b"struct", b""), (b"union", b""), (b"enum", rb"(?:[ \t]+class)?"))
)
_LEADING_ATTRIBUTE = re.compile(
    rb"^[ \t]*(?:\[\[[^\]\n]*\]\][ \t]*)?(?:(?:extern|static|inline|virtual|explicit|constexpr|friend)[ \t]+){0,4}"
    rb"([A-Z_][A-Z0-9_]{2,}(?:\([^()\n]*\))?)(?=[ \t]+(?:[A-Za-z_][\w:<>,]{0,80}(?:[ \t]+|[ \t]*[*&]+[ \t]*)){1,6}"
    rb"\(?[*&~]?[A-Za-z_][\w:~]{0,120}\)?[ \t]*\()",
    re.MULTILINE,
)
_CALLING = re.compile(
    rb"^((?:\w{1,80}(?:[ \t]+|[ \t]*\*+[ \t]*)){1,6})(__\w{2,40}|[A-Z][A-Z0-9_]{3,40})(?=[ \t]+\w+[ \t]*\()",
    re.MULTILINE,
)
_TRAILING_ATTRIBUTE = re.compile(
    rb"\)\s*((?:[A-Z_][A-Z0-9_]{2,}(?:\([^()\n]*\))?\s*){1,3})(?=[;{=]|:(?!:)|->|override\b|final\b|const\b|noexcept\b)"
)
_ATTRIBUTES = (
    "DEPRECATED", "ATTR", "UNUSED", "USED", "ALIGN", "PRINTF", "NONNULL", "FORMAT", "SECTION", "AVAILABLE",
    "ENUM_VALUE", "GUARDED", "REQUIRES?", "LOCKS?", "ACQUIRED?", "RELEASE", "LIFETIME_BOUND",
)  # fmt: skip
"""What the names of attributes hold that stand behind names."""
_NAME_ATTRIBUTE = re.compile(
    # Begun with a letter, which is sooner found than what stands before it: that is looked at afterwards.
    (
        rf"([A-Z](?<=\s.)(?:[A-Z0-9_]*(?:{'|'.join(_ATTRIBUTES)})"
        rf"|{'|'.join(f'(?<={word[0]}){word[1:]}' for word in _ATTRIBUTES)})"
        r"[A-Z0-9_]*(?:\((?:[^()\n\"]|\"[^\"\n]*\")*\))?)(?=\s*[=,;}\[\w])"
    ).encode()
)
_NAMED = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_*&>")
"""What stands before the space before such an attribute."""
_SPACE = b" \t\r\n\f\v"
_CONSTRUCTOR_ATTRIBUTE = re.compile(
    rb"^[ \t]*([A-Z_][A-Z0-9_]{2,})(?=[ \t]+(?:\w+(?:<[^<>\n]*>)?::)*(\w+)(?:<[^<>\n]*>)?::~?\2[ \t]*\()", re.MULTILINE
)
_EMPTY_DEFAULT = re.compile(rb"(=\s*\{\s*\})(?=\s*[,)])")
_ANYWHERE = re.compile(
    rb"([A-Z](?<=\b.)[A-Z0-9_]*_(?:INLINE|API|EXPORTS?|DECL|NOEXCEPT|CONSTEXPR|FORCEINLINE|NODISCARD|UNUSED|DEPRECATED))\b(?=\s+[A-Za-z_])"
)
_ENUM = re.compile(rb"enum(?<=\benum)\b[^{};()]{0,200}\{[^{}]*\}")
_MADE_CONSTANT = re.compile(
    rb"(?<=[{,])(\s*[A-Z_][A-Z0-9_]*\()\s*[A-Za-z_]\w*(\s*(?:,(?:[^(){}]|\([^(){}]*\))*)?\))(?=\s*[,}])"
)
_INLINE_NAMESPACE = re.compile(rb"\binline\s+namespace\s+(\w+)(?=\s*\{)")
_MODULE = re.compile(
    rb"^[ \t]*((?:(?:export[ \t]+)?(?:module|import)(?:[ \t]+[\w.:]+|[ \t]*:[ \t]*\w+)?[ \t]*;)"
    rb"|export(?=[ \t]+[a-zA-Z{]))",
    re.MULTILINE,
)
_BEFORE_TYPE = re.compile(
    rb"\n[ \t]*+(?:(?:extern|static|inline|virtual|explicit|constexpr|friend|\[\[)[^\n]*?[ \t\]])?[A-Z_][A-Z0-9_]{2}"
)
_BEFORE_CALLED = re.compile(rb"\n\w[\w \t*]*[ \t*](?:__\w\w|[A-Z][A-Z0-9_]{3})")
_EACH = re.compile(rb"\n[ \t]++\w*(?:EACH|each)")
_CAPITALS = re.compile(rb"\n[ \t]*+[A-Z_][A-Z0-9_]{2}")
_AT_MODULE = re.compile(rb"\n[ \t]*+(?:export|module|import)")
"""Signs by which lines are found that attributes, loops, macros and modules may begin: see `at_lines`."""
_VISIBILITY = re.compile(
    rb"(?:API|EXTERN|EXPORTS?|PUBLIC|PRIVATE|INTERNAL|DECL|INLINE|STATIC|NODISCARD|DLL|IMPORT|FUNC|UNUSED|DEPRECATED|HIDDEN"
    rb"|VISIBLE|NORETURN|CONSTEXPR|EXTERN_C|ATTR|WARN_UNUSED_RESULT|ALWAYS_INLINE|FORCEINLINE|NOINLINE|ABI)\b"
)
_STORAGE = frozenset(b"static extern inline const struct union enum volatile register typedef return else case".split())
_LAST_WORD = re.compile(rb"(?:operator\s*\S{1,3}|[\w)>\]]+)\Z")
_STATEMENTS = frozenset(b"if while for switch return sizeof else do case".split())
_STATEMENT = re.compile(
    rb"^[ \t]*([A-Z_][A-Z0-9_]{2,}(?:\((?:[^()\n]|\([^()\n]*\))*\))?)[ \t]*(?=\r?\n|\Z)", re.MULTILINE
)
_TEST = re.compile(
    rb"^[ \t]*((?:[A-Z0-9]+_)?TEST(?:_F|_P|_S|_CASE|_CASE_METHOD|_SUITE)?|TYPED_TEST(?:_P)?|START_TEST|SCENARIO"
    rb"|BOOST_(?:AUTO|FIXTURE|DATA|PARAM)_TEST_CASE|(?:TEMPLATE_|TEMPLATE_PRODUCT_|TEMPLATE_LIST_)?TEST_CASE"
    rb"(?:_TEMPLATE|_FIXTURE|_METHOD)?|MU_TEST|CTEST2?|Test|ParameterizedTest|Theory)"
    rb"[ \t]*\(((?:[^()\"{};]|\"(?:[^\"\\\n]|\\.)*\"|\([^()]*\)){1,600})\)(?=\s*\{)",
    re.MULTILINE,
)
_TEST_SIGNS = (b"TEST", b"Test", b"SCENARIO", b"Theory")
"""One of them stands in all that the next pattern finds."""
_MAY_TEST = re.compile(rb"TEST|\b(?:SCENARIO|Test|ParameterizedTest|Theory)\b")
_SUITES = re.compile(
    rb"^(?:TEST|TEST_F|TEST_P|TYPED_TEST|TYPED_TEST_P|\w+_TEST|CTEST2?|Test|ParameterizedTest|Theory)$"
)
_NO_NAME = re.compile(rb"[^A-Za-z0-9_\s]")
_COMMENTED_DIRECTIVE = re.compile(rb"^([ \t]*)#", re.MULTILINE)
_BLANKED = bytes(byte if bytes([byte]).isspace() else 32 for byte in range(256))
"""A table for `translate`: what is no white space becomes a space."""


_ATTRIBUTE = re.compile(
    rb"__(?<=\b__)(?:unused|maybe_unused|always_unused|user|iomem|rcu|force|must_check|init|exit|initdata|read_mostly|packed"
    rb"|dead|dead2|nonnull|noreturn|cold|hot|pure|deprecated|printflike\([^()\n]*\)|aligned\([^()\n]*\))(?!\w)"
)
_NUMBERED = re.compile(rb"\(\s*\d+(?:\s*,\s*\d+)*\s*\)\s+\*?[A-Za-z_]\w*\s*\(")
_NUMBERED_ATTRIBUTE = re.compile(rb"\b([A-Za-z_]\w*\(\s*\d+(?:\s*,\s*\d+)*\s*\))(?=\s+\*?[A-Za-z_]\w*\s*\()")
_LOOP = re.compile(rb"^[ \t]+(\w*(?:EACH|foreach|for_each)\w*[ \t]*\(([^;{}]{0,400}?)\))(?=\s*\{)", re.MULTILINE)
_TYPE_ARGUMENT = re.compile(rb"\bva_arg\s*\([^(),]*(,[^(),]*)\)")
_END_TEST = re.compile(rb"\}\s*(END_TEST)\b")
_INNER_COMMENT = re.compile(rb"/\*[^\n]*?\*/(?=[ \t]*[^\s/])|/\*(?:[^*\n]|\*(?!/))*\n.*?\*/", re.DOTALL)


class Conditional(NamedTuple):
    """One `#if` that is open."""

    starts: list[int]
    """Where each branch begins."""
    ends: list[int]
    conditions: list[bytes]


def prepare_c(source: bytes) -> bytes:
    """Return C source as its grammar reads it."""
    return _prepare(source, is_cpp=False)


def prepare_cpp(source: bytes) -> bytes:
    """Return C++ source as its grammar reads it."""
    return _prepare(source, is_cpp=True)


def _literals(source: bytes) -> Iterator[tuple[int, int]]:
    """Yield where the comments, strings and characters of a source begin and end; a raw string only if it is closed."""
    at, unclosed = 0, set[bytes]()
    while found := _LITERALS.search(source, at):
        at = found.end()
        if found[1] is None:
            yield found.span()
            continue
        # What is not closed here is closed nowhere behind: each mark is looked for once.
        is_looked_for = found[1] not in unclosed and len(unclosed) < MAX_UNCLOSED
        end = source.find(b")" + found[1] + b'"', at) if is_looked_for else -1
        if end < 0:
            unclosed.add(found[1])
            at = found.start() + 1
        else:
            at = end + len(found[1]) + 2
            yield found.start(), at


def _prepare(source: bytes, *, is_cpp: bool) -> bytes:
    code = bytearray(source)
    literals = list(_literals(source))
    comments = [span for span in literals if source[span[0] : span[0] + 1] == b"/"]
    for start, end in comments:
        if source.find(b"#", start, end) >= 0:
            code[start:end] = _COMMENTED_DIRECTIVE.sub(rb"\1 ", source[start:end])
    _flatten(code, _without(code, literals), _without(code, comments), is_cpp=is_cpp)
    plain = _without(code, literals)
    for found in at_lines(_ANY_DIRECTIVE, _AT_DIRECTIVE, plain):
        # A comment inside a macro ends it for the grammar.
        at = found.start()
        while comment := _INNER_COMMENT.search(code, at, found.end() + MAX_COMMENT):
            if comment.start() >= found.end():
                break
            at = comment.end()
            _erase(code, comment.start(), at)
    without = bytearray(replaced(at_lines(_ANY_DIRECTIVE, _AT_DIRECTIVE, plain), _blank, plain))
    if any(sign in plain for sign in _TEST_SIGNS) and _MAY_TEST.search(plain):
        for found in _TEST.finditer(_without(code, comments)):
            if without[found.start(1)] == code[found.start(1)]:
                _make_function(code, found)
                _erase(without, found.start(), found.end())
    _blank_macros(code, without, is_cpp=is_cpp)
    return bytes(code)


def _without(code: bytearray, spans: list[tuple[int, int]]) -> bytes:
    """Return the code with some spans, sorted and apart, blanked."""
    text = bytes(code)
    pieces: list[bytes] = []
    at = 0
    for start, end in spans:
        pieces += (text[at:start], text[start:end].translate(_BLANKED))
        at = end
    return b"".join([*pieces, text[at:]])


def _blank(found: re.Match[bytes]) -> bytes:
    return found[0].translate(_BLANKED)


def _erase(code: bytearray, start: int, end: int) -> None:
    is_line = code.find(b"\n", start, end) < 0
    code[start:end] = b" " * (end - start) if is_line else code[start:end].translate(_BLANKED)


# ---- conditionals


def _flatten(code: bytearray, plain: bytes, said: bytes, *, is_cpp: bool) -> None:
    """Blank the lines of conditionals, and the branches that cannot be read.

    Args:
        code: What is blanked.
        plain: It without comments and literals.
        said: It without comments: one that begins behind a condition may go on in the next line.
        is_cpp: Whether it is C++.
    """
    stack: list[Conditional] = []
    guard = True
    for found in at_lines(_DIRECTIVE, _AT_DIRECTIVE, plain):
        word = found[1]
        if word.startswith(b"if"):
            stack.append(Conditional([found.end()], [], [word + b" " + found[2]]))
            if guard and word == b"ifndef" and not plain[: found.start()].strip():
                _blank_guard(code, plain, found)
            guard = False
        elif stack:
            stack[-1].ends.append(found.start())
            if word == b"endif":
                done = stack.pop()
                if len(stack) < MAX_NESTED:
                    _settle(code, done, is_cpp=is_cpp)
            else:
                stack[-1].starts.append(found.end())
                stack[-1].conditions.append(word + b" " + found[2])
        for at in range(found.start(), found.end()):
            if said[at : at + 1] not in b" \t\r\n":
                code[at : at + 1] = b" "


def _blank_guard(code: bytearray, plain: bytes, found: re.Match[bytes]) -> None:
    """Blank the macro that keeps a header from being read twice: it is no name of the project."""
    name = found[2].strip()
    following = _ANY_DIRECTIVE.match(plain, found.end() + 1)
    if following and following[0].split() in ([b"#define", name], [b"#", b"define", name]):
        _erase(code, following.start(), following.end())


def _settle(code: bytearray, conditional: Conditional, *, is_cpp: bool) -> None:
    branches = list(zip(conditional.starts, conditional.ends, conditional.conditions, strict=False))
    kept: list[tuple[int, int]] = []
    for index, (start, end, condition) in enumerate(branches):
        if _is_left_out(condition, branches[0][2] if index else b"", is_cpp=is_cpp):
            _erase(code, start, end)
        else:
            kept.append((start, end))
    if len(kept) > 1 and not all(_is_whole(bytes(code[start:end])) for start, end in kept):
        for start, end in kept[1:]:
            _erase(code, start, end)


def _is_left_out(condition: bytes, first: bytes, *, is_cpp: bool) -> bool:
    """Return whether a branch is never compiled, or not in this language."""
    word, _, rest = condition.partition(b" ")
    if word in {b"if", b"elif"} and _NEVER.match(rest):
        return True
    if is_cpp:
        return (word == b"ifndef" and rest.strip() == b"__cplusplus") or (
            word == b"else" and first.startswith(b"ifdef") and first[6:].strip() == b"__cplusplus"
        )
    if word == b"else":
        return first.startswith(b"ifndef") and first[7:].strip() == b"__cplusplus"
    return word in {b"ifdef", b"if"} and bool(re.match(rb"\s*\(?(?:defined\s*\(?\s*)?__cplusplus\b", rest))


def _is_whole(branch: bytes) -> bool:
    """Return whether a branch is balanced and ends where a statement does."""
    pieces, at = [], 0
    for start, end in _literals(branch):
        pieces.append(branch[at:start])
        at = end
    text = _ANY_DIRECTIVE.sub(b"", b" ".join((*pieces, branch[at:]))).strip()
    if text and text[-1:] not in b";}:":
        return False
    depth = 0
    for found in _BRACKETS.finditer(text):
        depth += 1 if found[0] in b"({[" else -1
        if depth < 0:
            return False
    return not depth


# ---- macros


Meant = Callable[[re.Match[bytes]], object]
"""Whether a place that a pattern finds is what it looks for."""


def _always(_found: re.Match[bytes]) -> bool:
    return True


def _blank_macros(code: bytearray, text: bytearray, *, is_cpp: bool) -> None:
    """Blank what stands for attributes, and for whole statements without a semicolon."""
    if is_cpp:
        for found in list(_INLINE_NAMESPACE.finditer(text)):
            # It passes all its names on to the namespace around: one that queries know to be none of its own.
            for written in (code, text):
                written[found.start(1) : found.end(1)] = b"_".ljust(found.end(1) - found.start(1))
        _blank_found(code, text, (_MODULE, 1, _always), _AT_MODULE)
        _blank_found(code, text, (_CONSTRUCTOR_ATTRIBUTE, 1, _always), _CAPITALS)
        _blank_found(code, text, (_EMPTY_DEFAULT, 1, _always))
    _name_constants(code, text)
    _blank_found(code, text, (_ANYWHERE, 1, _always))
    for pattern in _TYPE_ATTRIBUTES:
        _blank_found(code, text, (pattern, 1, _always))
    _blank_found(code, text, (_LEADING_ATTRIBUTE, 1, lambda found: _VISIBILITY.search(found[1])), _BEFORE_TYPE)
    _blank_found(code, text, (_CALLING, 2, _has_type), _BEFORE_CALLED)
    _blank_found(code, text, (_TRAILING_ATTRIBUTE, 1, _closes_parameters))
    _blank_found(code, text, (_LEADING_ATTRIBUTE, 1, _always), _BEFORE_TYPE)
    _blank_found(code, text, (_NAME_ATTRIBUTE, 1, _follows_name))
    if _NUMBERED.search(text):
        _blank_found(code, text, (_NUMBERED_ATTRIBUTE, 1, _always))
    for sign, pattern in ((b"va_arg", _TYPE_ARGUMENT), (b"END_TEST", _END_TEST)):
        if sign in text:
            _blank_found(code, text, (pattern, 1, _always))
    if b"__" in text:
        _blank_found(code, text, (_ATTRIBUTE, 0, _always))
    _blank_found(code, text, (_LOOP, 1, lambda found: found[2].count(b"(") == found[2].count(b")")), _EACH)
    alone = (_STATEMENT, 1, lambda found: _stands_alone(found.string, found, is_cpp=is_cpp))
    _blank_found(code, text, alone, _CAPITALS)


def _name_constants(code: bytearray, text: bytearray) -> None:
    """Leave of `OPTION(NAME, 3),` in an enum the first argument: which constant it makes, only that can say."""
    for enum in list(_ENUM.finditer(text)):
        for found in list(_MADE_CONSTANT.finditer(text, enum.start(), enum.end())):
            _erase_both(code, text, found.span(1))
            _erase_both(code, text, found.span(2))


def _blank_found(
    code: bytearray,
    text: bytearray,
    what: tuple[re.Pattern[bytes], int, Meant],
    sign: re.Pattern[bytes] | None = None,
) -> None:
    """Blank a group of a pattern wherever it is found and meant; by a sign where it begins with a line."""
    pattern, group, is_meant = what
    read = bytes(text)
    for found in pattern.finditer(read) if sign is None else at_lines(pattern, sign, read):
        if is_meant(found):
            _erase_both(code, text, found.span(group))


def _erase_both(code: bytearray, text: bytearray, span: tuple[int, int]) -> None:
    _erase(code, *span)
    _erase(text, *span)


def _closes_parameters(found: re.Match[bytes]) -> bool:
    """Return whether the parenthesis before a macro closes parameters: a cast has no name before it."""
    before = found.string[: open_of(found.string, found.start())].rstrip()[-80:]
    word = _LAST_WORD.search(before)
    return word is not None and word[0] not in _STATEMENTS


def _follows_name(found: re.Match[bytes]) -> bool:
    """Return whether a name, or a pointer to it, stands before an attribute and the space before that."""
    text, at = found.string, found.start(1) - 1
    while at >= 0 and text[at] in _SPACE:
        at -= 1
    return at >= 0 and text[at] in _NAMED


def _has_type(found: re.Match[bytes]) -> bool:
    """Return whether a type stands before the macro, so that it is none itself."""
    words = found[1].replace(b"*", b" * ").split()
    return bool(words) and words[-1] not in _STORAGE and any(word not in _STORAGE for word in words)


def _stands_alone(text: bytes, found: re.Match[bytes], *, is_cpp: bool) -> bool:
    """Return whether a macro alone on its line is a statement: no last constant of an enum, no operand."""
    before = text[max(0, found.start() - 2000) : found.start()].rstrip()[-1:]
    after = text[found.end() : found.end() + 2000].lstrip()[:1]
    if before not in {b"", b";", b"}", b"{", b":", b")"} or (before == b":" and not is_cpp) or after in b",=)?|&+{;":
        return False
    return not (before in b"{" and after == b"}") and not (before == b")" and found[0][-1:] != b")")


def _make_function(code: bytearray, found: re.Match[bytes]) -> None:
    """Make a test into a function of type `_` whose parameters are its suite and its name.

    `TEST(Pool, Grows)` becomes `_ ST(Pool, Grows)`, `TEST_CASE("grows", "[a]")` becomes `_ ST_CASE(_grows_     )`.
    """
    macro, start = found[1], found.start(1)
    code[start : start + 2] = b"_ "
    parts = list(re.finditer(rb'\s*("(?:[^"\\]|\\.)*"|(?:[^,()"]|\([^()]*\))+)\s*(?:,|$)', found[2]))
    offset = found.start(2)
    strings = [part for part in parts if part[1].startswith(b'"')]
    if strings:
        wanted = strings[:1]
    elif _SUITES.match(macro) and len(parts) == 2:
        wanted = parts
    else:
        wanted = parts[:1]
    inside = bytearray(found[2].translate(_BLANKED))
    for index, part in enumerate(wanted):
        name = _NO_NAME.sub(b"_", part[1].rstrip()).replace(b" ", b"_").replace(b"\t", b"_")
        inside[part.start(1) : part.start(1) + len(name)] = name
        if index + 1 < len(wanted):
            inside[part.end() - 1 : part.end()] = b","
    code[offset : offset + len(inside)] = inside
