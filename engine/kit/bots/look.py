"""The table as a bot sees it: groups read off pieces, sheets and statuses as a person would; places between them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from math import dist
from typing import Any, Final, Generic, NamedTuple, TypeAlias, TypeVar

from engine.core.bots.bot import BotView
from engine.space.vectors.headings import UNIT, ahead
from engine.space.vectors.outlines import contains
from engine.space.vectors.points import Point, box_of, middle_of, towards
from protocol.ids import NodeId
from protocol.scene.fields import Option, PickOption, PickPoint, Pieces, Way
from protocol.scene.nodes import NO_NODE, TABLE_NODE, AnyNode, Choice, Feature, Group, Piece, SeatNode, Sheet, Table

C = TypeVar("C")
Cards: TypeAlias = dict[NodeId, tuple[AnyNode | None, C]]
"""Cards by the sheet that they were read off, each with the sheet as it was then."""
BASE: Final = 100
"""Usual width of a base, in hundredths."""
EDGE: Final = 250
"""Least distance of the places that a bot thinks of from the edge of the table."""
TURN: Final = 20
"""Degrees between the places that are tried around a group."""


class GroupSeen(NamedTuple, Generic[C]):
    """A group on the table. `card`: what the bot has read off its sheet; `lead`: its first place; `counters`: those of
    its pieces, added up."""

    id: str
    owner: int
    card: C
    places: tuple[Point, ...]
    lead: Point
    status: frozenset[str]
    counters: Mapping[str, int]

    def distance(self, other: GroupSeen[Any]) -> float:
        """Return the approximate distance from its nearest figure to the other's nearest, in hundredths."""
        own = _nearest(self.places, other.lead)
        theirs = _nearest(other.places, own)
        own = _nearest(self.places, theirs)
        return dist(own, theirs) - BASE

    def at(self, place: Point) -> GroupSeen[C]:
        """Return the group as if all of it stood at a place."""
        return self._replace(places=(place,) * len(self.places), lead=place)


def _nearest(places: tuple[Point, ...], to: Point) -> Point:
    if len(places) == 1:
        return places[0]
    x, y = to  # `squared` spelled out: this is an inner loop
    gaps = [(px - x) * (px - x) + (py - y) * (py - y) for px, py in places]
    return places[gaps.index(min(gaps))]


