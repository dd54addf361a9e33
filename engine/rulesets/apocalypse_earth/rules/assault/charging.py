"""Charges: the order, its check, the way into contact, and what follows there (AE-ASLT-01, AE-ASLT-03)."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Final

import msgspec
from msgspec.structs import replace

from engine.core.rules.errors import is_legal
from engine.kit import distributions, forecasts
from engine.kit.blanks import Filled, Hint, hint, places
from engine.kit.rules import Forecast, Game, Gesture, Label, Seat, Verb, forbid, implements
from engine.kit.units import UnitIntent, losses
from engine.rulesets.apocalypse_earth.rules.assault import approaches, combats, duels
from engine.rulesets.apocalypse_earth.rules.fire import contact, firing
from engine.rulesets.apocalypse_earth.rules.harm import casualties
from engine.rulesets.apocalypse_earth.rules.moves import marching, moving, planning, reactions
from engine.rulesets.apocalypse_earth.rules.table import sighting, traits
from engine.rulesets.apocalypse_earth.rules.turns import activations, coherency, morale, surrender, turns
from engine.rulesets.apocalypse_earth.rules.turns.picking import Choosing, able, marched, pick, unit_of
from engine.rulesets.apocalypse_earth.state import names
from engine.rulesets.apocalypse_earth.state.combat_events import ChargeOrdered
from engine.rulesets.apocalypse_earth.state.lasting import Combat, March
from engine.rulesets.apocalypse_earth.state.state import POWERS, TABLE, Battle, Unit
from engine.space.vectors.points import Point
from protocol.ids import NO_FIGURE, NO_GROUP, FigureId, GroupId
from protocol.scene.fields import Pieces, Way
from protocol.text import Text

CHECK: Final = "charge"


class Charge(UnitIntent, frozen=True, tag="ae.charge"):
    """Charge of a unit at a target; without a way, as the rules draw it. `lead`: without one, the first figure that may
    be it."""

    target: GroupId
    way: tuple[Point, ...] = ()
    lead: FigureId = NO_FIGURE
    places: dict[FigureId, Point] = msgspec.field(default_factory=dict)


@implements("AE-ASLT-01", "AE-TURN-02")
def check_charger(state: Battle, seat: int, id: GroupId) -> Unit:
    """Return a unit that may be ordered to charge: infantry that has neither moved nor done anything in place of its
    fire; powers it may have used. Raises IllegalIntent."""
    unit = activations.check_step(state, seat, id, POWERS)
    forbid(unit.where != TABLE or traits.drives(state, unit), "move/on-foot")
    forbid(unit.fired, "charge/fired")
    forbid(state.active is not None and bool(state.active.spent), "charge/moved")
    return unit


@implements("AE-ASLT-01", "AE-SEAT-04", "AE-ASLT-10")
def check_target(state: Battle, unit: Unit, target: GroupId) -> Unit:
    """Return a target that a unit may charge: a visible enemy; one that is engaged only by a side that is in that
    combat, a vehicle only with what harms it. Raises IllegalIntent."""
    found = state.check_foe(unit.owner, target, "charge/no-target")
    node, combat = names.group_node(target), state.combat_of(target)
    theirs = {state.side(state.units[id].owner) for id in combat.units} if combat is not None else ()
    forbid(theirs and state.side(unit.owner) not in theirs, "charge/their-fight", node)
    forbid(firing.is_in_dust(state, found), "fire/dust", node)
    armed = any(contact.close_weapons(state, figure) for figure in state.members(unit))
    forbid(traits.drives(state, found) and not armed, "charge/no-explosives", node)
    forbid(not sighting.sees(state, unit, found), "charge/no-sight", node)
    return found


@implements("AE-ASLT-01")
def check_charge(state: Battle, seat: int, charge: Charge) -> March:
    """Return the march of a charge. Raises IllegalIntent."""
    unit = check_charger(state, seat, charge.unit)
    target = check_target(state, unit, charge.target)
    if not charge.way:
        return approaches.approach(state, unit.id, target.id, charge.lead)
    lead = charge.lead or planning.lead_of(state, unit)
    return approaches.planned(state, unit, target, lead, charge.way, charge.places)


@implements("AE-ASLT-01")
async def charge(game: Game[Battle], seat: Seat, charge: Charge) -> None:
    """Order a unit to charge: it checks, or is suppressed where it stands; then it goes into contact under the fire of
    the enemy, for whose casualties it does not check, and fights."""
    march = check_charge(game.state, seat, charge)
    id, target = charge.unit, charge.target
    start = game.state.figures[march.lead].at
    charging = activations.start(game, "charge", id, target)
    game.emit(ChargeOrdered(id, target))
    turns.rouse(game, target)
    how = "refused"
    if traits.under(game.state.units[id], traits.FRENZY) or morale.check(game, id, CHECK):
        how = await _meet(game, id, target, start) if await marching.carry_out(game, march) else "stopped"
    surrender.look(game)
    charging.resolve(how)
    activations.end(game, id)


@implements("AE-ASLT-01")
async def _meet(game: Game[Battle], id: GroupId, target: GroupId, start: Point) -> str:
    """Let a unit that has come to the end of its charge fight, if any of it is in contact."""
    state = game.state
    foe = state.units[target]
    figures = contact.touching(state, state.units[id], foe)
    if not figures:
        coherency.check_figures(game, id)
        return "stopped"
    if not traits.drives(state, foe):
        return await combats.engage(game, id, target, start)
    await contact.strike(game, id, target, figures)
    casualties.settle(game, state.units)
    return "done"


def _odds(draft: Choosing, target: Unit) -> Hint:
    """Describe a charge: the distance, the numbers on both sides, and the chance of the first duel in percent."""
    state, unit = draft.state, unit_of(draft)
    numbers = {"cm": -(-sighting.distance(state, unit, target) // 100), "duel": 0}
    numbers |= {"figures": len(unit.figures), "against": len(target.figures)}
    if not traits.drives(state, target):
        covers = combats.covers_of(state, target, state.leader(unit).at)
        combat = Combat(0, (unit.id,), (target.id,), fresh=(unit.id,), covers=covers)
        own, other = (duels.bonus(state, combat, one.figures[-1]) for one in (unit, target))
        numbers["duel"] = int(100 * duels.chance(own - other))
    return hint("ae.hint.charge", numbers)


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


def _charge_of(draft: Choosing) -> Charge:
    """Return the charge that is filled in."""
    way = draft.way("way") if draft.has("way") else ()
    lead = draft.figure("lead") if draft.has("lead") else NO_FIGURE
    return Charge(draft.group("unit"), draft.group("target"), way, lead, draft.places("places"))


def _chargers(draft: Choosing) -> list[Unit]:
    """Return the units that might charge: whether those that do not act yet get at anybody is not looked into."""
    state, seat, units = draft.state, draft.seat, able(check_charger, POWERS)(draft)
    if state.active is None:
        return units
    charges = {one.id: [Charge(one.id, foe.id) for foe in state.enemies(seat)] for one in units}
    return [one for one in units if any(is_legal(partial(check_charge, state, seat, go)) for go in charges[one.id])]


def _march(draft: Choosing, target: GroupId = NO_GROUP) -> March:
    """Return the march of the charge that is filled in, or of one at a target. Raises IllegalIntent."""
    charge = Charge(draft.group("unit"), target) if target else _charge_of(draft)
    return check_charge(draft.state, draft.seat, charge)


@implements("AE-ASLT-01", "AE-ASLT-04")
def _forecast(draft: Choosing) -> Forecast | None:
    """Return what a charge at a suppressed unit takes, which surrenders to any that comes; None where somebody is asked
    before that."""
    state, charge = draft.state, _charge_of(draft)
    march = check_charge(state, draft.seat, charge)
    unit, target = state.units[charge.unit], state.units[charge.target]
    if not target.suppressed or traits.drives(state, target) or reactions.concerned(state, march):
        return None
    comes = Fraction(1) if traits.under(unit, traits.FRENZY) else morale.chance(state, unit, CHECK)
    return forecasts.forecast(distributions.of_chances({len(target.figures): comes, 0: 1 - comes}))


CHARGE: Final = Verb(
    Label("charge", "a", "Charge", "6 cm more than its rating, after a check. It does not fire in this turn."),
    charge,
    pick("unit", _chargers),
    pick("target", lambda draft: draft.state.enemies(draft.seat), lambda draft, foe: _march(draft, foe.id), _odds),
    Filled(Pieces("lead", Text(""), lazy=True, auto=True), how=_lead),
    Filled(Way("way", Text(""), lazy=True, auto=True, most=planning.CORNERS), how=_way),
    places("places", lambda draft, field: marched(field, _march(draft))),
    make=_charge_of,
    forecast=_forecast,
    counted=losses,
    gesture=Gesture("unit", "target", "group", 1, "charge", ends=True),
)
