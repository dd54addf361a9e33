"""Reading of the table by a bot: only what the scene shows, sorted once a decision."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from operator import is_
from typing import Any, TypeVar

from engine.rulesets.action_cards.bots.bot_ground import Country, Ground, distance
from engine.rulesets.action_cards.bots.bot_odds import expected_kills
from engine.rulesets.action_cards.bots.bot_sheets import Force, Hull, Kill, force_of, hull_of
from engine.space.terrain.contact import Base
from engine.space.vectors.points import Box, Point, box_of, in_box, widened
from protocol.ids import FigureId, NodeId
from protocol.scene import nodes as scene
from protocol.scene.nodes import AnyNode, Reply

WORKED = ("together", "falls")
"""Conditions met by successes of a special action, whoever has them: played for like a "done"."""
CONTACT = 250
"""No two bases that touch have their centres farther apart."""
SLACK = 12
"""Bases that are so near to each other are taken to touch."""

T = TypeVar("T")


@dataclass(slots=True)
class Act:
    """Possible act, and its worth an action.

    Of a move: its group, its end, and the worth of that place alone (`worth_there`); of a shot: the figures of `target`
    that are likely to fall, and the `actions` that it takes.
    """

    worth: float
    reply: Reply
    group: str = ""
    to: Point | None = None
    worth_there: float = 0.0
    target: str = ""
    kills: float = 0.0
    actions: int = 1


@dataclass(slots=True)
class SeenFigure:
    """Figure on the table."""

    id: str
    at: Point
    radius: int


@dataclass(slots=True)
class SeenGroup:
    """Group: its figures, dice and state."""

    id: str
    owner: int
    figures: list[SeenFigure]
    dice: int
    close: int
    status: tuple[str, ...]
    at: Point
    near: Box
    """Box of the centres of all bases that could touch it."""
    bases: tuple[Base, ...]
    blast: int = 0
    hull: Hull | None = None

    @property
    def count(self) -> int:
        """Number of its figures."""
        return len(self.figures)

    @property
    def cover(self) -> str:
        """Its cover class."""
        return "building" if "in_building" in self.status else "cover" if "in_cover" in self.status else "open"

    def nearest(self, to: Point) -> SeenFigure:
        """Return the figure nearest to a place."""
        x, y = to
        return min(self.figures, key=lambda figure: ((figure.at[0] - x) ** 2 + (figure.at[1] - y) ** 2, figure.id))

    def touches(self, place: Point, radius: int) -> bool:
        """Tell whether a base of this radius, laid there, touches one of its figures."""
        if not in_box(place, self.near):
            return False
        figure = self.nearest(place)
        return distance(figure.at, place) <= figure.radius + radius + SLACK


@dataclass(slots=True)
class SeenCondition:
    """Victory condition that is not lost yet, as far as it is open to this player. It is met once `progress` is up to
    its `goal`."""

    kind: str
    points: int
    progress: int
    goal: int
    ground: Ground | None = None
    rival: int = -1
    special: str = ""

    @property
    def is_met(self) -> bool:
        """True if it is met as things stand."""
        return self.progress >= self.goal


class Reading:
    """Reading of the table by the player of `seat`. Objects made of the same nodes at the `last` reading are used
    again."""

    def __init__(self, nodes: Mapping[NodeId, AnyNode], seat: int, last: Reading | None = None) -> None:
        self.seat = seat
        self._made: dict[str, tuple[tuple[object, ...], Any]] = {}
        """Objects made, with the nodes of which they were made, by id."""
        self._last = last._made if last is not None else {}
        self.forces: dict[int, Force] = {}
        self.grounds: dict[str, Ground] = {}
        self.size: Point = (0, 0)
        self.decks_left = 0
        self.deck = 0
        self.row = scene.Row(())
        self.scores: dict[int, int] = {}
        self.sides: dict[int, int] = {}
        self.features: dict[str, scene.Feature] = {}
        groups, objectives = self._sort(nodes)
        same = last is not None and last.country.is_of(self.grounds)
        self.country: Country = last.country if last is not None and same else Country(self.grounds)
        self.groups = {id: self._group(id, node, nodes) for id, node in groups.items()}
        self.mine = [group for group in self.groups.values() if group.owner == seat]
        self.others = [group for group in self.groups.values() if self.are_foes(seat, group.owner)]
        self.conditions_of: dict[int, list[SeenCondition]] = {owner: [] for owner in self.forces}
        for id, objective in objectives.items():
            condition = self._reused(
                id, (objective, *map(self.grounds.get, objective.about)), self._condition, objective
            )
            if condition is not None:
                self.conditions_of.setdefault(objective.owner, []).append(condition)
        self.conditions = self.conditions_of.get(seat, [])
        self._last = {}

    def are_foes(self, one: int, other: int) -> bool:
        """Tell whether two seats are enemies: they are, but for those of the same side."""
        side = self.sides.get(one, -1)
        return one != other and (side < 0 or side != self.sides.get(other, -1))

    def way(self, group: SeenGroup, ground: Ground) -> int:
        """Return the distance of a group's nearest figure into a ground, in hundredths of an inch."""
        return min(self.country.way(figure.at, ground) for figure in group.figures)

    def kill_of(self, group: SeenGroup) -> Kill:
        """Return the kill numbers of a group."""
        return group.hull.kill if group.hull is not None else self.forces[group.owner].kill

    def fight(self, attacker: SeenGroup, defender: SeenGroup, cover: str) -> tuple[float, float]:
        """Return the figures that a charge is expected to kill and to cost, by the dice of both: they strike at once,
        and the attacker counts as in the open."""
        killed = expected_kills(attacker.close, self.kill_of(defender)[cover], defender.count)
        return killed, expected_kills(defender.close, self.kill_of(attacker)["open"], attacker.count)

    def _reused(self, id: str, of: tuple[object, ...], make: Callable[..., T], *about: object) -> T:
        """Return the object made under this id of the very same nodes, else make it of `about`."""
        known = self._last.get(id)
        if known is not None and len(known[0]) == len(of) and all(map(is_, known[0], of)):
            self._made[id] = known
            found: T = known[1]
            return found
        made = make(*about)
        self._made[id] = of, made
        return made

    def _sort(self, nodes: Mapping[NodeId, AnyNode]) -> tuple[dict[str, scene.Group], dict[str, scene.Objective]]:
        """Read what stands alone in a node; return the groups and conditions, which are read by means of the rest."""
        groups: dict[str, scene.Group] = {}
        objectives: dict[str, scene.Objective] = {}
        piece = scene.Piece
        for id, node in nodes.items():
            if type(node) is piece:
                continue  # most nodes by far; read with their groups
            if isinstance(node, scene.Group):
                if node.pieces:
                    groups[id] = node
            elif isinstance(node, scene.Objective):
                objectives[id] = node
            elif isinstance(node, scene.Feature):
                self.features[id] = node
                if not node.line:
                    self.grounds[id] = self._reused(id, (node,), _terrain, id, node)
            elif isinstance(node, scene.Zone):
                if node.style == "objective":
                    self.grounds[id] = self._reused(id, (node,), _area, id, node)
            elif isinstance(node, scene.Sheet):
                if id == f"sheet/{node.owner}":
                    self.forces[node.owner] = self._reused(id, (node,), force_of, node.numbers)
            else:
                self._count(id, node)
        return groups, objectives

    def _count(self, id: str, node: AnyNode) -> None:
        """Read nodes of which there is one, or one a seat."""
        if isinstance(node, scene.Counter) and id == "counter/reshuffles":
            self.decks_left = node.value
        elif isinstance(node, scene.Pile) and id == "pile/deck":
            self.deck = node.count
        elif isinstance(node, scene.Row):
            self.row = node
        elif isinstance(node, scene.SeatNode) and node.alive:
            number = int(id.removeprefix("seat/"))
            self.scores[number], self.sides[number] = node.score, node.side
        elif isinstance(node, scene.Table):
            self.size = node.size

    @cached_property
    def foes(self) -> tuple[Base, ...]:
        """Bases of all others."""
        return tuple([base for other in self.others for base in other.bases])

    @property
    def own(self) -> Force:
        """This player's faction."""
        return self.forces[self.seat]

    def _group(self, id: str, node: scene.Group, nodes: Mapping[NodeId, AnyNode]) -> SeenGroup:
        card, pieces = nodes.get(node.sheet), [*map(nodes.get, node.pieces)]
        return self._reused(id, (node, card, *pieces), _group, id, node, card, pieces)

    def _condition(self, objective: scene.Objective) -> SeenCondition | None:
        if not objective.kind or objective.state == "failed":
            return None
        condition = SeenCondition(objective.kind, objective.points, objective.progress, objective.goal)
        for id in objective.about:
            if id in self.grounds:
                condition.ground = self.grounds[id]
            elif id.startswith("seat/"):
                condition.rival = int(id.removeprefix("seat/"))
            elif id.startswith("special/"):
                condition.special = id
        if condition.kind in WORKED and condition.special:
            condition.kind = "done"
        return condition


