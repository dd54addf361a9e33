"""Procedures driven by hand, from a cause to the next stop."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.match.procedure_run import MOST_FLOWS, Run, begin, entries_of, go_on, open_round, stored_stop
from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent, RuleBug
from engine.core.rules.events import CoreEvent, Event, GivenAnswer, OrderMade, QuestionClosed, RoundBegun
from engine.core.rules.game import Game, RoundWanted
from engine.core.rules.questions import CHOICE, Question, StoredQuestion
from engine.core.rules.record import Record
from engine.core.rules.system import Procedure
from protocol.scene.nodes import Reply
from tests.support.systems.haggle import (
    HAGGLE,
    Act,
    AuctionCalled,
    Bought,
    Buy,
    Haggle,
    Market,
    MarketRules,
    Opened,
    Pass,
    Passed,
    Won,
)
from tests.support.systems.scripted import ScriptedDice

OPEN = Opened().apply(HAGGLE.start(b"", 3))
DICE = ScriptedDice()


class Restless(Haggle):
    """Rules whose flow never ends and does nothing."""

    class Rules(MarketRules):
        def flow(self, game: Game[Market]) -> Procedure | None:
            async def idle() -> None:
                pass

            return idle()

    rules = Rules()


def run(intent: Any, state: Market = OPEN, system: Haggle = HAGGLE) -> Run[Market]:
    return begin(system, state, Record(round=1, seats=3), ScriptedDice(), (Seat(0), intent))


def kinds(run: Run[Market]) -> list[type[Event[Market] | CoreEvent]]:
    return [type(entry) for entry in entries_of(run)]


def test_an_act_that_asks_nothing_ends_in_its_step() -> None:
    done = run(Buy("bread"))
    assert done.wanted is None
    assert entries_of(done) == [Bought(0, "bread")]
    assert done.game.state.goods == ("bread",)
    assert OPEN.goods == ()


def test_what_happens_unasked_follows_and_stops_for_a_round() -> None:
    first = OrderMade(0, 0, "order", (0,))
    begun = begin(HAGGLE, HAGGLE.start(b"", 3), Record(seats=3), DICE, None, [first])
    assert begun.wanted == RoundWanted()
    assert entries_of(begun) == [first]
    open_round(begun, RoundBegun(1))
    assert begun.wanted is None
    assert kinds(begun)[0] is RoundBegun
    assert kinds(begun)[-1] is Opened
    assert begun.game.record.round == 1


def test_a_question_is_counted_and_its_answers_are_the_next_steps_first_entry() -> None:
    asking = run(Act("ask_self"))
    assert isinstance(asking.wanted, Question)
    assert (asking.wanted.id, asking.game.record.questions) == (0, 1)
    given = (GivenAnswer(0, Reply("yes")),)
    go_on(asking, given)
    assert entries_of(asking) == [QuestionClosed(0, given), Won(0, 1)]
    assert asking.wanted is None


def test_what_came_before_a_question_is_no_part_of_the_next_step() -> None:
    asking = run(Act("auction"))
    assert entries_of(asking) == [AuctionCalled(0)]
    given = tuple(GivenAnswer(seat, Reply("0")) for seat in range(3))
    go_on(asking, given)
    assert entries_of(asking) == [QuestionClosed(0, given), Won(0, 0)]


def test_a_refusal_before_the_first_effect_is_the_players() -> None:
    with pytest.raises(IllegalIntent, match="buy/no-such-good"):
        run(Buy("gold"))
    started = OrderMade(0, 0, "order", (0,))
    with pytest.raises(IllegalIntent, match="buy/no-such-good"):
        begin(HAGGLE, OPEN, Record(round=1), DICE, (Seat(0), Buy("gold")), [started])


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("late_refusal", "refused after the first effect: too/late"),
        ("crash", "KeyError: 'crash'"),
        ("awaits_nonsense", "not for int"),
        ("endless", "entries"),
        ("unresolved", "declared and never resolved: trade"),
        ("resolved_twice", "resolved already: trade"),
    ],
)
def test_anything_else_that_goes_wrong_is_a_bug(name: str, words: str) -> None:
    with pytest.raises(RuleBug, match=words):
        run(Act(name))


def test_a_flow_that_never_ends_is_a_bug() -> None:
    with pytest.raises(RuleBug, match=f"more than {MOST_FLOWS} unasked"):
        run(Pass(), system=Restless())


@pytest.mark.parametrize("reply", [Reply("maybe"), Reply("yes", {"coins": 3})])
def test_an_answer_that_does_not_fit_is_a_bug(reply: Reply) -> None:
    with pytest.raises(RuleBug, match="an answer to sure does not fit: reply/"):
        go_on(run(Act("ask_self")), [GivenAnswer(0, reply)])


def test_an_answer_to_no_question_is_a_bug() -> None:
    with pytest.raises(RuleBug, match="no question"):
        go_on(run(Pass()), [])


def test_a_bug_after_an_answer_is_a_bug() -> None:
    with pytest.raises(RuleBug, match="ZeroDivisionError"):
        go_on(run(Act("crash_after_question")), [GivenAnswer(0, Reply("1"))])


def test_a_procedure_that_was_given_up_does_nothing_more() -> None:
    asking = run(Act("ask_self"))
    asking.close()
    with pytest.raises(RuleBug, match="RuntimeError"):
        go_on(asking, [GivenAnswer(0, Reply("yes"))])
    assert Passed() not in entries_of(asking)


def test_a_stop_is_kept_by_what_it_asks_and_whom() -> None:
    asking = run(Act("moment"))
    assert isinstance(asking.wanted, Question)
    window, digest = asking.wanted.window, asking.wanted.digest(DICE.salt("question/0"))
    assert stored_stop(asking.wanted, DICE) == StoredQuestion(0, "before-sale", window, (0, 1, 2), digest, moment=True)
    alone = run(Act("ask_self")).wanted
    found = stored_stop(alone, DICE)
    assert isinstance(found, StoredQuestion)
    assert (found.window, found.seats, found.moment) == (CHOICE, (0,), False)
    assert stored_stop(RoundWanted(), DICE) == "round"
    assert stored_stop(None, DICE) is None
