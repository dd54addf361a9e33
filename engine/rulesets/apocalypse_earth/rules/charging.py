"""Charges: the order, its check, the way into contact, and what follows there (AE-ASLT-01, AE-ASLT-03)."""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec.structs import replace

from engine.kit.blanks import Filled, Hint, hint, places
from engine.kit.rules import Game, Gesture, Intent, Label, Seat, Verb, forbid, implements
from engine.kit.units import losses
from engine.rulesets.apocalypse_earth.rules import (
    activations,
    alarm,
    approaches,
    coherency,
    combats,
    contact_weapons,
    duels,
    effects,
    firing,
    marching,
    morale,
    moving,
    planning,
    sieges,
    sighting,
    surrender,
    traits,
)
from engine.rulesets.apocalypse_earth.rules.picking import Choosing, others_at, pick, unit_of
from engine.rulesets.apocalypse_earth.state import names
from engine.rulesets.apocalypse_earth.state.combat_events import ChargeOrdered
from engine.rulesets.apocalypse_earth.state.lasting import Combat, March
from engine.rulesets.apocalypse_earth.state.state import FIRE, TABLE, Battle, Unit
from engine.space.vectors.points import Point
from protocol.ids import NO_FIGURE, FigureId, GroupId
from protocol.scene.fields import Pieces, Placement, Way
from protocol.text import Text

CHECK: Final = "charge"


class Charge(Intent, frozen=True, tag="ae.charge"):
    """Charge of a unit at a target; without a way, as the rules draw it. `lead`: the leader without another."""

    unit: GroupId
    target: GroupId
    way: tuple[Point, ...] = ()
    lead: FigureId = NO_FIGURE
    places: dict[FigureId, Point] = msgspec.field(default_factory=dict)


@implements("AE-ASLT-01", "AE-TURN-02")
def check_charger(state: Battle, seat: int, id: GroupId) -> Unit:
    """Return a unit that may be ordered to charge: infantry that has neither moved nor fired; powers it may have used.
    Raises IllegalIntent."""
    unit = activations.check_step(state, seat, id, FIRE)
    forbid(unit.where != TABLE or traits.drives(state, unit), "move/on-foot")
    forbid(unit.fired, "charge/fired")
    forbid(state.active is not None and bool(state.active.spent), "charge/moved")
    return unit


@implements("AE-SEAT-04", "AE-ASLT-10")
def is_their_fight(state: Battle, unit: Unit, target: GroupId) -> bool:
    """Tell if an enemy is engaged with a side other than a unit's own."""
    combat = state.combat_of(target)
    return combat is not None and state.side(unit.owner) not in {
        state.side(state.units[id].owner) for id in combat.units
    }


@implements("AE-ASLT-01")
def check_target(state: Battle, unit: Unit, target: GroupId) -> Unit:
    """Return a target that a unit may charge: a visible enemy; one that is engaged only by a side that is in that
    combat, a vehicle only with what harms it. Raises IllegalIntent."""
    found = state.check_foe(unit.owner, target, "charge/no-target")
    node = names.group_node(target)
    forbid(is_their_fight(state, unit, target), "charge/their-fight", node)
    forbid(firing.is_in_dust(state, found), "fire/dust", node)
    forbid(traits.drives(state, found) and not sieges.can_storm(state, unit), "charge/no-explosives", node)
    forbid(not sighting.sees(state, unit, found), "charge/no-sight", node)
    return found


@implements("AE-ASLT-01")
def check_charge(state: Battle, seat: int, charge: Charge) -> March:
    """Return the march of a charge. Raises IllegalIntent."""
    unit = check_charger(state, seat, charge.unit)
    target = check_target(state, unit, charge.target)
    if not charge.way:
        return approaches.approach(state, unit.id, target.id, charge.lead)
    return approaches.planned(state, unit, target, charge.lead or unit.leader, charge.way, charge.places)


@implements("AE-ASLT-01")
async def charge(game: Game[Battle], seat: Seat, charge: Charge) -> None:
    """Order a unit to charge: it checks, or is suppressed where it stands; then it goes into contact under the fire of
    the enemy, for whose casualties it does not check, and fights."""
    march = check_charge(game.state, seat, charge)
    id, target = charge.unit, charge.target
    start = game.state.figures[march.lead].at
    charging = activations.declare(game, "charge", id, target)
    activations.begin(game, id)
    game.emit(ChargeOrdered(id, target))
    alarm.rouse(game, target)
    frenzied = effects.has(game.state.units[id], effects.FRENZY)
    how = "refused"
    if frenzied or morale.check(game, id, CHECK):
        how = "stopped"
        arrived = await marching.carry_out(game, march)
        if arrived:
            how = await _meet(game, id, target, start)
    surrender.look(game)
    charging.resolve(how)
    activations.end(game, id)


