"""Play of any system in which log, rebuild and views are checked again and again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from engine.core.bots.bot import Bot
from engine.core.match.causes import Undo
from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent
from tests.support.play.observed import Observed

S = TypeVar("S")


def play_and_check(
    table: Observed[S],
    bots: Mapping[Seat, Bot],
    decisions: int,
    undo_every: int,
    sound: Callable[[S], None] = lambda state: None,
) -> None:
    """Play a number of decisions of bots; check at each question and now and then otherwise. `sound` is called with
    every state at which no question is open."""
    questions = 0
    for turn in range(decisions):
        question = table.match.question
        if question is not None and question.id >= questions:
            questions = question.id + 1
            table.check_log()
        if turn % 25 == 0:
            table.check_views()
        if turn % undo_every == 0:
            for seat in bots:
                undoes(table, seat)
        if not table.play.decide(bots):
            break
        if table.match.question is None:
            sound(table.match.state)
    table.check_log()
    table.check_views()


def undoes(table: Observed[S], seat: Seat) -> bool:
    """Undo acts of this seat where it may; a rule about undo may refuse it."""
    try:
        table.play.do(Undo(seat, bytes(16)))
    except IllegalIntent as refused:
        code = refused.refusal.code
    else:
        return True
    assert code.startswith("undo/")
    return False
