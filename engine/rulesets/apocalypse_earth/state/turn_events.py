"""Events of turns, actions and moves: whose turn it is, marches, overwatch, the administration phase, the end."""

from __future__ import annotations

from msgspec.structs import replace

from engine.core.rules.events import tagged
from engine.kit.changes import also, drop, each, in_turn, inside, its, made, moves, sets, when
from engine.kit.present.cues import happens, says
from engine.rulesets.apocalypse_earth.state.event_base import BattleEvent, SideEvent, UnitEvent, of_seat, of_unit
from engine.rulesets.apocalypse_earth.state.lasting import CARRIES, March
from engine.rulesets.apocalypse_earth.state.model import Point
from engine.rulesets.apocalypse_earth.state.state import (
    ADMINISTRATION,
    BATTLE,
    ENDED,
    GONE,
    LEFT,
    Activation,
    Battle,
    Earned,
    Unit,
)
from protocol.ids import FigureId, GroupId


class TurnStarted(BattleEvent, frozen=True, tag="ae.turn_started"):
    """Start of the next turn: nobody has acted, the markers of the last one are gone."""

    order: tuple[int, ...]
    turn: int
    barrier = "dice"
    cue = says("card", "ae.log.turn", "AE-TURN-01", turn=lambda event: event.turn)

    def apply(self, state: Battle) -> Battle:
        def anew(unit: Unit) -> Unit:
            effects = tuple([effect for effect in unit.effects if state.units[effect.by].figures])
            hull = replace(unit.hull, penetrated=0)
            fresh = replace(unit, acted=False, fired=False, tried=False, shot=False, lost=0)
            return replace(fresh, strength=len(unit.figures), hull=hull, effects=effects)

        begun: Battle = _turn(self, replace(state, units={id: anew(unit) for id, unit in state.units.items()}))
        return replace(begun, clouds=tuple([cloud for cloud in state.clouds if cloud.until >= self.turn]))


_turn = sets(
    phase=BATTLE,
    turn=its.turn,
    order=its.order,
    seats=each(skipped=False, resting=False, powers=()),
    placing=(),
    placed=(),
)


class SeatOn(BattleEvent, frozen=True, tag="ae.seat_on"):
    """Turn of a seat to act with a unit."""

    seat: int
    apply = sets(acting=its.seat)


class TurnPlayed(BattleEvent, frozen=True, tag="ae.turn_played"):
    """End of all actions of a turn: the administration phase begins."""

    cue = says("note", "ae.log.administration", "AE-TURN-04")
    apply = sets(phase=ADMINISTRATION, active=None)


class Activated(UnitEvent, frozen=True, tag="ae.activated"):
    """Start of a unit's action: it gives up overwatch, stands where it has not moved, and what its psychics have done
    ends."""

    apply = in_turn(
        sets(units=each(effects=drop(its.unit, "by")), active=made(Activation, its.unit)),
        of_unit(overwatch=False, moved=False),
    )


class StepTaken(BattleEvent, frozen=True, tag="ae.step_taken"):
    """Close of the steps of an action before this one; SPENT: its unit has nothing left to do, and its player is to
    end it."""

    step: int
    apply = sets(active=inside(step=its.step))


class ActionEnded(UnitEvent, frozen=True, tag="ae.action_ended"):
    """End of a unit's action for this turn."""

    def apply(self, state: Battle) -> Battle:
        unit = state.units[self.unit]
        stunned = [figure for figure in state.members(unit) if figure.stunned]
        figures = {figure.id: replace(figure, stunned=figure.stunned - 1) for figure in stunned}
        hull = replace(unit.hull, shaken=max(0, unit.hull.shaken - 1))
        units = {**state.units, unit.id: replace(unit, acted=True, hull=hull)}
        last = {**state.last, state.side(unit.owner): unit.owner}
        ended: Battle = _over(self, replace(state, units=units, last=last))
        return replace(ended, figures={**state.figures, **figures}) if figures else ended


_over = sets(active=None, seats=each(skipped=False))


class UnitLeft(UnitEvent, frozen=True, tag="ae.unit_left"):
    """Departure of a unit by an edge of the table: it is out of the game, unharmed."""

    cue = happens("ae.log.left", "AE-SCEN-04")
    apply = of_unit(where=GONE, fate=LEFT, overwatch=False)


class Passed(BattleEvent, frozen=True, tag="ae.passed"):
    """Pass of a seat, now or for the rest of the turn."""

    seat: int
    rest: bool = False
    cue = says("note", ("rest", "ae.log.rests", "ae.log.passed"), "AE-TURN-01", seat="seat", army="seat")
    apply = of_seat(skipped=True, resting=its.rest)


