"""A server that ends and comes back on the same files: every match goes on where it was."""

from pathlib import Path

from protocol.ids import NodeId, match_of
from protocol.wire import from_client as say
from protocol.wire.from_server import Problem
from server.store.sqlite.store import SqliteStore
from tests.support.clients.wire import Client, duel, running, two_players
from tests.support.doubles.clock import JumpingClock


async def back(client: Client, port: int) -> None:
    """Connect to the server's new port."""
    client.port = port
    await client.connect()


async def test_a_match_goes_on_with_the_same_cards_and_turn(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run)
        await ann.intend("draw")
        assert ann.talk.scene is not None
        before = ann.talk.scene.hashes, dict(ann.talk.scene.private.nodes)[NodeId("sheet/hidden")]
    async with running(tmp_path) as run:
        run.clients += [ann, ben]
        await back(ann, run.port)
        await ann.my_turn()
        assert ann.talk.scene is not None
        assert ann.talk.scene.hashes[0][1] == before[0][0][1]
        assert dict(ann.talk.scene.private.nodes)[NodeId("sheet/hidden")] == before[1]
        assert await ann.intend("rest") == ""
        await back(ben, run.port)
        await ben.my_turn()


async def test_a_secret_answer_outlives_a_restart_and_the_question_gets_its_full_time(tmp_path: Path) -> None:
    clock = JumpingClock()
    async with running(tmp_path, clock=clock) as run:
        ann, ben = await two_players(run, seconds=30, reaction_seconds=5)
        assert await ann.intend("parley") == ""
        await ann.my_turn("yes")
        await ben.my_turn("yes")
        assert await ann.intend("yes") == ""
        clock.advance(9)
    async with running(tmp_path, clock=clock) as run:
        run.clients += [ann, ben]
        await back(ann, run.port)
        await back(ben, run.port)
        await ben.my_turn("yes")
        clock.advance(9)
        assert await ben.intend("yes") == ""
        clock.advance(2)
        await ben.my_turn("strike")
        assert ben.talk.scene is not None
        # both agreed: Ann's answer of before the restart counted
        assert getattr(ben.talk.scene.nodes[NodeId("seat/0")], "score", 0) == 11


async def test_an_act_that_was_stored_but_not_acknowledged_is_not_done_twice(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run)
        assert ann.prompt is not None
        focus = say.Intent(id=b"f" * 16, prompt=ann.prompt.id, choice="focus")
        await ann.say(focus)
        await ann.answer(focus.id)
    async with running(tmp_path) as run:
        run.clients += [ann, ben]
        ann.talk._pending[focus.id] = focus  # the acknowledgement was lost
        await back(ann, run.port)
        assert type(await ann.answer(focus.id)).__name__ == "Ack"
        assert ann.talk.scene is not None
        assert getattr(ann.talk.scene.nodes[NodeId("seat/0")], "status", ()) == ("focus-1",)


async def test_a_match_of_other_rules_is_parked_and_the_others_go_on(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run)
        await ann.intend("strike", target=["seat/1"])
        eva, eve = await two_players(run)
        assert ann.talk.table is not None
        broken = ann.talk.table.id
    store = SqliteStore(tmp_path / "eschaton.db")
    fence = await store.open_match(match_of(broken))
    version = await store.version(match_of(broken))
    await store.append(match_of(broken), fence, b"x" * 16, version, b"\x94\x09\xc0\x90\xc0")
    await store.close()
    async with running(tmp_path) as run:
        run.clients += [ann, ben, eva, eve]
        await back(ann, run.port)
        assert (await ann.hear(Problem)).code == "match/parked"
        await back(eva, run.port)
        await eva.my_turn()
        assert await eva.intend("focus") == ""
        assert [line["event"] for line in run.lines if line["level"] == "error"] == ["parked"]


async def test_an_unreadable_table_is_named_and_the_others_are_there(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann = await run.client()
        await ann.create()
    store = SqliteStore(tmp_path / "eschaton.db")
    await store.put_record("table", "broken", b"\xc1")
    await store.close()
    async with running(tmp_path) as run:
        run.clients.append(ann)
        await back(ann, run.port)
        assert ann.talk.lobby is not None
        assert len(ann.talk.lobby.tables) == 1
        assert [line["table"] for line in run.lines if line["event"] == "unreadable"] == ["broken"]


async def test_a_long_match_is_read_from_its_snapshot(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run)
        assert ann.talk.table is not None
        table = ann.talk.table.id
        for _ in range(105):
            run.clock.advance(0.4)
            assert await ann.intend("focus") == ""
            assert await ann.intend("core:undo") == ""
        await ann.intend("draw")
    store = SqliteStore(tmp_path / "eschaton.db")
    snapshot = await store.snapshot(match_of(table))
    await store.close()
    assert snapshot is not None
    assert snapshot.version >= 200
    async with running(tmp_path) as run:
        run.clients += [ann, ben]
        await back(ann, run.port)
        await ann.my_turn()
        assert await ann.intend("rest") == ""


async def test_lobby_identities_and_chat_rules_outlive_a_restart(tmp_path: Path) -> None:
    async with running(tmp_path, systems=duel()) as run:
        ann = await run.client("Ann")
        code = await ann.create("three", private=True)
        await ann.say(say.ChangeTable(watchers_heard=True, seconds=77))
        await ann.until(lambda: ann.talk.table is not None and ann.talk.table.seconds == 77)
        you = ann.talk.you
    async with running(tmp_path) as run:
        run.clients.append(ann)
        await back(ann, run.port)
        await ann.until(lambda: ann.talk.table is not None)
        assert ann.talk.table is not None
        assert ann.talk.you == you
        assert (ann.talk.table.code, ann.talk.table.watchers_heard) == (code, True)
