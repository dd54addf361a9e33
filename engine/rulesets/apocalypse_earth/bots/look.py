"""The table as a bot sees it: units with their cards, cover, what stops sight, places to hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property, partial
from itertools import pairwise
from math import dist
from typing import Final, NamedTuple, TypeAlias

from engine.core.bots.bot import BotView
from engine.kit.bots.look import Cards, GroupSeen, TableLook, parts_of
from engine.kit.remembered import remembered
from engine.rulesets.apocalypse_earth.state.profiles import QUARTERS
from engine.space.vectors.headings import heading_to, rectangle
from engine.space.vectors.outlines import contains, outlines_overlap, through_interior
from engine.space.vectors.points import (
    Box,
    Point,
    box_between,
    box_of,
    in_box,
    middle_of,
    point_nearer,
    segments_meet,
    widened,
)
from protocol.ids import NodeId
from protocol.scene.nodes import TABLE_NODE, Counter, Feature, Objective, Table, Zone

BEHIND: Final = 250
"""A figure whose centre is so near to a line of cover counts as behind it."""
TURN: Final = NodeId("counter/turn")
WIDTH, FRONT = 400, 350
"""Width of the lane of a vehicle, and what it takes up before and behind its middle."""
NUMBERS: Final = ("count", "range", "shots", "hit", "constant", "dice", "blast", "kill")
COVER_WORTH: Final = {"": 0, "soft": 1, "hard": 2}


class Arms(NamedTuple):
    """A line of weapons on a card: `number` of them in the whole unit; `dice` 0: they do nothing to armour; `blast`:
    the radius of a template, or the width of a strip; `kill`: what its die must show in the open. A `range` of 0 is
    contact."""

    id: str
    number: int
    range: int
    shots: int
    hit: int
    constant: int
    dice: int
    blast: int
    kill: int
    traits: frozenset[str]


class Card(NamedTuple):
    """The numbers of the card of a unit or vehicle. `reach`: the longest range of its weapons; `armour`: by quarter; of
    infantry the same all round; `room`: the figures that it carries."""

    kind: str
    points: int
    figures: int
    move: int
    ccr: int
    room: int
    reach: int
    experience: str
    armour: Mapping[str, int]
    has: frozenset[str]
    arms: tuple[Arms, ...]

    @property
    def drives(self) -> bool:
        """True for a vehicle."""
        return self.armour["front"] > 0 and self.kind in ("wheeled", "tracked", "skimmer", "walker")

    @property
    def lobs(self) -> bool:
        """True where it has a mortar."""
        return any("indirect" in arms.traits for arms in self.arms)


Seen: TypeAlias = GroupSeen[Card]


def read(numbers: Mapping[str, int]) -> Card:
    """Read the card of a unit."""
    found, parts = parts_of(numbers)
    own = {"points": 50, "figures": 1, "move": 1200, "ccr": 2, "places": 0, "armour": 0} | found
    kind, experience = (next(iter(parts.pop(key, {})), "") for key in ("kind", "experience"))
    armour = parts.pop("armour", dict.fromkeys(QUARTERS, own["armour"]))
    has = frozenset(parts.pop("has", {}))
    arms: list[Arms] = []
    for id, told in parts.items():
        number, far, shots, hit, constant, dice, blast, kill = [told.get(key, 0) for key in NUMBERS]
        had = frozenset(told) - {*NUMBERS, "ccr"}
        arms.append(Arms(id, number, far, shots, hit, constant, dice, blast, kill, had))
    figures = (own["points"], own["figures"], own["move"], own["ccr"], own["places"])
    far = max((one.range for one in arms), default=0)
    return Card(kind, *figures, far, experience, armour, has, tuple(arms))


class Look(TableLook[Card]):
    """The table as one seat sees it now."""

    def __init__(self, view: BotView, cards: Cards[Card] | None = None) -> None:
        super().__init__(view, read, cards)
        zones = [node for node in self.nodes.values() if isinstance(node, Zone)]
        self.objectives = [zone for zone in zones if zone.style == "objective"]
        """The places to be held."""
        clouds = [zone for zone in zones if zone.style == "smoke"]
        self.features = [node for node in self.nodes.values() if isinstance(node, Feature)]
        stops = {"blocks", "foliage", "burning"}
        self._solid = [one for one in self.features if self.is_house(one)]
        self._solid += [one for one in self.features if "impassable" in one.states and one.cover]
        closed = [one for one in self.features if not one.line and stops & set(one.states)]
        covering = [(one, widened(box_of(one.outline), BEHIND * one.line)) for one in self.features if one.cover]
        blocking = [(one, box_of(one.outline)) for one in closed]
        self.cover = remembered(partial(_cover, covering))
        """The cover at a place, about: 0 in the open, 1 soft, 2 hard."""
        self._is_clear = remembered(partial(_is_clear, blocking, clouds))

    @cached_property
    def goals(self) -> list[Point]:
        """The places that its side has still to take: objectives that it does not hold, pieces of terrain that pay."""
        friends = {unit.owner for unit in self.friends}
        found = [zone.at for zone in self.objectives if zone.at is not None and zone.owner not in friends]
        found += self.exits
        for node in self.nodes.values():
            if isinstance(node, Objective) and node.owner == self.view.seat:
                pieces = [self.nodes.get(id) for id in node.about]
                found += [middle_of(box_of(piece.outline)) for piece in pieces if isinstance(piece, Feature)]
        return found

    @staticmethod
    def is_house(piece: Feature) -> bool:
        """Tell if a piece of terrain is a building."""
        return "blocks" in piece.states and "hill" not in piece.kind

    @cached_property
    def turns_left(self) -> int:
        """The turns after this one."""
        turn = self.nodes.get(TURN)
        return turn.most - turn.value if isinstance(turn, Counter) else 0

    @cached_property
    def exits(self) -> list[Point]:
        """The middles of the edges by which its seat leaves the table."""
        zones = [node for node in self.nodes.values() if isinstance(node, Zone) and node.style == "exit"]
        return [middle_of(box_of(zone.points)) for zone in zones if zone.owner == self.view.seat]

    @cached_property
    def razed(self) -> frozenset[NodeId]:
        """The buildings that pay its side once they have fallen."""
        prizes = [node for node in self.nodes.values() if isinstance(node, Objective) and node.kind == "razed"]
        return frozenset(id for prize in prizes if prize.owner == self.view.seat for id in prize.about)

    def goal(self, unit: Seen) -> Point | None:
        """Return the place that a unit makes for: the nearest to be held that is not its side's yet, else the nearest
        enemy; None where there is neither."""
        if self.goals:
            return min(self.goals, key=lambda at: dist(at, unit.lead))
        near = self.nearest(unit)
        return near.lead if near is not None else None

    @cached_property
    def friends(self) -> list[Seen]:
        """The units of the seat's side that are on the table."""
        enemies = {unit.id for unit in self.enemies}
        return [unit for unit in self.units.values() if unit.id not in enemies]

    def sees(self, start: Point, end: Point) -> bool:
        """Tell if nothing stops sight between two places, about: buildings, hills, fire, smoke, deep woods."""
        return self._is_clear(*sorted((start, end)))

    def is_lane(self, unit: Seen, end: Point) -> bool:
        """Tell if nothing bars a vehicle's way straight to a place, about: the edge of the table, buildings, wrecks and
        other vehicles, and for wheels rough ground and walls."""
        table, start, rough = self.nodes.get(TABLE_NODE), unit.lead, unit.card.kind == "wheeled"
        width, height = table.size if isinstance(table, Table) else (0, 0)
        lane = rectangle(start, heading_to(start, end), FRONT, FRONT + int(dist(start, end)), WIDTH)
        hulls = [one.lead for one in self.units.values() if one.card.drives and one.id != unit.id]
        if not all(in_box(corner, (0, 0, width, height)) for corner in lane):
            return False
        if any(point_nearer(at, start, end, WIDTH) for at in hulls):
            return False
        if any(outlines_overlap(lane, one.outline) for one in self._solid):
            return False
        walls = [piece for one in self.features if one.line and rough for piece in pairwise(one.outline)]
        if any(segments_meet(start, end, a, b) for a, b in walls):
            return False
        shut = {"impassable", "difficult"} if rough else {"impassable"}
        return not any(
            shut & set(one.states) and through_interior(start, end, one.outline)
            for one in self.features
            if not one.line
        )

    def spotted(self, enemy: Seen) -> bool:
        """Tell if a unit of its side sees an enemy, about: mortars may then fire at it."""
        return any(self.sees(unit.lead, enemy.lead) for unit in self.friends)


def _cover(covering: Iterable[tuple[Feature, Box]], at: Point) -> int:
    found = [COVER_WORTH.get(one.cover, 0) for one, box in covering if in_box(at, box) and _covers(one, at)]
    return max(found, default=0)


def _is_clear(blocking: Iterable[tuple[Feature, Box]], clouds: Iterable[Zone], start: Point, end: Point) -> bool:
    left, bottom, right, top = box_between(start, end)
    for one, (west, south, east, north) in blocking:  # `boxes_meet` spelled out: this is an inner loop
        if west > right or left > east or south > top or bottom > north:
            continue
        if through_interior(start, end, one.outline):
            is_edge = "foliage" in one.states and (contains(start, one.outline) or contains(end, one.outline))
            if not is_edge:
                return False
    return not any(cloud.at and point_nearer(cloud.at, start, end, cloud.radius) for cloud in clouds)


def _covers(feature: Feature, at: Point) -> bool:
    """Tell if a feature that gives cover gives it to a figure at a place: it stands in it, or beside a line."""
    if not feature.line:
        return contains(at, feature.outline)
    return any(point_nearer(at, a, b, BEHIND) for a, b in zip(feature.outline, feature.outline[1:], strict=False))
