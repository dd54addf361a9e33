"""Words typed for one field: they are sent nowhere else, and do nothing else."""

from __future__ import annotations

import string
from collections.abc import Callable

import pytest
from arcade import key as keys
from msgspec.structs import replace

from client.app.key_dispatch import TYPING_PAUSE
from client.views.lobby.setup_screen import SetupScreen
from client.views.table.table_screen import TableScreen
from protocol.wire.from_client import AnswerOffer, Chat, FromClient, Intent, Offer
from protocol.wire.from_server import OfferView
from tests.support.clients.sessions import Table
from tests.support.examples import scenes
from tests.support.systems.hand import Hand

MINE, ADA = 1, 0
SAY = "Say something (Ctrl+T)"


def typed(hand: Hand, words: str) -> None:
    """Press the keys of letters and spaces, with the text that they write."""
    for letter in words:
        hand.press(ord(letter.lower()), keys.MOD_SHIFT if letter.isupper() else 0)
        hand.type(letter)


def told(table: Table) -> list[FromClient]:
    table.settle()
    return [message for message in table.said if isinstance(message, Chat | Offer | AnswerOffer | Intent)]


def view_of(table: Table) -> TableScreen:
    view = table.app.front
    assert isinstance(view, TableScreen)
    return view


def at_board(table: Table) -> None:
    table.settle()


def at_offers(table: Table) -> None:
    table.say(OfferView("o1", ADA, MINE, "truce", "until dusk", "open", 1_700_000_000))
    view_of(table).diplomacy.words.set("half an offer")
    view_of(table).diplomacy.toggle()


@pytest.mark.parametrize("place", [at_board, at_offers])
def test_no_letter_alone_speaks_to_anybody(table: Table, hand: Hand, place: Callable[[Table], None]) -> None:
    place(table)
    for letter in string.ascii_letters:
        typed(hand, letter)
        assert table.app.ui.focus is None, letter
        view_of(table).rulebook.close()
    assert not [message for message in told(table) if not isinstance(message, Intent)]
    assert view_of(table).diplomacy.whisper == -1
    assert not view_of(table).say.text


def pages(table: Table) -> dict[str, Callable[[], object]]:
    view = view_of(table)
    return {
        "menu": view.pages.toggle_menu,
        "name": view.registration.open,
        "concede": lambda: setattr(view.controls, "is_conceding", True),
        "fairness": lambda: setattr(view.fairness, "is_open", True),
        "away": lambda: setattr(table.session, "away", "session/moved"),
    }


@pytest.mark.parametrize("page", ["menu", "name", "concede", "fairness", "away"])
def test_a_page_over_the_table_keeps_its_keys_from_it(table: Table, hand: Hand, page: str) -> None:
    pages(table)[page]()
    table.app.refresh()
    before = table.app.labels()
    typed(hand, "take the seven lamps")
    for symbol in (keys.ENTER, keys.SPACE, keys.TAB, keys.KEY_1, keys.KEY_4, keys.HOME):
        hand.press(symbol)
    hand.press(keys.Z, keys.MOD_CTRL)
    hand.press(keys.T, keys.MOD_CTRL)
    assert not told(table)
    assert table.app.ui.focus is not view_of(table).say
    assert table.app.labels() == before
    view = view_of(table)
    assert view.board.tool is None
    assert view.controller.driver is not None
    assert view.controller.driver.stage == "choosing"


def test_what_is_still_typed_when_the_match_begins_acts_on_nothing(table: Table, hand: Hand) -> None:
    table.say(replace(scenes.table_view(MINE), state="open"))
    assert isinstance(table.app.front, SetupScreen)
    hand.click_on("Say something")
    typed(hand, "shall we")
    table.say(scenes.table_view(MINE))
    view = view_of(table)
    typed(hand, " meet the leaders")
    hand.press(keys.ENTER)
    assert not told(table)
    assert view.board.tool is None
    assert not view.rulebook.is_open
    table.app.step(TYPING_PAUSE / 2)
    hand.press(keys.E)
    table.app.step(TYPING_PAUSE / 2)
    hand.press(keys.E)
    assert not told(table)
    table.app.step(TYPING_PAUSE)
    hand.press(keys.E)
    assert table.intent().choice == "end"


def test_a_field_that_goes_takes_the_focus_with_it_and_a_click_ends_the_typing_pause(table: Table, hand: Hand) -> None:
    hand.click_on("Chat")
    hand.click_on(SAY)
    typed(hand, "wait")
    table.session.away = "session/moved"
    table.app.refresh()
    typed(hand, " for me")
    assert table.app.ui.focus is None
    assert view_of(table).say.text == "wait"
    table.session.away = ""
    table.app.refresh()
    typed(hand, "e")
    assert not told(table)
    hand.click((5, 5))
    hand.press(keys.E)
    assert table.intent().choice == "end"


def test_keys_that_write_nothing_act_at_once(table: Table, hand: Hand) -> None:
    hand.click_on("Chat")
    hand.click_on(SAY)
    view_of(table).registration.open()
    table.app.refresh()
    hand.press(keys.X)
    view_of(table).registration.close()
    table.app.refresh()
    hand.press(keys.F10)
    assert "Give up my seat" in table.app.labels()


def test_words_to_one_who_goes_are_not_said_to_all(table: Table, hand: Hand) -> None:
    hand.press(keys.T, keys.MOD_CTRL | keys.MOD_SHIFT)
    hand.press(keys.T, keys.MOD_CTRL)
    typed(hand, "betray them")
    seats = tuple(replace(seat, who="") if seat.seat == ADA else seat for seat in scenes.table_view(MINE).seats)
    table.say(replace(scenes.table_view(MINE), seats=seats))
    hand.press(keys.ENTER)
    assert not told(table)
    assert view_of(table).say.text == "betray them"
    assert "to Nobody" in table.app.labels()
    hand.press(keys.ESCAPE)
    hand.click_on("to Nobody")
    assert "to All" in table.app.labels()
    hand.click_on("Chat")
    hand.click_on(SAY)
    hand.press(keys.ENTER)
    said = table.last(Chat)
    assert isinstance(said, Chat)
    assert (said.text, said.to) == ("betray them", None)
