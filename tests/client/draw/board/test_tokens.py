"""Pictures of figures: seat, silhouette and states are to be seen in them, and at small scale the seat's shape."""

from __future__ import annotations

from itertools import product

import pytest

from client.draw.board.figures import MOST, Figures
from client.draw.board.patterns import pattern
from client.draw.board.tokens import GLYPH_FROM, LEAST, Badge, Token, margin, token_image
from client.model.table.tabletop import Tabletop
from client.ui import theme
from client.ui.camera import Camera
from client.ui.layout import Rect
from client.ui.table_layout import table_layout
from protocol.ids import NodeId
from protocol.scene.nodes import AnyNode, Piece
from protocol.wire.scene_model import SceneModel
from tests.support.clients.sessions import Table
from tests.support.examples.recorded_table import as_heard

SEATS = range(len(theme.SEAT_COLOURS))
BADGES = (Badge("leader"), Badge("trouble"), Badge("wounds", 2), Badge("wounds", 3), Badge("aboard", 2))


def test_each_seat_has_a_pattern_of_its_own() -> None:
    assert len({pattern(seat, (96, 96)).tobytes() for seat in SEATS}) == len(SEATS)


@pytest.mark.parametrize("size", [LEAST, GLYPH_FROM, 48])
def test_seats_differ_at_every_size(size: int) -> None:
    shades = [token_image(Token(seat, "tank", size)).convert("L").tobytes() for seat in SEATS]
    assert len(set(shades)) == len(SEATS)


def test_a_silhouette_is_shown_from_a_size_on_and_below_it_the_shape() -> None:
    for size, kinds in ((GLYPH_FROM, 2), (GLYPH_FROM - 1, 1)):
        assert len({token_image(Token(0, glyph, size)).tobytes() for glyph in ("tank", "medic")}) == kinds


@pytest.mark.parametrize("size", [LEAST, 24, 64])
def test_each_state_has_its_badge_and_a_number_is_told_where_there_is_room(size: int) -> None:
    plain, *badged = (token_image(Token(0, "tank", size, badges)) for badges in ((), *((badge,) for badge in BADGES)))
    assert all(image.size == plain.size for image in badged)
    assert len({image.tobytes() for image in (plain, *badged)}) == (1 + len(BADGES) if size > LEAST else len(BADGES))


def test_the_picture_has_room_for_a_shadow_around_the_base() -> None:
    image = token_image(Token(2, "", 40))
    assert image.size == (40 + 2 * margin(40),) * 2
    assert image.getpixel((0, 0)) == (0, 0, 0, 0)


def test_figures_lie_on_whole_pixels_in_pictures_of_their_size(table: Table) -> None:
    table.app.switch_to()
    camera, figures = Camera(), Figures()
    camera.look_at(Rect(0, 0, 731, 487), (7200, 4800))
    nodes: dict[NodeId, AnyNode] = {NodeId("piece/1"): Piece((1001, 997), 50, 0, NodeId("g"), glyph="tank")}
    nodes[NodeId("piece/2")] = Piece((3000, 997), 100, 1, NodeId("g"), facing=40, box=(400, 200))
    for zoom, at in product((1.0, 1.37, 8.0), ((1001, 997), (1500, 1333))):
        camera.zoom, nodes[NodeId("piece/1")] = zoom, Piece(at, 50, 0, NodeId("g"), glyph="tank")
        figures.place(Tabletop(nodes), camera)
        (sprite,) = figures.by_id[NodeId("piece/1")]
        left = sprite.center_x - sprite.width / 2
        assert left == pytest.approx(round(left))
        assert sprite.scale == (1, 1)
        assert sprite.texture.width < MOST
        assert len(figures.by_id[NodeId("piece/2")]) == 2, "the silhouette of a vehicle stands upright"
    assert len(figures.sprites) == 3
    figures.place(Tabletop({}), camera)
    assert len(figures.sprites) == 0


@pytest.mark.parametrize("system", ["action_cards", "one_page", "apocalypse_earth"])
def test_where_the_whole_table_is_seen_every_base_is_drawn_at_twelve_pixels(system: str, table: Table) -> None:
    table.app.switch_to()
    scene, camera, figures = SceneModel(), Camera(), Figures()
    for frame in as_heard(system, 60, -1):
        scene.take(frame)
    top = Tabletop(scene.nodes)
    camera.look_at(table_layout(1280, 800, cards=top.row is not None).board, top.table.size)
    figures.place(top, camera)
    least = LEAST + 2 * margin(LEAST)
    assert len(figures.by_id) > 20
    assert [id for id, sprites in figures.by_id.items() if min(sprites[0].width, sprites[0].height) < least] == []
    small = [piece for piece in top.pieces.values() if piece.box is None and 2 * piece.radius * camera.scale < LEAST]
    assert all(token_image(Token(top.colour_of(piece.owner), piece.glyph, LEAST)).width == least for piece in small)
