"""Smoke and bombs of vehicles (AE-OPEN-18)."""

from __future__ import annotations

from typing import Final

from engine.kit.rules import Game, Gesture, Label, Seat, Verb, forbid, implements
from engine.kit.units import UnitIntent
from engine.rulesets.apocalypse_earth.rules import (
    activations,
    blasts,
    casualties,
    hulls,
    wrecks,
)
from engine.rulesets.apocalypse_earth.rules.picking import able, pick
from engine.rulesets.apocalypse_earth.state import profiles
from engine.rulesets.apocalypse_earth.state.fire_events import SmokeLaid
from engine.rulesets.apocalypse_earth.state.lasting import Cloud
from engine.rulesets.apocalypse_earth.state.state import POWERS, TABLE, Battle, Unit
from engine.rulesets.apocalypse_earth.state.vehicle_events import SmokeSpent
from protocol.ids import GroupId

SMOKE: Final = profiles.SMOKE


class LaySmoke(UnitIntent, frozen=True, tag="ae.lay_smoke"):
    """Smoke of a vehicle around itself."""


class Detonate(UnitIntent, frozen=True, tag="ae.detonate"):
    """Explosion of a vehicle that is a bomb."""


def _check(state: Battle, seat: int, id: GroupId, trait: str, code: str) -> Unit:
    unit = activations.check_step(state, seat, id, POWERS)
    forbid(unit.where != TABLE or not hulls.has(state, unit, trait), code)
    return unit


@implements("AE-OPEN-18")
def check_smoke(state: Battle, seat: int, id: GroupId) -> Unit:
    """Return a vehicle if it may lay smoke at the end of its move, once a game. Raises IllegalIntent."""
    unit = _check(state, seat, id, SMOKE, "drive/no-smoke")
    forbid(unit.hull.smoked, "drive/no-smoke")
    return unit


@implements("AE-OPEN-18")
async def lay_smoke(game: Game[Battle], seat: Seat, smoke: LaySmoke) -> None:
    """Lay smoke around a vehicle until the end of the next turn."""
    unit = check_smoke(game.state, seat, smoke.unit)
    template = game.state.resolved.traits[SMOKE].template
    assert template is not None
    laying = activations.start(game, "smoke", unit.id, step=POWERS)
    cloud = Cloud(f"smoke.{unit.id}", game.state.leader(unit).at, template.circle, game.state.turn + 1)
    game.emit(SmokeSpent(unit.id), SmokeLaid(cloud))
    laying.resolve("done")


@implements("AE-OPEN-18")
def check_detonate(state: Battle, seat: int, id: GroupId) -> Unit:
    """Return a vehicle if it may blow itself up now. Raises IllegalIntent."""
    return _check(state, seat, id, profiles.BOMB, "drive/no-bomb")


@implements("AE-OPEN-18")
async def detonate(game: Game[Battle], seat: Seat, detonate: Detonate) -> None:
    """Blow up a vehicle that is a bomb, with all around."""
    unit, before = check_detonate(game.state, seat, detonate.unit), game.state.units
    blowing = activations.start(game, "detonate", unit.id)
    wrecks.destroy(game, unit.id, "bomb", seat)
    await blasts.burst(game)
    casualties.settle(game, before)
    blowing.resolve("done")


LAY_SMOKE: Final = Verb(
    Label("lay_smoke", "k", "Lay smoke", "Once a game: smoke all around, until the end of the next turn."),
    lay_smoke,
    pick("unit", able(check_smoke, POWERS)),
    gesture=Gesture("unit", rank=6),
)
DETONATE: Final = Verb(
    Label("detonate", "b", "Blow up", "The vehicle explodes, with everything around it.", "Blow up this vehicle?"),
    detonate,
    pick("unit", able(check_detonate, POWERS)),
    gesture=Gesture("unit", rank=7, ends=True),
    asks=lambda state, seat: True,
)
