"""Ways, places and the ground under them: each bound from both sides (OP-ACT-03, OP-MOVE, OP-TERR, OP-OPEN-15)."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from msgspec.structs import replace

from engine.core.rules.errors import IllegalIntent
from engine.rulesets.one_page.rules import contact, formations, ground, moving, traits
from engine.rulesets.one_page.rules.assaults import Assault
from engine.rulesets.one_page.rules.driving import Drive
from engine.rulesets.one_page.rules.moving import Move
from engine.rulesets.one_page.state import names
from engine.rulesets.one_page.state.events import Activated, BlowStruck, UnitMoved
from engine.rulesets.one_page.state.model import Point
from engine.rulesets.one_page.state.profiles import Kind
from engine.rulesets.one_page.state.state import Battle
from protocol.ids import FigureId, GroupId
from protocol.text import Text
from tests.support.systems.battle import Fight, battle, block, refusal, row, sound, squad, wall

GROUP_1_1 = GroupId("1.1")

GROUP_0_1 = GroupId("0.1")
FIGURE_0_1_1 = FigureId("0.1.1")

FAR = squad((9000, 6000))
SWORD = ("sword",)
START = (3000, 1000)


def crossing(*rules: str) -> Battle:
    """Return a table with a unit on open ground: water to the east, a wood to the west, an enemy to the north, a swamp
    to the south."""
    return battle(
        [squad(START, rules=rules), squad((9000, 1000))],
        [squad((3000, 1800)), FAR],
        block("pond", "water", 3400, 900, 3700, 1100),
        block("lake", "water", 7000, 4000, 8000, 5000),
        block("wood", "forest", 2300, 800, 2600, 1200),
        block("bog", "swamp", 2900, 500, 3100, 700),
    )


@pytest.mark.rule("OP-MOVE-01", "OP-MOVE-03", "OP-SR-06")
@pytest.mark.parametrize(
    ("rules", "via", "limit", "dry", "code"),
    [
        ((), [(3000, 1400)], 400, False, ""),
        ((), [(3000, 1400)], 399, False, "move/too-far"),
        ((), [(3000, 1100), (3000, 1200), (3000, 1400)], 400, False, ""),
        ((), [(3000, 1100), (3000, 1200), (3000, 1300), (3000, 1400)], 400, False, "move/corners"),
        (("flying",), [(3000, 1100), (3000, 1200), (3000, 1300), (3000, 1400)], 400, False, "move/corners"),
        ((), [(4000, 1000)], 1200, False, "move/closed"),
        ((), [(3000, 1560), (4000, 1560)], 2000, False, ""),
        ((), [(3360, 1000)], 1200, False, "move/closed"),
        ((), [(3350, 1000)], 1200, False, ""),
        (("flying",), [(4000, 1000)], 1200, True, ""),
        (("flying",), [(3500, 1000)], 1200, False, "place/impassable"),
        ((), [(2000, 1000)], 1300, False, ""),
        ((), [(2000, 1000)], 1300, True, "move/cover"),
        ((), [(2700, 1000)], 1300, True, ""),
        ((), [(3000, 600)], 1300, True, ""),
        (("flying",), [(2000, 1000)], 1300, True, ""),
        ((), [(3000, 2400)], 2000, False, "move/too-near"),
        (("flying",), [(3000, 2400)], 2000, False, ""),
        (("flying",), [(3000, 1800)], 2000, False, "place/too-near"),
        ((), [(3000, 1600)], 2000, False, ""),
        ((), [(3000, 1601)], 2000, False, "move/too-near"),
        ((), [(3000, 50)], 2000, False, ""),
        ((), [(3000, 49)], 2000, False, "place/off-table"),
    ],
)
def test_a_way_is_refused_for_one_reason_and_for_no_other(
    rules: tuple[str, ...], via: list[Point], limit: int, dry: bool, code: str
) -> None:
    state = crossing(*rules)
    assert refusal(partial(moving.check_way, dry=dry), state, state.units[GROUP_0_1], (START, *via), limit) == code


@pytest.mark.rule("OP-MOVE-01", "OP-MOVE-03")
def test_a_way_into_contact_leads_up_to_the_enemy_and_not_into_him() -> None:
    state = crossing()
    for y, code in ((1700, ""), (1701, "move/too-near")):
        assert refusal(moving.check_way, state, state.units[GROUP_0_1], (START, (3000, y)), 2000, {"1.1"}) == code


@pytest.mark.rule("OP-MOVE-01", "OP-MOVE-03", "OP-SR-06")
def test_who_is_refused_a_way_is_told_how_long_it_is_and_what_is_in_it() -> None:
    state = crossing()
    for to, limit, told in (
        ((3000, 1401), 400, {"cost": 5, "inches": 4}),
        ((3000, 1400), 300, {"cost": 4, "inches": 3}),
    ):
        with pytest.raises(IllegalIntent) as far:
            moving.check_way(state, state.units[GROUP_0_1], (START, to), limit)
        assert far.value.refusal.text.a == told
    obstacles = moving.obstacles_of(state, state.units[GROUP_0_1], (0, 0, 9600, 7200))
    assert [area.id for area in obstacles.closed] == ["pond", "lake"]
    found = [obstacles.closed_on(START, to) for to in ((3000, 1600), (4000, 1000), (7500, 4500))]
    assert [area and area.id for area in found] == [None, "pond", "lake"]


@pytest.mark.rule("OP-MOVE-03")
@pytest.mark.parametrize(
    ("own", "where", "strict", "touching", "apart"),
    [
        (START, "table", False, False, 100),
        ((3000, 1640), "table", False, False, 60),
        ((3000, 1640), "table", True, False, 100),
        ((3000, 1640), "aboard", False, False, 100),
        ((3000, 1640), "table", False, True, 0),
        (START, "table", False, True, 0),
        ((3000, 1600), "table", False, False, 100),
    ],
)
def test_an_inch_is_kept_but_for_what_is_lost_of_it_already(
    own: Point, where: str, strict: bool, touching: bool, apart: int
) -> None:
    state = battle([squad(own, where=where)], [squad((3000, 1800)), FAR])
    clear = sound(
        partial(formations.kept_clear, strict=strict), state, state.units[GROUP_0_1], {"1.1"} if touching else ()
    )
    radius = traits.radius(state, state.figures[FigureId("1.1.1")])
    assert [disc for one in clear for disc in one.discs] == [(3000, 1800, radius + apart), (9000, 6000, radius + 100)]


@pytest.mark.rule("OP-ACT-03", "OP-MOVE-01", "OP-MOVE-02")
@pytest.mark.parametrize(
    ("kind", "tracked", "run", "to", "code"),
    [
        ("infantry", False, False, (3000, 1600), ""),
        ("infantry", False, False, (3000, 1601), "move/too-far"),
        ("infantry", False, True, (3000, 2200), ""),
        ("infantry", False, True, (3000, 2201), "move/too-far"),
        ("walker", False, True, (3000, 2200), ""),
        ("walker", True, False, (3000, 1600), "move/tracked"),
        ("vehicle", False, False, (3000, 1600), "move/drives"),
    ],
)
def test_walk_is_6_and_run_12_for_who_has_feet_and_is_not_tracked(
    kind: Kind, tracked: bool, run: bool, to: Point, code: str
) -> None:
    fight = Fight(battle([squad(START, kind=kind, tough=3, tracked=tracked), squad((9000, 1000))], [FAR]))
    assert refusal(fight.do, 0, Move(GROUP_0_1, run, to)) == code
    how = "run" if run else "walk"
    assert [(one.unit, one.action) for one in fight.events(Activated)] == ([] if code else [("0.1", how)])
    assert [(one.unit, one.how, one.way) for one in fight.events(UnitMoved)] == (
        [] if code else [("0.1", how, (START, to))]
    )


@pytest.mark.rule("OP-MOVE-01", "OP-MOVE-03")
def test_a_unit_beside_another_walks_away_though_their_gap_is_no_whole_hundredth() -> None:
    """The gap between the bases is 0.4950 inches, which is rounded up: it may be kept, and only grow."""
    beside = (START[0] + 106, START[1] + 105)
    state = battle([squad(START), squad((9000, 1000))], [squad(beside), FAR])
    unit = state.units[GROUP_0_1]
    assert refusal(moving.check_way, state, unit, (START, (2700, 700)), 600) == ""
    assert refusal(moving.check_way, state, unit, (START, (3050, 1000)), 600) == "move/too-near"


@pytest.mark.rule("OP-ACT-03", "OP-MOVE-02", "OP-OPEN-15")
@pytest.mark.parametrize(
    ("to", "places", "dice", "rolled"),
    [
        ((3000, 1300), {"0.1.2": (3120, 1300), "0.1.3": (3240, 1300)}, (2, 3, 4), 3),
        ((2700, 1100), {"0.1.2": (2820, 1000), "0.1.3": (2940, 1000)}, (2, 3, 4), 3),
        ((2700, 1000), {"0.1.2": (2820, 1000), "0.1.3": (2940, 1100)}, (2,), 1),
        ((2700, 1000), {"0.1.2": (2820, 1000), "0.1.3": (2940, 1000)}, (), 0),
        ((2990, 1000), {"0.1.2": (3120, 1000), "0.1.3": (3220, 1172)}, (), 0),
    ],
    ids=["the leader goes through", "the leader ends there", "one is placed there", "nobody does", "one stays there"],
)
def test_mines_are_rolled_for_by_all_who_go_after_the_leader_or_by_those_placed_there(
    to: Point, places: dict[FigureId, Point], dice: tuple[int, ...], rolled: int
) -> None:
    """There are two minefields; the last model stands in one of them, and walks out or stays."""
    mines = block("mines", "minefield", 2500, 1060, 3500, 1150), block("more", "minefield", 3200, 1170, 3500, 1500)
    state = battle([squad(START, (3120, 1000), (3220, 1172)), squad((9000, 1000))], [FAR], *mines)
    fight = Fight(state, *dice)
    assert refusal(fight.do, 0, Move(GROUP_0_1, False, to, (), places)) == ""
    assert [count for _, purpose, count in fight.rolls if purpose == "op.dice.mines"] == [rolled] * bool(rolled)
    assert not fight.events(BlowStruck)
    assert fight.unit("0.1").figures == ("0.1.1", "0.1.2", "0.1.3")


@pytest.mark.rule("OP-OPEN-15", "OP-MOR-01")
def test_mines_that_kill_half_of_a_unit_call_for_a_test() -> None:
    """One model of two falls: a hit with Piercing, a block that is rolled again."""
    mines = block("mines", "minefield", 2500, 1300, 3500, 1500)
    fight = Fight(battle([squad(*row(2, 3000, 1000)), squad((9000, 1000))], [FAR], mines), 1, 2, 6, 1, 1)
    assert refusal(fight.do, 0, Move(GROUP_0_1, True, (3000, 1800))) == ""
    assert [purpose.rpartition(".")[2] for _, purpose, _ in fight.rolls] == ["mines", "block", "block_again", "morale"]
    assert fight.unit("0.1").pinned
    assert fight.unit("0.1").figures == ("0.1.1",)


@pytest.mark.rule("OP-MOVE-02", "OP-MOVE-03")
@pytest.mark.parametrize(
    ("second", "third", "code"),
    [
        ((3100, 1400), (3200, 1400), ""),
        ((3099, 1400), (3200, 1400), "place/overlap"),
        ((3100, 1400), (3199, 1400), "place/overlap"),
        ((3200, 1400), (3400, 1400), ""),
        ((3201, 1400), (3401, 1400), "place/formation"),
        ((3200, 1400), (3401, 1400), "place/formation"),
        ((3100, 1400), (3000, 1600), ""),
        ((3100, 1400), (3000, 1601), "place/too-near"),
        ((3100, 1400), None, "place/models"),
    ],
)
def test_models_stand_side_by_side_within_an_inch_of_each_other(second: Point, third: Point | None, code: str) -> None:
    state = battle([squad(*row(3, 3000, 1000)), squad((9000, 1000))], [squad((3000, 1800)), FAR])
    unit, lead = state.units[GROUP_0_1], (3000, 1400)
    places = {"0.1.1": lead, "0.1.2": second, **({"0.1.3": third} if third else {})}
    assert refusal(formations.check_places, state, unit, places, formations.FormationRoom(state, unit, lead)) == code


@pytest.mark.rule("OP-MOVE-02", "OP-MOVE-03")
@pytest.mark.parametrize(
    ("second", "code", "named"), [((3000, 1601), "too-near", True), ((3000, 1401), "overlap", False)]
)
def test_a_model_that_may_not_stand_somewhere_is_named(second: Point, code: str, *, named: bool) -> None:
    state = battle([squad(*row(2, 3000, 1000))], [squad((3000, 1800))])
    unit, lead = state.units[GROUP_0_1], (3000, 1400)
    room = formations.FormationRoom(state, unit, lead)
    with pytest.raises(IllegalIntent) as illegal:
        formations.check_places(state, unit, {FIGURE_0_1_1: lead, FigureId("0.1.2"): second}, room)
    told: dict[str, str | int | Text] = {"model": names.model(state, FigureId("0.1.2"))} if named else {}
    assert illegal.value.refusal.text == Text(f"refuse.place/{code}", told)


@pytest.mark.rule("OP-TERR-02", "OP-TERR-03")
@pytest.mark.parametrize(("where", "inside"), [("table", True), ("reserve", False)])
def test_only_a_unit_on_the_table_is_in_cover(where: str, *, inside: bool) -> None:
    wood = block("wood", "forest", 2900, 900, 3300, 1200)
    state = battle([squad(*row(2, 3000, 1000), where=where)], [FAR], wood)
    unit = state.units[GROUP_0_1]
    piece = ground.piece_of(state, unit)
    assert (piece is not None) is inside
    assert ground.is_covered(state, unit, (9000, 9000)) is inside


@pytest.mark.rule("OP-MOVE-02")
def test_a_unit_forms_around_its_leader_or_not_at_all() -> None:
    """There is room for four between the waters, and none for five."""
    shores = block("west", "water", 2000, 0, 2945, 2000), block("east", "water", 3055, 0, 4000, 2000)
    caps = block("south", "water", 2945, 0, 3055, 940), block("north", "water", 2945, 1385, 3055, 2000)
    for count in (4, 5):
        state = battle([squad(*row(count, 5000, 1000)), squad((9000, 1000))], [FAR], *shores, *caps)
        unit = state.units[GROUP_0_1]
        places = formations.formed(state, unit, (3000, 1000), formations.FormationRoom(state, unit, (3000, 1000)).fits)
        assert (None if places is None else len(places)) == (4 if count == 4 else None)
        assert places is None or places[FIGURE_0_1_1] == (3000, 1000)


@pytest.mark.rule("OP-MOVE-02", "OP-MELEE-01")
def test_those_who_charge_stand_around_their_leader_as_near_to_the_enemy_as_may_be() -> None:
    state = battle([squad(*row(3, 3000, 1000), weapons=SWORD)], [squad((3000, 1800)), FAR])
    places = contact.around(state, state.units[GROUP_0_1], state.units[GROUP_1_1], (3000, 1698))
    assert places is not None
    assert places.keys() == {"0.1.1", "0.1.2", "0.1.3"}
    assert places[FIGURE_0_1_1] == (3000, 1698)
    assert all(y > 1698 for id, (_, y) in places.items() if id != "0.1.1")


KINDS: tuple[Kind, ...] = ("infantry", "hero", "psyker", "monster", "walker", "vehicle")


@pytest.mark.rule("OP-OPEN-15")
@pytest.mark.parametrize("kind", KINDS)
def test_ground_is_closed_to_some_kinds(kind: Kind) -> None:
    pieces = ("forest", "bunker", "swamp", "water", "hill", "building", "minefield")
    features = [block(name, name, 1000 * n, 3000, 1000 * n + 500, 3500) for n, name in enumerate(pieces)]
    state = battle([squad(START, kind=kind, tough=3)], [FAR], *features)
    barred = {"monster": {"bunker"}, "walker": {"bunker"}, "vehicle": {"bunker", "forest"}}.get(kind, set())
    assert {str(area.id) for area in formations.closed(state, state.units[GROUP_0_1])} == {"water", "building"} | barred


@pytest.mark.rule("OP-OPEN-15")
@pytest.mark.parametrize(("models", "guests", "closed"), [(15, 0, False), (16, 0, True), (1, 1, True)])
def test_a_bunker_has_room_for_one_unit_of_fifteen(models: int, guests: int, closed: bool) -> None:
    bunker = block("bunker", "bunker", 2000, 2000, 4000, 4000)
    inside = squad((3000, 3000)) if guests else squad((8000, 1000))
    state = battle([squad(*row(models, 3000, 1000)), inside], [FAR], bunker)
    assert bool(formations.closed(state, state.units[GROUP_0_1])) is closed
    if guests:
        assert not formations.closed(state, state.units[GroupId("0.2")])


@pytest.mark.rule("OP-OPEN-15", "OP-SR-19")
@pytest.mark.parametrize(
    ("rules", "feature", "spent"),
    [
        ((), "forest", 1400),
        ((), "swamp", 1400),
        ((), "hill", 1000),
        ((), "bunker", 1000),
        ((), "barricade", 1200),
        ((), "beside", 1000),
        (("strider",), "forest", 1000),
        (("strider",), "barricade", 1000),
        (("flying",), "forest", 1000),
        (("flying",), "barricade", 1000),
    ],
)
def test_what_ten_inches_cost_over_four_of_them(rules: tuple[str, ...], feature: str, spent: int) -> None:
    """Or over a barricade, or up to one that bends around the place."""
    lines = {
        "barricade": wall("it", (2000, 1500), (4000, 1500)),
        "beside": wall("it", (2900, 1900), (2900, 2100), (3100, 2100)),
    }
    piece = lines.get(feature) or block("it", feature, 2000, 1300, 4000, 1700)
    state = battle([squad(START, rules=rules)], [FAR], piece)
    assert ground.cost(state, state.units[GROUP_0_1], START, (3000, 2000)) == spent


@pytest.mark.rule("OP-TERR-01")
@pytest.mark.parametrize(
    ("kind", "found"), [("forest", "it"), ("bunker", "it"), ("swamp", None), ("hill", None), ("minefield", None)]
)
def test_cover_is_what_gives_it(kind: str, found: str | None) -> None:
    state = battle([squad(START)], [FAR], block("it", kind, 2000, 800, 4000, 1700))
    for at, piece in ((START, found), ((3000, 2000), None)):
        area = ground.cover_at(state, at)
        assert (area and area.id) == piece


@pytest.mark.rule("OP-TERR-02", "OP-OPEN-15")
@pytest.mark.parametrize(
    ("at", "effects", "shooter", "covered"),
    [
        ((3000, 3000), (), (3000, 1000), True),
        ((5000, 3000), (), (5000, 1000), False),
        ((5000, 3000), (traits.COVERED,), (5000, 1000), True),
        ((5000, 2100), (), (5000, 1000), True),
        ((5000, 2100), (), (5000, 4000), False),
        ((7000, 2100), (), (7000, 1000), False),
    ],
    ids=["in a wood", "in the open", "by a power", "behind a wall", "before it", "beside it"],
)
def test_cover_is_of_a_piece_a_barrier_or_a_power(
    at: Point, effects: tuple[str, ...], shooter: Point, covered: bool
) -> None:
    state = battle(
        [squad((9000, 1000))],
        [squad(at, effects=effects)],
        block("wood", "forest", 2500, 2800, 3500, 3500),
        wall("bar", (4500, 2000), (5500, 2000)),
    )
    assert ground.is_covered(state, state.units[GROUP_1_1], shooter) is covered


def meeting(own: Point, enemy: Point, **changes: Any) -> Battle:
    """Return a table with a unit that may charge another, two woods, and friends far away."""
    woods = block("wood", "forest", 2500, 900, 3500, 1500), block("grove", "forest", 2500, 1900, 3500, 2500)
    return battle(
        [squad(own, weapons=SWORD, **changes), squad((9000, 1000))],
        [squad(enemy), squad((0, 0), where="aboard", vessel="1.3"), FAR],
        *woods,
        block("bog", "swamp", 4500, 900, 5500, 1500),
    )


OPEN, WOOD, DEEPER, GROVE, BOG = (6000, 1000), (3000, 1000), (3000, 1300), (3000, 2000), (5000, 1000)


@pytest.mark.rule("OP-ACT-03", "OP-TERR-01")
@pytest.mark.parametrize(
    ("own", "enemy", "target", "changes", "code"),
    [
        (OPEN, (6000, 1800), "1.1", {}, ""),
        (OPEN, (6000, 1800), "0.2", {}, "assault/no-target"),
        (OPEN, (6000, 1800), "1.2", {}, "assault/no-target"),
        (OPEN, (6000, 1800), "1.9", {}, "assault/no-target"),
        (OPEN, (6000, 1800), "1.1", {"effects": ("terror",)}, "assault/terror"),
        (OPEN, (6000, 1800), "1.1", {"effects": ("haste",)}, ""),
        (WOOD, (6000, 1800), "1.1", {}, "assault/from-cover"),
        (WOOD, GROVE, "1.1", {}, "assault/from-cover"),
        (WOOD, DEEPER, "1.1", {}, ""),
        (WOOD, (6000, 1800), "1.1", {"rules": ("flying",)}, ""),
        (WOOD, (6000, 1800), "1.1", {"where": "aboard"}, ""),
        (BOG, (6000, 1800), "1.1", {}, ""),
        (OPEN, GROVE, "1.1", {}, ""),
    ],
)
def test_whom_a_unit_may_go_for(own: Point, enemy: Point, target: str, changes: dict[str, Any], code: str) -> None:
    state = meeting(own, enemy, **changes)
    assert refusal(contact.check_target, state, state.units[GROUP_0_1], target) == code


def out_of_a_wood(enemy: Point, *, may: bool) -> Battle:
    """Return a table with a unit in a wood that ends at x 3500, and an enemy in the open."""
    state = battle([squad(WOOD, weapons=SWORD)], [squad(enemy), FAR], block("wood", "forest", 2500, 900, 3500, 1500))
    return replace(state, resolved=replace(state.resolved, assault_out=may))


@pytest.mark.rule("OP-TERR-01")
@pytest.mark.parametrize(
    ("enemy", "may", "code"),
    [
        ((4600, 1000), False, "assault/from-cover"),
        ((4600, 1000), True, ""),
        ((4801, 1000), True, ""),
        ((4803, 1000), True, "move/too-far"),
    ],
)
def test_by_an_option_units_assault_out_of_cover_measured_from_its_edge(enemy: Point, may: bool, code: str) -> None:
    state = out_of_a_wood(enemy, may=may)
    unit, target = state.units[GROUP_0_1], state.units[GROUP_1_1]
    if not may:
        assert refusal(contact.check_target, state, unit, target.id) == code
        assert refusal(contact.check_prey, state, unit) == "assault/nobody-near", "its distance is not from the edge"
        return
    assert refusal(contact.check_target, state, unit, target.id) == "" == refusal(contact.check_prey, state, unit)
    assert refusal(contact.check_charge, state, unit, target) == code


@pytest.mark.rule("OP-TERR-01")
def test_out_of_one_piece_of_cover_no_unit_assaults_through_another() -> None:
    state = out_of_a_wood((4600, 1000), may=True)
    grove = block("grove", "forest", 3800, 900, 4000, 1500)
    state = replace(state, features=(*state.features, grove))
    assert refusal(contact.check_charge, state, state.units[GROUP_0_1], state.units[GROUP_1_1]) == "move/cover"


@pytest.mark.rule("OP-TERR-03")
@pytest.mark.parametrize(
    ("own", "enemy", "piece"),
    [(WOOD, DEEPER, "wood"), (WOOD, GROVE, None), (OPEN, GROVE, None), (WOOD, OPEN, None), (OPEN, (6000, 1800), None)],
)
def test_a_piece_is_shared_by_those_who_are_both_in_it(own: Point, enemy: Point, piece: str | None) -> None:
    state = meeting(own, enemy)
    area = contact.shared(state, state.units[GROUP_0_1], state.units[GROUP_1_1])
    assert (area and area.id) == piece


@pytest.mark.rule("OP-MELEE-01", "OP-TERR-03")
@pytest.mark.parametrize(
    ("own", "enemy", "goal"),
    [
        ((6000, 1000), (6000, 1800), (6000, 1698)),
        ((3000, 1600), (3000, 2400), (3000, 1847)),
        (WOOD, (3000, 1400), (3000, 1298)),
    ],
    ids=["in the open", "at the edge of the wood", "in one wood"],
)
def test_contact_is_with_the_enemy_or_with_the_edge_of_his_cover(own: Point, enemy: Point, goal: Point) -> None:
    state = meeting(own, enemy)
    assert contact.goals(state, state.units[GROUP_0_1], state.units[GROUP_1_1], own) == [goal]


@pytest.mark.rule("OP-ACT-03", "OP-MELEE-01")
@pytest.mark.parametrize(
    ("kind", "tracked", "distance", "code"),
    [
        ("infantry", False, 1298, ""),
        ("infantry", False, 1310, "move/too-far"),
        ("walker", False, 1298, ""),
        ("walker", True, 1298, "move/tracked"),
        ("walker", True, 102, ""),
        ("vehicle", False, 1800, ""),
        ("vehicle", False, 2000, "assault/out-of-reach"),
        ("vehicle", True, 1800, "move/tracked"),
    ],
)
def test_who_comes_into_contact_by_foot_or_on_wheels(kind: Kind, tracked: bool, distance: int, code: str) -> None:
    charging = squad(START, kind=kind, tough=9, facing=90, tracked=tracked, weapons=SWORD)
    state = battle([charging, squad((9000, 1000))], [squad((3000, 1000 + distance)), FAR])
    unit, target = state.units[GROUP_0_1], state.units[GROUP_1_1]
    assert refusal(contact.check_charge, state, unit, target) == code
    if not code:
        charge = contact.check_charge(state, unit, target)
        assert (charge.path is not None) is (kind == "vehicle")
        assert charge.way[0] == START
        assert charge.places[FIGURE_0_1_1] == charge.way[-1]
        assert tracked or 0 <= 900 + distance - charge.way[-1][1] < 5
        assert not tracked or charge.way[-1] == START


@pytest.mark.rule("OP-OPEN-15", "OP-SR-06")
@pytest.mark.parametrize(
    ("kind", "rules", "rolled"),
    [("infantry", (), 1), ("infantry", ("flying",), 0), ("vehicle", (), 1), ("vehicle", ("flying",), 0)],
)
def test_mines_are_for_all_but_those_who_fly(kind: Kind, rules: tuple[str, ...], rolled: int) -> None:
    mines = block("mines", "minefield", 2500, 1300, 3500, 1500)
    own = squad(START, kind=kind, tough=9, rules=rules, facing=90)
    fight = Fight(battle([own, squad((9000, 1000))], [FAR], mines), *[2] * rolled)
    act = Drive(GROUP_0_1, False, 90, 1000) if kind == "vehicle" else Move(GROUP_0_1, True, (3000, 2000))
    assert refusal(fight.do, 0, act) == ""
    assert fight.rolls == [(0, "op.dice.mines", 1)] * rolled


@pytest.mark.rule("OP-OPEN-15", "OP-MELEE-01")
@pytest.mark.parametrize(("left", "rolled"), [(2500, 3), (3055, 1)])
def test_those_who_charge_roll_for_mines_in_their_way_or_under_them(left: int, rolled: int) -> None:
    """The leader goes through them, or past them, and one who follows stands there."""
    mines = block("mines", "minefield", left, 1600, 3600, 1900)
    own = squad(*row(3, 3000, 1000), weapons=SWORD)
    state = battle([own, squad((9000, 1000))], [squad((3000, 1800), tough=9), FAR], mines)
    fight = Fight(state, *[2] * rolled, *[1] * 10)
    assert refusal(fight.do, 0, Assault(GROUP_0_1, GROUP_1_1)) == ""
    assert [count for _, purpose, count in fight.rolls if purpose == "op.dice.mines"] == [rolled]


@pytest.mark.rule("OP-TERR-02", "OP-TERR-03")
@pytest.mark.parametrize(
    ("inside", "models", "covered"), [((1, 2), 4, True), ((1, 2), 5, False), ((1,), 3, False), ((2, 3, 4), 4, False)]
)
def test_a_unit_is_in_the_piece_that_its_leader_and_half_of_its_models_are_in(
    inside: tuple[int, ...], models: int, *, covered: bool
) -> None:
    wood = block("wood", "forest", 2900, 900, 3700, 1200)
    places = [(2900 + 120 * n, 1000 if n in inside else 1300) for n in range(1, models + 1)]
    state = battle([squad(*places)], [FAR], wood)
    assert (sound(ground.piece_of, state, state.units[GROUP_0_1]) is not None) is covered
