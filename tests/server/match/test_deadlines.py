"""The times at which windows close and time runs out."""

from typing import Any

from engine.core.match.causes import Answered, Expiry, Intended, RoundOpened, Start, Undo
from engine.core.match.match import Match
from engine.core.rules.system import Setup
from engine.rulesets.action_cards.rules.shooting.shooting import Shoot
from protocol.ids import GroupId, MatchId
from protocol.scene.nodes import Reply
from server.match.deadlines import Deadlines, StoppableTime
from tests.support.systems import skirmish
from tests.support.systems.duel import TOML, Duel
from tests.support.systems.duel_state import Draw, Focus, Parley, Rest, Strike, Trip
from tests.support.systems.scripted import ScriptedDice
from tests.support.systems.skirmish import Play, line_up


def duel(*faces: int) -> Match[Any]:
    system = Duel()
    match: Match[Any] = Match(system, MatchId("m"), ScriptedDice(faces))
    resolved = system.setup(system.content({"duel.toml": TOML}), Setup("two", ()))
    for cause in (Start(MatchId("m"), 2, resolved), RoundOpened()):
        match.settle(match.propose(cause))
    return match


def act(match: Match[Any], intent: Any, seat: int = 0) -> None:
    match.settle(match.propose(Intended(seat, bytes(16), match.codec.encode_intent(intent))))


def running(now: float) -> Deadlines:
    deadlines = Deadlines(60, 3)
    deadlines.time.run(now, on=True)
    return deadlines


def due(deadlines: Deadlines, match: Match[Any], now: float) -> tuple[float, Expiry] | None:
    agenda = deadlines.next(match, now)
    assert deadlines.at(match, now) == agenda.at
    return agenda.due


def test_stopped_time_does_not_pass() -> None:
    time = StoppableTime()
    assert time.at(5) == 0
    time.run(10, on=True)
    time.run(12, on=True)
    assert time.at(15) == 5
    time.run(15, on=False)
    assert time.at(100) == 5
    assert not time.running
    time.run(100, on=True)
    assert time.at(101) == 6


def test_a_decision_has_its_time_from_the_last_act_of_its_seat() -> None:
    match, deadlines = duel(), running(100)
    deadlines.observe(match, 100)
    assert due(deadlines, match, 100) == (160, Expiry(-1, 0))
    act(match, Focus())
    deadlines.observe(match, 130, actor=0)
    assert due(deadlines, match, 130) == (190, Expiry(-1, 0))
    deadlines.time.run(140, on=False)
    assert due(deadlines, match, 140) is None
    assert [view.left for view in deadlines.views(140)] == [-1]
    deadlines.time.run(1000, on=True)
    assert due(deadlines, match, 1000) == (1050, Expiry(-1, 0))


def test_a_warning_comes_next_and_then_the_end() -> None:
    match, deadlines = duel(), running(100)
    deadlines.observe(match, 100)
    assert deadlines.at(match, 100) == 150
    deadlines.warned()
    assert deadlines.at(match, 100) == 160
    assert due(deadlines, match, 100) == (160, Expiry(-1, 0))
    deadlines.stop()
    assert deadlines.at(match, 100) is None


def test_a_sealed_window_closes_after_its_minimum_once_all_have_answered() -> None:
    match, deadlines = duel(), running(0)
    act(match, Strike(1))
    deadlines.observe(match, 10, actor=0)
    assert due(deadlines, match, 10) == (70, Expiry(0))
    match.hold(Answered(1, bytes(16), 0, Reply("yes")))
    assert due(deadlines, match, 11) == (13, Expiry(0))
    assert [(v.seat, v.since, v.left) for v in deadlines.views(11)] == [(1, 1000, 59_000)]


def test_a_vote_lasts_as_long_as_it_says_whoever_has_voted() -> None:
    match, deadlines = duel(), running(0)
    act(match, Parley())
    deadlines.observe(match, 10, actor=0)
    for seat in (0, 1):
        match.hold(Answered(seat, bytes(16), 0, Reply("yes")))
    assert due(deadlines, match, 11) == (20, Expiry(0))
    deadlines.reaction_seconds = 0
    assert due(deadlines, match, 11) == (10, Expiry(0))


def taken_back(match: Match[Any], deadlines: Deadlines, now: float, seat: int = 0) -> None:
    match.settle(match.propose(Undo(seat, bytes(16))))
    deadlines.observe(match, now, actor=seat, undone=True)


def test_what_is_taken_back_and_done_again_has_the_time_of_once() -> None:
    match, deadlines = duel(), running(0)
    deadlines.observe(match, 0)
    for now in (50, 100, 105):
        act(match, Focus())
        deadlines.observe(match, now, actor=0)
        assert due(deadlines, match, now) == (110, Expiry(-1, 0))
        taken_back(match, deadlines, now + 1)
        assert due(deadlines, match, now + 1) == (110, Expiry(-1, 0))
    act(match, Focus())
    deadlines.observe(match, 107, actor=0)
    assert due(deadlines, match, 107) == (110, Expiry(-1, 0))
    act(match, Focus())
    deadlines.observe(match, 108, actor=0)
    assert due(deadlines, match, 108) == (168, Expiry(-1, 0))


