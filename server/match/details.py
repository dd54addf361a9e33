"""Answers to questions of the rules about one match, remembered as long as nothing has happened in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar, cast

import msgspec

from engine.core.match.match import Match
from engine.core.rules.advice import ChoiceSurvey, Lookouts
from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent, Refusal
from engine.core.rules.steps import Steps, finished
from engine.core.view.prompts import detail_for
from engine.core.view.proposals import FilledChoice, proposal_steps
from engine.core.view.situations import Situation
from engine.core.view.surveys import survey_steps, surveyed_choices, target_steps
from protocol.ids import NodeId
from protocol.scene.advice import Forecast, Target
from protocol.scene.fields import AnyField
from protocol.scene.nodes import Choice, Point

T = TypeVar("T")

MOST: Final = 64
"""Of one match; an answer takes up to about ten kilobytes."""
MOST_SURVEYED: Final = 32
"""Choices of one survey."""
_PACK: Final = msgspec.msgpack.Encoder(order="deterministic").encode


class Details:
    """A cache of details, surveys and proposals, by seat and question, for one state of the match. What a method asks
    of the rules may raise IllegalIntent, and what the rules raise. Long answers come in steps; one is not kept where
    something happened in between."""

    def __init__(self, match: Match[Any]) -> None:
        self._match = match
        self._of: tuple[object, ...] = ()
        self._known: dict[tuple[object, ...], Any] = {}

    def answer(self, seat: Seat, choice: str, fields: Mapping[str, object]) -> AnyField:
        """Return the first field of `choice` that `fields` lacks."""
        key = ("detail", int(seat), choice, _PACK(fields))
        return self._kept(key, lambda: detail_for(self._match, seat, choice, fields))

    def surveyed(self, seat: Seat, subject: NodeId) -> tuple[Choice, ...]:
        """Return the choices with a gesture for a thing, the cheapest first."""
        key = ("surveyed", int(seat), subject)
        return self._kept(key, lambda: surveyed_choices(Situation.of(self._match, seat), subject)[:MOST_SURVEYED])

    def survey(self, seat: Seat, choice: Choice, subject: NodeId) -> Steps[ChoiceSurvey]:
        """Work out what a thing could do by a choice."""
        key = ("survey", int(seat), choice.id, subject)
        return self._kept_steps(key, lambda: survey_steps(Situation.of(self._match, seat), choice, subject))

    def proposal(self, seat: Seat, choice: str, fields: Mapping[str, object]) -> Steps[FilledChoice]:
        """Fill a choice in, with these fields kept."""
        key = ("proposal", int(seat), choice, _PACK(fields))
        return self._kept_steps(key, lambda: proposal_steps(Situation.of(self._match, seat), choice, fields))

    def filled(self, seat: Seat, choice: str, fields: Mapping[str, object]) -> FilledChoice:
        """Return a choice filled in, which it mostly is already."""
        return finished(self.proposal(seat, choice, fields))

    def targets(
        self, seat: Seat, choice: str, fields: Mapping[str, object], subject: NodeId
    ) -> Steps[tuple[Target, ...]]:
        """Work out what a thing could act on after a proposal."""
        key = ("targets", int(seat), choice, _PACK(fields))
        return self._kept_steps(key, lambda: _targets(self.filled(seat, choice, fields), subject))

    def lookouts(self, seat: Seat, choice: str, fields: Mapping[str, object], subject: NodeId) -> tuple[Point, ...]:
        """Return the places from which a thing would look after a proposal."""
        key = ("lookouts", int(seat), choice, _PACK(fields), subject)
        return self._kept(key, lambda: _lookouts(self.filled(seat, choice, fields), subject))

    def seen_from(
        self, seat: Seat, choice: str, fields: Mapping[str, object], subject: NodeId, at: Point
    ) -> tuple[Point, ...]:
        """Return the outline of the ground that a thing would see after a proposal from one of its lookouts."""
        key = ("seen", int(seat), choice, _PACK(fields), subject, at)
        return self._kept(key, lambda: _seen_from(self.filled(seat, choice, fields), subject, at))

    def forecast(self, seat: Seat, choice: str, fields: Mapping[str, object]) -> Forecast | None:
        """Return the sampled forecast that is kept for a choice with these fields."""
        self._forget_old()
        return self._known.get(("forecast", int(seat), choice, _PACK(fields)))

    def keep_forecast(self, seat: Seat, choice: str, fields: Mapping[str, object], forecast: Forecast) -> None:
        """Keep a sampled forecast of the match as it stands."""
        self._kept(("forecast", int(seat), choice, _PACK(fields)), lambda: forecast)

    def _forget_old(self) -> None:
        match = self._match
        # a step that could not be stored is taken back, and the next has its number
        now = (match.state, match.record, match.question)
        if len(self._of) != len(now) or any(a is not b for a, b in zip(self._of, now, strict=True)):
            self._of, self._known = now, {}

    def _kept(self, key: tuple[object, ...], make: Callable[[], T]) -> T:
        def at_once() -> Steps[T]:
            yield from ()
            return make()

        return finished(self._kept_steps(key, at_once))

    def _kept_steps(self, key: tuple[object, ...], make: Callable[[], Steps[T]]) -> Steps[T]:
        self._forget_old()
        now, found = self._of, self._known.get(key)
        if found is None:
            try:
                found = yield from make()
            except IllegalIntent as illegal:
                # the exception itself would keep the frames that it came through, and so the match
                found = illegal.refusal
            self._forget_old()
            if self._of is now:
                self._keep(key, found)
        if isinstance(found, Refusal):
            raise IllegalIntent.repeated(found)
        return cast("T", found)

    def _keep(self, key: tuple[object, ...], found: object) -> None:
        if len(self._known) >= MOST:
            self._known.pop(next(iter(self._known)))
        self._known[key] = found


def _targets(proposal: FilledChoice, subject: NodeId) -> Steps[tuple[Target, ...]]:
    return (yield from target_steps(proposal.after, subject)) if proposal.after is not None else ()


def _lookouts(proposal: FilledChoice, subject: NodeId) -> tuple[Point, ...]:
    after = proposal.after
    if after is None or not isinstance(after.system, Lookouts):
        return ()
    return tuple(after.system.lookouts(after.state, subject))


def _seen_from(proposal: FilledChoice, subject: NodeId, at: Point) -> tuple[Point, ...]:
    after = proposal.after
    if after is None or not isinstance(after.system, Lookouts):
        return ()
    return tuple(after.system.seen_from(after.state, subject, at))
