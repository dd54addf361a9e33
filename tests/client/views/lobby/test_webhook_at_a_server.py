"""A person in a real window at a real server sets a webhook, tries it, goes, and is told there of their turn."""

from __future__ import annotations

from pathlib import Path

from client.app.navigator import Navigator
from client.storage.profile import UserProfile
from protocol.wire import from_client as said
from server.lobby.notices.notice_watch import SETTLE_SECONDS
from tests.support.clients.programs import until
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.clients.wire import running
from tests.support.servers.webhook_host import ADDRESS, webhook_host
from tests.support.systems.hand import Hand

SECONDS = 30.0


async def test_a_webhook_is_set_and_tried_in_the_window_and_tells_of_a_turn_once_it_is_closed(
    app: ReadableApp, hand: Hand, tmp_path: Path
) -> None:
    async def click(label: str) -> None:
        """Click on something as soon as it can be clicked."""
        await until(app.turned(lambda: label in app.enabled()), SECONDS)
        hand.click_on(label)

    (tmp_path / "data").mkdir()
    navigator = Navigator(app, UserProfile("Bea"), "bea", tmp_path / "client")
    async with webhook_host(tmp_path / "host") as host, running(tmp_path / "data", webhooks=host.routes) as run:
        ann = await run.client("Ann")
        code = await ann.create()
        await ann.change(mail=True)
        try:
            assert navigator.connect_to(f"127.0.0.1:{run.port}") == ""
            session = navigator.session
            assert session is not None
            await click("My account")
            await click("Tell me elsewhere")
            hand.click_on("Address of the webhook")
            hand.type(ADDRESS)
            hand.click_on("Set")
            await click("Send a test")
            await until(app.turned(lambda: session.notice == "The test has arrived at hooks.localhost."), SECONDS)
            await click("Close")
            navigator.join(code=code)
            await until(app.turned(lambda: session.conversation.table is not None), SECONDS)
            session.say(said.SetReady(ready=True))
            table = ann.talk
            await ann.until(lambda: table.table is not None and table.table.seats[1].ready)
            who = session.conversation.you
        finally:
            navigator.close()
        await until(lambda: not run.server.lobby.is_here(who), SECONDS)
        await ann.say(said.StartMatch())
        await ann.my_turn()
        assert await ann.intend("rest") == ""
        await until(lambda: run.server.lobby.notices._due.get(who), SECONDS)
        run.clock.advance(SETTLE_SECONDS)
        words = (await host.told(2))[-1]
        assert words == f"Your turn at Duel: eschaton://127.0.0.1:{run.port}/{code}"
