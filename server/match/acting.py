"""Execution of acts at a match, and the reply to each that is not done: refused, done before, or met by a bug."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, Protocol

from engine.core.rules.errors import IllegalIntent, LogDamaged, Refusal, RuleDiverged, refusal
from protocol.text import Text
from protocol.wire.from_server import Detail
from server.match.ledger import AlreadyDone, LostMatch, LostSteps
from server.store.port import StoreError

if TYPE_CHECKING:
    from engine.core.rules.audience import Seat
    from protocol.scene.nodes import Reply
    from protocol.wire.from_client import DetailRequest
    from server.match.answering import Teller
    from server.match.outcomes import Outcomes
    from server.match.stepper import Stepper


class Done(Protocol):
    """Is told that the act is durable, as an answer to this question or (-1) as a step, and whether it has been since
    before."""

    def __call__(self, question: int, *, repeated: bool) -> None:
        """Take note of it."""
        ...


Refuse = Callable[[Refusal], None]
OTHER_ACT: Final = "id/used"
"""The code for an id by which the seat has named an act of other content before."""


class Acts:
    """Of one match. What goes wrong with an act alone is only told; what concerns the match is told and then raised:
    StoreError, LostSteps, and RuleDiverged, LogDamaged or LostMatch, after which it cannot go on."""

    def __init__(self, stepper: Stepper, outcomes: Outcomes) -> None:
        self.closed = ""
        """The code with which all acts are refused; empty while they are carried out."""
        self._stepper = stepper
        self._outcomes = outcomes

    async def act(
        self, seat: Seat, id: bytes, prompt: str, reply: Reply, said: bytes, done: Done, refuse: Refuse
    ) -> None:
        """Carry out what this seat has filled in, and call one of `done` and `refuse`. When cancelled, neither is
        called, and it is stored or not. `said`: the digest of the reply, empty for a bot's."""
        try:
            if self.closed:
                raise IllegalIntent(self.closed)
            question = await self._stepper.act(seat, id, prompt, reply, said)
        except IllegalIntent as refused:
            await self._refuse(seat, id, said, refused.refusal, done, refuse)
        except AlreadyDone:
            await self._refuse(seat, id, said, refusal(OTHER_ACT), done, refuse)
        except (StoreError, LostSteps):
            refuse(refusal("store/unavailable"))
            raise
        except (RuleDiverged, LogDamaged, LostMatch):
            refuse(refusal("match/parked"))
            raise
        except Exception as bug:  # noqa: BLE001 - whatever the rules raise is told to whom it was done for
            refuse(self._fault(bug))
        else:
            done(question, repeated=False)

    async def _refuse(self, seat: Seat, id: bytes, said: bytes, found: Refusal, done: Done, refuse: Refuse) -> None:
        """Refuse, unless it is a resend of what has been done already."""
        try:
            known = await self._stepper.ledger.find(seat, id)
        except StoreError:
            refuse(refusal("store/unavailable"))
            raise
        if known is None:
            refuse(found)
        elif known.said not in (said, b""):
            refuse(refusal(OTHER_ACT))
        else:
            done(known.question, repeated=True)

    def _fault(self, bug: Exception) -> Refusal:
        return Refusal("rules/fault", Text("refuse.rules/fault", {"error": self._stepper.fault(bug)}))

    async def act_of_bot(self, seat: Seat, prompt: str, reply: Reply, refused: Callable[[str], None]) -> None:
        """Carry out what a bot has filled in; it is told the code of a refusal."""
        codes: list[str] = []

        def refuse(found: Refusal) -> None:
            codes.append(found.code)
            refused(found.code)

        await self.act(seat, secrets.token_bytes(16), prompt, reply, b"", _silence, refuse)
        self._outcomes.of_a_bot(codes)

    def detail(self, seat: Seat, request: DetailRequest, teller: Teller) -> None:
        """Tell the next field of a choice, or why there is none."""
        try:
            field = self._stepper.detail(seat, request.prompt, request.choice, request.fields)
        except IllegalIntent as refused:
            teller.say(Detail(request.id, None, refused.refusal.code, refused.refusal.text))
        except Exception as bug:  # noqa: BLE001 - whatever the rules raise is told to who asks
            fault = self._fault(bug)
            teller.say(Detail(request.id, None, fault.code, fault.text))
        else:
            teller.say(Detail(request.id, field))


def _silence(question: int, *, repeated: bool) -> None:
    """No-op completion callback."""
