"""Acts of people in an evening about themselves: names, data, webhooks, accounts."""

from __future__ import annotations

from typing import Final

from tests.support.lobby_evening.evening import Evening
from tests.support.lobby_evening.server import HOST

PASSWORD: Final = "three hares in a boat"


async def keep_a_name(four: Evening) -> None:
    for visitor in (four.ann, four.ben):
        await four.take(visitor, "Keep this name")
        await four.write(visitor, "New password, 8 characters at least", PASSWORD, enters=False)
        await four.write(visitor, "The same once more", PASSWORD)
        await four.until(lambda visitor=visitor: visitor.session.registered_name)  # type: ignore[misc]  # a default has no type


async def change_a_name(four: Evening) -> None:
    await four.take(four.cid, "My account")
    await four.write(four.cid, "Another name", "Cyd")
    await four.until(lambda: four.cid.session.own_name == "Cyd")


async def save_own_data(four: Evening) -> None:
    await four.take(four.ben, "My account", "Save my data")
    await four.until(lambda: list(four.folder.rglob("my-data/*.json")))


async def be_told_elsewhere(four: Evening) -> None:
    await four.take(four.ann, "My account", "Tell me elsewhere")
    await four.write(four.ann, "Address of the webhook", f"https://{HOST}/a")
    webhook = four.ann.session.webhook
    await four.until(lambda: webhook.state is not None and webhook.state.host == HOST)
    await four.take(four.ann, "Send a test")
    await four.until(lambda: four.ann.session.notice.startswith("The test has not arrived."))
    await four.take(four.ann, "Remove")
    await four.until(lambda: webhook.state is not None and not webhook.state.host)


async def delete_an_account(four: Evening) -> None:
    await four.take(four.dora, "My account", "Delete my account", "Really delete my account")
    await four.until(lambda: four.dora.can("Connect"))


async def sign_out_everywhere_and_sign_in_by_name(four: Evening) -> None:
    await four.take(four.ben, "My account", "Sign out everywhere", "Really sign out everywhere")
    await four.write(four.ben, "Password", PASSWORD)
    await four.until(lambda: four.ben.navigator.session is not None and four.ben.session.registered_name == "Ben")
