"""Faults of the program: caught at the event, reported and shown; the window stays and the table is asked for anew."""

from __future__ import annotations

import socket
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest
from arcade import key as keys

from client.app.navigator import Navigator
from client.app.window import MOST_UNDRAWN
from client.input.key_table import KeyPress
from client.net.address import Address
from client.net.connection import Down, ReconnectingSocket
from client.storage.fault_reports import HIDDEN, MOST_REPORTS, FaultReports
from client.storage.profile import UserProfile
from client.ui.frame import Layer
from client.views.lobby.connect_screen import ConnectScreen
from client.views.table.table_screen import TableScreen
from protocol.wire.from_client import Resync
from tests.support.clients.programs import until
from tests.support.clients.sessions import Table
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.examples import scenes
from tests.support.systems.hand import Hand

pytestmark = pytest.mark.waits

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
PAGE = {"Go on", "Begin anew", "Copy the file's place"}


def break_key(view: TableScreen) -> None:
    """Make a key fail."""

    def key(press: KeyPress) -> bool:
        raise RuntimeError("a key has failed")

    view.key = key  # type: ignore[method-assign]


def break_build(view: TableScreen) -> None:
    """Make the screen fail to describe itself."""

    def build(ui: object) -> None:
        raise RuntimeError("the view has failed")

    view.build = build  # type: ignore[method-assign]


def break_tick(view: TableScreen) -> None:
    """Make the passing of time fail."""

    def tick(seconds: float) -> bool:
        raise RuntimeError("the clock has failed")

    view.tick = tick  # type: ignore[method-assign]


def break_draw(view: TableScreen) -> None:
    """Make drawing fail."""

    def draw() -> None:
        raise RuntimeError("drawing has failed")

    view.draw_below = draw  # type: ignore[method-assign]


def turn(app: ReadableApp) -> None:
    """Run one turn of the loop as the toolkit does: a key, time, and a frame."""
    app._allow_dispatch_event = True
    for event in (("on_key_press", keys.G, 0), ("on_update", 0.03), ("on_draw",)):
        app.dispatch_event(*event)
    app._allow_dispatch_event = False


@pytest.mark.parametrize("broken", [break_key, break_build, break_tick, break_draw])
def test_a_fault_is_written_down_and_told_and_the_table_comes_anew(
    table: Table, hand: Hand, tmp_path: Path, broken: object
) -> None:
    app = table.app
    app.reports = FaultReports(tmp_path / "reports")
    before = app.front
    assert isinstance(before, TableScreen)
    assert callable(broken)
    broken(before)
    app.refresh()
    for _ in range(3):
        turn(app)
    assert set(app.labels()) == PAGE
    (report,) = (tmp_path / "reports").iterdir()
    assert "has failed" in report.read_text()
    assert "test_faults.py" in report.read_text()
    assert len([m for m in [table.last(Resync), *table.said] if isinstance(m, Resync)]) == 2
    table.hear(*scenes.table_frames()[3:])
    hand.press(keys.ESCAPE)
    turn(app)
    assert app.front is not before
    assert "Move a group" in app.enabled()
    hand.click_on("End the card")
    assert table.intent().choice == "end"


def test_without_a_place_for_reports_a_fault_is_raised(table: Table) -> None:
    assert isinstance(table.app.front, TableScreen)
    break_build(table.app.front)
    table.app.refresh()
    with pytest.raises(RuntimeError, match="the view has failed"):
        table.app.on_draw()


def test_the_page_lets_a_person_begin_anew(table: Table, hand: Hand, tmp_path: Path) -> None:
    table.app.reports = FaultReports(tmp_path / "reports")
    assert isinstance(table.app.front, TableScreen)
    break_build(table.app.front)
    table.app.refresh()
    turn(table.app)
    hand.click_on("Begin anew")
    assert isinstance(table.app.front, ConnectScreen)
    assert table.navigator.session is None


def test_a_window_that_cannot_draw_the_page_either_ends(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    app, closed = table.app, []
    app.reports = FaultReports(tmp_path / "reports")
    monkeypatch.setattr(app, "close", lambda: closed.append(True))

    def nothing(layer: Layer) -> None:
        raise RuntimeError("nothing can be drawn")

    monkeypatch.setattr(Layer, "draw", nothing)
    for _ in range(MOST_UNDRAWN):
        assert not closed
        turn(app)
    turn(app)
    assert closed
    assert app.failed
    assert "ends" in capsys.readouterr().err
    app.failed = False


def raised(words: str) -> RuntimeError:
    try:
        raise RuntimeError(words)
    except RuntimeError as error:
        return error


def test_reports_are_few_small_and_tell_no_secret(tmp_path: Path) -> None:
    reports = FaultReports(tmp_path, lambda: ["my-token", ""], lambda: NOON)
    first = reports.write(raised(f"{Path.home()}/x my-token"), "on_draw")
    words = Path(first).read_text()
    assert "my-token" not in words
    assert HIDDEN in words
    assert str(Path.home()) not in words
    assert "~/x" in words
    assert "while: on_draw" in words
    assert "2026-11-22T12:00:00" in words
    assert reports.write(raised(f"{Path.home()}/x my-token"), "on_update") == first
    for number in range(MOST_REPORTS + 5):
        Path(reports.write(raised("x" * 100_000 + str(number)), "again")).stat()
    assert len(list(tmp_path.iterdir())) == MOST_REPORTS
    assert all(path.stat().st_size < 66_000 for path in tmp_path.iterdir())
    (tmp_path / "file").write_text("")
    assert FaultReports(tmp_path / "file").write(raised("x"), "on_draw") == ""


def test_a_profile_that_cannot_be_written_is_told_and_ends_nothing(
    app: ReadableApp, tmp_path: Path, hand: Hand
) -> None:
    (tmp_path / "file").write_text("")
    navigator = Navigator(app, UserProfile("Ann"), "test", tmp_path / "file")
    app.show(view := ConnectScreen(app, navigator))
    hand.click_on("Name")
    hand.type("e")
    assert navigator.profile.name == "Anne"
    assert "Your profile cannot be saved" in view.note
    hand.press(keys.ESCAPE)
    hand.press(keys.PLUS, keys.MOD_CTRL)
    assert app.ui.scale == 1.1
    navigator.connect(Address("127.0.0.1", 9, secure=False))
    assert navigator.session is not None
    assert "cannot be saved" in navigator.session.notice
    navigator.close()


async def test_a_fault_in_the_links_thread_is_written_down_and_it_tries_again(monkeypatch: pytest.MonkeyPatch) -> None:
    faults: list[threading.ExceptHookArgs] = []
    monkeypatch.setattr(threading, "excepthook", faults.append)
    with socket.create_server(("127.0.0.1", 0)) as server:
        link = ReconnectingSocket(
            Address("a..b", server.getsockname()[1], secure=False)
        )  # no name of a host: the library raises
        link.start()
        try:
            news: list[object] = []

            def has_come_twice() -> bool:
                news.extend(link.news())
                return len(news) >= 2

            await until(has_come_twice)
        finally:
            link.close()
    assert len(faults) >= 2
    assert all(isinstance(down, Down) for down in news)
