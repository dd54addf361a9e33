"""Radio sets of operators who have fallen, taken up by others of their unit (AE-OPEN-26)."""

from __future__ import annotations

from typing import Final

from engine.core.rules.errors import is_legal
from engine.kit.rules import Game, Gesture, IllegalIntent, Intent, Label, Seat, Verb, forbid, implements
from engine.rulesets.apocalypse_earth.rules import activations, stands, traits, ways
from engine.rulesets.apocalypse_earth.rules.picking import Choosing, pick
from engine.rulesets.apocalypse_earth.state.model import Point
from engine.rulesets.apocalypse_earth.state.state import POWERS as STEP, TABLE, Battle, Unit
from engine.rulesets.apocalypse_earth.state.support_events import SetTaken
from engine.rulesets.apocalypse_earth.state.turn_events import FiguresMoved
from engine.space.terrain.contact import Base
from engine.space.vectors.points import floor_sqrt, squared, towards
from protocol.ids import FigureId, GroupId

COST: Final = 300


class TakeSet(Intent, frozen=True, tag="ae.take_set"):
    """Radio set that the nearest figure of a unit takes up."""

    unit: GroupId


@implements("AE-OPEN-26")
def check_take(state: Battle, seat: int, take: TakeSet) -> tuple[FigureId, Point]:
    """Return the figure that takes up the set and where it stands then: with enough of its movement left to go there
    and 3 cm more. Raises IllegalIntent."""
    unit = activations.check_step(state, seat, take.unit, STEP)
    body = state.radio_sets.get(unit.id)
    if body is None or unit.where != TABLE:
        raise IllegalIntent("set/none")
    figure = min(state.members(unit), key=lambda one: (one.shaken, squared(one.at, body)))
    gap = floor_sqrt(squared(figure.at, body)) - 2 * traits.RADIUS
    to = towards(figure.at, body, gap) if gap > 0 else figure.at
    spent = state.active.spent.get(figure.id, 0) if state.active is not None and state.acts == unit.id else 0
    left = traits.allowance(state, unit) - spent - COST
    forbid(figure.shaken or left < 0 or ways.cost(state, unit, (figure.at, to)) > left, "set/far")
    if to != figure.at:
        apart = [one.at for one in state.members(unit) if one.id != figure.id]
        crowded = any(squared(to, at) < (2 * traits.RADIUS) ** 2 for at in apart)
        barred = stands.StandRoom(state, unit).barred(figure.at, to, figure.at)
        forbid(crowded or barred or stands.StandRoom(state, unit).fault(Base(figure.id, to, traits.RADIUS)), "set/far")
    return figure.id, to


@implements("AE-OPEN-26", "AE-TURN-02")
async def take_set(game: Game[Battle], seat: Seat, take: TakeSet) -> None:
    """Let a figure take up the set of its unit's fallen operator: it works from the next turn on."""
    figure, to = check_take(game.state, seat, take)
    taking = activations.declare(game, "take_set", take.unit)
    activations.begin(game, take.unit)
    activations.take(game, STEP)
    if to != game.state.figures[figure].at:
        game.emit(FiguresMoved(take.unit, {figure: to}, "set"))
    game.emit(SetTaken(take.unit, figure, game.state.turn + 1))
    taking.resolve("done")


def _units(draft: Choosing) -> list[Unit]:
    state = draft.state
    able = [unit for unit in activations.acting(state, draft.seat, STEP) if unit.id in state.radio_sets]
    return [unit for unit in able if is_legal(lambda: check_take(state, draft.seat, TakeSet(unit.id)))]  # noqa: B023 - called at once


TAKE_SET: Final = Verb(
    Label(
        "take_set", "t", "Take up the radio", "3 cm of the nearest figure's movement. It works from the next turn on."
    ),
    take_set,
    pick("unit", _units),
    gesture=Gesture("unit", rank=6),
)
