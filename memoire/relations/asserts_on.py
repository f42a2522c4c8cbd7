"""ASSERTS_ON: a test exercises the file whose functions it runs or whose definitions it uses.

Evidence: a use in the test, resolved through imports, re-exports and the classes of receivers to the defining file; or
the reach of the test, which runs functions of the file through others (`memoire.exercise`). A file that merely passes a
name on is not asserted on, nor are other tests, fixtures and `conftest` files. An import without a use is no evidence.
"""

from collections.abc import Callable, Iterator, Mapping

from memoire.exercise import Reached
from memoire.linker import Linked, Reference
from memoire.model import CALL, Claim, EdgeKey

_MAX_NAMES = 3
_CONFIDENCE = (1.0, 0.95, 0.9, 0.8, 0.75, 0.7, 0.65)
"""By how many steps the file is away: the share of such claims that a tracer saw run. Measured on four projects."""


def claims(
    path: str, linked: Linked, reached: Mapping[str, Reached], is_test: Callable[[str], bool]
) -> Iterator[Claim]:
    """Yield one claim for each file of the project that a test uses definitions of, or reaches.

    Args:
        path: A file that holds tests.
        linked: Its links.
        reached: File -> how the test reaches it.
        is_test: Whether a path belongs to the tests.
    """
    used: dict[str, list[Reference]] = {}
    is_inner = not is_test(path)
    for reference in linked.references:
        if reference.symbol and reference.path != path and not is_test(reference.path) and not is_inner:
            used.setdefault(reference.path, []).append(reference)
    for target, references in used.items():
        # What is called says more than what is named, and what is called more often says it first.
        references.sort(key=lambda item: (not item.how & CALL, -item.count, item.line, item.symbol))
        names = list(dict.fromkeys(item.symbol + ("()" if item.how & CALL else "") for item in references))
        more = f" and {len(names) - _MAX_NAMES} more" if len(names) > _MAX_NAMES else ""
        line = min(item.line for item in references)
        yield _claim(path, target, line, f"{path}:{line} uses {', '.join(names[:_MAX_NAMES])}{more} of {target}")
    lines: dict[tuple[str, str], int] = {}
    for reference in linked.references:
        lines.setdefault((reference.path, reference.symbol), reference.line)
    for target, how in reached.items():
        if target not in used:
            line = lines.get(how.through, 0)
            yield _claim(path, target, line, _told(path, target, line, how), _CONFIDENCE[how.depth])


def _told(path: str, target: str, line: int, how: Reached) -> str:
    place = f"{path}:{line}" if line else path
    name = f"{how.symbol}()"
    if how.through == (target, how.symbol):
        return f"{place} reaches {name} of {target}"
    first, symbol = how.through
    through = f"{symbol or 'the top'} of {first}" if first != path else symbol
    steps = f"{how.depth} step" + ("s" if how.depth != 1 else "")
    return f"{place} reaches {name} of {target} in {steps} through {through}"


def _claim(path: str, target: str, line: int, rationale: str, confidence: float = 1.0) -> Claim:
    return Claim(
        EdgeKey(path, "ASSERTS_ON", target),
        rationale,
        extracted_from=path,
        is_causal=True,
        cost="high",
        line=line,
        confidence=confidence,
    )
