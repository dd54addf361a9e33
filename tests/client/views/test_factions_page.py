"""Pages of factions in the window: from the set-up, the list builder and the rulebook, by mouse and by keyboard."""

from __future__ import annotations

from pathlib import Path

import pytest
from arcade import key as keys
from msgspec.structs import replace

from client.views.lobby.setup_screen import SetupScreen
from client.views.table.table_screen import TableScreen
from engine.rulesets.action_cards.system import CATALOGUE
from protocol.text import Text
from protocol.wire.choices import SystemChoice
from protocol.wire.faction_pages import GetFaction
from protocol.wire.from_client import BuildList, ChooseFaction
from protocol.wire.from_server import Catalogue, ListShown, Systems, TableView
from protocol.wire.list_form import ListForm
from tests.support.clients.sessions import Table, at_table, show_setup
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.examples import scenes
from tests.support.examples.faction_sheets import LONG, game, long_sheet, shown
from tests.support.systems.hand import Hand

BUTTON = "Factions"
CLOSE = "Close"


def view(table: Table) -> TableView:
    found = table.session.conversation.table
    assert found is not None
    return found


def words(table: Table) -> str:
    table.app.build()
    return " | ".join(key.text for layer in table.app.ui.layers.values() for key, _, _ in layer.letters.lines)


def learn(table: Table, *, points: int = 0) -> None:
    """Let the server bring the card game and its words."""
    table.session.factions.begin(is_known=True)
    table.say(Catalogue("action_cards", "en", "d" * 16, {**scenes.ENTRIES, **CATALOGUE}))
    table.say(game(view(table).system, view(table).scenario, points=points))


@pytest.fixture
def table(app: ReadableApp, tmp_path: Path) -> Table:
    """Window of the owner of a table that has not begun, whose seat plays the Salt Column."""
    found = at_table(app, tmp_path)
    show_setup(found)
    own = tuple(replace(seat, faction=LONG) if seat.seat == 1 else seat for seat in view(found).seats)
    found.say(replace(view(found), seats=own))
    learn(found)
    return found


def screen(table: Table) -> SetupScreen:
    assert isinstance(table.app.front, SetupScreen)
    return table.app.front


def test_the_page_of_the_seats_own_faction_opens_by_a_click_and_tells_all_of_it(table: Table, hand: Hand) -> None:
    hand.click_on(BUTTON)
    assert table.last(GetFaction) == GetFaction("action_cards", LONG)
    assert "Asking the server" in words(table)
    table.say(shown("action_cards"))
    told = words(table)
    assert "Asking the server" not in told
    for said in ("Salt Column", "How they play: on wheels.", "Strong", "Weak", "Dig in", "Teamster"):
        assert said in told
    # the emblem and the first tokens, in the colour of the seat
    assert len(table.app.ui.layers["popup"].pictures.stamps) > 4
    hand.click_on(CLOSE)
    assert "How they play" not in words(table)
    assert not screen(table).rulebook.is_open


def test_keys_open_it_turn_to_others_scroll_and_shut_it(table: Table, hand: Hand) -> None:
    hand.press(keys.F)
    assert screen(table).rulebook.factions.is_open
    table.say(shown("action_cards"))
    hand.press(keys.LEFT)
    assert table.last(GetFaction) == GetFaction("action_cards", "lamplighters")
    hand.press(keys.RIGHT)
    assert "Who they are" not in words(table)
    for _ in range(30):
        hand.press(keys.DOWN)
    assert "Who they are" in words(table)
    assert "How they play" not in words(table)
    hand.press(keys.ESCAPE)
    assert not screen(table).rulebook.is_open


def test_a_faction_is_chosen_from_its_page_unless_another_seat_has_it(table: Table, hand: Hand) -> None:
    hand.press(keys.F)
    hand.click_on("About Kite Post")
    hand.click_on("Play Kite Post")
    assert table.last(ChooseFaction) == ChooseFaction(faction="kites")
    taken = tuple(replace(seat, faction="kites") if seat.seat == 2 else seat for seat in view(table).seats)
    table.say(replace(view(table), seats=taken))
    table.app.build()
    spot = next(spot for spot in table.app.ui.front_spots if spot.label == "Play Kite Post")
    assert (spot.act, spot.tip) == (None, "Another seat plays this faction")