def _terrain(id: str, node: scene.Feature) -> Ground:
    return Ground(id, node.outline, box_of(node.outline), node.cover)


def _area(id: str, node: scene.Zone) -> Ground:
    return Ground(id, node.points, box_of(node.points), "open", is_terrain=False)


def _group(id: str, node: scene.Group, card: AnyNode | None, pieces: list[AnyNode | None]) -> SeenGroup:
    figures = [
        SeenFigure(piece_id, piece.at, piece.radius)
        for piece_id, piece in zip(node.pieces, pieces, strict=True)
        if isinstance(piece, scene.Piece)
    ]
    middle = (sum(b.at[0] for b in figures) // len(figures), sum(b.at[1] for b in figures) // len(figures))
    near = widened(box_of([figure.at for figure in figures]), CONTACT)
    bases = tuple([Base(FigureId(figure.id), figure.at, figure.radius) for figure in figures])
    dice, close, blast = [node.numbers.get(key, 0) for key in ("dice", "close", "blast")]
    group = SeenGroup(id, node.owner, figures, dice, close, node.status, middle, near, bases, blast)
    first = pieces[0]
    if isinstance(first, scene.Piece) and first.box is not None and isinstance(card, scene.Sheet):
        group.hull = hull_of(first, first.box, card.numbers)
    return group
