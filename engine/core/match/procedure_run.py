"""Procedures driven by hand, from a cause to the next stop."""

from __future__ import annotations

from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

import msgspec

from engine.core.rules.audience import Seat
from engine.core.rules.dice import DiceSource
from engine.core.rules.errors import IllegalIntent, RuleBug
from engine.core.rules.events import CoreEvent, Event, GivenAnswer, QuestionClosed, RoundBegun
from engine.core.rules.game import Game, RoundWanted
from engine.core.rules.questions import Question, StoredQuestion
from engine.core.rules.record import Record
from engine.core.rules.system import Procedure, System

S = TypeVar("S")

MOST_FLOWS: Final = 1_000
"""Unasked procedures in one step at most: a flow that does nothing for ever raises RuleBug."""


@dataclass
class Run(Generic[S]):
    """A procedure with the game that it acts on and, unless it has ended, what it waits for. `version`: the step of the
    log that it stands at, 0 while it is ahead of the log."""

    game: Game[S]
    coroutine: Coroutine[Any, Any, None]
    wanted: Question | RoundWanted | None = None
    version: int = 0

    def close(self) -> None:
        """Give the procedure up."""
        self.coroutine.close()


async def _resolve(system: System[S], game: Game[S], first: Procedure | None) -> None:
    if first is not None:
        await first
    for _ in range(MOST_FLOWS):
        unasked = system.rules.flow(game)
        if unasked is None:
            if game.record.declared:
                raise RuleBug(f"declared and never resolved: {', '.join(one.kind for one in game.record.declared)}")
            return
        await unasked
    raise RuleBug(f"more than {MOST_FLOWS} unasked procedures in one step")


def begin(
    system: System[S],
    state: S,
    record: Record,
    dice: DiceSource,
    act: tuple[Seat, Any] | None,
    first: Sequence[CoreEvent] = (),
) -> Run[S]:
    """Run the intent `act` (or nothing) and then the flow, up to the first stop.

    Raises IllegalIntent where the checks refuse, RuleBug for anything else that goes wrong.
    """
    game = Game(state, record, dice)
    for event in first:
        game.note(event)
    noted = len(game.trail)
    procedure = system.rules.procedure(game, *act) if act else None
    run = Run(game, _resolve(system, game, procedure))
    try:
        _advance(run, None)
    except IllegalIntent as refused:
        if len(game.trail) > noted:
            raise RuleBug(f"refused after the first effect: {refused.refusal.code}") from refused
        raise
    return run


def go_on(run: Run[S], answers: Sequence[GivenAnswer]) -> None:
    """Answer the question that `run` waits for, and run to the next stop. Afterwards `run` holds the new step only.

    Raises RuleBug (the run is dead then), also where an answer does not fit.
    """
    question = run.wanted
    if not isinstance(question, Question):
        raise RuleBug("an answer, but no question")
    values: dict[Seat, object] = {}
    for given in answers:
        seat = Seat(given.seat)
        try:
            values[seat] = question.asks[seat].read(given.reply)
        except IllegalIntent as refused:
            raise RuleBug(f"an answer to {question.kind} does not fit: {refused.refusal.code}") from refused
    run.game.trail = []
    run.game.note(QuestionClosed(question.id, tuple(answers)))
    _resume(run, values)


def open_round(run: Run[S], begun: RoundBegun) -> None:
    """Let the new round begin, and run to the next stop. Raises RuleBug."""
    run.game.trail = []
    run.game.note(begun)
    _resume(run, None)


def _resume(run: Run[S], value: Mapping[Seat, object] | None) -> None:
    try:
        _advance(run, value)
    except IllegalIntent as refused:
        raise RuleBug(f"refused after the first effect: {refused.refusal.code}") from refused


def _advance(run: Run[S], value: Mapping[Seat, object] | None) -> None:
    try:
        wanted = run.coroutine.send(value)
    except StopIteration:
        run.wanted = None
        return
    except (IllegalIntent, RuleBug):
        raise
    except Exception as problem:
        raise RuleBug(f"{type(problem).__name__}: {problem}") from problem
    if not isinstance(wanted, (Question, RoundWanted)):
        run.close()
        raise RuleBug(f"a procedure may wait for questions only, not for {type(wanted).__name__}")
    if isinstance(wanted, Question):
        game = run.game
        game.record = msgspec.structs.replace(game.record, questions=wanted.id + 1)
    run.wanted = wanted


def stored_stop(wanted: Question | RoundWanted | None, dice: DiceSource) -> StoredQuestion | str | None:
    """Return a stop as the log keeps it; None at the end of a procedure."""
    if isinstance(wanted, RoundWanted):
        return "round"
    if wanted is None:
        return None
    digest = wanted.digest(dice.salt(f"question/{wanted.id}"))
    return StoredQuestion(wanted.id, wanted.kind, wanted.window, tuple(wanted.asks), digest, wanted.moment)


def entries_of(run: Run[S]) -> list[Event[S] | CoreEvent]:
    """Return the entries of the step that `run` has just made."""
    return [trace.event for trace in run.game.trail]
