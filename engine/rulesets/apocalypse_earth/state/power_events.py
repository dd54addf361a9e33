"""Events of psychic powers: attempts, and effects that last."""

from __future__ import annotations

from msgspec.structs import replace

from engine.core.rules.events import tagged
from engine.kit.changes import also, its
from engine.kit.present.cues import says
from engine.rulesets.apocalypse_earth.state.event_base import BattleEvent, of_seat, of_unit, with_unit
from engine.rulesets.apocalypse_earth.state.lasting import Effect
from engine.rulesets.apocalypse_earth.state.state import Battle
from protocol.ids import FigureId, GroupId
from protocol.scene.nodes import RollId


class PowerTried(BattleEvent, frozen=True, tag="ae.power_tried"):
    """Attempt of a psychic at a power, once a turn for each force."""

    unit: GroupId
    figure: FigureId
    seat: int
    power: str
    roll: RollId
    works: bool
    cue = says(
        "power",
        ("works", "ae.log.power.works", "ae.log.power.fails"),
        "AE-OPEN-25",
        "unit",
        seat="seat",
        about="unit",
        power="ae.power.{it.power}",
    )

    def apply(self, state: Battle) -> Battle:
        state = of_seat(powers=also(its.power))(self, state)
        if state.active is None:
            return state
        return replace(state, active=replace(state.active, cast=(*state.active.cast, self.figure)))


class Affected(BattleEvent, frozen=True, tag="ae.affected"):
    """Start of an effect on a unit."""

    unit: GroupId
    effect: Effect
    apply = of_unit(effects=also(its.effect))


class EffectSpent(BattleEvent, frozen=True, tag="ae.effect_spent"):
    """End of an effect by its use."""

    unit: GroupId
    power: str

    def apply(self, state: Battle) -> Battle:
        left = list(state.units[self.unit].effects)
        left.remove(next(effect for effect in left if effect.power == self.power))
        return with_unit(state, self.unit, effects=tuple(left))


class WatchChanged(BattleEvent, frozen=True, tag="ae.watch_changed"):
    """Overwatch of a unit that a power gives or takes."""

    unit: GroupId
    overwatch: bool
    apply = of_unit(overwatch=its.overwatch)


EVENTS: tuple[type[BattleEvent], ...] = tagged(globals(), BattleEvent)
