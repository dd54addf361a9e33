"""Pacing of one person's messages: a bucket for each kind of message that has one, and one for all the rest."""

from __future__ import annotations

from typing import Final

from protocol.limits import Limits
from protocol.token_buckets import TokenBucket
from protocol.wire.from_client import (
    AnswerOffer,
    BuildList,
    Chat,
    DetailRequest,
    Intent,
    Offer,
    PointAt,
    Propose,
    Survey,
)


class Pace:
    """Buckets of a connection, and after its login those of the person, whatever the number of connections."""

    def __init__(self, limits: Limits, now: float) -> None:
        self.rest: Final = TokenBucket(limits.frames, now, limits.overflow_factor)
        details = TokenBucket(limits.details, now, limits.overflow_factor)
        talk = TokenBucket(limits.chat, now, limits.overflow_factor)
        self._own: Final[dict[type[object], TokenBucket]] = {
            Intent: TokenBucket(limits.intents, now, limits.overflow_factor),
            DetailRequest: details,
            Survey: details,
            Propose: details,
            BuildList: TokenBucket(limits.details, now, limits.overflow_factor),
            Chat: talk,
            Offer: talk,
            AnswerOffer: talk,
            PointAt: TokenBucket(limits.marks, now, limits.overflow_factor),
        }

    def bucket(self, kind: type[object]) -> TokenBucket:
        """Return the bucket that messages of this kind are taken from."""
        return self._own.get(kind, self.rest)

    def is_forgiven(self, now: float) -> bool:
        """Return True where every bucket is full again."""
        return self.rest.is_forgiven(now) and all(bucket.is_forgiven(now) for bucket in self._own.values())
