"""Rule system of nothing but dice: a seat throws, in a new round or in the current one, and may be asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, cast

import msgspec

from engine.core.rules.audience import Seat
from engine.core.rules.defaults import Defaults
from engine.core.rules.dice import Pool
from engine.core.rules.events import Event
from engine.core.rules.game import Game
from engine.core.rules.questions import confirm
from engine.core.rules.system import Intent, Procedure, System, Turn
from protocol.text import Text

CARDS: Final = tuple(f"card-{n:02}" for n in range(20))


class Throws(msgspec.Struct, frozen=True):
    """State: the number of throws made, and of seats."""

    seats: int
    made: int = 0


class Thrown(Event[Throws], frozen=True, tag="thrown"):
    def apply(self, state: Throws) -> Throws:
        return msgspec.structs.replace(state, made=state.made + 1)


class Throw(Intent, frozen=True, tag="throw"):
    """`dice` rolls of one die each, after a new round has begun where `is_round`; `shuffles`: a deck first; `draws`: a
    card; `asks`: whoever throws is asked afterwards whether that is all."""

    dice: int = 3
    is_round: bool = True
    shuffles: bool = False
    draws: bool = False
    asks: bool = False


async def throw(game: Game[Throws], seat: Seat, intent: Throw) -> None:
    if intent.is_round:
        await game.round()
    if intent.shuffles:
        game.deck("cards").new(CARDS)
    for _ in range(intent.dice):
        game.roll(Pool(1), "throw", seat)
    if intent.draws:
        game.deck("cards").draw(1)
    if intent.asks:
        await game.ask(seat, confirm(Text("done"), Text("y"), Text("n"), default=True), "done")
    game.emit(Thrown())


class ThrowRules(Defaults[Throws]):
    """Rules without an order of play or an end."""

    name = "throws"
    RULES = 1
    state = Throws
    events = (Thrown,)
    intents = (Throw,)

    @property
    def rules(self) -> ThrowRules:
        return self

    def start(self, resolved: bytes, seats: int) -> Throws:
        return Throws(seats)

    def procedure(self, game: Game[Throws], seat: Seat, intent: Throw) -> Procedure:
        return throw(game, seat, intent)

    def flow(self, game: Game[Throws]) -> Procedure | None:
        return None

    def turn(self, state: Throws) -> Mapping[Seat, Turn]:
        return {Seat(seat): Turn(Throw()) for seat in range(state.seats)}

    def result(self, state: Throws) -> None:
        """Return no result."""


THROWS: Final = cast("System[Throws]", ThrowRules())
