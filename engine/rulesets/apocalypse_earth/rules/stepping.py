"""Steps of single figures by the rules: out of a fire, and back into coherency after a fight (AE-FIRES-03,
AE-ASLT-10)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from engine.kit.rules import Game, implements
from engine.rulesets.apocalypse_earth.rules import coherency, ground, stands, surrender, traits
from engine.rulesets.apocalypse_earth.state.move_events import FiguresMoved, MarchEnded
from engine.rulesets.apocalypse_earth.state.state import TABLE, Battle, Unit
from engine.space.terrain.contact import Base
from engine.space.vectors.lattice import nearest_place
from engine.space.vectors.points import Point, floor_sqrt, squared, within
from protocol.ids import FigureId, GroupId

STEP: Final = 25
FAR: Final = 2000
"""Places are looked for so far from where a figure stands."""


def free_place(state: Battle, unit: Unit, figure: FigureId, near: Collection[Point] = ()) -> Point | None:
    """Return the free place nearest to a figure, linked to one of some places where there are any; None without one."""
    room, reach = stands.StandRoom(state, unit), stands.link(state, unit) + 2 * traits.RADIUS
    others = [one.at for one in state.members(unit) if one.id != figure]

    def is_free(at: Point) -> bool:
        if near and not any(within(at, one, reach) for one in near):
            return False
        apart = all(squared(at, one) >= (2 * traits.RADIUS) ** 2 for one in others)
        return apart and not room.fault(Base(figure, at, traits.RADIUS))

    return nearest_place(state.figures[figure].at, is_free, STEP, FAR)


@implements("AE-ASLT-10")
def close_ranks(game: Game[Battle], id: GroupId) -> None:
    """Bring figures of a unit that are out of coherency to the nearest free places in it, at no cost."""
    unit = game.state.units[id]
    for figure in coherency.out_of_chain(game.state, unit) if unit.where == TABLE else ():
        out = coherency.out_of_chain(game.state, unit)
        chain = [one.at for one in game.state.members(unit) if one.id not in out]
        at = free_place(game.state, unit, figure, chain)
        if at is not None:
            game.emit(FiguresMoved(id, {figure: at}, "ranks"))


@implements("AE-FIRES-03")
def must_leave(state: Battle, unit: Unit) -> bool:
    """Tell if a unit has to get out of a fire before anything else: infantry that is caught in one, unless it is
    engaged."""
    if not state.fires or unit.where != TABLE or traits.drives(state, unit) or state.combat_of(unit.id) is not None:
        return False
    return bool(ground.in_fire(state, unit))


@implements("AE-FIRES-03")
def leave(game: Game[Battle], id: GroupId) -> None:
    """Move the figures of a unit that are caught in a fire to the nearest free places outside."""
    unit, spent = game.state.units[id], dict.fromkeys(game.state.units[id].figures, 0)
    for figure in ground.in_fire(game.state, unit):
        start, at = game.state.figures[figure].at, free_place(game.state, unit, figure)
        if at is not None:
            spent[figure] = floor_sqrt(squared(start, at))
            game.emit(FiguresMoved(id, {figure: at}, "fire"))
    game.emit(MarchEnded(id, spent))
    surrender.look(game)
