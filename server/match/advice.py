"""Answers to details, surveys and proposals, in slices, so that others are served in between."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import thread_time
from typing import Final, NamedTuple, Protocol, TypeVar

from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent, Refusal
from engine.core.rules.steps import Steps
from protocol.ids import NodeId
from protocol.scene.advice import Forecast
from protocol.wire.from_client import DetailRequest, Propose, Survey
from protocol.wire.from_server import Detail, Proposed, Surveyed, unanswered
from protocol.wire.server_message import ServerMessage
from server.match.sampled_forecasts import SampledForecasts
from server.match.step import Stepper

T = TypeVar("T")

SLICE_SECONDS: Final = 0.001
"""CPU after which a slice ends, once its step is done."""

Question = DetailRequest | Survey | Propose


class Recipient(Protocol):
    """The connection that is answered."""

    def say(self, message: ServerMessage) -> None:
        """Queue a message, without waiting."""
        ...


class Desk(NamedTuple):
    """Parts of a match that answer a seat's questions. `fault` words a bug, `charge` takes seconds of CPU that were
    used elsewhere."""

    stepper: Stepper
    forecasts: SampledForecasts
    fault: Callable[[Exception], Refusal]
    charge: Callable[[float], object]


def slices(desk: Desk, seat: Seat, question: Question, recipient: Recipient) -> Iterator[None]:
    """Answer a question, a slice at each step of the iterator; a forecast that is sampled comes later. A refusal is the
    last answer."""
    stepper = desk.stepper
    try:
        if isinstance(question, DetailRequest):
            field = stepper.detail(seat, question.prompt, question.choice, question.fields)
            recipient.say(Detail(question.id, field))
        elif isinstance(question, Survey):
            yield from _survey(stepper, seat, question, recipient)
        else:
            yield from _propose(desk, seat, question, recipient)
    except IllegalIntent as refused:
        recipient.say(_refusal(question, refused.refusal))
    except Exception as bug:  # noqa: BLE001 - whatever the rules raise is told to who asks
        recipient.say(_refusal(question, desk.fault(bug)))


def sliced(steps: Steps[T]) -> Steps[T]:
    """Take steps together until they have used `SLICE_SECONDS`."""
    began = thread_time()
    while True:
        try:
            next(steps)
        except StopIteration as end:
            answer: T = end.value
            return answer
        if thread_time() - began >= SLICE_SECONDS:
            yield
            began = thread_time()


def _survey(stepper: Stepper, seat: Seat, asked: Survey, recipient: Recipient) -> Iterator[None]:
    subject = NodeId(asked.subject)
    choices = stepper.surveys(seat, asked.prompt, subject)
    yield
    for left, choice in zip(range(len(choices) - 1, -1, -1), choices, strict=True):
        found = yield from sliced(stepper.survey(seat, asked.prompt, choice, subject))
        recipient.say(Surveyed(asked.id, choice.id, found.why, found.reach, found.targets, left > 0))
        if left:
            yield
    if not choices:
        recipient.say(Surveyed(asked.id))


def _propose(desk: Desk, seat: Seat, asked: Propose, recipient: Recipient) -> Iterator[None]:
    stepper = desk.stepper
    found = yield from sliced(stepper.proposal(seat, asked.prompt, asked.choice, asked.fields))
    moves, fields = bool(found.ghosts), dict(found.fields)
    forecast = found.forecast
    if found.counted is not None:
        forecast = stepper.forecast(seat, asked.choice, fields)
    samples = found.counted is not None and forecast is None
    first = Proposed(asked.id, fields, found.open, dict(found.ghosts), forecast, more=moves or samples)  # type: ignore[arg-type]  # as the rules made them
    recipient.say(first)
    if moves:
        yield
        targets = yield from sliced(stepper.targets(seat, asked.prompt, asked.choice, asked.fields))
        seen = []
        for at in stepper.lookouts(seat, asked.prompt, asked.choice, asked.fields):
            yield
            seen.append(stepper.seen_from(seat, asked.prompt, asked.choice, asked.fields, at))
        recipient.say(
            Proposed(asked.id, first.fields, ghosts=first.ghosts, targets=targets, seen=tuple(seen), more=samples)
        )
    if samples:

        def told(sampled: Forecast | None) -> None:
            recipient.say(Proposed(asked.id, first.fields, ghosts=first.ghosts, forecast=sampled))

        desk.forecasts.ask(seat, asked.prompt, asked.choice, fields, told, desk.charge)


def _refusal(question: Question, refusal: Refusal) -> Detail | Surveyed | Proposed:
    """Return a refusal; of a proposal with the node or the point at fault: where the rules do not know it, what was
    given last."""
    if isinstance(question, Propose):
        at = refusal.at or _place(next(reversed(question.fields.values()), None))
        return Proposed(question.id, code=refusal.code, text=refusal.text, at=at, by=refusal.by)
    return unanswered(question, refusal.code, refusal.text)


def _place(value: object) -> NodeId | tuple[int, int] | None:
    match value:
        case [int(x), int(y)]:
            return x, y
        case str(node) | [str(node)]:
            return NodeId(node)
    return None
