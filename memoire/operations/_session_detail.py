"""Makes the answer of `expand` for a session: what was asked, done and tried in it."""

from collections.abc import Sequence
from datetime import UTC, datetime

from memoire.episodes.sessions import NODE, edit_counts, is_over, prompts_of, title_of
from memoire.memory import Memory
from memoire.model import Session
from memoire.operations._detail import UNSET, Asked, Detail, Ran, Worked, fit_detail, listed
from memoire.operations._note_sessions import by_session
from memoire.operations._wire import current, redact_each, shown_pending, wire_time

_EDITED = 300
_LOOKED = 100
_NOTES = 100


def session_detail(memory: Memory, session: Session, *, budget: int, pending: Sequence[str]) -> Detail:
    """Return what is known of a session, within `budget` tokens."""
    asked = prompts_of(session)
    texts = redact_each(memory, [prompt for _, prompt in asked])
    prompts = [Asked(_at(name), text) for (name, _), text in zip(asked, texts, strict=True)]
    edited = [Worked(path, count) for path, count in edit_counts(session).items()]
    looked = sorted(session.looked, key=lambda path: (session.looked[path], path), reverse=True)
    told = sorted(session.told.items(), reverse=True)
    lines = redact_each(memory, [summary for _, (summary, _) in told])
    commands = [Ran(_at(name), line, outcome) for (name, (_, outcome)), line in zip(told, lines, strict=True)]
    failing = session.failing[1] if session.failing else ()
    noted = by_session(memory, session.id)
    detail = Detail(
        path=f"{NODE}{session.id}",
        type="session",
        summary=memory.redact(_summary(session)),
        client=session.client,
        started=wire_time(session.started) if session.started else UNSET,
        last=wire_time(session.last) if session.last else UNSET,
        ended=wire_time(session.ended) if session.ended and is_over(session) else UNSET,
        as_of=current(memory),
    )
    sections = [
        listed("prompts", prompts, share=6, most=len(prompts)),
        listed("edited", edited, share=15, most=_EDITED),
        listed("commands", commands, share=8, most=len(commands), total=len(session.ran)),
        listed("failing", failing, share=5, most=len(failing)),
        *([listed("relationships", noted, share=8, most=_NOTES)] if noted else []),
        listed("looked_at", looked, share=10, most=_LOOKED),
        listed("pending", shown_pending(pending), share=3, most=11),
    ]
    more = "raise budget; recent_events(session=…) has its events"
    return fit_detail(detail, sections, budget=budget, more=more)


def _summary(session: Session) -> str:
    edits, failed = sum(edit_counts(session).values()), sum(session.ran.values())
    told = [f"{session.client or 'assistant'} session"]
    if session.opening:
        told.append(title_of(session))
    done = _count(len(prompts_of(session)), "prompt")
    told.append(done + (f", {_count(edits, 'edit')} of {_count(len(session.edits), 'file')}" if edits else ""))
    told.append(_count(len(session.ran), "command") + (f", {failed} failed" if failed else ""))
    return " | ".join(told)


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _at(event_id: str) -> datetime:
    """Return the time of an event, which its id begins with."""
    return datetime.fromtimestamp(int(event_id[:12], 16) // 1000, UTC)
