"""Edge cases of the rules of One Page Apocalypse: one row each for a case that the rule's first example leaves open."""

from __future__ import annotations

import msgspec
import pytest

from engine.core.rules.errors import IllegalIntent
from engine.rulesets.one_page.rules import psychic
from engine.rulesets.one_page.rules.assaults import Assault
from engine.rulesets.one_page.rules.moving import Hold
from engine.rulesets.one_page.rules.powers import UsePower
from engine.rulesets.one_page.rules.shooting import Shoot
from engine.rulesets.one_page.state.events import BlowStruck, ModelsRemoved, MoraleTested
from engine.rulesets.one_page.state.state import Battle, Blow, SeatState
from protocol.ids import FigureId, GroupId
from tests.support.systems.battle import Fight, Squad, battle, row, squad, wall

GROUP_0_1 = GroupId("0.1")
GROUP_1_1 = GroupId("1.1")

NEAR = 2000
SWORD = ("sword",)


def shot(state: Battle, *dice: int) -> Fight:
    """Unit 0.1 holds and shoots at unit 1.1."""
    return Fight(state, *dice).do(0, Hold(GROUP_0_1)).do(0, Shoot(GROUP_0_1, GROUP_1_1))


def charge(own: Squad, enemy: Squad, *dice: int) -> Fight:
    """Unit 0.1 assaults unit 1.1; each has a friend far away."""
    state = battle([own, squad((9000, 1000))], [enemy, squad((9000, 6000))])
    return Fight(state, *dice).do(0, Assault(GROUP_0_1, GROUP_1_1))


def struck(fight: Fight) -> list[Blow]:
    return [event.blow for event in fight.events(BlowStruck)]


def purposes(fight: Fight) -> list[str]:
    """Return seat, purpose and number of dice of every roll."""
    return [f"{seat} {purpose.rpartition('.')[2]} {dice}" for seat, purpose, dice in fight.rolls]


@pytest.mark.rule("OP-WPN-02", "OP-SHOOT-05")
def test_no_armour_is_rolled_for_against_an_x_weapon() -> None:
    """The fours block; for an armoured unit they would ignore."""
    armoured = squad(*row(4, 3000, 1900), rules=["armored"])
    fight = shot(battle([squad((3000, 1000), weapons=["melta"])], [armoured]), 6, 6, 6, 6, 1, 1, 4, 4, 1, 1)
    [blow] = struck(fight)
    assert (blow.stopped, blow.blocked, blow.wounds) == (0, 2, 2)
    assert purposes(fight) == ["0 hit 6", "1 block 4"]


@pytest.mark.rule("OP-SR-21")
def test_a_wounded_tough_model_falls_before_a_whole_one_however_it_is_armed() -> None:
    tough = squad(*row(3, 3000, NEAR), tough=3, arms=[("rifle",), ("rifle",), ("gun",)])
    state = battle([squad(*row(2, 3000, 1000))], [tough])
    hurt = msgspec.structs.replace(state.figures[FigureId("1.1.3")], wounds=1)
    fight = shot(msgspec.structs.replace(state, figures={**state.figures, "1.1.3": hurt}), 6, 6, 1, 1)
    assert [gone.figures for gone in fight.events(ModelsRemoved)] == [("1.1.3",)]
    assert [fight.now.figures[id].wounds for id in (FigureId("1.1.1"), FigureId("1.1.2"))] == [0, 0]


@pytest.mark.rule("OP-TERR-02", "OP-OPEN-15")
@pytest.mark.parametrize(
    ("places", "stopped"),
    [
        (((3000, NEAR), *row(3, 3120, NEAR)), 1),
        (((3000, 2110), *row(3, 2880, NEAR)), 0),
        (((3000, NEAR), (3120, NEAR), *row(2, 3060, 2110)), 1),
        (((3000, NEAR), *row(2, 3000, 2110), (3240, 2110)), 0),
    ],
    ids=["all", "all but the leader", "the leader and half", "the leader and less than half"],
)
def test_a_barrier_shelters_the_leader_with_half_of_the_models(
    places: tuple[tuple[int, int], ...], stopped: int
) -> None:
    """Within an inch of it; the 4 ignores a hit on those sheltered, and blocks it for the others."""
    bar = wall("bar", (2500, 1895), (4000, 1895))
    [blow] = struck(shot(battle([squad((3000, 1000))], [squad(*places)], bar), 6, 4))
    assert (blow.stopped, blow.blocked) == (stopped, 1 - stopped)


