"""Smoke and bombs of vehicles (AE-OPEN-18)."""

from __future__ import annotations

from typing import Final

from engine.kit.rules import Game, Gesture, Intent, Label, Seat, Verb, forbid, implements
from engine.rulesets.apocalypse_earth.rules import (
    activations,
    blasts,
    casualties,
    hulls,
    wrecks,
)
from engine.rulesets.apocalypse_earth.rules.picking import Choosing, pick
from engine.rulesets.apocalypse_earth.state import profiles
from engine.rulesets.apocalypse_earth.state.fire_events import SmokeLaid
from engine.rulesets.apocalypse_earth.state.lasting import Cloud
from engine.rulesets.apocalypse_earth.state.state import POWERS, TABLE, Battle, Unit
from engine.rulesets.apocalypse_earth.state.vehicle_events import SmokeSpent
from protocol.ids import GroupId

SMOKE: Final = profiles.SMOKE


class LaySmoke(Intent, frozen=True, tag="ae.lay_smoke"):
    """Smoke of a vehicle around itself."""

    unit: GroupId


class Detonate(Intent, frozen=True, tag="ae.detonate"):
    """Explosion of a vehicle that is a bomb."""

    unit: GroupId


@implements("AE-OPEN-18")
def check_smoke(state: Battle, seat: int, smoke: LaySmoke) -> Unit:
    """Return the vehicle if it may lay smoke at the end of its move, once a game. Raises IllegalIntent."""
    unit = activations.check_step(state, seat, smoke.unit, POWERS)
    forbid(unit.where != TABLE or not hulls.has(state, unit, SMOKE) or unit.hull.smoked, "drive/no-smoke")
    return unit


@implements("AE-OPEN-18")
async def lay_smoke(game: Game[Battle], seat: Seat, smoke: LaySmoke) -> None:
    """Lay smoke around a vehicle until the end of the next turn."""
    unit = check_smoke(game.state, seat, smoke)
    template = game.state.resolved.traits[SMOKE].template
    assert template is not None
    laying = activations.declare(game, "smoke", unit.id)
    activations.begin(game, unit.id)
    activations.take(game, POWERS)
    game.emit(SmokeSpent(unit.id))
    cloud = Cloud(f"smoke.{unit.id}", game.state.leader(unit).at, template.circle, game.state.turn + 1)
    game.emit(SmokeLaid(cloud))
    laying.resolve("done")


@implements("AE-OPEN-18")
def check_detonate(state: Battle, seat: int, detonate: Detonate) -> Unit:
    """Return the vehicle if it may blow itself up now. Raises IllegalIntent."""
    unit = activations.check_step(state, seat, detonate.unit, POWERS)
    forbid(unit.where != TABLE or not hulls.has(state, unit, profiles.BOMB), "drive/no-bomb")
    return unit


@implements("AE-OPEN-18")
async def detonate(game: Game[Battle], seat: Seat, detonate: Detonate) -> None:
    """Blow up a vehicle that is a bomb, with all around."""
    unit = check_detonate(game.state, seat, detonate)
    before = dict(game.state.units)
    blowing = activations.declare(game, "detonate", unit.id)
    activations.begin(game, unit.id)
    wrecks.destroy(game, unit.id, "bomb", seat)
    await blasts.burst(game)
    casualties.settle(game, before)
    blowing.resolve("done")


def may_still_lay(state: Battle, unit: Unit) -> bool:
    """Tell if the acting vehicle may still lay smoke or blow itself up."""
    if unit.suppressed or state.active is None or state.active.step > POWERS:
        return False
    has_smoke = hulls.has(state, unit, SMOKE) and not unit.hull.smoked
    return has_smoke or hulls.has(state, unit, profiles.BOMB)


def _with_trait(draft: Choosing, trait: str) -> list[Unit]:
    state = draft.state
    units = activations.acting(state, draft.seat, POWERS)
    return [u for u in units if u.where == TABLE and hulls.has(state, u, trait) and not u.suppressed]


LAY_SMOKE: Final = Verb(
    Label("lay_smoke", "k", "Lay smoke", "Once a game: smoke all around, until the end of the next turn."),
    lay_smoke,
    pick("unit", lambda draft: [u for u in _with_trait(draft, SMOKE) if not u.hull.smoked]),
    gesture=Gesture("unit", rank=6),
)
DETONATE: Final = Verb(
    Label("detonate", "b", "Blow up", "The vehicle explodes, with everything around it.", "Blow up this vehicle?"),
    detonate,
    pick("unit", lambda draft: _with_trait(draft, profiles.BOMB)),
    gesture=Gesture("unit", rank=7, ends=True),
    asks=lambda state, seat: True,
)
