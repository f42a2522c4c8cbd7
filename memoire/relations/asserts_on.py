"""ASSERTS_ON: a test exercises the file whose functions it runs or whose definitions it uses.

Evidence: a use in the test that runs code, resolved through imports, re-exports and the classes of receivers to the
defining file; or the reach of the test, which runs functions of the file through others (`memoire.exercise`). Who only
names a constant, an error or a class, or a file of declarations, exercises nothing: no fault there could fail a test.
A file that merely passes a name on is not asserted on, nor are other tests, fixtures and `conftest` files. An import
without a use is no evidence.

The strongest evidence is a run that saw the test execute a definition of the file: such a claim is certain, whatever
changed since. While neither the tests of a file nor anything they executed changed, what a run did not see and only a
long reach tells is no claim.
"""

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime

from memoire.exercise import Reached
from memoire.linker import Linked, Reference
from memoire.model import CALL, TYPE, Claim, EdgeKey
from memoire.runs.observations import Exercised

_MAX_NAMES = 3
NEAR = 1
"""Steps up to which a reach counts against a run that did not see it: a branch that this run did not take is near."""
OBSERVED = "observed: "
"""How the rationale of a claim begins that rests on a run."""
_CONFIDENCE = (1.0, 0.95, 0.9, 0.8, 0.75, 0.7, 0.65)
"""By how many steps the file is away: the share of such claims that a tracer saw run. Measured on four projects."""


def claims(
    path: str,
    linked: Linked,
    reached: Mapping[str, Reached],
    is_test: Callable[[str], bool],
    exercises: Callable[[str, Reference], bool],
    seen: Exercised | None = None,
) -> Iterator[Claim]:
    """Yield one claim for each file of the project that a test executed, uses definitions of, or reaches.

    Args:
        path: A file that holds tests.
        linked: Its links.
        reached: File -> how the test reaches it.
        is_test: Whether a path belongs to the tests.
        exercises: (test, use) -> whether that runs code of the file that it leads to.
        seen: What runs saw of it, None where there was none.
    """
    executed = _executed(path, seen, is_test) if seen is not None else {}
    for target, rationale in executed.items():
        yield _claim(path, target, 0, rationale)
    used: dict[str, list[Reference]] = {}
    is_inner = not is_test(path)
    for reference in linked.references:
        is_run = reference.how & ~TYPE  # what an annotation names is not run
        if is_run and reference.symbol and reference.path != path and not is_test(reference.path) and not is_inner:
            used.setdefault(reference.path, []).append(reference)
    named = used.keys()
    used = {
        target: references for target, references in used.items() if any(exercises(path, each) for each in references)
    }
    for target, references in used.items():
        if target in executed:
            continue
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
        is_refuted = seen is not None and seen.is_whole and how.depth > NEAR
        # A class that only the test itself names, and of which nothing but one function may run, is replaced by it.
        is_refuted |= target in named and how.through[0] == target and how.functions == 1
        if target not in used and target not in executed and not is_refuted:
            line = lines.get(how.through, 0)
            yield _claim(path, target, line, _told(path, target, line, how), _CONFIDENCE[how.depth])


def _executed(path: str, seen: Exercised, is_test: Callable[[str], bool]) -> dict[str, str]:
    """Return file -> the sentence that tells of the run, for what the tests of a file executed."""
    is_inner = not is_test(path)
    when = datetime.fromtimestamp(seen.run.at, UTC)
    told = {}
    for target, names in sorted(seen.targets.items()):
        if target == path or is_test(target) or is_inner:
            continue
        ranked = sorted(names, key=lambda name: (-names[name], name))
        shown = ", ".join(f"{name}()" for name in ranked[:_MAX_NAMES])
        more = f" and {len(ranked) - _MAX_NAMES} more" if len(ranked) > _MAX_NAMES else ""
        count = seen.tests[target]
        told[target] = (
            f"{OBSERVED}{count} test{'s' if count != 1 else ''} of {path} executed {shown}{more} of {target}, "
            f"{seen.run.tool}, run of {when:%Y-%m-%d %H:%M} UTC"
        )
    return told


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