class TableLook(Generic[C]):
    """The table as one seat sees it now. `read`: makes the card of a group of the numbers on its sheet; `cards`: those
    read before, which a bot keeps from one decision to the next."""

    def __init__(self, view: BotView, read: Callable[[Mapping[str, int]], C], cards: Cards[C] | None = None) -> None:
        self.view = view
        self.nodes: Mapping[NodeId, AnyNode] = view.nodes
        self._read = read
        self._cards: Cards[C] = {} if cards is None else cards

    @cached_property
    def units(self) -> dict[str, GroupSeen[C]]:
        """All groups on the table."""
        found: dict[str, GroupSeen[C]] = {}
        for id, node in self.nodes.items():
            pieces = [self.nodes.get(piece) for piece in node.pieces] if isinstance(node, Group) else []
            there = [piece for piece in pieces if isinstance(piece, Piece)]
            if isinstance(node, Group) and there:
                counters: dict[str, int] = {}
                for piece in there:
                    counters |= {key: counters.get(key, 0) + count for key, count in piece.counters.items()}
                places, status = tuple([piece.at for piece in there]), frozenset(node.status)
                found[id] = GroupSeen(id, node.owner, self._card(node.sheet), places, places[0], status, counters)
        return found

    @cached_property
    def enemies(self) -> list[GroupSeen[C]]:
        """The groups of other sides."""
        seats = {id.removeprefix("seat/"): node.side for id, node in self.nodes.items() if isinstance(node, SeatNode)}
        side = seats.get(str(self.view.seat), -1)
        friends = {self.view.seat, *[int(seat) for seat, other in seats.items() if other == side >= 0]}
        return [unit for unit in self.units.values() if unit.owner not in friends]

    def among(self, ids: Iterable[str]) -> list[GroupSeen[C]]:
        """Return those groups of these ids that are on the table."""
        return [self.units[id] for id in ids if id in self.units]

    def offered(self, choice: Choice | None) -> list[GroupSeen[C]]:
        """Return the groups on the table that the first field of a choice offers."""
        return self.among(options_of(choice))

    def acting(self) -> GroupSeen[C] | None:
        """Return the group that acts, if there is one."""
        return next((unit for unit in self.units.values() if "acting" in unit.status), None)

    def nearest(self, unit: GroupSeen[C]) -> GroupSeen[C] | None:
        """Return the nearest enemy, if there is one."""
        return min(self.enemies, key=unit.distance, default=None)

    def card(self, group: str) -> C:
        """Return the card of a group, on the table or not."""
        node = self.nodes.get(NodeId(group))
        return self._card(node.sheet if isinstance(node, Group) else NO_NODE)

    def waiting(self, group: str, count: int) -> GroupSeen[C]:
        """Return a group of so many that is not on the table yet, as if all of it stood in a corner."""
        places = ((0, 0),) * max(1, count)
        return GroupSeen(group, self.view.seat, self.card(group), places, (0, 0), frozenset(), {})

    def _card(self, sheet: NodeId) -> C:
        node = self.nodes.get(sheet)
        known = self._cards.get(sheet)
        if known is None or known[0] is not node:
            known = self._cards[sheet] = node, self._read(node.numbers if isinstance(node, Sheet) else {})
        return known[1]

    def covers(self, region: Sequence[Point], near: Point, reach: int) -> list[Point]:
        """Return the middles of pieces of cover in a region, at most `reach` away, nearest first."""
        found = [
            middle
            for node in self.nodes.values()
            if isinstance(node, Feature) and node.cover and not node.line
            for middle in _middles(node, near)
            if contains(middle, region) and dist(near, middle) <= reach
        ]
        return sorted(found, key=lambda p: dist(near, p))

    def free_around(
        self, prey: Iterable[GroupSeen[C]], distance: int, apart: int, room: int, is_bad: Callable[[Feature], bool]
    ) -> Iterator[Point]:
        """Yield places at a distance from one of these enemies: no enemy nearer than `apart`, no own group nearer than
        `room`, in no bad piece of terrain."""
        table = self.nodes.get(TABLE_NODE)
        width, height = table.size if isinstance(table, Table) else (0, 0)
        enemies = [place for unit in self.enemies for place in unit.places]
        own = [place for unit in self.units.values() if unit.owner == self.view.seat for place in unit.places]
        closed = [node.outline for node in self.nodes.values() if isinstance(node, Feature) and is_bad(node)]
        for unit in prey:
            for angle in range(0, 360, TURN):
                x, y = place = towards(unit.lead, ahead(unit.lead, angle, UNIT), distance)
                is_clear = (
                    EDGE < x < width - EDGE
                    and EDGE < y < height - EDGE
                    and all(dist(place, other) >= apart for other in enemies)
                    and all(dist(place, other) >= room for other in own)
                )
                if is_clear and not any(contains(place, outline) for outline in closed):
                    yield place


def parts_of(numbers: Mapping[str, int]) -> tuple[dict[str, int], dict[str, dict[str, int]]]:
    """Return the numbers of a sheet that are its own, and those of its parts, each by name."""
    own: dict[str, int] = {}
    parts: dict[str, dict[str, int]] = {}
    for key, number in numbers.items():
        part, _, of_part = key.partition("/")
        if of_part:
            parts.setdefault(part, {})[of_part] = number
        else:
            own[part] = number
    return own, parts


def options_of(choice: Choice | None) -> list[str]:
    """Return the ids that the first field of a choice offers."""
    if choice is None or not choice.fields or not isinstance(choice.fields[0], Pieces):
        return []
    return [option.id for option in choice.fields[0].options]


async def offers(view: BotView, choice: str, fields: Mapping[str, object]) -> Sequence[Option]:
    """Return the options of the next field of a choice; none where it has none, or cannot be asked for."""
    field = await view.detail(choice, fields)
    return field.options if isinstance(field, Pieces | PickOption) else ()


async def usual_place(view: BotView, choice: str, fields: Mapping[str, object]) -> list[int] | None:
    """Return the place that the next field of a choice has by default, as a reply holds it; None without one."""
    field = await view.detail(choice, fields)
    return list(field.default) if isinstance(field, PickPoint) and field.default is not None else None


async def reached(view: BotView, choice: str, fields: Mapping[str, object]) -> list[Point]:
    """Return the corners of the regions in which the next field of a choice takes a place, or the end of a way."""
    field = await view.detail(choice, fields)
    of_way = field.bands[0].regions if isinstance(field, Way) and field.bands else ()
    regions = field.regions if isinstance(field, PickPoint) else of_way
    return [corner for region in regions for corner in region]


def _middles(feature: Feature, near: Point) -> Iterator[Point]:
    """Yield the middle of a piece, and places between it and `near`."""
    middle = middle_of(box_of(feature.outline))
    if contains(middle, feature.outline):
        yield middle
        for step in (150, 300):
            nearer = towards(middle, near, step)
            if contains(nearer, feature.outline):
                yield nearer
