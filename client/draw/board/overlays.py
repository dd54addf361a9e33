"""Drawing of what lies over the board: grid, zones, reach, ghosts of a placement, the ruler, the line of sight."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from client.draw.board.draft_places import draw_places
from client.draw.board.groups import draw_name, name_size
from client.draw.board.name_candidates import Name
from client.draw.board.name_places import NamePlaces, PlacedName
from client.draw.plate import draw_plate
from client.input.board_drafts import CellDraft, FacingDraft, PathDraft, PlacementDraft, PointDraft, TemplateDraft
from client.input.drafts import Draft
from client.input.way_draft import WayDraft
from client.model.table.sight import first_blocker
from client.model.table.tabletop import Tabletop
from client.text.lengths import short_length
from client.text.phrases import phrase
from client.text.texts import Texts
from client.ui import theme
from client.ui.camera import Camera
from client.ui.frame import Ui
from client.ui.layout import Rect
from client.ui.painter import circle
from client.ui.theme import Colour
from protocol.ids import NodeId
from protocol.scene.nodes import Point, Zone
from protocol.text import Text

MOST_CELLS = 10_000


def draw_grid(ui: Ui, top: Tabletop, camera: Camera) -> None:
    """Draw the cells of a table that has them, in thin lines."""
    grid = top.table.grid
    if grid is None:
        return
    ui.on("ground")
    for cell in islice(grid.cells(), MOST_CELLS):
        ui.painter.stroke(camera.all_to_window(grid.corners(cell)), 1, theme.GRID, closed=True)


def draw_facings(ui: Ui, top: Tabletop, camera: Camera) -> None:
    """Draw the pieces' facings on a table of cells (elsewhere facing means nothing in play)."""
    if top.table.grid is None:
        return
    ui.on("marks")
    for piece in top.pieces.values():
        turn = math.radians(piece.facing)
        tips = [
            camera.to_window(piece.at[0] + share * math.cos(turn), piece.at[1] + share * math.sin(turn))
            for share in (piece.radius, piece.radius * 1.6)
        ]
        ui.painter.stroke(tips, 4, theme.seat_colour(top.colour_of(piece.owner)))


def draw_zones(ui: Ui, top: Tabletop, camera: Camera) -> None:
    """Draw marked areas: a light fill and a dashed edge."""
    ui.on("ground")
    for zone in top.zones.values():
        outline = _zone_outline(zone, camera)
        if len(outline) > 2:
            colour = _zone_colour(zone, top)
            ui.painter.region(outline, theme.faded(colour, 26))
            _dashed(ui, outline, theme.faded(colour, 170))


def place_zone_names(
    ui: Ui,
    places: NamePlaces,
    top: Tabletop,
    camera: Camera,
    texts: Texts,
    covered: Sequence[Rect],
    *,
    is_hurried: bool = False,
) -> dict[NodeId, PlacedName]:
    """Return where the names of marked areas stand, and of terrain that goals are about, where there is room for them:
    nothing else may stand there (`covered`)."""
    names = []
    for id, name, outline in _named_areas(top, camera):
        xs, ys = [x for x, _ in outline], [y for _, y in outline]
        around = Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))
        words = texts.say(name)
        names.append(Name(id, ((words, *name_size(ui, words)),), (around,)))
    return places.place(names, camera.board, (), covered, is_hurried=is_hurried)


def draw_zone_names(ui: Ui, top: Tabletop, names: Mapping[NodeId, PlacedName]) -> None:
    """Draw the names of areas, each at its place."""
    ui.on("marks")
    for id, placed in names.items():
        draw_name(ui, placed, _zone_colour(top.zones[id], top) if id in top.zones else theme.MARK_WARN)


def _named_areas(top: Tabletop, camera: Camera) -> Iterator[tuple[NodeId, Text, list[tuple[float, float]]]]:
    """Yield what has its name on the board beside groups, with its outline in the window."""
    for id, zone in top.zones.items():
        outline = _zone_outline(zone, camera)
        if zone.name is not None and len(outline) > 2:
            yield id, zone.name, outline
    for id, feature in top.goal_features.items():
        yield id, feature.name, camera.all_to_window(feature.outline)


def _zone_outline(zone: Zone, camera: Camera) -> list[tuple[float, float]]:
    if zone.at is not None:
        x, y = camera.to_window(*zone.at)
        return circle(x, y, max(zone.radius * camera.scale, 4))
    return camera.all_to_window(zone.points)


def _zone_colour(zone: Zone, top: Tabletop) -> Colour:
    if zone.owner >= 0:
        return theme.seat_colour(top.colour_of(zone.owner))
    return theme.ZONES.get(zone.style, theme.ZONE_ELSE)


