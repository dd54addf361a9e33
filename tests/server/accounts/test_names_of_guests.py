"""Names of guests who come back: theirs, or another one within the bound of renames."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from protocol.limits import Rate, Rates
from protocol.wire import from_client as say
from protocol.wire.from_server import Renamed
from protocol.wire.order import OrderDone
from protocol.wire.order_requests import RenamePerson, Sanction
from tests.support.clients.wire import Client, Running
from tests.support.servers.registration import CHEAP, cheaply, keeps

LIMITS = replace(CHEAP, renames=Rates(Rate(2, 600), Rate(10, 600), Rate(100, 600)))


async def comes_back(run: Running, guest: Client, name: str) -> str:
    """Let a guest come back by this name, and return the one that they have then."""
    await guest.close()
    guest.talk.name = name
    await guest.connect()
    assert guest.talk.welcome is not None
    return guest.talk.welcome.name


async def test_another_name_of_a_known_guest_counts_as_a_rename_and_is_passed_over_beyond_the_bound(
    tmp_path: Path,
) -> None:
    async with cheaply(tmp_path, LIMITS) as run:
        ann = await run.client("Ann")
        names = [await comes_back(run, ann, name) for name in ("Bea", "Bea", "Cid", "Dot")]
        assert names == ["Bea", "Bea", "Cid", "Cid"]
        await ann.say(say.Rename(name="Dot"))
        assert await ann.problem() == "bound/renames-person"
        run.clock.advance(600 * 25 / 24)
        assert await comes_back(run, ann, "Dot") == "Dot"


async def test_a_name_that_a_moderator_gave_outlives_every_greeting_until_the_guest_renames(tmp_path: Path) -> None:
    async with cheaply(tmp_path, moderators=("Mo",)) as run:
        mo, eve = await run.client("Mo"), await run.client("Rude")
        await keeps(mo)
        await mo.say(RenamePerson(who=eve.talk.you, name="Lamb", reason="rude"))
        await mo.hear(OrderDone)
        assert [await comes_back(run, eve, name) for name in ("Rude", "Ruder")] == ["Lamb", "Lamb"]
        eve.heard.clear()
        await eve.say(say.Rename(name="Eve"))
        assert (await eve.hear(Renamed)).name == "Eve"
        assert await comes_back(run, eve, "Eva") == "Eva"


async def test_a_guest_whose_name_somebody_keeps_meanwhile_is_told_apart_whatever_the_bound(tmp_path: Path) -> None:
    async with cheaply(tmp_path, replace(LIMITS, renames=Rates(Rate(1, 600), None, None))) as run:
        ann, guest = await run.client("Ann"), await run.client("Bob")
        assert await comes_back(run, guest, "Ann") == "Ann"
        await keeps(ann)
        assert [await comes_back(run, guest, name) for name in ("Ann", "Bob")] == ["Ann (guest)", "Ann (guest)"]


async def test_a_known_guest_who_comes_by_a_banned_name_keeps_their_own(tmp_path: Path) -> None:
    async with cheaply(tmp_path, moderators=("Mo",)) as run:
        mo, eve, ada = [await run.client(name) for name in ("Mo", "Eve", "Ada")]
        await keeps(mo)
        await mo.say(Sanction(who=eve.talk.you, what="ban", reason="spam", seconds=3600, also=["name"]))
        await mo.hear(OrderDone)
        await ada.close()
        late = Client(run.port, "Eve", ada.talk.token)
        await late.connect()
        assert late.talk.ended is not None
        assert late.talk.ended.code == "session/name-banned"
        await late.close()
        assert [one.name async for one in run.server._identities.each()].count("Eve") == 1
        assert await comes_back(run, ada, "Ada") == "Ada"
