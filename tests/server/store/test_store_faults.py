"""A server on a failing disk: nothing is shown that is not durable, and all goes on when the disk works again."""

from pathlib import Path

from protocol.wire import from_client as say
from protocol.wire.from_server import Problem
from tests.support.clients.wire import running, two_players
from tests.support.doubles.stores import FailingStore


async def test_an_act_that_cannot_be_stored_is_refused_and_leaves_no_trace(tmp_path: Path) -> None:
    store = FailingStore()
    async with running(tmp_path, store=store) as run:
        ann, _ = await two_players(run)
        before = ann.scene.hashes
        store.failing = True
        assert await ann.intend("focus") == "store/unavailable"
        assert await ann.intend("strike", target=["seat/1"]) == "store/unavailable"
        assert ann.scene.hashes == before
        store.failing = False
        assert await ann.intend("strike", target=["seat/1"]) == ""


async def test_an_answer_that_cannot_be_stored_does_not_count(tmp_path: Path) -> None:
    store = FailingStore()
    async with running(tmp_path, store=store) as run:
        ann, ben = await two_players(run)
        await ann.intend("strike", target=["seat/1"])
        await ben.my_turn("yes")
        store.failing = True
        assert await ben.intend("yes") == "store/unavailable"
        store.failing = False
        assert await ben.intend("no") == ""


async def test_a_deadline_that_cannot_be_stored_is_tried_again(tmp_path: Path) -> None:
    store = FailingStore()
    async with running(tmp_path, store=store) as run:
        ann, ben = await two_players(run)
        await run.clock.until_sleeping(3)
        store.failing = True
        run.clock.advance(60)
        await ann.say(say.CreateTable(system="duel", scenario="two", name="More"))
        assert (await ann.hear(Problem)).code == "store/unavailable"
        store.failing = False
        while not ben.offers("rest"):
            run.clock.advance(1)
            await ben.say(say.Ping(n=1))
            ben.heard.clear()
            await ben.until(lambda: bool(ben.heard))


async def test_a_start_that_cannot_be_stored_leaves_the_table_open(tmp_path: Path) -> None:
    store = FailingStore()
    async with running(tmp_path, store=store) as run:
        ann = await run.client()
        await ann.create()
        await ann.say(say.AddBot(kind="random"))
        await ann.until(lambda: ann.talk.table is not None and ann.talk.table.seats[1].bot == "random")
        store.failing = True
        await ann.say(say.StartMatch())
        assert (await ann.hear(Problem)).code == "store/unavailable"
        store.failing = False
        await ann.say(say.StartMatch())
        await ann.my_turn()


async def test_a_match_that_somebody_else_writes_is_stopped_at_once(tmp_path: Path) -> None:
    store = FailingStore()
    async with running(tmp_path, store=store) as run:
        ann, _ = await two_players(run)
        eva, _ = await two_players(run)
        store.stolen = True
        assert await ann.intend("focus") == "match/parked"
        store.stolen = False
        assert await ann.intend("focus") == "match/parked"
        assert await eva.intend("focus") == ""


async def test_whoever_cannot_be_let_in_is_closed_and_acts_as_nobody(tmp_path: Path) -> None:
    store = FailingStore()
    async with running(tmp_path, store=store) as run:
        store.failing = True
        ann = await run.client("Ann")
        assert ann.closed == (1013, "store/unavailable")
        assert [(message.code, message.fatal) for message in ann.heard if isinstance(message, Problem)] == [
            ("store/unavailable", True)
        ]
        store.failing = False
        await ann.connect()
        assert ann.talk.welcome is not None
