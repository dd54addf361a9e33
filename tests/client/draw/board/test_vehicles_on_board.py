"""Rectangular bases on the board: clicks, outlines, pictures, and the preview of a turn."""

from __future__ import annotations

from client.draw.board.tokens import HullToken, Token, hull_image, hull_texture, mark_image
from client.input.board_drafts import FacingDraft
from client.input.drafts import draft_for
from client.model.table.shapes import box_corners
from client.model.table.tabletop import Tabletop, outline_of
from protocol.ids import NodeId
from protocol.scene.fields import Facing
from protocol.scene.nodes import TABLE_NODE, Group, Piece, Table
from protocol.text import text

GROUP_0_1 = NodeId("group/0.1")
GROUP_0_2 = NodeId("group/0.2")

LORRY = Piece((1000, 1000), 110, 0, GROUP_0_1, facing=90, box=(450, 220))
HAND = Piece((1000, 1180), 50, 1, NodeId("group/1.1"))


def board() -> Tabletop:
    return Tabletop(
        {
            TABLE_NODE: Table((7200, 4800)),
            NodeId("piece/lorry"): LORRY,
            NodeId("piece/hand"): HAND,
            GROUP_0_1: Group(0, text("g"), (NodeId("piece/lorry"),)),
            NodeId("group/1.1"): Group(1, text("g"), (NodeId("piece/hand"),)),
            GROUP_0_2: Group(0, text("g"), (), status=("aboard",)),
        }
    )


def test_a_box_lies_along_its_facing() -> None:
    assert box_corners((0, 0), 0, (400, 200)) == [(-200, -100), (200, -100), (200, 100), (-200, 100)]
    assert outline_of(LORRY) == [(1110, 775), (1110, 1225), (890, 1225), (890, 775)]
    assert outline_of(HAND) == [(1000, 1180)]


def test_a_click_means_a_rectangle_where_it_lies_and_a_figure_before_it() -> None:
    top = board()
    assert top.things_at((1000, 800)) == ("piece/lorry", "group/0.1")
    assert top.things_at((1000, 1180)) == ("piece/hand", "group/1.1")
    assert top.things_at((1150, 1000)) == ()


def test_the_outline_of_a_group_goes_round_its_base() -> None:
    xs = [x for x, _ in board().group_outline(GROUP_0_1, 20)]
    ys = [y for _, y in board().group_outline(GROUP_0_1, 20)]
    assert (min(xs), max(xs)) == (870, 1130)
    assert (min(ys), max(ys)) == (755, 1245)


def test_a_group_aboard_is_nowhere() -> None:
    top = board()
    assert top.group_outline(GROUP_0_2, 20) == ()
    assert top.centre_of(GROUP_0_2) is None


def test_what_is_in_the_air_looks_otherwise() -> None:
    assert hull_image(HullToken(0, 48, 24)).tobytes() != hull_image(HullToken(0, 48, 24, is_airborne=True)).tobytes()
    assert hull_texture(HullToken(0, 48, 24)).width > 48


def test_what_it_is_stands_upright_on_a_vehicle_and_its_seats_shape_where_there_is_no_room() -> None:
    tank, lorry = (mark_image(Token(0, glyph, 40)) for glyph in ("tank", "lorry"))
    assert tank.tobytes() != lorry.tobytes()
    assert mark_image(Token(0, "tank", 12)).tobytes() == mark_image(Token(0, "lorry", 12)).tobytes()


def test_a_facing_turns_to_where_it_is_clicked() -> None:
    draft = draft_for(Facing("facing", text("f"), at=(1000, 1000), angles=tuple(range(0, 360, 5)), box=(450, 220)))
    assert isinstance(draft, FacingDraft)
    draft.aim((1000, 2000))
    assert draft.wire() == 90
    draft.step(1)
    assert draft.wire() == 95
