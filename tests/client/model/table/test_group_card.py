"""The card of the group pointed at is its own."""

from __future__ import annotations

from client.model.table.group_card import group_card
from client.model.table.tabletop import Tabletop
from client.model.table.view_model import ViewModel
from client.text.texts import Texts
from protocol.ids import NodeId
from protocol.scene.nodes import AnyNode, Group, Piece, Sheet
from protocol.text import text

FIFTH, FIGURE, CARD = NodeId("group/0.5"), NodeId("piece/7"), NodeId("sheet/0.5")


def test_the_card_tells_of_losses() -> None:
    nodes: dict[NodeId, AnyNode] = {
        FIFTH: Group(0, text("fifth"), (FIGURE,), CARD),
        FIGURE: Piece((100, 100), 50, 0, FIFTH),
        CARD: Sheet(text("levy"), figures=10),
    }
    card = group_card(ViewModel(Tabletop(nodes), Texts()), FIFTH)
    assert card is not None
    assert card.now == "1 of 10 figures"


def test_the_card_has_the_groups_own_name_figures_and_states() -> None:
    nodes: dict[NodeId, AnyNode] = {
        FIFTH: Group(0, text("fifth"), (FIGURE,), CARD, ("pinned",)),
        FIGURE: Piece((100, 100), 50, 0, FIFTH),
        CARD: Sheet(text("levy"), (text("numbers", move=6),), 0),
    }
    words = Texts()
    words.learn({"fifth": "Fen Levy 5", "levy": "Fen Levy", "numbers": "Move {move}", "status.pinned": "pinned down"})
    model = ViewModel(Tabletop(nodes), words)
    card = group_card(model, FIGURE)
    assert card is not None
    assert (card.title, card.now) == ("Fen Levy 5", "one figure, pinned down")
    assert [words.say(line) for line in card.lines] == ["Move 6"]
    assert group_card(model, FIFTH) == card
    assert group_card(model, NodeId("feature/wood")) is None
