"""Order of play: units that can act, seats that pass, and whose turn it is (AE-TURN-01, AE-SEAT-02, AE-SEAT-04)."""

from __future__ import annotations

from typing import Final

from engine.kit.rules import Game, Gesture, Intent, Label, Seat, Verb, forbid, implements
from engine.rulesets.apocalypse_earth.rules.table import sighting
from engine.rulesets.apocalypse_earth.state.fire_events import Alarmed
from engine.rulesets.apocalypse_earth.state.state import ABOARD, BATTLE, COMING, TABLE, Battle, Unit
from engine.rulesets.apocalypse_earth.state.turn_events import Passed, SeatOn, TurnPlayed, TurnStarted
from protocol.ids import GroupId

ARRIVAL: Final = 2
"""AE-SETUP-03: the turn from which units come in that had no room."""
HEARS: Final = 2400
"""AE-SCEN-02: an enemy seen so near alarms the side."""
STIRRED: Final = 2
"""AE-SCEN-02: the units that a side acts with in a turn before its alarm."""


class PassTurn(Intent, frozen=True, tag="ae.pass"):
    """Pass of a seat whose only units are hidden or on overwatch, for now or for the rest of the turn."""

    rest: bool = False


@implements("AE-TURN-01")
def can_act(state: Battle, unit: Unit) -> bool:
    """Tell if a unit can act in this turn: it is on the table or aboard, or may come in, and has not acted."""
    is_there = unit.where in (TABLE, ABOARD) or (unit.where == COMING and state.turn >= ARRIVAL)
    return is_there and not unit.acted


def waiting(state: Battle, seat: int) -> list[Unit]:
    """Return the units of a seat that can act."""
    return [unit for unit in state.units.values() if unit.owner == seat and can_act(state, unit)]


@implements("AE-TURN-01")
def may_pass(state: Battle, seat: int) -> bool:
    """Tell if a seat may pass: all its units that can act are hidden or on overwatch."""
    return all(unit.hidden or unit.overwatch for unit in waiting(state, seat))


@implements("AE-TURN-01", "AE-SEAT-01")
def is_willing(state: Battle, seat: int) -> bool:
    """Tell if a seat still acts in this turn: it has a unit that can act, and has not passed."""
    own = state.seats[seat]
    if own.conceded or not waiting(state, seat) or _is_asleep(state, seat):
        return False
    return not ((own.skipped or own.resting) and may_pass(state, seat))


def _sleeps(state: Battle, side: int) -> bool:
    return side == state.resolved.scenario.alarm and not state.alarmed


@implements("AE-SCEN-02")
def _is_asleep(state: Battle, seat: int) -> bool:
    """Tell if a side that is not alarmed has acted with as many units as it may."""
    side = state.side(seat)
    acted = [unit for unit in state.units.values() if unit.acted and state.side(unit.owner) == side]
    return _sleeps(state, side) and len(acted) >= STIRRED


@implements("AE-SCEN-02")
def rouse(game: Game[Battle], target: GroupId) -> None:
    """Alarm the side of a unit that is fired at or charged."""
    if _sleeps(game.state, game.state.side(game.state.units[target].owner)):
        game.emit(Alarmed())


@implements("AE-SCEN-02")
def look_out(game: Game[Battle]) -> None:
    """Alarm the side that sleeps if any of its units sees an enemy near enough."""
    state, side = game.state, game.state.resolved.scenario.alarm
    if side < 0 or not _sleeps(state, side):
        return
    seat = state.seats_of(side)[0]
    pairs = [(one, enemy) for one in state.friends(seat) for enemy in state.enemies(seat)]
    if any(sighting.distance(state, *pair) <= HEARS and sighting.sees(state, *pair) for pair in pairs):
        game.emit(Alarmed())


def seats_after(state: Battle, side: int, seat: int) -> list[int]:
    """Return the seats of a side in the order in which they go round, from the one after a seat of it."""
    seats = state.seats_of(side)
    start = seats.index(seat) + 1 if seat in seats else 0
    return [*seats[start:], *seats[:start]]


@implements("AE-SEAT-02", "AE-TURN-01")
def next_seat(state: Battle, seat: int = -1, *, passed: bool = False) -> int:
    """Return the seat that acts after this one: of the next side, or of its own first where it has `passed`; without
    one the first of a turn. -1 where all have passed one after another."""
    order, last = state.order, state.last
    if seat >= 0:
        own = order.index(state.side(seat)) + (not passed)
        order, last = (*order[own:], *order[:own]), {**last, state.side(seat): seat}
    round = (other for side in order for other in seats_after(state, side, last.get(side, -1)))
    return next((other for other in round if is_willing(state, other)), -1)


def hand_over(game: Game[Battle], seat: int = -1, *, passed: bool = False) -> None:
    """Let the next seat act, or end the actions of this turn."""
    following = next_seat(game.state, seat, passed=passed)
    game.emit(TurnPlayed() if following < 0 else SeatOn(following))


@implements("AE-TURN-01", "AE-SEAT-04")
async def start_turn(game: Game[Battle]) -> None:
    """Start the next turn: the same side first as before; where each is alone, the first becomes the last."""
    await game.round()
    order = game.state.order
    if game.state.turn and not game.state.sides:
        order = (*order[1:], order[0])
    game.emit(TurnStarted(order, game.state.turn + 1))
    hand_over(game)


@implements("AE-TURN-01")
async def pass_turn(game: Game[Battle], seat: Seat, intent: PassTurn) -> None:
    """Pass."""
    state = game.state
    forbid(state.phase != BATTLE or state.acting != seat or state.active is not None, "act/not-now")
    forbid(not may_pass(state, seat), "pass/must-act")
    game.emit(Passed(seat, intent.rest))
    hand_over(game, seat, passed=True)


def _may_pass_now(state: Battle, seat: Seat) -> bool:
    return state.phase == BATTLE and state.active is None and may_pass(state, seat)


PASS: Final = Verb(
    Label("pass", "p", "Pass", "Wait: your hidden units and those on overwatch may still act in this turn."),
    pass_turn,
    when=_may_pass_now,
    make=lambda draft: PassTurn(),
    gesture=Gesture(rank=8, ends=True),
)
REST: Final = Verb(
    Label(
        "rest", "r", "Pass for the rest of the turn", "Your hidden units and those on overwatch stay where they are."
    ),
    pass_turn,
    when=_may_pass_now,
    make=lambda draft: PassTurn(rest=True),
    gesture=Gesture(rank=9, ends=True),
)
