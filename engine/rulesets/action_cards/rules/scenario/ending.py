"""End of the game, factions that fall or leave (AC-SCEN-01, AC-ACT-02), and the result: every condition of every seat,
secret ones open, and the seats that have the points they need."""

from __future__ import annotations

from typing import Final

from engine.core.rules.sides import side_of, side_results
from engine.core.rules.system import RoundTally
from engine.kit.board.board import kept
from engine.kit.rules import Game, Intent, Seat, forbid, implements
from engine.rulesets.action_cards.rules.board import table
from engine.rulesets.action_cards.rules.close_combat import resolution
from engine.rulesets.action_cards.rules.scenario import conditions
from engine.rulesets.action_cards.state import names
from engine.rulesets.action_cards.state.events import FactionFell, FiguresRemoved, GameEnded
from engine.rulesets.action_cards.state.state import Skirmish
from protocol.ids import FigureId
from protocol.scene.nodes import Condition, Result, SeatResult
from protocol.text import Text

CLOCK: Final = "clock"
"""Reason of an end after the last row."""


@kept(table.board, "seats", "aboard")
@implements("AC-ACT-02")
def fallen(state: Skirmish) -> tuple[FactionFell, ...]:
    """Return events for the factions that have no figures left and are not yet out."""
    owners = {group.owner for group in state.groups.values()} | {ride.group.owner for ride in state.aboard.values()}
    return tuple(FactionFell(seat) for seat, own in enumerate(state.seats) if own.alive and seat not in owners)


def figures_of(state: Skirmish, seat: Seat) -> tuple[FigureId, ...]:
    """Return all figures that a faction has on the table, aboard vehicles and in reserve."""
    on_table = [id for group in state.groups.values() if group.owner == seat for id in group.figures]
    return (*on_table, *state.riders(seat))


class LeaveGame(Intent, frozen=True, tag="leave"):
    """Concede: all figures of the player are taken off the table."""


@implements("AC-ACT-02", "AC-HTH-03")
async def leave_game(game: Game[Skirmish], seat: Seat, intent: LeaveGame) -> None:
    """Remove a conceding faction, to nobody's credit, and end the combats in which no two enemies are left then. Raises
    IllegalIntent."""
    leaving = figures_of(game.state, seat)
    forbid(not leaving, "concede/stays")
    game.emit(FiguresRemoved(-1, leaving))
    await take_stock(game)
    if not decided(game.state):
        await resolution.after_losses(game)


@implements("AC-ACT-02")
async def take_stock(game: Game[Skirmish]) -> None:
    """Emit the conditions that were met for good, by those too who fall now; then the factions that fell, and what
    others have met by that."""
    await conditions.announce(game)
    game.emit(*fallen(game.state))
    await conditions.announce(game)


def decided(state: Skirmish) -> str:
    """Return why the game ends now: "nobody" or "last" where no or one side is left, else ""."""
    alive = len({side_of(state.sides, n) for n, seat in enumerate(state.seats) if seat.alive})
    return "" if alive > 1 else "last" if alive else "nobody"


def played_out(state: Skirmish) -> bool:
    """Tell whether no row comes after this one."""
    return state.last_row or not state.row


@implements("AC-SCEN-01", "AC-ACT-02")
async def end(game: Game[Skirmish], why: str) -> None:
    """End the game: by the clock, open combats are resolved first; with one faction left, they just close."""
    if why == CLOCK:
        await resolution.resolve(game, game.state.combats)
        await take_stock(game)
    game.emit(GameEnded(why))


def tally(state: Skirmish) -> RoundTally:
    """Return the points of each faction, its figures left, and those that others have removed."""
    seats = range(len(state.seats))
    standing = tuple([len(figures_of(state, Seat(seat))) for seat in seats])
    removed = tuple([sum(other.removed.get(seat, 0) for other in state.seats) for seat in seats])
    score = tuple([conditions.score(state, seat) for seat in seats])
    return RoundTally(state.turn, {"score": score, "figures": standing, "removed": removed})


def result(state: Skirmish) -> Result | None:
    """Return the result, once the match is over."""
    return final(state) if state.ending is not None else None


def final(state: Skirmish) -> Result:
    """Return the result as if the game ended now; `why` names what ended it."""
    why = state.ending.why if state.ending is not None else "clock"
    seats = tuple(_seat(state, seat) for seat in range(len(state.seats)))
    return Result(Text(f"ending.{why}"), seats, side_results(state.sides, seats))


def _seat(state: Skirmish, seat: int) -> SeatResult:
    statuses = conditions.statuses(state, seat)
    told = tuple(
        Condition(
            names.condition_text(state, one.condition, one.condition.name),
            names.condition_text(state, one.condition, one.condition.text),
            one.met,
            one.condition.secret,
        )
        for one in statuses
    )
    return SeatResult(seat, conditions.wins(state, seat), conditions.score(state, seat), told)
