"""The table as a bot reads it: only what the scene shows, sorted out once a decision."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from engine.space.outlines import contains
from engine.space.vectors import Box, Point, box_of, floor_sqrt, squared, widened
from protocol import scene
from protocol.scene import AnyNode, Reply
from protocol.text import Text

Kill = dict[str, int]
WORKED = ("together", "falls")
"""What is brought about by successes of a special action, whoever has them: to be gone for as if it were to be done."""
VEHICLE = "sheet.vehicle."
CONTACT = 250
"""No two bases that touch have their centres farther apart."""


@dataclass(slots=True)
class Force:
    """A faction by its sheet: Move in hundredths, kill numbers, dice of its figures, how many it began with."""

    move: int = 800
    kill: Kill = field(default_factory=lambda: {"open": 6, "cover": 9, "building": 12})
    dice: dict[str, tuple[int, int]] = field(default_factory=dict)
    figures: int = 0
    blasts: dict[str, int] = field(default_factory=dict)

    @property
    def worth(self) -> float:
        """What one figure is worth, the whole force being a hundred."""
        return 100 / max(1, self.figures)


@dataclass(slots=True)
class Act:
    """Something that could be done, and what it is worth, an action."""

    worth: float
    reply: Reply


@dataclass(slots=True)
class Body:
    """A figure."""

    id: str
    at: Point
    radius: int


@dataclass(slots=True)
class Hull:
    """What a vehicle is, by its own card. `travel`: road, off_road or air; `seats` in all, `aboard`: figures in it."""

    travel: str
    move: int
    kill: Kill
    facing: int
    length: int
    seats: int = 0
    aboard: int = 0
    riders: set[int] = field(default_factory=set)
    """The numbers of the groups in it."""


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


@dataclass(slots=True)
class Ground:
    """A feature with ground, or a marked area."""

    id: str
    outline: tuple[Point, ...]
    box: Box
    cover: str

    def holds(self, place: Point) -> bool:
        """Whether a figure there is in it."""
        left, bottom, right, top = self.box
        return left <= place[0] <= right and bottom <= place[1] <= top and contains(place, self.outline)

    @property
    def middle(self) -> Point:
        """The middle of its box."""
        left, bottom, right, top = self.box
        return (left + right) // 2, (bottom + top) // 2


@dataclass(slots=True)
class Aim:
    """A victory condition of mine that is not safe yet."""

    kind: str
    points: int
    progress: int
    goal: int
    ground: Ground | None = None
    rival: int = -1
    special: str = ""


class Reading:
    """One look at the table by the player of `seat`."""

    def __init__(self, nodes: Mapping[str, AnyNode], seat: int) -> None:
        self.seat = seat
        self.forces: dict[int, Force] = {}
        self.grounds: dict[str, Ground] = {}
        self.size: Point = (0, 0)
        self.decks_left = 0
        self.features: dict[str, scene.Feature] = {}
        bands: list[tuple[str, scene.Group]] = []
        objectives: list[scene.Objective] = []
        for id, node in nodes.items():
            if isinstance(node, scene.Group) and node.pieces:
                bands.append((id, node))
            elif isinstance(node, scene.Feature):
                self.features[id] = node
                if not node.line:
                    self.grounds[id] = Ground(id, node.outline, box_of(node.outline), node.cover)
            elif isinstance(node, scene.Zone) and node.style == "objective":
                self.grounds[id] = Ground(id, node.points, box_of(node.points), "open")
            elif isinstance(node, scene.Objective) and node.owner == seat:
                objectives.append(node)
            elif isinstance(node, scene.Sheet) and id == f"sheet/{node.owner}":
                self.forces[node.owner] = _force(node.lines)
            elif isinstance(node, scene.Counter) and id == "counter/reshuffles":
                self.decks_left = node.value
            elif isinstance(node, scene.Table):
                self.size = node.size
        self.bands = {id: self._band(id, group, nodes) for id, group in bands}
        self.mine = [band for band in self.bands.values() if band.owner == seat]
        self.others = [band for band in self.bands.values() if band.owner != seat]
        self.aims = [aim for objective in objectives if (aim := self._aim(objective)) is not None]

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
                band.hull = _hull(first, first.box, card.lines)
        return band

    def _aim(self, objective: scene.Objective) -> Aim | None:
        words = objective.text.k.split(".")
        if len(words) < 2 or words[0] != "condition" or objective.state == "failed":
            return None
        aim = Aim(words[1], _number(objective.text, "points", 1), objective.progress, objective.goal)
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


def _force(lines: Iterable[Text]) -> Force:
    force = Force()
    for line in lines:
        if line.k == "faction.numbers":
            force.move = 100 * _number(line, "move", 8)
            force.kill = {cover: _number(line, cover, 6) for cover in ("open", "cover", "building")}
        elif line.k == "sheet.figure":
            name = line.a.get("figure")
            if isinstance(name, Text):
                force.dice[name.k] = (_number(line, "dice", 1), _number(line, "close", 1))
                force.figures += _number(line, "count", 0)
        elif line.k == "sheet.gun":
            name = line.a.get("figure")
            if isinstance(name, Text):
                force.blasts[name.k] = _number(line, "blast", 0)
    return force


def _hull(piece: scene.Piece, box: Point, lines: Iterable[Text]) -> Hull | None:
    hull: Hull | None = None
    for line in lines:
        if line.k.startswith(VEHICLE):
            kill = {cover: _number(line, cover, 20) for cover in ("open", "cover", "building")}
            travel = line.k.removeprefix(VEHICLE)
            hull = Hull(travel, 100 * _number(line, "move", 8), kill, piece.facing, box[0])
        elif hull is not None and line.k == "sheet.seats":
            hull.seats = _number(line, "seats", 0)
        elif hull is not None and line.k == "sheet.aboard":
            hull.aboard += _number(line, "figures", 0)
            rider = line.a.get("group")
            if isinstance(rider, Text):
                hull.riders.add(_number(rider, "number", 0))
    return hull


def _number(words: Text, key: str, otherwise: int) -> int:
    value = words.a.get(key, otherwise)
    return value if isinstance(value, int) else otherwise
