"""Winners of a close combat close ranks: figures out of coherency step back to their unit (AE-ASLT-10)."""

from __future__ import annotations

from typing import Final

from engine.kit.rules import Game, implements
from engine.rulesets.apocalypse_earth.rules import coherency, stands, traits
from engine.rulesets.apocalypse_earth.state.move_events import FiguresMoved
from engine.rulesets.apocalypse_earth.state.state import TABLE, Battle, Unit
from engine.space.terrain.contact import Base
from engine.space.vectors.lattice import places_near
from engine.space.vectors.points import Point, squared
from protocol.ids import FigureId, GroupId

STEP: Final = 50
FAR: Final = 6000
"""Places are looked for so far from where a figure stands."""


@implements("AE-ASLT-10", "AE-BLD-07")
def close_ranks(game: Game[Battle], id: GroupId) -> None:
    """Bring figures of a unit that are out of coherency to the nearest free places in it, at no cost."""
    unit = game.state.units[id]
    if unit.where != TABLE:
        return
    for figure in coherency.out_of_chain(game.state, unit):
        at = _nearest(game.state, unit, figure)
        if at is not None:
            game.emit(FiguresMoved(id, {figure: at}, "ranks"))


def _nearest(state: Battle, unit: Unit, figure: FigureId) -> Point | None:
    """Return the free place nearest to a figure that is linked to its leader's chain; None without one."""
    out = coherency.out_of_chain(state, unit)
    chain = [one.at for one in state.members(unit) if one.id not in out]
    others = [one.at for one in state.members(unit) if one.id != figure]
    reach = (stands.link(state, unit) + 2 * traits.RADIUS) ** 2
    room = stands.StandRoom(state, unit)
    for at in places_near(state.figures[figure].at, STEP, FAR):
        if any(squared(at, one) <= reach for one in chain):
            apart = all(squared(at, one) >= (2 * traits.RADIUS) ** 2 for one in others)
            if apart and not room.fault(Base(figure, at, traits.RADIUS)):
                return at
    return None
