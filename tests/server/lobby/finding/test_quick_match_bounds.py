"""Quick matches count against the tables opened and the matches started of all their people."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from protocol.limits import HOUR, Limits, Rate, Rates
from protocol.wire import from_client as say
from protocol.wire.quick_match import Seeking
from server.lobby.finding.quick_match import CONFIRM_SECONDS, FILL_SECONDS
from tests.server.lobby.finding.test_quick_match import heard, offered, passed, seek
from tests.support.clients.wire import Client, Running, running

ONE = Rates(Rate(1, HOUR), Rate(100, HOUR), Rate(100, HOUR))
LIMITS = Limits(handshakes_per_second=1000, sockets_per_address=1000)


async def played(run: Running, *clients: Client) -> None:
    """Have these people put together, and their match started."""
    for client in clients:
        await seek(client)
    for client, offer in zip(clients, await offered(run, *clients), strict=True):
        await client.say(say.ConfirmMatch(match=offer.id))
    for client in clients:
        await client.until(lambda c=client: c.state == "live")  # type: ignore[misc]  # a default has no type


@pytest.mark.parametrize(
    ("kind", "limits"), [("openings", replace(LIMITS, openings=ONE)), ("starts", replace(LIMITS, starts=ONE))]
)
async def test_who_has_started_so_many_looks_for_no_other(tmp_path: Path, kind: str, limits: Limits) -> None:
    async with running(tmp_path, limits=limits) as run:
        ann, ben = await run.client("Ann"), await run.client("Ben")
        await played(run, ann, ben)
        for client in (ann, ben):
            await client.say(say.SeekMatch(systems=["duel"], seats=[2]))
            assert await client.problem() == f"bound/{kind}-person"


async def test_a_consent_or_a_match_with_bots_is_refused_to_who_has_started_so_many_meanwhile(tmp_path: Path) -> None:
    async with running(tmp_path, limits=replace(LIMITS, openings=ONE)) as run:
        ann, ben = await run.client("Ann"), await run.client("Ben")
        await seek(ann)
        await passed(run, FILL_SECONDS, ann)
        await ann.create()
        await ann.say(say.FillWithBots())
        assert await ann.problem() == "bound/openings-person"
        await seek(ben)
        [offer, _] = await offered(run, ann, ben)
        await ann.say(say.ConfirmMatch(match=offer.id))
        assert await ann.problem() == "bound/openings-person"
        await ben.say(say.ConfirmMatch(match=offer.id))
        await passed(run, CONFIRM_SECONDS + 4, ann, ben)
        assert [told.on for told in heard(ann, Seeking)] == [False]
        assert [told.on for told in heard(ben, Seeking)] == [True], "who is not bound keeps their place"


async def test_a_match_with_bots_counts_once(tmp_path: Path) -> None:
    async with running(tmp_path, limits=replace(LIMITS, openings=ONE, starts=ONE)) as run:
        ann = await run.client("Ann")
        await seek(ann)
        await passed(run, FILL_SECONDS, ann)
        await ann.say(say.FillWithBots())
        await ann.until(lambda: ann.state == "live")
