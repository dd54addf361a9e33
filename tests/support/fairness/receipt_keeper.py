"""Receipts of clients without a window, kept by the client's own code, and held against the log when all is over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from client.fairness import receipts_check
from client.fairness.dice_round_check import Verdict
from client.fairness.receipts import read, receipt_files
from client.fairness.table_check import TableCheck
from protocol.fairness.contributor import OwnEntropyChain
from protocol.fairness.replay import Header, SeatHeader
from protocol.ids import MatchId
from protocol.wire.client_conversation import ClientConversation
from protocol.wire.from_client import Intent
from protocol.wire.from_server import Ack, FromServer, Welcome
from server.runtime.signing import HostKey
from tests.support.fairness.sealing import replay_of, sealed


class NoChains:
    """Chain store that keeps no chain, so that no part is added to the dice: the program that plays may do so."""

    def load(self, host: bytes, match: MatchId, origin: bytes) -> OwnEntropyChain | None:
        return None

    def save(self, host: bytes, chain: OwnEntropyChain, before: OwnEntropyChain | None) -> bool:
        return False


class Keeper:
    """Keeper of receipts in `folder`, which follows the proof of a conversation. `acked`: the acts and answers that
    were acknowledged to it, each once."""

    def __init__(self, talk: ClientConversation, folder: Path) -> None:
        self.acked: set[bytes] = set()
        self._talk = talk
        self._fair = TableCheck(talk, NoChains(), bytes, folder)
        if talk.table is not None:
            self._fair.hear(talk.table)

    def hear(self, messages: Sequence[FromServer], pending: Mapping[bytes, Intent]) -> None:
        """Take the messages of one frame. `pending`: what the conversation waited for before it."""
        for message in messages:
            if isinstance(message, Welcome):
                self._fair.proof_client.link_up()
            self._fair.hear(message)
            if isinstance(message, Ack) and message.id in pending:
                self._fair.acknowledged(pending[message.id], message)
                self.acked.add(message.id)

    def check(self) -> None:
        """Check that the host was not accused while the match went on, and that every acknowledgement had a receipt."""
        assert self._fair.verdict is not Verdict.WRONG, self._fair.why
        assert self._fair.why.k != "fair.no_receipts"


def hold(match: MatchId, steps: Sequence[bytes], secret: bytes, key: HostKey, seats: int, folder: Path) -> int:
    """Compare the receipts of this match in the folders in this one with the log. Return how many acts they prove.

    Raises DoesNotHold where the host is accused, which here is an honest one.
    """
    header = Header("duel", "endless", match, "here", "test", (SeatHeader("", ""),) * seats)
    data = sealed(replay_of(header, secret, list(steps), {}, key), key)
    kept = [read(file) for file in receipt_files(match, folder)]
    assert receipts_check.check_receipts(data, kept)
    return len({bytes(record[2]) for one in kept for record in one.records if record[0] == "ack2"})
