"""The words of PHP that no project name may replace."""

_KEYWORDS = (
    "abstract and array as break callable case catch class clone const continue declare default do echo else "
    "elseif empty enddeclare endfor endforeach endif endswitch endwhile enum eval exit die extends final finally "
    "fn for foreach from function global goto if implements include include_once instanceof insteadof interface "
    "isset list match namespace new or print private protected public readonly require require_once return static "
    "switch throw trait try unset use var while xor yield"
)
"""Source: https://www.php.net/manual/en/reserved.keywords.php"""
_TYPES = (
    "self parent static bool int float string array iterable object callable void never mixed null true false resource "
    "integer boolean double"
)
"""Source: https://www.php.net/manual/en/reserved.other-reserved-words.php"""
_MAGIC = "__CLASS__ __DIR__ __FILE__ __FUNCTION__ __LINE__ __METHOD__ __NAMESPACE__ __TRAIT__ __halt_compiler"

_LOWER = frozenset((*_KEYWORDS.split(), *_TYPES.split()))
RESERVED = frozenset((*_LOWER, *(word.upper() for word in _LOWER), "True", "False", "Null", *_MAGIC.split(), "class"))
"""Keywords are the same in lower and upper case."""