def with_banks(now: float) -> Deadlines:
    deadlines = running(now)
    deadlines.banks = {0: 30.0, 1: 30.0}
    return deadlines


def test_a_turn_is_charged_that_ends_in_a_sealed_question_and_the_question_is_not() -> None:
    match, deadlines = duel(1, 1), with_banks(0)
    assert deadlines.observe(match, 0) == ()
    assert due(deadlines, match, 0) == (90, Expiry(-1, 0))
    act(match, Strike(1))
    assert deadlines.observe(match, 70, actor=0) == (0,)
    assert deadlines.banks == {0: 20.0, 1: 30.0}
    assert due(deadlines, match, 70) == (130, Expiry(0)), "a sealed question draws on no bank, asked of one or of all"
    assert [view.bank for view in deadlines.views(70)] == [0]
    match.settle(match.propose(Expiry(0)))
    assert deadlines.observe(match, 150) == ()
    assert deadlines.banks == {0: 20.0, 1: 30.0}
    assert due(deadlines, match, 150) == (240, Expiry(-1, 1))


def test_a_choice_of_one_alone_is_charged_when_it_has_been_made() -> None:
    groups = {"0.1": line_up(4, 600, 600), "1.1": line_up(4, 600, 2000)}
    play = Play(skirmish.table(groups, factions=(skirmish.UNIT, skirmish.MILITIA)), *[2] * 8)
    deadlines = with_banks(0)
    deadlines.observe(play.match, 0)
    play.do(0, Shoot(GroupId("0.1"), GroupId("1.1")))
    assert play.asked == ("casualties", (1,))
    assert deadlines.observe(play.match, 65, actor=0) == (0,)
    assert due(deadlines, play.match, 65) == (155, Expiry(0))
    play.answer(1, ["piece/1.1/1", "piece/1.1/2"])
    assert deadlines.observe(play.match, 145, actor=1) == (1,)
    assert deadlines.banks == {0: 25.0, 1: 10.0}
    assert due(deadlines, play.match, 145) == (230, Expiry(-1, 0))


def test_an_act_after_what_cannot_be_taken_back_has_its_time() -> None:
    match, deadlines = duel(), running(0)
    deadlines.observe(match, 0)
    for now in (10, 20):
        act(match, Focus())
        deadlines.observe(match, now, actor=0)
    taken_back(match, deadlines, 21)
    act(match, Draw())
    deadlines.observe(match, 30, actor=0)
    assert due(deadlines, match, 30) == (90, Expiry(-1, 0))
    act(match, Focus())
    deadlines.observe(match, 40, actor=0)
    assert due(deadlines, match, 40) == (100, Expiry(-1, 0))


def test_a_question_in_an_act_that_is_done_again_gives_no_time() -> None:
    match, deadlines = duel(), running(0)
    deadlines.observe(match, 0)
    act(match, Focus())
    deadlines.observe(match, 50, actor=0)
    taken_back(match, deadlines, 60)
    act(match, Trip())
    deadlines.observe(match, 100, actor=0)
    assert due(deadlines, match, 100) == (110, Expiry(0))


def test_a_joint_question_in_an_act_that_is_done_again_has_its_whole_time() -> None:
    match, deadlines = duel(), with_banks(0)
    deadlines.observe(match, 0)
    act(match, Focus())
    deadlines.observe(match, 50, actor=0)
    taken_back(match, deadlines, 60)
    act(match, Parley())
    assert deadlines.observe(match, 120, actor=0) == (0,)
    assert deadlines.banks == {0: 20.0, 1: 30.0}, "the turn draws on the bank, the question does not"
    assert due(deadlines, match, 120) == (130, Expiry(0))
    assert [(view.seat, view.since, view.left) for view in deadlines.views(120)] == [(0, 0, 10_000), (1, 0, 10_000)]


def test_those_that_are_asked_together_are_warned_once_whoever_of_them_has_acted_again() -> None:
    match, deadlines = duel(), running(0)
    act(match, Rest())
    deadlines.observe(match, 0, actor=0)
    act(match, Focus(), 1)
    deadlines.observe(match, 1, actor=1)
    taken_back(match, deadlines, 2, 1)
    act(match, Parley(), 1)
    deadlines.observe(match, 3, actor=1)
    warning = deadlines.next(match, 8).warning
    assert warning is not None
    assert (warning.at, warning.seats, warning.due) == (8, (0, 1), 13)
    deadlines.warned()
    assert deadlines.next(match, 8).warning is None
    assert deadlines.at(match, 8) == 13
