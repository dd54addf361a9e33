"""The page of settings: all in one list, with value and help, by mouse and by keys, from any screen, kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from arcade import key as keys
from msgspec.structs import replace

from client.storage.profile import load_profile
from client.text.phrases import phrase
from client.text.spoken import SPOKEN
from client.ui import theme
from client.views.lobby.lobby_screen import LobbyScreen
from client.views.settings import settings_of
from client.views.table.table_screen import TableScreen
from protocol.wire.from_client import Speak
from protocol.wire.from_server import Catalogue
from tests.support.clients.sessions import Table
from tests.support.systems.hand import Hand

NAMES = {
    "Confirm acts", "Speed of acts", "Bots' pace", "End of my activations", "Size of text", "Sound", "Full screen",
    "Language", "Keys", "Colours of the window", "Colours of the seats", "Cards",
}  # fmt: skip


def press_number(table: Table, hand: Hand, setting: str) -> None:
    """Press the digits of a setting's row."""
    listed = [each.id for each in settings_of(table.navigator) if each.change is not None]
    for digit in f"{listed.index(setting) + 1:02}":
        hand.press(keys.KEY_0 + int(digit))


def test_every_setting_is_two_clicks_from_the_table(table: Table, hand: Hand) -> None:
    hand.click_on("Menu")
    hand.click_on("Settings")
    assert set(table.app.labels()) >= NAMES
    assert all(setting.about for setting in settings_of(table.navigator))
    hand.press(keys.ESCAPE)
    assert not table.app.settings_page.is_open


def test_every_setting_is_a_click_from_the_lobby(table: Table, hand: Hand) -> None:
    table.app.show(LobbyScreen(table.app, table.session, table.navigator))
    hand.click_on("Settings")
    assert set(table.app.labels()) >= NAMES


def test_a_key_opens_and_closes_it_and_digits_change_what_stands_there(table: Table, hand: Hand) -> None:
    hand.press(keys.COMMA, keys.MOD_CTRL)
    assert table.app.settings_page.is_open
    press_number(table, hand, "confirm")
    assert table.profile.confirm == load_profile("test", table.navigator.file.folder).confirm == "always"
    hand.press(keys.COMMA, keys.MOD_CTRL)
    assert not table.app.settings_page.is_open


def test_each_click_takes_the_next_value_and_is_kept(table: Table, hand: Hand, tmp_path: Path) -> None:
    table.app.settings_page.toggle()
    hand.click_on("End of my activations")
    hand.click_on("Cards")
    hand.click_on("Size of text")
    kept = load_profile("test", tmp_path)
    assert (kept.ending, kept.faces, kept.text_scale) == ("by-itself", "playing", 110)
    values = {setting.id: setting.value for setting in settings_of(table.navigator)}
    assert (values["ending"], values["faces"], values["size"]) == ("with the last action", "as playing cards", "110 %")
    for _ in range(6):
        hand.click_on("Size of text")
    assert table.app.text_scale == 80


@pytest.mark.parametrize("by_keys", [True, False])
def test_the_language_changes_at_once_and_is_kept(table: Table, hand: Hand, tmp_path: Path, *, by_keys: bool) -> None:
    table.say(Catalogue("action_cards", "de", "9" * 16, {"choice.move": "Bewegen"}))
    welcome = table.session.conversation.welcome
    assert welcome is not None
    table.session.conversation.welcome = replace(welcome, speaks=True)
    hand.press(keys.COMMA, keys.MOD_CTRL)
    try:
        if by_keys:
            press_number(table, hand, "language")
        else:
            hand.click_on("Language")
        assert load_profile("test", tmp_path).language == "de"
        assert {"Sprache (language)", "Züge bestätigen"} <= set(table.app.labels())
        assert table.last(Speak) == Speak(language="de")
        hand.press(keys.ESCAPE)
        assert {"Menü", "Bewegen"} <= set(table.app.labels())
    finally:
        SPOKEN.speak("en")


def change(table: Table, hand: Hand, setting: str, *, by_keys: bool) -> None:
    """Take the next value of a setting on its page."""
    hand.press(keys.COMMA, keys.MOD_CTRL)
    if by_keys:
        press_number(table, hand, setting)
    else:
        hand.click_on(phrase(f"setting.{setting}"))
    hand.press(keys.ESCAPE)


@pytest.mark.parametrize("by_keys", [True, False])
def test_the_theme_changes_at_once_and_is_kept(table: Table, hand: Hand, tmp_path: Path, *, by_keys: bool) -> None:
    table.app.build()
    for name in (*theme.THEMES[1:], theme.THEMES[0]):
        before = {key.colour for key, _, _ in table.app.ui.layers["panels"].letters.lines}
        change(table, hand, "theme", by_keys=by_keys)
        after = {key.colour for key, _, _ in table.app.ui.layers["panels"].letters.lines}
        assert (theme.THEME, load_profile("test", tmp_path).theme) == (name, name)
        assert theme.TEXT in after
        assert theme.TEXT not in before


@pytest.mark.parametrize("by_keys", [True, False])
def test_the_palette_changes_tokens_and_emblems_at_once_and_is_kept(
    table: Table, hand: Hand, tmp_path: Path, *, by_keys: bool
) -> None:
    screen = table.app.front
    assert isinstance(screen, TableScreen)
    table.app.build()
    figures = screen.board.figures.by_id
    before = {name: sprites[0].texture for name, sprites in figures.items()}
    change(table, hand, "palette", by_keys=by_keys)
    assert load_profile("test", tmp_path).palette == theme.PALETTE == theme.PALETTES[1]
    shades = {shape[3][:3] for shape in dict(table.app.ui.layers["panels"].painter.shapes)}
    assert {colour[:3] for colour in theme.SEAT_COLOURS[:3]} <= shades
    assert all(sprites[0].texture is not before[name] for name, sprites in figures.items())


def test_the_page_of_keys_comes_in_its_place(table: Table, hand: Hand) -> None:
    table.app.settings_page.toggle()
    hand.click_on("Keys")
    assert (table.app.settings_page.is_open, table.app.keys_page.is_open) == (False, True)


def test_the_page_names_whose_icons_and_font_these_are(table: Table) -> None:
    table.app.settings_page.toggle()
    table.app.build()
    assert any(
        "game-icons.net: Lorc, Delapouite and contributors, CC BY 3.0" in key.text
        for key, _, _ in table.app.ui.layers["popup"].letters.lines
    )
