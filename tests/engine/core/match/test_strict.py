"""Strict tables: a step that rolls is fixed before anyone can know its dice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from client.fairness.dice_round_check import LiveDiceCheck, Verdict
from engine.core.match.causes import Answered, AnyCause, Deferred, Expiry, Intended, PartsOpened, TableEvent, Void
from engine.core.match.match import Match
from engine.core.rules.dice import MatchDice, Pool
from engine.core.rules.errors import IllegalIntent
from engine.core.rules.events import DeferralOpened, DiceRolled, QuestionClosed, RoundCalled, StepDeferred
from protocol.fairness.round_history import round_history
from protocol.ids import table_of
from protocol.proof.facts import AnyFact, Called, Rolled
from protocol.scene.nodes import Reply, RollId
from protocol.wire.from_server import Proof
from tests.support.clients.dice.contributing import SECRET
from tests.support.fairness.entropy_match import MATCH, EntropyMatch
from tests.support.fairness.signing import HOST
from tests.support.systems.haggle import HAGGLE, Act

HOLDERS = ("person", "person", "person")


def strict_match(holders: tuple[str, ...] = HOLDERS) -> EntropyMatch:
    """Return a match whose first round is open, at the turn of seat 0."""
    match = EntropyMatch(holders, strict=True)
    match.open()
    return match


def gamble(match: EntropyMatch) -> Intended:
    """Return an act that rolls, of the seat to move."""
    seat = match.match.may_act()[0]
    return Intended(seat, bytes(16), match.match.codec.encode_intent(Act("gamble")))


def entries(match: EntropyMatch, back: int = 1) -> list[Any]:
    """Return the entries of the step that is the last, or so many back."""
    return list(match.match.codec.decode(match.log[-back]).entries)


def refolded(log: list[bytes]) -> Match[Any]:
    """Return a match made of these steps, as after a kill."""
    again: Match[Any] = Match(HAGGLE, MATCH, MatchDice(SECRET, MATCH))
    for data in log:
        again.replay(data)
    again.resume()
    return again


def test_a_step_that_rolls_has_a_call_of_its_own_without_the_seat_that_acts() -> None:
    match = strict_match()
    before = match.match.record
    match.carry_out(gamble(match))
    deferred, called = entries(match, 3)
    assert (deferred, called) == (StepDeferred(0), RoundCalled(before.participation.called + 1, (1, 2)))
    (opened,) = entries(match, 2)
    assert isinstance(opened, DeferralOpened)
    assert [bool(link) for link in opened.links] == [False, True, True]
    (rolled,) = (entry for entry in entries(match) if isinstance(entry, DiceRolled))
    dice = MatchDice(SECRET, MATCH)
    now, then = match.match.record.mix, before.mix
    assert rolled.faces == dice.faces(rolled.round, now, rolled.n, Pool(2), hidden=False)
    assert rolled.faces != dice.faces(rolled.round, then, rolled.n, Pool(2), hidden=False)


def test_a_step_without_dice_is_not_put_off() -> None:
    match = strict_match()
    steps = len(match.log)
    match.pass_on()
    assert len(match.log) == steps + 1


def test_nothing_comes_between_a_step_that_is_put_off_and_its_outcome() -> None:
    match = strict_match()
    cause = gamble(match)
    others: tuple[AnyCause, ...] = (TableEvent("pause"), replace(cause, id=b"x" * 16), Expiry(seat=0), Deferred(cause))
    match.do(Deferred(cause))
    for other in (*others, cause, Void("e")):
        with pytest.raises(IllegalIntent, match="round/called"):
            match.match.propose(other)
    match.do(PartsOpened(*match.parts()))
    for other in others:
        with pytest.raises(IllegalIntent, match="round/called"):
            match.match.propose(other)
    assert match.match.undo_refusal(match.match.may_act()[0]) == "waiting"
    match.do(cause)
    match.do(TableEvent("pause"))


def test_a_kill_at_any_step_changes_neither_what_was_put_off_nor_its_dice() -> None:
    match = strict_match()
    match.play("gamble")
    seat = match.match.may_act()[0]
    match.act(seat, Act("trade"))
    match.answer((seat + 1) % 3, "yes")
    causes = [match.match.codec.decode(data).cause for data in match.log]
    assert sum(isinstance(cause, Deferred) for cause in causes) >= 2
    for killed in range(1, len(match.log)):
        again = refolded(match.log[:killed])
        waiting = again.deferred_cause
        for cause, data in zip(causes[killed : killed + 3], match.log[killed : killed + 3], strict=False):
            if waiting is None or again.deferred is None:
                break
            step = again.propose(cause)
            assert step.data == data
            again.settle(step)


def test_answers_are_fixed_with_the_step_that_is_put_off() -> None:
    match = strict_match()
    match.act(0, Act("trade"))
    question = match.match.question
    assert question is not None
    cause = Answered(1, bytes(16), question.id, Reply("yes"))
    assert match.match.rolls(cause)
    match.do(Deferred(cause))
    deferred, closed, called = entries(match)
    assert called.seats == (0, 1, 2)
    assert deferred == StepDeferred()
    match.do(PartsOpened(*match.parts()))
    match.do(cause)
    assert isinstance(closed, QuestionClosed)
    assert entries(match)[0] == closed


def test_a_step_whose_rules_fail_on_its_dice_is_given_up() -> None:
    match = strict_match()
    match.do(Deferred(gamble(match)))
    match.do(PartsOpened(*match.parts()))
    match.do(Void("e1"))
    assert match.match.deferred is None
    assert refolded(match.log).head == match.match.head
    match.play("gamble")


def test_whoever_is_absent_from_such_a_call_sits_out_the_rest_of_the_round_and_the_next() -> None:
    match = strict_match()
    match.missing = (2,)
    match.carry_out(gamble(match))
    match.missing = ()
    assert match.match.record.participation.absences[2].until == match.match.record.round + 1
    match.carry_out(gamble(match))
    assert entries(match, 3)[1].seats == (1,) if match.match.may_act()[0] == 0 else (0, 1)
    history = round_history(MATCH, match.log)
    assert [len(one.missing) for one in history.rounds[1].deferrals][:2] == [1, 0]
    assert history.rounds[1].choices == 1


def test_without_another_program_it_is_carried_out_and_is_not_strict() -> None:
    match = strict_match(("person", "bot", "bot"))
    match.carry_out(gamble(match))
    assert entries(match, 3)[1].seats == ()
    assert round_history(MATCH, match.log).rounds[1].not_strict == 1


def test_each_roll_is_known_as_strict_or_not() -> None:
    match = strict_match()
    match.carry_out(gamble(match))
    match.missing = (0, 1, 2)
    match.carry_out(gamble(match))
    match.missing = ()
    match.round()
    history, check = round_history(MATCH, match.log), followed(match.facts())
    rolls = [RollId(1, n) for n in range(2)]
    assert [history.strictness(roll) for roll in rolls] == [True, False]
    assert [check.parts.strictness(roll) for roll in rolls] == [True, False]
    assert history.strictness(RollId(1, 0, hidden=True)) is history.strictness(RollId(9, 0)) is None


def test_rolls_of_other_tables_are_neither() -> None:
    match = EntropyMatch(HOLDERS)
    match.play("gamble")
    assert round_history(MATCH, match.log).strictness(RollId(1, 0)) is None


def test_the_live_check_follows_calls_and_dice() -> None:
    check = followed(played().facts())
    assert check.broken is None
    assert check.rounds[1].verdict is Verdict.CHECKED
    assert check.rounds[1].later


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        (Called, lambda fact: replace(fact, actor=1)),
        (Called, lambda fact: replace(fact, deferred=False)),
        (Rolled, lambda fact: replace(fact, faces=tuple(7 - face for face in fact.faces))),
    ],
)
def test_the_live_check_notices_another_call_and_other_dice(
    kind: type[AnyFact], change: Callable[[Any], AnyFact]
) -> None:
    facts = played().facts()
    place = next(n for n, fact in enumerate(facts) if isinstance(fact, kind) and getattr(fact, "deferred", True))
    facts[place] = change(facts[place])
    assert followed(facts).broken is not None


def played() -> EntropyMatch:
    """Return a match with a roll in its first round, which is over."""
    match = strict_match()
    match.play("gamble")
    match.round()
    return match


def followed(facts: list[AnyFact]) -> LiveDiceCheck:
    """Return the live check of these facts."""
    check = LiveDiceCheck(MATCH, HOST.public)
    check.take(Proof(table_of(MATCH), 0, tuple(facts)))
    return check
