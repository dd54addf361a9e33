"""Names and figures on the board: a name lies under nothing, a figure without an owner looks like no seat's."""

from __future__ import annotations

from client.draw.board.groups import Marks, group_label
from client.draw.board.name_places import NamePlaces
from client.draw.board.overlays import place_zone_names
from client.draw.board.tokens import Token, token_image
from client.model.table.tabletop import Tabletop
from client.model.table.view_model import ViewModel
from client.text.texts import Texts
from client.ui.camera import Camera
from client.ui.layout import Rect
from client.ui.tooltips import tooltip_for
from client.views.table.table_screen import TableScreen
from protocol.ids import NodeId
from protocol.scene.nodes import TABLE_NODE, AnyNode, Feature, Group, Objective, Piece, Table as TableNode
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
    assert len({token_image(Token(colour, "", 32)).tobytes() for colour in (-1, 0, 1)}) == 3


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


def test_terrain_that_a_goal_is_about_has_its_name_on_the_board(table: Table) -> None:
    church, wood = NodeId("feature/church"), NodeId("feature/wood")
    square = ((1000, 1000), (2000, 1000), (2000, 2000), (1000, 2000))
    nodes: dict[NodeId, AnyNode] = {
        TABLE_NODE: TableNode((7200, 4800)),
        church: Feature(square, "building", text("church")),
        wood: Feature(tuple((x + 3000, y) for x, y in square), "trees", text("wood")),
        NodeId("objective/0/hold"): Objective(0, text("goal"), text("hold"), about=(church, NodeId("seat/1"))),
    }
    top, ui, camera, places = Tabletop(nodes), table.app.ui, Camera(), NamePlaces()
    assert list(top.goal_features) == [church]
    camera.look_at(Rect(0, 0, 900, 600), top.table.size)
    words = Texts()
    words.learn({"church": "The church", "wood": "a wood"})
    place_zone_names(ui, places, top, camera, words, ())
    (box,) = places.boxes
    left, right = camera.to_window(1000, 0)[0], camera.to_window(2000, 0)[0]
    assert left - 30 < box.centre[0] < right + 30


def test_who_has_acted_says_so_beside_the_name() -> None:
    words = Texts()
    words.learn({"g": "The First", "status.done": "activated", "short.done": "acted"})
    assert group_label(words, Group(0, text("g"), (), status=("done",))) == "The First · acted"