def _dashed(ui: Ui, outline: list[tuple[float, float]], colour: Colour) -> None:
    """Draw a closed outline in dashes, however short its edges are."""
    run = 0.0
    for i in range(len(outline)):
        a, b = outline[i - 1], outline[i]
        length = math.dist(a, b)
        if length > 24:
            ui.painter.dashes(a, b, 1.5, colour)
        elif run % 14 < 8:
            ui.painter.stroke([a, b], 1.5, colour)
        run += length


def draw_draft(ui: Ui, camera: Camera, top: Tabletop, draft: Draft, mouse: Point | None, colour: Colour) -> None:
    """Draw the allowed places of the field being filled, and what is placed. `mouse`: the place that a click would
    mean."""
    if isinstance(draft, PointDraft):
        _point(ui, camera, top, draft, mouse, colour)
    elif isinstance(draft, PlacementDraft):
        _placement(ui, camera, top, draft, colour)
    elif isinstance(draft, CellDraft | PathDraft | WayDraft | FacingDraft | TemplateDraft):
        draw_places(ui, camera, draft, mouse)


def _point(ui: Ui, camera: Camera, top: Tabletop, draft: PointDraft, mouse: Point | None, colour: Colour) -> None:
    field = draft.field
    ui.on("ground")
    for region in field.regions:
        outline = camera.all_to_window(region)
        if len(outline) > 2:
            ui.painter.region(outline, theme.REACH)
            ui.painter.cased(outline, 1.5, theme.REACH_EDGE, closed=True)
    ui.on("marks")
    if field.start is not None and field.reach and not field.regions:
        x, y = camera.to_window(*field.start)
        ring = circle(x, y, field.reach * camera.scale)
        ui.painter.fill(ring, theme.REACH)
        _dashed(ui, ring, theme.faded(theme.CAN_PICK, 150))
    place = draft.point if draft.touched or mouse is None else mouse
    if place is None:
        return
    x, y = camera.to_window(*place)
    radius = max(field.radius * camera.scale, 5)
    if field.start is not None:
        start = camera.to_window(*field.start)
        ui.painter.cased([start, (x, y)], 2, theme.RULER)
        _length(ui, start, (x, y), short_length(math.dist(field.start, place), top.table.unit))
    ui.painter.disc(x, y, radius, theme.faded(colour, 150))
    ui.painter.cased_ring(x, y, radius, 2, theme.SELECT)


def _placement(ui: Ui, camera: Camera, top: Tabletop, draft: PlacementDraft, colour: Colour) -> None:
    field = draft.field
    ui.on("marks")
    if field.around is not None and field.within:
        x, y = camera.to_window(*field.around)
        reach = field.within + 2 * field.radius
        _dashed(ui, circle(x, y, reach * camera.scale), theme.faded(theme.CAN_PICK, 170))
        ui.painter.cased_ring(x, y, max(field.radius * camera.scale, 5), 2, theme.MARK_WARN)
    for name, place in draft.places.items():
        piece = top.pieces.get(name)
        radius = max((piece.radius if piece is not None else field.radius) * camera.scale, 5)
        x, y = camera.to_window(*place)
        if piece is not None:
            ui.painter.stroke([camera.to_window(*piece.at), (x, y)], 1, theme.faded(colour, 120))
        ui.painter.disc(x, y, radius, theme.faded(colour, 170))
        held = name == draft.held
        ui.painter.cased_ring(x, y, radius, 3 if held else 2, theme.SELECT if held else theme.GHOST)


@dataclass
class Tool:
    """The ruler or the line of sight, from one place to another. `kind`: ruler, sight."""

    kind: str
    start: Point | None = None
    end: Point | None = None


def draw_tool(ui: Ui, camera: Camera, top: Tabletop, texts: Texts, tool: Tool) -> None:
    """Draw the tool's line with its length, and for sight the first thing in the way, as a hint."""
    if tool.start is None or tool.end is None:
        return
    ui.on("marks")
    a, b = camera.to_window(*tool.start), camera.to_window(*tool.end)
    length = short_length(math.dist(tool.start, tool.end), top.table.unit)
    if tool.kind == "ruler":
        ui.painter.cased([a, b], 2, theme.RULER)
        words, colour = length, theme.RULER
    else:
        blocker = first_blocker(top, texts, tool.start, tool.end)
        colour = theme.SIGHT_BLOCKED if blocker else theme.SIGHT_CLEAR
        ui.painter.cased([a, b], 2.5, colour)
        words = phrase("sight.blocked", blocker=blocker) if blocker else phrase("sight.clear", length=length)
    for x, y in (a, b):
        ui.painter.cased_ring(x, y, 5, 2, colour)
    _length(ui, a, b, words)


def _length(ui: Ui, a: tuple[float, float], b: tuple[float, float], words: str) -> None:
    """Draw a small sign at the middle of a line."""
    draw_plate(ui, words, (a[0] + b[0]) / 2, (a[1] + b[1]) / 2 + 12)
