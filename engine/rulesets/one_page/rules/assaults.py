"""Assaults: a unit moves into contact, on foot, by drive, or straight out of a transport (OP-ACT-03, OP-SR-07)."""

from __future__ import annotations

from typing import Final

from engine.kit.blanks import point
from engine.kit.board.place_fields import bend
from engine.kit.forecasts import Forecast
from engine.kit.rules import Game, Gesture, IllegalIntent, Label, Pending, Seat, Verb, first_passing, forbid, implements
from engine.kit.units import UnitIntent, losses
from engine.rulesets.one_page.rules import (
    activations,
    casualties,
    contact,
    driving,
    facings,
    melee,
    mines,
    moving,
    traits,
    transports,
)
from engine.rulesets.one_page.rules.picking import Choosing, enemies, pick, unit_of, whole
from engine.rulesets.one_page.state import profiles as rules
from engine.rulesets.one_page.state.events import UnitMoved
from engine.rulesets.one_page.state.placing_events import UnitLanded
from engine.rulesets.one_page.state.state import ABOARD, TABLE, Battle
from engine.space.vectors.points import Point
from protocol.ids import GroupId
from protocol.scene.fields import PickPoint

HALF: Final = 2


class Assault(UnitIntent, frozen=True, tag="op.assault"):
    """Assault of a unit on a target, which leads to melee."""

    target: GroupId
    via: tuple[Point, ...] = ()


class Sally(UnitIntent, frozen=True, tag="op.sally"):
    """Assault of a Furious unit out of its transport."""

    target: GroupId


@implements("OP-ACT-03", "OP-MELEE-01")
def check_assault(state: Battle, seat: int, assault: Assault) -> contact.Charge:
    """Return the charge of a unit on its target. Raises IllegalIntent."""
    unit = activations.check_action(state, seat, assault.unit)
    return contact.check_charge(state, unit, contact.check_target(state, unit, assault.target), assault.via)


@implements("OP-ACT-03", "OP-MELEE-01")
async def assault(game: Game[Battle], seat: Seat, assault: Assault) -> None:
    """Move a unit into contact; both sides close in."""
    charge, id = check_assault(game.state, seat, assault), assault.unit
    moving_in = activations.begin(game, id, "assault", assault.target)
    before = game.state
    if charge.path is None:
        facing = facings.at_enemy(before, before.units[id], charge.way[-1], before.units[assault.target])
        game.emit(UnitMoved(id, "assault", charge.way, charge.places, facing))
        await casualties.cross_mines(game, before, id, charge.way)
    elif not await driving.go(game, id, charge.path, "assault"):
        activations.close(game, id)
        moving_in.resolve("stopped")
        return
    await close_in(game, id, assault.target, moving_in)


async def close_in(game: Game[Battle], id: GroupId, target: GroupId, moving_in: Pending[Battle]) -> None:
    """Let the defenders step in, if the mines on its way have left anybody of the unit that has moved into contact."""
    if game.state.units[id].where != TABLE:
        activations.close(game, id)
        moving_in.resolve("stopped")
        return
    stepped = contact.step_in(game.state, game.state.units[target], game.state.units[id])
    if stepped:
        before = game.state
        at = before.leader(before.units[target]).at
        game.emit(UnitMoved(target, "in", (at, at), stepped))
        await casualties.cross_mines(game, before, target)
    moving_in.resolve("done")


@implements("OP-SR-07")
def check_sally(state: Battle, seat: int, sally: Sally) -> contact.Charge:
    """Return the charge of a Furious unit from its transport at half movement. Raises IllegalIntent."""
    unit = activations.check_action(state, seat, sally.unit, ABOARD)
    furious = all(traits.model_has(state, model, rules.FURIOUS) for model in state.members(unit))
    forbid(not furious and rules.FURIOUS not in unit.effects, "assault/not-furious")
    target = contact.check_target(state, unit, sally.target)
    vessel = state.leader(state.units[unit.vessel])
    limit = moving.allowance(state, unit, "assault") // HALF

    def charge(goal: Point) -> contact.Charge:
        way = transports.way_out(state, unit, goal)
        moving.check_way(state, unit, way, limit, (unit.vessel, target.id), dry=True)
        places = contact.around(state, unit, target, goal)
        if places is None:
            raise IllegalIntent("place/no-room")
        return contact.Charge(way, places)

    return first_passing(contact.goals(state, unit, target, vessel.at), charge, "place/no-room")


@implements("OP-SR-07")
async def sally(game: Game[Battle], seat: Seat, sally: Sally) -> None:
    """Assault out of a transport with a Furious unit."""
    charge, id = check_sally(game.state, seat, sally), sally.unit
    moving_in = activations.begin(game, id, "assault", sally.target)
    before = game.state
    game.emit(UnitLanded(id, charge.places))
    await casualties.cross_mines(game, before, id, charge.way)
    await close_in(game, id, sally.target, moving_in)


def _via(draft: Choosing, field: PickPoint) -> PickPoint:
    state, unit = draft.state, unit_of(draft)
    end = contact.check_charge(state, unit, unit_of(draft, "target")).way[-1]
    return bend(field, state.leader(unit).at, end, moving.allowance(state, unit, "assault"))


def _forecast(draft: Choosing) -> Forecast | None:
    """Return the first blows after a charge on foot, None where mines or a drive come first."""
    state, target = draft.state, draft.group("target")
    charge = check_assault(state, draft.seat, Assault(unit_of(draft).id, target, draft.points("via")))
    if charge.path is not None or mines.minefields(state):
        return None
    return melee.forecast_of(state, unit_of(draft).id, target, charge.way[-1])


ASSAULT: Final = Verb(
    Label("assault", "a", "Assault", "Charge into contact, then fight."),
    assault,
    pick("unit", activations.standing, lambda draft, unit: contact.check_prey(draft.state, unit)),
    pick("target", enemies, whole(check_assault, Assault)),
    point("via", _via, auto=True),
    forecast=_forecast,
    counted=losses,
    gesture=Gesture("unit", "target", "group", 1, "charge", ends=True),
)
SALLY: Final = Verb(
    Label("sally", "y", "Sally out", "Furious units assault straight out of their transport, at half the distance."),
    sally,
    pick("unit", activations.riding, only=lambda draft, unit: traits.has(draft.state, unit, rules.FURIOUS)),
    pick("target", enemies, whole(check_sally, Sally)),
    counted=losses,
    gesture=Gesture("unit", "target", "group", 1, "charge", ends=True),
)
