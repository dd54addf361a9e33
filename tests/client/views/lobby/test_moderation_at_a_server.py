"""A moderator in a real window at a real server: a report is read, its person banned, and maintenance announced."""

from __future__ import annotations

from pathlib import Path

from arcade import key as keys

from client.app.navigator import Navigator
from client.storage.profile import UserProfile
from protocol.wire import from_client as said
from protocol.wire.from_server import ChatLine, Problem
from protocol.wire.order import Announcements
from tests.support.clients.programs import until
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.clients.wire import Client
from tests.support.servers.registration import PASSWORD, cheaply
from tests.support.systems.hand import Hand

SECONDS = 30.0
WORDS = "What everybody reads, such as: Maintenance. All matches go on afterwards."
WHY = "Why? Other moderators and the host read it"


async def test_a_report_is_read_its_person_banned_and_maintenance_announced(
    app: ReadableApp, hand: Hand, tmp_path: Path
) -> None:
    async def click(label: str) -> None:
        """Click on something as soon as it can be clicked."""
        await until(app.turned(lambda: label in app.enabled()), SECONDS)
        hand.click_on(label)

    (tmp_path / "data").mkdir()
    navigator = Navigator(app, UserProfile("Mo"), "mo", tmp_path / "client")
    async with cheaply(tmp_path / "data", moderators=("Mo",)) as run:
        ann, eve = await run.client("Ann"), Client(run.port, "Eve", address="127.0.7.2")
        run.clients.append(eve)
        await eve.connect()
        await ann.say(said.GetLobbyChat())
        await eve.say(said.Chat(text="Oaf!", where="lobby"))
        line = await ann.hear(ChatLine)
        meant = said.ReportedLine(line.text, line.at, line.number)
        await ann.say(said.Report(who=eve.talk.you, reason="abuse", line=meant))
        try:
            assert navigator.connect_to(f"127.0.0.1:{run.port}") == ""
            session = navigator.session
            assert session is not None
            await until(app.turned(lambda: session.conversation.is_welcome), SECONDS)
            assert "Moderate" not in app.labels()
            session.say(said.KeepName(password=PASSWORD))
            await click("Moderate")
            await click("Act on Eve")
            hand.click_on("Ban")
            hand.click_on("And their addresses")
            hand.click_on(WHY)
            hand.type("Abuse")
            hand.click_on("Ban Eve")
            assert (await eve.hear(Problem)).code == "session/banned"
            await until(app.turned(lambda: session.notice == "Eve is banned."), SECONDS)
            await click("What was done")
            await until(app.turned(lambda: any("Mo banned Eve" in label for label in app.labels())), SECONDS)
            await click("Announcements")
            await click("In 10 min")
            hand.click_on(WORDS)
            hand.type("Maintenance")
            hand.press(keys.ENTER)
            assert [row.text for row in (await ann.hear(Announcements)).rows] == ["Maintenance"]
            await click("Take back: Maintenance")
            await ann.hear(Announcements, lambda told: not told.rows)
        finally:
            navigator.close()
