"""The actions of people and bots at a match: each is executed, and its outcome mapped to one reply."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Iterator, Sequence
from typing import Final, Protocol

from engine.core.match.causes import Answered, Intended
from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent, LogDamaged, Refusal, RuleDiverged, refusal
from protocol.ids import PromptId
from protocol.proof.signed_texts import Signed, receipt_text, said_digest
from protocol.scene.nodes import Reply
from protocol.text import Text
from protocol.wire.from_client import Intent
from protocol.wire.from_server import Ack, Reject
from server.match.advice import Desk, Question, Recipient, slices
from server.match.receipts import ReceiptSigner
from server.match.sampled_forecasts import SampledForecasts
from server.match.step import Stepper
from server.match.stored_log import AlreadyDone, LostMatch, LostSteps
from server.runtime.clock import Clock
from server.runtime.logs import Log
from server.runtime.metrics import Metrics, Outcome
from server.store.port import StoreError


class OnDurable(Protocol):
    """Callback of an action that is durable."""

    def __call__(self, question: int, *, repeated: bool) -> None:
        """Take the question to which it is a sealed answer, -1 where it made a step. `repeated`: it was durable
        before."""
        ...


OnRefused = Callable[[Refusal], None]
UNSTORED: Final = "store/unavailable"
OTHER_ACT: Final = "id/used"
"""The code for an id by which the seat has named an act of other content before."""


class Actions:
    """Executor of the actions at one match. A fault of one action alone is only answered; one that concerns the match
    is answered and then raised: StoreError, LostSteps, and RuleDiverged, LogDamaged or LostMatch, after which the match
    cannot go on."""

    def __init__(self, stepper: Stepper, receipts: ReceiptSigner, outcomes: Outcomes) -> None:
        self.closed = ""
        """The code with which all actions are refused; empty while they are carried out."""
        self.stepper = stepper
        self.receipts = receipts
        self.outcomes = outcomes

    async def act(
        self, seat: Seat, id: bytes, prompt: PromptId, reply: Reply, said: bytes, durable: OnDurable, refuse: OnRefused
    ) -> None:
        """Carry out the reply of this seat, and call one of `durable` and `refuse`. `said`: its digest, empty for a
        bot's. When cancelled, neither is called, and the action is stored or not."""
        try:
            if self.closed:
                raise IllegalIntent(self.closed)
            question = await self.stepper.act(seat, id, prompt, reply, said)
        except IllegalIntent as refused:
            await self._refuse(seat, id, said, refused.refusal, durable, refuse)
        except AlreadyDone:
            await self._refuse(seat, id, said, refusal(OTHER_ACT), durable, refuse)
        except StoreError:
            refuse(self._unstored(seat, id))
            raise
        except LostSteps:
            refuse(refusal(UNSTORED))
            raise
        except (RuleDiverged, LogDamaged, LostMatch):
            refuse(refusal("match/parked"))
            raise
        except Exception as bug:  # noqa: BLE001 - whatever the rules raise is told to whom it was done for
            refuse(self._fault(bug))
        else:
            durable(question, repeated=False)

    async def _refuse(
        self, seat: Seat, id: bytes, said: bytes, found: Refusal, durable: OnDurable, refuse: OnRefused
    ) -> None:
        """Refuse, unless it repeats an action that is durable already."""
        try:
            known = await self.stepper.journal.stored.find(seat, id)
        except StoreError:
            refuse(self._unstored(seat, id))
            raise
        if known is None:
            refuse(found)
        elif known.said not in (said, b""):
            refuse(refusal(OTHER_ACT))
        else:
            durable(known.question, repeated=True)

    def _unstored(self, seat: Seat, id: bytes) -> Refusal:
        """Return the refusal of an action for which the store has failed. One that is put off is fixed by then, and
        carried out as soon as the store works again."""
        cause = self.stepper.match.deferred_cause
        is_put_off = isinstance(cause, Intended | Answered) and (cause.seat, cause.id) == (seat, id)
        return Refusal(UNSTORED, Text("store.put_off")) if is_put_off else refusal(UNSTORED)

    def _fault(self, bug: Exception) -> Refusal:
        return Refusal("rules/fault", Text("refuse.rules/fault", {"error": self.stepper.fault(bug)}))

    async def act_of_bot(self, seat: Seat, prompt: PromptId, reply: Reply, refused: Callable[[str], None]) -> None:
        """Carry out the reply of a bot; `refused` takes the code of a refusal."""
        codes: list[str] = []

        def refuse(found: Refusal) -> None:
            codes.append(found.code)
            refused(found.code)

        await self.act(seat, secrets.token_bytes(16), prompt, reply, b"", _ignore, refuse)
        self.outcomes.of_a_bot(codes)

    def answer(
        self,
        seat: Seat,
        question: Question,
        recipient: Recipient,
        forecasts: SampledForecasts,
        charge: Callable[[float], object],
    ) -> Iterator[None]:
        """Answer a question of the rules, a slice at each step of the iterator; what it takes elsewhere is charged."""
        return slices(Desk(self.stepper, forecasts, self._fault, charge), seat, question, recipient)


