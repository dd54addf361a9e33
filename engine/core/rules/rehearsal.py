"""A procedure run ahead: as far as it goes with nothing left to chance and to nobody's decision."""

from __future__ import annotations

from typing import Any, NoReturn

from engine.core.rules.audience import ALL, Audience, Seat
from engine.core.rules.dice import Pool, Roll
from engine.core.rules.errors import EffectReached
from engine.core.rules.game import Game, RoundWanted, S
from engine.core.rules.questions import Question
from engine.core.rules.system import Procedure


class Rehearsal(Game[S]):
    """A game whose effects change a copy of the state alone. Dice, cards and questions raise EffectReached: it uses
    nothing of the match's chance."""

    def roll(self, pool: Pool, purpose: str, seat: Seat, only: Audience = ALL) -> Roll:
        raise EffectReached

    def shuffle(self, size: int, purpose: str) -> tuple[int, ...]:
        raise EffectReached

    def opaque(self, label: str) -> str:
        raise EffectReached

    def deck(self, name: str) -> NoReturn:
        raise EffectReached

    async def _pause(self, wanted: Question | RoundWanted) -> Any:
        raise EffectReached


def run_ahead(procedure: Procedure) -> None:
    """Run a procedure of a probe or a rehearsal as far as it goes; a rehearsal's `state` is then what it has made.
    Raises IllegalIntent."""
    try:
        procedure.send(None)
    except (EffectReached, StopIteration):
        return
    finally:
        procedure.close()
