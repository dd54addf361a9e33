"""Psychic powers (AE-PSY-01, AE-OPEN-25)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.core.rules.errors import IllegalIntent
from engine.core.rules.events import ActionDeclared
from engine.rulesets.apocalypse_earth.rules.ending import Finish
from engine.rulesets.apocalypse_earth.rules.harm import hits
from engine.rulesets.apocalypse_earth.rules.moves.moving import Move
from engine.rulesets.apocalypse_earth.rules.support import psychic
from engine.rulesets.apocalypse_earth.rules.support.power_effects import UsePower
from engine.rulesets.apocalypse_earth.rules.table import aims
from engine.rulesets.apocalypse_earth.rules.turns import morale, officers
from engine.rulesets.apocalypse_earth.state.lasting import Effect
from engine.rulesets.apocalypse_earth.state.support_events import PowerTried
from engine.rulesets.apocalypse_earth.state.vehicle_events import VehiclePenetrated
from engine.rulesets.apocalypse_earth.system import CATALOGUE
from engine.space.terrain.contact import Base
from protocol.ids import NO_FIGURE, FigureId, GroupId
from tests.support.systems.ae_battle import WEAPONS, Fight, Squad, battle, block, cm, row, squad, vehicle

SEER, FRIEND, FOE = GroupId("0.1"), GroupId("0.2"), GroupId("1.1")


def seer(rating: int = 3, *places: tuple[float, float], **changes: Any) -> Squad:
    """A unit whose leader is a psychic."""
    return squad(*(places or row(3, 50, 60)), roles={0: (f"psi_{rating}",)}, **changes)


def used(power: str, *dice: int, target: Any = None, friend: Any = None, rating: int = 3, **use: Any) -> Fight:
    """Use a power on an enemy 10 cm away, or as `use` says."""
    foe = target or squad(*row(3, 50, 70))
    state = battle([seer(rating), friend or squad(*row(3, 50, 55))], [foe, squad((150, 110))], **use.pop("table", {}))
    return Fight(state, *dice).do(0, UsePower(SEER, power, **({"target": FOE} | use)))


@pytest.mark.rule("AE-OPEN-25")
def test_the_worked_example_a_4_and_rating_2_make_pyre_work() -> None:
    fight = used("pyre", 4, 2, 1, 6, 6, rating=2, at=cm((50, 70))[0])
    assert [one.works for one in fight.events(PowerTried)] == [True]
    assert len(fight.unit("1.1").figures) == 2
    fight = used("pyre", 3, rating=2, at=cm((50, 70))[0])
    assert [one.works for one in fight.events(PowerTried)] == [False]


@pytest.mark.rule("AE-OPEN-25", "AE-PSY-01")
def test_a_psychic_knows_four_powers_for_each_point_and_each_is_tried_once_a_turn() -> None:
    state = battle([seer(1)], [squad((50, 70))])
    unit = state.units[SEER]
    assert [one.number for one in psychic.known(state, unit, state.leader(unit))] == [1, 2, 3, 4]
    twice = squad(*row(3, 50, 60), roles={0: ("psi_2",), 1: ("psi_1",)})
    fight = Fight(battle([twice], [squad(*row(3, 50, 70))]), 2, 6, 2).do(0, UsePower(SEER, "dread", FOE))
    with pytest.raises(IllegalIntent, match="power/unknown"):
        fight.do(0, UsePower(SEER, "dread", FOE))
    fight.do(0, UsePower(SEER, "fog_of_mind", FOE))  # by the second psychic: the first has had his try
    assert [one.figure for one in fight.events(PowerTried)] == ["0.1.1", "0.1.2"]
    with pytest.raises(IllegalIntent, match="power/unknown"):
        fight.do(0, UsePower(SEER, "shroud", SEER))


@pytest.mark.rule("AE-PSY-01", "AE-TURN-02")
def test_powers_come_between_move_and_fire_and_never_under_suppression_or_aboard() -> None:
    foe = [squad(*row(3, 50, 70))]
    moved = Fight(battle([seer()], [*foe]), 2, 6).do(0, Move(SEER, cm((51, 60)))).do(0, UsePower(SEER, "dread", FOE))
    with pytest.raises(IllegalIntent, match="act/step-past"):
        moved.do(0, Move(SEER, cm((52, 60))))
    cases: tuple[tuple[dict[str, Any], str], ...] = (
        ({"suppressed": True}, "act/suppressed"),
        ({"where": "aboard", "vessel": FRIEND}, "power/aboard"),
    )
    for changes, code in cases:
        with pytest.raises(IllegalIntent, match=code):
            Fight(battle([seer(**changes), vehicle((60, 60))], [*foe])).do(0, UsePower(SEER, "dread", FOE))


@pytest.mark.rule("AE-OPEN-25")
def test_range_and_sight_from_the_psychic_himself() -> None:
    with pytest.raises(IllegalIntent, match="power/too-far"):
        used("dread", target=squad((50, 86.1)))
    with pytest.raises(IllegalIntent, match="power/no-sight"):
        used("dread", table={"features": [block("h", "house", 40, 64, 60, 67)]})
    assert used("dread", 1, 3, target=squad((50, 86))).events(PowerTried)


@pytest.mark.rule("AE-OPEN-25")
def test_a_natural_1_fails_and_may_strike_back() -> None:
    fight = used("dread", 1, 2, 6)
    assert fight.unit("0.1").figures == ("0.1.2", "0.1.3")
    assert [roll[1] for roll in fight.rolls] == ["ae.dice.power", "ae.dice.backlash", "ae.dice.morale"]
    assert len(used("dread", 1, 3).unit("0.1").figures) == 3


@pytest.mark.rule("AE-OPEN-07", "AE-OPEN-25", "AE-PSY-01")
def test_a_null_near_by_makes_it_harder() -> None:
    for place, works in (((50, 88), False), ((50, 92), True)):
        state = battle([seer(1)], [squad((50, 70)), squad(place, roles={0: ("null",)})])
        fight = Fight(state, 4, *([3] if works else [])).do(0, UsePower(SEER, "dread", FOE))
        assert [one.works for one in fight.events(PowerTried)] == [works]


@pytest.mark.rule("AE-OPEN-25")
def test_dread_is_a_check_at_minus_1_whatever_the_experience() -> None:
    veteran = squad(*row(3, 50, 90), experience="veteran")
    with pytest.raises(IllegalIntent, match="power/too-far"):
        used("dread", target=veteran)
    near = squad(*row(3, 50, 80), experience="veteran")
    assert used("dread", 2, 2, target=near).unit("1.1").suppressed
    assert not used("dread", 2, 3, target=near).unit("1.1").suppressed


@pytest.mark.rule("AE-OPEN-25")
def test_iron_faith_rallies_or_passes_the_next_check() -> None:
    friend = squad(*row(3, 50, 55), suppressed=True)
    state = battle([seer(), friend], [squad((150, 110))])
    assert not Fight(state, 2).do(0, UsePower(SEER, "iron_faith", FRIEND)).unit("0.2").suppressed
    firm = battle([seer(), squad(*row(3, 50, 55))], [squad(*row(3, 50, 70))])
    fight = Fight(firm, 2).do(0, UsePower(SEER, "iron_faith", FRIEND))
    assert [one.power for one in fight.unit("0.2").effects] == ["iron_faith"]


@pytest.mark.rule("AE-OPEN-25", "AE-OPEN-07")
def test_iron_faith_passes_one_check_without_dice() -> None:
    firm = squad(*row(3, 50, 70), effects=(Effect("iron_faith", GroupId("1.1"), once=True),))
    fight = Fight(battle([seer()], [firm, squad((150, 110))]), 2).do(0, UsePower(SEER, "dread", FOE))
    assert not fight.unit("1.1").suppressed
    assert fight.unit("1.1").effects == ()


@pytest.mark.rule("AE-OPEN-25")
def test_fog_takes_overwatch_and_aim_until_the_psychic_acts_again() -> None:
    watching = squad(*row(3, 50, 70), overwatch=True)
    fight = used("fog_of_mind", 2, target=watching)
    unit = fight.unit("1.1")
    assert (unit.overwatch, hits.need(fight.now, unit, WEAPONS["ar"], "open")) == (False, 7)
    fight.do(0, Finish(SEER))
    for one in ("1.1", "0.2", "1.2"):
        fight.do(int(one[0]), Finish(GroupId(one)))
    fight.expire()
    assert fight.now.turn == 2
    assert fight.unit("1.1").effects
    fight.do(0, Finish(SEER))
    assert not fight.unit("1.1").effects


@pytest.mark.rule("AE-OPEN-25", "AE-FIRE-06")
def test_shroud_makes_cover_better_by_one_step() -> None:
    state = battle([seer()], [squad((50, 70))])
    fight = Fight(state, 3).do(0, UsePower(SEER, "shroud", SEER))
    figure = fight.now.figures[FigureId("0.1.1")]
    assert aims.cover_of(state, Base(NO_FIGURE, (5000, 7000), 1), figure) == "open"
    assert aims.cover_of(fight.now, Base(NO_FIGURE, (5000, 7000), 1), figure) == "soft"


@pytest.mark.rule("AE-OPEN-25")
def test_hurled_stones_hit_without_a_roll_and_against_armour() -> None:
    fight = used("hurled_stone", 3, 2, 1, 1, 6, 6)
    assert len(fight.unit("1.1").figures) == 1
    hull = used("hurled_stone", 3, 1, 2, target=vehicle((50, 70), 270))
    assert [one.part for one in hull.events(VehiclePenetrated)] == []
    hull = used("hurled_stone", 3, 1, 3, 4, 4, 6, target=vehicle((50, 70), 270))
    assert [one.part for one in hull.events(VehiclePenetrated)] == ["front"]


@pytest.mark.rule("AE-OPEN-25", "AE-SUPPORT-02")
def test_far_voice_opens_a_net_or_cuts_one() -> None:
    officer = squad((20, 20), roles={0: ("officer",)})
    state = battle([seer(), officer], [squad((150, 110), (153, 110), roles={0: ("officer",), 1: ("radio",)})])
    assert not officers.callers(state, state.units[FRIEND])
    opened = Fight(state, 2).do(0, UsePower(SEER, "far_voice", SEER))
    assert officers.callers(opened.now, opened.unit("0.2"))
    cut = Fight(state, 2).do(0, UsePower(SEER, "far_voice", FOE))
    assert not officers.callers(cut.now, cut.unit("1.1"))
    assert officers.callers(state, state.units[FOE])


@pytest.mark.rule("AE-OPEN-25")
def test_foresight_sets_on_overwatch_who_has_acted_and_not_fired() -> None:
    cases: list[tuple[dict[str, Any], bool]] = [
        ({"acted": True}, True),
        ({}, False),
        ({"acted": True, "fired": True}, False),
    ]
    for changes, able in cases:
        state = battle([seer(), squad((50, 55), **changes)], [squad((150, 110))])
        assert Fight(state).may(0, UsePower(SEER, "foresight", FRIEND)) == able
    state = battle([seer(), squad((50, 55), acted=True)], [squad((150, 110))])
    assert Fight(state, 3).do(0, UsePower(SEER, "foresight", FRIEND)).unit("0.2").overwatch


@pytest.mark.rule("AE-OPEN-25")
def test_a_puppet_fires_at_its_own_unit_which_has_not_fired() -> None:
    fight = used("puppet", 4, 2, 6, 1, 1, 1, 6, 6, target=squad(*row(3, 50, 70)), victim=FOE)
    assert fight.unit("1.1").figures == ("1.1.2", "1.1.3")
    assert not fight.unit("1.1").fired
    with pytest.raises(IllegalIntent, match="power/victim"):
        used("puppet", victim=GroupId("1.2"))


@pytest.mark.rule("AE-OPEN-25")
def test_break_steel_rolls_damage_on_the_part_that_faces_the_psychic() -> None:
    fight = used("break_steel", 5, 4, 4, 6, target=vehicle((50, 70), 90))
    assert [(one.part, one.code) for one in fight.events(VehiclePenetrated)] == [("rear", "stun")]


@pytest.mark.rule("AE-OPEN-25", "AE-MOR-04")
def test_the_word_of_command_draws_a_unit_to_the_psychic() -> None:
    fight = used("word_of_command", 5, 3, 1, target=squad((50, 82), (53, 82)))
    assert fight.unit("1.1").where == "gone"
    assert fight.unit("1.1").captor == 0
    held = used("word_of_command", 5, 3, 4, target=squad((50, 82), (53, 82)))
    assert held.place("1.1.1") == (50, 82)


@pytest.mark.rule("AE-OPEN-25", "AE-OPEN-18")
def test_a_psychic_aboard_a_walker_is_lost_to_the_backlash() -> None:
    walker = vehicle((50, 60), kind="walker", size=(4, 4), traits=("psi_2",))
    state = battle([walker], [squad(*row(3, 50, 70))])
    assert psychic.rating(state, state.figures[FigureId("0.1.1")]) == 2
    fight = Fight(state, 1, 1, 6).do(0, UsePower(SEER, "dread", FOE))
    assert psychic.psychics(fight.now, fight.unit("0.1")) == []
    assert morale.MORALE in [roll[1] for roll in fight.rolls]


@pytest.mark.rule("AE-OPEN-25", "AE-PSY-01")
def test_a_power_on_a_place_is_told_without_a_target() -> None:
    for fight, kind, target in (
        (used("pyre", 4, 2, 1, 6, 6, rating=2, at=cm((50, 70))[0]), "power_at", None),
        (used("dread", 5, 6), "power", "group/1.1"),
    ):
        [declared] = fight.events(ActionDeclared)
        assert (declared.kind, declared.about.get("target")) == (kind, target)
        assert {f"act.{kind}", f"act.{kind}.done", f"act.{kind}.failed"} <= CATALOGUE.keys()
        blanks = "{target}" in CATALOGUE[f"act.{kind}"]
        assert blanks == (target is not None)


@pytest.mark.rule("AE-OPEN-25", "AE-SUPPORT-02")
def test_far_voice_cuts_one_operator_off_and_leaves_another() -> None:
    staff = squad((150, 110), (153, 110), (156, 110), roles={0: ("officer",), 1: ("radio",), 2: ("radio",)})
    cut = Fight(battle([seer(), squad((20, 20))], [staff]), 2).do(0, UsePower(SEER, "far_voice", FOE))
    assert officers.radios(cut.now, cut.unit("1.1")) == ["1.1.3"]
    assert officers.callers(cut.now, cut.unit("1.1"))
    stored = msgspec.msgpack.decode(b"\x83\xa5power\xa9far_voice\xa2by\xa30.1\xa4once\xc3", type=Effect)
    for effect, working in (
        (stored, []),
        (Effect("far_voice", SEER), ["1.1.2", "1.1.3"]),
        (Effect("iron_faith", SEER, once=True), ["1.1.2", "1.1.3"]),
    ):
        under = battle([seer()], [staff._replace(changes={"effects": (effect,)})])
        assert officers.radios(under, under.units[FOE]) == working
