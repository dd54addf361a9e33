"""Drawing of groups on the board: outline in the faction's colour, name, and marks."""

from __future__ import annotations

from dataclasses import dataclass

from client.model.tabletop import Tabletop, outline_of
from client.text.texts import Texts
from client.ui import measure, theme
from client.ui.camera import Camera
from client.ui.frame import Ui
from client.ui.layout import Rect
from client.ui.theme import Colour
from protocol.ids import NodeId
from protocol.scene.nodes import NO_NODE, Group

AROUND = 22
"""Distance of a group's outline from its bases, in hundredths."""


@dataclass(frozen=True)
class Marks:
    """Node ids that stand out on the board: those that can be picked, are picked, cannot be, are under the mouse, or
    are what is being resolved."""

    selectable: frozenset[NodeId] = frozenset()
    picked: frozenset[NodeId] = frozenset()
    barred: frozenset[NodeId] = frozenset()
    hover: NodeId = NO_NODE
    about: frozenset[NodeId] = frozenset()

    def tone(self, name: NodeId) -> Colour | None:
        """Return the colour that marks a thing, None for one without a mark."""
        if name in self.picked:
            return theme.SELECT
        if name in self.selectable:
            return theme.CAN_PICK
        return theme.WARN if name in self.about else None

    def hover_tone(self, name: NodeId) -> Colour | None:
        """Return the colour of the mark under the mouse, None for any other thing."""
        if name != self.hover:
            return None
        return theme.CANNOT_PICK if name in self.barred else theme.SELECT


def draw_groups(ui: Ui, top: Tabletop, camera: Camera, marks: Marks) -> None:
    """Draw the groups' outlines, below the figures."""
    ui.on("ground")
    for name, group in top.groups.items():
        if not top.pieces_of(name):
            continue
        outline = camera.outline(top.group_outline(name, AROUND))
        colour = theme.seat_colour(top.colour_of(group.owner))
        ui.painter.fill(outline, theme.faded(colour, 54))
        ui.painter.stroke(outline, 1.5, theme.faded(colour, 200), closed=True)
        if (tone := marks.tone(name)) is not None:
            ui.painter.stroke(outline, 3 if tone == theme.SELECT else 2.5, tone, closed=True)
        if (tone := marks.hover_tone(name)) is not None:
            ui.painter.stroke(outline, 3, tone, closed=True)


def draw_piece_marks(ui: Ui, top: Tabletop, camera: Camera, marks: Marks) -> None:
    """Draw marks around single figures, above them, and the states of figures as a dot."""
    ui.on("marks")
    places, scale = camera.all_to_window([piece.at for piece in top.pieces.values()]), camera.scale
    for (name, piece), (x, y) in zip(top.pieces.items(), places, strict=True):
        tone, hover = marks.tone(name), marks.hover_tone(name)
        width = 3 if tone == theme.SELECT else 2
        if piece.box is not None:
            corners = camera.all_to_window(outline_of(piece))
            if tone is not None:
                ui.painter.stroke(corners, width, tone, closed=True)
            if hover is not None:
                ui.painter.stroke(corners, 3, hover, closed=True)
            continue
        radius = max(piece.radius * scale, 4.5)
        if tone is not None:
            ui.painter.ring(x, y, radius + width - 0.5, width, tone)
        if hover is not None:
            ui.painter.ring(x, y, radius + 4, 2, hover)
        if piece.status:
            tone = theme.LEADS if piece.status == ("leader",) else theme.BAD
            ui.painter.disc(x + radius * 0.8, y + radius * 0.8, max(radius * 0.3, 3), tone)


class Labels:
    """Names on the board that do not cover each other: each takes the first free place around its thing."""

    def __init__(self, ui: Ui, board: Rect) -> None:
        self.ui = ui
        self.board = board
        self.occupied: list[Rect] = []

    def put(self, text: str, around: Rect, colour: theme.Colour, *, must: bool = False) -> Rect | None:
        """Draw the name of a thing that covers `around`.

        Returns the name's place, or None if there is no room and the name is not a `must`.
        """
        ui = self.ui
        px = ui.px(theme.SMALL)
        w, h = measure.width(text, px) + ui.px(10), px + ui.px(6)
        cx, cy = around.centre
        places = (
            (cx - w / 2, around.y - h - 2),
            (cx - w / 2, around.top + 2),
            (around.right + 3, cy - h / 2),
            (around.x - w - 3, cy - h / 2),
            (cx - w / 2, around.y - 2 * h - 4),
            (cx - w / 2, around.top + h + 4),
        )
        for x, y in places:
            box = Rect(x, y, w, h)
            if self.board.contains(x, y) and self.board.contains(box.right, box.top) and not self._covered(box):
                break
        else:
            if not must:
                return None
            box = Rect(*places[0], w, h)
        self.occupied.append(box)
        ui.painter.rect(box, theme.faded(theme.VEIL, 205), 4)
        ui.painter.rect(Rect(box.x, box.y, 3, box.h), colour)
        ui.label(text, box.x + ui.px(6), box.centre[1], size=theme.SMALL)
        return box

    def _covered(self, box: Rect) -> bool:
        return any(box.overlaps(other) for other in self.occupied)


def group_label(texts: Texts, group: Group) -> str:
    """Return the group's name with its loud states in short; the tooltip has all states in words."""
    short = [texts.short_state(status) for status in group.status if status in theme.LOUD_STATES]
    return " · ".join((texts.say(group.name), *short))


def draw_group_labels(
    ui: Ui, labels: Labels, top: Tabletop, camera: Camera, texts: Texts, marks: Marks
) -> dict[NodeId, Rect]:
    """Draw the names of groups, those that can be picked first. Returns the place of each name."""
    ui.on("marks")
    placed: dict[NodeId, Rect] = {}
    around_of = {name: _around(top, camera, name) for name in top.groups if top.pieces_of(name)}
    labels.occupied += [around.inset(6) for around in around_of.values()]

    def weight(name: NodeId) -> tuple[bool, bool, bool]:
        return (name != marks.hover, name not in marks.picked, name not in marks.selectable)

    for name in sorted(around_of, key=weight):
        around = around_of[name]
        if not around.overlaps(labels.board):
            continue
        group = top.groups[name]
        colour = theme.seat_colour(top.colour_of(group.owner))
        box = labels.put(group_label(texts, group), around, colour, must=name == marks.hover)
        if box is not None:
            placed[name] = box
    return placed


def _around(top: Tabletop, camera: Camera, group: NodeId) -> Rect:
    """Return the rectangle in the window that a group covers."""
    points = camera.outline(top.group_outline(group, AROUND))
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))
