"""Fallen factions: their votes on what Special Events leave to chance."""

from __future__ import annotations

import pytest

from engine.core.bots.bot import default_reply
from engine.core.rules.audience import Seat
from engine.core.rules.events import OrderMade
from engine.core.view.prompts import prompt_for, prompt_source
from engine.rulesets.action_cards.state.event_facts import CardPlayedAgain, ChanceVoted, DangerCame
from engine.rulesets.action_cards.state.events import GroupStunned
from engine.rulesets.action_cards.state.model import Effect, EventCard, Zone
from engine.rulesets.action_cards.state.state import Skirmish
from engine.rulesets.action_cards.view.cues import cues
from protocol.scene.nodes import Cue
from tests.support.systems import skirmish
from tests.support.systems.eventful import LEFT, happen, table, with_open
from tests.support.systems.skirmish import DALEKS, MILITIA, SPUGS, UNIT, area

voted = pytest.mark.rule("AC-OPEN-01", "AC-ACT-02")


def two_fallen(*effects: Effect) -> Skirmish:
    """Return a state of four factions in which those of seats 2 and 3 have fallen."""
    row = ("0.single.1", "event.1", "1.double.1")
    mix = (EventCard("it", "event.it", "event.it.text", effects),)
    return skirmish.table(LEFT, (), (UNIT, DALEKS, SPUGS, MILITIA), row, mix=mix)


@voted
def test_who_has_fallen_says_which_group_chance_picks() -> None:
    """No lot is drawn where the fallen vote."""
    play = happen(table(Effect("stun"), groups=LEFT))
    assert play.asked == ("chance", (2,))
    play.answer(2, "group/1.1").expire()
    assert [stunned.group for stunned in play.events(GroupStunned)] == ["1.1"]
    assert [vote.votes for vote in play.events(ChanceVoted)] == [{2: "group/1.1"}]
    assert not play.events(OrderMade)


@voted
@pytest.mark.parametrize("said", ["lot", ""])
def test_who_says_nothing_leaves_it_to_chance(said: str) -> None:
    play = happen(table(Effect("stun"), groups=LEFT))
    (play.answer(2, said) if said else play).expire()
    assert [order.order for order in play.events(OrderMade)] == [(0, 1)]
    assert [stunned.group for stunned in play.events(GroupStunned)] == ["0.1"]
    assert not play.events(ChanceVoted)


@voted
@pytest.mark.parametrize(
    ("votes", "stunned", "lots"),
    [
        (("group/1.1", "group/1.1"), "1.1", 0),
        (("group/1.1", "lot"), "1.1", 0),
        (("group/1.1", "group/0.1"), "0.1", 1),
    ],
)
def test_most_votes_count_and_a_lot_decides_between_equals(votes: tuple[str, str], stunned: str, lots: int) -> None:
    play = happen(two_fallen(Effect("stun")))
    assert play.asked == ("chance", (2, 3))
    play.answer(2, votes[0]).answer(3, votes[1]).expire()
    assert [one.group for one in play.events(GroupStunned)] == [stunned]
    assert len(play.events(OrderMade)) == lots


@voted
def test_they_name_factions_marked_areas_and_buildings() -> None:
    boxes = (area("mill", "scrub", 0, 0, 400, 400), area("ford", "scrub", 2000, 0, 2400, 400))
    zones = tuple(Zone(box.id, f"zone.{box.id}", box.outline) for box in boxes)
    play = happen(table(Effect("danger", radius=100, dice=1), groups=LEFT, zones=zones))
    play.answer(2, "zone/ford").expire()
    assert [come.danger.at for come in play.events(DangerCame)] == [(2200, 200)]

    again = with_open(table(Effect("again", who="chance"), groups=LEFT), discard=("0.single.3", "1.single.3"))
    play = happen(again).answer(2, "seat/1").expire()
    assert [card.card for card in play.events(CardPlayedAgain)] == ["1.single.3"]

    houses = [area("barn", "building", 4000, 4000, 4400, 4400), area("inn", "building", 5000, 4000, 5400, 4400)]
    play = happen(table(Effect("collapse", dice=1), groups=LEFT, features=houses)).answer(2, "feature/inn").expire()
    assert play.state.gone == ("inn",)


@voted
def test_nobody_is_asked_where_there_is_one_choice_or_nobody_has_fallen() -> None:
    assert happen(table(Effect("stun"))).asked is None
    assert happen(table(Effect("stun", terrain=("trees",)), groups=LEFT)).asked is None
    wood = area("wood", "trees", 0, 800, 900, 1200)
    play = happen(table(Effect("stun", terrain=("trees",)), groups=LEFT, features=[wood]))
    assert play.asked is None
    assert [one.group for one in play.events(GroupStunned)] == ["0.1"]


@voted
def test_the_vote_is_short_for_the_connected_and_by_default_a_lot() -> None:
    play = happen(table(Effect("stun"), groups=LEFT))
    question = play.match.question
    assert question is not None
    assert (question.window.kind, question.window.seconds, question.window.present) == ("vote", 10, True)
    prompt = prompt_for(play.match, Seat(2), prompt_source(play.match, Seat(2)))
    assert prompt is not None
    assert default_reply(prompt).choice == "lot"
    assert [choice.id for choice in prompt.choices] == ["lot", "group/0.1", "group/1.1"]


@voted
def test_all_read_what_the_fallen_wish() -> None:
    play = happen(two_fallen(Effect("stun"))).answer(2, "group/1.1").expire()
    (vote,) = play.events(ChanceVoted)
    (line,) = cues.tell(vote, play.state, play.state)
    assert isinstance(line, Cue)
    assert (line.text.k, line.seat, line.about) == ("log.chance", 2, ("group/1.1",))
