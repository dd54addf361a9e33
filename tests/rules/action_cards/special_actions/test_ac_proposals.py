"""Proposals of what no rule lists: making, voting and trying them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from engine.core.rules.errors import IllegalIntent
from engine.core.rules.events import ActionResolved
from engine.core.rules.system import Intent
from engine.rulesets.action_cards.rules.card_end import EndCard
from engine.rulesets.action_cards.rules.movement.moves import Move
from engine.rulesets.action_cards.rules.shooting.shooting import Shoot
from engine.rulesets.action_cards.rules.special_actions.proposals import Propose
from engine.rulesets.action_cards.state.events import ProposalDone, ProposalVoted
from protocol.ids import FigureId, GroupId
from tests.support.systems import skirmish
from tests.support.systems.skirmish import DALEKS, MILITIA, SPUGS, UNIT, Play, area, barrier, line_up

GROUP_1_1 = GroupId("1.1")
GROUP_0_1 = GroupId("0.1")

GROUPS = {"0.1": line_up(4, 1000, 1000), "0.2": line_up(2, 3000, 1000), "1.1": line_up(3, 1000, 4000)}

WALL = barrier("wall", "wall", (500, 2000), (2000, 2000))
BARN = area("barn", "building", 3000, 3000, 3400, 3400, (3000, 3200))
SEATS = {**GROUPS, "2.1": line_up(4, 5000, 1000), "3.1": line_up(2, 5000, 4000)}


def refusal(play: Play, intent: Intent) -> str:
    with pytest.raises(IllegalIntent) as refused:
        play.do(0, intent)
    return refused.value.refusal.code


def idea(effect: str, about: str = "", *, roll: bool = False, words: str = "Shout at it") -> Propose:
    return Propose(GROUP_0_1, effect, words, roll, about)


def council(*dice: int, cards: Sequence[str] = ("0.double.1", "1.single.1", "2.single.1")) -> Play:
    return Play(skirmish.table(SEATS, [WALL, BARN], cards=cards), *dice)


def vote(play: Play, **votes: str) -> Play:
    for seat, choice in votes.items():
        play.answer(int(seat[1:]), choice)
    return play.expire()


@pytest.mark.rule("AC-SPEC-02")
def test_the_other_seats_vote_for_twenty_seconds() -> None:
    play = council().do(0, idea("clear", "wall"))
    assert play.asked == ("vote", (1, 2, 3))
    question = play.match.question
    assert question is not None
    assert (question.window.kind, question.window.seconds) == ("vote", 20)
    assert play.state.proposal is not None


@pytest.mark.rule("AC-SPEC-02")
@pytest.mark.parametrize(
    ("votes", "allowed"),
    [
        ({"s1": "yes", "s2": "yes", "s3": "no"}, True),
        ({"s1": "yes"}, True),
        ({"s1": "yes", "s2": "abstain", "s3": "abstain"}, True),
        ({"s1": "yes", "s2": "no"}, False),
        ({"s1": "no"}, False),
        ({}, False),
        ({"s1": "abstain", "s2": "abstain", "s3": "abstain"}, False),
    ],
)
def test_more_yes_than_no_of_the_votes_cast_allows_it(votes: dict[str, str], allowed: bool) -> None:
    """A tie or no vote refuses; refused, it costs nothing."""
    play = vote(council().do(0, idea("clear", "wall")), **votes)
    assert [event.allowed for event in play.events(ProposalVoted)] == [allowed]
    assert [ended.how for ended in play.events(ActionResolved)] == ["done" if allowed else "refused"]
    assert play.state.left == (1 if allowed else 2)
    assert play.state.gone == (("wall",) if allowed else ())
    assert play.state.proposal is None


@pytest.mark.rule("AC-SPEC-02")
def test_who_says_nothing_abstains() -> None:
    play = vote(council().do(0, idea("other")), s2="yes")
    [voted] = play.events(ProposalVoted)
    assert voted.votes == {1: "abstain", 2: "yes", 3: "abstain"}


@pytest.mark.rule("AC-SPEC-02")
@pytest.mark.parametrize(("face", "success"), [(6, True), (5, False)])
def test_with_an_action_roll_it_costs_an_action_whatever_the_roll(face: int, success: bool) -> None:
    play = vote(council(1, 1, 1, face).do(0, idea("clear", "wall", roll=True)), s1="yes")
    assert play.rolls == [(0, "dice.action_roll", 4)]
    assert [event.success for event in play.events(ProposalDone)] == [success]
    assert [ended.how for ended in play.events(ActionResolved)] == ["done" if success else "failed"]
    assert (play.state.left, bool(play.state.gone)) == (1, success)


@pytest.mark.rule("AC-SPEC-02")
def test_one_proposal_a_card() -> None:
    play = vote(council().do(0, idea("clear", "wall")), s1="no")
    assert refusal(play, idea("other")) == "propose/once-a-card"
    play.do(0, EndCard()).do(1, Propose(GROUP_1_1, "other", "Hum"))
    assert play.asked == ("vote", (0, 2, 3))


@pytest.mark.rule("AC-SPEC-02")
def test_a_stunned_group_takes_no_action_on_its_factions_next_card() -> None:
    play = council(cards=("0.double.1", "1.single.1", "1.single.2")).do(0, idea("stun", "1.1"))
    vote(play, s1="no", s2="yes", s3="yes").do(0, EndCard())
    for intent in (
        Move(GROUP_1_1, FigureId("1.1/1"), (1000, 3900)),
        Shoot(GROUP_1_1, GROUP_0_1),
        Propose(GROUP_1_1, "other", "Hum"),
    ):
        with pytest.raises(IllegalIntent) as refused:
            play.do(1, intent)
        assert refused.value.refusal.code == "group/stunned"
    play.do(1, EndCard()).do(1, Move(GROUP_1_1, FigureId("1.1/1"), (1000, 3900)))


@pytest.mark.rule("AC-SPEC-02", "AC-ACT-01")
def test_move_again_gives_two_moves_for_its_one_action() -> None:
    play = vote(council(cards=("0.single.1", "1.single.1")).do(0, idea("again")), s1="yes")
    assert (play.match.may_act(), play.state.left) == ((0,), 0)
    assert refusal(play, Shoot(GROUP_0_1, GROUP_1_1)) == "card/no-actions-left"
    assert refusal(play, Move(GroupId("0.2"), FigureId("0.2/1"), (3000, 1100))) == "card/no-actions-left"
    play.do(0, Move(GROUP_0_1, FigureId("0.1/1"), (1000, 1400))).do(0, Move(GROUP_0_1, FigureId("0.1/1"), (1000, 1800)))
    assert play.at("0.1/1") == (1000, 1800)
    assert play.match.may_act() == (1,)


@pytest.mark.rule("AC-SPEC-02")
def test_an_opened_building_and_a_marker() -> None:
    assert vote(council().do(0, idea("open", "barn")), s1="yes").state.opened == ("barn",)
    assert vote(council().do(0, idea("other", "wall")), s1="yes").state.markers == {"wall": "Shout at it"}
    assert vote(council().do(0, idea("other")), s1="yes").state.markers == {"0.1": "Shout at it"}


@pytest.mark.rule("AC-SPEC-02")
@pytest.mark.parametrize(
    ("intent", "code"),
    [
        (idea("fly"), "propose/unknown-effect"),
        (idea("other", words="  "), "propose/words"),
        (idea("other", words="x" * 121), "propose/words"),
        (idea("clear", "moon"), "propose/no-such-feature"),
        (idea("open", "wall"), "propose/no-such-building"),
        (idea("stun", "0.2"), "propose/no-such-group"),
        (idea("stun", "1.9"), "propose/no-such-group"),
        (idea("other", "moon"), "propose/about-nothing"),
    ],
)
def test_it_must_be_about_something(intent: Propose, code: str) -> None:
    assert refusal(council(), intent) == code


@pytest.mark.rule("AC-SPEC-02")
def test_what_is_gone_cannot_be_cleared() -> None:
    state = skirmish.table(SEATS, [WALL], factions=(UNIT, DALEKS, SPUGS, MILITIA))
    assert refusal(Play(replace(state, gone=("wall",))), idea("clear", "wall")) == "propose/no-such-feature"


@pytest.mark.rule("AC-SPEC-02")
def test_a_faction_without_figures_votes_no_more() -> None:
    fewer = {id: places for id, places in SEATS.items() if id != "3.1"}
    play = Play(skirmish.table(fewer, [WALL], factions=(UNIT, DALEKS, SPUGS, MILITIA))).do(0, idea("clear", "wall"))
    assert play.asked == ("vote", (1, 2))
