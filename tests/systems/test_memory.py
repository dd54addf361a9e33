"""A match that nobody holds any more leaves no cycles behind, whichever system it is of."""

from __future__ import annotations

from weakref import ref

import msgspec
import pytest

from engine.core.bots.selfplay import SelfPlay
from engine.core.match.causes import Start
from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from protocol.ids import MatchId
from server.cli.simulation.simulate import installed
from server.match.bots.bot_factory import make_bot
from tests.support.runs.uncollected import of_matches, uncollected
from tests.support.systems import ae_shipped, op_shipped, shipped

pytestmark = pytest.mark.slow


def content_of(name: str) -> tuple[bytes, int]:
    """Return the content of a match of a system, and its number of seats."""
    if name == "action_cards":
        return shipped.resolved_scenario("harrow_cross")
    if name == "one_page":
        return op_shipped.resolved(), 2
    return msgspec.msgpack.encode(ae_shipped.resolved("loophole")), 2


@pytest.mark.parametrize("name", ["action_cards", "one_page", "apocalypse_earth"])
def test_a_match_with_its_pictures_is_freed_at_once(name: str) -> None:
    system = installed(name).system
    resolved, seats = content_of(name)
    with uncollected() as left:
        match = Match(system, MatchId("m1"), MatchDice(bytes(32), MatchId("m1")))
        game = SelfPlay(match)
        game.begin(Start(match.id, seats, resolved))
        game.play({Seat(seat): make_bot(system, "random", seat) for seat in range(seats)}, most=60)
        match_ref, projector_ref = ref(match), ref(game.projector)
        del match, game
        assert match_ref() is None
        assert projector_ref() is None
    assert not of_matches(left)
