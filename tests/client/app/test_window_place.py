"""The place where the window opens, and the size of its text on screens of any density."""

from __future__ import annotations

import pytest
from arcade import key as keys

from client.app.window_place import Placing, opening_place
from client.storage.profile import WindowPlace
from client.ui.layout import Rect
from tests.support.clients.sessions import Table
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.systems.hand import Hand

LAPTOP, BESIDE, LARGE = Rect(0, 0, 1366, 768), Rect(1366, 0, 1920, 1080), Rect(0, 0, 3840, 2160)


@pytest.mark.parametrize(
    ("screens", "size"),
    [
        ([LAPTOP], (1229, 660)),
        ([LARGE], (1920, 1200)),
        ([Rect(0, 0, 1024, 640)], (960, 640)),
        ([Rect(0, 0, 800, 600)], (800, 600)),
    ],
)
def test_a_first_window_fits_its_screen(screens: list[Rect], size: tuple[int, int]) -> None:
    assert opening_place(None, screens) == WindowPlace(*size)


@pytest.mark.parametrize(
    ("remembered", "opened"),
    [
        (WindowPlace(1000, 700, 40, 20), WindowPlace(1000, 700, 40, 20)),
        (WindowPlace(1000, 700, 1500, 20), WindowPlace(1000, 700, 1500, 20)),
        (WindowPlace(1900, 1000, 1400, 20), WindowPlace(1900, 1000, 1400, 20)),
        (WindowPlace(1000, 700, 4000, 20), WindowPlace(1000, 700)),
        (WindowPlace(1000, 700, 40, -690), WindowPlace(1000, 700)),
        (WindowPlace(3000, 2000, 40, 20, full=True), WindowPlace(1366, 768, 40, 20, full=True)),
        (WindowPlace(3000, 2000), WindowPlace(1366, 768)),
    ],
)
def test_a_remembered_place_holds_as_far_as_it_fits(remembered: WindowPlace, opened: WindowPlace) -> None:
    assert opening_place(remembered, [LAPTOP, BESIDE]) == opened


def test_the_frame_of_a_window_manager_does_not_make_the_window_wander(app: ReadableApp) -> None:
    placing = Placing(app, WindowPlace(1280, 800))
    placing.restore(WindowPlace(1280, 800, 40, 20))
    placing.moved(44, 48)
    assert placing.place == WindowPlace(1280, 800, 40, 20)
    placing.moved(144, 148)
    assert placing.place == WindowPlace(1280, 800, 140, 120)


@pytest.fixture
def filled(app: ReadableApp, monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Window with a screen to fill: what it was asked for, True to fill it."""
    asked: list[bool] = []
    monkeypatch.setattr(app, "headless", False)
    monkeypatch.setattr(app, "placing", Placing(app, WindowPlace(1280, 800)))
    monkeypatch.setattr(app, "set_fullscreen", asked.append)
    return asked


def test_the_setting_of_full_screen_acts_by_the_mouse(table: Table, hand: Hand, filled: list[bool]) -> None:
    table.app.settings_page.toggle()
    hand.click_on("Full screen")
    assert filled == [True]
    hand.click_on("Full screen")
    assert filled == [True, False]


def test_the_setting_of_full_screen_acts_by_keys_once_they_are_up(table: Table, hand: Hand, filled: list[bool]) -> None:
    table.app.settings_page.toggle()
    hand.tab_to("Full screen")
    table.app.dispatch_event("on_key_press", keys.ENTER, 0)
    table.app.dispatch_events()
    assert filled == []
    table.app.dispatch_event("on_key_release", keys.ENTER, 0)
    table.app.dispatch_events()
    assert filled == [True]


def test_text_keeps_its_size_to_the_eye_on_a_second_screen(
    app: ReadableApp, hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[int] = []
    app.text_resized = told.append
    monkeypatch.setattr(app, "density", 1.0)
    app.dispatch_event("on_scale", 2.0, 192)
    app.dispatch_events()
    assert app.ui.scale == 2.0
    hand.press(keys.EQUAL, keys.MOD_CTRL)
    assert (app.ui.scale, told) == (2.2, [110])
