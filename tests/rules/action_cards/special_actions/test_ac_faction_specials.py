"""Special actions of factions: dig in, leap, mend, daunt, demolish."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
import pytest

from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent
from engine.core.rules.system import Intent
from engine.rulesets.action_cards.rules.board import cover, table as lookup
from engine.rulesets.action_cards.rules.card_end import EndCard
from engine.rulesets.action_cards.rules.movement.moves import Move
from engine.rulesets.action_cards.rules.special_actions.specials import UseSpecial
from engine.rulesets.action_cards.rules.verbs import VERBS
from engine.rulesets.action_cards.state.combat_events import GroundTaken, GroupRetreated
from engine.rulesets.action_cards.state.model import Feature, Point, Special
from engine.rulesets.action_cards.state.state import Lasting
from protocol.ids import FigureId, GroupId
from tests.support.systems import skirmish
from tests.support.systems.skirmish import DALEKS, SPUGS, UNIT, Play, area, barrier, line_up

GROUP_0_1 = GroupId("0.1")
GROUP_1_1 = GroupId("1.1")

GROUPS = {"0.1": line_up(3, 1000, 1000), "1.1": line_up(3, 1000, 3000)}
DRILLS = {
    effect: Special(effect, f"special.{effect}", effect, roll=roll, once=False)
    for effect, roll in (("dig_in", False), ("leap", False), ("mend", True), ("daunt", True), ("demolish", True))
}

pytestmark = pytest.mark.rule("AC-SPEC-01")


def able(
    effect: str,
    *dice: int,
    features: Sequence[Feature] = (),
    groups: Mapping[str, Sequence[Point]] = GROUPS,
    cards: Sequence[str] = ("0.triple.1", "1.single.1", "0.single.1"),
    work: Sequence[Special] = (),
) -> Play:
    drilled = msgspec.structs.replace(UNIT, specials=(DRILLS[effect],))
    state = skirmish.table(groups, features, (drilled, DALEKS, SPUGS), cards, specials=tuple(work))
    return Play(state, *dice)


def refusal(play: Play, intent: Intent) -> str:
    with pytest.raises(IllegalIntent) as refused:
        play.do(0, intent)
    return refused.value.refusal.code


def test_who_digs_in_is_in_cover_until_he_moves() -> None:
    play = able("dig_in").do(0, UseSpecial(GROUP_0_1, "dig_in"))
    assert cover.group_cover(play.state, GROUP_0_1) == "cover"
    assert cover.kill_number(play.state, play.state.groups[GROUP_1_1].figures, GROUP_0_1) == 9
    assert refusal(play, UseSpecial(GROUP_0_1, "dig_in")) == "special/dug-in"
    play.do(0, Move(GROUP_0_1, FigureId("0.1/1"), (1000, 1300)))
    assert cover.group_cover(play.state, GROUP_0_1) == "open"


@pytest.mark.parametrize("moved", [GroupRetreated(GROUP_0_1, "away", {}), GroundTaken(GROUP_0_1, "house", {})])
def test_who_falls_back_or_goes_on_after_a_combat_has_left_his_hole(moved: GroupRetreated | GroundTaken) -> None:
    dug = able("dig_in").do(0, UseSpecial(GROUP_0_1, "dig_in")).state
    assert cover.group_cover(moved.apply(dug), GROUP_0_1) == "open"


def test_a_house_is_better_than_a_hole() -> None:
    house = area("house", "building", 900, 900, 1400, 1200)
    play = able("dig_in", features=[house]).do(0, UseSpecial(GROUP_0_1, "dig_in"))
    assert cover.group_cover(play.state, GROUP_0_1) == "building"


def test_a_leap_passes_over_everything_to_open_ground() -> None:
    wall = barrier("wall", "wall", (0, 1300), (3000, 1300))
    play = able("leap", features=[wall]).do(0, UseSpecial(GROUP_0_1, "leap", (), (1000, 1700)))
    assert play.at("0.1/1") == (1000, 1700)


def test_mending_puts_one_figure_back_on_a_six() -> None:
    play = able("mend", 1, 1, 6).do(0, UseSpecial(GROUP_0_1, "mend"))
    assert (len(play.state.groups[GROUP_0_1].figures), play.rolls[0][2]) == (4, 3)
    assert refusal(play, UseSpecial(GROUP_0_1, "mend")) == "special/nobody-missing"
    assert len(able("mend", 5, 5, 5).do(0, UseSpecial(GROUP_0_1, "mend")).state.groups[GROUP_0_1].figures) == 3


def test_who_is_daunted_takes_no_action_on_its_next_card() -> None:
    play = able("daunt", 6, 1, 1).do(0, UseSpecial(GROUP_0_1, "daunt", (), None, "1.1"))
    assert play.state.groups[GROUP_1_1].stunned
    assert refusal(play, UseSpecial(GROUP_0_1, "daunt", (), None, "1.1")) == "special/no-target"
    play.do(0, EndCard())
    with pytest.raises(IllegalIntent, match="stunned"):
        play.do(1, Move(GROUP_1_1, FigureId("1.1/1"), (1000, 3300)))


def test_only_who_is_in_sight_is_daunted() -> None:
    wood = area("wood", "trees", 500, 1800, 3000, 2200)
    assert (
        refusal(able("daunt", features=[wood]), UseSpecial(GROUP_0_1, "daunt", (), None, "1.1")) == "special/no-target"
    )
    assert refusal(able("daunt"), UseSpecial(GROUP_0_1, "daunt", (), None, "0.1")) == "special/no-target"


def test_whom_one_may_daunt_goes_by_the_weather_of_now() -> None:
    state = able("daunt").state
    offered = [choice.id for choice in VERBS.choices(state, Seat(0))]
    assert "special/daunt" in offered
    fog = msgspec.structs.replace(state, lasting=(Lasting("fog", 9, sight=800),))
    assert [choice.id for choice in VERBS.choices(fog, Seat(0))] == [id for id in offered if id != "special/daunt"]


def test_a_building_within_an_inch_becomes_rubble_and_a_wall_is_gone() -> None:
    works = [area("house", "building", 900, 1100, 1400, 1500), barrier("wall", "wall", (900, 900), (1500, 900))]
    play = able("demolish", 6, 1, 1, 1, 6, 1, features=works)
    play.do(0, UseSpecial(GROUP_0_1, "demolish", (), None, "house"))
    assert (play.state.ruined, lookup.kind(play.state, "house").id) == (("house",), "rubble")
    play.do(0, UseSpecial(GROUP_0_1, "demolish", (), None, "wall"))
    assert (play.state.gone, play.state.ruined) == (("house", "wall"), ("house",))


def test_a_building_is_gone_where_the_content_knows_no_rubble() -> None:
    state = able("demolish", features=[area("house", "building", 900, 1100, 1400, 1500)]).state
    terrain = {id: kind for id, kind in state.resolved.terrain.items() if id != "rubble"}
    resolved = msgspec.structs.replace(state.resolved, terrain=terrain)
    play = Play(msgspec.structs.replace(state, resolved=resolved), 6, 1, 1)
    play.do(0, UseSpecial(GROUP_0_1, "demolish", (), None, "house"))
    assert (play.state.gone, play.state.ruined) == (("house",), ())


def test_neither_what_is_far_nor_what_somebody_needs_is_blown_up() -> None:
    far = area("far", "building", 900, 1400, 1400, 1800)
    near = area("near", "building", 900, 1100, 1400, 1300)
    search = Special("search", "special.search", "search", feature="near")
    play = able("demolish", features=[far, near], work=[search])
    assert refusal(play, UseSpecial(GROUP_0_1, "demolish", (), None, "far")) == "special/no-target"
    assert refusal(play, UseSpecial(GROUP_0_1, "demolish", (), None, "near")) == "special/no-target"
