"""Events of losses and morale: casualties, checks, suppression, rallies, surrenders."""

from __future__ import annotations

from msgspec.structs import replace

from engine.core.rules.events import tagged
from engine.kit.changes import its, sets, without
from engine.kit.present.cues import says
from engine.rulesets.apocalypse_earth.state.event_base import BattleEvent, happens, of_figure, of_unit, with_unit
from engine.rulesets.apocalypse_earth.state.lasting import Prisoners, Wounded
from engine.rulesets.apocalypse_earth.state.profiles import RADIO
from engine.rulesets.apocalypse_earth.state.state import CAPTURED, DESTROYED, GONE, NOBODY, TABLE, Battle
from protocol.ids import FigureId, GroupId
from protocol.scene.nodes import RollId


class FiguresFell(BattleEvent, frozen=True, tag="ae.figures_fell"):
    """Casualties of a unit, owed to a seat (NOBODY: to none); a unit without figures is destroyed. `how`: shot, blast,
    burnt, boom, duel, backlash, crew; `down`: those of them who are wounded, and stay."""

    unit: GroupId
    figures: tuple[FigureId, ...]
    by: int = NOBODY
    how: str = "shot"
    down: tuple[FigureId, ...] = ()
    barrier = "dice"

    def apply(self, state: Battle) -> Battle:
        unit = state.units[self.unit]
        left = tuple([id for id in unit.figures if id not in self.figures])
        count = len(unit.figures) - len(left)
        changes: dict[str, object] = {
            "figures": left,
            "lost": unit.lost + count,
            "hurt": unit.hurt + (self.by,) * count,
        }
        if not left:
            changes |= {"where": GONE, "fate": DESTROYED, "overwatch": False}
        dead = [id for id in self.figures if id not in self.down]
        figures, sets = without(state.figures, dead), state.radio_sets
        wounded = (*state.wounded, *[Wounded(id, self.unit) for id in self.down])
        for id in self.figures if unit.where == TABLE else ():
            if state.figures[id].radio or _bears_radio(state, id):
                sets = {**sets, self.unit: state.figures[id].at}
        return with_unit(replace(state, figures=figures, radio_sets=sets, wounded=wounded), self.unit, **changes)


def _bears_radio(state: Battle, figure: FigureId) -> bool:
    own = state.figure_profile(state.figures[figure])
    return own is not None and own.has(RADIO)


class MoraleChecked(BattleEvent, frozen=True, tag="ae.morale_checked"):
    """Morale check of a unit; `why`: losses, charge, charged, round, coherency, power, rally."""

    unit: GroupId
    why: str
    roll: RollId
    passed: bool
    cue = happens(("passed", "ae.log.morale.passed", "ae.log.morale.failed"), "AE-MOR-01", why="ae.morale.{it.why}")
    apply = sets()


class Suppressed(BattleEvent, frozen=True, tag="ae.suppressed"):
    """Suppression of a unit: it loses its overwatch."""

    unit: GroupId
    cue = happens("ae.log.suppressed", "AE-MOR-03")
    apply = of_unit(suppressed=True, overwatch=False)


class FigureShaken(BattleEvent, frozen=True, tag="ae.figure_shaken"):
    """Suppression of a single figure that is out of coherency, or its end."""

    figure: FigureId
    shaken: bool = True
    apply = of_figure(shaken=its.shaken)


class RallyTried(BattleEvent, frozen=True, tag="ae.rally_tried"):
    """Attempt of a suppressed unit to rally."""

    unit: GroupId
    passed: bool
    cue = happens(("passed", "ae.log.rallied", "ae.log.not_rallied"), "AE-MOR-05")

    def apply(self, state: Battle) -> Battle:
        return with_unit(state, self.unit, tried=True, suppressed=not self.passed)


class ShotAt(BattleEvent, frozen=True, tag="ae.shot_at"):
    """Fire from afar, or from out of sight, at a suppressed unit: it has to pass two checks to rally."""

    unit: GroupId
    apply = of_unit(shot=True)


class Surrendered(BattleEvent, frozen=True, tag="ae.surrendered"):
    """Surrender of a unit, or of some of its figures, to a unit of another side."""

    unit: GroupId
    captor: GroupId
    figures: tuple[FigureId, ...]
    cue = says("casualty", "ae.log.surrendered", "AE-MOR-04", "unit", "captor", seat="unit", about="unit captor")

    def apply(self, state: Battle) -> Battle:
        unit, captor = state.units[self.unit], state.units[self.captor].owner
        left = tuple([id for id in unit.figures if id not in self.figures])
        changes: dict[str, object] = {"figures": left}
        if not left:
            changes |= {"where": GONE, "fate": CAPTURED, "captor": captor, "overwatch": False}
        else:
            changes |= {"hurt": unit.hurt + (captor,) * (len(unit.figures) - len(left))}
        if not state.resolved.options.prisoners:
            return with_unit(replace(state, figures=without(state.figures, self.figures)), self.unit, **changes)
        points = [own.points for id in self.figures if (own := state.figure_profile(state.figures[id])) is not None]
        figures = {**state.figures, **{id: replace(state.figures[id], shaken=False) for id in self.figures}}
        held = tuple([id for group in state.prisoners if group.unit == self.unit for id in group.figures])
        others = [group for group in state.prisoners if group.unit != self.unit]
        group = Prisoners(self.unit, self.captor, captor, held + self.figures)
        state = replace(state, figures=figures, prisoners=(*others, group))
        return with_unit(state, self.unit, taken=unit.taken + sum(points), **changes)


EVENTS: tuple[type[BattleEvent], ...] = tagged(globals(), BattleEvent)