class MarchBegun(BattleEvent, frozen=True, tag="ae.march_begun"):
    """Declaration of a move: it is public before anybody reacts."""

    march: March
    cue = says(
        "move", "ae.log.march.{it.march.how}", "AE-MOVE-01", unit="march.unit", about="march.unit", path="march.way"
    )
    apply = sets(march=its.march)


class MarchGone(UnitEvent, frozen=True, tag="ae.march_gone"):
    """Move of a unit's figures along their declared ways, up to these places."""

    places: dict[FigureId, Point]
    apply = moves()


class MarchEnded(UnitEvent, frozen=True, tag="ae.march_ended"):
    """End of a declared move. `spent`: by figure what its way cost."""

    spent: dict[FigureId, int]

    def apply(self, state: Battle) -> Battle:
        ended: Battle = _marched(self, state)
        active = state.active
        if active is None or active.unit != self.unit:
            return ended
        spent = active.spent | {id: active.spent.get(id, 0) + cost for id, cost in self.spent.items()}
        carried = active.carried or (state.march is not None and state.march.how == CARRIES)
        return replace(ended, active=replace(active, spent=spent, carried=carried))


_marched = in_turn(sets(march=None), of_unit(moved=True))


class FiguresMoved(UnitEvent, frozen=True, tag="ae.figures_moved"):
    """Move of figures by the rules: aside, into cover, back into coherency. `why` is a key of `ae.log.moved`."""

    places: dict[FigureId, Point]
    why: str
    cue = happens("ae.log.moved.{it.why}", "AE-MOVE-01")
    apply = moves()


class OverwatchSet(BattleEvent, frozen=True, tag="ae.overwatch_set"):
    """Units on overwatch for the next turn, of those that are not hidden; all others are off it."""

    units: tuple[GroupId, ...]
    cue = says("note", "ae.log.overwatch", "AE-OVER-01", count=lambda event: len(event.units))

    def apply(self, state: Battle) -> Battle:
        units = {id: replace(unit, overwatch=id in self.units) for id, unit in state.units.items()}
        return replace(state, units=units)


class HiddenOnWatch(SideEvent, frozen=True, tag="ae.hidden_on_watch"):
    """Hidden units on overwatch, which their side alone knows."""

    units: tuple[GroupId, ...]

    def apply(self, state: Battle) -> Battle:
        watching = {id: replace(state.units[id], overwatch=True) for id in self.units}
        return replace(state, units={**state.units, **watching})


class OverwatchUsed(UnitEvent, frozen=True, tag="ae.overwatch_used"):
    """Use of a unit's overwatch, which is its action for the turn; `moves`: it moves once the enemy's action is
    over."""

    moves: bool = False
    cue = happens(("moves", "ae.log.overwatch.moves", "ae.log.overwatch.fires"), "AE-OVER-02")
    apply = in_turn(of_unit(overwatch=False, acted=True, fired=True), when("moves", sets(replies=also(its.unit))))


class ReplyMade(UnitEvent, frozen=True, tag="ae.reply_made"):
    """End of a unit's wait to move by overwatch."""

    apply = sets(replies=drop(its.unit, ""))


class PointsEarned(BattleEvent, frozen=True, tag="ae.points_earned"):
    """Points that a side has earned for good."""

    earned: Earned
    apply = sets(earned=also(its.earned))


class SeatConceded(BattleEvent, frozen=True, tag="ae.seat_conceded"):
    """Concession of a seat: it takes no more part, and places nothing more."""

    seat: int
    barrier = "revealed"
    cue = says("note", "ae.log.conceded", "AE-SEAT-01", seat="seat", army="seat")

    def apply(self, state: Battle) -> Battle:
        left: Battle = _conceded(self, state)
        return replace(left, placing=()) if state.acting == self.seat else left


_conceded = in_turn(of_seat(conceded=True), sets(march=None))


class BattleEnded(BattleEvent, frozen=True, tag="ae.battle_ended"):
    """End of the battle: after the last turn, or as one side has nothing left."""

    why: str
    barrier = "revealed"
    cue = says("end", "ae.ended.{it.why}", "AE-OPEN-29")
    apply = sets(ended=its.why, phase=ENDED, active=None, march=None, placing=())


EVENTS: tuple[type[BattleEvent], ...] = tagged(globals(), BattleEvent)
