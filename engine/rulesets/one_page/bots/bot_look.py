"""The table as a bot sees it: units with their numbers, read off pieces, groups and cards as a person would."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from math import dist
from typing import NamedTuple

from engine.core.bots.bot import BotView
from engine.space.vectors.points import Point, squared
from protocol.ids import NodeId
from protocol.scene.nodes import NO_NODE, AnyNode, Group, Piece, SeatNode, Sheet


class WeaponLine(NamedTuple):
    """A line of weapons on a card: `models` of them in the unit, `range` in hundredths."""

    models: int
    range: int
    attacks: int
    single: bool
    rules: frozenset[str]


class UnitCard(NamedTuple):
    """The numbers of a unit's card."""

    quality: int
    models: int
    tough: int
    points: int
    kind: str
    rules: frozenset[str]
    arms: tuple[WeaponLine, ...]

    @property
    def reach(self) -> int:
        """The longest range of its weapons, in hundredths."""
        return max((arm.range for arm in self.arms), default=0)


class SeenUnit(NamedTuple):
    """A unit on the table."""

    id: str
    owner: int
    card: UnitCard
    places: tuple[Point, ...]
    lead: Point
    status: frozenset[str]
    wounds: int

    @property
    def life(self) -> int:
        """The wounds that it can still take, at least 1."""
        return max(1, len(self.places) * self.card.tough - self.wounds)

    @property
    def share(self) -> float:
        """The share of its models that are left."""
        return len(self.places) / max(1, self.card.models)

    def distance(self, other: SeenUnit) -> float:
        """Return the approximate distance from its nearest model to the other's nearest, in hundredths."""
        own = _nearest(self.places, other.lead)
        theirs = _nearest(other.places, own)
        own = _nearest(self.places, theirs)
        return dist(own, theirs) - 100


def _nearest(places: tuple[Point, ...], to: Point) -> Point:
    return min(places, key=lambda place: squared(place, to)) if len(places) > 1 else places[0]


class Look:
    """The table as one seat sees it now."""

    def __init__(self, view: BotView) -> None:
        self.view = view
        self._cards: dict[NodeId, UnitCard] = {}
        self.nodes: Mapping[NodeId, AnyNode] = view.nodes

    @cached_property
    def units(self) -> dict[str, SeenUnit]:
        """All units on the table."""
        found: dict[str, SeenUnit] = {}
        for id, node in self.nodes.items():
            if isinstance(node, Group) and node.pieces:
                pieces = [p for p in map(self.nodes.get, node.pieces) if isinstance(p, Piece)]
                wounds = sum(piece.counters.get("wounds", 0) for piece in pieces)
                places = tuple([piece.at for piece in pieces])
                if places:
                    card, status = self._card(node.sheet), frozenset(node.status)
                    found[id] = SeenUnit(id, node.owner, card, places, places[0], status, wounds)
        return found

    @property
    def enemies(self) -> list[SeenUnit]:
        """The units of the other side."""
        friends = self._friends
        return [unit for unit in self.units.values() if unit.owner not in friends]

    @cached_property
    def _friends(self) -> frozenset[int]:
        seats = {
            int(id.removeprefix("seat/")): node.side for id, node in self.nodes.items() if isinstance(node, SeatNode)
        }
        side = seats.get(self.view.seat, -1)
        return frozenset([self.view.seat, *[seat for seat, other in seats.items() if other == side >= 0]])

    def nearest(self, unit: SeenUnit) -> SeenUnit | None:
        """Return the nearest enemy, if there is one."""
        return min(self.enemies, key=unit.distance, default=None)

    def card(self, group: str) -> UnitCard:
        """Return the card of a unit, on the table or not."""
        node = self.nodes.get(NodeId(group))
        return self._card(node.sheet if isinstance(node, Group) else NO_NODE)

    def waiting(self, group: str) -> SeenUnit:
        """Return a unit that is not on the table yet, as if all of it stood in a corner."""
        card = self.card(group)
        return SeenUnit(group, self.view.seat, card, ((0, 0),) * max(1, card.models), (0, 0), frozenset(), 0)

    def _card(self, sheet: NodeId) -> UnitCard:
        if sheet not in self._cards:
            node = self.nodes.get(sheet)
            self._cards[sheet] = card_of(node.numbers if isinstance(node, Sheet) else {})
        return self._cards[sheet]


def card_of(numbers: Mapping[str, int]) -> UnitCard:
    """Read a unit's card."""
    own: dict[str, int] = {"quality": 4, "models": 1, "tough": 1, "points": 100}
    arms: dict[str, dict[str, int]] = {}
    for key, number in numbers.items():
        part, _, of_part = key.partition("/")
        if of_part:
            arms.setdefault(part, {})[of_part] = number
        else:
            own[part] = number
    kind = next(iter(arms.pop("kind", {})), "infantry")
    quality, models, tough, points = [own.pop(key) for key in ("quality", "models", "tough", "points")]
    carried = tuple([_arm(arm) for arm in arms.values()])
    return UnitCard(quality, models, tough, points, kind, frozenset(own), carried)


def _arm(told: dict[str, int]) -> WeaponLine:
    models, reach, attacks, single = [told.pop(key) for key in ("count", "range", "attacks", "single")]
    return WeaponLine(models, reach, attacks, bool(single), frozenset(told))
