"""A match over real sockets: acts, secret answers, votes, details, undo, and ids that come twice."""

import secrets
from pathlib import Path

from msgspec.structs import replace

from protocol.ids import NodeId
from protocol.scene.fields import Pieces
from protocol.scene.nodes import Reply, SeatNode
from protocol.wire import from_client as say
from protocol.wire.codec import encode_request
from protocol.wire.from_server import Ack, Delta, Detail, Reject
from tests.support.clients.wire import Client, running, two_players


def score(client: Client, seat: int) -> int:
    assert client.talk.scene is not None
    node = client.talk.scene.nodes[NodeId(f"seat/{seat}")]
    assert isinstance(node, SeatNode)
    return node.score


async def test_a_strike_is_seen_by_both_and_costs_health(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run)
        assert await ann.intend("strike", target=["seat/1"]) == ""
        await ben.my_turn("yes")
        assert await ben.intend("no") == ""
        await run.clock.until_sleeping()
        run.clock.advance(3)
        await ben.my_turn("strike")
        await ann.until(lambda: score(ann, 1) < 10)
        await ben.until(lambda: score(ben, 1) == score(ann, 1))
        assert ann.talk.drifts == ben.talk.drifts == 0


async def test_nobody_is_told_that_someone_has_answered_in_secret(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run)
        await ann.intend("strike", target=["seat/1"])
        await ben.my_turn("yes")
        await ann.say(say.Ping(n=1))
        ann.heard.clear()
        assert await ben.intend("yes") == ""
        await ann.say(say.Ping(n=2))
        await ann.until(lambda: any(getattr(message, "n", 0) == 2 for message in ann.heard))
        assert not any(isinstance(message, Delta) for message in ann.heard)


async def test_a_vote_closes_neither_earlier_nor_later(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run)
        await ann.intend("parley")
        await ben.my_turn("yes")
        assert await ann.intend("yes") == "" == await ben.intend("yes")
        run.clock.advance(9.9)
        assert await ben.intend("no") == "answer/given"
        run.clock.advance(0.2)
        await ben.my_turn("strike")
        assert score(ben, 0) == 11


async def test_detail_names_the_next_field(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run)
        number = ann.talk.ask_detail("strike", {})
        await ann.flush()
        found = await ann.hear(Detail)
        assert found.id == number
        assert isinstance(found.field, Pieces)
        assert [option.id for option in found.field.options] == ["seat/1"]
        ben.talk.ask_detail("strike", {})
        await ben.flush()
        assert (await ben.hear(Detail)).code == "turn/not-yours"


