"""Every page can be used with the largest text in the smallest window: nothing is cut off, and nothing ends the
program."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import pytest

from client.app.window import SCALES, SMALLEST, App
from client.views.lobby.connect_screen import ConnectScreen
from client.views.lobby.lobby_screen import LobbyScreen
from client.views.lobby.setup_screen import SetupScreen
from client.views.screen import View
from protocol.limits import Limits
from protocol.wire.from_server import Systems, Welcome
from tests.support.clients.sessions import Table
from tests.support.messages import FROM_SERVER

LAST: dict[type[View], str] = {ConnectScreen: "Quit", LobbyScreen: "Take my seat by code", SetupScreen: "Start"}


@pytest.mark.parametrize("size", [SMALLEST, (1280, 800)])
@pytest.mark.parametrize("scale", [SCALES[0], 100, SCALES[-1]])
@pytest.mark.parametrize("page", LAST)
def test_every_page_fits(table: Table, page: type[View], size: tuple[int, int], scale: int) -> None:
    for number in range(4):
        table.profile.remember_server(f"table-{number}.example.org:8440")
    table.say(*(message for message in FROM_SERVER if isinstance(message, Systems)))
    app, pilot, session = table.app, table.pilot, table.session
    made: dict[type[View], Callable[[], View]] = {
        ConnectScreen: lambda: ConnectScreen(app, pilot),
        LobbyScreen: lambda: LobbyScreen(app, session, pilot),
        SetupScreen: lambda: SetupScreen(app, session, pilot),
    }
    app.show(made[page]())
    labels = fits(app, size, scale)
    assert LAST[page] in labels


@pytest.mark.parametrize("scale", SCALES)
def test_the_longest_name_can_be_kept(table: Table, scale: int) -> None:
    table.say(Welcome("u1", "W" * Limits().name_length, "token", "here", "0.1"))
    lobby = LobbyScreen(table.app, table.session, table.pilot)
    table.app.show(lobby)
    lobby.keeper.open()
    assert "Keep this name now" in fits(table.app, SMALLEST, scale)


def fits(app: App, size: tuple[int, int], scale: int) -> set[str]:
    """All that can be seen by its label; nothing that can be clicked covers anything else, or is outside."""
    assert app.front is not None
    app.ui.scale = scale / 100
    app.ui.begin(size)
    app.front.build(app.ui)
    app.ui.end()
    hots = app.ui.hots[app.ui.modal :]
    can = [hot for hot in hots if hot.act is not None or hot.input is not None]
    assert not [(a.label, b.label) for a, b in combinations(can, 2) if a.rect.overlaps(b.rect)]
    assert all(hot.rect.y >= 0 and hot.rect.top <= size[1] for hot in can)
    app.refresh()
    return {hot.label for hot in hots}