@implements("AE-ASLT-01")
async def _meet(game: Game[Battle], id: GroupId, target: GroupId, start: Point) -> str:
    """Let a unit that has come to the end of its charge fight, if any of it is in contact."""
    state = game.state
    foe = state.units[target]
    if foe.where != TABLE or not contact_weapons.touching(state, state.units[id], foe):
        coherency.check_figures(game, id)
        return "stopped"
    if traits.drives(state, foe):
        await sieges.storm(game, id, target)
        return "done"
    return await combats.engage(game, id, target, start)


def _chargers(draft: Choosing) -> list[Unit]:
    state = draft.state
    moved = state.active is not None and bool(state.active.spent)
    return [] if moved else [unit for unit in firing.unfired(draft) if not traits.drives(state, unit)]


def _enemies(draft: Choosing) -> list[Unit]:
    return draft.state.enemies(draft.seat)


def _check(draft: Choosing, target: Unit) -> None:
    check_charge(draft.state, draft.seat, Charge(draft.group("unit"), target.id))


def _odds(draft: Choosing, target: Unit) -> Hint:
    """Describe a charge: the distance, the numbers on both sides, and the chance of the first duel in percent."""
    state, unit = draft.state, unit_of(draft)
    numbers = {
        "cm": -(-sighting.distance(state, unit, target) // 100),
        "figures": len(unit.figures),
        "against": len(target.figures),
        "duel": 0 if traits.drives(state, target) else _duel(state, unit, target),
    }
    return hint("ae.hint.charge", numbers)


def _duel(state: Battle, unit: Unit, target: Unit) -> int:
    """Return the chance of a charger to win a first duel, in percent."""
    covers = combats.covers_of(state, target, state.leader(unit).at)
    combat = Combat(0, (unit.id,), (target.id,), fresh=(unit.id,), covers=covers)
    first, other = unit.figures[-1], target.figures[-1]
    return int(100 * duels.chance(duels.bonus(state, combat, first) - duels.bonus(state, combat, other)))


def _lead(draft: Choosing, field: Pieces) -> Pieces:
    """Return a field of the lead, by default the one whose way the rules draw."""
    drawn = approaches.approach(draft.state, draft.group("unit"), draft.group("target"))
    return replace(moving.lead_field(draft, field), default=(names.piece_node(drawn.lead),))


def _way(draft: Choosing, field: Way) -> Way:
    """Return a field of the lead's way, by default that which the rules draw for it."""
    unit, lead = unit_of(draft), moving.lead_of(draft)
    drawn = approaches.approach(draft.state, unit.id, draft.group("target"), lead)
    shown = moving.way_field(draft, field, approaches.limit(draft.state, unit))
    return replace(shown, default=tuple([number for corner in drawn.way[1:] for number in corner]))


def _places(draft: Choosing, field: Placement) -> Placement:
    march = check_charge(draft.state, draft.seat, _charge_of(draft))
    return others_at(field, march.lead, march.way[-1], {id: path[-1] for id, path in march.ways.items()})


def _charge_of(draft: Choosing) -> Charge:
    """Return the charge that is filled in."""
    way = draft.way("way") if draft.has("way") else ()
    lead = draft.figure("lead") if draft.has("lead") else NO_FIGURE
    return Charge(draft.group("unit"), draft.group("target"), way, lead, draft.places("places"))


CHARGE: Final = Verb(
    Label("charge", "a", "Charge", "6 cm more than its rating, after a check. It does not fire in this turn."),
    charge,
    pick("unit", _chargers),
    pick("target", _enemies, _check, _odds),
    Filled(Pieces("lead", Text(""), lazy=True, auto=True), how=_lead),
    Filled(Way("way", Text(""), lazy=True, auto=True, most=planning.CORNERS), how=_way),
    places("places", _places),
    make=_charge_of,
    counted=losses,
    gesture=Gesture("unit", "target", "group", 1, "charge", ends=True),
)
