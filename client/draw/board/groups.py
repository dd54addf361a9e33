"""Drawing of groups on the board: outline in the faction's colour, name, and marks."""

from __future__ import annotations

import string
from collections.abc import Mapping, Sequence, Set as AbstractSet
from dataclasses import dataclass
from functools import partial

from client.draw.board.name_candidates import Name
from client.draw.board.name_places import NamePlaces, PlacedName
from client.draw.board.tokens import LEAST
from client.model.table.tabletop import Tabletop, outline_of
from client.model.words.short_names import short_name
from client.text.texts import Texts
from client.ui import theme
from client.ui.camera import Camera, View
from client.ui.frame import Ui
from client.ui.layout import Rect
from client.ui.theme import Colour
from protocol.ids import NodeId
from protocol.scene.nodes import NO_NODE, Group, Piece

LETTERS = string.ascii_letters
LONGEST_SHORT = 4
"""Letters of a name that is short as it is."""
AROUND = 22
"""Distance of a group's outline from its bases, in hundredths."""


@dataclass(frozen=True)
class Marks:
    """Node ids that stand out on the board: those that can be picked, are picked, cannot be, are under the mouse, are
    what is being resolved, or are figures that a question asks."""

    selectable: frozenset[NodeId] = frozenset()
    picked: frozenset[NodeId] = frozenset()
    barred: frozenset[NodeId] = frozenset()
    hover: NodeId = NO_NODE
    about: frozenset[NodeId] = frozenset()
    asked: frozenset[NodeId] = frozenset()

    @property
    def pointed_out(self) -> frozenset[NodeId]:
        """All things with a mark."""
        return self.selectable | self.picked | self.about | {self.hover}

    def tone(self, name: NodeId) -> Colour | None:
        """Return the colour that marks a thing, None for one without a mark."""
        if name in self.picked:
            return theme.SELECT
        if name in self.selectable:
            return theme.CAN_PICK
        return theme.MARK_WARN if name in self.about else None

    def hover_tone(self, name: NodeId) -> Colour | None:
        """Return the colour of the mark under the mouse, None for any other thing."""
        if name != self.hover:
            return None
        return theme.CANNOT_PICK if name in self.barred else theme.SELECT


def draw_groups(ui: Ui, top: Tabletop, camera: Camera, marks: Marks) -> None:
    """Draw the groups' outlines, below the figures."""
    ui.on("ground")
    given = top.pieces, top.groups, top.seats, camera.view, marks
    ui.part("groups", given, partial(_draw_each, ui, top, camera, marks))


def _draw_each(ui: Ui, top: Tabletop, camera: Camera, marks: Marks) -> None:
    view = camera.view
    for name, group in top.groups.items():
        pieces = top.pieces_of(name)
        if pieces:
            colour, tones = top.colour_of(group.owner), (marks.tone(name), marks.hover_tone(name))
            draw = partial(_draw_group, ui, top, camera, name, colour, *tones)
            ui.part(("group", name), (pieces, view, colour, tones), draw)


def _draw_group(
    ui: Ui, top: Tabletop, camera: Camera, name: NodeId, seat: int, tone: Colour | None, hover: Colour | None
) -> None:
    outline = camera.outline(top.group_outline(name, AROUND))
    colour = theme.seat_colour(seat)
    ui.painter.fill(outline, theme.faded(colour, 54))
    ui.painter.cased(outline, 1.5, colour, closed=True)
    if tone is not None:
        ui.painter.cased(outline, 3 if tone == theme.SELECT else 2.5, tone, closed=True)
    if hover is not None:
        ui.painter.cased(outline, 3, hover, closed=True)


def draw_piece_marks(ui: Ui, top: Tabletop, camera: Camera, marks: Marks) -> None:
    """Draw marks around single figures, above them."""
    ui.on("marks")
    pointed_out = marks.pointed_out
    marked = [(name, piece) for name, piece in top.pieces.items() if name in pointed_out]
    places, scale = camera.all_to_window([piece.at for _, piece in marked]), camera.scale
    for (name, piece), (x, y) in zip(marked, places, strict=True):
        tone, hover = marks.tone(name), marks.hover_tone(name)
        width = 3 if tone == theme.SELECT else 2
        if piece.box is not None:
            corners = camera.all_to_window(outline_of(piece))
            if tone is not None:
                ui.painter.cased(corners, width, tone, closed=True)
            if hover is not None:
                ui.painter.cased(corners, 3, hover, closed=True)
            continue
        radius = max(piece.radius * scale, LEAST / 2)
        if tone is not None:
            ui.painter.cased_ring(x, y, radius + width - 0.5, width, tone)
        if hover is not None:
            ui.painter.cased_ring(x, y, radius + 4, 2, hover)


