"""A match of haggling whose programs add to the dice: its steps, the facts that its host tells, and a replay of it.

Nothing of it is a window, a socket or a server: each step is proposed by hand, with whatever parts the test wants.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.core.match.causes import Expiry, Intended, Void
from protocol.fairness.replay import Frame, Header, Replay, SeatHeader
from protocol.ids import MatchId
from tests.support.clients.dice.contributing import HOLDERS, SECRET, Contributed
from tests.support.examples import replays
from tests.support.fairness.sealing import replay_of
from tests.support.systems.haggle import HAGGLE, Act, Pass

MATCH = MatchId("m1")
NAMES = ("Ada", "Bea", "Cyd")


class EntropyMatch(Contributed):
    """Match of haggling. `parts`: programs may add at all."""

    def __init__(
        self, holders: Sequence[str] = HOLDERS, *, parts: bool = True, match: MatchId = MATCH, strict: bool = False
    ) -> None:
        super().__init__(SECRET, holders, HAGGLE, parts=parts, match=match, strict=strict)

    def open(self, missing: Iterable[int] = ()) -> None:
        """Call and open every round that is wanted now, without the parts of these seats."""
        self.missing = {*missing}
        self.open_rounds()
        self.missing = ()

    def play(self, name: str = "gamble", missing: Iterable[int] = ()) -> None:
        """Carry out an act of the seat to move, with all questions left to their defaults."""
        self.open(missing)
        self._intend(Act(name))
        while self.match.pending is not None:
            if self.match.question is not None:
                self.carry_out(Expiry(self.match.question.id))
            self.open(missing)

    def round(self, missing: Iterable[int] = ()) -> None:
        """Carry out an act that begins one round more (the first act of all: two)."""
        self.play("chain", missing)

    def give_up(self) -> None:
        """Give up an act while it waits for an answer."""
        self.open()
        self._intend(Act("chain"))
        self.do(Void("fault"))

    def pass_on(self) -> None:
        """Pass the turn to the next seat."""
        self._intend(Pass())

    def _intend(self, intent: Act | Pass) -> None:
        seat = self.match.may_act()[0]
        self.carry_out(Intended(seat, bytes(16), self.match.codec.encode_intent(intent)))

    def replay(self, names: tuple[str, ...] = NAMES) -> Replay:
        """Return its replay, with pictures of another match."""
        header = Header("haggle", "fair", self.match.id, "here", "0.1", tuple(SeatHeader(name, "") for name in names))
        streams: dict[str, tuple[Frame, ...]] = {"public": replays.frames()}
        return replay_of(header, SECRET, self.log, streams)
