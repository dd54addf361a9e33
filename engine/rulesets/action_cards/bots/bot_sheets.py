"""Numbers that a bot reads off the sheets of factions and vehicles."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from engine.space.vectors.points import Point
from protocol.scene import nodes as scene
from protocol.text import Text

Kill = dict[str, int]
VEHICLE = "sheet.vehicle."


@dataclass(slots=True)
class Force:
    """Faction by its sheet: Move in hundredths of an inch, kill numbers, dice of its figures, figures at the start,
    cards."""

    move: int = 800
    kill: Kill = field(default_factory=lambda: {"open": 6, "cover": 9, "building": 12})
    dice: dict[str, tuple[int, int]] = field(default_factory=dict)
    figures: int = 0
    actions: int = 14
    """Actions of all its cards, once through the deck."""
    cards: int = 9
    blasts: dict[str, int] = field(default_factory=dict)

    @property
    def worth(self) -> float:
        """Worth of one figure, the whole force being a hundred."""
        return 100 / max(1, self.figures)


@dataclass(slots=True)
class Hull:
    """Vehicle by its sheet. `travel`: road, off_road or air; `seats` in all, `aboard`: figures in it."""

    travel: str
    move: int
    kill: Kill
    facing: int
    length: int
    seats: int = 0
    aboard: int = 0
    riders: set[int] = field(default_factory=set)
    """The numbers of the groups in it."""


def force_of(lines: Iterable[Text]) -> Force:
    """Read a faction off its sheet."""
    force = Force()
    for line in lines:
        if line.k == "faction.numbers":
            force.move = 100 * number_of(line, "move", 8)
            force.kill = {cover: number_of(line, cover, 6) for cover in ("open", "cover", "building")}
        elif line.k == "faction.cards":
            mix = [number_of(line, kind, 0) for kind in ("single", "double", "triple")]
            force.cards, force.actions = sum(mix), mix[0] + 2 * mix[1] + 3 * mix[2]
        elif line.k == "sheet.figure":
            name = line.a.get("figure")
            if isinstance(name, Text):
                force.dice[name.k] = (number_of(line, "dice", 1), number_of(line, "close", 1))
                force.figures += number_of(line, "count", 0)
        elif line.k == "sheet.gun":
            name = line.a.get("figure")
            if isinstance(name, Text):
                force.blasts[name.k] = number_of(line, "blast", 0)
    return force


def hull_of(piece: scene.Piece, box: Point, lines: Iterable[Text]) -> Hull | None:
    """Read a vehicle off its sheet; None where that names none."""
    hull: Hull | None = None
    for line in lines:
        if line.k.startswith(VEHICLE):
            kill = {cover: number_of(line, cover, 20) for cover in ("open", "cover", "building")}
            travel = line.k.removeprefix(VEHICLE)
            hull = Hull(travel, 100 * number_of(line, "move", 8), kill, piece.facing, box[0])
        elif hull is not None and line.k == "sheet.seats":
            hull.seats = number_of(line, "seats", 0)
        elif hull is not None and line.k == "sheet.aboard":
            hull.aboard += number_of(line, "figures", 0)
            rider = line.a.get("group")
            if isinstance(rider, Text):
                hull.riders.add(number_of(rider, "number", 0))
    return hull


def number_of(words: Text, key: str, otherwise: int) -> int:
    """Return a number among the arguments of a text."""
    value = words.a.get(key, otherwise)
    return value if isinstance(value, int) else otherwise
