"""Chat to one seat, and offers made, answered and withdrawn, by mouse and by keys."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest
from arcade import key as keys
from msgspec.structs import replace

from client.views.table.table_screen import TableScreen
from protocol.ids import TableId
from protocol.wire.from_client import AnswerOffer, Chat, Offer
from protocol.wire.from_server import ChatHistory, ChatLine, OfferView
from tests.support.clients.sessions import Table
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.examples import scenes
from tests.support.systems.hand import Hand

MINE = 1
OTHERS = [seat for seat in scenes.table_view(MINE).seats if seat.seat != MINE and seat.who]
HIM = OTHERS[0]


def offer(state: str = "open", by: int = HIM.seat, to: int = MINE, id: str = "o1") -> OfferView:
    return OfferView(id, by, to, "truce", "until the mill falls", state, 1_700_000_000)


def heard(table: Table) -> list[str]:
    return [f"{line.name}|{line.to}|{line.text}" for line in table.session.feed.chat]


def test_words_to_one_alone_by_key(table: Table, hand: Hand) -> None:
    hand.press(keys.T, keys.MOD_CTRL | keys.MOD_SHIFT)
    hand.press(keys.T, keys.MOD_CTRL)
    hand.type("Now?")
    hand.press(keys.ENTER)
    said = table.last(Chat)
    assert isinstance(said, Chat)
    assert (said.text, said.to) == ("Now?", HIM.seat)
    for _ in OTHERS:
        hand.press(keys.T, keys.MOD_CTRL | keys.MOD_SHIFT)
    hand.press(keys.T, keys.MOD_CTRL)
    hand.type("Hello all")
    hand.press(keys.ENTER)
    said = table.last(Chat)
    assert isinstance(said, Chat)
    assert said.to is None


def allied(table: Table) -> None:
    """Put the player and HIM on one side, all others on another."""
    view = scenes.table_view(MINE)
    table.session.people.is_kept = True
    table.say(replace(view, seats=tuple(replace(s, side=int(s.seat not in (MINE, HIM.seat))) for s in view.seats)))


def test_words_to_ones_side_by_key_and_by_mouse(table: Table, hand: Hand) -> None:
    allied(table)
    hand.press(keys.T, keys.MOD_CTRL | keys.MOD_SHIFT)
    hand.press(keys.T, keys.MOD_CTRL)
    hand.type("Hold on")
    hand.press(keys.ENTER)
    assert table.last(Chat) == Chat(text="Hold on", where="side")
    hand.press(keys.ESCAPE)
    hand.click_on("to my side")
    assert f"to {HIM.name}" in table.app.labels()
    table.say(ChatLine(HIM.who, HIM.name, "player", "I will", 1, where="side"))
    assert f"({HIM.name} to my side) I will" in table.app.labels()


def test_words_to_a_side_that_is_left_by_all_others_are_kept_back(table: Table, hand: Hand) -> None:
    allied(table)
    hand.press(keys.T, keys.MOD_CTRL | keys.MOD_SHIFT)
    hand.press(keys.T, keys.MOD_CTRL)
    hand.type("Hold on")
    table.say(scenes.table_view(MINE))
    hand.press(keys.ENTER)
    assert not [message for message in table.said if isinstance(message, Chat)]
    assert table.session.notice == "Whom you write to has gone: choose who hears you."


def test_a_history_of_all_rooms_takes_the_place_of_what_was_heard_and_offers_stay(table: Table, hand: Hand) -> None:
    table.session.people.is_kept = True
    table.say(
        ChatLine(HIM.who, HIM.name, "player", "At dusk", 1_700_000_001, MINE, to_name="Me"),
        offer(),
        ChatHistory(
            TableId("t1"),
            (
                ChatLine(HIM.who, HIM.name, "player", "Before", 1_600_000_000),
                ChatLine(HIM.who, HIM.name, "player", "At dusk", 1_700_000_001, MINE, to_name="Me"),
            ),
        ),
    )
    assert [line.text for line in table.session.feed.chat if not line.is_news] == ["Before", "At dusk"]
    assert [line.is_news for line in table.session.feed.chat] == [False, True, False]
    hand.click_on("Chat")
    assert f"({HIM.name} to Me) At dusk" in table.app.labels()


def test_an_offer_is_made_with_the_mouse(table: Table, hand: Hand) -> None:
    hand.click_on("Chat")
    hand.click_on("Talk")
    assert "Move a group" not in table.app.labels()
    hand.click_on(HIM.name)
    hand.click_on("We win together")
    assert "Offer" not in table.app.enabled()
    hand.click_on("In your words, such as: until the bridge falls")
    hand.type("You hold the mill, I the ford")
    hand.click_on("Shown to all")
    hand.click_on("Offer")
    made = table.last(Offer)
    assert isinstance(made, Offer)
    assert (made.to, made.kind, made.open) == (HIM.seat, "share", True)
    assert made.text == "You hold the mill, I the ford"
    hand.click_on("Back to the table")
    assert "Move a group" in table.app.labels()


def test_an_offer_is_made_by_keys(table: Table, hand: Hand) -> None:
    hand.press(keys.F12)
    hand.press(keys.KEY_2)
    hand.press(keys.T, keys.MOD_CTRL)
    hand.type("until dusk")
    hand.press(keys.ENTER)
    made = table.last(Offer)
    assert isinstance(made, Offer)
    assert (made.kind, made.text, made.open) == ("truce", "until dusk", False)
    hand.press(keys.ESCAPE)
    hand.press(keys.ESCAPE)
    assert "Move a group" in table.app.labels()


def test_an_offer_to_me_waits_over_the_board_and_is_accepted(table: Table, hand: Hand) -> None:
    table.say(offer())
    hand.click_on(f"Accept: A truce of {HIM.name}")
    answer = table.last(AnswerOffer)
    assert answer == AnswerOffer(offer="o1", yes=True)
    table.say(offer("accepted"))
    assert not [label for label in table.app.labels() if label.startswith("Accept")]
    assert [line.split("|")[1] for line in heard(table)] == [str(MINE), str(HIM.seat)]


@pytest.mark.parametrize(("key", "yes"), [(keys.Y, True), (keys.N, False)])
def test_it_is_answered_by_keys_on_the_page(table: Table, hand: Hand, key: int, yes: bool) -> None:
    table.say(offer())
    hand.press(keys.F12)
    hand.press(key, keys.MOD_CTRL)
    assert table.last(AnswerOffer) == AnswerOffer(offer="o1", yes=yes)


def test_mine_is_taken_back_and_what_is_told_again_is_no_news(table: Table, hand: Hand) -> None:
    table.say(offer(by=MINE, to=HIM.seat))
    table.say(offer(by=MINE, to=HIM.seat))
    assert len(heard(table)) == 1
    hand.press(keys.F12)
    hand.click_on(f"Take back to {HIM.name}")
    assert table.last(AnswerOffer) == AnswerOffer(offer="o1", yes=False)


def test_a_word_to_me_alone_is_shown_as_such(table: Table) -> None:
    table.say(ChatLine(HIM.who, HIM.name, "player", "psst", 0, MINE))
    assert heard(table) == [f"{HIM.name}|{MINE}|psst"]


def test_many_offers_are_bounded(table: Table, hand: Hand) -> None:
    for number in range(200):
        table.say(offer(id=f"o{number}"))
    assert len(table.session.feed.offers) == 40
    hand.click_on("Chat")
    assert table.app.find("Talk")


@pytest.mark.parametrize("size", [(1280, 800), (960, 640)])
@pytest.mark.parametrize("scale", [1.0, 1.6])
@pytest.mark.parametrize("page", ["talk", "table"])
def test_nothing_covers_anything_that_can_be_clicked(
    table: Table, hand: Hand, size: tuple[int, int], scale: float, page: str
) -> None:
    for number in range(9):
        table.say(offer(id=f"o{number}", state=("open", "accepted")[number % 2]))
    if page == "talk":
        hand.press(keys.F12)
    ui = table.app.ui
    ui.scale = scale
    ui.begin(size)
    assert table.app.front is not None
    table.app.front.build(ui)
    ui.end()
    buttons = [spot for spot in ui.hotspots[ui.modal :] if spot.act is not None or spot.input is not None]
    if page == "table":  # what hangs over the board may hang over names on it
        buttons = [spot for spot in buttons if spot.label.rpartition(" ")[0] not in scenes.FACTIONS]
    overlapping = [(a.label, b.label) for a, b in combinations(buttons, 2) if a.rect.overlaps(b.rect)]
    assert not overlapping
    assert len(buttons) > 5
    table.app.refresh()


def test_a_spectator_makes_no_offers(app: ReadableApp, tmp_path: Path, hand: Hand) -> None:
    table = Table(app, tmp_path, scenes.table_frames(-1)[:-1])
    hand.click_on("Chat")
    assert "Talk" not in table.app.labels()
    hand.press(keys.F12)
    view = table.app.front
    assert isinstance(view, TableScreen)
    assert not view.diplomacy.is_open
