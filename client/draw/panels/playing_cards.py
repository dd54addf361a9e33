"""Faces of playing cards: rank and suit beside what a card says. Pips are single, court cards double and aces triple
cards, jokers belong to nobody; each faction has a suit, as far as there are suits."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from typing import Final

from client.model.table.tabletop import Tabletop
from client.ui import theme
from client.ui.frame import Ui
from client.ui.painter import Painter
from client.ui.theme import Colour
from protocol.scene.nodes import Card

COURT: Final = "JQK"
JOKER: Final = "*"


def rank(card: Card) -> str:
    """Return the rank of a card: the same for the same card, whatever else lies there."""
    number = zlib.crc32(card.id.encode())
    if card.owner < 0:
        return JOKER
    if card.kind == "triple":
        return "A"
    return COURT[number % len(COURT)] if card.kind == "double" else str(2 + number % 9)


def suit(top: Tabletop, owner: int) -> str:
    """Return the suit of a seat, "" for nobody's cards and where there are more seats than suits."""
    seats = sorted(top.seats)
    at = seats.index(owner) if owner in seats else len(SUITS)
    return [*SUITS][at] if at < len(SUITS) else ""


def draw_face(ui: Ui, top: Tabletop, card: Card, x: float, y: float) -> None:
    """Draw rank and suit one above the other, the middle of both at a place of the window; on the dark paper of cards
    that have been played all in ink."""
    name, r = suit(top, card.owner), ui.px(8)
    is_red = name in ("hearts", "diamonds") and card.state in ("waiting", "current")
    colour = theme.SUIT_RED if is_red else theme.INK
    if name:
        ui.label(rank(card), x, y + ui.px(12), size=theme.HEAD, colour=colour, bold=True, anchor="center")
        SUITS[name](ui.painter, x, y - ui.px(10), r, colour)
    else:
        ui.label(rank(card), x, y, size=theme.HEAD, colour=colour, bold=True, anchor="center")


def _spades(painter: Painter, x: float, y: float, r: float, colour: Colour) -> None:
    _stem(painter, x, y, r, colour)
    painter.fill([(x - 0.95 * r, y), (x, y + r), (x + 0.95 * r, y)], colour)
    for side in (-1, 1):
        painter.disc(x + side * 0.47 * r, y - 0.16 * r, 0.5 * r, colour)


def _hearts(painter: Painter, x: float, y: float, r: float, colour: Colour) -> None:
    painter.fill([(x - 0.95 * r, y + 0.2 * r), (x, y - r), (x + 0.95 * r, y + 0.2 * r)], colour)
    for side in (-1, 1):
        painter.disc(x + side * 0.47 * r, y + 0.38 * r, 0.52 * r, colour)


def _clubs(painter: Painter, x: float, y: float, r: float, colour: Colour) -> None:
    _stem(painter, x, y, r, colour)
    for dx, dy in ((0, 0.5), (-0.5, -0.15), (0.5, -0.15)):
        painter.disc(x + dx * r, y + dy * r, 0.46 * r, colour)


def _diamonds(painter: Painter, x: float, y: float, r: float, colour: Colour) -> None:
    painter.fill([(x - 0.75 * r, y), (x, y + r), (x + 0.75 * r, y), (x, y - r)], colour)


def _stem(painter: Painter, x: float, y: float, r: float, colour: Colour) -> None:
    painter.fill([(x - 0.4 * r, y - r), (x, y + 0.2 * r), (x + 0.4 * r, y - r)], colour)


SUITS: Final[Mapping[str, Callable[[Painter, float, float, float, Colour], None]]] = {
    "spades": _spades,
    "hearts": _hearts,
    "clubs": _clubs,
    "diamonds": _diamonds,
}
"""Suits in the order of seats, with what draws each."""
