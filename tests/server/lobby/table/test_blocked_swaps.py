"""Wishes to change places with one who has blocked whoever wishes it."""

from __future__ import annotations

from pathlib import Path

from protocol.wire import from_client as say
from protocol.wire.seating import SwapSeats
from tests.support.clients.wire import Client, running


def wishes(client: Client) -> list[int]:
    """Return the seats that those at the table are said to wish in exchange, by seat."""
    assert client.talk.table is not None
    return [seat.swap_with for seat in client.talk.table.seats]


async def test_a_wish_for_the_seat_of_one_who_has_blocked_the_person_is_told_to_all_others(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben, cid = people = [await run.client(name) for name in ("Ann", "Ben", "Cid")]
        code = await ann.create("three")
        for client in (ben, cid):
            await client.join(code)
        await ann.say(say.Relate(what="block", who=ben.talk.you))
        await ann.pinged()
        await ben.say(SwapSeats(seat=0))
        for client in (ben, cid):
            await client.until(lambda client=client: wishes(client) == [-1, 0, -1])  # type: ignore[misc]  # a default has no type
        await cid.say(SwapSeats(seat=0))
        for client in (ben, cid):
            await client.until(lambda client=client: wishes(client) == [-1, 0, 0])  # type: ignore[misc]  # as above
        await ann.until(lambda: wishes(ann) == [-1, -1, 0])
        await ben.say(SwapSeats(seat=2))
        for client in people:
            await client.until(lambda client=client: wishes(client)[1] == 2)  # type: ignore[misc]  # as above
