"""Answers to details, surveys and proposals, in slices: each is one call, so that others are served in between."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol

from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent, Refusal
from protocol.ids import NodeId
from protocol.wire.from_client import DetailRequest, Propose, Survey
from protocol.wire.from_server import Detail, Proposed, ServerMessage, Surveyed, unanswered
from server.match.step import Stepper

Question = DetailRequest | Survey | Propose


class Recipient(Protocol):
    """The connection that is answered."""

    def say(self, message: ServerMessage) -> None:
        """Queue a message, without waiting."""
        ...


def slices(
    stepper: Stepper, seat: Seat, question: Question, recipient: Recipient, fault: Callable[[Exception], Refusal]
) -> Iterator[None]:
    """Answer a question, a slice at each step of the iterator. A refusal is the last answer; `fault` words a bug."""
    try:
        if isinstance(question, DetailRequest):
            field = stepper.detail(seat, question.prompt, question.choice, question.fields)
            recipient.say(Detail(question.id, field))
        elif isinstance(question, Survey):
            yield from _survey(stepper, seat, question, recipient)
        else:
            yield from _propose(stepper, seat, question, recipient)
    except IllegalIntent as refused:
        recipient.say(_refusal(question, refused.refusal))
    except Exception as bug:  # noqa: BLE001 - whatever the rules raise is told to who asks
        recipient.say(_refusal(question, fault(bug)))


def _survey(stepper: Stepper, seat: Seat, asked: Survey, recipient: Recipient) -> Iterator[None]:
    subject = NodeId(asked.subject)
    choices = stepper.surveys(seat, asked.prompt, subject)
    for left, choice in zip(range(len(choices) - 1, -1, -1), choices, strict=True):
        found = stepper.survey(seat, asked.prompt, choice, subject)
        recipient.say(Surveyed(asked.id, choice.id, found.why, found.reach, found.targets, left > 0))
        if left:
            yield
    if not choices:
        recipient.say(Surveyed(asked.id))


def _propose(stepper: Stepper, seat: Seat, asked: Propose, recipient: Recipient) -> Iterator[None]:
    found = stepper.proposal(seat, asked.prompt, asked.choice, asked.fields)
    moves = bool(found.ghosts)
    fields = dict(found.fields)
    recipient.say(Proposed(asked.id, fields, found.open, dict(found.ghosts), found.forecast, more=moves))  # type: ignore[arg-type]  # as the rules made them
    if moves:
        yield
        targets = stepper.targets(seat, asked.prompt, asked.choice, asked.fields)
        recipient.say(Proposed(asked.id, fields, ghosts=dict(found.ghosts), targets=targets))  # type: ignore[arg-type]


def _refusal(question: Question, refusal: Refusal) -> Detail | Surveyed | Proposed:
    """Return a refusal; of a proposal with the node or the point that was given last, which is at fault."""
    if isinstance(question, Propose) and question.fields:
        at = _place(list(question.fields.values())[-1])
        return Proposed(question.id, code=refusal.code, text=refusal.text, at=at)
    return unanswered(question, refusal.code, refusal.text)


def _place(value: object) -> NodeId | tuple[int, int] | None:
    match value:
        case [int(x), int(y)]:
            return x, y
        case str(node) | [str(node)]:
            return NodeId(node)
    return None
