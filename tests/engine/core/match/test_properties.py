"""The engine's properties under random legal play of the market."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given, strategies as st

from engine.core.bots.random_bot import RandomBot
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from engine.core.rules.system import Setup
from protocol.ids import MatchId
from protocol.proof.dice import RoundEntropy
from protocol.scene.nodes import Reply
from tests.support.play.checked_play import undoes
from tests.support.play.observed import Observed
from tests.support.systems.haggle import HAGGLE, Market

RESOLVED = HAGGLE.setup(None, Setup("fair", ("", "", "")))


@given(st.integers(0, 2**32), st.lists(st.integers(0, 40), max_size=5))
def test_fold_rebuild_and_projection_agree_at_every_stop(seed: int, undos: list[int]) -> None:
    table: Observed[Market] = Observed(HAGGLE, MatchDice(seed.to_bytes(32, "big"), MatchId("m1")), RESOLVED, 3)
    bots = {Seat(s): RandomBot(seed + s) for s in range(3)}
    for turn in range(120):
        table.check_log()
        table.check_views()
        if turn in undos:
            for seat in bots:
                undoes(table, seat)
        if not table.play.decide(bots):
            break


class Ordered(MatchDice):
    """The dice of a seed, with decks in a fixed order."""

    def __init__(self, seed: int, order: Sequence[int]) -> None:
        super().__init__(seed.to_bytes(32, "big"), MatchId("m1"))
        self._order = tuple(order)

    def deck(self, name: str, epoch: int, entropy: RoundEntropy, size: int) -> tuple[int, ...]:
        return self._order


@given(st.integers(0, 2**32), st.permutations(range(8)), st.permutations(range(8)))
def test_nobody_learns_the_order_of_the_deck_or_another_hand(seed: int, one: list[int], other: list[int]) -> None:
    """The third seat, which never draws, gets equal changes from two matches that differ only in the deck's order."""
    frames = []
    for order in (one, other):
        table: Observed[Market] = Observed(HAGGLE, Ordered(seed, order), RESOLVED, 3)
        for turn in range(8):
            prompt = table.play.projector.prompt(table.match.may_act()[0])
            assert prompt is not None
            seat = table.match.may_act()[0]
            act = "gamble" if seat == 2 else ("draw", "hidden_roll", "auction")[(seed >> turn) % 3]
            table.play.submit(seat, Reply(act))
            if table.match.question is not None:
                table.play.expire()
            table.play.submit(seat, Reply("pass"))
        frames.append((table.frames[None], table.frames[Seat(2)]))
    assert frames[0] == frames[1]
