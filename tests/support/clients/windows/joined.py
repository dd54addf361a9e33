"""A window that has come to a table of somebody else at a real server, before its match begins."""

from __future__ import annotations

from client.app.navigator import Navigator
from client.model.session import ClientSession
from protocol.wire.from_client import CreateTable
from protocol.wire.from_server import TableView
from tests.support.clients.programs import until
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.clients.wire import Client, Running

SECONDS = 30.0


async def join_a_table(
    app: ReadableApp, navigator: Navigator, run: Running, scenario: str
) -> tuple[Client, ClientSession]:
    """Let Ann open a private table of the card game, and a window follow her by its code; return Ann and the window's
    session."""
    ann = await run.client("Ann")
    await ann.say(CreateTable(system="action_cards", scenario=scenario, name="Ours", private=True))
    code = (await ann.hear(TableView)).code
    assert navigator.connect_to(f"127.0.0.1:{run.port}") == ""
    session = navigator.session
    assert session is not None
    await until(app.turned(lambda: session.conversation.lobby is not None), SECONDS)
    navigator.join(code=code)
    return ann, session
