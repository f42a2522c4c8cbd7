"""Outcomes: a test that fails after an edit and passes after the next is about what was edited.

Evidence, for the edited file and the test: a run in which the test failed, edits, and a run that passed and ran it
again. The files edited in between made it pass; those edited between a run that passed and the one that failed made it
fail. More than `MOST_EDITED` files at once say nothing of any one of them. A build that fails and passes has no test
that it would be evidence for.

Which tests failed is what the test runner printed; where that names none, the test files that the command names. A run
ran a test again if it names the test's file, or if its command line holds no word that the failing one did not, but for
flags that change what is printed: then it selects no less.

An edge that the source does not lead to is opened by such a pair alone, with the confidence `CONFIDENCE`.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime

import msgspec

from memoire.model import Claim, EdgeKey, Event, Evidence, Session, parse_path
from memoire.relations.session_order import edits_of, identity

KIND = "outcome"
MOST_EDITED = 3
CONFIDENCE = 0.5
"""Of an edge that no use and no reach leads to: what was edited may have been mended for another test."""

_EDITS = frozenset({"file_edit", "file_create", "file_delete", "file_move"})
_QUIET = frozenset(("-q", "-qq", "-v", "-vv", "-vvv", "-s", "-x", "--quiet", "--verbose", "--tb=short", "--lf", "--ff"))
_LINE = re.compile(r"Ran `(.*?)`(?: in [\d.]+ s)?(?::|$)", re.DOTALL)
_NAMES = re.compile(r"::| > |\(|:\d")


class _Failure(msgspec.Struct):
    """A test that failed and has not passed since."""

    run: Event
    """The last run in which it failed."""
    broken_by: frozenset[str]
    """What was edited between a run that passed and the first that failed."""


def pieces(
    events: Iterable[Event],
    sessions: Iterable[Session],
    *,
    is_test: Callable[[str], bool],
    is_code: Callable[[str], bool],
) -> list[Evidence]:
    """Return one piece for each edited file and test that a pair of runs binds. Pure, whatever the order.

    Args:
        events: What happened lately.
        sessions: Those that were active then: they know each save, where events tell several as one.
        is_test: Whether a path belongs to the tests.
        is_code: Whether a path is one of code.
    """
    kept = {event.id: event for event in events}
    edits = {(_ms(event), parse_path(event.entities[0])[0]) for event in kept.values() if _is_edit(event)}
    edits.update(edit for session in sessions for edit in edits_of(session))
    code = sorted(edit for edit in edits if is_code(edit[1]) and not is_test(edit[1]))
    runs = sorted((event for event in kept.values() if _is_run(event)), key=lambda event: event.id)
    return list(_pairs(runs, code, is_test))


def _pairs(
    runs: Sequence[Event], edits: Sequence[tuple[int, str]], is_test: Callable[[str], bool]
) -> Iterator[Evidence]:
    failing: dict[str, _Failure] = {}
    passed: dict[str, int] = {}
    """Command line -> when it passed last."""
    for run in runs:
        line = _line(run)
        if run.outcome == "failed":
            since = passed.pop(line, None)
            broken = _edited(edits, since, _ms(run)) if since is not None else frozenset[str]()
            for test in _failed(run, is_test):
                known = failing.get(test)
                failing[test] = _Failure(run, known.broken_by if known else broken)
            continue
        passed[line] = _ms(run)
        for test, failure in list(failing.items()):
            if _ran_again(run, failure.run, test):
                del failing[test]
                mended = _edited(edits, _ms(failure.run), _ms(run))
                # Where nothing was edited, it was not the code that made it fail or pass.
                for path in sorted(mended | failure.broken_by) if mended else ():
                    yield _piece(path, test, failure.run, run)


def _piece(path: str, test: str, failed: Event, passed: Event) -> Evidence:
    return Evidence(
        id=identity(KIND, failed.id, path, test),
        kind=KIND,
        source=test,
        relation="ASSERTS_ON",
        target=path,
        at=passed.at.astimezone(UTC),
        origin=passed.id,
        text=_line(failed),
    )


def _is_edit(event: Event) -> bool:
    return event.kind in _EDITS and bool(event.entities)


def _is_run(event: Event) -> bool:
    return event.kind == "command" and event.outcome in {"failed", "passed"}


def _ms(event: Event) -> int:
    return int(event.at.timestamp() * 1000)


def _edited(edits: Sequence[tuple[int, str]], since_ms: int, until_ms: int) -> frozenset[str]:
    """Return what was edited between two runs; nothing where it was too much."""
    found = frozenset(path for at_ms, path in edits if since_ms < at_ms <= until_ms)
    return found if len(found) <= MOST_EDITED else frozenset()


def _failed(run: Event, is_test: Callable[[str], bool]) -> list[str]:
    """Return the files of the tests that failed in a run."""
    named = [entity for entity in run.entities if is_test(entity)]
    if not run.failed:
        return named
    heads = {_NAMES.split(name, maxsplit=1)[0].strip() for name in run.failed}
    found = [path for path in named if any(path == head or path.endswith(f"/{head}") for head in heads if head)]
    # A runner that prints no files: they are told where the command names a single one.
    return found or (named if len(named) == 1 else [])


def _ran_again(run: Event, failed: Event, test: str) -> bool:
    if test in run.entities:
        return True
    words, before = _line(run).split(), frozenset(_line(failed).split())
    return bool(words) and all(word in before or word in _QUIET for word in words)


def _line(run: Event) -> str:
    match = _LINE.match(run.summary)
    return match[1] if match else ""


class Sum(msgspec.Struct, frozen=True):
    """What some pieces come to."""

    count: int
    last: datetime
    text: str


def summed(found: Sequence[Evidence]) -> Sum:
    """Return how often it was seen, when last, and what was run then; there is at least one."""
    last = max(found, key=lambda piece: (piece.at, piece.id))
    return Sum(sum(piece.count for piece in found), last.at, last.text)


def claim(key: EdgeKey, found: Sequence[Evidence], extracted_from: str) -> Claim:
    """Return the edge that pairs of runs alone support."""
    return Claim(
        key,
        told(key, found),
        extracted_from=extracted_from,
        is_causal=True,
        cost="high",
        confidence=CONFIDENCE,
    )


def told(key: EdgeKey, found: Sequence[Evidence]) -> str:
    """Return the sentence that names pairs of runs."""
    total = summed(found)
    times = f"{total.count} times, last" if total.count != 1 else "once,"
    what = f"{key.source} failed and, after {key.target} was edited, passed"
    return f"{what}: {times} {total.last:%Y-%m-%d} by `{total.text}`"
