"""Faces of playing cards, for those who have chosen them: a rank for each kind of card, a suit for each faction."""

from __future__ import annotations

from pathlib import Path

from arcade import key as keys

from client.draw.panels.playing_cards import SUITS, rank, suit
from client.model.table.tabletop import Tabletop
from client.storage.profile import load_profile
from client.ui import theme
from client.views.settings import settings_of
from client.views.table.table_screen import TableScreen
from protocol.ids import NodeId
from protocol.scene.nodes import Card, SeatNode
from protocol.text import text
from tests.support.clients.sessions import Table
from tests.support.systems.hand import Hand

PIPS = {str(number) for number in range(2, 11)}


def card(kind: str, owner: int = 0, id: str = "c1") -> Card:
    return Card(id, text("card"), owner, kind)


def test_pips_are_single_court_cards_double_aces_triple_and_jokers_nobodys() -> None:
    ids = [f"card/{number}" for number in range(40)]
    assert {rank(card("single", id=id)) for id in ids} == PIPS
    assert {rank(card("double", id=id)) for id in ids} == {*"JQK"}
    assert {rank(card("triple", id=id)) for id in ids} == {"A"}
    assert {rank(card("event", -1, id)) for id in ids} == {"*"}
    assert rank(card("single")) == rank(card("single"))


def test_each_of_four_factions_has_a_suit_and_a_fifth_none() -> None:
    top = Tabletop({NodeId(f"seat/{seat}"): SeatNode(text("faction"), seat) for seat in (0, 1, 3, 4, 5)})
    assert [suit(top, seat) for seat in (0, 1, 3, 4, 5)] == [*SUITS, ""]
    assert suit(top, -1) == ""


def test_they_are_chosen_by_mouse_or_keys_and_kept(table: Table, hand: Hand, tmp_path: Path) -> None:
    screen = table.app.front
    assert isinstance(screen, TableScreen)
    row = screen.model.top.row
    assert row is not None
    faces = {rank(each) for each in row.cards}
    table.app.build()
    assert not faces & words(table)
    hand.press(keys.COMMA, keys.MOD_CTRL)
    hand.click_on("Cards")
    hand.press(keys.ESCAPE)
    table.app.build()
    assert faces <= words(table)
    assert theme.SUIT_RED in {shape[3] for shape in dict(table.app.ui.layers["panels"].painter.shapes)}
    assert load_profile("test", tmp_path).faces == "playing"
    hand.press(keys.COMMA, keys.MOD_CTRL)
    listed = [each.id for each in settings_of(table.navigator) if each.change is not None]
    for digit in f"{listed.index('faces') + 1:02}":
        hand.press(keys.KEY_0 + int(digit))
    assert load_profile("test", tmp_path).faces == "named"


def words(table: Table) -> set[str]:
    """Return the large words of the panels."""
    lines = table.app.ui.layers["panels"].letters.lines
    return {key.text for key, _, _ in lines if key.size == theme.HEAD}
