"""Events of a battle: rounds, activations, moves, blows, casualties, morale, powers, the end.

Those of the deployment are in placing_events.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar, Final

from msgspec.structs import replace

from engine.core.rules.events import Upcaster, tagged
from engine.kit.changes import also, at_least, item_changed, its, made, minus, moved, now, of, plus, sets, without
from engine.kit.present.cues import happens, says
from engine.rulesets.one_page.state.event_base import BattleEvent, UnitEvent, of_seat, of_unit, power_tried, rolled
from engine.rulesets.one_page.state.model import Point
from engine.rulesets.one_page.state.state import GONE, SPENT, Activation, Battle, Blow
from protocol.ids import NO_GROUP, FigureId, GroupId
from protocol.scene.nodes import RollId

HOW_RULES: Final = {
    "walk": "OP-ACT-03",
    "run": "OP-ACT-03",
    "assault": "OP-MELEE-01",
    "back": "OP-MELEE-05",
    "on": "OP-MELEE-05",
}
"""Rules of moves, by how they are made; of others, "OP-MOVE-02"."""

_next_round: Callable[[BattleEvent, Battle], Battle] = sets(
    round=plus(1), first=its.first, acting=its.first, active=None, phase="reserves", placing=(), placed=()
)


class RoundStarted(BattleEvent, frozen=True, tag="op.round_started"):
    """Start of the next round: no unit is activated yet, the powers of the last round are over. `dice`: power dice by
    seat."""

    first: int
    dice: tuple[int, ...] = ()
    barrier = "dice"

    def apply(self, state: Battle) -> Battle:
        units = {id: replace(unit, done=False, effects=()) for id, unit in state.units.items()}
        dice = self.dice or (0,) * len(state.seats)
        seats = tuple([replace(seat, dice=dice[n], tried=(), rank=0) for n, seat in enumerate(state.seats)])
        return _next_round(self, replace(state, units=units, seats=seats))


class BattleJoined(BattleEvent, frozen=True, tag="op.battle_joined"):
    """End of the arrivals: the players activate units in turn, `seat` first."""

    seat: int
    apply = sets(phase="battle", acting=its.seat, placing=(), placed=())


class Activated(UnitEvent, frozen=True, tag="op.activated"):
    """Activation of a unit. `action`: "" where it is still open, as a power comes first."""

    action: str = ""
    target: GroupId = NO_GROUP
    apply = sets(active=made(Activation, its.unit, its.action, its.target), blows=())


class ActionSpent(UnitEvent, frozen=True, tag="op.action_spent"):
    """Note that the acting unit has nothing left to do; its activation goes on until its player ends it."""

    apply = sets(active=made(Activation, its.unit, SPENT))


class ActivationEnded(UnitEvent, frozen=True, tag="op.activation_ended"):
    """End of a unit's activation: it is no longer Pinned if it stayed idle, and recovers from having been Shaken
    before."""

    next: int
    idle: bool = False

    def apply(self, state: Battle) -> Battle:
        unit = state.units[self.unit]
        pinned = unit.pinned and not self.idle
        done = item_changed(state, "units", self.unit, done=True, pinned=pinned, shaken=max(0, unit.shaken - 1))
        return replace(done, active=None, acting=self.next)


class RanOut(BattleEvent, frozen=True, tag="op.ran_out"):
    """Note that a player has no unit left to activate in this round."""

    seat: int
    apply = of_seat(rank=now.next_rank)


class TurnPassed(BattleEvent, frozen=True, tag="op.turn_passed"):
    """Turn of the other player, as this one has nothing left."""

    seat: int
    apply = sets(acting=its.seat)


class UnitMoved(UnitEvent, frozen=True, tag="op.unit_moved"):
    """Move of a unit. `way`: of its leader, from where it stood; `how`: a key of `op.log.moved`."""

    how: str
    way: tuple[Point, ...]
    places: dict[FigureId, Point]
    facing: int = -1
    cue = says(
        "move",
        "op.log.moved.{it.how}",
        lambda event, before: HOW_RULES.get(event.how, "OP-MOVE-02"),
        "unit",
        seat="unit",
        about="unit",
        path="way",
    )

    def apply(self, state: Battle) -> Battle:
        turned = {"facing": self.facing} if self.facing >= 0 else {}
        return replace(state, figures=moved(state.figures, self.places, **turned))


class BlowStruck(BattleEvent, frozen=True, tag="op.blow_struck"):
    """Final dice of one kind of weapon: casualties follow."""

    blow: Blow
    apply = sets(blows=also(its.blow))


class WeaponSpent(BattleEvent, frozen=True, tag="op.weapon_spent"):
    """Use of a Limited weapon."""

    figure: FigureId
    weapon: str
    apply = of("figures", "figure")(spent=also(its.weapon))


class SoakChosen(UnitEvent, frozen=True, tag="op.soak_chosen"):
    """Owner's choice of the models of a mixed unit that take wounds first: "tough", "regular", or "" for none any
    more."""

    soak: str
    apply = of_unit(soak=its.soak)


class Wounded(UnitEvent, frozen=True, tag="op.wounded"):
    """Wounds on models."""

    wounds: dict[FigureId, int]

    def apply(self, state: Battle) -> Battle:
        figures = dict(state.figures)
        for id, wounds in self.wounds.items():
            figures[id] = replace(figures[id], wounds=figures[id].wounds + wounds)
        return replace(state, figures=figures)


class ModelsRemoved(UnitEvent, frozen=True, tag="op.models_removed"):
    """Removal of models; a unit without any is destroyed, and placed no more. `why`: killed, routed, lost or left."""

    figures: tuple[FigureId, ...]
    why: str = "killed"

    def apply(self, state: Battle) -> Battle:
        unit = state.units[self.unit]
        left = tuple([id for id in unit.figures if id not in self.figures])
        figures = without(state.figures, self.figures)
        where = unit.where if left else GONE
        placing = state.placing if left else tuple([id for id in state.placing if id != self.unit])
        changed = replace(state, figures=figures, placing=placing)
        return item_changed(changed, "units", self.unit, figures=left, where=where)


class MoraleTested(UnitEvent, frozen=True, tag="op.morale_tested.2"):
    """Morale test of a unit, for losses, a melee, fear or a power."""

    formerly: ClassVar[Mapping[str, Upcaster]] = {"op.morale_tested": rolled}
    why: str
    roll: RollId
    passed: bool
    cue = happens(("passed", "op.log.morale.passed", "op.log.morale.failed"), "OP-MOR-02", why="op.morale.{it.why}")
    apply = sets()


class Pinned(UnitEvent, frozen=True, tag="op.pinned"):
    """Change of a unit to Pinned: its next activation is idle."""

    cue = happens("op.log.pinned", "OP-MOR-02")
    apply = of_unit(pinned=True, whispered=now.round)


class Rallied(UnitEvent, frozen=True, tag="op.rallied"):
    """End of a unit's being Pinned."""

    cue = happens("op.log.rallied", "OP-OPEN-14")
    apply = of_unit(pinned=False)


