"""Deployment from both sides of each condition: who comes on when and where (OP-SETUP-03, OP-UNIT, OP-SR-02, -17)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.core.rules.events import OrderMade
from engine.rulesets.one_page.rules import arrivals, deployment, rounds, traits
from engine.rulesets.one_page.rules.activations import Finish
from engine.rulesets.one_page.rules.arrivals import DeployRest, Join, Keep
from engine.rulesets.one_page.rules.deployment import Deploy
from engine.rulesets.one_page.rules.transports import Load
from engine.rulesets.one_page.state.events import BattleJoined
from engine.rulesets.one_page.state.model import Feature
from engine.rulesets.one_page.state.placing_events import PlacingBegun, SidesTaken, TerrainLaid, UnitKept
from engine.rulesets.one_page.state.profiles import Kind
from engine.rulesets.one_page.state.state import Battle, SeatState
from engine.space.vectors.points import Box
from protocol.ids import FigureId, GroupId
from tests.support.systems.battle import SIZE, Fight, Squad, altered, battle, block, refusal, row, sound, squad

GROUP_0_1 = GroupId("0.1")
GROUP_0_2 = GroupId("0.2")
FIGURE_0_1_1 = FigureId("0.1.1")

PLAIN = squad((0, 0))
SCOUT = squad((0, 0), rules=["scout"], id="T-02")
DEEP = squad((0, 0), rules=["deep_strike"], id="T-03")
ZONE: Box = (0, 6000, 9600, 7200)
EDGE: Box = (0, 6600, 9600, 7200)
"""A player's zone and edge on a table of 96 x 72 inches, north."""


def opening(own: list[Squad], enemy: list[Squad], *features: Feature) -> Battle:
    """Return the first state: all units are off the table."""
    state = battle(own, enemy, *features)
    units = {id: msgspec.structs.replace(unit, where="away") for id, unit in state.units.items()}
    return msgspec.structs.replace(state, units=units, seats=(SeatState(), SeatState()), phase="", round=0)


def begun(own: list[Squad], enemy: list[Squad], *dice: int, side: str = "south") -> Fight:
    """Seat 0 won the roll-off and chose a side."""
    fight = Fight(opening(own, enemy), 6, 1, *dice)
    assert refusal(fight.answer, 0, side) == ""
    return fight


def done(fight: Fight, *acts: tuple[int, Any]) -> Fight:
    for seat, act in acts:
        assert refusal(fight.do, seat, act) == ""
    return fight


