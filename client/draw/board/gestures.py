"""Drawing of gestures on the board: ground within reach, targets with their chances, ghosts, refusals in place."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from msgspec.structs import replace

from client.draw.board.chance_labels import ChanceLabel, chance_place, draw_labels
from client.draw.board.groups import AROUND
from client.draw.board.places import box_of, outline_of_thing
from client.draw.board.refused import draw_refused
from client.draw.board.templates import draw_hanging
from client.input.gestures.clicks import Note
from client.input.gestures.controller import GestureController
from client.input.gestures.templates import hanging
from client.model.table.tabletop import Tabletop
from client.model.table.view_model import ViewModel
from client.text.forecast_words import short_words
from client.text.phrases import phrase
from client.ui import theme
from client.ui.camera import Camera
from client.ui.frame import Ui
from client.ui.layout import Rect
from client.ui.painter import circle
from client.ui.veil_painter import CLEAR
from protocol.ids import NodeId
from protocol.scene.advice import Target
from protocol.scene.fields import Band
from protocol.scene.nodes import Point, Prompt
from protocol.text import Text


def draw_gestures(
    ui: Ui, camera: Camera, model: ViewModel, gestures: GestureController, taken: Sequence[Rect]
) -> list[Rect]:
    """Draw what the group in focus could do, and what is proposed; return the places of what is ringed for it, and of
    the labels there. `taken`: the places of names."""
    ringed: list[Rect] = []
    if gestures.prompt is not None:
        ringed = _draw_advice(ui, camera, model, gestures, gestures.prompt, taken)
    if gestures.note is not None:
        draw_refused(ui, camera, model, gestures.note)
        _draw_note(ui, camera, model, gestures.note)
    return ringed


def _draw_advice(
    ui: Ui, camera: Camera, model: ViewModel, gestures: GestureController, prompt: Prompt, taken: Sequence[Rect]
) -> list[Rect]:
    bands = [band for _, found in gestures.known(prompt) if found.why is None for band in found.reach]
    _draw_reach(ui, camera, model, bands)
    shown = gestures.proposals.shown
    moved = {target.id: target for target in shown.targets} if shown is not None else {}
    targets = {id: target for id, (_, target) in gestures.targets(prompt).items()} | moved
    if gestures.held and gestures.aim is not None and shown is not None and shown.forecast is not None:
        # what is proposed, as it has been changed since
        met = targets.get(gestures.aim.thing, Target(gestures.aim.thing))
        targets[met.id] = replace(met, chance=shown.forecast.chance, loss=shown.forecast.mean)
    labels = _target_labels(ui, camera, model, list(targets.values()), taken)
    ghosts = gestures.ghosts.shown() if gestures.held else shown.ghosts if shown is not None else {}
    _draw_ghosts(ui, camera, model.top, ghosts, settled=gestures.held)
    ui.on("marks")
    for x, y in camera.all_to_window(gestures.corners):
        ui.painter.cased_disc(x, y, 5, theme.SELECT)
    template = hanging(gestures)
    if template is not None:
        own = next((piece.owner for _, piece in model.top.pieces_of(gestures.subject)), -1)
        draw_hanging(ui, camera, model.top, template, own)
    if gestures.picking is not None:
        for thing in gestures.picking.draft.picked():
            _ring(ui, camera, model.top, thing)
    for thing, times in Counter(gestures.members()).items():
        _ring(ui, camera, model.top, thing)
        box = box_of(camera, model.top, thing)
        if box is not None and times > 1:
            words = phrase("gesture.times", times=times)
            place = chance_place(ui, words, box, [*taken, *(label.place for label in labels)], camera.board)
            outline = outline_of_thing(camera, model.top, thing, AROUND)
            labels.append(ChanceLabel(words, place, outline, theme.SELECT))
    draw_labels(ui, labels)
    rings = [target.id for target in targets.values() if target.why is None]
    boxes = (box_of(camera, model.top, thing) for thing in (gestures.subject, *rings, *gestures.members()))
    return [*(box for box in boxes if box is not None), *(label.place for label in labels)]


def _draw_reach(ui: Ui, camera: Camera, model: ViewModel, bands: Sequence[Band]) -> None:
    """Draw the ground within reach, the cheapest the brightest: a dearer band lies below it."""
    grid = model.top.table.grid
    ui.on("ground")
    for band in sorted(bands, key=lambda band: -band.cost):
        cells = [grid.corners(cell) for cell in band.cells] if grid is not None else []
        for region in (*band.regions, *cells):
            outline = camera.all_to_window(region)
            if len(outline) > 2:
                ui.painter.region(outline, theme.REACH)
                ui.painter.cased(outline, 1.5, theme.REACH_EDGE, closed=True)
            elif len(outline) == 2:
                ui.painter.cased(outline, 3, theme.REACH_EDGE)


def draw_unseen(ui: Ui, camera: Camera, top: Tabletop, seen: Sequence[Sequence[Point]]) -> None:
    """Draw a veil over the ground of the table that none of these outlines holds; none where there are no outlines."""
    if not seen:
        return
    ui.on("veil")
    width, height = top.table.size
    corners = camera.all_to_window(((0, 0), (width, 0), (width, height), (0, height)))
    ui.painter.region(corners, theme.UNSEEN)
    for outline in seen:
        ui.painter.region(camera.all_to_window(outline), CLEAR)


def _target_labels(
    ui: Ui, camera: Camera, model: ViewModel, targets: Sequence[Target], taken: Sequence[Rect]
) -> list[ChanceLabel]:
    """Mark the targets; return the labels of the chances of those that can be met, off the places that are `taken`."""
    labels: list[ChanceLabel] = []
    boxes = {target.id: box for target in targets if (box := box_of(camera, model.top, target.id)) is not None}
    for target in targets:
        box = boxes.get(target.id)
        if box is None:
            continue
        if target.why is not None:
            _draw_sign(ui, box)
            continue
        outline = outline_of_thing(camera, model.top, target.id, AROUND + 14)
        ui.on("marks")
        ui.painter.cased(outline, 3, theme.TARGET, closed=True)
        words = short_words(target)
        if words:
            others = [other for id, other in boxes.items() if id != target.id]
            places = [*taken, *(label.place for label in labels)]
            place = chance_place(ui, words, box, places, camera.board, others)
            labels.append(ChanceLabel(words, place, outline, theme.TARGET))
    return labels


def _draw_sign(ui: Ui, box: Rect) -> None:
    """Draw a small sign on what cannot be met; its tip says why."""
    ui.on("marks")
    x, y, r = box.right - 2, box.top - 2, 3
    ui.painter.disc(x, y, 6, theme.faded(theme.PLATE, 200))
    for slant in (1, -1):
        ui.painter.cased([(x - r, y - r * slant), (x + r, y + r * slant)], 1.5, theme.CANNOT_PICK)


def _ring(ui: Ui, camera: Camera, top: Tabletop, thing: NodeId) -> None:
    """Ring what is picked."""
    ui.on("marks")
    if thing in top.pieces:
        piece = top.pieces[thing]
        ui.painter.cased_ring(*camera.to_window(*piece.at), max(piece.radius * camera.scale, 5) + 3, 3, theme.SELECT)
    elif top.pieces_of(thing):
        ui.painter.cased(camera.outline(top.group_outline(thing, AROUND)), 3, theme.SELECT, closed=True)


def _draw_ghosts(ui: Ui, camera: Camera, top: Tabletop, ghosts: dict[NodeId, Point], *, settled: bool) -> None:
    """Draw where pieces would stand, each with a thin line from where it stands."""
    ui.on("marks")
    for id, place in ghosts.items():
        piece = top.pieces.get(id)
        x, y = camera.to_window(*place)
        radius = max((piece.radius if piece is not None else 50) * camera.scale, 5)
        owner = piece.owner if piece is not None else -1
        colour = theme.seat_colour(top.colour_of(owner))
        if piece is not None:
            ui.painter.stroke([camera.to_window(*piece.at), (x, y)], 1, theme.faded(theme.GHOST, 110))
        ui.painter.disc(x, y, radius, theme.faded(colour, 165))
        ui.painter.cased_ring(x, y, radius, 2.5 if settled else 1.5, theme.SELECT if settled else theme.GHOST)


def draw_unjudged(ui: Ui, camera: Camera, start: Point, end: tuple[float, float], radius: int) -> None:
    """Draw the hollow ghost that follows the pointer while no answer has come."""
    ui.on("marks")
    x, y = camera.to_window(*start)
    r = max(radius * camera.scale, 5)
    length = math.dist((x, y), end)
    if length > r:
        ui.painter.dashes((x, y), end, 1.5, theme.GHOST)
    ui.painter.cased(circle(*end, r), 1.5, theme.GHOST, closed=True)


def _draw_note(ui: Ui, camera: Camera, model: ViewModel, note: Note) -> None:
    """Draw why a click did nothing, at its place."""
    at = model.top.place_of(note.at)
    if at is None:
        return
    words = model.texts.say(note.words) if isinstance(note.words, Text) else note.words
    ui.on("panels")
    width = min(ui.px(300), ui.width(words, size=theme.SMALL) + 4)
    height = ui.lines_height(words, width, size=theme.SMALL)
    pad = ui.px(8)
    x, y = camera.to_window(*at)
    ui.painter.cased_ring(x, y, 6, 2, theme.MARK_BAD)
    board = camera.board
    left = min(max(x - width / 2 - pad, board.x + 4), board.right - width - 2 * pad - 4)
    low = y + 12 if y + 12 + height + 2 * pad < board.top else y - 12 - height - 2 * pad
    box = Rect(left, low, width + 2 * pad, height + 2 * pad)
    ui.painter.box(box, theme.faded(theme.VEIL, 245), 1, theme.BAD, 5)
    ui.lines(words, Rect(box.x + pad, box.y, width + 2, height + pad), size=theme.SMALL)
