"""Events of prisoners: escorts, moves, the way off the table, freedom."""

from __future__ import annotations

from msgspec.structs import replace

from engine.core.rules.events import tagged
from engine.kit.changes import moves, without
from engine.kit.present.cues import says
from engine.rulesets.apocalypse_earth.state.event_base import BattleEvent, happens, with_unit
from engine.rulesets.apocalypse_earth.state.lasting import Prisoners
from engine.rulesets.apocalypse_earth.state.model import Point
from engine.rulesets.apocalypse_earth.state.state import NOBODY, TABLE, Battle
from protocol.ids import FigureId, GroupId


def _others(state: Battle, unit: GroupId) -> tuple[Prisoners, ...]:
    """Return all prisoners but those of one unit."""
    return tuple([group for group in state.prisoners if group.unit != unit])


class EscortChanged(BattleEvent, frozen=True, tag="ae.escort_changed"):
    """Hand-over of the prisoners of a unit to another escort."""

    unit: GroupId
    escort: GroupId
    cue = says("note", "ae.log.escort", "AE-POW-01", "unit", "escort", seat="escort", about="escort")

    def apply(self, state: Battle) -> Battle:
        groups = [replace(group, escort=self.escort) if group.unit == self.unit else group for group in state.prisoners]
        return replace(state, prisoners=tuple(groups))


class PrisonersMoved(BattleEvent, frozen=True, tag="ae.prisoners_moved"):
    """Walk of prisoners with their escort."""

    places: dict[FigureId, Point]
    apply = moves()


class PrisonersOut(BattleEvent, frozen=True, tag="ae.prisoners_out"):
    """Departure of the prisoners of a unit from the table."""

    unit: GroupId
    cue = happens("ae.log.prisoners_out", "AE-POW-01")

    def apply(self, state: Battle) -> Battle:
        gone = {figure for group in state.prisoners if group.unit == self.unit for figure in group.figures}
        return replace(state, prisoners=_others(state, self.unit), figures=without(state.figures, gone))


class PrisonersFell(BattleEvent, frozen=True, tag="ae.prisoners_fell"):
    """Prisoners killed by a template."""

    figures: tuple[FigureId, ...]

    def apply(self, state: Battle) -> Battle:
        groups = [
            replace(group, figures=tuple([id for id in group.figures if id not in self.figures]))
            for group in state.prisoners
        ]
        left = tuple([group for group in groups if group.figures])
        return replace(state, prisoners=left, figures=without(state.figures, self.figures))


class PrisonersFreed(BattleEvent, frozen=True, tag="ae.prisoners_freed"):
    """Freedom of the prisoners of a unit: they fight again, unarmed."""

    unit: GroupId
    cue = happens("ae.log.freed", "AE-POW-01")

    def apply(self, state: Battle) -> Battle:
        unit, figures = state.units[self.unit], dict(state.figures)
        freed = tuple([id for group in state.prisoners if group.unit == self.unit for id in group.figures])
        for id in freed:
            lost = tuple([weapon.id for weapon in state.weapons_of(figures[id])])
            figures[id] = replace(figures[id], spent=(*figures[id].spent, *lost), unarmed=True, shaken=False)
        points = sum(own.points for id in freed if (own := state.figure_profile(figures[id])) is not None)
        state = replace(state, prisoners=_others(state, self.unit), figures=figures)
        return with_unit(
            state,
            self.unit,
            figures=(*unit.figures, *freed),
            where=TABLE,
            fate="",
            captor=NOBODY,
            suppressed=False if not unit.figures else unit.suppressed,
            taken=unit.taken - points,
        )


EVENTS: tuple[type[BattleEvent], ...] = tagged(globals(), BattleEvent)
