"""Answers to questions of the rules about one match, remembered as long as nothing has happened in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent, Refusal
from engine.core.view.prompts import detail_for
from protocol.scene.fields import AnyField

MOST: Final = 64
"""Of one match; an answer takes up to about ten kilobytes."""
_PACK: Final = msgspec.msgpack.Encoder(order="deterministic").encode


class Details:
    """A cache of the next field of a choice, by seat, choice and fields so far, for one state of the match."""

    def __init__(self, match: Match[Any]) -> None:
        self._match = match
        self._of: tuple[object, ...] = ()
        self._known: dict[tuple[int, str, bytes], AnyField | Refusal] = {}

    def answer(self, seat: Seat, choice: str, fields: Mapping[str, object]) -> AnyField:
        """Return the first field of `choice` that `fields` lacks. Raises IllegalIntent, and what the rules raise."""
        match = self._match
        # a step that could not be stored is taken back, and the next has its number
        now = (match.state, match.record, match.question)
        if len(self._of) != len(now) or any(a is not b for a, b in zip(self._of, now, strict=True)):
            self._of, self._known = now, {}
        key = (int(seat), choice, _PACK(fields))
        found = self._known.get(key)
        if found is None:
            found = self._ask(seat, choice, fields)
            if len(self._known) >= MOST:
                self._known.pop(next(iter(self._known)))
            self._known[key] = found
        if isinstance(found, Refusal):
            raise IllegalIntent(found.code, found.text)
        return found

    def _ask(self, seat: Seat, choice: str, fields: Mapping[str, object]) -> AnyField | Refusal:
        try:
            return detail_for(self._match, seat, choice, fields)
        except IllegalIntent as illegal:
            # the exception itself would keep the frames that it came through, and so the match
            return illegal.refusal
