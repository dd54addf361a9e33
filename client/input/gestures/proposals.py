"""Proposals that are asked for while the pointer moves: one on its way, the newest wins, a least time apart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple, Protocol

from msgspec.structs import replace

from protocol.ids import NodeId
from protocol.scene.nodes import Point
from protocol.wire.from_server import Proposed, Surveyed

APART: Final = 0.08
"""Least seconds between two questions."""
LOST: Final = 3.0
"""Seconds after which a question without an answer counts as lost."""


class Advisor(Protocol):
    """The part of a session that answers questions about choices."""

    links_made: int

    def ask_survey(self, subject: NodeId) -> int: ...

    def ask_proposal(self, choice: str, fields: Mapping[str, object]) -> int: ...


class Wanted(NamedTuple):
    """Choice with the fields that are to stay as they are."""

    choice: str
    fields: Mapping[str, object]


class Proposals:
    """The proposal that is shown, and the question on its way. `shown_for`: what `shown` answers; `refused`: the newest
    answer is a refusal."""

    def __init__(self, advisor: Advisor) -> None:
        self.advisor = advisor
        self.clear()

    def clear(self) -> None:
        """Forget everything; answers on their way are dropped."""
        self.wanted: Wanted | None = None
        self.asked: Wanted | None = None
        self.number = -1
        self.asked_at = -LOST
        self.is_on_its_way = False
        self.shown: Proposed | None = None
        self.shown_for: Wanted | None = None

    def want(self, choice: str, fields: Mapping[str, object], now: float) -> None:
        """Ask for a choice with these fields, now or as soon as it may be asked, unless it has been asked."""
        wanted = Wanted(choice, dict(fields))
        self.wanted = None if wanted in (self.asked, self.shown_for) else wanted
        self.tick(now)

    def tick(self, now: float) -> None:
        """Ask what waits, if its time has come."""
        if self.is_on_its_way and now - self.asked_at > LOST:
            self.is_on_its_way, self.asked = False, None
        if self.wanted is None or self.is_on_its_way or now - self.asked_at < APART:
            return
        asked, self.wanted = self.wanted, None
        self.number = self.advisor.ask_proposal(*asked)
        self.asked, self.asked_at, self.is_on_its_way = asked, now, True

    def take(self, message: Surveyed | Proposed) -> bool:
        """Take in an answer; return False for one of another question."""
        if not isinstance(message, Proposed) or message.id != self.number or self.asked is None:
            return False
        if self.is_on_its_way or self.shown is None or self.shown_for != self.asked:
            self.is_on_its_way = False
            seen = self._seen_before(self.asked) if message.more else ()
            self.shown, self.shown_for = replace(message, seen=seen), self.asked
        elif not message.code:
            self.shown = replace(
                self.shown,
                targets=message.targets or self.shown.targets,
                seen=message.seen or (self.shown.seen if message.more else ()),
                forecast=message.forecast or self.shown.forecast,
                more=message.more,
            )
        return True

    def _seen_before(self, asked: Wanted) -> tuple[tuple[Point, ...], ...]:
        """Return what was seen from the last place that the same choice was proposed for: it stays until the answer
        tells what is seen from the new one, so that nothing flickers."""
        is_same = self.shown is not None and self.shown_for is not None and self.shown_for.choice == asked.choice
        return self.shown.seen if self.shown is not None and is_same else ()

    def answer_to(self, choice: str, fields: Mapping[str, object]) -> Proposed | None:
        """Return the proposal for a choice with just these fields, if it is there."""
        return self.shown if self.shown_for == (choice, dict(fields)) else None

    @property
    def is_busy(self) -> bool:
        """True where a question is on its way or waits."""
        return self.is_on_its_way or self.wanted is not None
