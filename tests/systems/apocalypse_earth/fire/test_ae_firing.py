"""Fire: cover, sight, numbers to hit, casualties, their checks (AE-FIRE, AE-EXP, AE-MOR-06)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.rules.errors import IllegalIntent
from engine.rulesets.apocalypse_earth.rules.fire import arming
from engine.rulesets.apocalypse_earth.rules.fire.firing import Fire
from engine.rulesets.apocalypse_earth.rules.harm import hits
from engine.rulesets.apocalypse_earth.rules.moves.moving import Move
from engine.rulesets.apocalypse_earth.rules.table import aims, sighting
from engine.rulesets.apocalypse_earth.state.fire_events import MoraleChecked, VolleyFired
from engine.rulesets.apocalypse_earth.state.lasting import Blaze, Cloud, Shot
from engine.rulesets.apocalypse_earth.state.model import Feature, Options
from engine.rulesets.apocalypse_earth.state.state import Battle
from engine.space.terrain.contact import Base
from protocol.ids import NO_FIGURE, FigureId, GroupId
from tests.support.systems.ae_battle import WEAPONS, Fight, battle, block, cm, line, row, squad, vehicle

UNIT, ENEMY = GroupId("0.1"), GroupId("1.1")
NEAR = squad((50, 60))


def facing(*features: Feature, at: tuple[float, float] = (50, 90), **changes: Any) -> Battle:
    """A figure that looks north at another 30 cm off, past some terrain."""
    return battle([NEAR], [squad(at)], features=features, **changes)


def sees(state: Battle) -> bool:
    """Tell if the first unit sees the enemy."""
    return sighting.sees(state, state.units[UNIT], state.units[ENEMY])


def covered(state: Battle) -> str:
    """The cover of the enemy's first figure from the first unit's."""
    [aim] = aims.aims(state, state.units[UNIT], state.units[ENEMY])
    return aim.cover


def at(x: float, y: float) -> tuple[int, int]:
    """A place in centimetres."""
    return cm((x, y))[0]


@pytest.mark.rule("AE-FIRE-02", "AE-FIRE-03")
def test_each_shot_hits_on_a_six() -> None:
    fight = Fight(battle([squad(*row(2, 50, 60))], [squad(*row(9, 40, 90))]), 6, 5, 4, 6, 1, 2, 3, 5, 4)
    fight.do(0, Fire(UNIT, ENEMY))
    [volley] = fight.events(VolleyFired)
    assert (volley.shots, volley.need, volley.hits, volley.killed) == (6, 6, 2, 2)
    assert len(fight.unit("1.1").figures) == 7


@pytest.mark.rule("AE-FIRE-05", "AE-FIRE-04")
def test_seven_is_a_six_and_a_four_eight_a_six_and_a_five() -> None:
    soft = battle(
        [squad((50, 60), weapons=("pi",))], [squad((50, 70))], features=[block("b", "broken", 45, 68, 55, 75)]
    )
    fight = Fight(soft, 6, 4).do(0, Fire(UNIT, ENEMY))
    assert fight.unit("1.1").where == "gone"
    hard = battle(
        [squad((50, 60), weapons=("pi",))], [squad((50, 70))], features=[block("r", "rubble", 45, 68, 55, 75)]
    )
    fight = Fight(hard, 6, 4).do(0, Fire(UNIT, ENEMY))
    assert [(one.need, one.hits) for one in fight.events(VolleyFired)] == [(8, 0)]
    chances = [hits.chance(number) for number in (6, 7, 8, 9, 10)]
    assert [chance and 1 / chance for chance in chances] == [6, 12, 18, 36, 0]


@pytest.mark.rule("AE-FIRE-06")
def test_cover_is_given_by_what_a_figure_stands_in_or_close_behind() -> None:
    assert covered(facing()) == "open"
    assert covered(facing(block("w", "broken", 40, 85, 60, 95))) == "soft"
    assert covered(facing(line("h", "hedge", (40, 87), (60, 87)))) == "hard"
    assert covered(facing(line("h", "hedge", (40, 86.9), (60, 86.9)))) == "open"
    assert covered(facing(line("f", "fence", (40, 88), (60, 88)), line("h", "hedge", (40, 87.5), (60, 87.5)))) == "hard"
    # within 2 cm of the firer a feature gives no cover against that firer
    assert covered(facing(line("h", "hedge", (40, 63), (60, 63)), at=(50, 65.5))) == "open"


@pytest.mark.rule("AE-FIRE-06")
def test_the_same_figure_is_covered_from_one_and_open_to_another() -> None:
    hedge = line("h", "hedge", (40, 88), (60, 88))
    state = battle([squad((50, 60)), squad((80, 92))], [squad((50, 90))], features=[hedge])
    target = state.figures[FigureId("1.1.1")]
    eyes = [
        Base(NO_FIGURE, figure.at, 100)
        for figure in (state.figures[FigureId("0.1.1")], state.figures[FigureId("0.2.1")])
    ]
    assert [aims.cover_of(state, eye, target) for eye in eyes] == ["hard", "open"]


@pytest.mark.rule("AE-FIRE-06")
def test_a_hill_covers_those_near_its_edge_from_fire_from_below() -> None:
    hill = block("h", "hill", 30, 80, 70, 110)
    assert covered(facing(hill, at=(50, 82.5))) == "hard"
    assert covered(facing(hill, at=(50, 84))) == "open"


@pytest.mark.rule("AE-FIRE-08")
def test_buildings_hills_deep_foliage_fire_and_smoke_block_sight() -> None:
    assert sees(facing())
    assert not sees(facing(block("b", "house", 45, 70, 55, 80)))
    assert not sees(facing(block("h", "hill", 45, 70, 55, 80)))
    assert sees(facing(block("h", "hill", 45, 58, 55, 80)))
    assert sees(facing(block("w", "woods", 45, 70, 55, 76)))
    assert not sees(facing(block("w", "woods", 45, 70, 55, 76.1)))
    assert not sees(facing(block("v", "woods", 45, 57, 55, 64.1), block("w", "woods", 45, 88, 55, 95)))
    grass = block("g", "broken", 45, 70, 55, 75)
    assert sees(facing(grass))
    assert not sees(facing(grass, fires=(Blaze("g", 1),)))
    assert not sees(facing(clouds=(Cloud("s", at(50, 75), 400, 2),)))
    # running along an edge blocks nothing
    assert sees(facing(block("b", "house", 50, 70, 60, 80)))


@pytest.mark.rule("AE-FIRE-08")
def test_a_vehicle_hides_those_directly_behind_it_and_covers_others() -> None:
    car = vehicle((50, 80))
    behind = battle([NEAR, car], [squad((50, 84.5))])
    assert not sees(behind)
    further = battle([NEAR, car], [squad((50, 86))])
    assert sees(further)
    assert covered(further) == "hard"


@pytest.mark.rule("AE-FIRE-01", "AE-FIRE-08")
def test_fire_is_refused_at_what_is_not_seen_out_of_range_hidden_or_a_friend() -> None:
    wall = block("b", "house", 45, 70, 55, 80)
    for state, target, code in (
        (facing(wall), ENEMY, "fire/no-sight"),
        (facing(at=(50, 110.1)), ENEMY, "fire/no-shot"),
        (battle([NEAR], [squad((50, 90), hidden=True)]), ENEMY, "fire/no-target"),
        (battle([NEAR, squad((50, 90))], [squad((150, 100))]), GroupId("0.2"), "fire/no-target"),
    ):
        with pytest.raises(IllegalIntent, match=code):
            Fight(state).do(0, Fire(UNIT, target))
    assert Fight(facing(at=(50, 110)), 1, 1, 1).do(0, Fire(UNIT, ENEMY)).unit("0.1").fired  # 48 cm, edge to edge


@pytest.mark.rule("AE-FIRE-01", "AE-TURN-02")
def test_a_unit_may_move_its_full_distance_and_fire_but_not_the_other_way_round() -> None:
    fight = Fight(facing(), 1, 1, 1).do(0, Move(UNIT, (at(50, 72),))).do(0, Fire(UNIT, ENEMY))
    assert fight.unit("0.1").acted
    with pytest.raises(IllegalIntent, match="turn/not-yours"):
        Fight(battle([NEAR, NEAR], [squad((50, 90))]), 1, 1, 1).do(0, Fire(UNIT, ENEMY)).do(
            0, Move(UNIT, (at(50, 72),))
        )


@pytest.mark.rule("AE-OPEN-02", "AE-FIRE-01")
def test_a_support_weapon_fires_after_half_a_move_at_most() -> None:
    gunner = battle([squad((50, 60), weapons=("mg",))], [squad((50, 90))])
    dice = [1] * 10
    Fight(gunner, *dice).do(0, Move(UNIT, (at(50, 66),))).do(0, Fire(UNIT, ENEMY))
    moved = Fight(gunner).do(0, Move(UNIT, (at(50, 66.1),)))
    assert moved.unit("0.1").acted  # it has nothing left to do


@pytest.mark.rule("AE-OPEN-02", "AE-FIRE-03", "AE-FIRE-01")
def test_a_crew_serves_its_weapon_and_too_small_a_one_halves_its_fire() -> None:
    state = battle([squad((50, 60), (52.5, 60), arms=(("hmg127",), ("ar",)))], [squad((50, 90))])
    fight = Fight(state, *([1] * 10)).do(0, Fire(UNIT, ENEMY))
    assert [(one.weapon, one.shots) for one in fight.events(VolleyFired)] == [("hmg127", 10)]
    alone = battle([squad((50, 60), arms=(("hmg127",),))], [squad((50, 90))])
    fight = Fight(alone, *([1] * 5)).do(0, Fire(UNIT, ENEMY))
    assert [one.shots for one in fight.events(VolleyFired)] == [5]
    assert arming.rate(WEAPONS["hmg145"], 1) == 4


@pytest.mark.rule("AE-FIRE-01", "AE-FIRE-07")
def test_figures_may_fire_at_different_units_and_each_fires_one_weapon() -> None:
    state = battle([squad(*row(2, 50, 60))], [squad((50, 90)), squad((60, 90))])
    one, other = Shot(FigureId("0.1.1"), "ar", ENEMY), Shot(FigureId("0.1.2"), "ar", GroupId("1.2"))
    fight = Fight(state, 6, 1, 1, 1, 1, 6).do(0, Fire(UNIT, shots=(one, other)))
    assert [(volley.target, volley.killed) for volley in fight.events(VolleyFired)] == [("1.1", 1), ("1.2", 1)]
    with pytest.raises(IllegalIntent, match="fire/one-weapon"):
        Fight(state).do(0, Fire(UNIT, shots=(one, one)))


@pytest.mark.rule("AE-FIRE-07")
def test_hits_take_random_figures_of_the_class_and_surplus_is_lost() -> None:
    rubble = block("r", "rubble", 40, 85, 51, 95)
    state = battle([squad((50, 60), weapons=("mg",))], [squad((49, 90), (53, 90), (55.5, 90))], features=[rubble])
    fight = Fight(state, 6, 6, 6, 1, 1, 1, 1, 1, 1, 1, 2, 6).do(0, Fire(UNIT, ENEMY))
    # both open figures fall, the third hit is lost; the check for the losses passes
    assert fight.unit("1.1").figures == ("1.1.1",)


@pytest.mark.rule("AE-OPEN-02")
def test_armour_is_to_be_penetrated() -> None:
    state = battle([squad((50, 60), weapons=("ar",))], [squad((50, 90), armour=9)])
    assert len(Fight(state, 6, 1, 1, 5).do(0, Fire(UNIT, ENEMY)).unit("1.1").figures) == 1
    assert Fight(state, 6, 1, 1, 6).do(0, Fire(UNIT, ENEMY)).unit("1.1").where == "gone"


@pytest.mark.rule("AE-OPEN-02", "AE-FIRE-07")
def test_a_direct_hit_lays_a_circle_and_each_figure_that_it_touches_rolls() -> None:
    state = battle([squad((50, 60), weapons=("rpg",))], [squad((50, 90), (52.5, 90), (57, 90))])
    fight = Fight(state, 5, 1, 3, 2, 6, 6).do(0, Fire(UNIT, ENEMY))
    # hit on 5; the first of three figures is its middle; two rolls at 3 or more: one falls; the double check passes
    assert fight.unit("1.1").figures == ("1.1.2", "1.1.3")


@pytest.mark.rule("AE-OPEN-02")
def test_a_railgun_goes_on_along_its_line() -> None:
    state = battle([squad((50, 60), weapons=("rg",))], [squad((50, 90)), squad((50.5, 95)), squad((58, 95))])
    fight = Fight(state, 5, 4).do(0, Fire(UNIT, ENEMY))
    assert [fight.unit(id).where for id in ("1.1", "1.2", "1.3")] == ["gone", "gone", "table"]


@pytest.mark.rule("AE-FIRE-09", "AE-MOR-01", "AE-MOR-03")
def test_casualties_call_for_one_check_after_all_fire_of_the_action() -> None:
    state = battle([squad(*row(2, 50, 60))], [squad(*row(5, 45, 90))])
    fight = Fight(state, 6, 6, 1, 1, 1, 1, 2, 2, 1).do(0, Fire(UNIT, ENEMY))
    assert [one.why for one in fight.events(MoraleChecked)] == ["losses"]
    assert fight.unit("1.1").suppressed


@pytest.mark.rule("AE-MOR-06", "AE-FIRE-09")
def test_a_lost_leader_makes_it_a_double_check() -> None:
    state = battle([squad((50, 60), weapons=("pi",))], [squad((50, 70), (52.5, 70), (55, 70))])
    fight = Fight(state, 6, 1, 4, 1).do(0, Fire(UNIT, ENEMY))
    assert fight.unit("1.1").suppressed
    plain = battle(
        [squad((50, 60), weapons=("pi",))], [squad((50, 70), (52.5, 70), (55, 70))], options=Options(sarge=False)
    )
    assert not Fight(plain, 6, 1, 4).do(0, Fire(UNIT, ENEMY)).unit("1.1").suppressed


@pytest.mark.rule("AE-EXP-01", "AE-EXP-02", "AE-EXP-03", "AE-MOR-06", "AE-FIRE-09")
def test_experience_spares_checks() -> None:
    def checks(experience: str, lost: int, count: int = 5, leader: int = 0, fallen: int = 2) -> int:
        state = battle(
            [squad((50, 60), weapons=("pi",))],
            [squad(*row(count, 45, 70), experience=experience, lost=lost, strength=count + lost)],
        )
        fight = Fight(
            state, 6, fallen, *([6] * (2 if fallen == 1 else 1) if _due(experience, lost, count, fallen) else [])
        )
        fight.do(0, Fire(UNIT, ENEMY))
        return len(fight.events(MoraleChecked))

    def _due(experience: str, lost: int, count: int, fallen: int) -> bool:
        if experience == "green":
            return True
        if experience == "experienced":
            return lost > 0 or fallen == 1 or count + lost <= 2
        return 2 * (lost + 1) >= count + lost

    assert checks("green", 0) == 1
    assert checks("experienced", 0) == 0
    assert checks("experienced", 1) == 1
    assert checks("experienced", 0, fallen=1) == 1
    assert checks("experienced", 0, count=2, fallen=2) == 1
    assert checks("veteran", 0) == 0
    assert checks("veteran", 2, count=3) == 1
    assert checks("veteran", 1, count=4) == 0


@pytest.mark.rule("AE-SCEN-08", "AE-FIRE-01")
def test_in_the_dust_nobody_fires_at_who_has_not_acted() -> None:
    state = facing(table={"dust": True})
    with pytest.raises(IllegalIntent, match="fire/dust"):
        Fight(state).do(0, Fire(UNIT, ENEMY))


@pytest.mark.rule("AE-OPEN-07", "AE-FIRE-06")
def test_camouflage_is_soft_cover_from_afar_while_it_stays() -> None:
    still = battle([NEAR], [squad((50, 90), abilities=("camouflage",))])
    assert covered(still) == "soft"
    assert covered(battle([NEAR], [squad((50, 90), abilities=("camouflage",), moved=True)])) == "open"
    assert covered(battle([NEAR], [squad((50, 85), abilities=("camouflage",))])) == "open"
