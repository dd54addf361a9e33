"""The table of keys: one meaning for a key at a place, changed by the person, kept, and taken back."""

from __future__ import annotations

import pytest
from arcade import key as keys

from client.input.choice_numbers import ChoiceNumbers
from client.input.key_table import ACTIONS, EVERYWHERE, KeyTable
from client.model.replay.replay_player import ReplayPlayer
from client.text.phrases import ENGLISH
from client.ui.key_names import chord_of
from client.views.board.replay_screen import ReplayScreen
from client.views.table.table_screen import TableScreen
from protocol.ids import PromptId
from protocol.scene.nodes import Choice, Prompt
from protocol.text import Text
from tests.support.clients.sessions import Table
from tests.support.examples import replays
from tests.support.systems.hand import Hand


def test_no_key_means_two_things_at_one_place() -> None:
    table = KeyTable()
    places = {place for action in ACTIONS.values() for place in action.on} - {EVERYWHERE}
    for place in places:
        chords = [chord for action in table.holding([place]) for chord in table.keys_of(action)]
        assert sorted(set(chords)) == sorted(chords), place


def test_every_action_has_words_and_a_changed_key_that_fits_no_more_is_none() -> None:
    assert {f"help.{action}" for action in ACTIONS} <= set(ENGLISH)
    table = KeyTable({"vote": ["f3"], "help": ["ctrl+h"], "clipboard": ["a", "b", "c", "d"], "gone": ["x"]})
    assert table.keys_of("vote") == ("f3", "f4")
    assert table.keys_of("help") == ("ctrl+h",)
    assert table.keys_of("clipboard") == ACTIONS["clipboard"].keys


def test_the_words_of_every_key_that_holds_at_the_table_fit_beside_it(table: Table, hand: Hand) -> None:
    hand.press(keys.F1)
    seen: list[str] = []
    for _ in range(2):
        table.app.refresh()
        table.app.build()
        seen += [key[0] for key, _, _ in table.app.ui.layers["popup"].letters.lines]
        hand.press(keys.PAGEDOWN)
    assert ENGLISH["help.numbers"] in seen
    assert [words for words in seen if words.endswith("…")] == []


def test_keys_are_named_alike_whatever_the_keyboard_sends_for_them() -> None:
    assert chord_of(keys.EQUAL, keys.MOD_CTRL) == chord_of(keys.NUM_ADD, keys.MOD_CTRL) == "ctrl++"
    assert chord_of(keys.PLUS, keys.MOD_CTRL | keys.MOD_SHIFT) == "ctrl++"
    assert chord_of(keys.T, keys.MOD_CTRL | keys.MOD_SHIFT | keys.MOD_CAPSLOCK) == "ctrl+shift+t"
    assert chord_of(keys.NUM_3, keys.MOD_NUMLOCK) == chord_of(keys.KEY_3, 0) == "3"
    assert chord_of(keys.LSHIFT, keys.MOD_SHIFT) == ""
    assert KeyTable().shown("cursor") == "arrows"
    assert KeyTable().shown("vote") == "F3, F4"


def prompt(*ids: str, title: str = "play") -> Prompt:
    window = "turn" if title == "play" else "ask"
    return Prompt(PromptId("p"), Text(title), tuple(Choice(id, Text(id)) for id in ids), window)


def test_a_choice_keeps_its_number_while_others_come_and_go() -> None:
    numbers = ChoiceNumbers()
    assert numbers.of(prompt("move", "shoot", "end")) == {"move": 1, "shoot": 2, "end": 3}
    assert numbers.of(prompt("fly", "move", "end")) == {"fly": 4, "move": 1, "end": 3}
    assert numbers.of(prompt("shoot", "end")) == {"shoot": 2, "end": 3}
    assert numbers.of(prompt("yes", "no", title="vote")) == {"yes": 1, "no": 2}
    assert set(numbers.of(prompt(*(f"c{n}" for n in range(9)))).values()) == set(range(1, 10))
    long = numbers.of(prompt(*(f"c{n}" for n in range(24))))
    assert len(set(long.values())) == 24


@pytest.mark.waits
def test_a_key_is_changed_told_where_it_is_taken_kept_and_taken_back(table: Table, hand: Hand) -> None:
    app = table.app

    def change(label: str, symbol: int, modifiers: int = 0) -> None:
        hand.click_on(label)
        hand.press(symbol, modifiers)
        app.build()

    hand.press(keys.K, keys.MOD_CTRL)
    change("take your last act back: Ctrl+Z", keys.F5)
    assert app.ui.keys.keys_of("undo") == ("ctrl+z",)
    change("take your last act back: Ctrl+Z", keys.ESCAPE)
    assert app.keys_page.is_open
    assert app.ui.keys.keys_of("undo") == ("ctrl+z",)
    change("take your last act back: Ctrl+Z", keys.U)
    assert app.ui.keys.keys_of("undo") == ("u",)
    assert table.profile.key_changes == {"undo": ["u"]}
    hand.press(keys.ESCAPE)
    assert "U" in {app.ui.keys.shown("undo")}
    hand.press(keys.K, keys.MOD_CTRL)
    hand.click_on("Back to the defaults")
    assert table.profile.key_changes == {}
    assert app.ui.keys.keys_of("undo") == ("ctrl+z",)


@pytest.mark.waits
def test_no_letter_alone_can_become_the_key_of_talk(table: Table, hand: Hand) -> None:
    app = table.app
    hand.press(keys.K, keys.MOD_CTRL)
    for _ in range(3):
        hand.press(keys.PAGEDOWN)
    hand.click_on("write to the table, or in the lobby: Ctrl+T")
    hand.press(keys.T)
    assert app.ui.keys.keys_of("talk") == ("ctrl+t",)
    hand.press(keys.ESCAPE)
    hand.press(keys.T)
    assert app.ui.focus is None


@pytest.mark.waits
def test_f1_lists_the_keys_of_the_replay_and_its_keys_work(table: Table, hand: Hand) -> None:
    app = table.app
    app.show(ReplayScreen(app, ReplayPlayer(replays.replay())))
    view = app.front
    assert isinstance(view, ReplayScreen)
    listed = app.ui.keys.holding(app.key_dispatch.places())
    assert {"steps", "ends", "play", "fair", "zoom"} <= set(listed)
    assert not {"undo", "talk", "vote", "menu"} & set(listed)
    hand.press(keys.RIGHT, keys.MOD_CTRL)
    assert view.player.step == view.player.last
    hand.press(keys.LEFT)
    assert view.player.step == view.player.last - 1
    hand.press(keys.LEFT, keys.MOD_CTRL)
    assert view.player.step == 0


@pytest.mark.waits
def test_tab_marks_and_enter_takes_on_any_page(table: Table, hand: Hand) -> None:
    app = table.app
    hand.press(keys.F10)
    for _ in range(30):
        hand.press(keys.TAB)
        app.build()
        if app.ui.marked is not None and app.ui.marked.label == "Back to the table":
            break
    hand.press(keys.ENTER)
    view = app.front
    assert isinstance(view, TableScreen)
    assert not view.pages.menu