async def test_undo_takes_back_and_says_why_not(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, _ = await two_players(run)
        assert await ann.intend("core:undo") == "undo/started"
        assert await ann.intend("focus") == ""
        assert await ann.intend("core:undo") == ""
        assert ann.prompt is not None
        assert not ann.prompt.undo.can
        await ann.intend("draw")
        assert await ann.intend("core:undo") == "undo/cards"


async def test_acts_of_others_and_unknown_choices_are_refused_with_their_reason(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run)
        assert await ben.intend("focus") == "turn/not-yours"
        assert await ann.intend("dance") == "reply/unknown-choice"
        assert await ann.intend("strike") == "reply/missing-field"
        assert await ann.intend("strike", target=["seat/5"]) == "reply/bad-field"
        assert await ann.intend("strike", target=["seat/1"], force=3) == "reply/unknown-field"
        for _ in range(3):
            assert await ann.intend("focus") == ""
        assert await ann.intend("focus") == "focus/full"


async def test_a_stale_prompt_is_refused(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, _ = await two_players(run)
        assert ann.prompt is not None
        old = say.Intent(id=secrets.token_bytes(16), prompt=ann.prompt.id, choice="rest")
        await ann.intend("focus")
        await ann.say(old)
        answer = await ann.answer(old.id)
        assert isinstance(answer, Reject)
        assert answer.code == "stale"


async def test_a_second_act_said_before_the_answer_to_the_first_counts_where_the_choices_are_the_same(
    tmp_path: Path,
) -> None:
    """Who says two acts means two; a program for people says the second after the answer to the first only."""
    async with running(tmp_path) as run:
        ann, ben = await two_players(run)
        await ann.intend("focus")
        assert ann.prompt is not None
        prompt, private = ann.prompt.id, private_number(ann)
        acts = [say.Intent(id=secrets.token_bytes(16), prompt=prompt, choice="focus") for _ in range(2)]
        for act in (*acts, acts[0]):
            await ann.raw(encode_request(act))
        first, second, again = [await ann.answer(act.id) for act in (*acts, acts[0])]
        assert isinstance(first, Ack)
        assert isinstance(second, Ack)
        assert isinstance(again, Ack)
        assert second.version == first.version + 1
        await ben.until(lambda: status(ben) == ("focus-3",))
        assert status(ann) == ("focus-3",)
        assert ann.prompt.id == prompt
        assert private_number(ann) == private, "told in private what had not changed"


async def test_a_second_act_said_before_the_answer_to_the_first_is_stale_where_the_choices_are_others(
    tmp_path: Path,
) -> None:
    async with running(tmp_path) as run:
        ann, _ = await two_players(run)
        assert ann.prompt is not None
        acts = [say.Intent(id=secrets.token_bytes(16), prompt=ann.prompt.id, choice="focus") for _ in range(2)]
        for act in acts:
            await ann.raw(encode_request(act))
        done, stale = [await ann.answer(act.id) for act in acts]
        assert isinstance(done, Ack)
        assert isinstance(stale, Reject)
        assert stale.code == "stale"
        assert status(ann) == ("focus-1",)


def private_number(client: Client) -> int:
    assert client.talk.scene is not None
    return client.talk.scene.numbers[1]


def status(client: Client) -> tuple[str, ...]:
    assert client.talk.scene is not None
    node = client.talk.scene.nodes[NodeId("seat/0")]
    assert isinstance(node, SeatNode)
    return node.status


async def test_a_repeated_id_acts_once_and_is_acknowledged_again(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run)
        assert ann.prompt is not None
        focus = say.Intent(id=secrets.token_bytes(16), prompt=ann.prompt.id, choice="focus")
        for _ in range(3):
            await ann.say(focus)
            assert isinstance(await ann.answer(focus.id), Ack)
        assert ann.talk.scene is not None
        node = ann.talk.scene.nodes[NodeId("seat/0")]
        assert isinstance(node, SeatNode)
        assert node.status == ("focus-1",)
        await ann.intend("strike", target=["seat/1"])
        await ben.my_turn("yes")
        id = ben.talk.intend(Reply("yes"), secrets.token_bytes(16))
        sealed = ben.talk.pending[id]
        await ben.flush()
        assert isinstance(await ben.answer(id), Ack)
        await run.clock.until_sleeping()
        run.clock.advance(3)
        await ben.my_turn("strike")
        await ben.say(sealed)
        assert isinstance(await ben.answer(id), Ack)


async def test_an_id_belongs_to_its_seat_and_nobody_else_is_acknowledged_for_it(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run)
        assert ann.prompt is not None
        focus = say.Intent(id=secrets.token_bytes(16), prompt=ann.prompt.id, choice="focus")
        await ann.say(focus)
        assert isinstance(await ann.answer(focus.id), Ack)
        await ann.intend("strike", target=["seat/1"])
        await ben.my_turn("yes")
        sealed = ben.talk.intend(Reply("yes"), secrets.token_bytes(16))
        answer = ben.talk.pending[sealed]
        await ben.flush()
        assert isinstance(await ben.answer(sealed), Ack)
        await refuses(ann, answer)
        await run.clock.until_sleeping()
        run.clock.advance(3)
        await ben.my_turn("strike")
        for thief, stolen in ((ben, focus), (ann, answer)):
            await refuses(thief, stolen)
            own = thief.prompt.id if thief.prompt is not None else ""
            await refuses(thief, replace(stolen, prompt=own, choice="nothing"))


async def refuses(thief: Client, stolen: say.Intent) -> None:
    await thief.say(stolen)
    assert isinstance(await thief.answer(stolen.id), Reject)


async def test_a_spectator_sees_the_public_part_and_cannot_act(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, _ = await two_players(run)
        eve = await run.client("Eve")
        assert ann.talk.table is not None
        await eve.say(say.WatchTable(table=ann.talk.table.id))
        await eve.until(lambda: eve.talk.scene is not None and eve.talk.scene.is_whole)
        assert eve.talk.scene is not None
        assert ann.talk.scene is not None
        assert "sheet/hidden" in ann.talk.scene.nodes
        assert "sheet/hidden" not in eve.talk.scene.nodes
        assert eve.prompt is None
        assert await eve.intend("rest") == "match/no-seat"
        await ann.intend("focus")
        await eve.until(lambda: eve.scene.hashes[0] == ann.scene.hashes[0])
