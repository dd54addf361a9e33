"""Coming into contact: room for those who charge, what stops machines, who steps in (OP-MELEE-01, OP-VEH-03)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.rules.events import ActionResolved
from engine.rulesets.one_page.rules import contact, moving, sighting
from engine.rulesets.one_page.rules.assaults import Assault
from engine.rulesets.one_page.rules.driving import Drive
from engine.rulesets.one_page.rules.transports import Disembark
from engine.rulesets.one_page.state.events import ActivationEnded, MeleeFought, Tracked, UnitMoved
from engine.rulesets.one_page.state.model import Feature, Point
from engine.rulesets.one_page.state.profiles import Kind
from engine.rulesets.one_page.state.state import Battle
from protocol.ids import FigureId, GroupId
from tests.support.systems.battle import Fight, Squad, battle, block, refusal, row, sound, squad, wall

FIGURE_0_1_1 = FigureId("0.1.1")

GROUP_0_1 = GroupId("0.1")
GROUP_1_1 = GroupId("1.1")

FAR = squad((9000, 6000))
START = (3000, 1000)
SWORD = ("sword",)


def machine(kind: Kind = "vehicle", **more: Any) -> Squad:
    """Return a Vehicle, or a unit of another kind, that faces north."""
    return squad(START, kind=kind, tough=9, facing=90, weapons=SWORD, **more)


@pytest.mark.rule("OP-ACT-03", "OP-SR-03", "OP-VEH-02")
@pytest.mark.parametrize(
    ("kind", "rules", "effects", "reach"),
    [
        ("infantry", (), (), (600, 1200, 1200)),
        ("walker", (), (), (600, 1200, 1200)),
        ("vehicle", (), (), (1200, 1800, 1800)),
        ("infantry", ("fast",), (), (900, 1800, 1800)),
        ("vehicle", ("fast",), (), (1500, 2400, 2400)),
        ("infantry", (), ("haste",), (900, 1800, 1800)),
        ("infantry", ("fast",), ("haste",), (1200, 2400, 2400)),
    ],
)
def test_how_far_a_unit_goes(
    kind: Kind, rules: tuple[str, ...], effects: tuple[str, ...], reach: tuple[int, int, int]
) -> None:
    state = battle([squad(START, kind=kind, rules=rules, effects=effects)], [FAR])
    unit = state.units[GROUP_0_1]
    assert tuple(moving.allowance(state, unit, action) for action in ("walk", "run", "assault")) == reach


def lane(models: int, *more: Feature) -> Battle:
    """A unit that charges along a lane between two waters, wide enough for one."""
    shores = block("west", "water", 2000, 0, 2945, 3000), block("east", "water", 3055, 0, 4000, 3000)
    return battle([squad(*row(models, 3000, 1000, 0), weapons=SWORD)], [squad((3000, 1500)), FAR], *shores, *more)


@pytest.mark.rule("OP-ACT-03", "OP-MELEE-01")
@pytest.mark.parametrize(("models", "wooded", "code"), [(7, False, ""), (8, False, "place/no-room"), (8, True, "")])
def test_a_unit_charges_where_all_of_it_finds_room(models: int, wooded: bool, code: str) -> None:
    """In one piece of cover it fights from where it stands."""
    wood = (block("wood", "forest", 2900, 500, 3100, 2500),) if wooded else ()
    state = lane(models, *wood)
    unit, target = state.units[GROUP_0_1], state.units[GROUP_1_1]
    assert refusal(contact.check_charge, state, unit, target) == code
    if not code:
        charge = contact.check_charge(state, unit, target)
        stays = charge.places == {figure.id: figure.at for figure in state.members(unit)}
        assert stays is wooded
        assert charge.places.keys() == {*unit.figures}
        assert (charge.way == (START, START)) is wooded


@pytest.mark.rule("OP-TERR-03")
def test_what_two_units_share_is_found_wherever_they_are() -> None:
    wood = block("wood", "forest", 2500, 900, 3500, 1500)
    spots = (START, (3000, 1300), (6000, 3000), (7000, 3000))
    state = battle([squad(spot) for spot in spots], [FAR], wood)
    units = list(state.units.values())[:4]
    found = {(a.id, b.id) for a in units for b in units if sound(contact.shared, state, a, b) is not None}
    assert found == {(a, b) for a in ("0.1", "0.2") for b in ("0.1", "0.2")}


@pytest.mark.rule("OP-MELEE-01", "OP-TERR-03")
def test_there_is_a_goal_at_every_enemy() -> None:
    wood = block("wood", "forest", 2500, 1700, 3500, 2500)
    state = battle([squad(START), squad((5000, 1000))], [squad((3000, 2000)), squad((5000, 1800)), FAR], wood)
    goals = [
        sound(
            contact.goals,
            state,
            state.units[GroupId(own)],
            state.units[GroupId(enemy)],
            state.figures[FigureId(f"{own}.1")].at,
        )
        for own, enemy in (("0.1", "1.1"), ("0.2", "1.2"), ("0.1", "1.2"))
    ]
    assert goals[:2] == [[(3000, 1647)], [(5000, 1698)]]
    assert len(goals[2]) == 1


@pytest.mark.rule("OP-TERR-03")
@pytest.mark.parametrize(("caster", "target"), [((1500, 1000), (6700, 1000)), ((6700, 1000), (1500, 1000))])
def test_a_power_is_measured_from_edge_to_edge_however_deep_in_cover_they_stand(caster: Point, target: Point) -> None:
    wood = block("wood", "forest", 1000, 500, 6000, 3000)
    state = battle([squad(caster)], [squad(target)], wood)
    own, theirs = state.units[GroupId("0.1")], state.units[GroupId("1.1")]
    measured = own, state.leader(own), theirs
    assert [sound(sighting.is_within, state, *measured, reach) for reach in (650, 649)] == [True, False]


@pytest.mark.rule("OP-TERR-03")
@pytest.mark.parametrize(("caster", "distance"), [(START, 600), ((6000, 1000), 900), ((6000, 1200), 700)])
def test_a_power_is_measured_from_its_caster_or_the_edge_of_his_cover(caster: Point, distance: int) -> None:
    """The first is deep in a wood whose edge is 6 inches off the enemy."""
    wood = block("wood", "forest", 2500, 500, 3500, 1350)
    state = battle([squad((500, 500)), squad(caster)], [squad((caster[0], 2000), (caster[0], 2120))], wood)
    measured = state.units[GroupId("0.2")], state.figures[FigureId("0.2.1")], state.units[GROUP_1_1]
    assert [sound(sighting.is_within, state, *measured, reach) for reach in (distance, distance - 1)] == [True, False]


@pytest.mark.rule("OP-VEH-03", "OP-MELEE-01")
def test_a_vehicle_that_cannot_charge_is_told_what_was_in_its_way_first() -> None:
    """Straight ahead is water; to any other corner a friend is in the way."""
    pond, beside = block("pond", "water", 2950, 1300, 3050, 1400), squad((3260, 1000), weapons=SWORD)
    own = machine(size=100)
    east = own._replace(facing=0)
    state = battle([east, beside], [squad((3000, 1800)), FAR], pond)
    assert refusal(contact.check_charge, state, state.units[GROUP_0_1], state.units[GROUP_1_1]) == "move/closed"
    clear = battle([east, squad((9000, 1000))], [squad((3000, 1800)), FAR], pond)
    assert refusal(contact.check_charge, clear, clear.units[GROUP_0_1], clear.units[GROUP_1_1]) == ""
    behind = battle([own, squad((9000, 1000))], [squad((3000, 400)), FAR])
    assert (
        refusal(contact.check_charge, behind, behind.units[GROUP_0_1], behind.units[GROUP_1_1])
        == "assault/out-of-reach"
    )


@pytest.mark.rule("OP-VEH-03", "OP-MELEE-01")
@pytest.mark.parametrize(
    ("enemy", "facing"),
    [((3000, 2000), 90), ((3700, 1700), 45), ((2300, 1700), 135), ((3700, 1000), 0)],
)
def test_a_vehicle_turns_towards_the_nearest_enemy_and_goes_straight_at_him(enemy: Point, facing: int) -> None:
    """The Vehicle turns on the spot, up to a right angle; the nearest enemy is touched and not run over."""
    other = (enemy[0] + (200 if facing >= 90 else -200), enemy[1] + 600)
    state = battle([machine(), squad((9000, 1000))], [squad(enemy, other), FAR])
    charge = contact.check_charge(state, state.units[GROUP_0_1], state.units[GROUP_1_1])
    assert charge.path is not None
    assert (charge.path.facing, charge.way[:2]) == (facing, (START, START))
    x, y = charge.way[-1]
    assert 100**2 <= (x - enemy[0]) ** 2 + (y - enemy[1]) ** 2 < 105**2


@pytest.mark.rule("OP-OPEN-15", "OP-SR-06", "OP-ACT-03", "OP-MELEE-01")
@pytest.mark.parametrize(
    ("rules", "die", "fought"), [((), 1, False), ((), 2, True), (("flying",), None, True)], ids=["1", "2", "flying"]
)
def test_a_vehicle_that_the_dice_stop_before_a_barricade_has_no_melee(
    rules: tuple[str, ...], die: int | None, fought: bool
) -> None:
    bar = wall("bar", (2500, 1500), (3500, 1500))
    blows = [1, 1, 1, 1, 6, 1] if fought else []
    state = battle([machine(rules=rules), squad((9000, 1000))], [squad((3000, 2000)), FAR], bar)
    fight = Fight(state, *([] if die is None else [die]), *blows)
    assert refusal(fight.do, 0, Assault(GROUP_0_1, GROUP_1_1)) == ""
    assert [count for _, purpose, count in fight.rolls if purpose == "op.dice.terrain"] == [1] * (die is not None)
    assert bool(fight.events(MeleeFought)) is fought
    assert [one.unit for one in fight.events(ActivationEnded)] == ["0.1"]


@pytest.mark.rule("OP-OPEN-15", "OP-SR-06")
@pytest.mark.parametrize(
    ("lines", "dice", "way", "facing"),
    [
        (((2500, 1300), (3500, 1300)), (1,), [(3000, 1298)], 90),
        (((2500, 1300), (3500, 1300)), (2,), [(3000, 1500), (3500, 1500)], 0),
        (((3300, 1200), (3300, 1800)), (1,), [(3000, 1500), (3298, 1500)], 0),
        (((3300, 1200), (3300, 1800)), (6,), [(3000, 1500), (3500, 1500)], 0),
    ],
    ids=["stopped before it turns", "over the first", "stopped after it", "over the second"],
)
def test_a_vehicle_that_is_stopped_looks_where_it_was_going(
    lines: tuple[Point, Point], dice: tuple[int, ...], way: list[Point], facing: int
) -> None:
    state = battle([machine(), squad((9000, 1000))], [FAR], wall("bar", *lines))
    fight = Fight(state, *dice)
    assert refusal(fight.do, 0, Drive(GROUP_0_1, True, 0, 500, 500)) == ""
    [moved] = fight.events(UnitMoved)
    assert (moved.how, moved.way, moved.facing) == ("run", (START, *way), facing)
    assert (fight.place(FIGURE_0_1_1), fight.now.figures[FIGURE_0_1_1].facing) == (way[-1], facing)


@pytest.mark.rule("OP-OPEN-15", "OP-SR-06", "OP-VEH-02", "OP-VEH-03")
@pytest.mark.parametrize(
    ("feature", "rules", "die", "bogged", "end"),
    [
        ("swamp", (), 1, True, 1500),
        ("swamp", (), 2, False, 2200),
        ("swamp", ("flying",), None, False, 2200),
        ("hill", (), None, False, 2200),
        ("barricade", (), 1, False, 1498),
        ("barricade", ("flying",), None, False, 2200),
    ],
)
def test_what_stops_a_vehicle_and_whether_it_is_stuck(
    feature: str, rules: tuple[str, ...], die: int | None, bogged: bool, end: int
) -> None:
    piece = block("it", feature, 2500, 1500, 3500, 1600)
    if feature == "barricade":
        piece = wall("it", (2500, 1500), (3500, 1500))
    state = battle([machine(rules=rules), squad((9000, 1000))], [FAR], piece)
    fight = Fight(state, *([] if die is None else [die]))
    assert refusal(fight.do, 0, Drive(GROUP_0_1, True, 90, 1200)) == ""
    assert fight.place(FIGURE_0_1_1) == (3000, end)
    assert [one.unit for one in fight.events(Tracked)] == ["0.1"] * bogged
    assert fight.unit("0.1").tracked is bogged
    assert [one.how for one in fight.events(ActionResolved)] == ["done" if end == 2200 else "stopped"]


@pytest.mark.rule("OP-MOVE-01", "OP-SR-22")
@pytest.mark.parametrize(
    ("to", "code"),
    [
        ((3000, 2790), ""),
        ((3000, 2801), "move/too-far-out"),
        ((3300, 2000), ""),
        ((3000, 2299), "move/too-near"),
        ((3000, 2300), ""),
        ((3000, 2000), "move/too-near"),
        ((2000, 2000), "move/too-far-out"),
    ],
)
def test_who_gets_out_walks_six_inches_from_the_edge_and_keeps_an_inch_from_it(to: Point, code: str) -> None:
    carrier = squad((3000, 2000), kind="vehicle", tough=9, size=300, facing=90, rules=["transport.6"], id="T-09")
    state = battle([squad((0, 0), where="aboard", vessel="0.2"), carrier], [FAR])
    fight = Fight(state)
    assert refusal(fight.do, 0, Disembark(GROUP_0_1, to)) == code
    assert (fight.unit("0.1").where, fight.place(FIGURE_0_1_1)) == (("table", to) if not code else ("aboard", (0, 0)))


@pytest.mark.rule("OP-MELEE-01")
@pytest.mark.parametrize(
    ("places", "covered", "stepped"),
    [
        (((3000, 2000), (3180, 1950)), False, {"1.1.2"}),
        (((3000, 2000), (3180, 1950)), True, set()),
        (((3000, 2000),), False, set()),
        (((3000, 2000), (3180, 1950), (2900, 1870)), False, {"1.1.2"}),
        (((3000, 2000), (3180, 1950), (3000, 2110)), False, {"1.1.2"}),
    ],
    ids=["all but the leader", "not from cover", "not the leader", "not who touches", "not who has no room"],
)
def test_defenders_step_into_contact(places: tuple[Point, ...], covered: bool, stepped: set[str]) -> None:
    wood = (block("wood", "forest", 2500, 1950, 3500, 2500),) if covered else ()
    state = battle([squad((3000, 1898), weapons=SWORD)], [squad(*places), FAR], *wood)
    found = contact.step_in(state, state.units[GROUP_1_1], state.units[GROUP_0_1])
    assert found.keys() == stepped
    assert all(found[id] != state.figures[id].at for id in found)


@pytest.mark.rule("OP-MELEE-01")
def test_the_nearer_defender_takes_the_place_that_there_is_for_one() -> None:
    state = battle([squad((3000, 1898), (2830, 1883))], [squad((3000, 2000), (2975, 2125), (2850, 2115)), FAR])
    assert contact.step_in(state, state.units[GROUP_1_1], state.units[GROUP_0_1]) == {"1.1.2": (2882, 1970)}


@pytest.mark.rule("OP-ACT-03", "OP-MELEE-01")
def test_who_is_in_contact_already_still_brings_the_others_up() -> None:
    """Only a machine that is Tracked fights from where it stands."""
    state = battle([squad((3000, 1000), (3000, 600))], [squad((3100, 1000))])
    charge = sound(contact.check_charge, state, state.units[GROUP_0_1], state.units[GROUP_1_1])
    assert charge.places[FigureId("0.1.2")] != (3000, 600)
