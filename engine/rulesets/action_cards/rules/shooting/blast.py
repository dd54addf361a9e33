"""Blast weapons: one roll against all under a circle of six inches (AC-SETUP-02, AC-OPEN-01)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Final

from msgspec.structs import replace

from engine.core.rules.dice import Roll
from engine.core.rules.errors import is_legal
from engine.core.rules.steps import Steps
from engine.kit import forecasts
from engine.kit.blanks import template
from engine.kit.board.board import kept_steps
from engine.kit.distributions import Distribution
from engine.kit.forecasts import hundredths, lines_of, mean_of, pool_of
from engine.kit.pools import multiples
from engine.kit.rules import Forecast, Game, Gesture, IllegalIntent, Intent, Label, Seat, Verb, forbid, implements
from engine.rulesets.action_cards.rules.board import casualties, combats, cover, firepower, table, weather
from engine.rulesets.action_cards.rules.cards.actions import (
    Choosing,
    acting,
    actions_left,
    check_acting,
    own,
    take_action,
)
from engine.rulesets.action_cards.rules.close_combat import resolution
from engine.rulesets.action_cards.rules.shooting import place_sight, shooting
from engine.rulesets.action_cards.rules.special_events import monsters
from engine.rulesets.action_cards.state import names
from engine.rulesets.action_cards.state.model import Point
from engine.rulesets.action_cards.state.state import Burst, Skirmish
from engine.rulesets.action_cards.state.vehicle_events import BurstEnded, BurstFell
from engine.space.movement.reach import DIRECTIONS, along
from engine.space.vectors.points import within
from protocol.ids import FigureId, GroupId
from protocol.scene.advice import ForecastBack
from protocol.scene.fields import Template
from protocol.text import Text

RADIUS: Final = 300
"""AC-SETUP-02: the circle is six inches across."""
HALVINGS: Final = 9
"""A table is about twelve thousand hundredths across: so the places found are a quarter of an inch off."""
LOOKS: Final = DIRECTIONS[::2]
OWN: Final = 2
"""A figure of one's own under the circle weighs as much as so many of others."""


class Blast(Intent, frozen=True, tag="blast"):
    """Fire a group's blast weapons at a place."""

    group: GroupId
    at: Point


@implements("AC-OPEN-01", "AC-SETUP-02")
async def fire(game: Game[Skirmish], seat: Seat, intent: Blast) -> None:
    """Fire a group's blast weapons at a place: each group under the circle takes the whole total."""
    check_blaster(game.state, seat, intent.group)
    check_centre(game.state, seat, intent.group, intent.at)
    take_action(game, intent.group, "shoot")
    standing = len(game.state.figures)
    group = names.group_node(intent.group)
    shot = game.declare("blast", seat, expect=partial(mean_of, forecast_of, game.state, seat, intent), group=group)
    roll = firepower.pool_of(game.state, intent.group, blast=True).roll(game, shooting.PURPOSE, seat)
    burst = burst_of(game.state, seat, intent.group, intent.at, roll)
    game.emit(BurstFell(burst))
    for monster in tuple(monsters.under(game.state, intent.at, RADIUS)):
        game.emit(monsters.hit(monster, seat, intent.group, roll))
    under = {id: figures_under(game.state, id, intent.at) for id in burst.falls}
    losses = sum(falls for id, falls in burst.falls.items() if game.state.groups[id].owner != seat)
    for id, falls in burst.falls.items():
        if falls:
            owner = Seat(game.state.groups[id].owner)
            await casualties.remove(game, seat, owner, under[id], falls)
    game.emit(BurstEnded())
    await resolution.after_losses(game)
    shot.resolve("done", losses, damage=roll.total, killed=standing - len(game.state.figures))


@implements("AC-OPEN-01")
def check_blaster(state: Skirmish, seat: int, group_id: GroupId) -> None:
    """Check that the group has blast weapons, and may fire them now. Raises IllegalIntent."""
    check_acting(state, seat, group_id)
    forbid(not firepower.dice_of(state, group_id, blast=True), "blast/no-dice")


@implements("AC-OPEN-01")
def check_centre(state: Skirmish, seat: int, group_id: GroupId, at: Point) -> None:
    """Check that the group sees the circle's middle, and that it lies on no combat of its own. Raises IllegalIntent."""
    forbid(not table.board(state).scenery.has_disc(at, 0), "blast/off-table", at)
    if not place_sight.sees(state, group_id, at):
        raise place_sight.unseen(state, group_id, at, "blast/no-line-of-sight")
    for id, group in state.groups.items():
        if group.owner != seat and figures_under(state, id, at):
            weather.check_truce(state, seat, group.owner)
    for combat in state.combats:
        if seat in combats.factions_in(state, combat) and any(figures_under(state, id, at) for id in combat.groups):
            raise IllegalIntent("blast/own-combat")


@implements("AC-OPEN-01", "AC-SETUP-02")
def figures_under(state: Skirmish, group_id: GroupId, at: Point) -> tuple[FigureId, ...]:
    """Return the figures of a group whose bases the circle touches; none of a group in the air."""
    if table.board(state).is_airborne(group_id):
        return ()
    vehicle = table.board(state).vehicle(group_id)
    figures = state.groups[group_id].figures
    if vehicle is not None:
        return figures if table.is_hull_touched(state, figures[0], at, RADIUS) else ()
    return tuple(id for id in figures if within(state.figures[id].at, at, RADIUS + table.radius(state, id)))


