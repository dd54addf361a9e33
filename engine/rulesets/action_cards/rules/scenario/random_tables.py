"""Random tables: terrain that a scenario leaves to the match's dice, laid so that every goal can still be reached.

For each kind of piece the possible places are listed in a fixed order, a public shuffle puts them into another one, and
the first that leave room for each other are taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from engine.core.rules.game import Game
from engine.core.rules.implements import implements
from engine.rulesets.action_cards.rules.scenario.passability import Passability
from engine.rulesets.action_cards.state.event_facts import TableLaid
from engine.rulesets.action_cards.state.model import Feature, Point, Scatter, Scenario
from engine.rulesets.action_cards.state.state import Skirmish
from engine.space.vectors.outlines import octagon, outline_of
from engine.space.vectors.points import Box, box_of, boxes_meet, widened

PURPOSE: Final = "order.table"
STEP: Final = 200
"""Places are this far apart."""
EDGE: Final = 100
CLEAR_OF_STARTS: Final = 150


class TerrainPiece(NamedTuple):
    """Piece that might be laid: its outline and the box that it takes."""

    outline: tuple[Point, ...]
    box: Box


@implements("AC-SETUP-01")
def lay(game: Game[Skirmish]) -> None:
    """Lay the pieces that the scenario leaves to chance."""
    resolved = game.state.resolved
    passability = Passability.of(resolved.scenario, resolved.terrain)
    laid: list[Feature] = []
    for scatter in resolved.scenario.scatter:
        possible = list(places(resolved.scenario, scatter))
        order = game.shuffle(len(possible), PURPOSE) if possible else ()
        found = chosen(scatter, [possible[n] for n in order], laid, passability)
        laid += found
    game.emit(TableLaid(tuple(laid)))


def places(scenario: Scenario, scatter: Scatter) -> Iterator[TerrainPiece]:
    """Yield the places of a piece, upright or turned: within its part of the table, clear of start zones and of all
    that lies there already."""
    left, bottom, right, top = box_of(scatter.within)
    starts = [widened(box_of(role.start), CLEAR_OF_STARTS) for role in scenario.roles]
    fixed = [widened(box_of(feature.outline), scatter.apart) for feature in scenario.features]
    width, height = scatter.size
    for wide, high in dict.fromkeys(((width, height), (height, width))):
        for x in range(left + wide // 2, right - wide // 2 + 1, STEP):
            for y in range(bottom + high // 2, top - high // 2 + 1, STEP):
                outline = shape(scatter, (x, y), wide, high)
                box = box_of(outline)
                if _on_table(scenario.size, box) and not any(boxes_meet(box, taken) for taken in (*starts, *fixed)):
                    yield TerrainPiece(outline, box)


def shape(scatter: Scatter, middle: Point, wide: int, high: int) -> tuple[Point, ...]:
    """Return the outline of a piece around a middle: a line along its longer side, a box, or an eight-cornered
    patch."""
    x, y = middle
    w, h = wide // 2, high // 2
    if scatter.form == "line":
        return ((x - w, y), (x + w, y)) if wide >= high else ((x, y - h), (x, y + h))
    if scatter.form == "box":
        return outline_of((x - w, y - h, x + w, y + h))
    return octagon(middle, w, h)


@implements("AC-SETUP-01")
def chosen(
    scatter: Scatter, order: Iterable[TerrainPiece], laid: Sequence[Feature], passability: Passability
) -> list[Feature]:
    """Return the first pieces in this order that keep apart from each other and cut no start zone off from a goal."""
    taken = [box_of(feature.outline) for feature in laid]
    found: list[Feature] = []
    for piece in order:
        if len(found) == scatter.count:
            break
        if any(boxes_meet(widened(piece.box, scatter.apart), box) for box in taken):
            continue
        feature = Feature(
            f"{scatter.id}_{len(found) + 1}", scatter.kind, scatter.name, piece.outline, doors(scatter, piece)
        )
        if passability.stays_open([*laid, *found, feature]):
            taken.append(piece.box)
            found.append(feature)
    return found


def doors(scatter: Scatter, piece: TerrainPiece) -> tuple[Point, ...]:
    """Return doors in the middles of all four sides of a box that has any."""
    if not scatter.doors:
        return ()
    left, bottom, right, top = piece.box
    x, y = (left + right) // 2, (bottom + top) // 2
    return (x, bottom), (right, y), (x, top), (left, y)


def _on_table(size: Point, box: Box) -> bool:
    left, bottom, right, top = box
    return left >= EDGE and bottom >= EDGE and right <= size[0] - EDGE and top <= size[1] - EDGE
