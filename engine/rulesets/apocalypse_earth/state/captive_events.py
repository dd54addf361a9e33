"""Events of prisoners and of the wounded: escorts, freedom, men carried, treated or taken, aid posts."""

from __future__ import annotations

from msgspec.structs import replace

from engine.core.rules.events import tagged
from engine.kit.changes import drop, in_turn, its, moves, of, put, sets, without
from engine.kit.present.cues import happens, says
from engine.rulesets.apocalypse_earth.state.event_base import BattleEvent, UnitEvent, of_figure
from engine.rulesets.apocalypse_earth.state.fire_events import held
from engine.rulesets.apocalypse_earth.state.lasting import AidPost
from engine.rulesets.apocalypse_earth.state.model import Point
from engine.rulesets.apocalypse_earth.state.state import NOBODY, TABLE, Battle
from protocol.ids import FigureId, GroupId


class EscortChanged(UnitEvent, frozen=True, tag="ae.escort_changed"):
    """Hand-over of the prisoners of a unit to another escort."""

    escort: GroupId
    cue = says("note", "ae.log.escort", "AE-POW-01", "unit", "escort", seat="escort", about="escort")
    apply = of("prisoners", "unit", by="unit")(escort=its.escort)


class CarriedAlong(BattleEvent, frozen=True, tag="ae.carried_along"):
    """Way of prisoners with their escort, or of a man down in the arms of another."""

    places: dict[FigureId, Point]
    apply = moves()


class PrisonersOut(UnitEvent, frozen=True, tag="ae.prisoners_out"):
    """Departure of the prisoners of a unit from the table."""

    cue = happens("ae.log.prisoners_out", "AE-POW-01")

    def apply(self, state: Battle) -> Battle:
        gone = {figure for group in state.prisoners if group.unit == self.unit for figure in group.figures}
        left = tuple([group for group in state.prisoners if group.unit != self.unit])
        return replace(state, prisoners=left, figures=without(state.figures, gone))


class PrisonersFell(BattleEvent, frozen=True, tag="ae.prisoners_fell"):
    """Prisoners killed by a template."""

    figures: tuple[FigureId, ...]

    def apply(self, state: Battle) -> Battle:
        left = [(group, tuple([id for id in group.figures if id not in self.figures])) for group in state.prisoners]
        groups = tuple([replace(group, figures=figures) for group, figures in left if figures])
        return replace(state, prisoners=groups, figures=without(state.figures, self.figures))


class PrisonersFreed(UnitEvent, frozen=True, tag="ae.prisoners_freed"):
    """Freedom of the prisoners of a unit: they fight again, unarmed."""

    cue = happens("ae.log.freed", "AE-POW-01")

    def apply(self, state: Battle) -> Battle:
        unit = state.units[self.unit]
        freed = [state.figures[id] for group in state.prisoners if group.unit == self.unit for id in group.figures]
        arms = {one.id: tuple([weapon.id for weapon in state.weapons_of(one)]) for one in freed}
        free = [replace(one, spent=one.spent + arms[one.id], unarmed=True, shaken=False) for one in freed]
        back = replace(
            unit,
            figures=(*unit.figures, *[one.id for one in free]),
            where=TABLE,
            fate="",
            captor=NOBODY,
            suppressed=unit.suppressed and bool(unit.figures),
            taken=unit.taken - sum(map(state.points_of, free)),
        )
        return replace(
            state,
            prisoners=tuple([group for group in state.prisoners if group.unit != self.unit]),
            figures={**state.figures, **{one.id: one for one in free}},
            units={**state.units, unit.id: back},
        )


class FigureStunned(UnitEvent, frozen=True, tag="ae.figure_stunned"):
    """Shock of a figure that was hit: it does not fire for so many actions of its unit."""

    figure: FigureId
    actions: int
    cue = happens("ae.log.stunned_man", "AE-CAS-01")
    apply = of_figure(stunned=its.actions)


class ManTreated(UnitEvent, frozen=True, tag="ae.man_treated"):
    """Treatment of a man down; `how`: up (back on his feet), aided, or vain."""

    figure: FigureId
    how: str
    cue = happens("ae.log.treated.{it.how}", "AE-OPEN-26")

    def apply(self, state: Battle) -> Battle:
        if self.how == "aided":
            aided: Battle = _aided(self, state)
            return aided
        if self.how != "up":
            return state
        [man] = [one for one in state.wounded if one.figure == self.figure]
        unit = state.units[man.unit]
        figures = tuple(sorted((*unit.figures, man.figure), key=lambda id: state.figures[id].place))
        up = replace(unit, figures=figures, where=TABLE, fate="")
        left = tuple([one for one in state.wounded if one is not man])
        return replace(state, wounded=left, units={**state.units, unit.id: up})


_aided = of("wounded", "figure", by="figure")(aided=True)


class ManTaken(UnitEvent, frozen=True, tag="ae.man_taken"):
    """Capture of a man down by a unit, whose prisoner he is where the table plays so."""

    figure: FigureId
    captor: GroupId
    cue = says("casualty", "ae.log.man_taken", "AE-CAS-01", "unit", "captor", seat="unit", about="unit captor")
    apply = in_turn(
        sets(wounded=drop(its.figure, "figure")),
        lambda event, state: held(state, event.unit, event.captor, (event.figure,)),
    )


class PostMarked(BattleEvent, frozen=True, tag="ae.post_marked"):
    """Choice of a seat's Forward Aid Post."""

    seat: int
    post: AidPost
    barrier = "revealed"
    cue = says("note", "ae.log.post", "AE-CAS-02", seat="seat", army="seat")
    apply = sets(posts=put(its.seat, its.post))


EVENTS: tuple[type[BattleEvent], ...] = tagged(globals(), BattleEvent)
