"""What a person is told of his intent: an Ack with its receipt once it is durable, or a Reject."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from protocol.proof.signed_texts import receipt_text, said_digest
from protocol.wire.from_server import Ack, Reject, ServerMessage

if TYPE_CHECKING:
    from engine.core.rules.audience import Seat
    from engine.core.rules.errors import Refusal
    from protocol.proof.signed_texts import Signed
    from protocol.wire.from_client import Intent
    from server.match.outcomes import Outcomes
    from server.match.receipts import ReceiptPress
    from server.match.stepper import Stepper


class Teller(Protocol):
    """Someone who is answered."""

    def say(self, message: ServerMessage) -> None:
        """Queue a message, without waiting."""
        ...


class Answers:
    """Where the answers of one match come from."""

    def __init__(self, stepper: Stepper, receipts: ReceiptPress, outcomes: Outcomes) -> None:
        self.stepper = stepper
        self.receipts = receipts
        self.outcomes = outcomes


class Asked:
    """One intent of a person, on its way to its answer: exactly one of `done` and `refuse` is called, once."""

    __slots__ = (
        "_answers",
        "_durable",
        "_head",
        "_intent",
        "_question",
        "_received",
        "_repeated",
        "_seat",
        "_teller",
        "_version",
        "said",
    )

    def __init__(self, answers: Answers, seat: Seat, intent: Intent, received: float, teller: Teller) -> None:
        self._answers = answers
        self._seat = seat
        self._intent = intent
        self._received = received
        self._teller = teller
        self.said = said_digest(intent.choice, intent.fields)

    def done(self, question: int, *, repeated: bool) -> None:
        """Acknowledge it as durable, `repeated`: since before. It is told when the receipts of this turn have been
        signed. `question`: that of an answer which waits for its question to close, or has counted; else -1."""
        stepper = self._answers.stepper
        match = stepper.match
        self._durable, self._repeated = stepper.durable_at, repeated
        self._version, self._head = match.version, match.head
        self._question = question
        id = self._intent.id
        receipt = receipt_text(match.id, self._seat, id, self.said, question, match.version, match.head)
        self._answers.receipts.add(match.id, receipt, self._tell)

    def _tell(self, proof: Signed) -> None:
        signature, place, path = proof
        self._teller.say(Ack(self._intent.id, self._version, self._head, signature, self._question, place, path))
        self._answers.outcomes.done(self._seat, self._intent.id, self._received, self._durable, repeated=self._repeated)

    def refuse(self, refusal: Refusal) -> None:
        """It is not done."""
        self._teller.say(Reject(self._intent.id, refusal.code, refusal.text))
        self._answers.outcomes.refused(self._seat, self._intent.id, self._received, refusal.code)
