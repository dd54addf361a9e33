"""Picture of the scenario on the set-up: it follows the choice, opens large by mouse and keyboard, and folds away where
room is short."""

from __future__ import annotations

from pathlib import Path

import pytest
from arcade import key as keys
from msgspec.structs import replace

from client.ui import theme
from client.views.lobby.setup_screen import SetupScreen
from protocol.text import Text
from protocol.wire.from_client import ChangeTable
from protocol.wire.from_server import TableView, Welcome
from protocol.wire.previews import GetPreview
from tests.support.clients.sessions import Table, show_setup
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.examples import scenes
from tests.support.examples.scenario_previews import preview
from tests.support.systems.hand import Hand

NAME = "Picture of the scenario"
OPEN = "The table of"


@pytest.fixture
def table(app: ReadableApp, tmp_path: Path) -> Table:
    """Window of the owner of a table that has not begun, at a server that shows scenarios."""
    found = Table(app, tmp_path, scenes.table_frames(1))
    found.say(Welcome("who1", "Bertram", "token", "test", "0.1", previews=True))
    show_setup(found)
    return found


def view(table: Table) -> TableView:
    found = table.session.conversation.table
    assert found is not None
    return found


def show(table: Table, **changes: object) -> None:
    """Let the server show the scenario of the table."""
    table.settle()
    table.say(preview(view(table).system, view(table).scenario, **changes))  # type: ignore[arg-type]


def words(table: Table) -> str:
    table.app.build()
    lines = table.app.ui.layers["panels"].letters.lines
    return " | ".join(key[0] for key, _, _ in lines)


def screen(table: Table) -> SetupScreen:
    assert isinstance(table.app.front, SetupScreen)
    return table.app.front


def test_it_is_asked_for_and_shown_with_the_seats_where_they_start(table: Table) -> None:
    assert table.last(GetPreview) == GetPreview(view(table).system, view(table).scenario)
    assert "Asking the server…" in words(table)
    assert NAME not in table.app.labels()
    show(table)
    assert "+3 by the dice" in words(table)
    picture = next(spot.rect for spot in table.app.ui.hotspots if spot.label == NAME)
    assert picture.w == pytest.approx(picture.h * 1.5, abs=theme.STEP)
    # the emblem of seat 1 in the middle of the eastern zone, that of seat 0 in the west
    for seat, share in ((0, 1 / 12), (1, 11 / 12)):
        assert table.pixel((picture.x + picture.w * share, picture.centre[1])) == theme.seat_colour(seat)[:3]
    assert table.pixel((picture.x + picture.w * 0.3, picture.y + picture.h * 0.8)) not in {
        theme.BACK[:3],
        theme.PANEL[:3],
    }


def test_it_opens_large_by_a_click_and_shuts_by_its_button(table: Table, hand: Hand) -> None:
    show(table)
    hand.click_on(NAME)
    assert OPEN in words(table)
    assert set(table.app.enabled()) == {"Close"}
    assert "3 more pieces of terrain are laid by the dice" in words(table)
    camera = screen(table).map._large.camera
    table.app.on_mouse_scroll(640, 400, 0, 1)
    assert camera.zoom > 1
    before = camera.to_window(2400, 1600)
    hand.drag((640, 400), (700, 400))
    assert camera.to_window(2400, 1600)[0] == pytest.approx(before[0] + 60, abs=1)
    hand.click_on("Close")
    assert OPEN not in words(table)
    assert NAME in table.app.enabled()


def test_it_opens_zooms_moves_and_shuts_by_keys(table: Table, hand: Hand) -> None:
    show(table)
    hand.press(keys.M)
    assert OPEN in words(table)
    camera = screen(table).map._large.camera
    hand.press(keys.PLUS)
    hand.press(keys.LEFT, keys.MOD_ALT)
    assert camera.zoom > 1
    assert camera.focus[0] < 2400
    hand.press(keys.HOME)
    assert camera.zoom == 1
    hand.press(keys.H)
    assert not screen(table).rulebook.is_open
    hand.press(keys.ESCAPE)
    assert OPEN not in words(table)
    hand.press(keys.M)
    hand.press(keys.M)
    assert OPEN not in words(table)
    hand.tab_to(NAME)
    hand.press(keys.ENTER)
    assert OPEN in words(table)


def test_it_follows_scenario_and_options_and_asks_for_none_twice(table: Table) -> None:
    show(table)
    first = view(table)
    table.say(replace(first, scenario="other", options={"fog": True}))
    assert table.last(GetPreview) == GetPreview(first.system, "other", {"fog": True})
    assert NAME not in table.app.labels()
    table.settle()
    table.say(preview(first.system, "other", "b2", options={"fog": True}, left_out=0))
    assert NAME in table.app.labels()
    assert "by the dice" not in words(table)
    count = sum(isinstance(message, GetPreview) for message in table.said)
    table.say(first)
    assert "+3 by the dice" in words(table)
    # the screen of another visit
    table.app.show(SetupScreen(table.app, table.session, table.navigator))
    assert NAME in table.app.labels()
    table.settle()
    assert sum(isinstance(message, GetPreview) for message in table.said) == count


def test_a_refusal_stands_in_its_place_in_words(table: Table, hand: Hand) -> None:
    show(table, name="", nodes={}, code="table/option", text=Text("These rules have no option fog."))
    assert "These rules have no option fog." in words(table)
    hand.press(keys.M)
    assert OPEN not in words(table)


@pytest.mark.parametrize(("size", "scale"), [((960, 640), 100), ((1280, 800), 160), ((800, 600), 100)])
def test_where_room_is_short_a_button_stands_for_it(
    table: Table, hand: Hand, size: tuple[int, int], scale: int
) -> None:
    show(table)
    table.app.ui.scale = scale / 100
    table.app.describe(size)
    spots = [spot for spot in table.app.ui.hotspots if spot.label == NAME]
    assert len(spots) == 1
    assert spots[0].rect.h < 60
    assert spots[0].act is not None
    spots[0].act()
    table.app.describe(size)
    assert {spot.label for spot in table.app.ui.hotspots} == {"Close"}
    table.app.ui.scale = 1.0
    table.app.refresh()


def test_a_server_that_shows_no_scenarios_has_the_screen_as_it_was(setup: Table, hand: Hand) -> None:
    assert NAME not in setup.app.labels()
    hand.press(keys.M)
    setup.settle()
    assert not any(isinstance(message, GetPreview) for message in setup.said)
    assert not any(isinstance(message, ChangeTable) for message in setup.said)
