"""Drawing of a refusal on the table: the way or line that was meant, what is in its way, and what would do."""

from __future__ import annotations

import math

from client.draw.board.groups import AROUND
from client.draw.plate import draw_plate
from client.input.gestures.clicks import Note
from client.model.table.view_model import ViewModel
from client.text.lengths import short_length
from client.text.phrases import phrase
from client.ui import theme
from client.ui.camera import Camera
from client.ui.frame import Ui
from protocol.ids import NodeId
from protocol.scene.nodes import Point


def draw_refused(ui: Ui, camera: Camera, model: ViewModel, note: Note) -> None:
    """Draw what a refusal is about, around its place."""
    at = model.top.place_of(note.at)
    ui.on("marks")
    if note.by:
        draw_blocker(ui, camera, model, note.by)
    if at is None or note.start is None:
        return
    end = camera.to_window(*at)
    start = camera.to_window(*note.start)
    ui.painter.stroke([start, end], 4, theme.CASING)
    ui.painter.dashes(start, end, 2, theme.MARK_BAD)
    if note.better is not None and note.better != at:
        _draw_better(ui, camera, note.better, at, model.top.table.unit, is_free=not note.by)


def draw_blocker(ui: Ui, camera: Camera, model: ViewModel, thing: NodeId) -> None:
    """Outline the group, the figure or the piece of terrain that is in the way."""
    top = model.top
    if thing in top.features:
        feature = top.features[thing]
        ui.painter.cased(camera.all_to_window(feature.outline), 5, theme.MARK_BAD, closed=not feature.line)
    elif top.pieces_of(thing):
        ui.painter.cased(camera.outline(top.group_outline(thing, AROUND + 10)), 5, theme.MARK_BAD, closed=True)
    elif thing in top.pieces:
        piece = top.pieces[thing]
        ui.painter.cased_ring(*camera.to_window(*piece.at), piece.radius * camera.scale + 5, 4, theme.MARK_BAD)


def _draw_better(ui: Ui, camera: Camera, better: Point, at: Point, unit: str, *, is_free: bool) -> None:
    """Ring the place near by that would do; where nothing is in the way, say how much too far the other is."""
    x, y = camera.to_window(*better)
    ui.painter.cased_ring(x, y, 9, 3, theme.MARK_GOOD)
    if is_free:
        words = phrase("refused.over", length=short_length(math.dist(better, at), unit))
        draw_plate(ui, words, x, y - ui.px(20), theme.MARK_BAD, bold=True)
