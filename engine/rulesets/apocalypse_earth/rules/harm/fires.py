"""Fires as they spread and go out, and units that get out of them (AE-FIRES-02, AE-FIRES-03)."""

from __future__ import annotations

from typing import Final

from engine.kit.rules import Game, Gesture, Label, Pool, Seat, Verb, forbid, implements
from engine.kit.units import UnitIntent
from engine.rulesets.apocalypse_earth.rules.harm import blasts, buildings, casualties
from engine.rulesets.apocalypse_earth.rules.table import ground
from engine.rulesets.apocalypse_earth.rules.turns import activations, coherency, rallying
from engine.rulesets.apocalypse_earth.rules.turns.picking import able, pick
from engine.rulesets.apocalypse_earth.state.state import MOVE, NOBODY, POWERS, Battle, Unit
from engine.space.terrain.gaps import outlines_gap
from protocol.ids import GroupId

FIRES: Final = "ae.dice.fire"
SPREAD: Final = "ae.dice.spread"
OUT, SPREADS = 1, 6
LEAP: Final = 1200
"""AE-FIRES-02: how far a fire spreads."""


class Escape(UnitIntent, frozen=True, tag="ae.escape"):
    """Way of a unit out of a fire, which is its move."""


@implements("AE-FIRES-02")
async def check_fires(game: Game[Battle]) -> None:
    """Roll a die for every fire that began before this turn, in the order in which they began: it goes out, burns on,
    or spreads as well."""
    before, turn = game.state.units, game.state.turn
    for fire in [one for one in game.state.fires if one.since < turn]:
        if fire not in game.state.fires:
            continue
        face = game.roll(Pool(1), FIRES, Seat(NOBODY)).total
        if face == OUT:
            buildings.burn_out(game, fire.feature)
            continue
        await buildings.burn(game, fire.feature)
        near = nearest(game.state, fire.feature) if face == SPREADS else []
        if near:
            chosen = game.roll(Pool(1, len(near)), SPREAD, Seat(NOBODY)).total - 1 if len(near) > 1 else 0
            own = ground.feature(game.state, fire.feature).outline
            parts = buildings.part(game, ground.feature(game.state, near[chosen]))
            gaps = [outlines_gap(own, one.outline) for one in parts]
            await buildings.start(game, parts[gaps.index(min(gaps))].id, spread=True)
    await blasts.burst(game)
    casualties.settle(game, before)


@implements("AE-FIRES-02")
def nearest(state: Battle, feature: str) -> list[str]:
    """Return the pieces that can catch fire nearest to a burning one, edge to edge and within 12 cm: several where they
    are equally near."""
    own = ground.feature(state, feature).outline
    gaps = {one.id: outlines_gap(own, one.outline) for one in state.features if buildings.catches(state, one)}
    least = min([gap for gap in gaps.values() if gap <= LEAP], default=-1)
    return [id for id, gap in gaps.items() if gap == least]


@implements("AE-FIRES-03")
def check_escape(state: Battle, seat: int, id: GroupId) -> Unit:
    """Return a unit that has to get out of a fire. Raises IllegalIntent."""
    unit = activations.check_turn(state, seat, id)
    forbid(not coherency.must_leave(state, unit), "escape/no-fire")
    return unit


async def escape(game: Game[Battle], seat: Seat, escape: Escape) -> None:
    """Get a unit out of the fire, which is its move; a suppressed one then tries to rally."""
    unit = check_escape(game.state, seat, escape.unit)
    leaving = activations.start(game, "escape", unit.id)
    coherency.leave(game, unit.id)
    activations.take(game, POWERS)
    leaving.resolve("done")
    if rallying.may_try(game.state, game.state.units[unit.id]):
        rallying.attempt(game, unit.id)
    if game.state.units[unit.id].suppressed or unit.suppressed:
        activations.end(game, unit.id)


ESCAPE: Final = Verb(
    Label("escape", "o", "Out of the fire", "By the shortest way. That is its move."),
    escape,
    pick("unit", able(check_escape, MOVE)),
    gesture=Gesture("unit", rank=1),
)
