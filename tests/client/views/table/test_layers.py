"""Layers cover the letters below them, too: tips those of pages, a page those of another."""

from __future__ import annotations

from arcade import key as keys

from client.ui.layout import Rect
from client.views.popups import Confirmation
from client.views.table.table_screen import TableScreen
from tests.support.clients.sessions import Table
from tests.support.systems.hand import Hand


def letters_on(table: Table, layer: str) -> str:
    table.app.refresh()
    table.app.build()
    return " ".join(key[0] for key, _, _ in table.app.ui.layers[layer].letters.lines)


def test_a_tip_lies_above_all_pages_and_a_page_hides_those_of_the_board(table: Table, hand: Hand) -> None:
    hand.point_at(table.app.find("piece/13"))
    assert "Iron Shells 1" in letters_on(table, "tips")
    hand.press(keys.F12)
    assert letters_on(table, "popup")
    assert letters_on(table, "tips") == ""
    hand.press(keys.ESCAPE)
    assert letters_on(table, "tips")
    table.app.ask(Confirmation("End it?", "It ends.", "End it", lambda: None))
    assert "It ends." in letters_on(table, "popup")
    assert letters_on(table, "tips") == ""
    table.app.close_confirmation()
    hand.press(keys.F10)
    hand.point_at(table.app.find("Give up my seat"))
    assert letters_on(table, "tips")


def test_a_page_over_a_page_has_a_layer_of_its_own(table: Table) -> None:
    view, ui = table.app.front, table.app.ui
    assert isinstance(view, TableScreen)
    ui.begin((1280, 800))
    ui.lines("below", ui.popup(400, 300))
    ui.lines("above", ui.popup(300, 200))
    ui.on("panels")
    ui.tooltip("tip")
    ui.lines("panel", Rect(0, 0, 100, 100))
    ui.end()
    found = {name: [key[0] for key, _, _ in layer.letters.lines] for name, layer in ui.layers.items()}
    assert (found["popup"], found["above"], found["tips"], found["panels"]) == (
        ["below"],
        ["above"],
        ["tip"],
        ["panel"],
    )
