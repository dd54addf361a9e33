"""Every page with the largest text in the smallest window: nothing is cut off, and nothing ends the program."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import pytest

from client.app.key_dispatch import SCALES
from client.app.window import SMALLEST
from client.views.lobby.connect_screen import ConnectScreen
from client.views.lobby.lobby_screen import LobbyScreen
from client.views.lobby.setup_screen import SetupScreen
from client.views.screen import Screen
from protocol.limits import Limits
from protocol.wire.from_server import Systems, Welcome
from tests.support.clients.sessions import Table
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.examples.messages import FROM_SERVER

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