@pytest.mark.rule("OP-SETUP-02", "OP-SETUP-03", "OP-OPEN-15")
@pytest.mark.parametrize(("dice", "winner", "other"), [((6, 1), 0, 1), ((2, 2, 1, 5), 1, 0), ((3, 3) * 100, 0, 1)])
def test_a_table_laid_by_hand_then_the_roll_off_then_sides(dice: tuple[int, ...], winner: int, other: int) -> None:
    """Its pieces lie as they were drawn, and nothing is shuffled. Whoever never stops tying is seat 0."""
    wood = block("wood", "forest", 3000, 3000, 4000, 4000)
    fight = Fight(opening([PLAIN], [PLAIN], wood), *dice)
    assert [one.features for one in fight.events(TerrainLaid)] == [(wood,)]
    assert not fight.events(OrderMade)
    assert [seat for seat, _, _ in fight.rolls] == [0, 1] * (len(dice) // 2)
    assert (fight.asked, fight.match.record.round) == (("op.side", (winner,)), 1)
    assert refusal(fight.answer, winner, "north") == ""
    assert [(one.seat, one.side) for one in fight.events(SidesTaken)] == [(winner, "north")]
    assert (fight.now.seats[winner].side, fight.now.seats[other].side) == ("north", "south")
    assert [(one.seat, one.phase) for one in fight.events(PlacingBegun)] == [(winner, "deploy")]


@pytest.mark.rule("OP-SETUP-03", "OP-SR-17")
@pytest.mark.parametrize(
    ("own", "enemy", "dice", "order"),
    [
        ([PLAIN], [PLAIN], (), [0, 1]),
        ([PLAIN, SCOUT], [PLAIN], (), [0, 1]),
        ([PLAIN], [PLAIN, SCOUT], (), [1, 0]),
        ([PLAIN, SCOUT], [PLAIN, SCOUT], (1, 6), [1, 0]),
        ([PLAIN, SCOUT], [PLAIN, SCOUT], (6, 1), [0, 1]),
    ],
)
def test_both_deploy_then_scouts_by_another_roll_off_then_the_first_round_begins(
    own: list[Squad], enemy: list[Squad], dice: tuple[int, ...], order: list[int]
) -> None:
    fight = begun(own, enemy, *dice)
    while fight.now.placing:
        assert refusal(fight.do, fight.now.acting, DeployRest()) == ""
    phases = [(one.phase, one.seat) for one in fight.events(PlacingBegun)]
    assert phases[:4] == [("deploy", 0), ("deploy", 1), *(("scouts", seat) for seat in order)]
    assert phases[4:] == [("reserves", 0), ("reserves", 1)]
    assert (fight.now.phase, fight.now.round, fight.now.acting) == ("battle", 1, 0)
    assert {unit.where for unit in fight.now.units.values()} == {"table"}


@pytest.mark.rule("OP-SR-17", "OP-SETUP-03")
def test_a_phase_is_for_the_own_units_that_are_still_away() -> None:
    state = opening([PLAIN, SCOUT, PLAIN, SCOUT, DEEP], [PLAIN, SCOUT])
    state = altered(altered(state, "0.3", where="table"), FigureId("0.4"), where="joined")
    found = {
        (seat, phase): deployment.to_place(state, seat, phase) for seat in (0, 1) for phase in ("deploy", "scouts")
    }
    assert found == {
        (0, "deploy"): ("0.1", "0.5"),
        (0, "scouts"): ("0.2",),
        (1, "deploy"): ("1.1",),
        (1, "scouts"): ("1.2",),
    }


@pytest.mark.rule("OP-SETUP-03", "OP-SR-02", "OP-SR-17")
@pytest.mark.parametrize(
    ("phase", "unit", "where"),
    [
        ("deploy", "0.1", (ZONE,)),
        ("deploy", "0.3", (ZONE,)),
        ("scouts", "0.2", (None, ZONE)),
        ("reserves", "0.1", (EDGE,)),
        ("reserves", "0.3", (None, EDGE)),
    ],
)
def test_where_a_unit_comes_on(phase: str, unit: GroupId, where: tuple[Box | None, ...]) -> None:
    state = msgspec.structs.replace(opening([PLAIN, SCOUT, DEEP], [PLAIN]), phase=phase)
    assert deployment.areas(state, state.units[unit]) == where


@pytest.mark.rule("OP-SETUP-03")
@pytest.mark.parametrize(
    ("side", "depth", "box"), [("south", 1200, (0, 0, 9600, 1200)), ("north", 600, (0, 6600, 9600, 7200))]
)
def test_zones_lie_along_the_long_edges(side: str, depth: int, box: tuple[int, int, int, int]) -> None:
    state = msgspec.structs.replace(opening([PLAIN], [PLAIN]), seats=(SeatState(side), SeatState()))
    assert SIZE == (9600, 7200)
    assert deployment.zone(state, 0, depth) == box


@pytest.mark.rule("OP-SETUP-03", "OP-UNIT-02")
@pytest.mark.parametrize(
    ("kind", "facing", "looks"), [("vehicle", 45, 45), ("walker", 270, 270), ("infantry", 45, 0), ("monster", 45, 0)]
)
def test_only_machines_are_put_down_looking_somewhere(kind: Kind, facing: int, looks: int) -> None:
    fight = begun([squad((0, 0), kind=kind, tough=3), PLAIN], [PLAIN])
    done(fight, (0, Deploy(GROUP_0_1, (3000, 600), facing)))
    assert (fight.now.figures[FIGURE_0_1_1].facing, fight.place("0.1.1")) == (looks, (3000, 600))
    assert fight.unit("0.2").where == "away"


@pytest.mark.rule("OP-SETUP-03", "OP-SR-02")
@pytest.mark.parametrize(("side", "looks"), [("south", [90, 270]), ("north", [270, 90])])
def test_the_rest_is_put_down_looking_at_the_enemy(side: str, looks: list[int]) -> None:
    tank = squad((0, 0), kind="vehicle", tough=9)
    fight = begun([tank, PLAIN], [tank, PLAIN], side=side)
    done(fight, (0, DeployRest()), (1, DeployRest()))
    assert [
        fight.now.figures[id].facing for id in (FIGURE_0_1_1, FigureId("1.1.1"), FigureId("0.2.1"), FigureId("1.2.1"))
    ] == [*looks, 0, 0]
    for seat in (0, 1):
        box = deployment.zone(fight.now, seat)
        assert all(box[1] < fight.place(f"{seat}.{n}.1")[1] < box[3] for n in (1, 2))


def flooded(*boxes: tuple[int, int, int, int]) -> list[Feature]:
    """Water where nobody can stand."""
    return [block(f"water{n}", "water", *box) for n, box in enumerate(boxes)]


@pytest.mark.rule("OP-SETUP-03", "OP-SR-02")
def test_nobody_deploys_once_the_battle_is_on() -> None:
    fight = Fight(battle([squad((3000, 1000)), squad((0, 0), where="reserve")], [squad((9000, 6000))]))
    assert refusal(fight.do, 0, DeployRest()) == "deploy/not-now"
    assert refusal(fight.do, 0, Deploy(GROUP_0_2, (5000, 500))) == "deploy/not-now"
    deploying = begun([PLAIN], [PLAIN])
    assert refusal(deploying.do, 1, DeployRest()) == "turn/not-yours"
    assert refusal(deploying.do, 0, DeployRest()) == ""


@pytest.mark.rule("OP-SETUP-03", "OP-SR-02")
def test_who_finds_no_room_is_kept_and_comes_in_by_his_edge_in_round_two_without_a_die() -> None:
    """The zone is under water; in round two a strip of 6 inches has been drained."""
    water = flooded((0, 0, 9600, 1250))
    fight = Fight(opening([PLAIN, squad((0, 0), where="away")], [PLAIN], *water), 6, 1)
    assert refusal(fight.answer, 0, "south") == ""
    done(fight, (0, DeployRest()))
    assert [one.unit for one in fight.events(UnitKept)] == ["0.1", "0.2"]
    assert [fight.unit(id).where for id in (GROUP_0_1, GROUP_0_2)] == ["reserve", "reserve"]
    done(fight, (1, DeployRest()))
    assert (fight.now.round, fight.now.phase) == (1, "battle")
    dry = msgspec.structs.replace(fight.now, features=(), phase="reserves", round=2, placing=("0.1",), acting=0)
    places = sound(deployment.first_place, dry, dry.units[GROUP_0_1])
    assert places is not None
    assert 50 <= places[FIGURE_0_1_1][1] <= 550
    late = battle([squad((3000, 3000)), squad((0, 0), where="reserve")], [squad((9000, 6000))])
    coming = Fight(late)
    done(coming, (0, Finish(GROUP_0_1)), (1, Finish(GroupId("1.1"))))
    assert (coming.now.phase, coming.now.placing, coming.rolls) == ("reserves", ("0.2",), [])
    assert refusal(coming.do, 0, Deploy(GROUP_0_2, (3000, 700))) == "deploy/zone"
    assert refusal(coming.do, 0, Keep(GROUP_0_2)) == ""
    assert (coming.unit("0.2").where, coming.now.phase) == ("reserve", "battle")


@pytest.mark.rule("OP-SR-02", "OP-SR-17", "OP-SETUP-03")
@pytest.mark.parametrize(("phase", "depth"), [("scouts", 950), ("reserves", 450)])
def test_who_finds_no_place_far_from_enemies_comes_in_by_his_own_edge(phase: str, depth: int) -> None:
    """There are enemies everywhere. Scouts have their zone, others a strip of 6 inches."""
    enemies = [squad((x, 1500)) for x in range(400, 9600, 900)]
    own = squad((0, 0), rules=["scout", "deep_strike"], where="away" if phase == "scouts" else "reserve")
    state = battle([own], enemies, phase=phase, placing=("0.1",))
    places = sound(deployment.first_place, state, state.units[GROUP_0_1])
    assert places is not None
    assert [y for _, y in places.values()] == [depth]


@pytest.mark.rule("OP-SR-02", "OP-SETUP-03")
@pytest.mark.parametrize(("round", "die", "comes"), [(0, None, ()), (1, 4, ("0.2",)), (1, 3, ()), (4, 6, ("0.2",))])
def test_reserves_roll_from_the_second_round_on(round: int, die: int | None, comes: tuple[str, ...]) -> None:
    """Whatever the round, units in reserve come on a 4; in round one there is no die."""
    late = squad((0, 0), where="reserve", rules=["deep_strike"])
    state = battle([squad((3000, 1000), done=True), late], [squad((9000, 6000), done=True)], round=round)
    fight = Fight(state, *([] if die is None else [die]))
    assert [one.units for one in fight.events(PlacingBegun)][:1] == [comes]
    assert [(seat, purpose) for seat, purpose, _ in fight.rolls] == [(0, rounds.RESERVES)] * (die is not None)
    assert len(fight.events(BattleJoined)) == (0 if comes else 1)


@pytest.mark.rule("OP-SR-02")
@pytest.mark.parametrize(
    ("phase", "unit", "code"),
    [
        ("deploy", "0.1", "deploy/no-reserve"),
        ("deploy", "0.2", ""),
        ("reserves", "0.1", ""),
        ("reserves", "0.2", ""),
        ("deploy", "0.3", "deploy/not-now"),
    ],
)
def test_who_may_wait_in_reserve(phase: str, unit: GroupId, code: str) -> None:
    state = battle([PLAIN, DEEP, DEEP], [squad((9000, 6000))], phase=phase, placing=("0.1", "0.2"), placed=(0,))
    fight = Fight(state)
    assert refusal(fight.do, 0, Keep(unit)) == code
    assert [one.unit for one in fight.events(UnitKept)] == ([] if code else [unit])


@pytest.mark.rule("OP-SR-22")
@pytest.mark.parametrize(("phase", "code"), [("deploy", ""), ("scouts", ""), ("reserves", "deploy/not-now")])
def test_units_start_aboard_and_do_not_arrive_so(phase: str, code: str) -> None:
    carrier = squad((3000, 600), kind="vehicle", tough=6, size=300, rules=["transport.3"], id="T-09")
    state = battle([PLAIN, carrier, DEEP], [squad((9000, 6000))], phase=phase, placing=("0.1", "0.3"), placed=(0,))
    fight = Fight(state)
    assert refusal(fight.do, 0, Load(GROUP_0_1, GROUP_0_2)) == code
    assert fight.unit("0.1").vessel == ("" if code else "0.2")


def copies(**changes: dict[str, Any]) -> Battle:
    """Units of three that are to be placed. `changes`: of the list's entries, by letter of the copies a and b."""
    own = [squad(*row(3, 0, 0)), squad(*row(3, 0, 0)), squad(*row(3, 0, 0), id="T-02"), squad((0, 0), kind="hero")]
    own += [squad((0, 0), kind="walker"), squad((0, 0), kind="walker"), squad((0, 0), kind="hero")]
    state = battle(own, [squad((9000, 6000))], phase="deploy", placed=(0,))
    force = state.resolved.forces[0]
    for letter, given in changes.items():
        entry = "ab".index(letter)
        units = (*force.units[:entry], msgspec.structs.replace(force.units[entry], **given), *force.units[entry + 1 :])
        force = msgspec.structs.replace(force, units=units)
    resolved = msgspec.structs.replace(state.resolved, forces=(force, state.resolved.forces[1]), whole=("T-01.4",))
    placing = tuple(id for id in state.units if id[0] == "0" and id != "0.3")
    return msgspec.structs.replace(state, resolved=resolved, placing=placing)


@pytest.mark.rule("OP-UNIT-02")
@pytest.mark.parametrize(
    ("unit", "twin", "changes", "code"),
    [
        ("0.1", "0.2", {}, ""),
        ("0.1", "0.1", {}, "deploy/twin"),
        ("0.1", "0.3", {}, "deploy/not-now"),
        ("0.1", "0.5", {}, "deploy/twin"),
        ("0.5", "0.6", {}, "deploy/twin"),
        ("0.4", "0.7", {}, "deploy/twin"),
        ("0.1", "0.2", {"a": {"doubled": True}}, "deploy/twin"),
        ("0.1", "0.2", {"b": {"doubled": True}}, "deploy/twin"),
        ("0.1", "0.2", {"a": {"upgrades": ("T-01.4",)}}, "deploy/twin-upgrades"),
        ("0.1", "0.2", {"a": {"upgrades": ("T-01.1",)}}, ""),
        ("0.1", "0.2", {"a": {"upgrades": ("T-01.4",)}, "b": {"upgrades": ("T-01.4", "T-01.1")}}, ""),
    ],
)
def test_two_copies_of_one_unit_of_infantry_can_be_one(
    unit: GroupId, twin: str, changes: dict[str, Any], code: str
) -> None:
    state = copies(**changes)
    assert refusal(deployment.check_twin, state, 0, state.units[unit], twin) == code


@pytest.mark.rule("OP-UNIT-02", "OP-SETUP-03")
@pytest.mark.parametrize(("twin", "models"), [("0.2", 6), ("", 3)])
def test_a_unit_comes_on_with_its_twin_or_alone(twin: GroupId, models: int) -> None:
    fight = Fight(copies())
    done(fight, (0, Deploy(GROUP_0_1, (3000, 900), twin=twin)))
    assert (len(fight.unit("0.1").figures), fight.unit("0.1").size) == (models, models)
    assert fight.unit("0.2").where == ("joined" if twin else "table")


@pytest.mark.rule("OP-UNIT-03")
@pytest.mark.parametrize(
    ("unit", "host", "phase", "code"),
    [
        ("0.1", "0.4", "deploy", ""),
        ("0.1", "0.4", "scouts", ""),
        ("0.2", "0.4", "deploy", ""),
        ("0.1", "0.4", "reserves", "join/deployed"),
        ("0.3", "0.4", "deploy", "join/no-character"),
        ("0.1", "0.9", "deploy", "join/no-host"),
        ("0.1", "1.1", "deploy", "join/no-host"),
        ("0.1", "0.5", "deploy", "join/no-host"),
        ("0.1", "0.6", "deploy", "join/no-host"),
        ("0.1", "0.7", "deploy", "join/quality"),
        ("0.1", "0.8", "deploy", "join/quality"),
        ("0.8", "0.4", "deploy", "deploy/not-now"),
    ],
)
def test_whom_a_character_may_join(unit: str, host: str, phase: str, code: str) -> None:
    """Infantry of his Quality that stands on the table and is none himself; two Heroes never."""
    own = [
        squad((0, 0), kind="hero", where="away"),
        squad((0, 0), kind="psyker", where="away"),
        squad((0, 0), where="away"),
        squad((3000, 600)),
        squad((0, 0), where="aboard"),
        squad((5000, 600), kind="walker"),
        squad((6000, 600), quality=5),
        squad((7000, 600), kind="hero"),
    ]
    state = battle(own, [squad((9000, 6000))], phase=phase, placing=("0.1", "0.2", "0.3"))
    assert refusal(arrivals.check_join, state, 0, unit, host) == code


@pytest.mark.rule("OP-UNIT-03")
def test_a_unit_has_one_hero_and_one_psyker() -> None:
    own = [squad((3000, 600)), *(squad((0, 0), kind=kind, where="away") for kind in ("hero", "psyker", "hero"))]
    state = battle(own, [squad((9000, 6000))], phase="deploy", placing=("0.2", "0.3", "0.4"), placed=(0,))
    fight = Fight(state)
    done(fight, (0, Join(GROUP_0_2, GROUP_0_1)), (0, Join(GroupId("0.3"), GROUP_0_1)))
    assert fight.unit("0.1").figures == ("0.1.1", "0.2.1", "0.3.1")
    assert refusal(fight.do, 0, Join(GroupId("0.4"), GROUP_0_1)) == "join/another"


@pytest.mark.rule("OP-UNIT-03", "OP-SETUP-03")
def test_a_character_joins_within_the_zone_and_nobody_moves_for_him() -> None:
    """His friends stand in a file along the front of the zone, as their player has placed them."""
    file = row(4, 3000, 1150, 150)
    state = battle([squad(*file), squad((0, 0), kind="hero", where="away"), PLAIN], [squad((9000, 6000))])
    fight = Fight(msgspec.structs.replace(state, phase="deploy", placing=("0.2", "0.3"), placed=(0,)))
    done(fight, (0, Join(GROUP_0_2, GROUP_0_1)))
    assert tuple(fight.place(f"0.1.{number}") for number in range(1, 5)) == file
    x, y = fight.place("0.2.1")
    assert y <= 1150
    assert min((x - left) ** 2 + (y - front) ** 2 for left, front in file) <= 200**2


@pytest.mark.rule("OP-UNIT-03", "OP-SR-17")
@pytest.mark.parametrize(("host", "enemy"), [(2500, 6000), (1150, 2200)])
def test_a_scout_joins_far_from_enemies_or_in_the_own_zone(host: int, enemy: int) -> None:
    """The first unit stands far ahead. Beside the second no place is 12 inches from the enemy, but some are in the
    zone."""
    own = [squad((3000, host)), squad((0, 0), kind="hero", rules=["scout"], where="away"), SCOUT]
    state = battle(own, [squad((3000, enemy))], phase="scouts", placing=("0.2", "0.3"), placed=(0,))
    fight = done(Fight(state), (0, Join(GROUP_0_2, GROUP_0_1)))
    assert fight.place("0.1.1") == (3000, host)
    assert host - 200 <= fight.place("0.2.1")[1] <= host


@pytest.mark.rule("OP-UNIT-03")
@pytest.mark.parametrize(("gap", "code"), [(1320, ""), (1070, "place/no-room")])
def test_a_character_joins_where_there_is_room_for_him(gap: int, code: str) -> None:
    """His friend stands in a cleft between waters."""
    cleft = flooded((2000, 0, 2945, 2000), (3055, 0, 4000, 2000), (2945, 0, 3055, 940), (2945, gap, 3055, 2000))
    own = [squad((3000, 1000)), squad((0, 0), kind="hero", where="away"), PLAIN]
    state = battle(own, [squad((9000, 6000))], *cleft, phase="deploy", placing=("0.2", "0.3"), placed=(0,))
    fight = Fight(state)
    assert refusal(fight.do, 0, Join(GROUP_0_2, GROUP_0_1)) == code
    assert fight.unit("0.2").where == ("away" if code else "joined")


@pytest.mark.rule("OP-UNIT-03", "OP-SR-01")
@pytest.mark.parametrize(
    ("kind", "rules", "effects", "asked", "has"),
    [
        ("infantry", (), (), "armored", False),
        ("infantry", ("armored",), (), "armored", True),
        ("infantry", (), ("armored",), "armored", True),
        ("infantry", (), ("smoked",), "armored", False),
        ("monster", (), (), "fear", True),
        ("walker", (), (), "fear", False),
        ("walker", (), (), "armored", True),
    ],
)
def test_a_unit_has_a_rule_by_its_profile_its_class_or_a_power(
    kind: Kind, rules: tuple[str, ...], effects: tuple[str, ...], asked: str, has: bool
) -> None:
    state = battle([squad((3000, 1000), kind=kind, rules=rules, effects=effects)], [squad((9000, 6000))])
    assert traits.has(state, state.units[GROUP_0_1], asked) is has


@pytest.mark.rule("OP-UNIT-03", "OP-SR-01")
@pytest.mark.parametrize(
    ("having", "half", "whole"),
    [
        ([], False, False),
        (["0.2"], False, False),
        (["0.1"], True, False),
        (["0.2", "0.3"], True, False),
        (["0.1", "0.2"], True, False),
        (["0.1", "0.2", "0.3"], True, True),
    ],
)
def test_some_rules_hold_for_half_of_the_models_and_some_for_all(having: list[str], half: bool, whole: bool) -> None:
    """A unit of two with a Hero and a Psyker."""
    rules = [("fearless", "armored", "fast", "strider") if id in having else () for id in ("0.1", "0.2", "0.3")]
    own = [
        squad(*row(2, 3000, 1000), rules=rules[0]),
        squad((3240, 1000), kind="hero", rules=rules[1]),
        squad((3360, 1000), kind="psyker", rules=rules[2]),
    ]
    state = battle(own, [squad((9000, 6000))])
    grown = altered(state, "0.1", figures=("0.1.1", "0.1.2", "0.2.1", "0.3.1"), joined=(1, 2))
    found = [traits.has(grown, grown.units[GROUP_0_1], rule) for rule in ("fearless", "armored", "fast", "strider")]
    assert found == [half, half, whole, whole]
