"""Whoever waits for tasks that they have cancelled can be cancelled themselves, and then goes no further."""

from __future__ import annotations

import asyncio

import pytest

from engine.core.match.causes import EntropyCall, EntropyTip, Seats
from engine.core.rules.audience import Seat
from protocol.wire.from_server import EntropyWanted
from server.match.entropy import EntropyCollector
from server.match.news import PartWanted, TablePort, TableState
from server.runtime.tasks import stop
from tests.support.clients.dice.linking import HandMade
from tests.support.doubles.clock import JumpingClock
from tests.support.fairness.signing import HOST
from tests.support.systems.haggle import Ledger

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
    """Whenever it is given up: as its last part comes, too, and its alarm is put away."""
    ledger = Ledger(parts=True)
    match = ledger.match
    chain = HandMade(match.id, match.origin)
    ledger.do(Seats(("person", "empty", "empty")))
    ledger.do(EntropyTip(Seat(0), chain.links.tip, chain.key.public))
    ledger.do(EntropyCall())
    clock, wanted = JumpingClock(), list[EntropyWanted]()
    port = TablePort(lambda news: wanted.append(news.message) if isinstance(news, PartWanted) else None)
    port.state = TableState(tipped=frozenset({0}))
    entropy = EntropyCollector(match, HOST, clock, port)
    assert entropy.know(Seat(0), chain.links.tip, chain.key.public) == ""
    collecting = asyncio.create_task(entropy.collect(is_new=True))
    await clock.until_sleeping()
    [asked] = wanted
    part = chain.part(asked)
    assert entropy.give(Seat(0), part.round, part.link, part.proof) == ""
    for _ in range(turns):
        await asyncio.sleep(0)
    was_over = not collecting.cancel()
    await asyncio.wait([collecting])
    assert was_over or collecting.cancelled()
    assert was_over or turns < TURNS - 1
