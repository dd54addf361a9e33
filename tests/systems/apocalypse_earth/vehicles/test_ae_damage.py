"""Hits on vehicles and their damage (AE-VEH-01 to -03, AE-OPEN-19 to -23)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from engine.rulesets.apocalypse_earth.rules.fire.firing import Fire
from engine.rulesets.apocalypse_earth.rules.harm import hits
from engine.rulesets.apocalypse_earth.rules.table import hulls
from engine.rulesets.apocalypse_earth.rules.turns import rallying
from engine.rulesets.apocalypse_earth.state.lasting import Wreckage
from engine.rulesets.apocalypse_earth.state.state import Unit
from engine.rulesets.apocalypse_earth.state.vehicle_events import VehiclePenetrated
from engine.space.terrain.gaps import point_gap
from protocol.ids import GroupId
from tests.support.systems.ae_battle import WEAPONS, Fight, Squad, battle, block, squad, vehicle

FOE = squad((170, 110))
HMG = squad((20, 60), (22.5, 60), arms=(("hmg127",), ("pi",)))


@pytest.mark.rule("AE-VEH-01", "AE-VEH-02", "AE-VEH-03")
def test_the_worked_example() -> None:
    """10 shots, 3 hits; penetration 3, 7, 4: 8 no, 12 yes, 9 no; damage 7: a wheel is blown off."""
    hits = (6, 6, 6, 1, 2, 3, 4, 5, 1, 2)
    fight = Fight(battle([HMG], [vehicle((60, 60), 180)]), *hits, 1, 2, 3, 4, 2, 2, 3, 4, 2)
    fight.do(0, Fire(GroupId("0.1"), GroupId("1.1")))
    hull = fight.unit("1.1").hull
    assert (hull.codes, hull.penetrated) == (("whl",), 1)
    assert [(one.part, one.code) for one in fight.events(VehiclePenetrated)] == [("front", "whl")]
    assert fight.rolls[:4] == [
        (0, "ae.dice.hit", 10),
        (0, "ae.dice.pierce", 6),
        (1, "ae.dice.damage", 2),
        (1, "ae.dice.morale", 1),
    ]


def hit(
    target: Squad, *dice: int, others: tuple[Squad, ...] = (), at: tuple[float, float] = (20, 60), **table: Any
) -> Fight:
    """Fire one shot of a railgun that hits and penetrates, with these dice for what follows."""
    gunner = squad(at, weapons=("rg",))
    fight = Fight(battle([gunner], [target, *others], **table), 5, 6, *dice)
    return fight.do(0, Fire(GroupId("0.1"), GroupId("1.1")))


@pytest.mark.rule("AE-VEH-01")
@pytest.mark.parametrize(
    ("at", "facing", "part"),
    [((20, 60), 180, "front"), ((20, 60), 0, "rear"), ((20, 60), 90, "side"), ((20, 100), 180, "side")],
)
def test_the_quarter_that_faces_the_firer_is_hit_on_a_border_the_weaker(
    at: tuple[float, float], facing: int, part: str
) -> None:
    fight = hit(vehicle((60, 60), facing), 4, 4, 6, at=at)
    assert [one.part for one in fight.events(VehiclePenetrated)] == [part]


@pytest.mark.rule("AE-VEH-01")
def test_a_firer_on_a_hill_near_by_hits_the_top() -> None:
    hill = block("h", "hill", 30, 50, 44, 70)
    fight = hit(vehicle((60, 60), 180), 4, 4, 6, at=(40, 60), features=[hill])
    assert [one.part for one in fight.events(VehiclePenetrated)] == ["top"]
    fight = hit(vehicle((75, 60), 180), 4, 4, 6, at=(40, 60), features=[hill])
    assert [one.part for one in fight.events(VehiclePenetrated)] == ["front"]


@pytest.mark.rule("AE-VEH-01")
def test_a_total_equal_to_the_rating_penetrates() -> None:
    for die, struck in ((6, 1), (5, 0)):
        target = vehicle((60, 60), 180, armour=(18, 10, 9, 8))
        fight = Fight(battle([squad((20, 60), weapons=("rg",))], [target]), 5, die, *([4, 4, 6] if struck else []))
        fight.do(0, Fire(GroupId("0.1"), GroupId("1.1")))
        assert len(fight.events(VehiclePenetrated)) == struck


@pytest.mark.rule("AE-VEH-02", "AE-OPEN-20", "AE-OPEN-21")
@pytest.mark.parametrize(
    ("kind", "front", "side"),
    [
        ("wheeled", "stun", "whl"),
        ("tracked", "trk", "trk"),
        ("skimmer", "lift", "lift"),
        ("walker", "leg", "leg"),
    ],
)
def test_each_class_has_a_damage_table_for_each_part(kind: str, front: str, side: str) -> None:
    for facing, dice, code in ((180, (4, 4), front), (90, (3, 4), side)):
        [one] = hit(vehicle((60, 60), facing, kind=kind), *dice, 6).events(VehiclePenetrated)
        assert one.code == code


def after(*codes: str, **changes: Any) -> Squad:
    """A vehicle with damage."""
    return vehicle((60, 60), 180, hull=Wreckage(codes), **changes)


@pytest.mark.rule("AE-OPEN-19", "AE-OPEN-18")
def test_an_explosion_kills_all_aboard_and_harms_all_around() -> None:
    team = squad((60, 60), (60, 60), where="aboard", vessel=GroupId("1.1"))
    fight = hit(vehicle((60, 60), 180), 6, 6, 3, others=(team, squad((66, 63))))
    assert [fight.unit(f"1.{n}").figures for n in (1, 2, 3)] == [(), (), ()]
    assert [piece.kind for piece in fight.now.features] == ["wreck"]
    assert [fire.feature for fire in fight.now.fires] == ["wreck.1.1"]
    assert fight.unit("1.1").hurt == (0,)


@pytest.mark.rule("AE-OPEN-19", "AE-OPEN-18")
def test_out_of_a_fire_get_those_who_roll_3() -> None:
    team = squad(*[(60, 60)] * 3, where="aboard", vessel=GroupId("1.1"))
    fight = hit(vehicle((60, 60), 180), 1, 2, 2, 3, 6, others=(team,))
    left = fight.unit("1.2")
    assert (left.figures, left.where) == (("1.2.2", "1.2.3"), "table")
    for figure in fight.now.members(left):
        assert point_gap(figure.at, fight.now.features[0].outline) <= 400


@pytest.mark.rule("AE-OPEN-19")
def test_a_crash_runs_on_only_in_motion() -> None:
    still = hit(vehicle((60, 60), 180), 5, 6, 6)
    assert still.place("1.1.1") == (60, 60)
    moving = hit(vehicle((60, 60), 180, moved=True), 5, 6, 3, 4, 6)
    assert moving.place("1.1.1") == (53, 60)
    for fight in (still, moving):
        assert fight.unit("1.1").hull.codes == ("crash/hmg50",)
        assert hulls.is_immobile(fight.unit("1.1"))


@pytest.mark.rule("AE-OPEN-19")
def test_a_second_time_is_worse() -> None:
    assert hit(after("whl"), 3, 4, 6).unit("1.1").hull.codes == ("whl", "crash/hmg50")
    assert hit(after("trk", kind="tracked"), 4, 4, 6).unit("1.1").hull.codes == ("trk", "eng")
    assert hit(after("lift", kind="skimmer"), 4, 4, 6).unit("1.1").hull.codes == ("lift", "crash/hmg50")
    fallen = hit(after("leg", kind="walker"), 4, 4, 6).unit("1.1")
    assert hulls.is_immobile(fallen)
    assert hit(after("com"), 4, 5, 6).unit("1.1").hull.shaken == 1


@pytest.mark.rule("AE-OPEN-19", "AE-OPEN-18")
def test_a_driver_hit_rolls_on_and_another_takes_over() -> None:
    fight = hit(vehicle((60, 60), 180, moved=True), 2, 2, 6)
    assert fight.place("1.1.1") == (42, 60)
    assert not hulls.can_move(fight.unit("1.1"))
    assert fight.unit("1.1").hull.blocked == {"drv": 2}
    alone = hit(vehicle((60, 60), 180, crew=1), 2, 2, 6)
    assert hulls.is_immobile(alone.unit("1.1"))
    for _ in range(3):
        fight.expire()
    assert fight.now.turn == 2
    for _ in range(2):
        assert not hulls.can_move(fight.unit("1.1"))
        fight.expire()
    assert fight.now.turn == 3
    assert hulls.can_move(fight.unit("1.1"))


@pytest.mark.rule("AE-OPEN-19")
def test_weapons_are_lost_main_first_and_the_owner_picks_a_secondary() -> None:
    tank: dict[str, Any] = {"kind": "tracked", "weapons": ("rg", "mg", "hmg50")}
    assert hit(vehicle((60, 60), 180, **tank), 5, 5, 6).unit("1.1").hull.codes == ("wpn/rg",)
    fight = hit(vehicle((60, 60), 180, **tank), 4, 5, 6)
    assert fight.asked == ("ae.weapon_lost", (1,))
    assert fight.answer(1, "mg").unit("1.1").hull.codes == ("sec/mg",)
    fight = hit(vehicle((60, 60), 180, **tank), 4, 5, 6).expire()
    assert fight.unit("1.1").hull.codes == ("sec/hmg50",)
    assert hit(vehicle((60, 60), 180, kind="tracked", weapons=("mg",)), 4, 5, 6).unit("1.1").hull.codes == ("wpn/mg",)
    assert hit(vehicle((60, 60), 180, kind="tracked", weapons=()), 4, 5, 6).unit("1.1").hull.shaken == 1


@pytest.mark.rule("AE-OPEN-19", "AE-OPEN-16")
def test_passengers_are_hit_at_random() -> None:
    team = squad(*[(60, 60)] * 4, where="aboard", vessel=GroupId("1.1"))
    fight = hit(vehicle((60, 60), 90), 3, 3, 2, 4, 1, 6, others=(team,))
    assert fight.unit("1.2").figures == ("1.2.2", "1.2.3")
    assert fight.unit("1.2").suppressed is False
    assert hit(vehicle((60, 60), 90), 3, 3, 6).unit("1.1").hull.shaken == 1


@pytest.mark.rule("AE-OPEN-19", "AE-OPEN-18")
def test_sights_turret_and_gunner() -> None:
    state = battle([vehicle((60, 60), weapons=("mg", "hmg50"))], [FOE])
    unit, mg, fifty = state.units[GroupId("0.1")], WEAPONS["mg"], WEAPONS["hmg50"]

    def hurt(*codes: str, **hull: Any) -> Unit:
        return replace(unit, hull=Wreckage(codes, **hull))

    assert hits.need(state, unit, mg, "open") == 6
    assert hits.need(state, hurt("opt"), mg, "soft") == 8
    computed = battle([vehicle((60, 60), weapons=("mg", "rpg"), traits=("targeting",))], [FOE])
    own = computed.units[GroupId("0.1")]
    assert [hits.need(computed, own, WEAPONS[one], "open") for one in ("mg", "rpg")] == [5, 5]
    assert hits.need(computed, replace(own, hull=Wreckage(("opt",))), mg, "open") == 6
    behind = (2000, 6000)
    assert [hulls.bears(state, hurt("tur"), one, behind) for one in (mg, fifty)] == [False, True]
    assert [hulls.bears(state, hurt("leg", "leg"), one, behind) for one in (mg, fifty)] == [False, False]
    assert [hulls.may_fire(state, hurt(blocked={"gun": 2}), one) for one in (mg, fifty)] == [False, True]
    assert not hulls.may_fire(state, hurt(shaken=1), fifty)
    assert hulls.allowance(state, hurt("lift")) == 1800


@pytest.mark.rule("AE-OPEN-16")
def test_crews_check_only_when_penetrated_and_never_surrender() -> None:
    fight = hit(vehicle((60, 60), 180), 4, 4, 1, others=(squad((150, 60)),))
    assert fight.unit("1.1").suppressed
    assert (fight.unit("1.1").where, hulls.can_move(fight.unit("1.1"))) == ("table", False)
    assert rallying.checks(fight.now, fight.unit("1.1")) == 2
