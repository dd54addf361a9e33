"""Events of wounded men: stunned, carried, treated, taken; and the posts to which they are brought."""

from __future__ import annotations

from msgspec.structs import replace

from engine.core.rules.events import tagged
from engine.kit.changes import its, moves, put, sets, without
from engine.kit.present.cues import says
from engine.rulesets.apocalypse_earth.state.event_base import BattleEvent, happens, of_figure, with_unit
from engine.rulesets.apocalypse_earth.state.lasting import AidPost, Prisoners, Wounded
from engine.rulesets.apocalypse_earth.state.model import Point
from engine.rulesets.apocalypse_earth.state.state import TABLE, Battle
from protocol.ids import FigureId, GroupId


class FigureStunned(BattleEvent, frozen=True, tag="ae.figure_stunned"):
    """Shock of a figure that was hit: it does not fire for so many actions of its unit."""

    figure: FigureId
    unit: GroupId
    actions: int
    cue = happens("ae.log.stunned_man", "AE-CAS-01")
    apply = of_figure(stunned=its.actions)


class BodiesMoved(BattleEvent, frozen=True, tag="ae.bodies_moved"):
    """Way of a man down in the arms of another."""

    places: dict[FigureId, Point]
    apply = moves()


def _others(state: Battle, figure: FigureId) -> tuple[Wounded, ...]:
    return tuple([one for one in state.wounded if one.figure != figure])


class ManTreated(BattleEvent, frozen=True, tag="ae.man_treated"):
    """Treatment of a man down; `how`: up (back on his feet), aided, or vain."""

    unit: GroupId
    figure: FigureId
    how: str
    cue = happens("ae.log.treated.{it.how}", "AE-OPEN-26")

    def apply(self, state: Battle) -> Battle:
        [man] = [one for one in state.wounded if one.figure == self.figure]
        if self.how == "aided":
            return replace(state, wounded=(*_others(state, self.figure), replace(man, aided=True)))
        if self.how != "up":
            return state
        unit = state.units[man.unit]
        figures = tuple(sorted((*unit.figures, man.figure), key=lambda id: state.figures[id].place))
        state = replace(state, wounded=_others(state, self.figure))
        return with_unit(state, man.unit, figures=figures, where=TABLE, fate="")


class ManTaken(BattleEvent, frozen=True, tag="ae.man_taken"):
    """Capture of a man down by a unit, whose prisoner he is where the table plays so."""

    unit: GroupId
    figure: FigureId
    captor: GroupId
    cue = says("casualty", "ae.log.man_taken", "AE-CAS-01", "unit", "captor", seat="unit", about="unit captor")

    def apply(self, state: Battle) -> Battle:
        state = replace(state, wounded=_others(state, self.figure))
        if not state.resolved.options.prisoners:
            return replace(state, figures=without(state.figures, {self.figure}))
        held = [group for group in state.prisoners if group.unit == self.unit]
        figures = (*(id for group in held for id in group.figures), self.figure)
        group = Prisoners(self.unit, self.captor, state.units[self.captor].owner, figures)
        return replace(state, prisoners=(*[one for one in state.prisoners if one not in held], group))


class PostMarked(BattleEvent, frozen=True, tag="ae.post_marked"):
    """Choice of a seat's Forward Aid Post."""

    seat: int
    post: AidPost
    barrier = "revealed"
    cue = says("note", "ae.log.post", "AE-CAS-02", seat="seat", army="seat")
    apply = sets(posts=put(its.seat, its.post))


EVENTS: tuple[type[BattleEvent], ...] = tagged(globals(), BattleEvent)
