"""What C and C++ share beside their includes: how one is told from the other, and where their tests are. Pure."""

import re
from pathlib import Path
from posixpath import basename

from memoire.model import FileFacts, Import, Target
from memoire.resolution.includes import include_target
from memoire.tree import Tree

LIBC = str(Path(__file__).parent / "libc.toml")
"""What the functions of C libraries do: `effects.load_effects`."""

_CODE = re.compile(r"\.(?:c|cc|cpp|cxx|c\+\+|m|mm|h|hh|hpp|hxx|cu)$", re.IGNORECASE)
_TEST_NAME = re.compile(
    r"^tests?[_-]|[_-](?:unit)?tests?\.|^unittest|^tests?\.|(?<=[a-z0-9])Tests?\.|\.(?:test|spec)\."
)
_TEST_FOLDERS = frozenset({"test", "tests", "unittest", "unittests", "testing", "testsuite", "gtest_tests", "t"})
_NO_TESTS = re.compile(
    r"^(?:.*[_-])?(?:mocks?|stubs?|fakes?|helpers?|utils?|util|fixtures?|support|main|common|data)(?:[_-].*)?$"
)
_SIGNS = re.compile(
    rb"^[ \t]*(?:template[ \t]*<|namespace\b[\w \t:]*(?:\{|$)|class[ \t]+\w|using[ \t]+(?:namespace[ \t]+)?\w+"
    rb"|(?:public|private|protected)[ \t]*(?:\w+[ \t]*)?:|extern[ \t]+\"C\+\+\")"
    rb"|\bstd::\w|\w::~?\w+[ \t]*\(|\boperator[ \t]*[=<>+\-*&|!\[(]"
    rb"|^[ \t]*#[ \t]*include[ \t]*"
    rb"<(?:string|vector|memory|map|cstdint|cstddef|iostream|functional|utility|type_traits)>",
    re.MULTILINE,
)
_NO_CODE = re.compile(rb'//[^\n]*|/\*.*?(?:\*/|\Z)|"(?:[^"\\\n]|\\.)*"', re.DOTALL)
_ONLY_CPP = re.compile(
    rb"^[ \t]*#[ \t]*(?:ifdef|if[ \t]+(?:defined[ \t(]*)?)[ \t]*__cplusplus\b.*?^[ \t]*#[ \t]*(?:endif|else|elif)",
    re.MULTILINE | re.DOTALL,
)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


