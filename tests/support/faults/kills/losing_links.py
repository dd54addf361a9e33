"""A player whose link breaks in the middle of nearly every act, compared with the server."""

from __future__ import annotations

import asyncio
import random
import secrets
import time
from dataclasses import replace
from pathlib import Path

import msgspec

from engine.core.rules.audience import Seat
from protocol.ids import MatchId
from protocol.scene.nodes import Reply
from protocol.wire.codec import encode_request
from protocol.wire.from_server import Ack
from server.app import Server
from server.content.systems import install
from server.lobby.table.table_record import TableRecord
from server.match.stored_log import act_name
from server.runtime.sealing import SealingKey
from server.runtime.signing import HostKey
from server.store.sqlite.store import SqliteStore
from tests.support.clients.wire import Client, running, two_players
from tests.support.doubles.stored import records_of
from tests.support.fairness.receipt_keeper import Keeper, hold
from tests.support.faults.kills.crash_server import ENDLESS, UNHURRIED
from tests.support.systems.duel import Duel

FORGETFUL = replace(UNHURRIED, kept_frames=3)
"""With few frames kept, so that some come back to snapshots and others to deltas."""


async def lose_links(folder: Path, losses: int, seed: int) -> dict[str, float]:
    """Act and lose the link: before the intent is sent, with half of it sent, when it is sent, or when it is answered.

    After each return: the intent is acknowledged, done once, and the client's picture is the server's.
    """
    chance = random.Random(seed)
    systems = {"duel": install(Duel(), {"endless.toml": ENDLESS.replace("scenario.endless", "scenario.two")})}
    waits: list[float] = []
    acked: list[bytes] = []
    async with running(folder, systems=systems, limits=FORGETFUL) as run:
        ann, ben = await two_players(run, reaction_seconds=0)
        for player in (ann, ben):
            player.keeper = Keeper(player.talk, folder / "receipts" / player.talk.name)
        for loss in range(losses):
            player, other = (ann, ben) if loss % 4 in (0, 3) else (ben, ann)
            is_answer = loss % 2 == 1
            target = other.talk.table.seat if other.talk.table is not None else -1
            reply = Reply("yes") if is_answer else Reply("strike", {"target": [f"seat/{target}"]})
            await player.my_turn(reply.choice)
            id = player.talk.intend(reply, secrets.token_bytes(16))
            await break_off(player, chance, id)
            began = time.perf_counter()
            await player.connect()
            await player.until(lambda player=player, id=id: id not in player.talk.pending)  # type: ignore[misc]  # a default has no type
            await until_equal(run.server, player)
            waits.append(time.perf_counter() - began)
            assert any(isinstance(m, Ack) and m.id == id for m in player.heard), "it was refused"
            assert player.talk.table is not None
            acked.append(act_name(player.talk.table.seat, id))
            ann.heard.clear()
            ben.heard.clear()
        drifts = ann.talk.drifts + ben.talk.drifts
    await check_log(folder, acked, losses)
    for keeper in (ann.keeper, ben.keeper):
        assert keeper is not None
        keeper.check()
    waits.sort()
    assert drifts == 0
    p99 = round(1000 * waits[int(len(waits) * 0.99)], 1)
    return {"losses": losses, "worst_p99_ms": p99, "drifts": drifts}


async def break_off(player: Client, chance: random.Random, id: bytes) -> None:
    """Cut the link at some moment of sending this intent."""
    when = chance.randrange(5)
    if when == 1:
        # the head of a frame of 200 bytes, and a few of them
        await player.cut(b"\x82\xfe\x00\xc8\x00\x00\x00\x00" + encode_request(player.talk.pending[id])[:20])
        return
    if when > 1:
        await player.flush()
    if when == 3:
        await asyncio.sleep(chance.random() / 200)
    if when == 4:
        await player.until(lambda: id not in player.talk.pending)
    await player.cut()


async def until_equal(server: Server, player: Client) -> None:
    """Wait until the client has the server's scene, node for node and number for number."""

    def is_equal() -> bool:
        [live] = server.lobby.tables()
        assert live.host is not None
        assert player.talk.table is not None
        projector = live.host._stepper.journal.projector
        seat = Seat(player.talk.table.seat)
        scene = player.talk.scene
        public, private = projector.public, projector.private[seat]
        if scene is None or not scene.is_whole or scene.numbers != (public.n, private.n):
            return False
        assert [own for _, own in scene.hashes] == [public.hashed.hash, private.hashed.hash]
        return True

    await player.until(is_equal)


async def check_log(folder: Path, acked: list[bytes], losses: int) -> None:
    """Check that every act is in the log once, and no other."""
    store = SqliteStore(folder / "eschaton.db")
    try:
        [(table, record)] = (await records_of(store, "table")).items()
        id = MatchId(table)
        steps = await store.read(id)
    finally:
        await store.close()
    causes = [stored.cause for stored in steps]
    strikes = acked[::2]
    assert len(set(causes)) == len(causes)
    assert [cause for cause in causes if cause in set(acked)] == strikes, "lost, doubled or out of order"
    assert len(strikes) == (losses + 1) // 2
    secret = SealingKey.at(folder / "host.key").open(msgspec.msgpack.decode(record, type=TableRecord).sealed, id)
    log, key = [stored.step for stored in steps], HostKey.at(folder / "host.ed25519")
    assert hold(id, log, secret, key, 2, folder / "receipts") == len(acked)
