"""A match: steps, questions, undo, void, rebuild."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine.core.match.causes import (
    Answered,
    Aside,
    Conceded,
    EntropyCall,
    EntropyTip,
    Expiry,
    Intended,
    RoundOpened,
    Seats,
    TableEvent,
    Undo,
    Void,
)
from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent, RuleBug, RuleDiverged
from engine.core.rules.events import Voided
from engine.core.rules.game import Game
from engine.core.rules.record import SeatSettings, StandingOrder
from engine.core.rules.system import Intent, Moment, MomentReached, Procedure
from protocol.fairness.entropy_chain import EntropyChain
from protocol.ids import MatchId
from protocol.scene.fields import Option
from protocol.scene.nodes import Reply
from protocol.text import text
from tests.support.systems.haggle import FAULTS, HAGGLE, Act, Buy, Ledger, Market, MarketRules, Pass
from tests.support.systems.scripted import ScriptedDice
from tests.support.systems.stopping import Stopping, stopping

ID = bytes(16)


def code_of(raised: pytest.ExceptionInfo[IllegalIntent]) -> str:
    return raised.value.refusal.code


def test_dice_are_facts_in_the_log() -> None:
    ledger = Ledger(ScriptedDice([3, 5]))
    ledger.act(0, Act("gamble"))
    assert ledger.match.state.coins == (4, 3, 3)


def test_a_refusal_leaves_no_trace() -> None:
    ledger = Ledger()
    before = ledger.match.version, ledger.match.head, ledger.match.state
    with pytest.raises(IllegalIntent) as raised:
        ledger.act(0, Buy("gold"))
    assert code_of(raised) == "buy/no-such-good"
    assert (ledger.match.version, ledger.match.head, ledger.match.state) == before
    refusal = ledger.match.can(Seat(0), Buy("gold"))
    assert refusal is not None
    assert refusal.code == "buy/no-such-good"
    assert ledger.match.can(Seat(0), Buy("bread")) is None
    assert ledger.match.can(Seat(1), Buy("bread")) is not None


@pytest.mark.parametrize("fault", [f for f in FAULTS if f != "crash_after_question"])
def test_a_bug_in_a_rule_changes_nothing(fault: str) -> None:
    ledger = Ledger()
    before = ledger.match.version, ledger.match.state
    with pytest.raises(RuleBug):
        ledger.act(0, Act(fault))
    assert (ledger.match.version, ledger.match.state) == before
    ledger.act(0, Pass())


def test_another_seats_intent_and_an_answer_to_nothing_are_refused() -> None:
    ledger = Ledger()
    with pytest.raises(IllegalIntent) as raised:
        ledger.act(1, Pass())
    assert code_of(raised) == "turn/not-yours"
    with pytest.raises(IllegalIntent) as raised:
        ledger.do(Answered(0, ID, 0, Reply("yes")))
    assert code_of(raised) == "answer/not-asked"


def test_while_a_procedure_waits_only_its_answer_counts() -> None:
    ledger = Ledger()
    ledger.act(0, Act("ask_self"))
    with pytest.raises(IllegalIntent) as raised:
        ledger.act(0, Pass())
    assert code_of(raised) == "turn/wait"
    with pytest.raises(IllegalIntent) as raised:
        ledger.do(Answered(0, ID, 0, Reply("maybe")))
    assert code_of(raised) == "reply/unknown-choice"
    ledger.do(Answered(0, ID, 0, Reply("yes")))
    assert ledger.match.state.coins[0] == 4


def test_sealed_answers_close_by_expiry_only_and_missing_ones_default() -> None:
    ledger = Ledger()
    ledger.act(0, Act("auction"))
    match = ledger.match
    assert not match.hold(Answered(1, ID, 0, Reply("3")))
    with pytest.raises(IllegalIntent):
        ledger.do(Answered(0, ID, 0, Reply("1")))
    step = ledger.do(Expiry(question=0))
    assert match.state.coins == (3, 0, 3)
    closed = step.stored.entries[0]
    assert [(a.seat, a.reply.choice, a.by_default) for a in closed.answers] == [
        (0, "0", True),
        (1, "3", False),
        (2, "0", True),
    ]


def test_an_answer_is_final_and_what_stood_in_for_a_silent_seat_is_not() -> None:
    ledger = Ledger()
    ledger.act(0, Act("moment"))
    match = ledger.match
    match.stand_in(Answered(0, ID, 0, match.silent_reply(Seat(0))))
    assert match.given(Seat(0)) is None
    assert Seat(0) in match.sealed
    yes = Answered(0, ID, 0, Reply("yes"))
    assert not match.hold(yes)
    assert match.given(Seat(0)) is yes
    for refused in (match.hold, match.stand_in, match.closes, match.propose):
        with pytest.raises(IllegalIntent) as raised:
            refused(Answered(0, b"other" + bytes(11), 0, Reply("no")))
        assert code_of(raised) == "answer/given"
    closed = ledger.do(Expiry(question=0)).stored.entries[0]
    assert closed.answers[0].reply == Reply("yes")
    assert match.given(Seat(0)) is None
    assert not match.standing_in


def test_a_turn_that_runs_out_plays_what_the_system_names() -> None:
    ledger = Ledger()
    ledger.do(Expiry(seat=0))
    assert ledger.match.state.turn == 1
    with pytest.raises(IllegalIntent):
        ledger.do(Expiry(seat=0))


def test_undo_reaches_back_to_the_last_irrevocable_event() -> None:
    ledger = Ledger()
    ledger.act(0, Buy("bread"))
    ledger.act(0, Buy("cheese"))
    ledger.do(Undo(0, ID))
    assert ledger.match.state.goods == ("bread",)
    ledger.do(Undo(0, ID))
    assert not ledger.match.state.goods
    with pytest.raises(IllegalIntent) as raised:
        ledger.do(Undo(0, ID))
    assert code_of(raised) == "undo/nothing"
    ledger.act(0, Buy("bread"))
    ledger.act(0, Act("gamble"))
    with pytest.raises(IllegalIntent) as raised:
        ledger.do(Undo(0, ID))
    assert code_of(raised) == "undo/dice"


def test_undo_ends_where_another_seat_has_acted() -> None:
    ledger = Ledger()
    ledger.act(0, Pass())
    ledger.act(1, Buy("bread"))
    with pytest.raises(IllegalIntent) as raised:
        ledger.do(Undo(0, ID))
    assert code_of(raised) == "undo/another-acted"
    ledger.do(Undo(1, ID))
    assert not ledger.match.state.goods


def test_undo_takes_back_an_act_with_a_question_to_oneself_whole() -> None:
    ledger = Ledger()
    ledger.act(0, Act("ask_self"))
    with pytest.raises(IllegalIntent) as raised:
        ledger.do(Undo(0, ID))
    assert code_of(raised) == "undo/waiting"
    ledger.do(Answered(0, ID, 0, Reply("yes")))
    ledger.do(Undo(0, ID))
    assert ledger.match.state.coins[0] == 3
    assert ledger.refolded().state == ledger.match.state


def test_withdraw_is_as_if_never_asked_also_in_mid_procedure() -> None:
    ledger = Ledger()
    match = ledger.match
    ledger.act(0, Act("chain"))
    before = match.version, match.head, match.state, match.record
    question = match.question
    assert question is not None
    match.withdraw(match.propose(Answered(0, ID, question.id, Reply("1"))))
    assert (match.version, match.head, match.state, match.record) == before
    ledger.do(Answered(0, ID, question.id, Reply("1")))
    again = match.question
    assert again is not None
    assert again.kind == "second"


def test_void_goes_back_to_the_last_quiescent_state_and_no_card_order_is_used_twice() -> None:
    ledger = Ledger()
    match = ledger.match
    quiet = match.state
    ledger.act(0, Act("chain"))
    epoch = match.record.decks["fruit"].epoch
    step = ledger.do(Void("e-1"))
    assert isinstance(step.stored.entries[0], Voided)
    assert match.state == quiet
    assert match.record.decks["fruit"].epoch == epoch + 1
    assert match.record.decks["fruit"].left == 8
    assert ledger.refolded().record == match.record
    with pytest.raises(IllegalIntent):
        ledger.do(Undo(0, ID))


def test_an_act_given_up_takes_its_declared_actions_along() -> None:
    ledger = Ledger()
    match = ledger.match
    ledger.act(0, Act("trade"))
    assert [action.kind for action in match.record.declared] == ["trade"]
    assert ledger.refolded().record == match.record
    ledger.do(Void("e-1"))
    assert (match.record.declared, match.record.acts) == ((), 1)
    assert ledger.refolded().record == match.record
    ledger.act(0, Act("trade"))
    assert [action.n for action in match.record.declared] == [2], "no number is used twice"


def test_undo_gives_no_number_of_an_action_again() -> None:
    ledger = Ledger()
    for question in range(2):
        ledger.act(0, Act("scheme"))
        assert [action.number_for(0) for action in ledger.match.record.declared] == [-1 - question]
        ledger.do(Answered(0, ID, question, Reply("yes")))
        ledger.do(Undo(0, ID))
        assert not ledger.match.state.hands
    assert ledger.refolded().record == ledger.match.record


def test_when_every_answer_meets_a_bug_the_question_stays_until_void() -> None:
    ledger = Ledger()
    match = ledger.match
    ledger.act(0, Act("crash_after_question"))
    for cause in (Answered(0, ID, 0, Reply("1")), Answered(0, ID, 0, Reply("0")), Expiry(question=0)):
        with pytest.raises(RuleBug):
            ledger.do(cause)
        assert match.question is not None
    ledger.do(Void("e-2"))
    ledger.act(0, Pass())


def test_an_aside_changes_only_its_own_settings_and_is_read_at_moments() -> None:
    ledger = Ledger()
    match = ledger.match
    ledger.act(0, Act("moment"))
    assert match.automatic() == (0, 1, 2)
    ledger.do(Aside(1, ID, SeatSettings(stops=("before-sale",))))
    assert match.automatic() == (0, 2)
    ledger.do(TableEvent("link", 2, "lost"))
    assert ledger.refolded().automatic() == (0, 2)
    ledger.do(Expiry(question=0))
    assert match.state.turn == 0
    assert ledger.refolded().state == match.state


@pytest.mark.parametrize(
    ("order", "speaks"),
    [(Reply("yes"), "yes"), (Reply("no"), "no"), (Reply("maybe"), "no"), (Reply("yes", {"coins": 3}), "no")],
    ids=["fits", "is the default", "no such choice", "fields that are not asked for"],
)
def test_a_standing_order_that_does_not_fit_gives_way_to_the_default(order: Reply, speaks: str) -> None:
    """An order left for an older form of the question does not count: the default of this one closes it."""
    ledger = Ledger()
    match = ledger.match
    ledger.do(Aside(1, ID, SeatSettings(orders={"before-sale": order})))
    ledger.act(0, Act("moment"))
    assert match.silent_reply(Seat(1)) == Reply(speaks)
    assert match.silent_reply(Seat(0)) == Reply("no")
    match.stand_in(Answered(1, ID, 0, match.silent_reply(Seat(1))))
    closed = ledger.do(Expiry(question=0)).stored.entries[0]
    assert [answer.reply.choice for answer in closed.answers] == ["no", speaks, "no"]


class Asking(Stopping):
    """Asks all before a sale but those whose orders speak."""

    moments = (Moment("before-sale", text("before"), (Option("yes"), Option("maybe")), asks=True),)

    def obey(
        self, game: Game[Market], seat: Seat, reached: MomentReached, orders: Sequence[StandingOrder]
    ) -> Reply | None:
        return Reply("yes") if orders[0].order == "speaks" else None


@pytest.mark.parametrize(
    ("settings", "speaks"),
    [
        (SeatSettings(), False),
        (SeatSettings(standing=(StandingOrder("before-sale", "speaks"),)), True),
        (SeatSettings(standing=(StandingOrder("before-sale", "is silent"),)), False),
        (SeatSettings(orders={"before-sale": Reply("yes")}), True),
        (SeatSettings(orders={"before-sale": Reply("maybe")}), False),
        (SeatSettings(("before-sale",), {"before-sale": Reply("yes")}), False),
    ],
    ids=["none", "speaks", "is silent", "fits", "does not fit", "a stop"],
)
def test_who_has_left_orders_is_asked_unless_one_gives_an_answer_now(settings: SeatSettings, speaks: bool) -> None:
    match = stopping(Asking())
    for cause in (Aside(1, ID, settings), Intended(0, ID, match.codec.encode_intent(Act("moment")))):
        match.settle(match.propose(cause))
    assert match.automatic() == ((1,) if speaks else ())


def test_a_waiting_procedure_that_runs_differently_is_never_guessed_on() -> None:
    ledger = Ledger(ScriptedDice([3, 5]))
    ledger.act(0, Act("chain"))
    ledger.do(Answered(0, ID, 0, Reply("1")))
    other = Match(HAGGLE, MatchId("m1"), ScriptedDice([1, 1]))
    for data in ledger.steps:
        other.replay(data)
    with pytest.raises(RuleDiverged):
        other.resume()


def test_a_match_that_is_resumed_after_each_step_runs_no_step_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = Ledger()
    ledger.act(0, Act("chain"))
    ledger.do(Aside(1, ID, SeatSettings(orders={"before-sale": Reply("yes")})))
    ledger.do(Answered(0, ID, 0, Reply("1")))
    plain, begun = MarketRules.procedure, []

    def procedure(rules: MarketRules, game: Game[Market], seat: Seat, intent: Intent) -> Procedure:
        begun.append(intent)
        return plain(rules, game, seat, intent)

    monkeypatch.setattr(MarketRules, "procedure", procedure)
    again = Match(HAGGLE, MatchId("m1"), ledger.dice)
    for step in ledger.steps:
        again.replay(step)
        again.resume()
    assert len(begun) == 1
    assert again.question is not None
    assert ledger.match.question is not None
    assert again.question.digest(b"") == ledger.match.question.digest(b"")
    answer = Answered(1, ID, again.question.id, Reply("yes"))
    assert again.propose(answer).data == ledger.do(answer).data


def test_a_procedure_that_has_run_ahead_of_the_log_is_made_again_from_where_it_began() -> None:
    ledger = Ledger()
    ledger.act(0, Act("chain"))
    match = ledger.match
    match.replay(match.propose(Answered(0, ID, 0, Reply("1"))).data)
    match.resume()
    assert match.wants_round
    ledger.do(RoundOpened())
    assert match.question is not None
    assert match.question.kind == "second"


def test_a_concession_that_waits_for_an_answer_is_made_again_from_where_it_began() -> None:
    ledger = Ledger()
    ledger.do(Conceded(0))
    assert ledger.match.leaving(Seat(0)) is None
    again = Match(HAGGLE, MatchId("m1"), ledger.dice)
    for step in ledger.steps:
        again.replay(step)
    again.resume()
    assert again.question is not None
    again.settle(again.propose(Answered(1, ID, again.question.id, Reply("yes"))))
    assert again.state.coins == (0, 6, 3)


@pytest.mark.parametrize(
    ("links", "proofs"),
    [
        (("other", "", ""), "p--"),
        (("match", "", ""), "p--"),
        (("seat", "", ""), "p--"),
        (("later", "", ""), "p--"),
        (("tip", "", ""), "p--"),
        (("own", "", ""), "---"),
        (("", "", ""), "p--"),
        (("own", "", "own"), "p-p"),
        (("own", ""), "p-"),
    ],
    ids=["seed", "match", "seat", "later round", "the tip", "no proof", "no link", "not called", "too few"],
)
def test_a_part_of_another_chain_is_refused_by_the_match_itself(links: tuple[str, ...], proofs: str) -> None:
    """The match refuses parts of another seed, match, seat or round, and incomplete ones, before it makes a step."""
    ledger = Ledger(parts=True)
    match = ledger.match
    ledger.do(Seats(("person", "person", "empty")))
    own, seat, other, foreign = (
        EntropyChain(seed * 32, id, match.origin)
        for seed, id in ((b"l", match.id), (b"s", match.id), (b"o", match.id), (b"l", MatchId("m2")))
    )
    ledger.do(EntropyTip(0, own.tip, b"k" * 32))
    ledger.do(EntropyTip(1, seat.tip, b"q" * 32))
    ledger.do(EntropyCall())
    given = {"own": own.link(1), "other": other.link(1), "match": foreign.link(1), "seat": seat.link(1)}
    given |= {"later": own.link(2), "tip": own.tip, "": b""}
    before = match.version, match.head, match.record
    with pytest.raises(IllegalIntent, match="entropy/wrong"):
        match.propose(
            RoundOpened(
                tuple(given[name] for name in links),
                tuple(b"p" * 64 if proof == "p" else b"" for proof in proofs),
            )
        )
    assert (match.version, match.head, match.record) == before
    match.propose(RoundOpened((own.link(1), seat.link(1), b""), (b"p" * 64, b"p" * 64, b"")))


def test_a_part_opened_within_an_act_is_checked_against_its_tip_when_the_act_is_run_again() -> None:
    ledger = Ledger(parts=True)
    match = ledger.match
    ledger.do(Seats(("person", "empty", "empty")))
    chain = EntropyChain(b"l" * 32, match.id, match.origin)
    ledger.do(EntropyTip(0, chain.tip, b"k" * 32))
    ledger.do(EntropyCall())
    ledger.do(RoundOpened((chain.link(1), b"", b""), (b"p" * 64, b"", b"")))
    ledger.act(0, Act("chain"))
    question = match.question
    assert question is not None
    ledger.do(Answered(0, ID, question.id, Reply("1")))
    assert match.wants_round
    ledger.do(EntropyCall())
    with pytest.raises(IllegalIntent, match="round/called"):
        match.propose(TableEvent("link"))
    with pytest.raises(IllegalIntent, match="entropy/wrong"):
        match.propose(RoundOpened((chain.link(3), b"", b""), (b"p" * 64, b"", b"")))
    again = ledger.refolded()
    assert again.wants_round
    assert again.record == match.record
    for one in (match, again):
        one.settle(one.propose(RoundOpened((chain.link(2), b"", b""), (b"p" * 64, b"", b""))))
    assert again.question is not None
    assert again.question.kind == "second"
    assert again.record == match.record
