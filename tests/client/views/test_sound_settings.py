"""The settings of sounds: on, off, and a volume for each category, by mouse and by keys, kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from arcade import key as keys

from client.model.sound.mixer import ALL
from client.storage.profile import load_profile
from client.text.phrases import phrase
from client.views.settings import settings_of, sound_settings_of
from tests.support.clients.heard_sounds import Ear
from tests.support.clients.sessions import Table
from tests.support.systems.hand import Hand

CATEGORIES = ("dice", "fight", "table", "interface", "bell")


def open_sounds(table: Table, hand: Hand, *, by_keys: bool) -> None:
    hand.press(keys.COMMA, keys.MOD_CTRL)
    if by_keys:
        hand.tab_to("Sound")
        hand.press(keys.ENTER)
    else:
        hand.click_on("Sound")
    assert set(table.app.labels()) >= {"Sounds", "All sounds", "Dice", "Fights", "Table", "Window", "Bells"}


@pytest.mark.parametrize("by_keys", [True, False])
@pytest.mark.parametrize("category", [ALL, *CATEGORIES])
def test_each_volume_is_turned_heard_at_once_and_kept(
    category: str, table: Table, hand: Hand, tmp_path: Path, *, by_keys: bool
) -> None:
    ear = Ear(table.app)
    open_sounds(table, hand, by_keys=by_keys)
    if by_keys:
        listed = [each.id for each in sound_settings_of(table.navigator)]
        hand.press(keys.KEY_0 + listed.index(f"volume_{category}") + 1)
    else:
        hand.click_on(phrase(f"setting.volume_{category}"))
    assert load_profile("test", tmp_path).volumes == {category: 80}
    assert ear.names[-2] == "click"
    assert ear.shares[-1] == pytest.approx(0.64)
    values = {each.id: each.value for each in sound_settings_of(table.navigator)}
    assert values[f"volume_{category}"] == "80 %"


def test_sounds_are_switched_off_on_the_page_and_by_a_key_and_the_list_says_so(
    table: Table, hand: Hand, tmp_path: Path
) -> None:
    ear = Ear(table.app)
    open_sounds(table, hand, by_keys=False)
    hand.click_on("Sounds")
    assert not load_profile("test", tmp_path).sound
    heard = list(ear.names)
    hand.click_on("Fights")
    assert ear.names == heard
    hand.click_on("All settings")
    sound = next(each for each in settings_of(table.navigator) if each.id == "sound")
    assert sound.value == "off"
    hand.press(keys.S, keys.MOD_CTRL)
    assert load_profile("test", tmp_path).sound
    hand.press(keys.ESCAPE)
    assert not table.app.settings_page.is_open


def test_a_page_that_is_opened_again_shows_all_settings(table: Table, hand: Hand) -> None:
    open_sounds(table, hand, by_keys=False)
    hand.press(keys.ESCAPE)
    hand.press(keys.COMMA, keys.MOD_CTRL)
    assert "Size of text" in table.app.labels()
