"""Places for a group after a combat: near to a wish, clear of all other groups."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from engine.kit.board.formations import first_stand, stood_in, with_fringes
from engine.rulesets.action_cards.rules.board import combats, followers, table
from engine.rulesets.action_cards.state.model import Point
from engine.rulesets.action_cards.state.state import Group, Skirmish
from engine.space.movement.moves import Way, nearby, straight_move_fault
from engine.space.movement.walled import is_walled_off
from engine.space.placement.figures import Room
from engine.space.terrain.contact import TOUCH, Base, at_most_apart, first_touched
from engine.space.terrain.features import PreparedArea
from engine.space.vectors.lattice import places_near
from engine.space.vectors.outlines import meets_outline, place_near_outline, point_near_outline, through_interior
from engine.space.vectors.points import box_around, box_between, ceil_sqrt, squared
from protocol.ids import FigureId, GroupId

CLEAR: Final = 100
"""AC-HTH-05: a group that finds no legal place goes to one that is an inch clear of every enemy."""
NEAR: Final = 2000
LATTICES: Final = ((25, 80), (150, 400))
"""Places of the lead are tried a short step apart near the wish; where the group finds no room around so many of them,
then a long step apart as far as allowed."""

Places = dict[FigureId, Point]


class Site(NamedTuple):
    """The board around one group: all other bases, those of enemies, the areas that enemies are in."""

    state: Skirmish
    group: Group
    others: tuple[Base, ...]
    enemies: tuple[Base, ...]
    held: tuple[PreparedArea, ...]

    def around(self, base: Base, distance: int) -> Site:
        """Return the site without what a base cannot meet in a move of this distance."""
        others, enemies = (
            at_most_apart(base, bases, distance + combats.ACROSS) for bases in (self.others, self.enemies)
        )
        return self._replace(others=tuple(others), enemies=tuple(enemies))

    def is_clear(self, base: Base, margin: int = 0) -> bool:
        """Tell whether a base placed there touches nobody, and is at least `margin` from every enemy."""
        scenery = table.board(self.state).scenery
        if not scenery.has_disc(base.at, base.radius) or first_touched(base, self.others) is not None:
            return False
        # the margin, less the distance at which bases touch anyway
        if margin and first_touched(Base(base.id, base.at, base.radius + margin - TOUCH), self.enemies) is not None:
            return False
        near_enemies = at_most_apart(base, self.enemies, combats.ACROSS)
        if any(combats.in_contact(self.state, base, enemy) for enemy in near_enemies):
            return False
        near = scenery.areas_near(box_around(base.at, base.radius + max(margin, TOUCH)))
        if any(
            area.impassable and place_near_outline(base.at, area.outline, base.radius + self._apart(area, margin))
            for area in near
        ):
            return False
        return not any(
            area.holds(base.at) or point_near_outline(base.at, area.outline, base.radius + TOUCH) for area in self.held
        )

    def _apart(self, area: PreparedArea, margin: int) -> int:
        """Return the distance that a base keeps from an area that nobody may enter: it touches no vehicle."""
        vehicle = self.state.figures.get(FigureId(str(area.id)))
        if vehicle is None:
            return 0
        return max(margin, TOUCH) if self.state.hostile(vehicle.owner, self.group.owner) else TOUCH


def site_of(state: Skirmish, group_id: GroupId) -> Site:
    """Build the site of this group from all others."""
    group = state.groups[group_id]
    others = [other for other in state.groups.values() if other.id != group_id]
    enemies = [other for other in others if state.hostile(other.owner, group.owner)]
    on_foot = [enemy for enemy in enemies if table.board(state).vehicle(enemy.id) is None]
    held = [
        area
        for area in table.board(state).scenery.areas
        if table.kind(state, str(area.id)).position
        and any(area.holds(state.figures[figure].at) for enemy in on_foot for figure in enemy.figures)
    ]
    return Site(state, group, _bases(state, others), _bases(state, enemies), tuple(held))


def legal_place(site: Site, lead: FigureId, wish: Point) -> Places | None:
    """Return places with the lead as near to `wish` as it can legally move, touching nobody; None without room."""
    state, start = site.state, site.state.figures[lead].at
    move = table.move_of(state, site.group)
    radius = table.radius(state, lead)
    enemies = set(site.enemies)
    friends = tuple(base for base in site.others if base not in enemies)
    way = Way(table.board(state).scenery, radius, 2 * radius, site.enemies, friends)
    way = nearby(way, box_around(start, move))
    close = site.around(Base(lead, start, radius), move)

    def accepts(p: Point) -> bool:
        # cheapest test first: most places are behind a wall
        if is_walled_off(way, start, p) or not close.is_clear(Base(lead, p, radius)):
            return False
        return straight_move_fault(way, start, p, move) is None

    return _nearest_with_room(site, lead, wish, accepts, 2 * move, move_from=(start, move))


def clear_place(site: Site, lead: FigureId) -> Places | None:
    """Return the group's places with its lead on the nearest place an inch clear of every enemy and straight to reach
    without crossing blocking terrain, however far that is; None without room."""
    scenery = table.board(site.state).scenery
    start, radius = site.state.figures[lead].at, table.radius(site.state, lead)

    def accepts(p: Point) -> bool:
        return site.is_clear(Base(lead, p, radius), CLEAR) and not _is_barred(site, start, p)

    across = ceil_sqrt(scenery.width**2 + scenery.height**2)
    return _nearest_with_room(site, lead, start, accepts, across, CLEAR)


def ground_place(site: Site, lead: FigureId, feature: str, accepts_ground: Callable[[Point], bool]) -> Places | None:
    """Return places with the lead on the nearest place of the position in its Move; None without room."""
    start, radius = site.state.figures[lead].at, table.radius(site.state, lead)

    def accepts(p: Point) -> bool:
        return accepts_ground(p) and site.is_clear(Base(lead, p, radius)) and not _is_barred(site, start, p, feature)

    return _nearest_with_room(site, lead, start, accepts, table.move_of(site.state, site.group))


def _is_barred(site: Site, start: Point, end: Point, through: str = "") -> bool:
    """Tell whether blocking terrain, other than `through` and what holds the start, lies between."""
    scenery = table.board(site.state).scenery
    box = box_between(start, end)
    if any(b.blocks_sight and b.id != through and b.crossed_by(start, end) for b in scenery.barriers_near(box)):
        return True
    return any(
        meets_outline(start, end, area.outline) if area.impassable else through_interior(start, end, area.outline)
        for area in scenery.areas_near(box)
        if (area.impassable or area.blocks_sight) and area.id != through and not area.holds(start)
    )


def _nearest_with_room(
    site: Site,
    lead: FigureId,
    wish: Point,
    accepts: Callable[[Point], bool],
    radius: int,
    margin: int = 0,
    move_from: tuple[Point, int] | None = None,
) -> Places | None:
    """Return the group's places around the nearest accepted place with room for all: behind the lead if it moves from
    `move_from` (start and length), and then no farther than that length; None without room."""

    def stand(at: Point) -> Places | None:
        heading = (at[0] - move_from[0][0], at[1] - move_from[0][1]) if move_from else (0, 0)
        return _around(site, lead, at, margin, heading)

    for step, tries in LATTICES:
        reach = min(radius, NEAR) if step == LATTICES[0][0] else radius
        tried = places_near(wish, step, reach) if move_from is None else _reached(wish, step, reach, *move_from)
        places = first_stand(filter(accepts, tried), stand, tries)
        if places is not None:
            return places
    return None


def _reached(wish: Point, step: int, radius: int, start: Point, move: int) -> Iterator[Point]:
    """Yield those places around a wish that a move from a start can reach."""
    if squared(wish, start) <= (radius + move) ** 2:
        (x, y), square = start, move * move
        yield from (at for at in places_near(wish, step, radius) if (at[0] - x) ** 2 + (at[1] - y) ** 2 <= square)


def _around(site: Site, lead: FigureId, at: Point, margin: int, heading: Point) -> Places | None:
    """Return the places of the group around its lead; None where one of them finds no room."""
    state = site.state
    bodies = {body[0]: body for body in table.bodies(state, site.group)}
    first = next(id for id, body in bodies.items() if lead in body)
    rest = [(id, table.radius(state, id)) for id in bodies if id != first]
    standing = Base(first, at, table.radius(state, first))
    scenery = table.board(state).scenery
    room = Room(scenery, standing, followers.spread_of(len(site.group.figures)), heading, shunned=site.others)
    placed = stood_in(with_fringes(room), rest)
    if len(placed) < len(rest) or not all(site.is_clear(base, margin) for base in placed.values()):
        return None
    return {figure: base.at for base in (standing, *placed.values()) for figure in bodies[base.id]}


def _bases(state: Skirmish, groups: list[Group]) -> tuple[Base, ...]:
    return tuple(base for group in groups for base in table.board(state).bases(group.id))
