"""Ends of an action, of a turn with its administration phase, and of the battle (AE-TURN-01, -02, -04, AE-OPEN-29)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from engine.kit.rules import Game, Gesture, Intent, Label, Seat, Verb, implements
from engine.rulesets.apocalypse_earth.rules.assault import combats
from engine.rulesets.apocalypse_earth.rules.harm import casualties, damage, fires, repairs
from engine.rulesets.apocalypse_earth.rules.moves import overwatch
from engine.rulesets.apocalypse_earth.rules.scenario import scoring
from engine.rulesets.apocalypse_earth.rules.support import support
from engine.rulesets.apocalypse_earth.rules.table import hiding
from engine.rulesets.apocalypse_earth.rules.turns import activations, coherency, rallying, turns
from engine.rulesets.apocalypse_earth.rules.turns.picking import pick
from engine.rulesets.apocalypse_earth.state.state import BATTLE, GONE, OVER, TABLE, Battle
from engine.rulesets.apocalypse_earth.state.turn_events import BattleEnded, SeatConceded
from protocol.ids import NO_GROUP, GroupId


class Finish(Intent, frozen=True, tag="ae.finish"):
    """End of the acting unit's action; without one, `unit` acts by doing nothing."""

    unit: GroupId = NO_GROUP


class ConcedeBattle(Intent, frozen=True, tag="ae.concede"):
    """Departure of a player with all that is theirs."""


Step = Callable[[Game[Battle]], Awaitable[None]]
STEPS: Final[tuple[Step, ...]] = (
    combats.fight_out,
    rallying.rally_all,
    support.land_all,
    fires.check_fires,
    overwatch.set_overwatch,
    repairs.repair_all,
    damage.replace_men,
    scoring.end_turn,
)
"""All steps of the administration phase in order; a battle that one side has lost ends after any of them."""


@implements("AE-TURN-01", "AE-TURN-02")
async def finish(game: Game[Battle], seat: Seat, intent: Finish) -> None:
    """End the acting unit's action, or let a unit do nothing: a suppressed one tries to rally all the same, an
    engaged one fights a round. One that was suppressed in its action rallies in the administration phase."""
    unit, begins = activations.check_turn(game.state, seat, intent.unit or game.state.acts), game.state.active is None
    activations.begin(game, unit.id)
    if begins:
        _do_duty(game, unit.id)
    activations.end(game, unit.id)


@implements("AE-TURN-01", "AE-TURN-02")
def _do_duty(game: Game[Battle], id: GroupId) -> None:
    """Do for a unit that does nothing else what its action is for: it gets out of a fire, tries to rally, or fights."""
    if coherency.must_leave(game.state, game.state.units[id]):
        coherency.leave(game, id)
    if rallying.may_try(game.state, game.state.units[id]):
        rallying.attempt(game, id)
    combats.fight_round(game, id)


@implements("AE-TURN-04", "AE-OPEN-29")
async def administer(game: Game[Battle]) -> None:
    """Carry out all steps; then the next turn starts, or the battle ends with its last one."""
    for step in STEPS:
        await step(game)
        if is_beaten(game.state):
            await end(game, "destroyed")
            return
    if game.state.turn >= game.state.resolved.scenario.turns:
        await end(game, "turns")
    else:
        await turns.start_turn(game)


@implements("AE-OPEN-29", "AE-SEAT-04")
def is_beaten(state: Battle) -> bool:
    """Tell if one side at most has a unit left: on the table, aboard, hidden or still to come in."""
    return len({state.side(unit.owner) for unit in state.units.values() if unit.where != GONE}) < 2


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


STAND: Final = Verb(
    Label("stand", "i", "Do nothing", "The unit has then acted. It may still give defensive fire."),
    finish,
    pick("unit", lambda draft: activations.acting(draft.state, draft.seat, OVER)),
    when=lambda state, seat: state.phase == BATTLE and state.active is None,
    gesture=Gesture("unit", rank=9, ends=True),
)