class Shaken(UnitEvent, frozen=True, tag="op.shaken"):
    """Crew of a machine Shaken for a number of activations, the current one included."""

    activations: int = 1
    cue = happens("op.log.shaken", "OP-VEH-05")
    apply = of_unit(shaken=at_least(its.activations))


class Tracked(UnitEvent, frozen=True, tag="op.tracked"):
    """Loss of a machine's tracks: it moves no more."""

    cue = happens("op.log.tracked", "OP-VEH-05")
    apply = of_unit(tracked=True)


class DamageRolled(UnitEvent, frozen=True, tag="op.damage_rolled.2"):
    """Roll on the damage table: the side that is hit, the roll, and the face that counts."""

    formerly: ClassVar[Mapping[str, Upcaster]] = {"op.damage_rolled": rolled}
    side: str
    roll: RollId
    face: int
    cue = happens("op.log.damage", "OP-VEH-05", side="op.hit.{it.side}", face="face")
    apply = sets()


class PowerTried(BattleEvent, frozen=True, tag="op.power_tried.2"):
    """Attempt at a power with a number of power dice, and its result."""

    formerly: ClassVar[Mapping[str, Upcaster]] = {"op.power_tried": power_tried}
    seat: int
    unit: GroupId
    power: str
    target: GroupId
    roll: RollId
    dice: int
    works: bool
    cue = says(
        "note",
        ("works", "op.log.power.works", "op.log.power.fails"),
        "OP-SR-14",
        "unit",
        "power",
        "target",
        seat="seat",
        about="unit target",
    )
    apply = of_seat(dice=minus(its.dice), tried=also(its.power))


class Affected(UnitEvent, frozen=True, tag="op.affected"):
    """Effects of a power on a unit until the end of the round."""

    effects: tuple[str, ...]
    cue = happens("op.log.affected", "OP-OPEN-14")
    apply = of_unit(effects=plus(its.effects))


class MeleeFought(BattleEvent, frozen=True, tag="op.melee_fought"):
    """End of a melee, with the wounds that each unit caused."""

    attacker: GroupId
    defender: GroupId
    caused: int
    suffered: int
    cue = says("combat", "op.log.melee", "OP-MELEE-04", "attacker", "defender", "caused", "suffered", seat="attacker")
    apply = sets()


class BattleEnded(BattleEvent, frozen=True, tag="op.battle_ended"):
    """End of the battle: after the last round, or as one side has nothing left."""

    why: str
    barrier = "revealed"
    cue = says("end", "op.ended.{it.why}", "OP-SETUP-04")
    apply = sets(ended=its.why, phase="over", active=None, placing=(), blows=())


EVENTS: tuple[type[BattleEvent], ...] = tagged(globals(), BattleEvent)
