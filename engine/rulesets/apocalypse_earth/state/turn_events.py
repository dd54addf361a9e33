"""Events of the order of play: turns, actions and their steps, passes, the administration phase, the end."""

from __future__ import annotations

from msgspec.structs import replace

from engine.core.rules.events import tagged
from engine.kit.changes import also, in_turn, its, sets
from engine.kit.present.cues import says
from engine.rulesets.apocalypse_earth.state.event_base import BattleEvent, happens, of_seat, of_unit, with_unit
from engine.rulesets.apocalypse_earth.state.state import (
    ADMINISTRATION,
    BATTLE,
    ENDED,
    GONE,
    LEFT,
    SPENT,
    Activation,
    Battle,
    Earned,
)
from protocol.ids import GroupId


class TurnStarted(BattleEvent, frozen=True, tag="ae.turn_started"):
    """Start of the next turn: nobody has acted, the markers of the last one are gone."""

    order: tuple[int, ...]
    barrier = "dice"
    cue = says("card", "ae.log.turn", "AE-TURN-01", turn=lambda event: event.turn)
    turn: int

    def apply(self, state: Battle) -> Battle:
        units = {
            id: replace(
                unit,
                acted=False,
                fired=False,
                tried=False,
                shot=False,
                lost=0,
                strength=len(unit.figures),
                hull=replace(unit.hull, penetrated=0),
                effects=tuple([effect for effect in unit.effects if state.units[effect.by].figures]),
            )
            for id, unit in state.units.items()
        }
        seats = tuple([replace(seat, skipped=False, resting=False, powers=()) for seat in state.seats])
        return replace(
            state,
            phase=BATTLE,
            turn=self.turn,
            order=self.order,
            units=units,
            seats=seats,
            placing=(),
            placed=(),
            clouds=tuple([cloud for cloud in state.clouds if cloud.until >= self.turn]),
        )


class SeatOn(BattleEvent, frozen=True, tag="ae.seat_on"):
    """Turn of a seat to act with a unit."""

    seat: int
    apply = sets(acting=its.seat)


class TurnPlayed(BattleEvent, frozen=True, tag="ae.turn_played"):
    """End of all actions of a turn: the administration phase begins."""

    cue = says("note", "ae.log.administration", "AE-TURN-04")
    apply = sets(phase=ADMINISTRATION, active=None)


class Activated(BattleEvent, frozen=True, tag="ae.activated"):
    """Start of a unit's action: it gives up overwatch, stands where it has not moved, and what its psychics have done
    ends."""

    unit: GroupId

    def apply(self, state: Battle) -> Battle:
        units = {
            id: replace(unit, effects=tuple([effect for effect in unit.effects if effect.by != self.unit]))
            if unit.effects
            else unit
            for id, unit in state.units.items()
        }
        state = with_unit(replace(state, units=units), self.unit, overwatch=False, moved=False)
        return replace(state, active=Activation(self.unit))


class StepTaken(BattleEvent, frozen=True, tag="ae.step_taken"):
    """Close of the steps of an action before this one."""

    step: int

    def apply(self, state: Battle) -> Battle:
        return state if state.active is None else replace(state, active=replace(state.active, step=self.step))


class ActionSpent(BattleEvent, frozen=True, tag="ae.action_spent"):
    """Note that the acting unit has nothing left to do; its action goes on until its player ends it."""

    def apply(self, state: Battle) -> Battle:
        return state if state.active is None else replace(state, active=replace(state.active, step=SPENT))


class ActionEnded(BattleEvent, frozen=True, tag="ae.action_ended"):
    """End of a unit's action for this turn."""

    unit: GroupId

    def apply(self, state: Battle) -> Battle:
        unit = state.units[self.unit]
        hull = replace(unit.hull, shaken=max(0, unit.hull.shaken - 1))
        figures = state.figures
        for id in unit.figures:
            if figures[id].stunned:
                figures = {**figures, id: replace(figures[id], stunned=figures[id].stunned - 1)}
        state = with_unit(replace(state, figures=figures), self.unit, acted=True, hull=hull)
        seats = tuple([replace(seat, skipped=False) for seat in state.seats])
        last = {**state.last, state.side(unit.owner): unit.owner}
        return replace(state, active=None, seats=seats, last=last)


class UnitLeft(BattleEvent, frozen=True, tag="ae.unit_left"):
    """Departure of a unit by an edge of the table: it is out of the game, unharmed."""

    unit: GroupId
    cue = happens("ae.log.left", "AE-SCEN-04")
    apply = of_unit(where=GONE, fate=LEFT, overwatch=False)


class Passed(BattleEvent, frozen=True, tag="ae.passed"):
    """Pass of a seat, now or for the rest of the turn."""

    seat: int
    rest: bool = False
    cue = says("note", ("rest", "ae.log.rests", "ae.log.passed"), "AE-TURN-01", seat="seat", army="seat")
    apply = of_seat(skipped=True, resting=its.rest)


class PointsEarned(BattleEvent, frozen=True, tag="ae.points_earned"):
    """Points that a side has earned for good."""

    earned: Earned
    apply = sets(earned=also(its.earned))


class SeatConceded(BattleEvent, frozen=True, tag="ae.seat_conceded"):
    """Concession of a seat: it takes no more part."""

    seat: int
    barrier = "revealed"
    cue = says("note", "ae.log.conceded", "AE-SEAT-01", seat="seat", army="seat")
    apply = in_turn(of_seat(conceded=True), sets(placing=(), march=None))


class BattleEnded(BattleEvent, frozen=True, tag="ae.battle_ended"):
    """End of the battle: after the last turn, or as one side has nothing left."""

    why: str
    barrier = "revealed"
    cue = says("end", "ae.ended.{it.why}", "AE-OPEN-29")
    apply = sets(ended=its.why, phase=ENDED, active=None, march=None, placing=())


EVENTS: tuple[type[BattleEvent], ...] = tagged(globals(), BattleEvent)
