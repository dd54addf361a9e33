"""A sealed answer counts once the store has it, and not before."""

from __future__ import annotations

import asyncio

import pytest

from engine.core.match.causes import Answered, Intended, RoundOpened, Start
from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from engine.core.rules.system import Setup
from protocol.ids import MatchId
from protocol.scene.nodes import Reply
from server.match.stored_log import StoredLog
from server.runtime.loop_turns import LoopTurns
from server.store.port import Fence, SealResult, StoreError
from tests.support.doubles.memory_store import MemoryStore
from tests.support.systems.duel import TOML, Duel
from tests.support.systems.duel_state import Strike

MATCH = MatchId("m1")


class SlowSeals(MemoryStore):
    """A store that keeps no answer before its gate is open, and none at all once it is `broken`."""

    def __init__(self) -> None:
        super().__init__()
        self.gate, self.reached = asyncio.Event(), asyncio.Event()
        self.broken = False

    async def seal(
        self, match: MatchId, fence: Fence, question: str, seat: int, cause: bytes, answer: bytes
    ) -> SealResult:
        self.reached.set()
        await self.gate.wait()
        if self.broken:
            raise StoreError("the disk is full")
        return await super().seal(match, fence, question, seat, cause, answer)


async def asked(store: SlowSeals) -> tuple[StoredLog, Answered]:
    """A duel in which seat 1 is asked in secret, and its answer."""
    resolved = Duel().setup(Duel().content({"duel.toml": TOML}), Setup("two", ("", "")))
    ledger = StoredLog(
        Match(Duel(), MATCH, MatchDice(bytes(32), MATCH)), store, await store.open_match(MATCH), LoopTurns()
    )
    strike = ledger.match.codec.encode_intent(Strike(1))
    for cause in (Start(MATCH, 2, resolved), RoundOpened(), Intended(0, bytes(16), strike)):
        await ledger.commit(cause)
    question = ledger.match.question
    assert question is not None
    return ledger, Answered(1, b"1" * 16, question.id, Reply("yes"))


async def test_an_answer_is_not_held_before_it_is_durable() -> None:
    store = SlowSeals()
    ledger, answer = await asked(store)
    sealing = asyncio.create_task(ledger.seal(answer))
    await store.reached.wait()
    assert ledger.match.given(Seat(1)) is None
    assert await ledger.find(1, answer.id) is None
    store.gate.set()
    await sealing
    assert ledger.match.given(Seat(1)) == answer
    assert [kept.seat for kept in await store.sealed(MATCH)] == [1]


async def test_an_answer_that_the_store_cannot_keep_may_be_given_again() -> None:
    store = SlowSeals()
    store.broken = True
    store.gate.set()
    ledger, answer = await asked(store)
    with pytest.raises(StoreError):
        await ledger.seal(answer)
    assert ledger.match.given(Seat(1)) is None
    store.broken = False
    await ledger.seal(answer)
    assert ledger.match.given(Seat(1)) == answer
