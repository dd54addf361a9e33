"""Blast weapons: one roll against all under a circle of six inches (AC-SETUP-02, AC-OPEN-01)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Final

from msgspec.structs import replace

from engine.core.rules.audience import Seat
from engine.core.rules.dice import Roll
from engine.core.rules.errors import IllegalIntent
from engine.core.rules.game import Game
from engine.core.rules.implements import implements
from engine.kit.pools import multiples
from engine.rulesets.action_cards.rules.board import casualties, combats, cover, firepower, table, weather
from engine.rulesets.action_cards.rules.cards import actions
from engine.rulesets.action_cards.rules.close_combat import resolution
from engine.rulesets.action_cards.rules.shooting import shooting
from engine.rulesets.action_cards.rules.special_events import monsters
from engine.rulesets.action_cards.state.intents import Blast
from engine.rulesets.action_cards.state.model import Point
from engine.rulesets.action_cards.state.state import Burst, Skirmish
from engine.rulesets.action_cards.state.vehicle_events import BurstEnded, BurstFell
from engine.space.sight.corridor import Corridor
from engine.space.sight.lines import Formation, Obstacle, SightLines, formation
from engine.space.terrain.contact import Base
from engine.space.terrain.features import Scenery
from engine.space.vectors.hulls import point_near_hull
from engine.space.vectors.outlines import contains, point_near_outline
from engine.space.vectors.points import in_box, squared, widened, within
from protocol.ids import NO_FIGURE, FigureId, GroupId
from protocol.text import Text

RADIUS: Final = 300
"""AC-SETUP-02: the circle is six inches across."""
FAR_END, AIM = GroupId("far"), GroupId("aim")
"""Ids of places that are looked at as if groups stood there."""
BESIDE: Final = 4
"""Hundredths that a place of whole numbers may lie beside the way that it is on."""


@implements("AC-OPEN-01", "AC-SETUP-02")
async def fire(game: Game[Skirmish], seat: Seat, intent: Blast) -> None:
    """Fire a group's blast weapons at a place: each group under the circle takes the whole total."""
    check_blaster(game.state, seat, intent.group)
    check_centre(game.state, seat, intent.group, intent.at)
    actions.take(game, intent.group, "shoot")
    roll = firepower.pool_of(game.state, intent.group, blast=True).roll(game, shooting.PURPOSE, seat)
    burst = burst_of(game.state, seat, intent.group, intent.at, roll)
    game.emit(BurstFell(burst))
    for monster in tuple(monsters.under(game.state, intent.at, RADIUS)):
        game.emit(monsters.hit(monster, seat, intent.group, roll))
    under = {id: figures_under(game.state, id, intent.at) for id in burst.falls}
    for id, falls in burst.falls.items():
        if falls:
            owner = Seat(game.state.groups[id].owner)
            await casualties.remove(game, seat, owner, under[id], falls)
    game.emit(BurstEnded())
    await resolution.after_losses(game)


@implements("AC-OPEN-01")
def check_blaster(state: Skirmish, seat: int, group_id: GroupId) -> None:
    """Check that the group may fire blast weapons now: it has some, and is in no close combat. Raises IllegalIntent."""
    actions.check_actions(state)
    actions.check_free(state, seat, group_id)
    if not firepower.dice_of(state, group_id, blast=True):
        raise IllegalIntent("blast/no-dice")


@implements("AC-OPEN-01")
def check_centre(state: Skirmish, seat: int, group_id: GroupId, at: Point) -> None:
    """Check that the circle may lie there: seen by a figure of the group, on no combat of its own faction. Raises
    IllegalIntent."""
    if not table.scenery_of(state).has_disc(at, 0):
        raise IllegalIntent("blast/off-table")
    if not sees(state, group_id, at):
        raise unseen(state, group_id, at, "blast/no-line-of-sight")
    for id, group in state.groups.items():
        if group.owner != seat and figures_under(state, id, at):
            weather.check_truce(state, seat, group.owner)
    for combat in state.combats:
        if seat in combats.factions_in(state, combat) and any(figures_under(state, id, at) for id in combat.groups):
            raise IllegalIntent("blast/own-combat")