def _ignore(question: int, *, repeated: bool) -> None:
    """Do nothing: a bot needs no acknowledgement."""


class PendingIntent:
    """An intent of a person that waits for its answer: exactly one of `durable` and `refuse` is called, once."""

    __slots__ = ("_actions", "_intent", "_received", "_recipient", "_seat", "said")

    def __init__(self, actions: Actions, seat: Seat, intent: Intent, received: float, recipient: Recipient) -> None:
        self._actions = actions
        self._seat = seat
        self._intent = intent
        self._received = received
        self._recipient = recipient
        self.said = said_digest(intent.choice, intent.fields)

    def durable(self, question: int, *, repeated: bool) -> None:
        """Have it acknowledged once the receipts of this turn of the loop are signed. `repeated`: it was durable
        before; `question`: the one that it answers under seal, -1 where it made a step."""
        stepper, id = self._actions.stepper, self._intent.id
        match, since = stepper.match, stepper.journal.durable_at
        version, head = match.version, match.head

        def tell(proof: Signed) -> None:
            signature, place, path = proof
            self._tell(Ack(id, version, head, signature, question, place, path), since, repeated=repeated)

        receipt = receipt_text(match.id, self._seat, id, self.said, question, version, head)
        self._actions.receipts.add(match.id, receipt, tell)

    def _tell(self, ack: Ack, since: float, *, repeated: bool) -> None:
        self._recipient.say(ack)
        self._actions.outcomes.durable(self._seat, ack.id, self._received, since, repeated=repeated)

    def refuse(self, refusal: Refusal) -> None:
        """Answer with this refusal."""
        self._recipient.say(Reject(self._intent.id, refusal.code, refusal.text, refusal.at, refusal.by))
        self._actions.outcomes.refused(self._seat, self._intent.id, self._received, refusal.code)


class Outcomes:
    """Counter of what became of the intents at one match, which it times and logs. `received` and `since`: times of the
    clock."""

    def __init__(self, metrics: Metrics, clock: Clock, log: Log) -> None:
        self._metrics = metrics
        self._clock = clock
        self._log = log
        self._is_told = log.is_enabled_for(logging.DEBUG)

    def durable(self, seat: Seat, id: bytes, received: float, since: float, *, repeated: bool) -> None:
        """Count an intent that was acknowledged. `since`: when it became durable; `repeated`: it was durable before."""
        outcome: Outcome = "repeated" if repeated else "done"
        self._metrics.intents.add(outcome)
        if not repeated:
            self._metrics.durable_seconds.add(since - received)
            self._metrics.told_seconds.add(self._clock.now() - since)
        if self._is_told:
            self._tell(seat, id, received, outcome)

    def refused(self, seat: Seat, id: bytes, received: float, code: str) -> None:
        """Count an intent that was refused with this code."""
        self._metrics.intents.add(outcome_of(code))
        self._metrics.rejects.add(code)
        if self._is_told:
            self._tell(seat, id, received, outcome_of(code), code=code)

    def of_a_bot(self, refusals: Sequence[str]) -> None:
        """Count an intent of a bot, with the codes of its refusals, if any."""
        self._metrics.bot_intents.add(outcome_of(refusals[0]) if refusals else "done")

    def _tell(self, seat: Seat, id: bytes, received: float, outcome: Outcome, **more: str) -> None:
        took = round((self._clock.now() - received) * 1000, 1)
        self._log.debug("intent", seat=seat, intent=id[:4].hex(), outcome=outcome, ms=took, **more)


def outcome_of(code: str) -> Outcome:
    """Return the outcome of an intent that was refused with this code."""
    if code == UNSTORED:
        return "unstored"
    return "fault" if code == "rules/fault" else "refused"
