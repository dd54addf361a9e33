"""Spectators are told the facts of a step before they are shown its dice, however many are served in turn."""

from __future__ import annotations

from pathlib import Path

from protocol.proof.facts import Rolled
from protocol.scene.nodes import RollId
from protocol.wire import from_client as say
from protocol.wire.from_server import Delta, Proof
from server.match.spectator_queue import SLICE
from tests.server.lobby.table.test_roles import watching
from tests.support.clients.wire import Client, running, two_players


def seen_unproven(client: Client) -> set[RollId]:
    """Return the rolls that a client was shown before it was told of them."""
    told, unproven = set[RollId](), set[RollId]()
    for message in client.heard:
        if isinstance(message, Proof):
            told |= {RollId(fact.round, fact.n) for fact in message.facts if isinstance(fact, Rolled)}
        elif isinstance(message, Delta):
            shown = {RollId(cue.dice.round, cue.dice.n) for cue in message.cues if cue.dice is not None}
            unproven |= shown - told
    return unproven


def has_seen_dice(client: Client) -> bool:
    return any(isinstance(m, Delta) and any(cue.dice is not None for cue in m.cues) for m in client.heard)


async def test_facts_come_before_the_dice_whatever_the_order_of_those_who_look_on(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run)
        crowd = [await watching(run, ann, f"Eve{number}") for number in range(2 * SLICE + 2)]
        # they ask in another order than they came, so that facts and pictures are served in different orders
        for client in reversed(crowd):
            assert client.talk.table is not None
            await client.say(say.GetProof(table=client.talk.table.id))
            await client.hear(Proof, lambda proof: not proof.more, keep=True)
        assert await ann.intend("strike", target=["seat/1"]) == ""
        await ben.my_turn("no")
        assert await ben.intend("no") == ""
        await run.clock.until_sleeping()
        run.clock.advance(3)
        for client in crowd:
            await client.until(lambda client=client: has_seen_dice(client))  # type: ignore[misc]  # a default has no type
        assert [seen_unproven(client) for client in crowd] == [set()] * len(crowd)
