"""The folded match: state and record from steps, and snapshots that stand for them."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest

from engine.core.match.causes import (
    Answered,
    AnyCause,
    Aside,
    Cause,
    Intended,
    RoundOpened,
    Seats,
    Start,
    Undo,
    Void,
)
from engine.core.match.folded_match import BESIDE, CONTINUING, RUNS_NOTHING, FoldedMatch
from engine.core.match.hash_chain import LOG, first_head
from engine.core.match.log import stored_step
from engine.core.match.match import Match
from engine.core.match.rule_code import CHANGED, RuleCode, code_event
from engine.core.rules.audience import Seat
from engine.core.rules.errors import LogDamaged
from engine.core.rules.events import OrderMade, Undone, Voided
from engine.core.rules.game import Game
from engine.core.rules.record import SeatSettings
from engine.core.rules.system import Intent, Procedure
from protocol.fairness.entropy_record import PERSON_BYTES
from protocol.ids import MatchId
from protocol.proof.dice import DICE
from protocol.scene.nodes import Reply, Result
from protocol.text import Text
from tests.support.systems.haggle import HAGGLE, LAST_TURN, Act, Buy, Haggle, Ledger, Market, MarketRules, Pass, Won
from tests.support.systems.scripted import ScriptedDice

MATCH = MatchId("m1")

ID = bytes(16)
ANN = b"a" * PERSON_BYTES


def folded(ledger: Ledger) -> FoldedMatch[Market]:
    """Fold the log of a match; no procedure runs."""
    course = FoldedMatch(HAGGLE, MATCH, ledger.dice)
    for data in ledger.steps:
        course.replay(data)
    return course


def test_every_cause_runs_procedures_or_runs_nothing() -> None:
    assert set(CONTINUING) | RUNS_NOTHING == set(Cause.__subclasses__())
    assert not set(CONTINUING) & RUNS_NOTHING
    assert BESIDE < RUNS_NOTHING


def test_a_course_begins_with_nothing_but_the_head_of_its_match() -> None:
    course = FoldedMatch(HAGGLE, MATCH, ScriptedDice())
    assert (course.version, course.head, course.origin, course.result) == (0, first_head(MATCH), b"", None)
    assert (course.record.log, course.record.dice) == (LOG, DICE)
    course.begin_as(1, 1, 7)
    assert (course.record.log, course.record.dice, course.record.rules) == (1, 1, 7)


@pytest.mark.parametrize("name", ["gamble", "draw", "ask_self", "chain", "auction"])
def test_a_log_gives_the_match_without_its_rules(name: str) -> None:
    ledger = Ledger()
    ledger.act(0, Buy("bread"))
    ledger.act(0, Act(name))
    course, match = folded(ledger), ledger.match
    assert (course.state, course.record, course.version) == (match.state, match.record, match.version)
    assert (course.head, course.origin, course.resolved) == (match.head, match.origin, match.resolved)
    assert course.undo == match.undo
    assert course.quiescent == (match.question is None)
    assert course.undo_refusal(Seat(0)) == match.undo_refusal(Seat(0))


def test_a_fold_changes_nothing() -> None:
    course = folded(Ledger())
    before = course.state, course.record, course.version, course.head
    trail, state, record = course.fold(Intended(0, ID, b""), [Won(0, 2), OrderMade(1, 0, "order", (0,)), Won(0, -1)])
    assert (state.coins, record.rolls) == ((4, 3, 3), 1)
    assert [trace.after.coins[0] for trace in trail] == [5, 5, 4]
    assert trail[0].before is course.state
    assert (course.state, course.record, course.version, course.head) == before


def test_a_table_event_names_the_code_that_the_record_is_under() -> None:
    ledger = Ledger()
    ledger.do(code_event(CHANGED, RuleCode("1.2", b"code")))
    assert folded(ledger).record.code == b"code"


def test_undo_leaves_what_does_not_belong_to_the_act() -> None:
    ledger = Ledger()
    ledger.act(0, Act("ask_self"))
    ledger.do(Answered(0, ID, 0, Reply("yes")))
    ledger.do(Aside(1, ID, SeatSettings(("before-sale",))))
    course = folded(ledger)
    _, state, record = course.fold(Undo(0, ID), [Undone(0, 2)])
    assert state.coins == (3, 3, 3)
    assert record.questions == 1
    assert record.settings == {1: SeatSettings(("before-sale",))}


def test_what_waits_is_given_up_to_where_it_began() -> None:
    ledger = Ledger()
    ledger.act(0, Act("chain"))
    course = folded(ledger)
    assert course.pending is not None
    assert course.undo_refusal(Seat(0)) == "waiting"
    _, state, record = course.fold(Void("e-1"), [Voided("e-1")])
    assert state is course.pending.base.state
    assert record.decks == course.pending.base.record.decks
    assert record.questions == 1


class ForecastRules(MarketRules):
    """Foretells two losses of each act before it is carried out, and makes one."""

    def procedure(self, game: Game[Market], seat: Seat, intent: Intent) -> Procedure:
        game.declare("shot", seat, expect=lambda: 200).resolve("done", 1)
        return super().procedure(game, seat, intent)


class Forecasting(Haggle):
    rules = ForecastRules()


def forecast(*after: AnyCause) -> Match[Market]:
    """Make a match whose first act with a forecast begins after a settled one, with what comes after it."""
    match = Match(Forecasting(), MATCH, ScriptedDice())
    act = Intended(0, ID, match.codec.encode_intent(Act("ask_self")))
    for cause in (Start(MATCH, 3, b""), RoundOpened(), act, Answered(0, ID, 0, Reply("yes")), act, *after):
        match.settle(match.propose(cause))
    return match


@pytest.mark.parametrize(
    ("after", "luck"),
    [
        ((), -200),
        ((Void("e-1"),), -100),
        ((Answered(0, ID, 1, Reply("yes")), Undo(0, ID)), -100),
        ((Answered(0, ID, 1, Reply("yes")), Undo(0, ID), Undo(0, ID)), 0),
    ],
    ids=["waiting", "voided", "taken back", "both taken back"],
)
def test_an_act_that_is_given_up_takes_its_luck_with_it(after: Sequence[AnyCause], luck: int) -> None:
    assert forecast(*after).record.luck.get(0, 0) == luck


@pytest.mark.parametrize("given_up", [(Void("e-1"),), (Answered(0, ID, 1, Reply("yes")), Undo(0, ID))])
def test_who_sits_down_during_an_act_stays_when_it_is_given_up(given_up: Sequence[AnyCause]) -> None:
    match = forecast(Seats(("person", "bot", "empty"), (ANN, b"", b"")), *given_up)
    assert match.record.people == {0: ANN}
    assert match.record.participation.holders == ("person", "bot", "empty")
    assert match.record.acts == 2, "no number is used twice"


def test_the_origin_is_the_head_after_the_first_step() -> None:
    ledger = Ledger()
    course = FoldedMatch(HAGGLE, MATCH, ledger.dice)
    course.replay(ledger.steps[0])
    first = course.head
    course.replay(ledger.steps[1])
    assert course.origin == first
    assert course.head != first


def test_a_match_has_a_result_once_it_is_over() -> None:
    ledger = Ledger()
    for turn in range(LAST_TURN):
        assert ledger.match.result is None
        ledger.act(turn % 3, Pass())
    assert folded(ledger).result is not None


def test_there_is_no_result_before_the_beginning_or_within_an_act() -> None:
    class Over(Haggle):
        def result(self, state: Market) -> Result | None:
            return Result(Text("over"), ())

    ledger = Ledger()
    course = FoldedMatch(Over(), MATCH, ledger.dice)
    assert course.result is None
    ledger.act(0, Act("ask_self"))
    *before, last = ledger.steps
    for data in before:
        course.replay(data)
    assert course.result == Result(Text("over"), ())
    course.replay(last)
    assert course.result is None


def test_a_log_that_takes_back_what_was_not_kept_is_damaged() -> None:
    course = folded(Ledger())
    data = course.codec.encode(stored_step(course.version + 1, Undo(0, ID), [Undone(0, 0)], None))
    with pytest.raises(LogDamaged, match="takes back what was not kept"):
        course.replay(data)


def test_a_snapshot_under_other_rules_is_not_read() -> None:
    class Newer(Haggle):
        RULES = 2

    ledger = Ledger()
    data = ledger.match.snapshot()
    parts = msgspec.msgpack.decode(data, type=list[msgspec.Raw])
    again = FoldedMatch(Newer(), MATCH, ledger.dice)
    assert not again.restore(data)
    assert again.version == 0
    older = [msgspec.Raw(msgspec.msgpack.encode(HAGGLE.RULES)), *parts[2:7]]
    assert not FoldedMatch(HAGGLE, MATCH, ledger.dice).restore(msgspec.msgpack.encode(older))
    assert FoldedMatch(HAGGLE, MATCH, ledger.dice).restore(data, ledger.match.record.code)


def test_a_log_with_a_hole_or_an_unknown_event_is_damaged() -> None:
    ledger = Ledger()
    ledger.act(0, Buy("bread"))
    again = Match(HAGGLE, MATCH, ledger.dice)
    with pytest.raises(LogDamaged, match="step 1 is missing"):
        again.replay(ledger.steps[1])
    with pytest.raises(LogDamaged):
        again.replay(ledger.steps[0].replace(b"core.started", b"core.strated"))


def test_a_snapshot_stands_for_the_log_before_it() -> None:
    ledger = Ledger()
    ledger.act(0, Buy("bread"))
    assert not ledger.match.snapshot_point
    ledger.act(0, Act("gamble"))
    assert ledger.match.snapshot_point
    data, count = ledger.match.snapshot(), len(ledger.steps)
    ledger.act(0, Act("auction"))
    again = Match(HAGGLE, "m1", ledger.dice)
    again.restore(data)
    for step in ledger.steps[count:]:
        again.replay(step)
    again.resume()
    assert (again.state, again.head, again.record) == (ledger.match.state, ledger.match.head, ledger.match.record)
    assert again.question is not None
    with pytest.raises(LogDamaged):
        again.restore(b"\x90")


def test_a_snapshot_of_other_rule_code_is_not_read_whatever_its_layout() -> None:
    ledger = Ledger()
    ledger.act(0, Act("gamble"))
    parts = msgspec.msgpack.decode(ledger.match.snapshot())
    parts[3] |= {"code": b"of before", "rolled": [[[1, 0, False], 0, 6, [3]]]}
    data = msgspec.msgpack.encode(parts)
    again = Match(HAGGLE, MATCH, ledger.dice)
    assert not again.restore(data, b"of today")
    assert again.version == 0
    with pytest.raises(LogDamaged):
        again.restore(data, b"of before")
