"""Situations: a match as a seat may ask about it, as it stands or as it would after an act of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from engine.core.match.match import Match
from engine.core.rules.advice import Stepwise
from engine.core.rules.audience import Seat
from engine.core.rules.dice import DiceSource
from engine.core.rules.game import Probe
from engine.core.rules.questions import Ask
from engine.core.rules.record import Record
from engine.core.rules.rehearsal import Rehearsal, run_ahead
from engine.core.rules.steps import Steps
from engine.core.rules.system import System
from protocol.scene.fields import AnyField
from protocol.scene.nodes import Choice, Reply

S = TypeVar("S")


@dataclass(frozen=True)
class Situation(Generic[S]):
    """A seat's choices, and its knowledge. `ask`: its part of the open question, if there is one; `acts`: it is its
    turn."""

    system: System[S]
    seat: Seat
    state: S
    record: Record
    dice: DiceSource
    ask: Ask[Any] | None = None
    acts: bool = True

    @staticmethod
    def of(match: Match[S], seat: Seat) -> Situation[S]:
        """Return the situation of a seat now."""
        question = match.question
        ask = question.asks.get(seat) if question is not None else None
        acts = question is None and match.quiescent and seat in match.turn
        probe = match.probe(seat)
        return Situation(match.system, seat, probe.state, probe.record, match.dice, ask, acts)

    def probe(self) -> Probe[S]:
        """Make a game on which checks can be run."""
        return Probe(self.state, self.record, self.dice)

    def choices(self) -> tuple[Choice, ...]:
        """Return the choices of the question or the turn."""
        if self.ask is not None:
            return self.ask.choices
        prompt = self.system.prompt(self.probe(), self.seat) if self.acts else None
        return prompt.choices if prompt is not None else ()

    def choices_steps(self) -> Steps[tuple[Choice, ...]]:
        """Work out the choices: at each step a part of them, where the system knows parts."""
        if self.acts and self.ask is None and isinstance(self.system, Stepwise):
            yield from self.system.prompt_steps(self.probe(), self.seat)
        return self.choices()

    def detail_steps(self, choice: str, fields: Mapping[str, object]) -> Steps[AnyField]:
        """Work out the first field of a choice that `fields` lacks, with its options: at each step a part of it, where
        the system knows parts. Raises IllegalIntent."""
        if self.ask is not None:
            return self.ask.next_field(self.probe(), choice, fields)
        if isinstance(self.system, Stepwise):
            return (yield from self.system.detail_steps(self.probe(), self.seat, choice, fields))
        return self.system.detail(self.probe(), self.seat, choice, fields)

    def check(self, reply: Reply) -> None:
        """Check that the rules would take this reply. Raises IllegalIntent."""
        if self.ask is not None:
            self.ask.read(reply)
            return
        probe = self.probe()
        intent = self.system.parse(self.state, self.seat, reply)
        run_ahead(self.system.rules.procedure(probe, self.seat, intent))

    def after(self, reply: Reply) -> Situation[S]:
        """Return the situation that an act leads to before anything is rolled or asked: this one where a question is
        answered. Raises IllegalIntent."""
        if not self.acts:
            return self
        game = Rehearsal(self.state, self.record, self.dice)
        intent = self.system.parse(self.state, self.seat, reply)
        run_ahead(self.system.rules.procedure(game, self.seat, intent))
        acts = self.seat in self.system.rules.turn(game.state)
        return replace(self, state=game.state, record=game.record, acts=acts)