C_WORDS = _words(
    "auto break case char const continue default do double else enum extern float for goto if inline int long register "
    "restrict return short signed sizeof static struct switch typedef union unsigned void volatile while _Alignas "
    "_Alignof _Atomic _Bool _Complex _Generic _Imaginary _Noreturn _Static_assert _Thread_local _BitInt alignas "
    "alignof "
    "bool constexpr false nullptr static_assert thread_local true typeof typeof_unqual defined NULL EOF size_t ssize_t "
    "ptrdiff_t wchar_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t intmax_t "
    "uintmax_t va_list FILE __cplusplus "
    "__FILE__ __LINE__ __func__ __FUNCTION__ __DATE__ __TIME__ __STDC__ "
    "__STDC_VERSION__ __VA_ARGS__ __VA_OPT__ __attribute__ __has_include __has_attribute __has_builtin __inline "
    "__inline__ __restrict __restrict__ __asm__ __asm asm __volatile__ __extension__ __typeof__ __declspec __cdecl "
    "__stdcall __GNUC__ __clang__ _MSC_VER _WIN32 __linux__ __APPLE__ NDEBUG"
)
"""Keywords, and the names of the standard library that no project gives another meaning."""
CPP_WORDS = C_WORDS | _words(
    "and and_eq asm bitand bitor catch char8_t char16_t char32_t class co_await co_return co_yield compl concept "
    "consteval constinit const_cast decltype delete dynamic_cast explicit export friend import module mutable "
    "namespace new noexcept not not_eq operator or or_eq private protected public reinterpret_cast requires "
    "static_cast template this throw try typeid typename using virtual xor xor_eq final override std"
)
C_TYPE = (
    r"^(?:(?:const|volatile|struct|union|enum|class|typename|mutable|static|constexpr)\s+)*(?:::)?"
    r"(?:(?:(?:std|boost|absl|gsl|base)::)?(?:unique_ptr|shared_ptr|weak_ptr|optional|reference_wrapper|intrusive_ptr"
    r"|scoped_refptr|RefPtr|QPointer|QSharedPointer|QScopedPointer|not_null|scoped_ptr|auto_ptr)\s*<\s*(?:const\s+)?)?"
    r"([A-Za-z_]\w*(?:\s*::\s*\w+)*)\s*(?:<[^<>]*>)?[\s*&>]*(?:const)?[\s*&>]*$"
)
"""The one class that a type names: through pointers, references and the pointers that own what they point to."""
COLLECTION = (
    r"^\s*(?:const\s+)?(?:\w+::)?(?:vector|list|deque|set|unordered_set|multiset|forward_list|array|span|initializer_list"
    r"|QList|QVector|InlinedVector|SmallVector|ArrayRef|Span)\s*<\s*(?:const\s+)?(?:(?:std::)?(?:unique_ptr|shared_ptr)\s*<\s*)?"
    r"(?:const\s+)?([A-Za-z_]\w*(?:::\w+)*)\s*[*&]*\s*>?\s*(?:,[^<>]*)?>[\s*&]*$"
)
"""Collections of C++, and in the group the class of what they hold."""
MAKERS = (
    r"(?:[\w:]*\b(?:make_unique|make_shared|make_unique_for_overwrite|allocate_shared|make_intrusive|make_scoped_refptr"
    r"|static_cast|dynamic_cast|reinterpret_cast|const_cast|static_pointer_cast|dynamic_pointer_cast|qobject_cast"
    r"|down_cast|checked_cast)\s*[(<]|new\s+|(?=[A-Z][\w:]*\s*\{))\s*(?:const\s+)?([A-Za-z_]\w*(?:::\w+)*)\s*[{*&\s(>]"
)
"""Expressions that give an instance of the class they name: makers of owning pointers, casts, `Pool{…}`."""
INCLUDE = r"^[ \t]*#[ \t]*(?:include|include_next|import)[ \t]*(\"[^\"\n]+\"|<[^>\n]+>)"
NO_NAMES = (
    # By the byte it begins with, which is found many times faster than one of many patterns.
    r"(?s)[\n/\"'.0-9](?:(?<=\n)[ \t]*+#[ \t]*(?:if[ \t]+0\b.*?\n[ \t]*#[ \t]*(?:endif|else|elif)\b|\w+)"
    r"|(?<=/)(?:/[^\n]*|\*.*?\*/)|(?<=\")(?:[^\"\\\n]|\\.)*\"|(?<=')(?:[^'\\\n]|\\.){1,8}'"
    r"|(?:(?<=\.)(?<!\w\.)\d|(?<=\d)(?<!\w\d))(?:[eEpP][+\-]|[\w.]|'(?=\w))*)"
)
"""What holds no names beside what the tree says: words of the preprocessor, strings and comments in macros, numbers."""
DOC_COMMENT = r"/[*/](?!(?s:.{0,600}?)(?i:copyright|licen[cs]e|spdx))(?![*/\-=_~\s]*$)"
"""Any comment right above a definition documents it; a license and a line that only separates say nothing."""


def looks_like_cpp(source: bytes) -> bool:
    """Return whether a header is C++: it holds what no C does, outside of comments and of what only C++ compiles."""
    if not _SIGNS.search(source):
        return False
    return bool(_SIGNS.search(_ONLY_CPP.sub(b"", _NO_CODE.sub(b" ", source))))


def implicit(_package: str) -> tuple[Import, ...]:
    """Return the import of all names that the files included by this one declare."""
    return (Import("", "*", "", 1, "implicit"),)


def resolve(tree: Tree, path: str, specifier: str) -> Target:
    """Return what an include or the name of a namespace stands for."""
    if specifier[:1] in {'"', "<"}:
        return include_target(tree, path, specifier)
    name = ".".join(part.strip() for part in specifier.split("::") if part.strip())
    if not name or tree.is_namespace("c", name):
        return Target("namespace", name)
    head = name.partition(".")[0]
    return Target("builtin", name) if head == "std" else Target("namespace", name)


def package_of(_tree: Tree, _path: str, _package: str) -> str:
    """Return the one namespace of all names that are linked together."""
    return ""


def is_test(path: str) -> bool:
    """Return whether a file of this path holds tests: by its name, or by its folder unless it supports tests."""
    name = basename(path)
    if not _CODE.search(name):
        return False
    is_header = name.rpartition(".")[2].lower().startswith("h")
    if _TEST_NAME.search(name):
        return not is_header
    folders = path.split("/")[:-1]
    stem = name.partition(".")[0]
    return not is_header and not _TEST_FOLDERS.isdisjoint(folders) and not _NO_TESTS.match(stem)


def holds_tests(facts: FileFacts) -> bool:
    """Return whether a file among the tests holds any itself: a test, or the program that is one."""
    return any(item.is_test or item.name == "main" for item in facts.definitions)
