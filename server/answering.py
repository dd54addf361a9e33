"""What a person is told of his intent: an Ack with its receipt once it is durable, or a Reject."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from protocol.from_server import Ack, Reject, ServerMessage
from protocol.proofs import Signed, receipt_text, said_digest

if TYPE_CHECKING:
    from engine.core.audience import Seat
    from engine.core.errors import Refusal
    from protocol.from_client import Intent
    from server.outcomes import Outcomes
    from server.receipts import ReceiptPress
    from server.stepper import Stepper

NO_RECEIPT: Final = Signed(b"", 0, b"")
"""Of an answer whose question has closed."""


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
    )

    def __init__(self, answers: Answers, seat: Seat, intent: Intent, received: float, teller: Teller) -> None:
        self._answers = answers
        self._seat = seat
        self._intent = intent
        self._received = received
        self._teller = teller

    def done(self, repeated: bool) -> None:
        """It is durable, `repeated`: has been since before. With a receipt it is told when the receipts of this turn
        have been signed."""
        stepper, intent = self._answers.stepper, self._intent
        match = stepper.match
        self._durable, self._repeated = stepper.durable_at, repeated
        self._version, self._head = match.version, match.head
        self._question = question = stepper.ledger.sealed_for(self._seat, intent.id)
        if question is None:
            self._tell(NO_RECEIPT)
            return
        said = said_digest(intent.choice, intent.fields)
        receipt = receipt_text(match.id, intent.id, said, question, match.version, match.head)
        self._answers.receipts.add(match.id, receipt, self._tell)

    def _tell(self, proof: Signed) -> None:
        question = -1 if self._question is None else self._question
        signature, place, path = proof
        self._teller.say(Ack(self._intent.id, self._version, self._head, signature, question, place, path))
        self._answers.outcomes.done(self._seat, self._intent.id, self._received, self._durable, self._repeated)

    def refuse(self, refusal: Refusal) -> None:
        """It is not done."""
        self._teller.say(Reject(self._intent.id, refusal.code, refusal.text))
        self._answers.outcomes.refused(self._seat, self._intent.id, self._received, refusal.code)
