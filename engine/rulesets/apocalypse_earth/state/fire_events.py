"""Events of fire and of what it does: shots, blasts, casualties, morale, suppression, surrender."""

from __future__ import annotations

from operator import not_

from msgspec.structs import replace

from engine.core.rules.events import tagged
from engine.kit.changes import also, its, made, sets, without
from engine.kit.present.cues import happens, says
from engine.rulesets.apocalypse_earth.state.event_base import BattleEvent, UnitEvent, of_figure, of_unit
from engine.rulesets.apocalypse_earth.state.lasting import Cloud, LostGun, Prisoners, Shot, Wounded
from engine.rulesets.apocalypse_earth.state.model import Point
from engine.rulesets.apocalypse_earth.state.state import CAPTURED, DESTROYED, GONE, NOBODY, TABLE, Battle
from protocol.ids import FigureId, GroupId
from protocol.scene.nodes import RollId


class ShotAimed(BattleEvent, frozen=True, tag="ae.shot_aimed"):
    """Declaration of a shot that is fired with the others of its unit."""

    shot: Shot

    def apply(self, state: Battle) -> Battle:
        if state.active is None:
            return state
        kept = tuple([one for one in state.active.aimed if one.figure != self.shot.figure])
        return replace(state, active=replace(state.active, aimed=(*kept, self.shot)))


class WeaponsFired(UnitEvent, frozen=True, tag="ae.weapons_fired"):
    """Fire of some figures of a unit with one kind of weapon; `used_up`: it can be used once."""

    figures: tuple[FigureId, ...]
    weapon: str
    used_up: bool = False

    def apply(self, state: Battle) -> Battle:
        spent = (self.weapon,) if self.used_up else ()
        fired = [state.figures[id] for id in self.figures if id in state.figures]
        changed = {one.id: replace(one, shot=state.turn, spent=one.spent + spent) for one in fired}
        return replace(state, figures={**state.figures, **changed})


class UnitFired(UnitEvent, frozen=True, tag="ae.unit_fired"):
    """Fire of a unit in this turn."""

    apply = of_unit(fired=True)


class VolleyFired(UnitEvent, frozen=True, tag="ae.volley_fired"):
    """Outcome of so many shots of one kind of weapon at a target in one cover: `killed` of those hit."""

    target: GroupId
    weapon: str
    cover: str
    shots: int
    need: int
    hits: int
    killed: int
    cue = says(
        "shot",
        "ae.log.volley",
        "AE-FIRE-02",
        *("unit", "target", "shots", "hits", "killed"),
        seat="unit",
        about="unit target",
        weapon="ae.weapon.{it.weapon}",
        cover="ae.cover.{it.cover}",
    )
    apply = sets()


class BlastLanded(BattleEvent, frozen=True, tag="ae.blast_landed"):
    """Landing of a template: a circle of a radius, or a strip, with its corners. `killed`: figures that fell."""

    at: Point
    weapon: str
    radius: int = 0
    corners: tuple[Point, ...] = ()
    killed: int = 0
    cue = says("shot", "ae.log.blast", "AE-OPEN-02", "killed", weapon="ae.weapon.{it.weapon}")
    apply = sets()


class SmokeLaid(BattleEvent, frozen=True, tag="ae.smoke_laid"):
    """Smoke that lies until the end of a turn."""

    cloud: Cloud
    cue = says("note", "ae.log.smoke", "AE-OPEN-02")
    apply = sets(clouds=also(its.cloud))


class Alarmed(BattleEvent, frozen=True, tag="ae.alarmed"):
    """Alarm of a side that was asleep."""

    cue = says("note", "ae.log.alarm", "AE-SCEN-02")
    apply = sets(alarmed=True)


