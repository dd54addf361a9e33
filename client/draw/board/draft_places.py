"""Drawing of cells, points of a path, facings and templates while they are being chosen on the board."""

from __future__ import annotations

import math

from client.draw.board.templates import draw_template
from client.input.board_drafts import CellDraft, FacingDraft, PathDraft, TemplateDraft
from client.input.way_draft import WayDraft
from client.model.table.shapes import box_corners
from client.ui import theme
from client.ui.camera import Camera
from client.ui.frame import Ui
from client.ui.painter import circle
from protocol.scene.nodes import Point

LOOK = 90
LEAST_LOOK = 34
"""Least distance in pixels of the ring of facings from the middle of a rectangle."""
MANY = 24
"""Number of facings above which they are small dots."""


def draw_places(
    ui: Ui, camera: Camera, draft: CellDraft | PathDraft | WayDraft | FacingDraft | TemplateDraft, mouse: Point | None
) -> None:
    """Draw what can be chosen and what is chosen; until something is picked that is what lies under `mouse` (table
    points)."""
    ui.on("marks")
    match draft:
        case CellDraft():
            _cells(ui, camera, draft, mouse)
        case PathDraft():
            _path(ui, camera, draft, mouse)
        case WayDraft():
            _way(ui, camera, draft, mouse)
        case FacingDraft():
            _facing(ui, camera, draft, mouse)
        case TemplateDraft():
            _template(ui, camera, draft, mouse)


def _cells(ui: Ui, camera: Camera, draft: CellDraft, mouse: Point | None) -> None:
    grid = draft.field.grid
    if grid is None:
        return
    for cell in draft.field.options:
        ui.painter.fill(camera.all_to_window(grid.corners(cell)), theme.REACH)
    chosen = draft.cell if draft.touched or mouse is None else draft.meant(mouse)
    if chosen is not None:
        corners = camera.all_to_window(grid.corners(chosen))
        ui.painter.cased(corners, 3, theme.SELECT, closed=True)


def _path(ui: Ui, camera: Camera, draft: PathDraft, mouse: Point | None) -> None:
    spots = camera.all_to_window(draft.field.path)
    ui.painter.cased(spots, 2, theme.RULER)
    chosen = draft.number if draft.touched or mouse is None else draft.meant(mouse)
    for number, (x, y) in enumerate(spots):
        if number >= draft.field.least:
            ui.painter.cased_disc(x, y, 5, theme.SELECT if number == chosen else theme.CAN_PICK)


def _way(ui: Ui, camera: Camera, draft: WayDraft, mouse: Point | None) -> None:
    """Draw the ground within reach, the cheapest the brightest, and the way; the next corner as it would be."""
    field = draft.field
    for number, band in enumerate(field.bands):
        shade = theme.faded(theme.REACH, max(theme.REACH[3] - 30 * number, 20))
        cells = [field.grid.corners(cell) for cell in band.cells] if field.grid is not None else []
        for outline in (*band.regions, *cells):
            if len(outline) > 2:
                ui.painter.region(camera.all_to_window(outline), shade)
                ui.painter.cased(camera.all_to_window(outline), 1, theme.REACH_EDGE, closed=True)
    places = [*([field.start] if field.start is not None else []), *draft.corners]
    spots = camera.all_to_window([draft.at(place) for place in places])
    ui.painter.cased(spots, 3, theme.SELECT)
    for x, y in spots:
        ui.painter.cased_disc(x, y, 4, theme.SELECT)
    radius = max(field.radius * camera.scale, 6)
    if draft.corners:
        ui.painter.cased_ring(*spots[-1], radius, 2, theme.SELECT)
    if mouse is not None and (not draft.touched or len(draft.corners) < field.most):
        x, y = camera.to_window(*draft.at(draft.meant(mouse)))
        if draft.touched or not draft.corners:
            ui.painter.cased([*spots[-1:], (x, y)], 1.5, theme.RULER)
        ui.painter.cased_ring(x, y, radius, 1.5, theme.GHOST)


def _facing(ui: Ui, camera: Camera, draft: FacingDraft, mouse: Point | None) -> None:
    field = draft.field
    x, y = camera.to_window(*field.at)
    chosen = draft.angle if draft.touched or mouse is None else draft.meant(mouse)
    reach = LOOK * camera.scale
    if field.box is not None:
        reach = max(field.box[0] * 0.7 * camera.scale, LEAST_LOOK)
        ghost = camera.all_to_window(box_corners(field.at, chosen, field.box))
        ui.painter.fill(ghost, theme.REACH)
        ui.painter.cased(ghost, 2, theme.SELECT, closed=True)
    small = 4 if len(field.angles) <= MANY else 1.5
    for angle in field.angles:
        tip = _beyond(x, y, angle, reach)
        if angle == chosen:
            ui.painter.cased([(x, y), tip], 4, theme.SELECT)
            ui.painter.cased_disc(*tip, 4, theme.SELECT)
        else:
            ui.painter.cased_disc(*tip, small, theme.CAN_PICK)


def _template(ui: Ui, camera: Camera, draft: TemplateDraft, mouse: Point | None) -> None:
    field = draft.field
    if field.start is not None and field.reach:
        start = camera.to_window(*field.start)
        ui.painter.cased(circle(*start, field.reach * camera.scale), 1.5, theme.CAN_PICK, closed=True)
    for region in field.regions:
        ui.painter.cased(camera.all_to_window(region), 1.5, theme.REACH_EDGE, closed=True)
    place = draft.point if draft.touched or mouse is None else mouse
    if place is None:
        return
    draw_template(ui, camera, field, place)


def _beyond(x: float, y: float, angle: int, length: float) -> tuple[float, float]:
    turn = math.radians(angle)
    return (x + length * math.cos(turn), y + length * math.sin(turn))
