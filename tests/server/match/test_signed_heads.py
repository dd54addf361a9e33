"""Every acknowledgement is a signed receipt of the history so far."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Any

import pytest

from client.fairness import verify
from engine.core.match.match import Match
from engine.core.rules.dice import MatchDice
from protocol.ids import TableId, match_of
from protocol.proof.signed_texts import receipt_text, receipts_root, said_digest
from protocol.scene.nodes import Reply
from protocol.wire.from_server import Ack
from tests.support.clients.wire import Client, Running, running, two_players
from tests.support.doubles.gated_store import GatedStore
from tests.support.systems.duel import Duel

SAID = {choice: said_digest(choice, {}) for choice in ("focus", "rest")}


def check_receipt(key: bytes, table: TableId, seat: int, receipt: Ack, choice: str, head: bytes) -> None:
    """Raises DoesNotHold."""
    words = receipt_text(match_of(table), seat, receipt.id, SAID[choice], receipt.question, receipt.version, head)
    root = receipts_root(words, receipt.place, receipt.path)
    assert root is not None
    verify.check_signature(key, receipt.signature, "receipts", root)


async def acknowledged(player: Client, choice: str) -> Ack:
    await player.my_turn()
    id = player.talk.intend(Reply(choice, {}), secrets.token_bytes(16))
    await player.flush()
    answer = await player.answer(id)
    assert isinstance(answer, Ack)
    return answer


async def heads_of(run: Running, table: TableId) -> list[bytes]:
    """The heads of the stored match, from that of its first step."""
    [live] = run.server.lobby.tables()
    secret = run.server.lobby.matches.secret(live.record)
    match: Match[Any] = Match(Duel(), match_of(table), MatchDice(secret, match_of(table)))
    heads = []
    for stored in await run.server.store.read(match_of(table)):
        match.replay(stored.step)
        heads.append(match.head)
    return heads


async def test_an_acknowledgement_carries_the_hosts_signature_of_the_head(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run)
        receipts = [await acknowledged(ann, "focus"), await acknowledged(ann, "rest"), await acknowledged(ben, "rest")]
        assert ann.talk.welcome is not None
        assert ann.talk.table is not None
        key, table = ann.talk.welcome.key, ann.talk.table.id
        heads = await heads_of(run, table)
        for receipt, choice, seat in zip(receipts, ("focus", "rest", "rest"), (0, 0, 1), strict=True):
            check_receipt(key, table, seat, receipt, choice, receipt.head)
            assert heads[receipt.version - 1] == receipt.head
            assert (receipt.place, receipt.path) == (0, b"")
        with pytest.raises(verify.VerificationFailed):
            check_receipt(key, table, 0, receipts[0], "focus", heads[0])
        with pytest.raises(verify.VerificationFailed):
            check_receipt(key, table, 0, receipts[0], "rest", receipts[0].head)
        with pytest.raises(verify.VerificationFailed):
            check_receipt(key, table, 1, receipts[0], "focus", receipts[0].head)


async def test_acts_made_durable_together_share_a_signature(tmp_path: Path) -> None:
    store = GatedStore()
    async with running(tmp_path, store=store) as run:
        players = [(await two_players(run))[0] for _ in range(3)]
        store.gate.clear()
        ids = []
        for player in players:
            store.reached.clear()
            ids.append(player.talk.intend(Reply("focus", {}), secrets.token_bytes(16)))
            await player.flush()
            await store.reached.wait()
        store.gate.set()
        receipts = [await player.answer(id) for player, id in zip(players, ids, strict=True)]
        for player, receipt in zip(players, receipts, strict=True):
            assert isinstance(receipt, Ack)
            assert player.talk.welcome is not None
            assert player.talk.table is not None
            check_receipt(player.talk.welcome.key, player.talk.table.id, 0, receipt, "focus", receipt.head)
        assert [(r.place, len(r.path) // 32) for r in receipts if isinstance(r, Ack)] == [(0, 2), (1, 2), (2, 2)]
        assert len({receipt.signature for receipt in receipts if isinstance(receipt, Ack)}) == 1


async def test_the_key_is_the_same_after_a_restart_and_signs_the_replay(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run)
        for turn in range(6):
            await acknowledged((ann, ben)[turn % 2], "rest")
        await ann.until(lambda: ann.state == "finished")
        assert ann.talk.welcome is not None
        key = ann.talk.welcome.key
    async with running(tmp_path) as run:
        eve = await run.client("Eve")
        assert eve.talk.welcome is not None
        assert eve.talk.welcome.key == key
    [file] = (tmp_path / "replays").iterdir()
    assert "Everything holds" in verify.check(file.read_bytes(), key)[0]
    with pytest.raises(verify.VerificationFailed, match="another host"):
        verify.check(file.read_bytes(), bytes(32))
