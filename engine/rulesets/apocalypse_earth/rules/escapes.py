"""The shortest way out of a fire (AE-FIRES-03)."""

from __future__ import annotations

from typing import Final

from engine.kit.rules import Game, implements
from engine.rulesets.apocalypse_earth.rules import ground, stands, surrender, traits
from engine.rulesets.apocalypse_earth.state.move_events import FiguresMoved, MarchEnded
from engine.rulesets.apocalypse_earth.state.state import TABLE, Battle, Unit
from engine.space.terrain.contact import Base
from engine.space.vectors.lattice import nearest_place
from engine.space.vectors.points import Point, floor_sqrt, squared
from protocol.ids import FigureId, GroupId

STEP: Final = 25
FAR: Final = 2000


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
        start, at = game.state.figures[figure].at, _nearest(game.state, unit, figure)
        if at is not None:
            spent[figure] = floor_sqrt(squared(start, at))
            game.emit(FiguresMoved(id, {figure: at}, "fire"))
    game.emit(MarchEnded(id, spent))
    surrender.look(game)


def _nearest(state: Battle, unit: Unit, figure: FigureId) -> Point | None:
    room = stands.StandRoom(state, unit)
    others = [one.at for one in state.members(unit) if one.id != figure]

    def is_free(at: Point) -> bool:
        apart = all(squared(at, one) >= (2 * traits.RADIUS) ** 2 for one in others)
        return apart and not room.fault(Base(figure, at, traits.RADIUS))

    return nearest_place(state.figures[figure].at, is_free, STEP, FAR)
