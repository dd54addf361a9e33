"""Check of the table that one is at: it follows the proof, hands on all that the check needs, and keeps receipts.

No window.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from client.errors import BadReceipts
from client.fairness.dice_round_check import LiveDiceCheck, Verdict
from client.fairness.receipts import ReceiptBook, read, receipt_files
from protocol.errors import Unfair
from protocol.fairness.contributor import ChainStore
from protocol.fairness.proof_client import ProofClient
from protocol.fairness.signatures import is_signed
from protocol.ids import MatchId, match_of
from protocol.proof.facts import Begun, Bound, Called, Opened
from protocol.proof.signed_texts import expired_text, receipt_text, receipts_root, receipts_text, said_digest
from protocol.text import Text, text
from protocol.wire.client_conversation import ClientConversation
from protocol.wire.from_client import Intent
from protocol.wire.from_server import Ack, Delta, Expired, FromServer, Problem, Proof, TableView

PART_REFUSED: Final = "entropy/"
PART_LATE: Final = "entropy/late"
TOO_LATE: Final = b""
"""Mark in place of an answer where time ran out."""


class TableCheck:
    """Check of the table that one is at. `hear` every message that the conversation has taken; `news` are lines for the
    log, to be taken out. `pinned`: the key that this server is known by (empty: it is new). Receipts go to `folder`,
    one's own entropy chains to `chains`; `draw` gives 32 fresh random bytes at each call."""

    def __init__(
        self,
        conversation: ClientConversation,
        chains: ChainStore,
        draw: Callable[[], bytes],
        folder: Path | None = None,
    ) -> None:
        self.proof_client = ProofClient(conversation, self._begin, chains, draw)
        self.news: list[Text] = []
        self.pinned = b""
        self._conversation = conversation
        self._folder = folder
        self._book: ReceiptBook | None = None
        self._is_unsigned = False
        self._answers: dict[tuple[int, int], bytes] = {}
        self._seats: tuple[int, ...] = ()
        self._reported = 0
        self._alarmed = False
        self.refused: Text | None = None
        """The host's last refusal of a part of this program, until a part of it counts again."""

    @property
    def check(self) -> LiveDiceCheck | None:
        """Check of the match that one is at."""
        return self.proof_client.stream

    @property
    def table(self) -> TableView | None:
        """Table that one is at."""
        return self._conversation.table

    @property
    def key(self) -> bytes:
        """Key that the server says it has."""
        welcome = self._conversation.welcome
        return welcome.key if welcome is not None else b""

    @property
    def is_stranger(self) -> bool:
        """True where the server has another key than it had before."""
        return bool(self.pinned) and self._conversation.is_welcome and self.key != self.pinned

    @property
    def verdict(self) -> Verdict:
        """Verdict on the dice here, and on who rolls them."""
        if self.is_stranger:
            return Verdict.WRONG
        verdict = self.check.verdict if self.check is not None else Verdict.RUNNING
        if self._is_unsigned and verdict is not Verdict.WRONG:
            return Verdict.UNPROVEN
        return verdict

    @property
    def why(self) -> Text:
        """Verdict in a sentence."""
        if self.is_stranger:
            return text("fair.other_host")
        if self.check is None or self.check.verdict not in (Verdict.WRONG, self.verdict):
            return text("fair.no_receipts")
        return self.check.why

    @property
    def host(self) -> Text:
        """Sentence that names who signs here."""
        if not self.key:
            return text("fair.host.none")
        if self.is_stranger:
            return Text("fair.host.new", {"key": key_words(self.key), "before": key_words(self.pinned)})
        return Text("fair.host", {"key": key_words(self.key)})

    def hear(self, message: FromServer) -> None:
        """Take what concerns the check."""
        before = self.check
        was_live, known = (before.is_live, before.count) if before is not None else (False, 0)
        self.proof_client.hear(message)
        check = self.check
        if check is None:
            return
        if isinstance(message, Problem) and message.code.startswith(PART_REFUSED):
            key = "fair.refused.late" if message.code == PART_LATE else "fair.refused"
            self.refused = text(key, round=check.round)
        if isinstance(message, Delta):
            for cue in message.cues:
                if cue.dice is not None:
                    check.note_dice(cue.dice)
        elif isinstance(message, Proof) and check is before and message.seat == check.seat:
            self._keep(check, message, known)
        elif isinstance(message, Expired) and match_of(message.table) == check.match:
            self._expired(check, message)
        if isinstance(message, Delta | Proof):
            self._report(check, was_live=was_live and check is before)

    def acknowledged(self, intent: Intent, ack: Ack) -> None:
        """Check and keep the receipt for one's own act."""
        check = self.check
        if check is None:
            return
        if not ack.signature:
            self._is_unsigned = True
            return
        said = said_digest(intent.choice, intent.fields)
        # said before the seat was lost, it may be acknowledged after
        seat = next((seat for seat in self._seats if self._is_receipt(check.match, seat, said, ack)), None)
        check.note_head(ack.version, ack.head, fits=seat is not None)
        if seat is not None:
            self._settle(check, seat, ack.question, said)
            if self._book is not None:
                signed = ack.signature, ack.place, ack.path
                self._book.keep("ack2", seat, ack.id, said, ack.question, ack.version, ack.head, *signed)
        self._report(check, was_live=check.is_live)

    def _is_receipt(self, match: MatchId, seat: int, said: bytes, ack: Ack) -> bool:
        try:
            receipt = receipt_text(match, seat, ack.id, said, ack.question, ack.version, ack.head)
        except OverflowError:  # numbers that no match has
            return False
        root = receipts_root(receipt, ack.place, ack.path)
        return root is not None and is_signed(self._key_of_match, receipts_text(root), ack.signature)

    def _expired(self, check: LiveDiceCheck, late: Expired) -> None:
        """Check and keep the host's signature that time ran out for one's own seat."""
        if late.seat not in self._seats:
            return
        try:
            words = expired_text(check.match, late.seat, late.question, late.version, late.head)
            holds = is_signed(self._key_of_match, words, late.signature)
        except OverflowError:
            holds = False
        check.note_head(late.version, late.head, fits=holds)
        if holds:
            self._settle(check, late.seat, late.question, TOO_LATE)
            if self._book is not None:
                self._book.keep("expired", late.seat, late.question, late.version, late.head, late.signature)
        self._report(check, was_live=check.is_live)

    def _settle(self, check: LiveDiceCheck, seat: int, question: int, answer: bytes) -> None:
        """Note the answer of a seat that the host has signed: a question has one end for each."""
        known = self._answers.setdefault((seat, question), answer) if question >= 0 else answer
        if known != answer:
            check.fail(Unfair("answer_expired" if TOO_LATE in (known, answer) else "two_answers"))

    def receipts(self) -> bytes:
        """Return the file of one's own receipts of this match as it stands on the disk; empty where there is none."""
        check = self.check
        if check is None or self._folder is None:
            return b""
        for data in receipt_files(check.match, self._folder.parent):
            with suppress(BadReceipts):
                kept = read(data)
                if (kept.match, kept.key, kept.seat) == (check.match, self._key_of_match, check.seat):
                    return data
        return b""

    def _keep(self, check: LiveDiceCheck, proof: Proof, known: int) -> None:
        """Write down what has been told and signed now."""
        if self._book is None:
            return
        for number, fact in enumerate(proof.facts, proof.first):
            if number < known:
                continue
            if isinstance(fact, Begun) and self._has_part(check):
                self.refused = None
            if isinstance(fact, Bound | Called | Begun | Opened):
                self._book.keep("head", 1 if isinstance(fact, Bound) else fact.version, fact.head, fact.signature)
            if not self._book.keep_fact(number, msgspec.msgpack.encode(fact)):
                check.fail(Unfair("two_stories"))

    def _has_part(self, check: LiveDiceCheck) -> bool:
        """Return True where a part of this program is in the round that runs."""
        own, tip = self.proof_client.contributor, check.parts.rounds[check.round].counted.get(check.seat)
        return own is not None and tip is not None and own.is_own(tip[0])

    def _begin(self, match: MatchId, key: bytes, seat: int) -> LiveDiceCheck:
        """Begin to check a match from its first fact on."""
        self._key_of_match = key
        if self.check is None or self.check.match != match:
            self._seats, self._answers, self._is_unsigned = (), {}, False
        if seat >= 0:
            self._seats = (seat, *(other for other in self._seats if other != seat))
        self._book = ReceiptBook(self._folder, match, key, seat) if self._folder is not None else None
        self.news, self._reported, self._alarmed, self.refused = [], 0, False, None
        return LiveDiceCheck(match, key, seat)

    def _report(self, check: LiveDiceCheck, *, was_live: bool) -> None:
        """Add lines to the log about what has been found since the last report."""
        fresh = [c for c in check.rounds.values() if c.round > self._reported and c.verdict is Verdict.CHECKED]
        if fresh and check.is_live:
            self._reported = fresh[-1].round
            if was_live:
                for done in fresh:
                    rolls = len(done.rolls)
                    line = text("fair.log", round=done.round, rolls=rolls, cards=done.cards, word=done.word)
                    self.news.append(line)
            else:
                self.news.append(text("fair.log.before", rounds=len(fresh)))
        if check.verdict is Verdict.WRONG and not self._alarmed:
            self._alarmed = True
            self.news.append(check.why)


def key_words(key: bytes) -> str:
    """Return the beginning of a key as people compare it."""
    digits = key.hex()[:16]
    return " ".join(digits[start : start + 4] for start in range(0, len(digits), 4))
