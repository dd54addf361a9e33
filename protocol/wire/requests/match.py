"""Requests in a match: intents, questions about them, offers, parts of the dice, and its stream and replay."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from protocol.wire.client_message import (
    Count,
    Digest,
    Fields,
    Id,
    Key,
    Message,
    SeatNumber,
    Signature,
    WirePromptId,
    WireTableId,
)


class Intent(Message, frozen=True, tag="intent"):
    """Act, answer, aside or undo of a player. `id`: 16 random bytes, the same in every resend."""

    id: Annotated[bytes, Meta(min_length=16, max_length=16)]
    prompt: WirePromptId
    choice: Key
    fields: Fields = msgspec.field(default_factory=dict)


class DetailRequest(Message, frozen=True, tag="detail"):
    """Request for the next field of a choice, given the fields filled in so far."""

    id: Count
    prompt: WirePromptId
    choice: Key
    fields: Fields = msgspec.field(default_factory=dict)


class Survey(Message, frozen=True, tag="survey"):
    """Request for what a thing could do: every choice with a gesture for it, with its reach and its targets."""

    id: Count
    prompt: WirePromptId
    subject: Key


class Propose(Message, frozen=True, tag="propose"):
    """Request for a choice filled in completely, given some of its fields, and for what it would come to."""

    id: Count
    prompt: WirePromptId
    choice: Key
    fields: Fields = msgspec.field(default_factory=dict)


class Offer(Message, frozen=True, tag="offer"):
    """Player: offer to the holder of seat `to`, in words. It binds nobody: no rule hears of it. `open`: all at the
    table see it and its answer; else only the two. It takes the place of an open one between the same two."""

    to: SeatNumber
    kind: Literal["truce", "leave", "help", "share", "other"]
    text: Annotated[str, Meta(min_length=1, max_length=200)]
    open: bool = False


class AnswerOffer(Message, frozen=True, tag="answer_offer"):
    """Player: yes or no to an offer that was made to them; no from the one who made it takes it back."""

    offer: Id
    yes: bool


class Resync(Message, frozen=True, tag="resync"):
    """Request for both parts of the scene whole, after it has drifted or a number was missed. `part` and `why` say
    where and how it was noticed (scene_model.Drift)."""

    part: Literal["public", "private"] | None = None
    why: Annotated[str, Meta(max_length=16, pattern=r"^[a-z]*\Z")] = ""


class GetReplay(Message, frozen=True, tag="replay"):
    """Request for the replay file of a finished table, in parts."""

    table: WireTableId


class GetProof(Message, frozen=True, tag="get_proof"):
    """Request for the facts by which chance at this table can be checked, from number `after` on, and for all that
    follow."""

    table: WireTableId
    after: Count = 0


class Tip(Message, frozen=True, tag="tip"):
    """Tip of this program's entropy chain for a match, and its key (protocol/fairness/entropy_chain.py): said on each
    connection; it counts from the round after the next call on."""

    table: WireTableId
    tip: Digest
    key: Digest


class Entropy(Message, frozen=True, tag="entropy"):
    """Answer to an EntropyWanted: the link of this round, and the signature of it under the program's key."""

    table: WireTableId
    round: Count
    link: Digest
    proof: Signature