@implements("AC-OPEN-01")
def burst_of(state: Skirmish, seat: int, group_id: GroupId, at: Point, roll: Roll) -> Burst:
    """Return the effect of a roll: all of it against each group touched, at most its figures under the circle."""
    targets = groups_under(state, at)
    falls = {id: multiples(roll.total, number, count) for id, (number, count) in targets.items()}
    numbers = {id: number for id, (number, _) in targets.items()}
    return Burst(seat, group_id, at, roll.id, roll.total, falls, numbers)


@implements("AC-OPEN-01")
def groups_under(state: Skirmish, at: Point) -> dict[GroupId, tuple[int, int]]:
    """Return the groups that the circle touches: the kill number of each in its cover, and its figures under it."""
    counts = {id: len(figures_under(state, id, at)) for id in state.groups}
    return {
        id: (table.kill_of(state, id).number(cover.group_cover(state, id)), count)
        for id, count in counts.items()
        if count
    }


def _forecast(draft: Choosing) -> Forecast:
    """Return the forecast of a blast that is allowed. Raises IllegalIntent."""
    state, blast = draft.state, Blast(draft.group("group"), draft.point("at"))
    check_blaster(state, draft.seat, blast.group)
    check_centre(state, draft.seat, blast.group, blast.at)
    return forecast_of(state, draft.seat, blast)


def forecast_of(state: Skirmish, seat: int, blast: Blast) -> Forecast:
    """Return the enemies that fall under the circle, and in answer the figures of one's own."""
    group_id, at = blast.group, blast.at
    pool = firepower.pool_of(state, group_id, blast=True)
    under = groups_under(state, at)

    def falls(ids: Iterable[GroupId]) -> Distribution:
        each = [under[id] for id in ids]
        return pool.total.mapped(lambda points: sum([multiples(points, number, most) for number, most in each]))

    mine = [id for id in under if state.groups[id].owner == seat]
    back = [(names.group_node(id), falls((id,))) for id in mine]
    found = forecasts.forecast(falls(under.keys() - mine), (pool_of(pool, Text(shooting.PURPOSE)),), lines_of(pool))
    return replace(
        found,
        back=tuple([ForecastBack(node, one.thousandths(), hundredths(one.mean)) for node, one in back]),
        touched=tuple([names.piece_node(figure) for id in under for figure in figures_under(state, id, at)]),
    )


def _circle(draft: Choosing, field: Template) -> Steps[Template]:
    """Fill in the circle, by default over most enemies, and, unless `bare`, the region that the gunners see."""
    state, group_id = draft.state, draft.group("group")
    check_blaster(state, draft.seat, group_id)
    start, default = table.board(state).standing[group_id].centre, _best_place(state, draft.seat, group_id)
    circle = replace(field, size=RADIUS, start=start, default=default)
    if draft.bare:
        return circle
    yield
    ends = yield from _ends_of_sight(state, group_id, start)
    return replace(circle, regions=(ends,))


@kept_steps(table.board, "lasting")
def _ends_of_sight(state: Skirmish, group: GroupId, start: Point) -> Steps[tuple[Point, ...]]:
    """Work out about how far the group sees, in many directions, one a step: a hint."""
    ends: list[Point] = []
    width, height = state.resolved.scenario.size
    far = width + height
    for direction in LOOKS:
        sees = place_sight.sees_along(state, group, start, along(start, direction, far))
        seen, hidden = 0, far
        for _ in range(HALVINGS):
            middle = (seen + hidden) // 2
            place = along(start, direction, middle)
            on_table = 0 <= place[0] <= width and 0 <= place[1] <= height
            if on_table and sees(place):
                seen = middle
            else:
                hidden = middle
        ends.append(along(start, direction, seen))
        yield
    return tuple(ends)


def _best_place(state: Skirmish, seat: Seat, group: GroupId) -> Point | None:
    """Return the legal place over most enemies and fewest friends, of their middles and first figures; None without."""
    enemies = [other for other in state.groups.values() if state.hostile(other.owner, seat)]
    places = {
        place
        for other in enemies
        for place in (table.board(state).standing[other.id].centre, state.figures[other.figures[0]].at)
    }
    worth = _worth(state, seat)
    best_first = sorted([(worth(place), place) for place in places], reverse=True)
    good = [at for value, at in best_first if value > 0]
    # a refusal names what hides a place, which costs more than this check
    seen = (at for at in good if place_sight.sees(state, group, at))
    return next((at for at in seen if is_legal(partial(check_centre, state, seat, group, at))), None)


def _worth(state: Skirmish, seat: Seat) -> Callable[[Point], int]:
    """Return the worth of a circle by its place: the figures under it, one's own as several less."""
    weights = {group.id: 1 if state.hostile(group.owner, seat) else -OWN for group in state.groups.values()}
    vehicles = [id for id in weights if table.board(state).vehicle(id) is not None]
    on_foot = [(weights[id], figure) for id in weights if id not in vehicles for figure in state.groups[id].figures]
    bases = [(weight, *state.figures[id].at, (RADIUS + table.radius(state, id)) ** 2) for weight, id in on_foot]

    def worth(at: Point) -> int:
        x, y = at
        under = sum([weight for weight, fx, fy, square in bases if (fx - x) ** 2 + (fy - y) ** 2 <= square])
        return under + sum([weights[id] * len(figures_under(state, id, at)) for id in vehicles])

    return worth


def _armed(draft: Choosing) -> list[GroupId]:
    return [id for id in own(draft) if firepower.dice_of(draft.state, id, blast=True)]


BLAST: Final = Verb(
    Label("blast", "a", "Fire a blast", "One roll against every group under the circle, your own too."),
    fire,
    acting(_armed, check_blaster),
    template("at", _circle),
    when=actions_left,
    forecast=_forecast,
    gesture=Gesture("group", "at", "point", 2, "shot", ends=True),
)
