"""Prisoners: they walk with their escort, and are freed (AE-POW-01, AE-POW-02)."""

from __future__ import annotations

from typing import Final

from engine.kit.rules import Game, Gesture, Label, Seat, Verb, forbid, implements
from engine.kit.units import UnitIntent
from engine.rulesets.apocalypse_earth.rules.table import sighting, stands, traits
from engine.rulesets.apocalypse_earth.rules.turns import activations
from engine.rulesets.apocalypse_earth.rules.turns.picking import able, pick
from engine.rulesets.apocalypse_earth.state import captive_events as events
from engine.rulesets.apocalypse_earth.state.lasting import Prisoners
from engine.rulesets.apocalypse_earth.state.state import MOVE, TABLE, Battle, Unit
from engine.space.terrain.contact import Base
from engine.space.terrain.gaps import shape_gap
from engine.space.vectors.lattice import places_near
from engine.space.vectors.points import Point, squared, within
from protocol.ids import NO_FIGURE, FigureId, GroupId

BY: Final = 200
"""Greatest distance of prisoners from their escort."""
WALK: Final = 1200
STEP_WIDE: Final = 50


class Escort(UnitIntent, frozen=True, tag="ae.escort"):
    """Take-over of the prisoners of a unit by another escort."""

    prisoners: GroupId


def _near(state: Battle, group: Prisoners, unit: Unit) -> list[bool]:
    """Tell of each prisoner of a group if he is near enough to a unit."""
    own = [sighting.shape(state, figure) for figure in state.members(unit)]
    held = [Base(id, state.figures[id].at, traits.RADIUS) for id in group.figures]
    return [any(shape_gap(one, other) <= BY for other in own) for one in held]


@implements("AE-POW-02")
def is_by(state: Battle, group: Prisoners, unit: Unit) -> bool:
    """Tell if all prisoners of a group are near enough to a unit."""
    return unit.where == TABLE and all(_near(state, group, unit))


@implements("AE-POW-01")
def after_move(game: Game[Battle], id: GroupId) -> None:
    """Let prisoners follow the unit that escorts them, and be freed by one of their own side."""
    unit = game.state.units[id]
    if unit.suppressed:
        return
    for group in game.state.prisoners:
        if group.escort == id:
            places = _following(game.state, group, unit)
            if places:
                game.emit(events.CarriedAlong(places))
        elif _is_open(game.state, group, unit) and any(_near(game.state, group, unit)):
            game.emit(events.PrisonersFreed(group.unit))


def _is_open(state: Battle, group: Prisoners, unit: Unit) -> bool:
    """Tell if a unit can free prisoners: of their side, and nobody guards them."""
    escort = state.units[group.escort]
    guarded = escort.where == TABLE and not escort.suppressed and is_by(state, group, escort)
    return not guarded and state.side(state.units[group.unit].owner) == state.side(unit.owner)


@implements("AE-POW-01")
def _following(state: Battle, group: Prisoners, unit: Unit) -> dict[FigureId, Point]:
    """Return the places beside their escort to which prisoners walk; those who do not get there stay."""
    room, found = stands.StandRoom(state, unit), dict[FigureId, Point]()
    held = [state.figures[id].at for other in state.prisoners for id in other.figures if other != group]
    taken = [figure.at for figure in state.members(unit)] + held
    for id in group.figures:
        start, apart = state.figures[id].at, [*taken, *found.values()]
        guards = sorted(state.members(unit), key=lambda figure: squared(figure.at, start))
        spots = (at for guard in guards for at in places_near(guard.at, STEP_WIDE, BY + 2 * traits.RADIUS))
        end = next((at for at in spots if within(start, at, WALK) and _is_free(room, at, apart)), None)
        if end is not None:
            found[id] = end
    return found


def _is_free(room: stands.StandRoom, at: Point, apart: list[Point]) -> bool:
    near = any(squared(at, other) < (2 * traits.RADIUS) ** 2 for other in apart)
    return not near and not room.fault(Base(NO_FIGURE, at, traits.RADIUS))


@implements("AE-POW-01", "AE-SEAT-03")
def check_taker(state: Battle, seat: int, id: GroupId) -> list[GroupId]:
    """Return the units whose prisoners a unit may take over from another of its seat. Raises IllegalIntent."""
    unit = activations.check_step(state, seat, id, MOVE)
    held = [group for group in state.prisoners if group.captor == seat and group.escort != id]
    forbid(not held, "escort/none")
    near = [group.unit for group in held if is_by(state, group, unit)]
    forbid(not near, "escort/far")
    return near


@implements("AE-POW-01")
async def escort(game: Game[Battle], seat: Seat, escort: Escort) -> None:
    """Take prisoners over; the move is still to come."""
    forbid(escort.prisoners not in check_taker(game.state, seat, escort.unit), "escort/none")
    taking = activations.start(game, "escort", escort.unit)
    game.emit(events.EscortChanged(escort.prisoners, escort.unit))
    taking.resolve("done")


ESCORT: Final = Verb(
    Label("escort", "q", "Take prisoners over", "They walk with this unit from now on."),
    escort,
    pick("unit", able(check_taker, MOVE)),
    pick(
        "prisoners",
        lambda draft: [draft.state.units[id] for id in check_taker(draft.state, draft.seat, draft.group("unit"))],
    ),
    gesture=Gesture("unit", rank=7),
)
