"""Terrain that a scenario leaves to chance, laid by the match's dice so that every goal can still be reached.

For each kind of piece the possible places are listed in a fixed order, a public shuffle puts them into another one, and
the first that leave room for each other are taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Annotated, Any, Final, Literal, NamedTuple

from pydantic import Field

from engine.core.content.content_schema import Id, Inches, Key, Place, WrittenAs
from engine.core.rules.game import Game
from engine.kit.terrain.passability import Passability
from engine.kit.terrain.place_schema import BoxCorners
from engine.kit.values import Written
from engine.space.vectors.outlines import Outline, octagon, outline_of
from engine.space.vectors.points import Box, Point, box_of, boxes_meet, middle_of, widened

STEP: Final = 200
"""Places are this far apart."""
EDGE: Final = 100
"""Pieces lie so far from the edges of the table."""


class Scatter(Written, frozen=True, omit_defaults=True):
    """Terrain that is left to chance: `count` pieces of a `kind`, each `size` wide and high (or turned), somewhere
    `within`, so far `apart` from all others. `form`: patch, box or line; `doors`: a box has one in each side."""

    id: Id
    kind: Id
    name: Key
    count: Annotated[int, Field(ge=1, le=20)]
    size: Place
    within: BoxCorners
    apart: Inches = 200
    form: Annotated[str, WrittenAs(Literal["patch", "box", "line"], str)] = "patch"
    doors: bool = False


class LaidPiece(NamedTuple):
    """A piece that might be laid: its outline and the box that it takes."""

    outline: Outline
    box: Box

    @property
    def side_middles(self) -> tuple[Point, ...]:
        """The middles of the sides of its box, where doors are."""
        left, bottom, right, top = self.box
        x, y = middle_of(self.box)
        return (x, bottom), (right, y), (x, top), (left, y)


class Bare(NamedTuple):
    """A table before the dice lay anything: its ways, the outlines that lie there, and how far pieces keep off the
    start zones."""

    ways: Passability
    fixed: tuple[Outline, ...]
    clear: int


def lay(
    game: Game[Any], bare: Bare, scatters: Iterable[Scatter], is_wall: Callable[[Scatter], bool], purpose: str
) -> list[tuple[Scatter, list[LaidPiece]]]:
    """Return the pieces of each kind. `purpose` names the shuffles; `is_wall`: nobody may enter these."""
    laid: list[tuple[Scatter, list[LaidPiece]]] = []
    taken: list[LaidPiece] = []
    walls: list[Outline] = []
    for scatter in scatters:
        possible = list(places(bare, scatter))
        order = game.shuffle(len(possible), purpose) if possible else ()
        ways = bare.ways if is_wall(scatter) else None
        found = chosen(scatter, [possible[n] for n in order], taken, ways, walls)
        laid.append((scatter, found))
        taken += found
        walls += [piece.outline for piece in found] if ways else []
    return laid


def places(bare: Bare, scatter: Scatter) -> Iterator[LaidPiece]:
    """Yield the places of a piece, upright or turned: within its part of the table, clear of start zones and of all
    that lies there already."""
    left, bottom, right, top = box_of(scatter.within)
    barred = [widened(box_of(start), bare.clear) for start in bare.ways.starts]
    barred += [widened(box_of(outline), scatter.apart) for outline in bare.fixed]
    width, height = scatter.size
    for wide, high in dict.fromkeys(((width, height), (height, width))):
        for x in range(left + wide // 2, right - wide // 2 + 1, STEP):
            for y in range(bottom + high // 2, top - high // 2 + 1, STEP):
                outline = shape(scatter, (x, y), wide, high)
                box = box_of(outline)
                if _on_table(bare.ways.size, box) and not any(boxes_meet(box, taken) for taken in barred):
                    yield LaidPiece(outline, box)


def shape(scatter: Scatter, middle: Point, wide: int, high: int) -> Outline:
    """Return the outline of a piece around a middle: a line along its longer side, a box, or an eight-cornered
    patch."""
    x, y = middle
    w, h = wide // 2, high // 2
    if scatter.form == "line":
        return ((x - w, y), (x + w, y)) if wide >= high else ((x, y - h), (x, y + h))
    return outline_of((x - w, y - h, x + w, y + h)) if scatter.form == "box" else octagon(middle, w, h)


def chosen(
    scatter: Scatter,
    order: Iterable[LaidPiece],
    taken: Sequence[LaidPiece],
    ways: Passability | None,
    walls: Sequence[Outline] = (),
) -> list[LaidPiece]:
    """Return the first pieces in this order that keep apart from each other and from those `taken`. Where `ways` are
    given, they are walls beside those laid already, and cut no start zone off from a goal."""
    found: list[LaidPiece] = []
    for piece in order:
        if len(found) == scatter.count:
            break
        if any(boxes_meet(widened(piece.box, scatter.apart), other.box) for other in (*taken, *found)):
            continue
        more = [*walls, *(other.outline for other in (*found, piece))]
        if ways is None or not ways.shut_out(more):
            found.append(piece)
    return found


def _on_table(size: Point, box: Box) -> bool:
    left, bottom, right, top = box
    return left >= EDGE and bottom >= EDGE and right <= size[0] - EDGE and top <= size[1] - EDGE
