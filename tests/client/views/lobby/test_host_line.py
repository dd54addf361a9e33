"""The host's record in the window: a line before joining, and the rest as its tooltip."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from PIL import Image

from client.app.picture import save_picture
from client.fairness.host_record import MatchCounts
from client.ui import theme
from client.views.lobby.host_line import summary
from client.views.lobby.lobby_screen import LobbyScreen
from client.views.lobby.setup_screen import SetupScreen
from protocol.ids import TableId
from protocol.text import text
from protocol.wire.choices import ScenarioChoice, SystemChoice
from protocol.wire.from_server import Problem, Systems, Welcome
from protocol.wire.host_claim import HostClaim
from protocol.wire.table_lists import Lobby, TableRow
from tests.support.clients.sessions import Table
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.examples import scenes
from tests.support.fairness.signing import HOST
from tests.support.faults.hostile.forger import FORGER

SYSTEMS = Systems((SystemChoice("ac", text("ac"), (ScenarioChoice("mill", text("mill"), text("about"), 4, ()),), ()),))
ROWS = (TableRow(TableId("t2"), "Open one", "ac", text("mill"), "open", 4, 1),)


def welcome(claim: HostClaim | None, key: bytes = HOST.public) -> Welcome:
    return Welcome("me", "Bertram", "token", "test", "0.1", key=key, claim=claim)


@pytest.fixture
def lobby(app: ReadableApp, tmp_path: Path) -> Table:
    table = Table(app, tmp_path, [])
    app.show(LobbyScreen(app, table.session, table.navigator))
    table.say(welcome(HostClaim(10, 7, 2, given_up=1)), SYSTEMS, Lobby(ROWS))
    return table


def line(table: Table) -> str:
    return summary(table.session.hosts.record)


def tip(table: Table) -> str:
    spot = table.app.hot_at(*table.app.find(line(table)))
    assert spot is not None
    return spot.tip


def shows(table: Table, path: Path, tone: theme.Colour) -> bool:
    """Return True if the line is drawn in this colour. Makes a picture, the mouse on the line."""
    x, y = table.app.find(line(table))
    table.app.on_mouse_motion(round(x), round(y), 0, 0)
    save_picture(table.app, path)
    with Image.open(path) as image:
        band = image.crop((0, image.height - round(y) - 6, round(x), image.height - round(y) + 6))
        return any(colour == tone[:3] for _, colour in band.getcolors(100_000))


def play(table: Table) -> None:
    """Play a match whose host does not give its record afterwards."""
    table.session.replays.beside = lambda work: work()
    live = replace(scenes.table_view(1), state="live")
    table.say(live, live)
    table.say(replace(live, state="finished", replay=True, result=text("result.why")))
    table.say(Problem("replay/unreadable", text("replay.damaged")))


def test_a_host_never_seen_before_has_its_claim_alone(lobby: Table, tmp_path: Path) -> None:
    seen = "You have seen no match of this host yet."
    assert line(lobby) == f"{seen} It claims 10 matches, 7 played to the end."
    assert "The host claims: 10 matches begun, 7 played to the end, 2 abandoned" in tip(lobby)
    assert "Nothing proves that." in tip(lobby)
    assert shows(lobby, tmp_path / "new.png", theme.MUTED)


def test_a_host_without_a_key_has_no_record(app: ReadableApp, tmp_path: Path) -> None:
    table = Table(app, tmp_path, [])
    app.show(LobbyScreen(app, table.session, table.navigator))
    table.say(welcome(HostClaim(10), b""), SYSTEMS, Lobby(ROWS))
    assert line(table) not in app.labels()
    play(table)
    assert table.session.hosts.record.counts == MatchCounts()


def test_a_second_welcome_on_one_link_brings_no_other_key(lobby: Table) -> None:
    lobby.say(welcome(HostClaim(99), FORGER.public))
    assert lobby.profile.hosts == {lobby.session.address.key: HOST.public.hex()}
    assert lobby.session.hosts.record.claim == HostClaim(10, 7, 2, given_up=1)


def test_a_match_left_unproven_is_told_in_the_lobby_and_at_the_next_table(lobby: Table, tmp_path: Path) -> None:
    play(lobby)
    assert lobby.session.hosts.record.counts == MatchCounts(begun=1, ended=1, unproven=1)
    lobby.app.show(LobbyScreen(lobby.app, lobby.session, lobby.navigator))
    assert line(lobby).startswith("Seen of this host: one match, 1 played to the end, 1 unproven. It claims 10 matches")
    assert "10 matches begun" in tip(lobby)
    assert "since" in tip(lobby)
    lobby.app.show(SetupScreen(lobby.app, lobby.session, lobby.navigator))
    lobby.say(replace(scenes.table_view(1), id="t2", state="open"))
    assert shows(lobby, tmp_path / "set-up.png", theme.WARN)


def test_a_claim_that_has_fallen_is_seen(lobby: Table, tmp_path: Path) -> None:
    play(lobby)
    lobby.navigator.in_lobby = True
    lobby.say(welcome(HostClaim(3, 7, 2)))
    lobby.app.show(LobbyScreen(lobby.app, lobby.session, lobby.navigator))
    assert line(lobby).startswith("This host's claim has fallen. Seen of this host")
    assert "matches begun are 3 now, and were 10 once" in tip(lobby)
    assert shows(lobby, tmp_path / "fallen.png", theme.WARN)


def test_in_one_session_only_so_many_matches_are_noted(lobby: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("client.fairness.host_watch.MOST_NOTES", 5)
    for number in range(9):
        lobby.say(replace(scenes.table_view(1), id=f"m{number}", state="live"))
    assert lobby.session.hosts.record.counts.begun == 4


@pytest.mark.parametrize(("lesson", "mail", "told"), [(True, False, ", no clock"), (False, True, ", by mail")])
def test_a_row_says_by_mail_where_it_is(lobby: Table, told: str, *, lesson: bool, mail: bool) -> None:
    lobby.say(Lobby((replace(ROWS[0], lesson=lesson, mail=mail),)))
    lobby.app.build()
    words = [key[0] for key, _, _ in lobby.app.ui.layers["panels"].letters.lines]
    assert sum(one.endswith(told) for one in words) == 1
