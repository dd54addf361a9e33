"""Moments of a match that are worth a question: a group that can do much, and a piece of terrain to point at."""

from __future__ import annotations

import math
from collections import Counter
from typing import Final, NamedTuple

from client.input.gestures.aims import subjects
from client.input.gestures.controller import GestureController
from client.views.table.table_screen import TableScreen
from protocol.ids import NodeId
from protocol.scene.nodes import Point, Prompt
from tools.pictures.eyes.seats import Seat

MOST_LOOKED_AT: Final = 6
"""Groups of which it is asked what they can do, in one turn."""
EDGE: Final = 40
"""Pixels from the edge of the board in which nothing is pointed at."""
SHARES: Final = (0.5, 0.35, 0.65)
"""Of the way from one corner of a piece of terrain to the other, where it is pointed at."""


class Spot(NamedTuple):
    """Piece of terrain, with its place in the window."""

    feature: NodeId
    at: tuple[float, float]


async def mark_group(seat: Seat, prompt: Prompt) -> bool:
    """Bring into focus the group that can do most, of those on the table; return False where none can both go
    somewhere and meet an enemy."""
    top, gestures = seat.screen.model.top, seat.screen.gestures
    groups = [thing for thing in subjects(prompt) if thing in top.groups and top.pieces_of(thing)]
    best, most = None, (0, 0)
    for group in groups[:MOST_LOOKED_AT]:
        await _focus(seat, group)
        count = _worth(gestures, prompt)
        best, most = (group, count) if count > most else (best, most)
    if best is None:
        return False
    await _focus(seat, best)
    return True


async def _focus(seat: Seat, group: NodeId) -> None:
    """Take a group up, and wait until it is known what it can do."""
    gestures = seat.screen.gestures
    gestures.focus(group)
    await seat.until(lambda: gestures.survey.subject == group and gestures.survey.is_done)


def _worth(gestures: GestureController, prompt: Prompt) -> tuple[int, int]:
    """Return how many others the group in focus can meet with a chance to kill, and how many in all; none where it
    cannot go anywhere, too."""
    known = [found for _, found in gestures.known(prompt) if found.why is None]
    can_go = any(found.reach for found in known)
    met = [target for found in known for target in found.targets if target.why is None]
    return (sum(target.chance > 0 for target in met), len(met)) if can_go else (0, 0)


def find_terrain(screen: TableScreen, asked: Counter[str]) -> Spot:
    """Return a piece of terrain that can be pointed at, of those whose name has been `asked` least. Raises
    LookupError."""
    top, found = screen.model.top, []
    for name, feature in top.features.items():
        words = screen.model.texts.say(feature.name)
        places = [place for point in _points(feature.outline) if (place := _free(screen, name, point))]
        found += [(asked[words], -_apart(screen, place), name, place) for place in places]
    if not found:
        raise LookupError("no piece of terrain can be pointed at")
    _, _, name, place = min(found)
    asked[screen.model.texts.say(top.features[name].name)] += 1
    return Spot(name, place)


def _apart(screen: TableScreen, place: tuple[float, float]) -> float:
    """Return the pixels from a place to the group in focus: what is told of the terrain there covers it the less."""
    at = screen.model.top.centre_of(screen.gestures.subject)
    return math.dist(place, screen.board.camera.to_window(*at)) if at is not None else 0.0


def _points(outline: tuple[Point, ...]) -> list[Point]:
    """Return places of an outline, of a line those on it."""
    (ax, ay), (bx, by) = outline[0], outline[len(outline) // 2]
    return [(round(ax + (bx - ax) * share), round(ay + (by - ay) * share)) for share in SHARES]


def _free(screen: TableScreen, feature: NodeId, point: Point) -> tuple[float, float] | None:
    """Return the place in the window where the mouse means a piece of terrain and nothing else; None where it means
    none."""
    x, y = screen.board.camera.to_window(*point)
    if not screen.layout.board.inset(EDGE).contains(x, y) or screen.app.ui.hit(x, y) is not None:
        return None
    things = screen.model.top.things_at(screen.board.camera.to_table(x, y), screen.board.slack())
    return (x, y) if things == (feature,) else None
