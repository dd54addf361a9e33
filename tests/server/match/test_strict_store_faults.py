"""An act at a strict table that is put off when the store fails is carried out later, and its player is told so."""

from __future__ import annotations

from pathlib import Path

from engine.core.match.causes import Deferred, Intended, PartsOpened
from protocol.scene.nodes import Reply
from protocol.wire.from_server import Ack, EntropyWanted, Reject
from server.match.host import RETRY_SECONDS
from tests.server.match.test_strict_tables import ben_by_hand, kinds, steps_of
from tests.support.clients.dice.linking import table_of
from tests.support.clients.wire import running
from tests.support.doubles.stores import FailingStore
from tests.support.systems.gamblers import GAMBLERS

ID, OTHER = b"a" * 16, b"b" * 16


async def test_an_act_that_is_fixed_when_the_store_fails_is_said_to_be_and_is_carried_out(tmp_path: Path) -> None:
    store = FailingStore()
    async with running(tmp_path, systems=GAMBLERS, store=store) as run:
        ann, ben, chain = await ben_by_hand(run)

        async def refusal(id: bytes) -> str:
            """Return the words with which an act is refused once Ben's program has added to the one that is fixed."""
            ann.talk.intend(Reply("gamble"), id)
            await ann.flush()
            wanted = await ben.hear(EntropyWanted)
            store.failing = True
            await ben.say(chain.part(wanted))
            refused = await ann.answer(id)
            assert isinstance(refused, Reject)
            assert refused.code == "store/unavailable"
            return refused.text.k

        assert await refusal(ID) == "store.put_off"
        # of what another act would have changed, nothing has
        assert await refusal(OTHER) == "refuse.store/unavailable"
        assert await refusal(ID) == "store.put_off"
        store.failing = False
        await run.clock.until_sleeping()
        run.clock.advance(RETRY_SECONDS)
        await ben.say(chain.part(await ben.hear(EntropyWanted)))
        ann.talk.intend(Reply("gamble"), ID)
        await ann.flush()
        assert isinstance(await ann.answer(ID), Ack)
        steps = await steps_of(run, table_of(ann))
        assert kinds(steps)[-3:] == [Deferred, PartsOpened, Intended]
        assert steps[-1].cause.id == ID
