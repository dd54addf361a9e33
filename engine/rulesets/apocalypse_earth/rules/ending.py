"""The end of the battle, and a player who leaves it (AE-OPEN-29, AE-SEAT-01)."""

from __future__ import annotations

from engine.kit.rules import Game, Intent, Seat, implements
from engine.rulesets.apocalypse_earth.rules import casualties, hiding, turns
from engine.rulesets.apocalypse_earth.state.state import BATTLE, GONE, TABLE, Battle
from engine.rulesets.apocalypse_earth.state.turn_events import BattleEnded, SeatConceded


class ConcedeBattle(Intent, frozen=True, tag="ae.concede"):
    """Departure of a player with all that is theirs."""


@implements("AE-OPEN-29", "AE-SEAT-04")
def is_beaten(state: Battle) -> bool:
    """Tell if one side at most has a unit left: on the table, aboard, hidden or still to come in."""
    left = {state.side(unit.owner) for unit in state.units.values() if unit.where != GONE}
    return len(left) < 2


@implements("AE-GEN-06")
async def end(game: Game[Battle], why: str) -> None:
    """End the battle; what is hidden is opened."""
    for unit in game.state.in_order():
        hiding.reveal(game, unit.id, "open")
    game.emit(BattleEnded(why))


@implements("AE-SEAT-01")
async def concede(game: Game[Battle], seat: Seat, intent: ConcedeBattle) -> None:
    """Reveal and remove all units of a player, which count as destroyed; the turn goes on without them."""
    for unit in list(game.state.own(seat)):
        if unit.where == TABLE:
            hiding.reveal(game, unit.id, "open")
        casualties.fall(game, unit.id, unit.figures, how="left")
    game.emit(SeatConceded(seat))
    if is_beaten(game.state):
        await end(game, "left")
    elif game.state.phase == BATTLE and game.state.acting == seat and game.state.active is None:
        turns.hand_over(game, seat)
