"""Following links: to a seat, to watch, to one's own seat, and to the replay of a finished match."""

from __future__ import annotations

from pathlib import Path

import pytest

from protocol.wire import from_client as say
from protocol.wire.from_server import FilePart
from protocol.wire.links import FollowLink, LinkedReplay
from protocol.wire.results import Results
from tests.support.clients.programs import until
from tests.support.clients.wire import Client, Running, rest_to_the_end, running

pytestmark = pytest.mark.waits


async def follow(client: Client, code: str) -> None:
    await client.say(FollowLink(code=code))


async def sat_down(run: Running, *, private: bool) -> tuple[Client, Client, str]:
    """Let Ben follow the link to Ann's table of two; return the code of the link, too."""
    ann, ben = await run.client("Ann"), await run.client("Ben")
    code = await ann.create("two", private=private)
    await follow(ben, code)
    await ben.until(lambda: ben.talk.table is not None and ben.talk.table.seat == 1)
    return ann, ben, code


async def begun(ann: Client, ben: Client) -> None:
    for player in (ann, ben):
        await player.say(say.SetReady(ready=True))
    await ann.until(lambda: ann.talk.table is not None and all(seat.ready for seat in ann.talk.table.seats))
    await ann.say(say.StartMatch())
    await ben.until(lambda: ben.state == "live")


async def link_of(client: Client) -> str:
    """Return the code of the newest result of a person, once there is one."""
    found: list[str] = []

    async def is_told() -> bool:
        await client.say(say.GetResults())
        rows = (await client.hear(Results)).results
        found[:] = [row.code for row in rows]
        return bool(found)

    await until(is_told)
    return found[0]


async def test_a_link_leads_to_a_free_seat_then_to_watch_and_back_to_ones_own_seat(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben, code = await sat_down(run, private=False)
        cid = await run.client("Cid")
        await follow(cid, code)
        await cid.until(lambda: cid.talk.table is not None and cid.talk.table.seat == -1)
        await begun(ann, ben)
        await ben.close()
        await ben.connect()
        ben.talk.table = None
        await follow(ben, code)
        await ben.until(lambda: ben.talk.table is not None and ben.talk.table.seat == 1)
        await follow(ann, "A" * 10)
        assert await ann.problem() == "table/unknown-code"


async def test_the_link_to_a_public_table_leads_to_its_replay_once_it_is_over(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben, code = await sat_down(run, private=False)
        await begun(ann, ben)
        await rest_to_the_end(ann, ben)
        assert await link_of(ann) == code
        cid = await run.client("Cid")
        await follow(cid, code)
        await cid.say(say.GetReplay(table=(await cid.hear(LinkedReplay)).table))
        assert (await cid.hear(FilePart)).data


async def test_the_replay_of_a_private_table_has_a_link_of_its_own_which_outlives_a_restart(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben, code = await sat_down(run, private=True)
        await begun(ann, ben)
        await rest_to_the_end(ann, ben)
        link = await link_of(ann)
        assert link not in ("", code)
        eve = await run.client("Eve")
        await follow(eve, code)
        assert await eve.problem() == "table/unknown-code"
    async with running(tmp_path) as run:
        run.clock.advance(400 * 24 * 3600)
        cid = await run.client("Cid")
        await follow(cid, link)
        table = (await cid.hear(LinkedReplay)).table
        await cid.say(say.GetReplay(table=table))
        assert (await cid.hear(FilePart)).data
        eve = await run.client("Eve")
        await eve.say(say.GetReplay(table=table))
        assert await eve.problem() == "table/unknown"


async def test_whoever_was_removed_follows_no_link_to_the_table_or_its_replay(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben, code = await sat_down(run, private=True)
        await ann.say(say.RemoveSeat(seat=1))
        await ann.until(lambda: ann.talk.table is not None and not ann.talk.table.seats[1].who)
        cid = Client(run.port, "Cid", address="127.0.0.2")
        await cid.connect()
        run.clients.append(cid)
        await ann.say(say.NewCode())
        await ann.until(lambda: ann.talk.table is not None and ann.talk.table.code not in ("", code))
        assert ann.talk.table is not None
        await follow(cid, ann.talk.table.code)
        await cid.until(lambda: cid.talk.table is not None and cid.talk.table.seat == 1)
        await begun(ann, cid)
        await rest_to_the_end(ann, cid)
        await follow(ben, await link_of(ann))
        assert await ben.problem() == "table/removed"


async def test_a_link_is_a_try_at_a_code_like_any_other(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        eve = await run.client("Eve")
        for _ in range(6):
            await follow(eve, "A" * 10)
        refused = [await eve.problem() for _ in range(6)]
        assert refused == ["table/unknown-code"] * 5 + ["table/code-tries"]
