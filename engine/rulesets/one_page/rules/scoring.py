"""The mission: points for enemy units that are destroyed or Pinned (OP-SETUP-04)."""

from __future__ import annotations

from engine.core.rules.implements import implements
from engine.core.rules.sides import allies_of, side_results
from engine.core.rules.system import RoundTally
from engine.kit.board.board import BOARD, kept
from engine.rulesets.one_page.state import names
from engine.rulesets.one_page.state.state import AWAY, JOINED, RESERVE, Battle, Unit
from protocol.scene.nodes import Condition, Result, SeatResult
from protocol.text import Text, text


@implements("OP-SETUP-04")
def worth(state: Battle, unit: Unit) -> int:
    """Return the points that a unit gives the enemy now: all if it is destroyed or Pinned, and at the end if it is
    still in reserve. Characters with it count by themselves."""
    units = state.resolved.forces[unit.owner].units
    parts = (unit.entry, *unit.joined)
    if unit.pinned or (state.ended and unit.where in (RESERVE, AWAY)):
        return sum(units[part].points for part in parts)
    left = {state.figures[figure].entry for figure in unit.figures}
    own = [part for part in parts if not units[part].profile.character]
    lost = 0 if left.intersection(own) else sum(units[part].points for part in own)
    return lost + sum(units[part].points for part in parts if part not in own and part not in left)


@kept(BOARD, "ended")
def counted(state: Battle, seat: int) -> tuple[tuple[Unit, int], ...]:
    """Return the enemy units that count for a player's side if the battle ended now, each with its points."""
    own = allies_of(state.sides, seat)
    enemies = [unit for unit in state.units.values() if unit.owner not in own and unit.where != JOINED]
    return tuple([(unit, points) for unit in enemies if (points := worth(state, unit))])


@implements("OP-SETUP-04")
def score(state: Battle, seat: int) -> int:
    """Return the points that a player's side would have if the battle ended now."""
    return sum(points for _, points in counted(state, seat))


def scored(state: Battle, seat: int) -> tuple[Text, ...]:
    """Return the parts of the points of a player's side: a line for each enemy unit that counts, one where none
    does."""
    return tuple([_line(state, unit, points) for unit, points in counted(state, seat)]) or (text("op.mission.none"),)


def _line(state: Battle, unit: Unit, points: int) -> Text:
    left = "part" if unit.figures else "lost"
    why = "reserve" if unit.where in (RESERVE, AWAY) else "pinned" if unit.pinned else left
    return text(f"op.mission.{why}", unit=names.unit(state, unit.id), points=points)


@implements("OP-SETUP-04")
def winner(state: Battle) -> int:
    """Return the first seat of the side with more points; -1 for a draw."""
    points = [score(state, seat) for seat in state.leaders]
    return -1 if points[0] == points[1] else state.leaders[points.index(max(points))]


def tally(state: Battle) -> RoundTally:
    """Return points, and models in play and lost, of each player."""
    mustered = [sum(len(entry.arms) for entry in state.resolved.forces[seat].units) for seat in state.players]
    standing = [sum(figure.owner == seat for figure in state.figures.values()) for seat in state.players]
    lost = tuple([had - left for had, left in zip(mustered, standing, strict=True)])
    points = tuple([score(state, seat) for seat in state.players])
    return RoundTally(state.round, {"score": points, "figures": tuple(standing), "lost": lost})


def result(state: Battle) -> Result | None:
    """Return the outcome once the battle is over; None before."""
    return final(state) if state.ended else None


def final(state: Battle) -> Result:
    """Return the points of both players, and the reason for the end."""
    won = winner(state)
    seats = tuple([_seat(state, seat, won) for seat in state.players])
    # points are the side's, and so the same for each of its seats
    sides = side_results(state.sides, [seats[lead] for lead in state.leaders])
    return Result(Text(f"op.ended.{state.ended}"), seats, sides)


def _seat(state: Battle, seat: int, won: int) -> SeatResult:
    points = score(state, seat)
    is_winner = won >= 0 and not state.hostile(seat, won)
    sentence = text("op.mission.scored", points=points, army=names.army(state, state.foe(seat)))
    if state.sides:
        sentence = text("op.mission.scored.sides", points=points)
    return SeatResult(seat, is_winner, points, (Condition(text("op.mission"), sentence, is_winner),))
