"""Follows the proof of whatever table one is at: asks for it, hands on all that the check needs, keeps the receipts.

No window.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec

from client.fairness import Fairness, Verdict, is_signed
from client.receipts import ReceiptBook
from protocol.client_conversation import ClientConversation
from protocol.from_client import GetProof, Intent
from protocol.from_server import Ack, Delta, FromServer, LinkWanted, Problem, Proof, TableView
from protocol.proofs import Begun, Bound, Signed, receipt_text, receipts_root, receipts_text, said_digest
from protocol.text import Text, text

REFUSED: Final = "proof/none"
MOST_UNSIGNED: Final = 1
"""Acts without a receipt: an answer that was sent again after its question had closed may have none."""


class FairPlay:
    """One's own check of the table. `hear` every message that the conversation has taken; `news` are lines for the
    log, to be taken out. `pinned`: the key that this server is known by (empty: it is new). Receipts go to `folder`."""

    def __init__(self, conversation: ClientConversation, folder: Path | None = None) -> None:
        self.check: Fairness | None = None
        self.news: list[Text] = []
        self.pinned = b""
        self._conversation = conversation
        self._folder = folder
        self._book: ReceiptBook | None = None
        self._unsigned = 0
        self._reported = 0
        self._alarmed = False
        self._asked_at = -1
        self._audience = -1

    @property
    def key(self) -> bytes:
        """The key that the server says it has."""
        welcome = self._conversation.welcome
        return welcome.key if welcome is not None else b""

    @property
    def is_stranger(self) -> bool:
        """Whether the server has another key than it had before."""
        return bool(self.pinned) and self._conversation.is_welcome and self.key != self.pinned

    @property
    def verdict(self) -> Verdict:
        """How it stands with the dice here, and with who rolls them."""
        if self.is_stranger:
            return Verdict.WRONG
        verdict = self.check.verdict if self.check is not None else Verdict.RUNNING
        if self._unsigned > MOST_UNSIGNED and verdict is not Verdict.WRONG:
            return Verdict.UNPROVEN
        return verdict

    @property
    def why(self) -> Text:
        """The verdict in a sentence."""
        if self.is_stranger:
            return text("fair.other_host")
        if self.check is None or self.check.verdict not in (Verdict.WRONG, self.verdict):
            return text("fair.no_receipts")
        return self.check.why

    @property
    def host(self) -> Text:
        """Who signs here."""
        if not self.key:
            return text("fair.host.none")
        if self.is_stranger:
            return Text("fair.host.new", {"key": key_words(self.key), "before": key_words(self.pinned)})
        return Text("fair.host", {"key": key_words(self.key)})

    def link_up(self) -> None:
        """A new link: what was missed meanwhile is asked for."""
        self._asked_at = -1
        if self.check is not None:
            self.check.lost()

    def hear(self, message: FromServer) -> None:
        """Take what concerns the check."""
        check = self.check
        match message:
            case TableView():
                self._at_table(message)
            case Proof() if check is not None and message.table == check.match:
                if check.count and message.seat != self._audience:
                    # one looks with other eyes now, whose facts are counted otherwise
                    self._begin(check.match, check.seat)
                    return
                self._audience = message.seat
                was_live, known = check.is_live, check.count
                if not check.take(message):
                    self._ask(check)
                elif message.seat == check.seat:
                    self._keep(check, message, known)
                self._report(check, was_live)
            case Delta() if check is not None:
                for cue in message.cues:
                    if cue.dice is not None:
                        check.shown(cue.dice)
                self._report(check, check.is_live)
            case LinkWanted() if check is not None and message.table == check.match:
                link = self._conversation.link_for(message)
                if link is not None:
                    check.opened(message.round, link)
            case Problem(code=code) if check is not None and code == REFUSED:
                check.is_asking = False
            case _:
                pass

    def acknowledged(self, intent: Intent, ack: Ack) -> None:
        """One's own act has been acknowledged: the receipt is checked and kept."""
        check = self.check
        if check is None:
            return
        if not ack.signature:
            self._unsigned += 1
            return
        said = said_digest(intent.choice, intent.fields)
        try:
            receipt = receipt_text(check.match, ack.id, said, ack.question, ack.version, ack.head)
            root = receipts_root(receipt, ack.place, ack.path)
        except OverflowError:  # numbers that no match has
            root = None
        holds = root is not None and is_signed(self._key_of_match, receipts_text(root), ack.signature)
        check.signed(ack.version, ack.head, holds)
        if self._book is not None:
            signed = Signed(ack.signature, ack.place, ack.path)
            self._book.keep_ack(ack.id, said, ack.question, ack.version, ack.head, signed)
        self._report(check, check.is_live)

    def _keep(self, check: Fairness, proof: Proof, known: int) -> None:
        """Write down what has been told and signed now."""
        if self._book is None:
            return
        for number, fact in enumerate(proof.facts, proof.first):
            if number < known:
                continue
            if isinstance(fact, Bound | Begun):
                self._book.keep_head(1 if isinstance(fact, Bound) else fact.version, fact.head, fact.signature)
            if not self._book.keep_fact(number, msgspec.msgpack.encode(fact)):
                check.accuse("two_stories")

    def _at_table(self, view: TableView) -> None:
        if view.state == "open":
            self.check = None
            return
        check = self.check
        if check is None or (check.match, check.seat) != (view.id, view.seat):
            self._begin(view.id, view.seat)
        elif not check.is_live and not check.is_asking:
            self._ask(check)

    def _begin(self, match: str, seat: int) -> None:
        """Check a match from its first fact on."""
        self._key_of_match = self.key
        self.check = Fairness(match, self.key, seat, self._conversation.owns_link)
        self._book = ReceiptBook(self._folder, match, self.key, seat) if self._folder is not None else None
        self._unsigned = 0
        self.news, self._reported, self._alarmed, self._asked_at = [], 0, False, -1
        self._ask(self.check)

    def _ask(self, check: Fairness) -> None:
        """Ask for what follows; for the same only once, whatever a host does."""
        if self._asked_at == check.count:
            return
        self._asked_at = check.count
        check.is_asking = True
        self._conversation.say(GetProof(table=check.match, after=check.count))

    def _report(self, check: Fairness, was_live: bool) -> None:
        """Lines for the log about what has been found since."""
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
    """The beginning of a key as people compare it."""
    digits = key.hex()[:16]
    return " ".join(digits[start : start + 4] for start in range(0, len(digits), 4))
