"""Places of the names on the board: near their things, apart from each other, over no base, and steady.

A name stays where it is as long as it may stand there, however the mouse or the choices change. Where there is no room
for it a shorter form takes its place. Needs no window.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from client.ui.layout import Rect
from protocol.ids import NodeId

NEAR: Final = 23
"""Pixels between a name and the nearest base of its thing, at most."""
GAPS: Final = (3, 9, 16, 21)
"""Pixels between a name and its thing, the best first."""
SLIDES: Final = (0, 0.25, -0.25, 0.5, -0.5, 0.75, -0.75)
"""Shares of its own length by which a name may stand aside of the middle."""
MOST_SINGLE: Final = 12
"""Bases of one thing around which a name may stand where there is no room around them all."""
CELL: Final = 64
"""Pixels a side of the cells in which bases are looked for."""


@dataclass(frozen=True)
class Name:
    """Thing to be named. `forms`: words with their width and height in pixels, the best first; `bases`: the rectangles
    that it covers in the window."""

    id: NodeId
    forms: tuple[tuple[str, float, float], ...]
    bases: tuple[Rect, ...]

    @property
    def middle(self) -> tuple[float, float]:
        return _around(self.bases).centre


@dataclass(frozen=True)
class PlacedName:
    """Name at its place."""

    words: str
    box: Rect


@dataclass(frozen=True)
class _Kept:
    """Place of a name in the frame before, from the middle of its thing. `form`: number of its form."""

    form: int
    dx: float
    dy: float
    bases: tuple[Rect, ...]


class NamePlaces:
    """Places of all names of one kind, kept from frame to frame."""

    def __init__(self) -> None:
        self._kept: dict[NodeId, _Kept] = {}
        self._asked: object = None
        self._placed: dict[NodeId, PlacedName] = {}

    @property
    def boxes(self) -> list[Rect]:
        """Places of the names of the last frame."""
        return [placed.box for placed in self._placed.values()]

    def place(
        self,
        names: Sequence[Name],
        board: Rect,
        bases: Sequence[Rect],
        covered: Sequence[Rect],
        *,
        is_moving: bool = False,
    ) -> dict[NodeId, PlacedName]:
        """Return where each name stands; one for which there is no room at all is left out.

        `bases`: all that no name may cover; `covered`: where something lies over the board; `is_moving`: what stands
        elsewhere than in the frame before is on its way still, and drives no name away.
        """
        asked = (tuple(names), board, tuple(bases), tuple(covered), is_moving)
        if asked != self._asked:
            passing = {name.id for name in names if is_moving and self._has_moved(name)}
            self._asked, self._placed = asked, self._place(names, board, bases, covered, passing)
        return self._placed

    def _has_moved(self, name: Name) -> bool:
        before = self._kept.get(name.id)
        return before is not None and before.bases != name.bases

    def _place(
        self,
        names: Sequence[Name],
        board: Rect,
        bases: Sequence[Rect],
        covered: Sequence[Rect],
        passing: set[NodeId],
    ) -> dict[NodeId, PlacedName]:
        room = _Room(board, bases, covered)
        kept = {name.id: self._kept[name.id] for name in names if name.id in self._kept}
        found = self._keep(names, kept, room, bases, passing)
        if not self._find([name for name in names if name.id not in found], kept, room, found):
            self._make_room(names, room, found)
        self._lengthen(names, kept, room, found)
        self._kept, placed = {}, {}
        for name in names:
            if name.id in found:
                form, box = found[name.id]
                self._kept[name.id] = _kept_at(name, form, box)
                placed[name.id] = PlacedName(name.forms[form][0], box)
        return placed

    def _keep(
        self,
        names: Sequence[Name],
        kept: dict[NodeId, _Kept],
        room: _Room,
        bases: Sequence[Rect],
        passing: set[NodeId],
    ) -> dict[NodeId, tuple[int, Rect]]:
        """Leave each name where it may stay."""
        found: dict[NodeId, tuple[int, Rect]] = {}
        on_their_way = {base for name in names if name.id in passing for base in name.bases}
        resting = _Room(room.board, [base for base in bases if base not in on_their_way], room.covered)
        for name in names:
            before = kept.get(name.id)
            if before is None:
                continue
            form = min(before.form, len(name.forms) - 1)
            box = _centred(name, form, before)
            own = room if name.id in passing else resting
            if own.is_free(box) and room.is_apart(box) and _gap(box, name.bases) <= NEAR:
                found[name.id] = form, box
                room.take(box)
        return found

    def _find(
        self,
        names: Sequence[Name],
        kept: dict[NodeId, _Kept],
        room: _Room,
        found: dict[NodeId, tuple[int, Rect]],
    ) -> bool:
        """Give each name a place in its shortest form, those with the fewest places first; return True if all have
        one."""
        places = {name.id: [box for box in _candidates(name, -1) if room.is_free(box)] for name in names}
        complete = True
        for name in sorted(names, key=lambda name: len(places[name.id])):
            free = [box for box in places[name.id] if room.is_apart(box)]
            if free:
                box = _best(name, free, kept.get(name.id))
                found[name.id] = len(name.forms) - 1, box
                room.take(box)
            elif places[name.id]:
                complete = False
        return complete

    def _make_room(self, names: Sequence[Name], room: _Room, found: dict[NodeId, tuple[int, Rect]]) -> None:
        """Shorten or move the names that keep another from its only places."""
        by_id = {name.id: name for name in names}
        for name in names:
            free = [box for box in _candidates(name, -1) if room.is_free(box)] if name.id not in found else []
            in_the_way = [[id for id, (_, other) in found.items() if other.overlaps(box)] for box in free]
            for box, ids in sorted(zip(free, in_the_way, strict=True), key=lambda pair: len(pair[1])):
                before = {id: found.pop(id) for id in ids}
                for _, other in before.values():
                    room.give_back(other)
                room.take(box)
                found[name.id] = len(name.forms) - 1, box
                kept = {id: _kept_at(by_id[id], *before[id]) for id in ids}
                if self._find([by_id[id] for id in ids], kept, room, found) and all(id in found for id in ids):
                    break
                for id in (*ids, name.id):
                    if id in found:
                        room.give_back(found.pop(id)[1])
                found.update(before)
                for _, other in before.values():
                    room.take(other)

    def _lengthen(
        self,
        names: Sequence[Name],
        kept: dict[NodeId, _Kept],
        room: _Room,
        found: dict[NodeId, tuple[int, Rect]],
    ) -> None:
        """Give names a better form where there is room for it: one that stays does so without a step aside."""
        for name in names:
            if name.id not in found:
                continue
            form, box = found[name.id]
            before = kept.get(name.id)
            stays = before is not None and before.bases == name.bases and before.form == form
            for better in range(form):
                room.give_back(box)
                boxes = [_widened(name, better, box)] if stays else list(_candidates(name, better))
                free = [place for place in boxes if room.is_free(place) and room.is_apart(place)]
                free = [place for place in free if _gap(place, name.bases) <= NEAR]
                if free:
                    box = _best(name, free, before)
                    found[name.id] = better, box
                room.take(box)
                if free:
                    break


class _Room:
    """Room on the board, with all that takes some of it."""

    def __init__(self, board: Rect, bases: Sequence[Rect], covered: Sequence[Rect]) -> None:
        self.board = board
        self.covered = covered
        self.names: list[Rect] = []
        self._cells: dict[tuple[int, int], list[Rect]] = {}
        for base in bases:
            for cell in _cells(base):
                self._cells.setdefault(cell, []).append(base)

    def is_free(self, box: Rect) -> bool:
        """Return True if a name may stand here as far as the board and what stands on it are concerned."""
        board = self.board
        if box.x < board.x or box.y < board.y or box.right > board.right or box.top > board.top:
            return False
        if any(box.overlaps(other) for other in self.covered):
            return False
        return not any(box.overlaps(base) for cell in _cells(box) for base in self._cells.get(cell, ()))

    def is_apart(self, box: Rect) -> bool:
        """Return True if no name stands here."""
        return not any(box.overlaps(other) for other in self.names)

    def take(self, box: Rect) -> None:
        self.names.append(box)

    def give_back(self, box: Rect) -> None:
        self.names.remove(box)


def _cells(box: Rect) -> Iterator[tuple[int, int]]:
    for column in range(int(box.x // CELL), int(box.right // CELL) + 1):
        for row in range(int(box.y // CELL), int(box.top // CELL) + 1):
            yield column, row


def _around(rects: Sequence[Rect]) -> Rect:
    x, y = min(rect.x for rect in rects), min(rect.y for rect in rects)
    return Rect(x, y, max(rect.right for rect in rects) - x, max(rect.top for rect in rects) - y)


def _gap(box: Rect, bases: Sequence[Rect]) -> float:
    """Return the pixels between a name and the nearest of the bases."""
    return min(
        math.hypot(
            max(base.x - box.right, box.x - base.right, 0),
            max(base.y - box.top, box.y - base.top, 0),
        )
        for base in bases
    )


def _kept_at(name: Name, form: int, box: Rect) -> _Kept:
    (x, y), (cx, cy) = box.centre, name.middle
    return _Kept(form, x - cx, y - cy, name.bases)


def _centred(name: Name, form: int, before: _Kept) -> Rect:
    _, w, h = name.forms[form]
    x, y = name.middle
    return Rect(x + before.dx - w / 2, y + before.dy - h / 2, w, h)


def _widened(name: Name, form: int, box: Rect) -> Rect:
    _, w, h = name.forms[form]
    x, y = box.centre
    return Rect(x - w / 2, y - h / 2, w, h)


def _candidates(name: Name, form: int) -> Iterator[Rect]:
    """Yield the places at which a form of a name may stand, the best first."""
    _, w, h = name.forms[form]
    whole = _around(name.bases)
    is_last = form in (-1, len(name.forms) - 1)
    gaps = GAPS if is_last else GAPS[:2]  # rather short than far off
    single = () if len(name.bases) == 1 else name.bases[:: -(-len(name.bases) // MOST_SINGLE)]
    for box in chain(_beside(whole, w, h, gaps), *(_beside(base, w, h, GAPS[::3], SLIDES[:3]) for base in single)):
        if _gap(box, name.bases) <= NEAR:
            yield box


def _beside(thing: Rect, w: float, h: float, gaps: Sequence[float], slides: Sequence[float] = SLIDES) -> Iterator[Rect]:
    cx, cy = thing.centre
    for gap in gaps:
        for slide in slides:
            x, y = cx - w / 2 + slide * w, cy - h / 2 + slide * h
            yield Rect(x, thing.y - gap - h, w, h)
            yield Rect(x, thing.top + gap, w, h)
            yield Rect(thing.right + gap, y, w, h)
            yield Rect(thing.x - gap - w, y, w, h)


def _best(name: Name, boxes: Sequence[Rect], before: _Kept | None) -> Rect:
    """Return the first of the places, or the one nearest to where the name was."""
    if before is None:
        return boxes[0]
    (x, y), dx, dy = name.middle, before.dx, before.dy
    return min(boxes, key=lambda box: math.dist(box.centre, (x + dx, y + dy)))
