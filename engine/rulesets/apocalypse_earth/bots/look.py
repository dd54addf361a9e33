"""The table as a bot sees it: units with their cards, cover, what stops sight, places to hold."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Final, NamedTuple, TypeAlias

from engine.core.bots.bot import BotView
from engine.kit.bots.look import GroupSeen, TableLook, parts_of
from engine.rulesets.apocalypse_earth.state.profiles import QUARTERS
from engine.space.vectors.outlines import contains, through_interior
from engine.space.vectors.points import Point, box_between, box_of, boxes_meet, in_box, middle_of, point_nearer, widened
from protocol.scene.nodes import Feature, Objective, Zone

BEHIND: Final = 250
"""A figure whose centre is so near to a line of cover counts as behind it."""
NUMBERS: Final = ("count", "range", "shots", "hit", "constant", "dice", "blast", "kill")
COVER_WORTH: Final = {"": 0, "soft": 1, "hard": 2}


class Arms(NamedTuple):
    """A line of weapons on a card: `number` of them in the whole unit; `dice` 0: they do nothing to armour; `blast`:
    the radius of a template, or the width of a strip; `kill`: what its die must show in the open."""

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
    """The numbers of the card of a unit or vehicle. `armour`: by quarter; of infantry the same all round."""

    kind: str
    points: int
    figures: int
    move: int
    ccr: int
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

    @property
    def reach(self) -> int:
        """The longest range of its weapons."""
        return max((arms.range for arms in self.arms), default=0)


Seen: TypeAlias = GroupSeen[Card]


def read(numbers: Mapping[str, int]) -> Card:
    """Read the card of a unit."""
    found, parts = parts_of(numbers)
    own = {"points": 50, "figures": 1, "move": 1200, "ccr": 2, "armour": 0} | found
    kind, experience = (next(iter(parts.pop(key, {})), "") for key in ("kind", "experience"))
    armour = parts.pop("armour", dict.fromkeys(QUARTERS, own["armour"]))
    has = frozenset(parts.pop("has", {}))
    arms: list[Arms] = []
    for told in parts.values():
        number, far, shots, hit, constant, dice, blast, kill = [told.get(key, 0) for key in NUMBERS]
        had = frozenset(told) - {*NUMBERS, "ccr"}
        arms.append(Arms(number, far, shots, hit, constant, dice, blast, kill, had))
    figures = (own["points"], own["figures"], own["move"], own["ccr"])
    return Card(kind, *figures, experience, armour, has, tuple(arms))


class Look(TableLook[Card]):
    """The table as one seat sees it now."""

    def __init__(self, view: BotView) -> None:
        super().__init__(view, read)
        zones = [node for node in self.nodes.values() if isinstance(node, Zone)]
        self.objectives = [zone for zone in zones if zone.style == "objective"]
        """The places to be held."""
        self._clouds = [zone for zone in zones if zone.style == "smoke"]
        self._features = [node for node in self.nodes.values() if isinstance(node, Feature)]
        stops = {"blocks", "foliage", "burning"}
        closed = [one for one in self._features if not one.line and stops & set(one.states)]
        self._blocking = [(one, box_of(one.outline)) for one in closed]

    @cached_property
    def goals(self) -> list[Point]:
        """The places that its side has still to take: objectives that it does not hold, pieces of terrain that pay."""
        friends = {unit.owner for unit in self.friends}
        found = [zone.at for zone in self.objectives if zone.at is not None and zone.owner not in friends]
        for node in self.nodes.values():
            if isinstance(node, Zone) and node.style == "exit" and node.owner == self.view.seat:
                found.append(middle_of(box_of(node.points)))
            elif isinstance(node, Objective) and node.owner == self.view.seat:
                pieces = [self.nodes.get(id) for id in node.about]
                found += [middle_of(box_of(piece.outline)) for piece in pieces if isinstance(piece, Feature)]
        return found

    @cached_property
    def friends(self) -> list[Seen]:
        """The units of the seat's side that are on the table."""
        enemies = {unit.id for unit in self.enemies}
        return [unit for unit in self.units.values() if unit.id not in enemies]

    def cover(self, at: Point) -> int:
        """Return the cover at a place, about: 0 in the open, 1 soft, 2 hard."""
        return max((COVER_WORTH.get(one.cover, 0) for one in self._features if _covers(one, at)), default=0)

    def sees(self, start: Point, end: Point) -> bool:
        """Tell if nothing stops sight between two places, about: buildings, hills, fire, smoke, deep woods."""
        box = box_between(start, end)
        for one, around in self._blocking:
            is_edge = "foliage" in one.states and (contains(start, one.outline) or contains(end, one.outline))
            if boxes_meet(box, around) and not is_edge and through_interior(start, end, one.outline):
                return False
        return not any(cloud.at and point_nearer(cloud.at, start, end, cloud.radius) for cloud in self._clouds)

    def spotted(self, enemy: Seen) -> bool:
        """Tell if a unit of its side sees an enemy, about: mortars may then fire at it."""
        return enemy.id in self._spotted

    @cached_property
    def _spotted(self) -> set[str]:
        leads = [unit.lead for unit in self.friends]
        return {enemy.id for enemy in self.enemies if any(self.sees(lead, enemy.lead) for lead in leads)}


def _covers(feature: Feature, at: Point) -> bool:
    """Tell if a feature gives cover to a figure at a place: it stands in it, or beside a line."""
    if not feature.cover:
        return False
    if not feature.line:
        return in_box(at, box_of(feature.outline)) and contains(at, feature.outline)
    return in_box(at, widened(box_of(feature.outline), BEHIND)) and any(
        point_nearer(at, a, b, BEHIND) for a, b in zip(feature.outline, feature.outline[1:], strict=False)
    )
