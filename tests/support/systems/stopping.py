"""A market with two moments, at which its seats may set stops and leave orders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from engine.core.match.causes import RoundOpened, Start
from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from engine.core.rules.game import Game
from engine.core.rules.system import Moment
from protocol.ids import MatchId
from protocol.scene.fields import AnyField, Option, PickOption
from protocol.text import Text, text
from tests.support.systems.haggle import Haggle, Market

MATCH: Final = MatchId("m1")


class Stopping(Haggle):
    """A system with two moments, and a detail that tells whether it was asked for bare."""

    moments: Sequence[Moment] = (
        Moment("before-sale", text("before"), (Option("yes"), Option("no"))),
        Moment("after-sale", text("after"), (Option("maybe"),)),
    )

    def detail(self, game: Game[Market], seat: Seat, choice: str, fields: Mapping[str, object]) -> AnyField:
        return PickOption("good", Text("bare" if game.bare else "full"))


def stopping(system: Stopping | None = None) -> Match[Market]:
    """Begin a match of it whose market is open."""
    match = Match(system or Stopping(), MATCH, MatchDice(bytes(32), MATCH))
    for cause in (Start(MATCH, 3, b""), RoundOpened()):
        match.settle(match.propose(cause))
    return match
