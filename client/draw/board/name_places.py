"""Places of the names on the board: near their things, apart from each other, over no base, and steady.

A name stays where it is as long as it may stand there, however the mouse or the choices change. Where there is no room
for it a shorter form takes its place. Needs no window.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from client.draw.board.name_candidates import Name, candidates, is_near
from client.draw.board.name_room import NameRoom
from client.ui.layout import Rect
from protocol.ids import NodeId


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
        is_hurried: bool = False,
    ) -> dict[NodeId, PlacedName]:
        """Return where each name stands; one for which there is no room at all is left out.

        `bases`: all that no name may cover; `covered`: where something lies over the board; `is_moving`: what stands
        elsewhere than in the frame before is on its way still, and drives no name away; `is_hurried`: for this frame
        alone each has the first place that is free, which takes a fifth of the time, and the next goes on from the one
        before.
        """
        if is_hurried:
            self._asked, self._placed = None, self._hurried(names, board, bases, covered)
            return self._placed
        asked = (tuple(names), board, tuple(bases), tuple(covered), is_moving)
        if asked != self._asked:
            passing = {name.id for name in names if is_moving and self._has_moved(name)}
            self._asked, self._placed = asked, self._place(names, board, bases, covered, passing)
        return self._placed

    def _hurried(
        self, names: Sequence[Name], board: Rect, bases: Sequence[Rect], covered: Sequence[Rect]
    ) -> dict[NodeId, PlacedName]:
        """Give each name the first place that its shortest form can have."""
        room, placed = NameRoom(board, bases, covered), {}
        for name in names:
            free = (box for box in candidates(name, -1) if room.is_free(box) and room.is_apart(box))
            box = next(free, None)
            if box is not None:
                room.take(box)
                placed[name.id] = PlacedName(name.forms[-1][0], box)
        return placed

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
        room = NameRoom(board, bases, covered)
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
        room: NameRoom,
        bases: Sequence[Rect],
        passing: set[NodeId],
    ) -> dict[NodeId, tuple[int, Rect]]:
        """Leave each name where it may stay."""
        found: dict[NodeId, tuple[int, Rect]] = {}
        on_their_way = {base for name in names if name.id in passing for base in name.bases}
        resting = NameRoom(room.board, [base for base in bases if base not in on_their_way], room.covered)
        for name in names:
            before = kept.get(name.id)
            if before is None:
                continue
            form = min(before.form, len(name.forms) - 1)
            box = _centred(name, form, before)
            own = room if name.id in passing else resting
            if own.is_free(box) and room.is_apart(box) and is_near(box, name.bases):
                found[name.id] = form, box
                room.take(box)
        return found

    def _find(
        self,
        names: Sequence[Name],
        kept: dict[NodeId, _Kept],
        room: NameRoom,
        found: dict[NodeId, tuple[int, Rect]],
    ) -> bool:
        """Give each name a place in its shortest form, those with the fewest places first; return True if all have
        one."""
        places = {name.id: [box for box in candidates(name, -1) if room.is_free(box)] for name in names}
        complete = True
        for name in sorted(names, key=lambda name: len(places[name.id])):
            box = _best(name, (box for box in places[name.id] if room.is_apart(box)), kept.get(name.id))
            if box is not None:
                found[name.id] = len(name.forms) - 1, box
                room.take(box)
            elif places[name.id]:
                complete = False
        return complete

    def _make_room(self, names: Sequence[Name], room: NameRoom, found: dict[NodeId, tuple[int, Rect]]) -> None:
        """Shorten or move the names that keep another from its only places."""
        by_id = {name.id: name for name in names}
        for name in names:
            free = [box for box in candidates(name, -1) if room.is_free(box)] if name.id not in found else []
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
        room: NameRoom,
        found: dict[NodeId, tuple[int, Rect]],
    ) -> None:
        """Give names a better form where there is room for it: one that stays does so without a step aside. What one
        has left may be room for another, so that it ends when none grows any more."""
        while sum(self._grow(name, kept.get(name.id), room, found) for name in names if name.id in found):
            pass

    def _grow(self, name: Name, before: _Kept | None, room: NameRoom, found: dict[NodeId, tuple[int, Rect]]) -> bool:
        """Give a name the best form that there is room for; return True if it is better than the one it had."""
        form, box = found[name.id]
        stays = before is not None and before.bases == name.bases and before.form == form
        for better in range(form):
            room.give_back(box)
            boxes = [*(() if stays else candidates(name, better)), *_stretched(name, better, box)]
            wider = _best(name, (place for place in boxes if room.is_free(place) and room.is_apart(place)), before)
            room.take(wider or box)
            if wider is not None:
                found[name.id] = better, wider
                return True
        return False


def _kept_at(name: Name, form: int, box: Rect) -> _Kept:
    (x, y), (cx, cy) = box.centre, name.middle
    return _Kept(form, x - cx, y - cy, name.bases)


def _centred(name: Name, form: int, before: _Kept) -> Rect:
    _, w, h = name.forms[form]
    x, y = name.middle
    return Rect(x + before.dx - w / 2, y + before.dy - h / 2, w, h)


def _stretched(name: Name, form: int, box: Rect) -> Iterator[Rect]:
    """Yield the place of a form around the middle of a box, where that is near."""
    _, w, h = name.forms[form]
    x, y = box.centre
    wider = Rect(x - w / 2, y - h / 2, w, h)
    if is_near(wider, name.bases):
        yield wider


def _best(name: Name, boxes: Iterable[Rect], before: _Kept | None) -> Rect | None:
    """Return the first of the places, or the one nearest to where the name was; None where there are none."""
    if before is None:
        return next(iter(boxes), None)
    (x, y), dx, dy = name.middle, before.dx, before.dy
    return min(boxes, key=lambda box: math.dist(box.centre, (x + dx, y + dy)), default=None)
