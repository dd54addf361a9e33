"""The table as a bot reads it: only what the scene shows, sorted out once a decision."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.rulesets.action_cards.bot_sheets import Force, Hull, force_of, hull_of, number_of
from engine.space.outlines import contains
from engine.space.vectors import Box, Point, box_of, floor_sqrt, in_box, squared, widened
from protocol import scene
from protocol.scene import AnyNode, Reply

WORKED = ("together", "falls")
"""What is brought about by successes of a special action, whoever has them: to be gone for as if it were to be done."""
CONTACT = 250
"""No two bases that touch have their centres farther apart."""
SLACK = 12
"""Bases that are so near to each other are taken to touch."""


@dataclass(slots=True)
class Act:
    """Something that could be done, and what it is worth, an action.

    Of a move: its group, where to, and what that place is `worth_there` whatever the others do; of a shot: the figures
    of `target` that are likely to fall, and the `actions` that it takes.
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
class Body:
    """A figure."""

    id: str
    at: Point
    radius: int


@dataclass(slots=True)
class Band:
    """A group: its figures, dice and state."""

    id: str
    owner: int
    bodies: list[Body]
    dice: int
    close: int
    status: tuple[str, ...]
    at: Point
    near: Box
    """Whoever touches it is in there."""
    blast: int = 0
    hull: Hull | None = None

    @property
    def count(self) -> int:
        """How many figures it has."""
        return len(self.bodies)

    @property
    def cover(self) -> str:
        """Its protection."""
        return "building" if "in_building" in self.status else "cover" if "in_cover" in self.status else "open"

    def nearest(self, to: Point) -> Body:
        """The figure nearest to a place."""
        return min(self.bodies, key=lambda body: (squared(body.at, to), body.id))

    def touches(self, place: Point, radius: int) -> bool:
        """Whether a base of this radius, laid there, touches one of its figures."""
        if not in_box(place, self.near):
            return False
        body = self.nearest(place)
        return distance(body.at, place) <= body.radius + radius + SLACK


@dataclass(slots=True)
class Ground:
    """A feature with ground, or a marked area."""

    id: str
    outline: tuple[Point, ...]
    box: Box
    cover: str

    def holds(self, place: Point) -> bool:
        """Whether a figure there is in it."""
        return in_box(place, self.box) and contains(place, self.outline)

    @property
    def middle(self) -> Point:
        """The middle of its box."""
        left, bottom, right, top = self.box
        return (left + right) // 2, (bottom + top) // 2


@dataclass(slots=True)
class Aim:
    """A victory condition that is not lost yet, as far as it is open to this player. It is met once `progress` is up to
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
        """Whether it is met as things stand."""
        return self.progress >= self.goal


class Reading:
    """One look at the table by the player of `seat`."""

    def __init__(self, nodes: Mapping[str, AnyNode], seat: int) -> None:
        self.seat = seat
        self.forces: dict[int, Force] = {}
        self.grounds: dict[str, Ground] = {}
        self.size: Point = (0, 0)
        self.decks_left = 0
        self.deck = 0
        self.row = scene.Row(())
        self.scores: dict[int, int] = {}
        self.features: dict[str, scene.Feature] = {}
        groups, objectives = self._sort(nodes)
        self.bands = {id: self._band(id, group, nodes) for id, group in groups.items()}
        self.mine = [band for band in self.bands.values() if band.owner == seat]
        self.others = [band for band in self.bands.values() if band.owner != seat]
        self.aims_of: dict[int, list[Aim]] = {owner: [] for owner in self.forces}
        for objective in objectives:
            aim = self._aim(objective)
            if aim is not None:
                self.aims_of.setdefault(objective.owner, []).append(aim)
        self.aims = self.aims_of.get(seat, [])

    def _sort(self, nodes: Mapping[str, AnyNode]) -> tuple[dict[str, scene.Group], list[scene.Objective]]:
        """What can be read node by node; the groups and conditions, which are read by what the others tell."""
        groups: dict[str, scene.Group] = {}
        objectives: list[scene.Objective] = []
        for id, node in nodes.items():
            if isinstance(node, scene.Piece):
                continue  # the most by far, and read with its group
            if isinstance(node, scene.Group) and node.pieces:
                groups[id] = node
            elif isinstance(node, scene.Feature):
                self.features[id] = node
                if not node.line:
                    self.grounds[id] = Ground(id, node.outline, box_of(node.outline), node.cover)
            elif isinstance(node, scene.Zone) and node.style == "objective":
                self.grounds[id] = Ground(id, node.points, box_of(node.points), "open")
            elif isinstance(node, scene.Objective):
                objectives.append(node)
            elif isinstance(node, scene.Sheet) and id == f"sheet/{node.owner}":
                self.forces[node.owner] = force_of(node.lines)
            elif isinstance(node, scene.Counter) and id == "counter/reshuffles":
                self.decks_left = node.value
            elif isinstance(node, scene.Pile) and id == "pile/deck":
                self.deck = node.count
            elif isinstance(node, scene.Row):
                self.row = node
            elif isinstance(node, scene.SeatNode) and node.alive:
                self.scores[int(id.removeprefix("seat/"))] = node.score
            elif isinstance(node, scene.Table):
                self.size = node.size
        return groups, objectives

    @property
    def terrain(self) -> list[Ground]:
        """The features with ground."""
        return [self.grounds[id] for id in self.features if id in self.grounds]

    @property
    def own(self) -> Force:
        """My faction."""
        return self.forces[self.seat]

    def _band(self, id: str, group: scene.Group, nodes: Mapping[str, AnyNode]) -> Band:
        force = self.forces.get(group.owner, Force())
        bodies: list[Body] = []
        dice = close = 0
        for piece_id in group.pieces:
            piece = nodes.get(piece_id)
            if isinstance(piece, scene.Piece):
                bodies.append(Body(piece_id, piece.at, piece.radius))
                shooting, fighting = force.dice.get(piece.name.k if piece.name else "", (1, 1))
                dice, close = dice + shooting, close + fighting
        middle = (sum(b.at[0] for b in bodies) // len(bodies), sum(b.at[1] for b in bodies) // len(bodies))
        near = widened(box_of([body.at for body in bodies]), CONTACT)
        band = Band(id, group.owner, bodies, dice, close, group.status, middle, near)
        first, card = nodes.get(group.pieces[0]), nodes.get(group.sheet)
        if isinstance(first, scene.Piece):
            band.blast = force.blasts.get(first.name.k if first.name else "", 0)
            if first.box is not None and isinstance(card, scene.Sheet):
                band.hull = hull_of(first, first.box, card.lines)
        return band

    def _aim(self, objective: scene.Objective) -> Aim | None:
        words = objective.text.k.split(".")
        if len(words) < 2 or words[0] != "condition" or objective.state == "failed":
            return None
        aim = Aim(words[1], number_of(objective.text, "points", 1), objective.progress, objective.goal)
        for id in objective.about:
            if id in self.grounds:
                aim.ground = self.grounds[id]
            elif id.startswith("seat/"):
                aim.rival = int(id.removeprefix("seat/"))
            elif id.startswith("special/"):
                aim.special = id
        if aim.kind in WORKED and aim.special:
            aim.kind = "done"
        return aim


def distance(a: Point, b: Point) -> int:
    """How far two places are apart."""
    return floor_sqrt(squared(a, b))
