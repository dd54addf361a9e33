"""Places of the board that nothing may cover, and those of marked things, which tips cover last."""

from __future__ import annotations

from collections.abc import Sequence

from client.draw.board.groups import Marks
from client.draw.board.places import box_of
from client.draw.board.verb_bar import Placed
from client.input.gestures.controller import GestureController
from client.model.table.tabletop import Tabletop
from client.ui.camera import Camera
from client.ui.layout import Rect


def asked_places(gestures: GestureController, top: Tabletop, camera: Camera) -> list[Rect]:
    """Return the places of the groups whose figures a question asks for."""
    if gestures.picking is None:
        return []
    draft = gestures.picking.draft
    figures = [thing for thing in (*draft.selectable(), *draft.picked()) if thing in top.pieces]
    groups = dict.fromkeys(top.group_of.get(figure, figure) for figure in figures)
    return [box for group in groups if (box := box_of(camera, top, group)) is not None]


def marked_places(marks: Marks, top: Tabletop, camera: Camera) -> list[Rect]:
    """Return the places of the things that stand out on the board, but for what is merely under the mouse."""
    boxes = (box_of(camera, top, thing) for thing in marks.picked | marks.selectable | marks.about)
    return [box for box in boxes if box is not None]


def folded(bars: Sequence[Placed], clear: Sequence[Rect]) -> list[Placed]:
    """Return the bars of verbs without the buttons, other than those at the foot, that would cover a place."""
    foot, *others = bars or [[]]
    return [foot, *([pair for pair in bar if not any(pair[0].overlaps(one) for one in clear)] for bar in others)]
