"""`bazel test` and `bazel build`."""

import re

from memoire.episodes.outcomes._spec import Reader, Reading, verdict

_TARGET = re.compile(
    r"(?P<label>@*//[^\s:]*:[^\s]+) +(?:\(cached\) )?(?P<word>PASSED|FAILED|FAILED TO BUILD|TIMEOUT|FLAKY|NO STATUS)"
    r"(?:, .*| in .*)?"
)
_ERROR = re.compile(r"ERROR: (?P<path>[^\s:][^:\n]*):\d+:\d+: .*")
_TOTAL = re.compile(r"Executed \d+ out of \d+ tests?: .*")


def _read(lines: list[str]) -> list[Reading]:
    words = {found["label"]: found["word"] for line in lines if (found := _TARGET.fullmatch(line))}
    files = [found["path"] for line in lines if (found := _ERROR.fullmatch(line))]
    if not words and not files and not any(map(_TOTAL.fullmatch, lines)):
        return []
    good = [label for label, word in words.items() if word in {"PASSED", "FLAKY"}]
    bad = [label for label, word in words.items() if word not in {"PASSED", "FLAKY", "NO STATUS"}]
    skipped = len(words) - len(good) - len(bad)
    failed = len(bad) if words else -1
    is_failed = bool(bad or files)
    passed = len(good) if words else -1
    return [Reading(verdict(is_failed=is_failed), passed, failed, skipped, len(files) or -1, bad, good, files)]


READER = Reader("bazel", ("//", "ERROR: "), _read)