@pytest.mark.rule("OP-VEH-05", "OP-MELEE-02")
def test_the_shaken_roll_successful_blows_again() -> None:
    shaken = squad((3000, 1000), kind="walker", tough=9, weapons=SWORD, shaken=1)
    fight = charge(shaken, squad((3000, 1800), weapons=SWORD), 6, 6, 6, 1, 1, 4, 1, 1, 1)
    assert [(blow.unit, blow.attacks, blow.hits) for blow in struck(fight)] == [("0.1", 3, 1), ("1.1", 2, 0)]
    assert purposes(fight)[:2] == ["0 hit 3", "0 hit_again 3"]


@pytest.mark.rule("OP-OPEN-14")
@pytest.mark.parametrize(
    ("pinned", "whispered", "refused"),
    [(False, 0, False), (False, 1, False), (False, 2, True), (False, 3, True), (True, 0, True)],
)
def test_whispers_are_barred_in_the_round_of_being_pinned_and_the_next(
    pinned: bool, whispered: int, refused: bool
) -> None:
    """The table is in round 3."""
    seer = squad((3000, 1000), kind="psyker", tough=3, rules=["psyker.2"], discipline="veil")
    enemy = squad((3000, NEAR), pinned=pinned, whispered=whispered)
    seats = (SeatState("south", 9), SeatState("north", 4))
    fight = Fight(battle([seer], [enemy], round=3, seats=seats), *(() if refused else (4, 1)))
    if refused:
        with pytest.raises(IllegalIntent) as no:
            fight.do(0, UsePower(GROUP_0_1, "whispers", 1, GROUP_1_1))
        assert no.value.refusal.code == "power/whispers"
        return
    fight.do(0, UsePower(GROUP_0_1, "whispers", 1, GROUP_1_1))
    assert (fight.unit("1.1").pinned, fight.unit("1.1").whispered) == (True, 3)


@pytest.mark.rule("OP-SR-22", "OP-MOR-01")
@pytest.mark.parametrize(("riders", "tested"), [(4, True), (5, False)])
def test_who_bails_out_with_half_of_its_models_lost_tests_morale(riders: int, tested: bool) -> None:
    """Two of them fall to the wreck."""
    carrier = squad((3000, NEAR), kind="vehicle", size=300, facing=90, rules=["transport.6"], id="T-09")
    aboard = squad(*row(riders, 0, 0), where="aboard", vessel="1.2")
    state = battle([squad((3000, 1000), weapons=["gun"])], [aboard, carrier])
    dice = (6, 1, 1, 1, 1, 2, 1, 1, *([1] if tested else []))
    fight = Fight(state, *dice).do(0, Hold(GROUP_0_1)).do(0, Shoot(GROUP_0_1, GroupId("1.2")))
    fight.answer(1, ["piece/1.1.3", "piece/1.1.4"])
    assert [(test.unit, test.why) for test in fight.events(MoraleTested)] == ([("1.1", "losses")] if tested else [])
    assert fight.unit("1.1").pinned is tested


@pytest.mark.rule("OP-SR-14")
@pytest.mark.parametrize(("where", "levels"), [("table", 3), ("aboard", 3), ("reserve", 0), ("away", 0), ("gone", 0)])
def test_psykers_count_for_power_dice_while_they_are_in_play(where: str, levels: int) -> None:
    seer = squad((3000, 1000), kind="psyker", tough=3, rules=["psyker.3"], discipline="ash", where=where)
    assert psychic.levels(battle([seer, squad((9000, 1000))], [squad((9000, 6000))]), 0) == levels


@pytest.mark.rule("OP-SR-08")
def test_hatred_does_nothing_for_who_is_charged() -> None:
    fight = charge(squad((3000, 1000), weapons=SWORD), squad((3000, 1800), weapons=SWORD, rules=["hatred"]), *[1] * 5)
    assert purposes(fight) == ["0 hit 3", "1 hit 2"]


@pytest.mark.rule("OP-SR-04", "OP-SR-20", "OP-MOR-02")
@pytest.mark.parametrize(("own", "enemy"), [(True, True), (False, False), (True, False), (False, True)])
def test_fear_is_tested_by_those_without_it_alone(own: bool, enemy: bool) -> None:
    """The test is passed: both strike together."""
    rules = {True: ["fear"], False: []}
    tested = [unit for unit, fears in (("0.1", enemy and not own), ("1.1", own and not enemy)) if fears]
    dice = (*[6] * len(tested), *[1] * 5)
    one, other = (squad((3000, y), weapons=SWORD, rules=rules[has]) for y, has in ((1000, own), (1800, enemy)))
    fight = charge(one, other, *dice)
    assert [(test.unit, test.why, test.passed) for test in fight.events(MoraleTested)] == [
        (unit, "fear", True) for unit in tested
    ]
    assert [blow.unit for blow in struck(fight)] == ["0.1", "1.1"]
