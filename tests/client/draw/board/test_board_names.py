"""Names and figures on the board: a name lies under nothing, a figure without an owner looks like no seat's."""

from __future__ import annotations

from client.draw.board.figures import figure_image
from client.draw.board.groups import Marks, group_label
from client.model.tabletop import Tabletop
from client.model.view_model import ViewModel
from client.text.texts import Texts
from client.ui.layout import Rect
from client.ui.tooltips import tooltip_for
from client.views.table.table_screen import TableScreen
from protocol.ids import NodeId
from protocol.scene.nodes import TABLE_NODE, AnyNode, Feature, Group, Piece, Table as TableNode
from protocol.text import text
from tests.support.clients.sessions import Table

GROUP_0_1 = NodeId("group/0.1")


def names_with(table: Table, covered: Rect) -> tuple[list[Rect], list[Rect]]:
    """Return the names that lie under `covered`: with nothing there, and with something there."""
    view, ui = table.app.front, table.app.ui
    assert isinstance(view, TableScreen)
    found: list[list[Rect]] = []
    for over in ((), (covered,)):
        ui.begin((1280, 800))
        names = view.board.build(ui, view.layout.board, view.model, Marks(), covered=over)
        ui.end()
        found.append([box for box in names.values() if box.overlaps(covered)])
    table.app.refresh()
    return found[0], found[1]


def test_no_name_stands_under_what_lies_over_the_board(table: Table) -> None:
    view = table.app.front
    assert isinstance(view, TableScreen)
    board = view.layout.board
    free, over = names_with(table, Rect(board.x, board.y + board.h / 2, board.w / 2, board.h / 2))
    assert free
    assert not over


def test_what_is_nobodys_is_no_seats_figure() -> None:
    assert len({figure_image(colour, "", 32).tobytes() for colour in (-1, 0, 1)}) == 3
    assert figure_image(-1, "", 32).getpixel((16, 16)) != figure_image(-1, "", 32).getpixel((0, 0))


def test_what_is_under_the_mouse_is_told_in_words() -> None:
    nodes: dict[NodeId, AnyNode] = {
        TABLE_NODE: TableNode((7200, 4800)),
        NodeId("piece/1"): Piece((1000, 1000), 50, 0, GROUP_0_1),
        GROUP_0_1: Group(0, text("g"), (NodeId("piece/1"),)),
        NodeId("group/0.2"): Group(0, text("g"), (), status=("reserve",)),
        NodeId("feature/wood"): Feature(
            ((0, 0), (100, 0), (100, 100)), "trees", text("wood"), cover="building", blocks=True
        ),
    }
    words = Texts()
    words.learn({"g": "The First", "wood": "a wood", "cover.building": "in hard cover", "status.reserve": "to come"})
    model = ViewModel(Tabletop(nodes), words)
    assert tooltip_for(model, None, GROUP_0_1) == "The First\none figure"
    assert tooltip_for(model, None, NodeId("group/0.2")) == "The First\nto come"
    assert tooltip_for(model, None, NodeId("feature/wood")) == "a wood\nin hard cover\nblocks sight"


def test_states_are_told_in_the_catalogues_words_and_shorter_where_there_is_little_room() -> None:
    words = Texts()
    words.learn({"g": "The First", "status.locked": "locked in close combat", "short.locked": "locked"})
    words.learn({"status.marked": "mark\x1bed", "status.reserve": "to come"})
    group = Group(0, text("g"), (), status=("locked", "marked", "reserve", "pinned"))
    assert group_label(words, group) == "The First · locked · mark ed · pinned"
    assert words.state("locked") == "locked in close combat"
    assert words.state("dug_in") == words.short_state("dug_in") == "dug in"
