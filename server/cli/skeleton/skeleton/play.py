"""Play: all verbs and events, and the order of play."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.core.rules.audience import Seat
from engine.core.rules.defaults import DefaultRules
from engine.core.rules.game import Game
from engine.core.rules.system import Procedure, Turn
from engine.kit.verbs import Verbs

from .content import SEATS
from .moving import MOVE
from .shooting import SHOOT
from .state import Battle, FiguresKilled, GroupDone, GroupMoved, RoundStarted
from .turns import HOLD, Hold, is_over, new_round

VERBS: Final[Verbs[Battle]] = Verbs((MOVE, SHOOT, HOLD), "skeleton.")
EVENTS: Final = (RoundStarted, GroupMoved, FiguresKilled, GroupDone)


class BattleRules(DefaultRules[Battle]):
    """The order of play."""

    procedure = staticmethod(VERBS.procedure)

    def flow(self, game: Game[Battle]) -> Procedure | None:
        """Begin a round when all have acted."""
        waits = is_over(game.state) or any(game.state.ready(seat) for seat in range(SEATS) if game.state.round)
        return None if waits else new_round(game)

    def turn(self, state: Battle) -> Mapping[Seat, Turn]:
        """Return the seat that acts; time running out holds its first group."""
        groups = state.ready(state.acting) if state.round and not is_over(state) else []
        return {Seat(state.acting): Turn(Hold(groups[0].id))} if groups else {}
