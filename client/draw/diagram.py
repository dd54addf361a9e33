"""Drawing of a small explanatory picture in a panel: terrain, groups, figures, arrows, or a row of cards."""

from __future__ import annotations

import math

from msgspec.structs import replace

from client.draw.emblem import draw_emblem
from client.draw.panels.cards import draw_row
from client.draw.plate import draw_plate
from client.model.table.shapes import box_corners
from client.model.table.tabletop import Tabletop
from client.model.table.view_model import ViewModel
from client.text.texts import Texts, clean
from client.ui import theme
from client.ui.frame import Ui
from client.ui.layout import Rect
from client.ui.theme import Colour
from protocol.scene.diagrams import FARTHEST, Arrow, Diagram
from protocol.scene.nodes import Feature, Piece, Point
from protocol.text import Text

ARROWS: dict[str, Colour] = {"way": theme.RULER, "clear": theme.SIGHT_CLEAR, "blocked": theme.SIGHT_BLOCKED}
MOST_CORNERS = 64


def shape_of(diagram: Diagram) -> float:
    """Return the picture's height as a share of its width."""
    top = Tabletop(diagram.nodes)
    if top.row is not None:
        return 0.16
    return min(max(top.table.size[1] / max(top.table.size[0], 1), 0.1), 1.0)


def draw_diagram(ui: Ui, rect: Rect, diagram: Diagram, texts: Texts) -> None:
    """Draw a picture as large as fits, at the left of `rect`, its words as a catalogue has them."""
    top = Tabletop(diagram.nodes)
    if top.row is not None:
        draw_row(ui, rect, ViewModel(top, texts))
        return
    width, height = (min(max(side, 1), FARTHEST) for side in top.table.size)
    scale = min(rect.w / width, rect.h / height)
    ground = Rect(rect.x, rect.top - height * scale, width * scale, height * scale)

    def spot(place: tuple[float, float]) -> tuple[float, float]:
        x, y = (min(max(part, 0), most) for part, most in zip(place, (width, height), strict=True))
        return ground.x + x * scale, ground.y + y * scale

    ui.painter.rect(ground, theme.GROUNDS.get(top.table.ground, theme.GROUND_ELSE))
    for feature in top.features.values():
        _feature(ui, feature, [spot(place) for place in feature.outline[:MOST_CORNERS]], scale)
    for zone in top.zones.values():
        if zone.at is not None:
            ui.painter.ring(*spot(zone.at), min(zone.radius * scale, ground.h), 2, theme.MARK_BAD)
        elif len(zone.points) > 2:
            _zone(ui, [spot(place) for place in zone.points[:MOST_CORNERS]], top.colour_of(zone.owner))
    for id, group in top.groups.items():
        outline = [spot(place) for place in top.group_outline(id, 22)]
        colour = theme.seat_colour(top.colour_of(group.owner))
        if outline:
            ui.painter.fill(outline, theme.faded(colour, 70))
            ui.painter.stroke(outline, 1.5, colour, closed=True)
    for piece in top.pieces.values():
        _piece(ui, piece, top.colour_of(piece.owner), spot(piece.at), [spot(p) for p in _corners(piece)], scale)
    for arrow in diagram.arrows:
        said = replace(arrow, word=texts.say(Text(arrow.word)))
        draw_arrow(ui, said, spot(arrow.start), spot(arrow.end))
    for id, group in top.groups.items():
        outline = [spot(place) for place in top.group_outline(id, 22)]
        if outline:
            x, y = sum(x for x, _ in outline) / len(outline), min(y for _, y in outline)
            words = texts.say(group.name)
            draw_plate(ui, words, x, max(y - ui.px(9), ground.y + ui.px(8)), bold=True)


def _zone(ui: Ui, outline: list[tuple[float, float]], colour: int) -> None:
    tone = theme.seat_colour(colour) if colour >= 0 else theme.ZONE_ELSE
    ui.painter.region(outline, theme.faded(tone, 50))
    ui.painter.stroke(outline, 1.5, theme.faded(tone, 190), closed=True)


def _feature(ui: Ui, feature: Feature, outline: list[tuple[float, float]], scale: float) -> None:
    fill, edge = theme.TERRAIN.get(feature.kind, theme.TERRAIN_ELSE)
    if feature.line:
        ui.painter.stroke(outline, max(40 * scale, 4), edge)
        ui.painter.stroke(outline, max(24 * scale, 2), fill)
    elif len(outline) > 2:
        ui.painter.region(outline, fill)
        ui.painter.stroke(outline, 2, edge, closed=True)


def _corners(piece: Piece) -> list[Point]:
    return list(box_corners(piece.at, piece.facing, piece.box)) if piece.box is not None else []


def _piece(
    ui: Ui, piece: Piece, colour: int, at: tuple[float, float], corners: list[tuple[float, float]], scale: float
) -> None:
    radius = min(max(piece.radius * scale, 3), 60)
    if corners:
        ui.painter.fill(corners, theme.INK)
        turn = math.radians(piece.facing)
        front = (at[0] + 1.2 * radius * math.cos(turn), at[1] + 1.2 * radius * math.sin(turn))
        ui.painter.stroke([at, front], 3, theme.seat_colour(colour))
        radius *= 0.7
    draw_emblem(ui.painter, colour, *at, radius)
    if "leader" in piece.status:
        ui.painter.disc(at[0] + radius * 0.8, at[1] + radius * 0.8, max(radius * 0.35, 3), theme.LEADS)


def draw_arrow(ui: Ui, arrow: Arrow, a: tuple[float, float], b: tuple[float, float]) -> None:
    """Draw an arrow from one place of the window to another."""
    colour = ARROWS[arrow.kind]
    ui.painter.stroke([a, b], 3, colour)
    turn = math.atan2(b[1] - a[1], b[0] - a[0])
    head = [(b[0] - 13 * math.cos(turn + side), b[1] - 13 * math.sin(turn + side)) for side in (0.45, -0.45)]
    ui.painter.fill([b, *head], colour)
    if arrow.word:
        draw_plate(ui, clean(arrow.word[:20]), (a[0] + b[0]) / 2, (a[1] + b[1]) / 2 + 12, bold=True)
