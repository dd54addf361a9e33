"""An army list built in a real window, at a real server, and brought to a match that begins with it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from client.app.navigator import Navigator
from client.storage.profile import UserProfile
from client.views.table.table_screen import TableScreen
from protocol.wire.from_client import AddBot, CreateTable
from protocol.wire.from_server import TableView
from tests.support.clients.programs import Program, until
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.systems.hand import Hand
from tests.support.systems.mustered import NAME

SECONDS = 30.0


async def test_a_list_is_built_and_played_with(app: ReadableApp, hand: Hand, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    server = Program(
        tmp_path, "server", "tests.support.systems.mustered_server", str(tmp_path / "data"), is_forked=True
    )
    await server.start()
    navigator = Navigator(app, UserProfile("Ada"), "ada", tmp_path / "client")

    def sees(label: str) -> Callable[[], bool]:
        return app.turned(lambda: label in app.labels())

    def table() -> TableView | None:
        return navigator.session.conversation.table if navigator.session is not None else None

    try:
        port = (await server.said())["port"]
        assert navigator.connect_to(f"127.0.0.1:{port}") == ""
        assert navigator.session is not None
        session = navigator.session
        await until(app.turned(lambda: session.conversation.systems), SECONDS)
        session.say(CreateTable(system=NAME, scenario="two", name="Muster"))
        await until(sees("Army list"), SECONDS)
        hand.click_on("Army list")
        await until(sees("Take the ready list"), SECONDS)
        hand.click_on("Take the ready list")
        await until(app.turned(lambda: "Play with this list" in app.enabled()), SECONDS)
        hand.click_on("Play with this list")
        await until(app.turned(lambda: (seen := table()) is not None and seen.seats[0].brings is not None), SECONDS)
        session.say(AddBot(kind="hard"))
        hand.click_on("Ready")
        await until(app.turned(lambda: "Start" in app.enabled()), SECONDS)
        hand.click_on("Start")
        await until(app.turned(lambda: isinstance(app.front, TableScreen)), SECONDS)
        begun = table()
        assert begun is not None
        assert [seat.brings is not None for seat in begun.seats] == [True, True]
        assert begun.seats[0].faction == "brood_of_ossa"
    finally:
        navigator.close()
        assert await server.end() == 0
