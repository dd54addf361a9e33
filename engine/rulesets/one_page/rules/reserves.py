"""Units not placed by hand: those kept in reserve, and the rest, which the rules place (OP-SETUP-03, OP-SR-02)."""

from __future__ import annotations

from typing import Final

from engine.kit.rules import Game, Gesture, Intent, Label, Seat, Verb, forbid, implements
from engine.kit.units import UnitIntent
from engine.rulesets.one_page.rules import traits
from engine.rulesets.one_page.rules.deployment import check_placing, facing_of, first_place, to_place_now
from engine.rulesets.one_page.rules.picking import pick
from engine.rulesets.one_page.state import profiles as rules
from engine.rulesets.one_page.state.placing_events import UnitKept, UnitPlaced
from engine.rulesets.one_page.state.state import Battle, Unit


class Keep(UnitIntent, frozen=True, tag="op.keep"):
    """Stay of a unit that can Deep Strike in reserve, or for another round there."""


class DeployRest(Intent, frozen=True, tag="op.deploy_rest"):
    """Placing of all remaining units where there is room."""


@implements("OP-SR-02")
def may_wait(state: Battle, unit: Unit) -> bool:
    """Tell if a unit may stay in reserve: one with Deep Strike, and for another round any that could arrive now."""
    return state.phase == "reserves" or traits.has(state, unit, rules.DEEP_STRIKE)


@implements("OP-SR-02")
async def keep(game: Game[Battle], seat: Seat, keep: Keep) -> None:
    """Keep a unit with Deep Strike in reserve; one that could arrive waits for another round."""
    unit = check_placing(game.state, seat, keep.unit)
    forbid(not may_wait(game.state, unit), "deploy/no-reserve")
    game.emit(UnitKept(unit.id))


@implements("OP-SETUP-03", "OP-SR-02")
async def place_rest(game: Game[Battle], seat: Seat, intent: DeployRest) -> None:
    """Place all remaining units where there is room; a unit without room is kept in reserve."""
    forbid(not game.state.placing, "deploy/not-now")
    for id in game.state.placing:
        unit = game.state.units[id]
        places = first_place(game.state, unit)
        if places is None:
            game.emit(UnitKept(id))
        else:
            facing = facing_of(game.state, seat) if traits.is_machine(game.state, unit) else 0
            game.emit(UnitPlaced(id, places, facing))


KEEP: Final = Verb(
    Label("keep", "k", "Keep in reserve", "From round 2 on, roll each round to see if it arrives."),
    keep,
    pick("unit", to_place_now, only=lambda draft, unit: may_wait(draft.state, unit)),
    gesture=Gesture("unit", rank=5),
)
REST: Final = Verb(
    Label("rest", "e", "Deploy the rest", "Place everything that is left where there is room."),
    place_rest,
    when=lambda state, seat: state.placing,
    gesture=Gesture(rank=9, ends=True),
)
