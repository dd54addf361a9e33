"""Gliding figures, and what is drawn around them."""

from __future__ import annotations

import pytest

from client.draw.board.figures import GLIDE, Figures
from client.draw.board.groups import AROUND
from client.draw.board.tokens import margin
from client.model.table.tabletop import Tabletop
from client.ui.camera import Camera
from client.ui.layout import Rect
from client.views.table.table_screen import TableScreen
from protocol.ids import NodeId
from protocol.scene.nodes import Piece, Point
from tests.support.clients.sessions import Table

PIECE_1 = NodeId("piece/1")

THERE, HERE = (1000, 1000), (1800, 1600)


def standing(at: Point) -> Tabletop:
    return Tabletop({PIECE_1: Piece(at, 50, 0, NodeId("group/0.1"))})


@pytest.fixture
def figures(table: Table) -> Figures:
    """Figures of which one has moved in the scene and is still drawn at its old place."""
    table.app.switch_to()
    found = Figures()
    found.place(standing(THERE), camera())
    assert found.place(standing(HERE), camera(), 0.0)
    return found


def camera() -> Camera:
    found = Camera()
    found.look_at(Rect(0, 0, 720, 480), (7200, 4800))
    return found


def test_a_figure_takes_its_time_and_no_more(figures: Figures) -> None:
    assert figures.positions[PIECE_1] == THERE
    assert figures.place(standing(HERE), camera(), GLIDE / 4)
    assert figures.positions[PIECE_1] == pytest.approx((1200, 1150))
    assert figures.place(standing(HERE), camera(), GLIDE / 4)
    assert figures.positions[PIECE_1] == pytest.approx((1400, 1300))
    assert not figures.place(standing(HERE), camera(), GLIDE)
    assert figures.positions[PIECE_1] == HERE


def test_a_figure_sent_elsewhere_on_its_way_glides_on_from_there(figures: Figures) -> None:
    figures.place(standing(HERE), camera(), GLIDE / 2)
    assert figures.place(standing(THERE), camera(), GLIDE / 2)
    assert figures.positions[PIECE_1] == pytest.approx((1200, 1150))
    assert not figures.place(standing(THERE), camera(), GLIDE)


def test_a_table_with_its_pieces_elsewhere_leaves_the_first_as_it_is() -> None:
    top = standing(THERE)
    other = top.with_pieces_at({PIECE_1: (1200.4, 1150.0), NodeId("piece/2"): (0.0, 0.0)})
    assert other.pieces[PIECE_1].at == (1200, 1150)
    assert other.pieces.keys() == {"piece/1"}
    assert top.pieces[PIECE_1].at == THERE


def test_what_is_around_a_figure_goes_with_it(table: Table) -> None:
    view = table.app.front
    assert isinstance(view, TableScreen)
    board, top = view.board, view.model.top
    name = next(name for name in top.groups if top.pieces_of(name))
    for piece, node in top.pieces_of(name):
        board.figures.positions[piece] = (node.at[0] - 2000.0, float(node.at[1]))
    table.app.refresh()
    for seconds, moving in ((0.0, True), (GLIDE / 2, True), (GLIDE, False)):
        table.app.step(seconds)
        table.app.build()
        assert board.moving == moving
        there = top.with_pieces_at(board.figures.positions)
        outline = board.camera.outline(there.group_outline(name, AROUND))
        assert is_drawn(table, tuple(outline))


def is_drawn(table: Table, outline: tuple[tuple[float, float], ...]) -> bool:
    """Return True if exactly this is filled on the ground."""
    table.app.ui.on("ground")
    return any(corners == outline for _, corners, _, _ in dict(table.app.ui.painter.shapes))


def test_a_base_is_drawn_12_pixels_wide_where_the_zoom_that_fits_the_table_leaves_less(table: Table) -> None:
    table.app.switch_to()
    found, small = Figures(), Camera()
    small.look_at(Rect(0, 0, 180, 120), (7200, 4800))
    found.place(standing(THERE), small)
    (sprite,) = found.by_id[PIECE_1]
    assert 2 * 50 * small.scale < 12
    assert sprite.width - 2 * margin(12) == 12
