"""Says how somebody works on a project, by what happened in it: what they run before a commit, which checks, how often.

Counts of what was seen, nothing more: no model, and no words of anybody but the first ones of commands.
"""

import re
from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from statistics import median
from typing import Annotated

import msgspec

from memoire.episodes.sessions import NODE
from memoire.memory import Memory
from memoire.model import Event
from memoire.operations._wire import newest_events

LOOKED_AT = 2_000
"""Last commands and commits that are looked at."""
BEFORE = timedelta(minutes=30)
"""How long before a commit a command counts as one on the way to it."""
STEPS = 3
MOST = 5
_KIND = re.compile(r"^(\w+)(?:\([^)]*\))?!?:\s")
_SUBJECT = re.compile(r"^\w+ [0-9a-f]{7} [\"“](.*?)[\"”]")
_WORD = re.compile(r"[A-Za-z][\w-]*$")


class Habit(msgspec.Struct, frozen=True):
    """One thing that was seen several times."""

    what: Annotated[str, msgspec.Meta(description="before a commit, checks, commit messages.")]
    steps: list[str]
    count: int
    of: int


async def habits(memory: Memory, who: str) -> list[Habit]:
    """Return how a person, an assistant, a client or a session works; the most frequent of each kind first."""
    name = who.strip().removeprefix(NODE).casefold()
    events = await newest_events(memory, LOOKED_AT, kinds=("command", "commit"))
    own = [event for event in events if name in map(str.casefold, (event.actor, event.client, event.session))]
    commands = [event for event in own if event.kind == "command"]
    commits = [event for event in events if event.kind == "commit" and _is_of(event, commands, own)]
    return [*_before(commits, commands), *_checks(commands), *_messages(commits)]


def _is_of(commit: Event, commands: Sequence[Event], own: Sequence[Event]) -> bool:
    """Return whether a commit is somebody's: theirs by its event, or it came right behind a command of theirs."""
    return commit in own or any(timedelta(0) <= commit.at - event.at <= BEFORE for event in commands)


def _before(commits: Sequence[Event], commands: Sequence[Event]) -> list[Habit]:
    ordered = sorted(commands, key=lambda event: (event.at, event.id))
    seen: Counter[tuple[str, ...]] = Counter()
    for commit in commits:
        near = [head(event) for event in ordered if timedelta(0) <= commit.at - event.at <= BEFORE]
        steps = [one for one in dict.fromkeys(reversed(near)) if one and one != "git commit"][:STEPS]
        if steps:
            seen[tuple(reversed(steps))] += 1
    return [Habit("before a commit", list(steps), count, len(commits)) for steps, count in _first(seen)]


def _checks(commands: Sequence[Event]) -> list[Habit]:
    judged = [event for event in commands if event.outcome]
    counts: Counter[tuple[str, ...]] = Counter((head(event),) for event in judged)
    return [Habit("checks", list(steps), count, len(judged)) for steps, count in _first(counts)]


def _messages(commits: Sequence[Event]) -> list[Habit]:
    """Return how commits are called: the kind that they begin with, and how long they are."""
    subjects = [match[1] for event in commits if (match := _SUBJECT.search(event.summary))]
    if not subjects:
        return []
    begins = [match[1].lower() for subject in subjects if (match := _KIND.match(subject))]
    kinds: Counter[tuple[str, ...]] = Counter((f"{kind}: …",) for kind in begins)
    found = [Habit("commit messages", list(steps), count, len(subjects)) for steps, count in _first(kinds)]
    length = round(median(len(subject) for subject in subjects))
    return [*found, Habit("commit messages", [f"{length} characters"], len(subjects), len(subjects))]


def head(event: Event) -> str:
    """Return what a command is: its program and, where it has one, its first word: `npm test`, `pytest`."""
    line = event.summary.partition("`")[2].partition("`")[0].strip()
    words = [word for word in line.split() if "=" not in word.split("/")[0] or word.startswith("-")]
    if not words:
        return ""
    program = words[0].rpartition("/")[2]
    if program in {"python", "python3"} and words[1:3][:1] == ["-m"] and len(words) > 2:
        return words[2]
    return f"{program} {words[1]}" if len(words) > 1 and _WORD.match(words[1]) else program


def _first(counts: Counter[tuple[str, ...]]) -> list[tuple[tuple[str, ...], int]]:
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:MOST]
