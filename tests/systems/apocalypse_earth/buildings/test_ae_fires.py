"""Fires: what catches fire, spreads and goes out, and those who are caught in it (AE-FIRES, AE-BLD-04)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.rules.errors import IllegalIntent
from engine.rulesets.apocalypse_earth.rules.ending import Finish
from engine.rulesets.apocalypse_earth.rules.fire.aiming import TakeAim
from engine.rulesets.apocalypse_earth.rules.fire.firing import Fire
from engine.rulesets.apocalypse_earth.rules.harm import buildings, fires
from engine.rulesets.apocalypse_earth.rules.harm.fires import Escape
from engine.rulesets.apocalypse_earth.rules.moves.driving import Drive
from engine.rulesets.apocalypse_earth.rules.moves.moving import Move
from engine.rulesets.apocalypse_earth.rules.table import ground, sighting
from engine.rulesets.apocalypse_earth.rules.turns import coherency
from engine.rulesets.apocalypse_earth.state.combat_events import FireStarted
from engine.rulesets.apocalypse_earth.state.fire_events import FiguresFell, Surrendered
from engine.rulesets.apocalypse_earth.state.lasting import Blaze, Combat, Shot
from engine.rulesets.apocalypse_earth.state.model import Feature, Options
from engine.rulesets.apocalypse_earth.state.state import Battle
from engine.rulesets.apocalypse_earth.state.vehicle_events import VehiclePenetrated
from engine.space.vectors.outlines import doubled_area
from protocol.ids import FigureId, GroupId
from tests.support.systems.ae_battle import Fight, Squad, battle, block, cm, line, refused, row, squad, vehicle

FLAMER = squad((70, 45), arms=(("ft",),))
FAR = squad((20, 110))
WOODS = block("woods", "woods", 80, 40, 90, 50)
UNIT = GroupId("0.1")


def burn(state: Battle, *dice: int, facing: int = 0) -> Fight:
    """Fire a flamethrower."""
    shot = Shot(FigureId("0.1.1"), "ft", facing=facing)
    return Fight(state, *dice).do(0, Fire(UNIT, shots=(shot,)))


def later(fight: Fight) -> Fight:
    """Let all units do nothing, so that the turn ends; nobody is set on overwatch."""
    for unit in [unit for unit in fight.now.units.values() if unit.figures]:
        if not fight.unit(unit.id).acted:
            fight.do(
                fight.now.acting,
                Finish(
                    next(
                        u.id
                        for u in fight.now.units.values()
                        if u.owner == fight.now.acting and not u.acted and u.figures
                    )
                ),
            )
    return fight.expire() if fight.asked else fight


@pytest.mark.rule("AE-FIRES-01")
def test_a_flame_sets_alight_each_flammable_piece_that_it_touches() -> None:
    pieces = (WOODS, block("rubble", "rubble", 72, 46, 76, 50), line("hedge", "hedge", (75, 40), (75, 50)))
    fight = burn(battle([FLAMER], [FAR], features=pieces))
    assert [one.fire.feature for one in fight.events(FireStarted)] == ["woods", "hedge"]
    fight = burn(battle([FLAMER], [FAR], features=pieces, options=Options(fires=False)))
    assert not fight.events(FireStarted)


@pytest.mark.rule("AE-FIRES-01", "AE-FIRES-03")
def test_those_in_a_piece_that_catches_fire_are_hit_as_by_a_flamethrower() -> None:
    caught = squad((88, 48), (88, 42), (95, 48))
    fight = burn(battle([FLAMER], [caught], features=(WOODS,)), 1, 2, 6)
    assert [(fell.figures, fell.how) for fell in fight.events(FiguresFell)] == [(("1.1.2",), "burnt")]


@pytest.mark.rule("AE-BLD-04")
@pytest.mark.parametrize("on", [True, False])
def test_all_inside_a_building_burn_that_a_flame_touches(on: bool) -> None:
    house = block("house", "house", 80, 40, 92, 50)
    state = battle([FLAMER], [squad((84, 45), (90, 48), (90, 42))], features=(house,), options=Options(fires=on))
    fight = burn(state, 2, 1, 1, 4, 4)
    assert len(fight.unit("1.1").figures) == 2
    assert [one.feature for one in fight.now.fires] == (["house"] if on else [])


@pytest.mark.rule("AE-FIRES-02", "AE-TURN-04")
def test_a_fire_is_first_checked_in_the_next_turn_and_goes_out_on_a_one() -> None:
    fight = burn(battle([FLAMER], [FAR], features=(WOODS,)), 1)
    later(fight)
    assert fight.now.turn == 2
    assert ground.burning(fight.now) == {"woods"}
    later(fight)
    assert fight.now.turn == 3
    assert fight.now.features == ()
    assert fight.now.fires == ()


@pytest.mark.rule("AE-FIRES-02")
def test_a_building_that_burns_out_is_ruins_and_a_wreck_a_wreck() -> None:
    house = block("house", "house", 80, 40, 92, 50)
    for kind, left in (("house", "rubble"), ("trench", "trench")):
        piece = Feature("p", kind, house.outline)
        fight = later(Fight(battle([FAR], [FAR], features=(piece,), fires=(Blaze("p", 0),)), 1))
        assert [one.kind for one in fight.now.features] == [left]
        assert fight.now.fires == ()


@pytest.mark.rule("AE-FIRES-02")
def test_on_a_six_a_fire_spreads_to_the_nearest_flammable_piece_within_twelve_centimetres() -> None:
    near, beyond = block("near", "woods", 95, 40, 99, 44), block("beyond", "woods", 40, 40, 67.99, 50)
    broken = block("broken", "broken", 91, 40, 93, 44)
    state = battle([FAR], [FAR], features=(WOODS, near, beyond, broken), fires=(Blaze("woods", 0),))
    fight = later(Fight(state, 6))
    assert [one.fire.feature for one in fight.events(FireStarted)] == ["near"]
    assert fires.nearest(battle([FAR], [FAR], features=(WOODS, beyond), fires=(Blaze("woods", 0),)), "woods") == []
    twins = (WOODS, block("a", "woods", 95, 40, 99, 44), block("b", "woods", 71, 40, 75, 44))
    fight = later(Fight(battle([FAR], [FAR], features=twins, fires=(Blaze("woods", 0),)), 6, 2))
    assert [one.fire.feature for one in fight.events(FireStarted)] == ["b"]


@pytest.mark.rule("AE-FIRES-02")
def test_a_long_piece_burns_as_sections_of_twelve_centimetres() -> None:
    for piece in (block("w", "woods", 80, 20, 90, 50), line("w", "hedge", (82, 20), (82, 50))):
        fight = burn(battle([FLAMER], [FAR], features=(piece,)))
        assert [one.id for one in fight.now.features] == ["w.1", "w.2", "w.3"]
        assert [one.feature for one in fight.now.fires] == ["w.2", "w.3"]
        if piece.kind == "woods":
            areas = [doubled_area(one.outline) for one in fight.now.features]
            assert areas == [2 * 1000 * 1200, 2 * 1000 * 1200, 2 * 1000 * 600]
    short = block("w", "woods", 80, 26, 90, 50)
    assert buildings.sections(battle([FAR], [FAR], features=(short,)), short) == (short,)


@pytest.mark.rule("AE-FIRES-03")
def test_nobody_enters_a_burning_area_or_crosses_a_burning_hedge() -> None:
    mover = squad((85, 60))
    for piece, end in ((WOODS, (85, 49)), (line("h", "hedge", (80, 55), (90, 55)), (85, 52))):
        state = battle([mover], [FAR], features=(piece,))
        Fight(state).do(0, Move(UNIT, cm(end)))
        with pytest.raises(IllegalIntent, match="move/impassable"):
            Fight(battle([mover], [FAR], features=(piece,), fires=(Blaze(piece.id, 1),))).do(0, Move(UNIT, cm(end)))


@pytest.mark.rule("AE-FIRES-03", "AE-FIRE-08")
def test_a_fire_blocks_sight() -> None:
    for piece in (block("g", "broken", 80, 40, 90, 50), line("g", "hedge", (85, 40), (85, 50))):
        for lit in (False, True):
            alight = (Blaze("g", 1),) if lit else ()
            state = battle([squad((70, 45))], [squad((100, 45))], features=(piece,), fires=alight)
            assert sighting.sees(state, state.units[UNIT], state.units[GroupId("1.1")]) is not lit


@pytest.mark.rule("AE-FIRES-03")
def test_survivors_get_out_by_the_shortest_way_before_anything_else() -> None:
    caught = squad((89, 45), (94, 45))
    state = battle([caught], [FAR], features=(WOODS,), fires=(Blaze("woods", 1),))
    with pytest.raises(IllegalIntent, match="act/burning"):
        Fight(state).do(0, Move(UNIT, cm((95, 45))))
    fight = Fight(state).do(0, Escape(UNIT))
    assert fight.place("0.1.1") == (91, 45)
    weary = squad((89, 45), suppressed=True)
    state = battle([weary], [FAR], features=(WOODS,), fires=(Blaze("woods", 1),))
    fight = Fight(state, 4).do(0, Escape(UNIT))
    assert not fight.unit("0.1").suppressed
    assert fight.unit("0.1").acted
    fight = Fight(state, 4).expire()
    assert not ground.in_fire(fight.now, fight.unit("0.1"))


@pytest.mark.rule("AE-FIRES-03")
def test_those_who_stay_in_a_fire_are_hit_again_in_each_check() -> None:
    caught = squad(*row(2, 84, 45), acted=True)
    state = battle([FAR], [caught], features=(WOODS,), fires=(Blaze("woods", 0),))
    fight = later(Fight(state, 3, 2, 1, 6, 6))
    assert fight.events(FiguresFell)[0].by == -1
    assert len(fight.unit("1.1").figures) == 1


@pytest.mark.rule("AE-FIRES-03")
def test_a_vehicle_caught_in_a_fire_is_hit_where_its_armour_is_weakest() -> None:
    truck = vehicle((85, 45), armour=(9, 9, 9, 5), acted=True)
    state = battle([FAR], [truck], features=(WOODS,), fires=(Blaze("woods", 0),))
    fight = later(Fight(state, 3, 1, 4, 4, 6))  # 4 + 1 against the top
    assert fight.events(VehiclePenetrated)[0].part == "top"


@pytest.mark.rule("AE-FIRES-03")
def test_a_vehicle_drives_out_of_the_fire_that_has_caught_it_and_into_none() -> None:
    tank = vehicle((85, 45), kind="tracked")
    other = block("other", "woods", 96, 40, 104, 50)
    state = battle([tank], [FAR], features=(WOODS, other), fires=(Blaze("woods", 1), Blaze("other", 1)))

    def refusal(*legs: tuple[int, int]) -> str:
        return Fight(state).why_not(0, Drive(UNIT, tuple([(heading, far * 100) for heading, far in legs])))

    assert refusal((0, 7)) == refusal((45, 0)) == refusal((0, -10)) == ""
    assert refusal((0, 12)) == "drive/ground"  # through it into the next one
    assert refusal((0, 7), (0, -7)) == "drive/ground"  # out, and back
    stuck = battle([vehicle((85, 45))], [FAR], features=(WOODS, other), fires=(Blaze("other", 1),))
    assert Fight(stuck).why_not(0, Drive(UNIT, ((0, 700),))) == "drive/ground"  # woods that do not burn


@pytest.mark.rule("AE-FIRES-01")
def test_what_burns_does_not_catch_fire_again_and_a_molotov_sets_a_building_alight() -> None:
    fight = burn(battle([FLAMER], [FAR], features=(WOODS,), fires=(Blaze("woods", 1),)))
    assert not fight.events(FireStarted)
    house = block("house", "house", 84, 40, 96, 50)
    state = battle([squad((90, 39), arms=(("mo",),))], [squad((90, 45))], features=(house,))
    fight = Fight(state, 1, 1).do(0, TakeAim(UNIT, Shot(FigureId("0.1.1"), "mo", house="house"))).do(0, Fire(UNIT))
    assert [one.feature for one in fight.now.fires] == ["house"]


@pytest.mark.rule("AE-FIRES-02")
def test_a_fire_that_finds_nothing_stays_and_a_long_building_burns_whole() -> None:
    exact = block("exact", "woods", 102, 40, 106, 44)
    fight = later(Fight(battle([FAR], [FAR], features=(WOODS, exact), fires=(Blaze("woods", 0),)), 6))
    assert [one.feature for one in fight.now.fires] == ["woods", "exact"]
    fight = later(Fight(battle([FAR], [FAR], features=(WOODS,), fires=(Blaze("woods", 0),)), 6))
    assert [one.feature for one in fight.now.fires] == ["woods"]
    state = battle([FAR], [FAR])
    for piece in (block("h", "house", 10, 10, 60, 20), Feature("c", "woods", cm((0, 0), (30, 0), (15, 5), (0, 30)))):
        assert buildings.sections(state, piece) == (piece,)


@pytest.mark.rule("AE-FIRES-03")
def test_who_has_to_leave_a_fire() -> None:
    """Infantry on the table that stands in one, unless it is engaged; not vehicles."""
    alight, combat = (Blaze("woods", 1),), (Combat(1, (UNIT,), (GroupId("1.1"),)),)
    riding = squad((85, 45), where="aboard", vessel=GroupId("0.2"))
    cases: tuple[tuple[Squad, dict[str, Any], bool], ...] = (
        (squad((85, 45)), {"fires": alight}, True),
        (squad((85, 45)), {}, False),
        (squad((85, 55)), {"fires": alight}, False),
        (squad((85, 45)), {"fires": alight, "combats": combat}, False),
        (vehicle((85, 45)), {"fires": alight}, False),
        (riding, {"fires": alight}, False),
        (squad((75, 45)), {"fires": alight}, False),  # in woods that do not burn
    )
    for own, table, leaves in cases:
        pieces = (WOODS, block("other", "woods", 70, 40, 78, 50))
        state = battle([own, vehicle((120, 45))], [FAR], features=pieces, **table)
        assert coherency.must_leave(state, state.units[UNIT]) is leaves
        escape = refused(lambda: fires.check_escape(state, 0, UNIT))  # noqa: B023 - called at once
        assert escape == ("" if leaves else "escape/no-fire")


@pytest.mark.rule("AE-FIRES-03", "AE-MOR-04")
def test_getting_out_of_a_fire_is_a_move() -> None:
    caught = squad((89, 45), (85, 55))
    state = battle([caught], [FAR], features=(WOODS,), fires=(Blaze("woods", 1),))
    fight = Fight(state).wait(0).do(0, Escape(UNIT))
    assert fight.now.active is not None
    assert fight.now.active.spent == {FigureId("0.1.1"): 200, FigureId("0.1.2"): 0}
    assert fight.unit("0.1").moved
    # who comes out beside an enemy may have to surrender
    weary = squad((89, 45), suppressed=True, tried=True)
    state = battle([weary, FAR], [squad((97, 45)), FAR], features=(WOODS,), fires=(Blaze("woods", 1),))
    assert [one.captor for one in Fight(state).do(0, Escape(UNIT)).events(Surrendered)] == ["1.1"]
    # in the middle of a great fire there is no place to go to
    forest = block("woods", "woods", 50, 10, 130, 90)
    state = battle([squad((90, 50))], [FAR], features=(forest,), fires=(Blaze("woods", 1),))
    assert Fight(state).do(0, Escape(UNIT)).place("0.1.1") == (90, 50)


@pytest.mark.rule("AE-FIRES-03")
def test_a_fire_harms_a_vehicle_by_the_flamethrowers_penetration() -> None:
    """4 + D6 against its weakest armour."""
    for die, armour, at, parts in (
        (1, (9, 9, 9, 5), (85, 45), ["top"]),
        (1, (9, 9, 5, 9), (85, 45), ["rear"]),
        (1, (9, 9, 9, 6), (85, 45), []),
        (6, (11, 11, 11, 11), (85, 45), []),
        (0, (9, 9, 9, 5), (95, 45), []),
    ):
        state = battle([FAR], [vehicle(at, armour=armour, acted=True)], features=(WOODS,), fires=(Blaze("woods", 0),))
        dice = (3, *((die,) if die else ()), *((4, 4, 6) if parts else ()))
        assert [one.part for one in later(Fight(state, *dice)).events(VehiclePenetrated)] == parts
    line_alight = (Blaze("h", 0),)
    state = battle(
        [FAR], [squad((85, 45), acted=True)], features=(line("h", "hedge", (80, 45), (90, 45)),), fires=line_alight
    )
    assert not later(Fight(state, 3)).events(FiguresFell)  # along a hedge nobody is inside
