"""The duel with acts that roll at once, for strict tables: to gamble changes nothing else, to dare may fail."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from engine.core.rules.audience import Seat
from engine.core.rules.dice import Pool
from engine.core.rules.system import Intent, Procedure
from protocol.scene.nodes import Choice, Reply
from protocol.text import Text
from server.content.systems import Installed, install
from tests.support.systems.duel import TOML, Duel, DuelRules
from tests.support.systems.duel_state import DuelState

if TYPE_CHECKING:
    from engine.core.rules.game import Game


class Gamble(Intent, frozen=True, tag="gamble"):
    pass


class Dare(Intent, frozen=True, tag="dare"):
    """A fault: raises where the sum of the dice is odd."""


class GamblersRules(DuelRules):
    """The procedures of the duel, and those of two acts more."""

    def procedure(self, game: Game[DuelState], seat: Seat, intent: Intent) -> Procedure:
        match intent:
            case Gamble():
                return gamble(game, seat)
            case Dare():
                return dare(game, seat)
        return super().procedure(game, seat, intent)


async def gamble(game: Game[DuelState], seat: Seat) -> None:
    """Roll three times."""
    for _ in range(3):
        game.roll(Pool(2), "duel.strike", seat)


async def dare(game: Game[DuelState], seat: Seat) -> None:
    """Roll, and fail in half of all cases."""
    if game.roll(Pool(2), "duel.strike", seat).total % 2:
        raise ZeroDivisionError


class Gamblers(Duel):
    """The system; by name it is the duel."""

    intents: Sequence[type[Intent]] = (*Duel.intents, Gamble, Dare)

    def __init__(self) -> None:
        super().__init__()
        self.rules = GamblersRules()

    def parse(self, state: DuelState, seat: Seat, reply: Reply) -> Intent:
        more: dict[str, Intent] = {"gamble": Gamble(), "dare": Dare()}
        return more.get(reply.choice) or super().parse(state, seat, reply)

    def _choices(self, state: DuelState, seat: Seat) -> tuple[Choice, ...]:
        more = (Choice(id, Text(f"duel.{id}")) for id in ("gamble", "dare"))
        return (*super()._choices(state, seat), *more)


GAMBLERS: Final[dict[str, Installed]] = {"duel": install(Gamblers(), {"duel.toml": TOML})}
