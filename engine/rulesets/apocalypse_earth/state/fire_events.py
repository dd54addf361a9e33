"""Events of fire: shots aimed, fired, blasts, smoke."""

from __future__ import annotations

from msgspec.structs import replace

from engine.core.rules.events import tagged
from engine.kit.changes import also, its, sets
from engine.kit.present.cues import says
from engine.rulesets.apocalypse_earth.state.event_base import BattleEvent, of_unit
from engine.rulesets.apocalypse_earth.state.lasting import Cloud, Shot
from engine.rulesets.apocalypse_earth.state.model import Point
from engine.rulesets.apocalypse_earth.state.state import Battle
from protocol.ids import FigureId, GroupId


class ShotAimed(BattleEvent, frozen=True, tag="ae.shot_aimed"):
    """Declaration of a shot that is fired with the others of its unit."""

    shot: Shot

    def apply(self, state: Battle) -> Battle:
        if state.active is None:
            return state
        kept = tuple([one for one in state.active.aimed if one.figure != self.shot.figure])
        return replace(state, active=replace(state.active, aimed=(*kept, self.shot)))


class WeaponsFired(BattleEvent, frozen=True, tag="ae.weapons_fired"):
    """Fire of some figures of a unit with one kind of weapon; `used_up`: it can be used once."""

    unit: GroupId
    figures: tuple[FigureId, ...]
    weapon: str
    used_up: bool = False

    def apply(self, state: Battle) -> Battle:
        figures = dict(state.figures)
        for id in self.figures:
            if id in figures:
                old = figures[id]
                spent = (*old.spent, self.weapon) if self.used_up else old.spent
                figures[id] = replace(old, shot=state.turn, spent=spent)
        return replace(state, figures=figures)


class UnitFired(BattleEvent, frozen=True, tag="ae.unit_fired"):
    """Fire of a unit in this turn."""

    unit: GroupId
    apply = of_unit(fired=True)


class VolleyFired(BattleEvent, frozen=True, tag="ae.volley_fired"):
    """Outcome of so many shots of one kind of weapon at a target in one cover: `killed` of those hit."""

    unit: GroupId
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
        "unit",
        "target",
        "shots",
        "hits",
        "killed",
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


EVENTS: tuple[type[BattleEvent], ...] = tagged(globals(), BattleEvent)
