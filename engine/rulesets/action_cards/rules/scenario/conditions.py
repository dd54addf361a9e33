"""Personal victory conditions: progress of each kind, and which are met (AC-SCEN-01)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from engine.core.rules.sides import allies_of
from engine.kit.board.board import kept
from engine.kit.rules import Game, implements
from engine.rulesets.action_cards.rules.board import hulls, table
from engine.rulesets.action_cards.state.events import ConditionMet
from engine.rulesets.action_cards.state.model import Condition
from engine.rulesets.action_cards.state.state import Skirmish
from engine.space.vectors.outlines import contains
from engine.space.vectors.points import box_of, in_box


class ConditionStatus(NamedTuple):
    """Status of a condition: `progress` towards its goal, and whether that meets it."""

    condition: Condition
    met: bool
    progress: int


FOR_GOOD: Final = frozenset({"destroy", "done", "outlive", "falls", "together"})
"""Kinds that, once met, stay met whatever happens; the others are judged at the end."""


def conditions_of(state: Skirmish, seat: int) -> tuple[Condition, ...]:
    """Return a seat's own conditions, then the secret ones dealt to it."""
    secrets = table.board(state).content.secrets
    secret = tuple([secrets[id] for id in state.seats[seat].secrets])
    return (*state.resolved.scenario.roles[seat].conditions, *secret)


@implements("AC-ACT-02")
def is_out(state: Skirmish, seat: int) -> bool:
    """Tell whether a seat meets no more conditions: it is out of the game, and so is everybody of its side."""
    return not any(state.seats[ally].alive for ally in allies_of(state.sides, seat))


@kept(table.board, "seats", "aboard")
@implements("AC-SCEN-01", "AC-ACT-02")
def statuses(state: Skirmish, seat: int) -> tuple[ConditionStatus, ...]:
    """Return the status of every condition of a seat, as if the game ended now. A condition met for good stays met; a
    seat that is out has no others."""
    met, out = state.seats[seat].met, is_out(state, seat)
    found: list[ConditionStatus] = []
    for condition in conditions_of(state, seat):
        progress = _PROGRESS[condition.kind](state, seat, condition)
        is_met = condition.id in met or (not out and progress >= condition.goal)
        found.append(ConditionStatus(condition, is_met, progress))
    # an unchanged status stays the same object, so that its scene node is not made again
    fresh = tuple(found)
    return state.resolved.memo.renew(("statuses", seat), lambda last: last if last == fresh else fresh)


def score(state: Skirmish, seat: int) -> int:
    """Sum the points of the seat's conditions that are met as things stand."""
    return sum(status.condition.points for status in statuses(state, seat) if status.met)


def open_score(state: Skirmish, seat: int) -> int:
    """Sum the points of `score` that all may know of: those of secret conditions are left out."""
    return sum([condition.points for condition in openly_met(state, seat)])


def openly_met(state: Skirmish, seat: int) -> tuple[Condition, ...]:
    """Return the seat's conditions that are met as things stand, but for secret ones."""
    return tuple([s.condition for s in statuses(state, seat) if s.met and not s.condition.secret])


@implements("AC-SCEN-01")
def wins(state: Skirmish, seat: int) -> bool:
    """Tell whether the seat has the points that its role needs, or its side those of all its roles; several may win."""
    scenario = state.resolved.scenario
    side = allies_of(scenario.sides, seat)
    return sum(score(state, ally) for ally in side) >= sum(scenario.roles[ally].win for ally in side)


@kept(table.board, "seats", "aboard")
@implements("AC-ACT-02")
def newly_met(state: Skirmish) -> tuple[ConditionMet, ...]:
    """Return events for the conditions met for good since the last call to `announce`, in seat order."""
    return tuple(
        ConditionMet(seat, condition.id, condition.secret)
        for seat, own in enumerate(state.seats)
        if not is_out(state, seat)
        for condition in conditions_of(state, seat)
        if condition.kind in FOR_GOOD
        and condition.id not in own.met
        and _PROGRESS[condition.kind](state, seat, condition) >= condition.goal
    )


@implements("AC-SCEN-01")
async def announce(game: Game[Skirmish]) -> None:
    """Emit the conditions newly met for good: all of them public, except secret ones."""
    game.emit(*newly_met(game.state))


@kept(table.board)
def _holders(state: Skirmish) -> Mapping[str, set[int]]:
    found: dict[str, set[int]] = {}
    board = table.board(state)
    for group in state.groups.values():
        for feature in board.standing[group.id].inside:
            found.setdefault(feature, set()).add(group.owner)
    return found


def _holds(state: Skirmish, seat: int, feature: str) -> bool:
    holders = _holders(state).get(feature, set())
    return seat in holders and not any(state.hostile(seat, other) for other in holders)


def _destroy(state: Skirmish, seat: int, condition: Condition) -> int:
    removed = state.seats[seat].removed
    if condition.seat >= 0:
        return removed.get(condition.seat, 0)
    return sum(count for owner, count in removed.items() if state.hostile(owner, seat))


@kept(table.board)
def _counts(state: Skirmish) -> Counter[int]:
    return Counter([one.owner for one in state.figures.values()])


def _reach(state: Skirmish, seat: int, condition: Condition) -> int:
    if condition.feature:
        counts = (
            table.board(state).standing[group.id].inside for group in state.groups.values() if group.owner == seat
        )
        return sum(inside.get(condition.feature, 0) for inside in counts)
    outline = next(zone.outline for zone in state.resolved.scenario.zones if zone.id == condition.zone)
    box = box_of(outline)
    near = [one for one in state.figures.values() if one.owner == seat and in_box(one.at, box)]
    return sum([hulls.is_down(figure) and contains(figure.at, outline) for figure in near])


_PROGRESS: Final[Mapping[str, Callable[[Skirmish, int, Condition], int]]] = {
    "hold": lambda state, seat, condition: int(_holds(state, seat, condition.feature)),
    "destroy": _destroy,
    "survive": lambda state, seat, condition: _counts(state)[seat] + len(state.riders(seat)),
    "reach": _reach,
    "done": lambda state, seat, condition: state.seats[seat].done.get(condition.special, 0),
    "outlive": lambda state, seat, condition: int(not state.seats[condition.seat].alive),
    "stands": lambda state, seat, condition: int(condition.feature not in state.gone),
    "falls": lambda state, seat, condition: int(condition.feature in state.gone),
    "together": lambda state, seat, condition: sum(own.done.get(condition.special, 0) for own in state.seats),
}
KINDS: Final = frozenset(_PROGRESS)
