"""Every page with the largest text in the smallest window: nothing is cut off, and nothing ends the program."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, product

import pytest
from arcade import key as keys
from msgspec.structs import replace

from client.app.key_dispatch import SCALES
from client.app.window import SMALLEST
from client.text.phrases import phrase
from client.ui import theme
from client.views.lobby.connect_screen import ConnectScreen
from client.views.lobby.lobby_screen import LobbyScreen
from client.views.lobby.setup_screen import SetupScreen
from client.views.screen import Screen
from protocol.ids import TableId
from protocol.limits import Limits
from protocol.text import Text
from protocol.wire.from_server import Systems, Welcome
from protocol.wire.table_lists import Lobby, TableRow
from tests.client.views.test_every_page_fits import lobby, menu, set_up_ready, set_up_seen
from tests.support.clients.sessions import Table
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.examples.messages import FROM_SERVER

IN_SMALLEST = 160
"""The largest scale of text that the smallest window is made for."""
LAST: dict[type[Screen], str] = {ConnectScreen: "Quit", LobbyScreen: "Take my seat by code", SetupScreen: "Start"}


@pytest.mark.parametrize("size", [SMALLEST, (1280, 800)])
@pytest.mark.parametrize("scale", [SCALES[0], 100, SCALES[-1]])
@pytest.mark.parametrize("page", LAST)
def test_every_page_fits(table: Table, page: type[Screen], size: tuple[int, int], scale: int) -> None:
    for number in range(4):
        table.profile.remember_server(f"table-{number}.example.org:8440")
    table.say(*(message for message in FROM_SERVER if isinstance(message, Systems)))
    app, navigator, session = table.app, table.navigator, table.session
    made: dict[type[Screen], Callable[[], Screen]] = {
        ConnectScreen: lambda: ConnectScreen(app, navigator),
        LobbyScreen: lambda: LobbyScreen(app, session, navigator),
        SetupScreen: lambda: SetupScreen(app, session, navigator),
    }
    app.show(made[page]())
    labels = fits(app, size, scale)
    assert LAST[page] in labels


@pytest.mark.parametrize("scale", SCALES)
def test_the_longest_name_can_be_kept(table: Table, scale: int) -> None:
    table.say(Welcome("u1", "W" * Limits().name_length, "token", "here", "0.1"))
    lobby = LobbyScreen(table.app, table.session, table.navigator)
    table.app.show(lobby)
    lobby.registration.open()
    assert "Keep this name now" in fits(table.app, SMALLEST, scale)


def test_the_menu_of_a_full_table_has_rows_that_hold_their_words(table: Table) -> None:
    menu(table)
    ui = table.app.ui
    for size, scale in (((1280, 800), 100), ((1280, 800), IN_SMALLEST), (SMALLEST, 100)):
        ui.scale = scale / 100
        table.app.describe(size)
        buttons = [spot.rect for spot in ui.front_spots if spot.act is not None]
        assert len(buttons) > 20
        assert min(rect.h for rect in buttons) >= ui.line_height(theme.BODY), (size, scale)
    table.app.refresh()


@pytest.mark.parametrize("scale", SCALES)
def test_the_buttons_above_the_lobby_are_read_whole(table: Table, scale: int) -> None:
    lobby(table)
    ui = table.app.ui
    ui.scale = scale / 100
    table.app.describe((1280, 800))
    said = {key.text for key, _, _ in ui.layers["panels"].letters.lines}
    assert {"Back to the table", "Settings", "Another server", "People", "Keep this name", "My account"} <= said
    table.app.refresh()


@pytest.mark.parametrize("page", [lobby, set_up_seen, set_up_ready])
def test_no_button_is_lower_than_its_words_at_the_largest_text(table: Table, page: Callable[[Table], None]) -> None:
    page(table)
    ui = table.app.ui
    ui.scale = SCALES[-1] / 100
    table.app.describe((1280, 800))
    low = [(spot.label, spot.rect.h) for spot in ui.hotspots if spot.act and spot.rect.h < ui.px(theme.BODY)]
    assert low == []
    table.app.refresh()


def test_options_that_have_no_room_are_reached_by_the_wheel_and_by_page_down(table: Table) -> None:
    set_up_seen(table)
    table.app.scale_text(SCALES[-1])
    assert "Date" not in table.app.labels()
    for _ in range(3):
        table.app.on_key_press(keys.PAGEDOWN, 0)
    assert "Date" in table.app.labels()
    assert "Private" not in table.app.labels()
    table.app.scale_text(100)


def test_who_holds_a_seat_is_read_at_the_largest_text(table: Table) -> None:
    set_up_seen(table)
    view = table.session.conversation.table
    assert view is not None
    table.say(replace(view, seats=tuple(replace(seat, name=f"Ada{seat.seat}") for seat in view.seats)))
    ui = table.app.ui
    ui.scale = SCALES[-1] / 100
    table.app.describe((1280, 800))
    said = {key.text for key, _, _ in ui.layers["panels"].letters.lines}
    assert {f"Ada{seat.seat}" for seat in view.seats if seat.seat != view.seat} <= said
    table.app.refresh()


def test_a_faction_can_be_chosen_however_large_the_text(table: Table) -> None:
    set_up_seen(table)
    ui = table.app.ui
    for size, scale in product([(1280, 800)], SCALES):
        ui.scale = scale / 100
        table.app.describe(size)
        labels = [spot.label for spot in ui.hotspots if spot.act is not None]
        assert "Factions" in labels, scale
        assert labels.count("Factions") == 1
    table.app.refresh()


def fits(app: ReadableApp, size: tuple[int, int], scale: int) -> set[str]:
    """Return all visible labels; nothing that can be clicked covers anything else, or is outside."""
    assert app.front is not None
    app.ui.scale = scale / 100
    app.ui.begin(size)
    app.front.build(app.ui)
    app.ui.end()
    hotspots = app.ui.hotspots[app.ui.modal :]
    can = [spot for spot in hotspots if spot.act is not None or spot.input is not None]
    assert not [(a.label, b.label) for a, b in combinations(can, 2) if a.rect.overlaps(b.rect)]
    assert [(spot.label, spot.rect) for spot in can if spot.rect.y < 0 or spot.rect.top > size[1]] == []
    app.refresh()
    return {spot.label for spot in hotspots}


def test_buttons_beside_a_table_of_the_lobby_are_as_wide_as_their_words(table: Table) -> None:
    row = TableRow(TableId("t2"), "Friday", "action_cards", Text("The mill"), "live", 2, 4, bots=1)
    table.say(Lobby((row,)))
    table.app.show(LobbyScreen(table.app, table.session, table.navigator))
    ui = table.app.ui
    ui.scale = IN_SMALLEST / 100
    table.app.describe(SMALLEST)
    button = next(spot.rect for spot in ui.hotspots if spot.label == phrase("row.watch.of", table="Friday"))
    assert button.w > ui.width(phrase("row.watch")) + ui.width("00")