@implements("AC-OPEN-01")
def sees(state: Skirmish, group_id: GroupId, at: Point) -> bool:
    """Tell whether any figure of the group sees a place, no farther than the weather allows."""
    limit, shooters = weather.sight_limit(state), table.formation_of(state, group_id)
    if limit:
        near = [base for base in shooters.figures if within(base.at, at, limit)]
        if not near:
            return False
        shooters = formation(group_id, near)
    return table.is_airborne(state, group_id) or _view(state, shooters, at).first() is not None


def sees_along(state: Skirmish, group_id: GroupId, start: Point, far: Point) -> Callable[[Point], bool]:
    """Return `sees` for many places on the way from the middle of the group to a far one, with all that is not near
    that way left out at once."""
    if weather.sight_limit(state) or table.is_airborne(state, group_id):
        return partial(sees, state, group_id)
    board, shooters = table.board(state), table.formation_of(state, group_id)
    strip = Corridor(shooters, formation(FAR_END, (Base(NO_FIGURE, far, 1),)))
    others = [g for g in board.blockers if g.id != group_id and strip.comes_near(widened(g.span, BESIDE))]
    all_of = board.ground
    areas = tuple([a for a in all_of.areas if a.blocks_sight and strip.comes_near(widened(a.box, BESIDE))])
    barriers = tuple([b for b in all_of.barriers if b.blocks_sight and strip.comes_near(widened(b.box, BESIDE))])
    ground = Scenery(all_of.width, all_of.height, areas, barriers)
    shooters = replace(shooters, footings={})  # a cache valid for the full ground only
    return lambda at: _looking(ground, shooters, others, at).first() is not None


def unseen(state: Skirmish, group_id: GroupId, at: Point, code: str) -> IllegalIntent:
    """Build the refusal of a place that no figure of the group sees: it names what is in the way, or the weather."""
    blocker = _blocker(state, group_id, at)
    what = Text("name.weather") if blocker is None else shooting.blocker_name(state, blocker)
    return IllegalIntent(code, Text(f"refuse.{code}", {"blocker": what}))


@implements("AC-OPEN-01", "AC-SETUP-02")
def figures_under(state: Skirmish, group_id: GroupId, at: Point) -> tuple[FigureId, ...]:
    """Return the figures of a group whose bases the circle touches; none of a group in the air."""
    if table.is_airborne(state, group_id):
        return ()
    vehicle = table.vehicle_of(state, group_id)
    figures = state.groups[group_id].figures
    if vehicle is not None:
        outline = table.scenery_of(state).area(figures[0]).outline
        is_under = contains(at, outline) or point_near_outline(at, outline, RADIUS + 1)
        return figures if is_under else ()
    return tuple(id for id in figures if within(table.at(state, id), at, RADIUS + table.radius(state, id)))


@implements("AC-OPEN-01")
def burst_of(state: Skirmish, seat: int, group_id: GroupId, at: Point, roll: Roll) -> Burst:
    """Return the effect of these dice: the whole total against each group touched, at most its figures under the
    circle."""
    falls: dict[GroupId, int] = {}
    numbers: dict[GroupId, int] = {}
    for id in state.groups:
        under = figures_under(state, id, at)
        if under:
            numbers[id] = table.kill_of(state, id).number(cover.group_cover(state, id))
            falls[id] = multiples(roll.total, numbers[id], len(under))
    return Burst(seat, group_id, at, roll.id, roll.total, falls, numbers)


def _blocker(state: Skirmish, group_id: GroupId, at: Point) -> Obstacle | None:
    """Return the obstacle that hides a place from all figures of the group; None where they see it."""
    shooters = table.formation_of(state, group_id)
    view = _view(state, shooters, at)
    if table.is_airborne(state, group_id) or view.first() is not None:
        return None
    nearest = min(range(len(shooters.centres)), key=lambda n: (squared(shooters.centres[n], at), n))
    return view.obstacle(nearest, 0)


def _view(state: Skirmish, shooters: Formation, at: Point) -> SightLines:
    """Return the view from a group's figures to a place. Groups around the place itself do not hide it."""
    board = table.board(state)
    return _looking(board.ground, shooters, [other for other in board.blockers if other.id != shooters.id], at)


def _looking(ground: Scenery, shooters: Formation, others: Iterable[Formation], at: Point) -> SightLines:
    apart = [g for g in others if not (in_box(at, g.span) and point_near_hull(at, g.hull, g.radius))]
    return SightLines(ground, shooters, formation(AIM, (Base(NO_FIGURE, at, 1),)), apart)