def test_what_a_rule_does_is_told_at_its_name_and_a_click_opens_the_rulebook(table: Table, hand: Hand) -> None:
    hand.press(keys.F)
    table.say(shown("action_cards"))
    table.app.build()
    spot = next(spot for spot in table.app.ui.front_spots if spot.label == "Special rule Dig in")
    assert "in cover, wherever it is" in spot.tip
    hand.click_on("Special rule Dig in")
    assert not screen(table).rulebook.factions.is_open
    place = screen(table).rulebook.book.of_rule("AC-SPEC-01")
    assert place is not None
    assert f"paragraph {place.section}.{place.paragraph}" in table.app.labels()
    hand.press(keys.F)
    assert screen(table).rulebook.factions.is_open


def test_the_list_builder_leads_to_the_page_of_its_army(table: Table, hand: Hand) -> None:
    learn(table, points=100)
    hand.click_on("Army list")
    table.settle()
    assert table.last(BuildList) is not None
    table.say(ListShown(-1, ListForm("code", Text("List"), Text("0 of 100"), (), faction="kites")))
    hand.click_on(BUTTON)
    assert table.last(GetFaction) == GetFaction("action_cards", "kites")
    # whose list it is decides the faction
    table.app.build()
    assert [spot.label for spot in table.app.ui.front_spots if spot.label.startswith("Play ")] == []
    hand.click_on(CLOSE)
    assert screen(table).lists.is_open


def test_in_a_match_the_rulebook_leads_there_and_back(app: ReadableApp, tmp_path: Path, hand: Hand) -> None:
    table = at_table(app, tmp_path)
    learn(table)
    hand.press(keys.H)
    hand.click_on(BUTTON)
    front = table.app.front
    assert isinstance(front, TableScreen)
    assert front.rulebook.factions.is_open
    assert table.last(GetFaction) == GetFaction("action_cards", "unit")
    table.say(shown("action_cards", "unit", sheet=None, code="bound/lists-person", text=Text("Wait a little.")))
    assert "Wait a little." in words(table)
    hand.press(keys.H)
    assert not front.rulebook.factions.is_open
    assert front.rulebook.is_open


def test_where_there_is_no_room_for_a_list_one_button_leads_to_the_choice(table: Table, hand: Hand) -> None:
    table.app.scale_text(160)
    assert "About Kite Post" not in table.app.labels()
    assert "Kite Post" not in words(table)
    assert "Faction: " in words(table)
    hand.click_on(BUTTON)
    hand.click_on("About Kite Post")
    hand.click_on("Play Kite Post")
    assert table.last(ChooseFaction) == ChooseFaction(faction="kites")
    table.app.scale_text(100)


def test_factions_that_have_no_room_come_with_the_wheel(table: Table) -> None:
    table.app.scale_text(130)
    assert "U.N.I.T." in table.app.labels()
    assert "Salt Column" not in table.app.labels()
    table.app.build()
    place = table.app.find("U.N.I.T.")
    for _ in range(8):
        table.app.on_mouse_scroll(int(place[0]), int(place[1]), 0, -1)
        table.app.build()
    assert "Salt Column" in table.app.labels()
    assert "U.N.I.T." not in table.app.labels()
    table.app.scale_text(100)


def test_a_server_of_before_is_not_asked_and_shows_no_button(table: Table) -> None:
    table.session.factions.begin(is_known=False)
    assert BUTTON not in table.app.labels()
    table.app.on_key_press(keys.F, 0)
    assert not screen(table).rulebook.is_open


def test_a_game_without_factions_has_no_pages(table: Table) -> None:
    scenario = game("action_cards", "mill").systems[0].scenarios[0]
    bare = SystemChoice("action_cards", Text("Game"), (replace(scenario, factions=()),), ())
    table.say(Systems((bare,)))
    screen(table).open_factions()
    assert not screen(table).rulebook.is_open


def test_a_page_that_was_drawn_is_the_same_page_after_a_new_link(table: Table, hand: Hand) -> None:
    hand.press(keys.F)
    table.say(shown("action_cards"))
    table.session.factions.begin(is_known=True)
    assert "How they play: on wheels." in words(table)
    assert table.last(GetFaction) == GetFaction("action_cards", LONG, "a1")
    table.say(shown("action_cards", sheet=None))
    assert table.session.factions.of("action_cards", LONG) == long_sheet()
