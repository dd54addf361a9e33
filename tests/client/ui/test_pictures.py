"""Pictures of a layer: drawn where they are put, above shapes and below texts, and taken over with their part."""

from __future__ import annotations

from client.draw.board.tokens import Token, token_texture
from client.ui import theme
from client.ui.layout import Rect
from tests.support.clients.windows.readable_app import ReadableApp

PLACE = (400, 300)
BASE = Token(2, "", 60)


def seen(app: ReadableApp) -> tuple[int, ...]:
    """Draw the layer of pages alone, and return the colour at the place."""
    app.clear(color=theme.BACK)
    app.ui.layers["popup"].draw()
    return tuple(app.ctx.screen.read(viewport=(*PLACE, 1, 1), components=3))


def test_a_picture_is_drawn_above_shapes_and_is_gone_with_the_next_frame(app: ReadableApp) -> None:
    ui = app.ui
    ui.begin(app.get_size())
    ui.on("popup")
    ui.painter.rect(Rect(300, 200, 200, 200), theme.GOOD)
    ui.picture(token_texture(BASE), *PLACE)
    assert ui.end()
    assert seen(app) == theme.seat_colour(2)[:3]
    ui.begin(app.get_size())
    ui.on("popup")
    ui.painter.rect(Rect(300, 200, 200, 200), theme.GOOD)
    assert ui.end()
    assert seen(app) == theme.GOOD[:3]


def test_a_part_that_is_the_same_brings_its_pictures_again(app: ReadableApp) -> None:
    ui = app.ui
    drawn: list[bool] = []
    changed: list[bool] = []

    def draw() -> None:
        drawn.append(True)
        ui.picture(token_texture(BASE), *PLACE)

    for _ in range(3):
        ui.begin(app.get_size())
        ui.on("popup")
        ui.part("base", 1, draw)
        changed.append(ui.end())
    assert len(drawn) == 1
    assert len(ui.layers["popup"].pictures.stamps) == 1
    assert changed[-1] is False