class FiguresFell(UnitEvent, frozen=True, tag="ae.figures_fell"):
    """Casualties of a unit, owed to a seat (NOBODY: to none); a unit without figures is destroyed. `how`: shot, blast,
    burnt, boom, duel, backlash, crew; `down`: those of them who are wounded, and stay."""

    figures: tuple[FigureId, ...]
    by: int = NOBODY
    how: str = "shot"
    down: tuple[FigureId, ...] = ()
    barrier = "dice"

    def apply(self, state: Battle) -> Battle:
        unit = state.units[self.unit]
        left = tuple([id for id in unit.figures if id not in self.figures])
        count = len(unit.figures) - len(left)
        hit = replace(unit, figures=left, lost=unit.lost + count, hurt=unit.hurt + (self.by,) * count)
        if not left:
            hit = replace(hit, where=GONE, fate=DESTROYED, overwatch=False)
        sets, guns = dict(state.radio_sets), list(state.guns)
        figures = without(state.figures, [id for id in self.figures if id not in self.down])
        for one in [state.figures[id] for id in self.figures] if unit.where == TABLE else ():
            if state.works_radio(one):
                sets[unit.id] = one.at
            lost = [gun.id for gun in state.guns_of(one)] if left else []
            guns += [LostGun(unit.id, gun, one.at) for gun in lost]
            if one.id in figures:
                figures[one.id] = replace(one, gun="" if lost else one.gun, spent=(*one.spent, *lost))
        return replace(
            state,
            units={**state.units, unit.id: hit},
            figures=figures,
            radio_sets=sets,
            guns=tuple(guns),
            wounded=(*state.wounded, *[Wounded(id, unit.id) for id in self.down]),
        )


class MoraleChecked(UnitEvent, frozen=True, tag="ae.morale_checked"):
    """Morale check of a unit; `why`: losses, charge, charged, round, coherency, power, rally."""

    why: str
    roll: RollId
    passed: bool
    cue = happens(("passed", "ae.log.morale.passed", "ae.log.morale.failed"), "AE-MOR-01", why="ae.morale.{it.why}")
    apply = sets()


class Suppressed(UnitEvent, frozen=True, tag="ae.suppressed"):
    """Suppression of a unit: it loses its overwatch."""

    cue = happens("ae.log.suppressed", "AE-MOR-03")
    apply = of_unit(suppressed=True, overwatch=False)


class FigureShaken(BattleEvent, frozen=True, tag="ae.figure_shaken"):
    """Suppression of a single figure that is out of coherency, or its end."""

    figure: FigureId
    shaken: bool = True
    apply = of_figure(shaken=its.shaken)


class RallyTried(UnitEvent, frozen=True, tag="ae.rally_tried"):
    """Attempt of a suppressed unit to rally."""

    passed: bool
    cue = happens(("passed", "ae.log.rallied", "ae.log.not_rallied"), "AE-MOR-05")
    apply = of_unit(tried=True, suppressed=made(not_, its.passed))


class ShotAt(UnitEvent, frozen=True, tag="ae.shot_at"):
    """Fire from afar, or from out of sight, at a suppressed unit: it has to pass two checks to rally."""

    apply = of_unit(shot=True)


class Surrendered(UnitEvent, frozen=True, tag="ae.surrendered"):
    """Surrender of a unit, or of some of its figures, to a unit of another side."""

    captor: GroupId
    figures: tuple[FigureId, ...]
    cue = says("casualty", "ae.log.surrendered", "AE-MOR-04", "unit", "captor", seat="unit", about="unit captor")

    def apply(self, state: Battle) -> Battle:
        unit, captor = state.units[self.unit], state.units[self.captor].owner
        left = tuple([id for id in unit.figures if id not in self.figures])
        gone = replace(unit, where=GONE, fate=CAPTURED, captor=captor, overwatch=False)
        fewer = replace(unit, hurt=unit.hurt + (captor,) * (len(unit.figures) - len(left)))
        unit = replace(fewer if left else gone, figures=left)
        return held(replace(state, units={**state.units, unit.id: unit}), unit.id, self.captor, self.figures)


def held(state: Battle, unit: GroupId, captor: GroupId, taken: tuple[FigureId, ...]) -> Battle:
    """Make figures of a unit prisoners of another, with those that are already, and count their points as taken; where
    the table does not play so, take them off."""
    if not state.resolved.options.prisoners:
        return replace(state, figures=without(state.figures, taken))
    before = tuple([id for group in state.prisoners if group.unit == unit for id in group.figures])
    group = Prisoners(unit, captor, state.units[captor].owner, before + taken)
    men = {id: replace(state.figures[id], shaken=False) for id in taken}
    others = [one for one in state.prisoners if one.unit != unit]
    own = state.units[unit]
    fewer = replace(own, taken=own.taken + sum(map(state.points_of, men.values())))
    units, figures = {**state.units, unit: fewer}, {**state.figures, **men}
    return replace(state, units=units, figures=figures, prisoners=(*others, group))


EVENTS: tuple[type[BattleEvent], ...] = tagged(globals(), BattleEvent)
