"""Series of a match: what its system counts at the end of each round, with the luck of each seat."""

from __future__ import annotations

import msgspec

from engine.core.match.causes import Answered
from engine.core.match.folded_match import FoldedMatch
from engine.core.match.tallies import MOST_ROUNDS, series_of, with_tally
from engine.core.rules.audience import ALL, Audience, Seat, only
from engine.core.rules.game import Game
from engine.core.rules.record import Record
from engine.core.rules.system import RoundTally
from protocol.ids import MatchId
from protocol.scene.nodes import Reply, Series
from protocol.text import Text
from tests.support.systems.haggle import LAST_TURN, Act, Haggle, Ledger, Market, Pass
from tests.support.systems.scripted import ScriptedDice

MATCH = MatchId("m1")
ID = bytes(16)


class Counting(Haggle):
    """A market that counts its coins."""

    def tally(self, state: Market) -> RoundTally:
        return RoundTally(state.turn, {"score": state.coins})


def played() -> Ledger:
    """A market that ends in its second round of dice, which begins in turn 3."""
    ledger = Ledger()
    for seat in range(3):
        ledger.act(seat, Pass())
    ledger.act(0, Act("chain"))
    ledger.do(Answered(0, ID, 0, Reply("1")))
    ledger.do(Answered(1, ID, 1, Reply("yes")))
    for turn in range(3, LAST_TURN):
        ledger.act(turn % 3, Pass())
    return ledger


def test_a_result_has_what_was_counted_at_the_end_of_each_round() -> None:
    ledger = played()
    course = FoldedMatch(Counting(), MATCH, ledger.dice)
    for data in ledger.steps:
        course.replay(data)
    start, end = ledger.match.system.start(b"", 3).coins, ledger.match.state.coins
    assert start != end
    rows = tuple(zip(start, end, strict=True))
    assert course.result is not None
    assert course.result.series == (Series(Text("series.score"), rows, 3),)


def test_the_course_outlives_a_snapshot() -> None:
    ledger = played()
    course = FoldedMatch(Counting(), MATCH, ledger.dice)
    for data in ledger.steps:
        course.replay(data)
    again = FoldedMatch(Counting(), MATCH, ledger.dice)
    assert again.restore(course.snapshot())
    assert again.series() == course.series() != ()
    # one of the time before has no course: the steps are to be folded
    older = msgspec.msgpack.encode(msgspec.msgpack.decode(course.snapshot(), type=list[msgspec.Raw])[:8])
    assert not FoldedMatch(Counting(), MATCH, ledger.dice).restore(older)


def test_a_round_that_is_played_again_counts_once() -> None:
    first, second, again = (
        RoundTally(1, {"score": (1,)}),
        RoundTally(2, {"score": (2,)}),
        RoundTally(2, {"score": (3,)}),
    )
    assert with_tally((first, second), again) == (first, again)
    assert len(with_tally([RoundTally(n) for n in range(MOST_ROUNDS)], RoundTally(MOST_ROUNDS))) == MOST_ROUNDS


def test_what_was_not_counted_at_first_is_0_until_then() -> None:
    tallies = (RoundTally(1, {"score": (1, 2)}), RoundTally(2, {"score": (3, 4), "luck": (-50, 50)}))
    assert series_of(tallies) == (
        Series(Text("series.score"), ((1, 3), (2, 4)), 1),
        Series(Text("series.luck"), ((0, -50), (0, 50)), 1, 100),
    )
    assert series_of(()) == ()


def acted(losses: int, to: Audience = ALL, *, bare: bool = False) -> Record:
    """The record after an act of seat 1 of which 1.5 losses were forecast."""
    game = Game(None, Record(seats=2), ScriptedDice(), bare=bare)
    game.declare("shot", Seat(1), to, lambda: 150).resolve("done", losses)
    return game.record


def test_luck_is_what_was_caused_less_what_was_forecast_openly() -> None:
    assert acted(2).luck == {1: 50}
    assert acted(0).luck == {1: -150}
    assert acted(2, only(Seat(1))).luck == {}
    assert acted(2, bare=True).luck == {}
    assert acted(2).known(Seat(1)).luck == {}
