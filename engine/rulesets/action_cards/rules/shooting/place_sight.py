"""Sight of a place by a group, as if a small figure stood there, and of all places (AC-OPEN-01)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Final

from msgspec.structs import replace

from engine.kit.board import lookouts as kit
from engine.kit.rules import IllegalIntent, implements
from engine.rulesets.action_cards.rules.board import table, weather
from engine.rulesets.action_cards.rules.shooting import shooting
from engine.rulesets.action_cards.state import names
from engine.rulesets.action_cards.state.model import Point
from engine.rulesets.action_cards.state.state import Skirmish
from engine.space.sight.corridor import Corridor
from engine.space.sight.lines import Formation, Obstacle, SightLines, formation
from engine.space.sight.visible import visible_ground
from engine.space.terrain.contact import Base
from engine.space.terrain.features import Scenery
from engine.space.vectors.hulls import point_near_hull
from engine.space.vectors.outlines import Outline
from engine.space.vectors.points import in_box, squared, widened, within
from protocol.ids import NO_FIGURE, GroupId, NodeId
from protocol.text import Text

FAR_END, AIM = GroupId("far"), GroupId("aim")
"""Ids of places that are looked at as if groups stood there."""
BESIDE: Final = 4
"""Hundredths that a place of whole numbers may lie beside the way that it is on."""


@implements("AC-OPEN-01")
def sees(state: Skirmish, group_id: GroupId, at: Point) -> bool:
    """Tell whether any figure of the group sees a place, no farther than the weather allows."""
    limit, shooters = weather.sight_limit(state), table.board(state).standing[group_id].formation
    if limit:
        near = [base for base in shooters.figures if within(base.at, at, limit)]
        if not near:
            return False
        shooters = formation(group_id, near)
    return table.board(state).is_airborne(group_id) or _view(state, shooters, at).first() is not None


def sees_along(state: Skirmish, group_id: GroupId, start: Point, far: Point) -> Callable[[Point], bool]:
    """Return `sees` for many places on one way, with all that is not near that way left out at once."""
    if weather.sight_limit(state) or table.board(state).is_airborne(group_id):
        return partial(sees, state, group_id)
    board, shooters = table.board(state), table.board(state).standing[group_id].formation
    strip = Corridor(shooters, formation(FAR_END, (Base(NO_FIGURE, far, 1),)))
    others = [g for g in board.blockers if g.id != group_id and strip.comes_near(widened(g.span, BESIDE))]
    all_of = board.ground
    areas = tuple([a for a in all_of.areas if a.blocks_sight and strip.comes_near(widened(a.box, BESIDE))])
    barriers = tuple([b for b in all_of.barriers if b.blocks_sight and strip.comes_near(widened(b.box, BESIDE))])
    ground = Scenery(all_of.width, all_of.height, areas, barriers)
    shooters = replace(shooters, footings={})  # a cache valid for the full ground only
    return lambda at: _looking(ground, shooters, others, at).first() is not None


def lookouts(state: Skirmish, subject: NodeId) -> tuple[Point, ...]:
    """Return the places from which a group looks out; none of one that is not on the table."""
    standing = table.board(state).standing.get(names.group_of(subject))
    return kit.lookouts(standing.formation.centres) if standing is not None else ()


def seen_from(state: Skirmish, subject: NodeId, at: Point) -> Outline:
    """Return the ground that a group sees from one of its lookouts: nothing hides any from who is in the air."""
    board, id = table.board(state), names.group_of(subject)
    eye = next(base for base in board.standing[id].formation.figures if base.at == at)
    ground, others = board.ground, [other for other in board.blockers if other.id != id]
    if board.is_airborne(id):
        ground, others = replace(ground, areas=(), barriers=()), []
    return visible_ground(ground, eye, others, weather.sight_limit(state))


def unseen(state: Skirmish, group_id: GroupId, at: Point, code: str) -> IllegalIntent:
    """Build the refusal of a place that no figure of the group sees: it names what is in the way, or the weather."""
    blocker = _blocker(state, group_id, at)
    what = Text("name.weather") if blocker is None else shooting.blocker_name(state, blocker)
    return IllegalIntent(code, blocker=what).showing(shooting.blocker_node(blocker), at)


def _blocker(state: Skirmish, group_id: GroupId, at: Point) -> Obstacle | None:
    """Return the obstacle that hides a place from all figures of the group; None where they see it."""
    shooters = table.board(state).standing[group_id].formation
    view = _view(state, shooters, at)
    if table.board(state).is_airborne(group_id) or view.first() is not None:
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