def group_label(texts: Texts, group: Group) -> str:
    """Return the group's name with its loud states in short; the tooltip has all states in words."""
    short = [texts.short_state(status) for status in group.status if status in theme.LOUD_STATES]
    return " · ".join((texts.say(group.name), *short))


def place_group_names(
    ui: Ui,
    places: NamePlaces,
    top: Tabletop,
    camera: Camera,
    texts: Texts,
    covered: Sequence[Rect],
    *,
    is_moving: bool = False,
    whole: bool = False,
    is_hurried: bool = False,
) -> dict[NodeId, PlacedName]:
    """Return where the names of all groups in sight stand, in short, or `whole` where there is room. No name lies where
    something covers the board."""
    rects = base_rects(ui, top, camera)
    forms = ui.kept.each("names", top.groups, (texts, texts.learnt, whole), partial(_forms, ui, texts, whole=whole))
    names = []
    for id, group in top.groups.items():
        bases = tuple(rects[piece] for piece in group.pieces if piece in rects)
        if bases:
            names.append(Name(id, forms[id], bases))
    bases_in_sight = tuple(rects.values())
    return places.place(names, camera.board, bases_in_sight, covered, is_moving=is_moving, is_hurried=is_hurried)


def base_rects(ui: Ui, top: Tabletop, camera: Camera) -> dict[NodeId, Rect]:
    """Return the rectangle of each base in sight."""
    board = camera.board
    rects = ui.kept.each("bases", top.pieces, camera.view, partial(_base_rect, camera.view))
    return ui.kept.one(
        "bases_in_sight", (rects, board), lambda: {name: rect for name, rect in rects.items() if rect.overlaps(board)}
    )


def _base_rect(view: View, piece: Piece) -> Rect:
    if piece.box is None:
        (x, y), radius = view.place(*piece.at), max(piece.radius * view.scale, LEAST / 2)
        return Rect(x - radius, y - radius, 2 * radius, 2 * radius)
    corners = [view.place(*corner) for corner in outline_of(piece)]
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


def _forms(ui: Ui, texts: Texts, group: Group, *, whole: bool) -> tuple[tuple[str, float, float], ...]:
    """Return the forms of a group's name with their sizes: short with its loud states, short alone, its number; before
    them the `whole` name, where it is not told by the mouse."""
    label, name = group_label(texts, group), texts.say(group.name)
    short = name if len(name) <= LONGEST_SHORT else short_name(name)
    wanted = (label if whole else "", short + label.removeprefix(name), short, short.lstrip(LETTERS) or short)
    return tuple((words, *name_size(ui, words)) for words in dict.fromkeys(wanted) if words)


def name_size(ui: Ui, words: str) -> tuple[float, float]:
    """Return width and height in pixels of a name on the board."""
    return ui.width(words, size=theme.SMALL) + ui.px(10), ui.px(theme.SMALL) + ui.px(6)


def draw_name(ui: Ui, placed: PlacedName, colour: Colour, *, is_picked: bool = False) -> None:
    """Draw a name on the board at its place; that of what is picked stands out, dark on light."""
    box = placed.box
    back, ink = (theme.SELECT, theme.INK) if is_picked else (theme.faded(theme.PLATE, 205), theme.PLATE_TEXT)
    ui.painter.rect(box, back, 4)
    ui.painter.rect(Rect(box.x, box.y, 3, box.h), colour)
    ui.label(placed.words, box.x + ui.px(6), box.centre[1], size=theme.SMALL, colour=ink)


def draw_group_names(
    ui: Ui, top: Tabletop, names: Mapping[NodeId, PlacedName], picked: AbstractSet[NodeId] = frozenset()
) -> None:
    """Draw the names of groups, each at its place."""
    ui.on("marks")
    for id, placed in names.items():
        colour = theme.seat_colour(top.colour_of(top.groups[id].owner))
        draw_name(ui, placed, colour, is_picked=id in picked)
