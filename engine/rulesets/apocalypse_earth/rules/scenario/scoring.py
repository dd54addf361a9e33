"""Victory points: units, objectives, prizes of the scenario, and the result (AE-OPEN-27, AE-SCEN)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from engine.core.rules.implements import implements
from engine.core.rules.sides import side_results
from engine.core.rules.system import RoundTally
from engine.kit.board.board import BOARD, kept
from engine.kit.rules import Game
from engine.rulesets.apocalypse_earth.rules.scenario import aid_posts
from engine.rulesets.apocalypse_earth.rules.table import ground, hulls, traits
from engine.rulesets.apocalypse_earth.rules.turns import surrender
from engine.rulesets.apocalypse_earth.state import names
from engine.rulesets.apocalypse_earth.state.model import INFANTRY, Objective, Prize
from engine.rulesets.apocalypse_earth.state.state import (
    CAPTURED,
    GONE,
    LEFT,
    NOBODY,
    TABLE,
    Battle,
    Earned,
    Figure,
    Unit,
)
from engine.rulesets.apocalypse_earth.state.turn_events import PointsEarned
from engine.space.terrain.contact import Base
from engine.space.terrain.gaps import Shape, point_gap
from engine.space.vectors.outlines import contains
from engine.space.vectors.points import Point, within
from protocol.scene.nodes import Condition, Result, SeatResult
from protocol.text import Text, text

HOLDS: Final = 600
"""AE-OPEN-27: greatest distance of a figure from an objective that it holds."""
WINS, DECIDES = 10, 4
"""AE-OPEN-27: parts of the agreed size by which a victory, and a decisive one, lead."""


class Score(NamedTuple):
    """Points of a side, with a line for what they are made of."""

    points: int
    line: Text


@kept(BOARD)
@implements("AE-OPEN-27", "AE-SEAT-03")
def _fit(state: Battle) -> tuple[tuple[int, Figure, Shape], ...]:
    """Return the figures that hold and contest objectives, each with its side and its base: not suppressed or hidden
    ones, no vehicle that cannot fire."""
    return tuple(
        [
            (state.side(unit.owner), figure, traits.shape(state, figure))
            for unit in state.standing()
            if surrender.can_fight(state, unit)
            for figure in state.members(unit)
            if not figure.shaken
        ]
    )


@kept(BOARD)
@implements("AE-OPEN-27")
def holder(state: Battle, objective: Objective) -> int:
    """Return the side that holds an objective: the only one with a fit figure near it; NOBODY without one."""
    return _only(side for side, _, base in _fit(state) if _is_near(base, objective.at))


@implements("AE-OPEN-27")
def _is_near(base: Shape, at: Point) -> bool:
    """Tell if a base is at an objective."""
    if isinstance(base, Base):
        return within(base.at, at, HOLDS + base.radius)
    return point_gap(at, base) <= HOLDS


def _only(sides: Iterable[int]) -> int:
    """Return the side if they are one alone; NOBODY of none or of several."""
    found = set(sides)
    return found.pop() if len(found) == 1 else NOBODY


@implements("AE-OPEN-27")
def worth(state: Battle, unit: Unit) -> tuple[int, int]:
    """Return the points that a unit pays now, and the seat that it pays them to: its price if it is destroyed or has
    surrendered, half of it at half strength or less (of a vehicle, if it does not move any more or has lost its
    weapons); nothing for those who are prisoners to be led off."""
    price = state.profile(unit).points - unit.taken
    if unit.fate == LEFT:
        return 0, NOBODY
    if unit.where == GONE:
        return price, unit.captor if unit.fate == CAPTURED else unit.hurt[-1] if unit.hurt else NOBODY
    profile = state.profile(unit)
    if traits.is_vehicle(profile):
        half = hulls.is_immobile(unit) or (profile.weapons and not state.weapons_of(state.leader(unit)))
    else:
        half = 2 * len(unit.figures) <= unit.size
    if not half:
        return 0, NOBODY
    last = {seat: n for n, seat in enumerate(unit.hurt)}
    return price // 2, max(last, key=lambda seat: (unit.hurt.count(seat), last[seat]), default=NOBODY)


@implements("AE-OPEN-27", "AE-SEAT-04")
def paid(state: Battle, unit: Unit, seat: int) -> int:
    """Return the side that a seat's merit for a unit counts for: what no enemy caused counts for the enemy where there
    are two sides, otherwise for nobody."""
    if seat != NOBODY and state.hostile(seat, unit.owner):
        return state.side(seat)
    return _only({state.side(other) for other in state.players} - {state.side(unit.owner)})


@kept(BOARD, "earned", "turn", "seats", "ended", "wounded")
def scores(state: Battle) -> dict[int, list[Score]]:
    """Return what each side would have if the battle ended now."""
    found: dict[int, list[Score]] = {state.side(seat): [] for seat in state.players}
    units: dict[int, int] = dict.fromkeys(found, 0)
    for unit in state.units.values():
        points, seat = worth(state, unit)
        side = paid(state, unit, seat) if points else NOBODY
        if side != NOBODY:
            units[side] += points
            how = unit.fate if unit.where == GONE else "half"
            found[side].append(Score(0, text(f"ae.score.{how}", unit=names.unit(state, unit.id), points=points)))
    share = state.resolved.scenario.unit_share
    for side, points in units.items():
        found[side].insert(0, Score(points // share, text("ae.score.units", points=points // share)))
    for earned in (*state.earned, *_at_the_end(state)):
        if earned.side in found:
            line = text("ae.score.earned", what=Text(f"ae.prize.{earned.what}"), points=earned.points)
            found[earned.side].append(Score(earned.points, line))
    for side in found if state.wounded else ():
        aided = aid_posts.points(state, side)
        found[side].append(Score(aided, text("ae.score.wounded", points=aided)))
    return found


def score(state: Battle, side: int) -> int:
    """Return the points of a side if the battle ended now."""
    return sum(one.points for one in scores(state)[side])


def scored(state: Battle, side: int) -> tuple[Text, ...]:
    """Return what the points of a side are made of, a line each."""
    return tuple([one.line for one in scores(state)[side]])


@implements("AE-OPEN-27", "AE-SCEN-07")
def _at_the_end(state: Battle) -> Iterator[Earned]:
    """Yield what objectives and prizes would bring at the end of the game."""
    scenario = state.resolved.scenario
    for objective in scenario.objectives:
        if objective.worth:
            yield Earned(holder(state, objective), objective.id, objective.worth)
    for prize in scenario.prizes:
        if not prize.turns:
            yield from _won(state, prize)


@implements("AE-SCEN-05", "AE-SCEN-07", "AE-SCEN-03")
async def end_turn(game: Game[Battle]) -> None:
    """Pay what objectives and prizes bring at the end of this turn."""
    state = game.state
    for objective in state.resolved.scenario.objectives:
        side = holder(state, objective) if objective.each and state.turn >= objective.since else NOBODY
        if side != NOBODY:
            game.emit(PointsEarned(Earned(side, objective.id, objective.each)))
    for prize in state.resolved.scenario.prizes:
        if state.turn in prize.turns:
            game.emit(*[PointsEarned(earned) for earned in _won(state, prize)])


def _won(state: Battle, prize: Prize) -> Iterator[Earned]:
    """Yield what a prize brings now, for each of its buildings and units."""
    sides = [_of_building(state, prize, feature) for feature in prize.features]
    sides += [prize.side for unit in state.units.values() if _counts(state, unit, prize)]
    return (Earned(side, prize.id, prize.points) for side in sides if side != NOBODY)


@implements("AE-SCEN-02", "AE-SCEN-03", "AE-SCEN-06")
def _of_building(state: Battle, prize: Prize, feature: str) -> int:
    """Return the side that a prize gives the points of a building. Razed: one that has collapsed, burnt out or burns.
    Else that which alone has fit figures inside, the prize's own where it has one, and otherwise the one that the prize
    names."""
    house = next((area for area in ground.buildings(state) if area.id == feature), None)
    if prize.what == "razed":
        return prize.side if house is None or feature in ground.burning(state) else NOBODY
    alone = _only(side for side, figure, _ in _fit(state) if house is not None and house.holds(figure.at))
    return alone if alone != NOBODY and prize.side in (NOBODY, alone) else prize.otherwise


@implements("AE-SCEN-02", "AE-SCEN-04")
def _counts(state: Battle, unit: Unit, prize: Prize) -> bool:
    """Tell if a unit brings a prize: at home, out of the table, or kept from leaving."""
    profile = state.profile(unit)
    if profile.id not in prize.units and (INFANTRY not in prize.units or traits.is_vehicle(profile)):
        return False
    own = state.side(unit.owner) == prize.side
    if prize.what == "home":
        there = [figure for figure in state.members(unit) if contains(figure.at, prize.outline)]
        return own and unit.where == TABLE and len(there) >= prize.figures
    if prize.what == "out":
        return own and unit.fate == LEFT and 2 * len(unit.figures) >= unit.size
    return not own and unit.fate != LEFT


@implements("AE-OPEN-27", "AE-SEAT-04", "AE-SEAT-01")
def winners(state: Battle) -> list[int]:
    """Return the sides that have won: none where it is a draw, several where it is shared."""
    points = {side: score(state, side) for side in scores(state)}
    alive = [side for side in points if not all(state.seats[seat].conceded for seat in state.seats_of(side))]
    best = max([points[side] for side in alive], default=0)
    first = [side for side in alive if points[side] == best]
    if len(points) > 2:
        held = {side: sum(holder(state, one) == side for one in state.resolved.scenario.objectives) for side in first}
        return [side for side in first if held[side] == max(held.values())]
    if len(alive) < 2:
        return first
    lead = best - min(points.values())
    margin = state.resolved.scenario.margin
    return first if len(first) == 1 and (lead > margin if margin else WINS * lead >= agreed(state)) else []


def agreed(state: Battle) -> int:
    """Return the agreed size: the points of the largest side."""
    plans = state.resolved.scenario.seats
    return max(sum(plans[seat].points for seat in state.seats_of(side)) for side in scores(state))


def tally(state: Battle) -> RoundTally:
    """Return points of its side, and figures in play and lost, of each seat."""
    points = {side: score(state, side) for side in scores(state)}
    units = [[unit for unit in state.units.values() if unit.owner == seat] for seat in state.players]
    standing = tuple([sum(len(unit.figures) for unit in own if unit.where != GONE) for own in units])
    lost = tuple([sum(map(_lost, own)) for own in units])
    scored = tuple([points[state.side(seat)] for seat in state.players])
    return RoundTally(state.turn, {"score": scored, "figures": standing, "lost": lost})


def forces(state: Battle) -> tuple[int, ...]:
    """Return the points of the figures and vehicles that each seat has left."""
    found = [0] * len(state.seats)
    for unit in state.units.values():
        if unit.where != GONE:
            found[unit.owner] += state.profile(unit).points * len(unit.figures) // unit.size
    return tuple(found)


def _lost(unit: Unit) -> int:
    """Return the figures that a unit has lost: all of one that is gone, unless it left."""
    return unit.size if unit.where == GONE and unit.fate != LEFT else unit.size - len(unit.figures)


def result(state: Battle) -> Result | None:
    """Return the outcome once the battle is over; None before."""
    return final(state) if state.ended else None


@implements("AE-OPEN-27")
def final(state: Battle) -> Result:
    """Return the points of all seats, and the reason for the end."""
    won, points = winners(state), {side: score(state, side) for side in scores(state)}
    first, second, *_ = sorted(points.values(), reverse=True)
    how = "draw" if not won else "decisive" if DECIDES * (first - second) >= agreed(state) else "victory"
    seats: list[SeatResult] = []
    for seat in state.players:
        side = state.side(seat)
        word = how if side in won or not won else f"{how}.lost"
        line = text("ae.result.line", points=points[side], how=Text(f"ae.result.{word}"))
        seats.append(SeatResult(seat, side in won, points[side], (Condition(text("ae.result"), line, side in won),)))
    of_sides = [seats[state.seats_of(side)[0]] for side in points]  # points are the side's
    return Result(Text(f"ae.ended.{state.ended}"), tuple(seats), side_results(state.sides, of_sides))
