"""Numbers that a bot reads off the sheets of factions and vehicles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.space.vectors.points import Point
from protocol.scene.nodes import Piece

Kill = dict[str, int]
COVERS = ("open", "cover", "building")


@dataclass(slots=True)
class Force:
    """Faction by its sheet: Move in hundredths of an inch, kill numbers, figures at the start, cards, and the actions
    of all its cards, once through the deck."""

    move: int = 800
    kill: Kill = field(default_factory=lambda: {"open": 6, "cover": 9, "building": 12})
    figures: int = 0
    actions: int = 14
    cards: int = 9

    @property
    def worth(self) -> float:
        """Worth of one figure, the whole force being a hundred."""
        return 100 / max(1, self.figures)


@dataclass(slots=True)
class Hull:
    """Vehicle by its sheet. `seats` in all; `riders`: figures of each group in it."""

    move: int
    kill: Kill
    facing: int
    length: int
    seats: int
    riders: dict[str, int]

    @property
    def aboard(self) -> int:
        """Number of figures in it."""
        return sum(self.riders.values())


def force_of(numbers: Mapping[str, int]) -> Force:
    """Read a faction off its sheet."""
    return Force(numbers["move"], _kill(numbers), numbers["figures"], numbers["actions"], numbers["cards"])


def hull_of(piece: Piece, box: Point, numbers: Mapping[str, int]) -> Hull:
    """Read a vehicle off its base and sheet."""
    riders = {id: figures for id, figures in numbers.items() if id.startswith("group/")}
    return Hull(numbers["move"], _kill(numbers), piece.facing, box[0], numbers["seats"], riders)


def _kill(numbers: Mapping[str, int]) -> Kill:
    return {cover: numbers[cover] for cover in COVERS}
