"""Whoever waits for tasks that he has cancelled can be cancelled himself, and then goes no further."""

from __future__ import annotations

import asyncio

import pytest

from engine.core.audience import Seat
from engine.core.causes import Tip
from protocol.links import LinkChain
from server.links import Links
from server.tasks import stop
from tests.support.clock import JumpingClock
from tests.support.haggle import Ledger

TURNS = 12
"""More turns of the loop than a round with one program takes, from its link to its end."""


async def test_a_cancellation_while_others_end_is_ones_own() -> None:
    cancelled, may_end = asyncio.Event(), asyncio.Event()

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()
            await may_end.wait()

    working = asyncio.create_task(work())
    await asyncio.sleep(0)
    stopping = asyncio.create_task(stop([working]))
    await cancelled.wait()
    stopping.cancel()
    with pytest.raises(asyncio.CancelledError):
        await stopping
    assert not working.done()
    may_end.set()
    await stop([working])
    assert working.cancelled()


async def test_what_a_task_raises_as_it_ends_is_not_raised_to_whoever_stops_it() -> None:
    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            raise ValueError("a bug")

    working = asyncio.create_task(work())
    await asyncio.sleep(0)
    await stop([working])
    assert isinstance(working.exception(), ValueError)


@pytest.mark.parametrize("turns", range(TURNS))
async def test_a_round_that_is_given_up_does_not_begin(turns: int) -> None:
    """Whenever it is given up: as its last link comes, too, and its alarm is put away."""
    match = Ledger().match
    chain = LinkChain(bytes(32), match.id)
    match.settle(match.propose(Tip(Seat(0), chain.tip)))
    clock = JumpingClock()
    links = Links(match, clock)
    collecting = asyncio.create_task(links.collect(lambda seat, wanted: True))
    await clock.until_sleeping()
    assert links.give(Seat(0), match.record.round + 1, chain.after(chain.tip) or b"") == ""
    for _ in range(turns):
        await asyncio.sleep(0)
    was_over = not collecting.cancel()
    await asyncio.wait([collecting])
    assert was_over or collecting.cancelled()
    assert was_over or turns < TURNS - 1
