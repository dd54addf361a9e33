"""Non-interference: One Page Apocalypse hides nothing but the dice to come, and of those nobody is told a byte."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from engine.core.bots.bot import Bot
from engine.core.bots.random_bot import RandomBot
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice, Pool
from engine.core.rules.events import DiceRolled
from engine.rulesets.one_page.state.state import Battle
from engine.rulesets.one_page.system import system
from protocol.ids import MatchId
from protocol.proof.dice import RoundEntropy
from tests.support.faults.interference import OtherOrder, Recorded
from tests.support.play.secrecy import same
from tests.support.systems import op_shipped

TABLES = st.sampled_from(["open_field_3000", "crossroads_3000"])
MOST = 90


class OtherFuture(OtherOrder):
    """Dice that show something else from the roll after so many on."""

    def __init__(self, dice: MatchDice, other: MatchDice, rolled: int) -> None:
        super().__init__(dice, "", 0, 0, 0)
        self._other, self._left = other, rolled

    def faces(self, round: int, entropy: RoundEntropy, n: int, pool: Pool, *, hidden: bool) -> tuple[int, ...]:
        self._left -= 1
        return (self._dice if self._left >= 0 else self._other).faces(round, entropy, n, pool, hidden=hidden)


def check_dice(seed: int, scenario: str, decisions: int) -> int:
    """A battle, and again by the same replies with other dice to come: how many viewers were sent the same. Raises
    AssertionError."""
    dice, other = (MatchDice(number.to_bytes(32, "big"), MatchId("m1")) for number in (seed, seed + 1))
    recorded: Recorded[Battle] = Recorded(system, op_shipped.resolved(scenario, seed % 16), 2)
    bots: dict[Seat, Bot] = {Seat(seat): RandomBot(seed + seat) for seat in range(2)}
    one = recorded.play(dice, bots, decisions)
    entries = (entry for data in one.log for entry in one.match.codec.decode(data).entries)
    rolled = sum(isinstance(entry, DiceRolled) for entry in entries)
    again = recorded.again(OtherFuture(dice, other, rolled))
    assert again.match.state == one.match.state
    return same(one, again, one.frames)


@settings(max_examples=3, deadline=None)
@given(st.integers(0, 2**32), TABLES, st.integers(20, MOST))
def test_nobody_learns_what_the_dice_will_show(seed: int, scenario: str, decisions: int) -> None:
    assert check_dice(seed, scenario, decisions) == 3


@settings(max_examples=3, deadline=None)
@given(st.integers(0, 2**32), TABLES)
def test_nobody_is_shown_more_than_the_others_but_what_he_may_do(seed: int, scenario: str) -> None:
    recorded: Recorded[Battle] = Recorded(system, op_shipped.resolved(scenario, seed % 16), 2)
    bots: dict[Seat, Bot] = {Seat(seat): RandomBot(seed + seat) for seat in range(2)}
    state = recorded.play(MatchDice(seed.to_bytes(32, "big"), MatchId("m1")), bots, 40).match.state
    assert [list(system.private(state, Seat(seat))) for seat in range(2)] == [[], []]


@pytest.mark.long("properties")
def test_a_hundred_battles_tell_nothing_of_the_dice_to_come() -> None:
    for seed in range(100):
        check_dice(seed, ("open_field_3000", "crossroads_3000")[seed % 2], 20 + 5 * (seed % 30))
