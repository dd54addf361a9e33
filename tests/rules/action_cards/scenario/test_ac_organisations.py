"""Second organisations in a faction, cards added by a scenario, and special actions that change their feature."""

from __future__ import annotations

import msgspec
import pytest

from engine.core.rules.errors import IllegalIntent, SetupRefused
from engine.rulesets.action_cards.rules.cards import cards
from engine.rulesets.action_cards.rules.close_combat import aftermath, regrouping
from engine.rulesets.action_cards.rules.movement import moves
from engine.rulesets.action_cards.rules.scenario import setup
from engine.rulesets.action_cards.rules.special_actions.specials import UseSpecial
from engine.rulesets.action_cards.state.combat_events import GroupsReformed
from engine.rulesets.action_cards.state.model import CardMix, Faction, Organisation, Special
from engine.rulesets.action_cards.state.state import Skirmish
from protocol.ids import GroupId
from protocol.scene.fields import Assign
from protocol.scene.nodes import Reply
from tests.rules.action_cards.close_combat.test_ac_combat_regroup import _remnants
from tests.support.systems import skirmish
from tests.support.systems.melee import only_combat, run
from tests.support.systems.skirmish import DALEKS, UNIT, Play, area, line_up

GROUP_0_1 = GroupId("0.1")

RIDERS = Organisation("riders", "organisation.riders", 3, 1200)
GUNNERS = Organisation("gunners", "organisation.gunners", 6)
MIXED: Faction = msgspec.structs.replace(
    UNIT,
    organisations=(RIDERS, GUNNERS),
    force=(("rifle",) * 4, ("rifle",) * 3, ("gunner",) * 6),
    kinds=("", "riders", "gunners"),
)


@pytest.mark.rule("AC-SETUP-01")
def test_groups_are_of_their_organisations_own_size() -> None:
    state = setup.start(skirmish.resolved((MIXED, DALEKS)), 2)
    own = [group for group in state.groups.values() if group.owner == 0]
    assert [(group.kind, len(group.figures)) for group in own] == [("", 4), ("riders", 3), ("gunners", 6)]
    too_many = msgspec.structs.replace(MIXED, force=(("rifle",) * 4, ("rifle",) * 4, ("gunner",) * 6))
    with pytest.raises(SetupRefused, match=r"setup\.group-too-large"):
        setup.start(skirmish.resolved((too_many, DALEKS)), 2)


@pytest.mark.rule("AC-SETUP-02")
def test_an_organisation_may_have_a_move_of_its_own() -> None:
    state = setup.start(skirmish.resolved((MIXED, DALEKS)), 2)
    own = [group for group in state.groups.values() if group.owner == 0]
    assert [moves.allowance_of(state, group) for group in own] == [800, 1200, 800]


def _two_kinds() -> Skirmish:
    """Return survivors of three groups after a combat: two usual ones, and two riders."""
    state = _remnants()
    faction = msgspec.structs.replace(state.faction(0), organisations=(RIDERS,))
    factions = (faction, *state.resolved.factions[1:])
    resolved = msgspec.structs.replace(state.resolved, factions=factions)
    riders = msgspec.structs.replace(state.groups[GroupId("c")], kind="riders")
    return msgspec.structs.replace(state, resolved=resolved, groups={**state.groups, "c": riders})


@pytest.mark.rule("AC-HTH-05")
def test_survivors_reform_within_their_own_organisation() -> None:
    """Two and one of the usual kind make one group; the two riders stay riders."""
    state = _two_kinds()
    ran = run(state, aftermath.aftermath, only_combat(state).id)
    [formed] = ran.of(GroupsReformed)
    assert formed.groups == {"a": ("a.1", "a.2", "d.1"), "c": ("c.1", "c.2")}
    assert formed.dissolved == ("d",)


@pytest.mark.rule("AC-HTH-05")
def test_nobody_is_put_into_a_group_of_another_kind() -> None:
    state = _two_kinds()
    grouping = {id: state.groups[id].figures for id in (GroupId("a"), GroupId("c"))}
    ask = regrouping._ask_grouping(state, only_combat(state), 0, grouping)
    field = ask.choices[0].fields[0]
    assert isinstance(field, Assign)
    assert field.room == {"group/a": 4, "group/c": 3}
    swapped = {item.id: "group/c" if item.id == "piece/a.1" else field.default[item.id] for item in field.items}
    with pytest.raises(IllegalIntent) as refused:
        ask.parse(Reply("regroup", {"groups": swapped}))
    assert refused.value.refusal.code == "regroup/other-organisation"


@pytest.mark.rule("AC-DECK-01")
def test_a_scenario_adds_cards_and_takes_them_away() -> None:
    adjusted = msgspec.structs.replace(skirmish.role(), adjust=CardMix(single=-2, double=1, triple=-4))
    both = msgspec.structs.replace(adjusted, cards=CardMix(single=1, double=0, triple=2))
    content = skirmish.resolved((UNIT, DALEKS), roles=(adjusted, skirmish.role(left=2400)))
    assert cards.mix_of(content, 0) == CardMix(3, 4, 0)
    assert cards.mix_of(content, 1) == CardMix(5, 3, 1)
    assert sum(id.startswith("0.") for id in cards.composition(content)) == 7
    assert cards.mix_of(skirmish.resolved((UNIT, DALEKS), roles=(both, both)), 0) == CardMix(0, 1, 0)


def _working(effect: str, goal: int = 1) -> Skirmish:
    house = area("house", "building", 900, 900, 1700, 1100, (1300, 900))
    groups = {"0.1": line_up(4, 1000, 1000), "1.1": line_up(3, 1000, 4000)}
    special = Special("do", "special.do", effect, roll=True, feature="house", goal=goal)
    return skirmish.table(groups, [house], specials=(special,))


@pytest.mark.rule("AC-SPEC-01")
def test_a_feature_is_cleared_with_the_success_that_it_takes() -> None:
    play = Play(_working("clear", goal=2), 1, 2, 3, 6, 5, 5, 5, 5, 6, 6, 6, 6).do(0, UseSpecial(GROUP_0_1, "do"))
    assert not play.state.gone
    play.do(0, UseSpecial(GROUP_0_1, "do"))
    assert not play.state.gone
    play.do(0, UseSpecial(GROUP_0_1, "do"))
    assert play.state.gone == ("house",)


@pytest.mark.rule("AC-SPEC-01")
def test_a_building_is_opened_on_all_sides() -> None:
    play = Play(_working("open"), 6, 6, 6, 6).do(0, UseSpecial(GROUP_0_1, "do"))
    assert play.state.opened == ("house",)
