"""Pictures of what people in the lobby say to and know of each other, of the order among them, and of accounts."""

from __future__ import annotations

from typing import Final

from protocol.game_links import GameLink
from protocol.wire.from_client import Chat, Relate
from tests.support.clients.wire import Client
from tests.support.lobby_evening.evening import Evening
from tests.support.lobby_evening.order_features import REASON, WORDS
from tests.support.lobby_evening.people_features import TALK
from tools.pictures.camera import Camera

TALKED: Final = (
    ("Cid", "Anybody for a patrol of four at eight?"),
    ("Ben", "Ann and I are in. Harrow Cross?"),
    ("Dora", "I bring the Lodestones."),
    ("Ann", "Table is open, bring your own dice stories."),
    ("Cid", "Dora could not hit a barn with those dice."),
)
GUEST: Final = "Emil"
ASKED: Final = "Is there a seat for a beginner?"


async def talk(four: Evening, _: Camera) -> None:
    """Let all say something in the lobby, and become friends."""
    by_name = {visitor.name: visitor for visitor in four.visitors}
    for name, words in TALKED:
        await four.write(by_name[name], TALK, words)
        reader = four.ann if name != "Ann" else four.ben
        await four.until(lambda reader=reader, line=f"{name}: {words}": reader.sees(line))  # type: ignore[misc]  # a default has no type
    for other in (four.ben, four.dora):
        other.session.say(Relate(what="ask", name="Ann"))
        await four.until(lambda: four.ann.session.people.waiting == 1)
        four.ann.session.say(Relate(what="accept", who=other.session.conversation.you))
        await four.until(lambda: four.ann.session.people.waiting == 0)
    four.cid.session.say(Relate(what="ask", name="Ann"))
    await four.until(lambda: four.ann.session.people.waiting == 1)


async def people(four: Evening, camera: Camera) -> None:
    """Show friends, requests, the card of a person, and a report."""
    await four.take(four.ann, "People", "Friends")
    await four.until(lambda: four.ann.sees("About Ben") and four.ann.sees("About Dora"))
    camera.take_page(four.ann.app, "friends", 190)
    await four.take(four.ann, "They ask")
    await four.until(lambda: four.ann.sees("Accept: Cid"))
    camera.take_page(four.ann.app, "requests", 130)
    four.ann.close_pages()
    await four.take(four.ann, f"Cid: {TALKED[-1][1]}")
    await four.until(lambda: four.ann.can("Mute"))
    camera.take_page(four.ann.app, "person")
    await four.take(four.ann, "Report to the host", "Abuse")
    await four.write(four.ann, "In your words, if you like", "That was not kind.", enters=False)
    camera.take_page(four.ann.app, "report")
    await four.take(four.ann, "Send the report")
    await four.until(lambda: four.ann.session.notice == "The host has your report.")


async def guest(four: Evening, camera: Camera) -> None:
    """Show the card of a guest, who cannot be a friend yet."""
    passer = Client(four.ann.session.address.port, GUEST)
    await passer.connect()
    await passer.say(Chat(text=ASKED, where="lobby"))
    await four.take(four.ann, f"{GUEST}: {ASKED}")
    await four.until(lambda: four.ann.can("Mute"))
    four.ann.session.notice = ""
    camera.take_page(four.ann.app, "guest")
    await passer.close()


async def order(four: Evening, camera: Camera) -> None:
    """Show the page of moderators, the form of an act, and what everybody reads."""
    await four.take(four.ben, "Moderate")
    await four.until(lambda: four.ben.can("Act on Cid"))
    camera.take_page(four.ben.app, "moderate", 290)
    await four.take(four.ben, "Act on Cid")
    await four.write(four.ben, REASON, "Unkind to Dora", enters=False)
    camera.take_page(four.ben.app, "moderator-act")
    await four.take(four.ben, "Mute Cid")
    await four.until(lambda: four.ben.session.notice == "Cid is muted.")
    await four.take(four.ben, "Announcements")
    await four.write(four.ben, WORDS, "Maintenance. All matches go on afterwards.", enters=False)
    await four.take(four.ben, "Announce")
    await four.until(lambda: any(label.startswith("Take back:") for label in four.ben.app.labels()))
    camera.take(four.ben.app, "announcements")
    await four.take(four.ben, "Take back: Maintenance. All matches go on afterwards.")
    await four.take(four.ben, "Bans and mutes")
    await four.until(lambda: any(label.startswith("Lift: Cid") for label in four.ben.app.labels()))
    camera.take_page(four.ben.app, "bans", 128)
    await four.take(four.ben, next(label for label in four.ben.app.labels() if label.startswith("Lift: Cid")))
    await four.write(four.ben, REASON, "Says sorry")
    await four.take(four.ben, "What was done")
    await four.until(lambda: any("lifted the mute of Cid" in label for label in four.ben.app.labels()))
    camera.take_page(four.ben.app, "audit", 276)


async def account(four: Evening, camera: Camera) -> None:
    """Show what concerns oneself alone: name, data, webhook, the end of an account, a link to an unknown host."""
    await four.take(four.dora, "My account", "Delete my account")
    camera.take_page(four.dora.app, "account")
    four.dora.close_pages()
    await four.take(four.dora, "Change password")
    camera.take_page(four.dora.app, "keep-name")
    four.dora.close_pages()
    await four.take(four.dora, "My account", "Tell me elsewhere")
    await four.write(four.dora, "Address of the webhook", "https://discord.com/api/webhooks/1234/abcd")
    await four.until(lambda: four.dora.can("Send a test"))
    camera.take_page(four.dora.app, "webhook")
    await four.take(four.dora, "Remove")
    four.dora.close_pages()
    four.dora.navigator.links.visit(GameLink("table.example.org", 8440, "ABCDEFGHJK"))
    camera.take_page(four.dora.app, "unknown-host")
    four.dora.back()


async def arrive(four: Evening, camera: Camera) -> None:
    """Show where one comes in, as a guest or by the name that one keeps."""
    await four.take(four.dora, "Another server")
    await four.until(lambda: four.dora.can("Connect"))
    camera.take(four.dora.app, "arrive")
