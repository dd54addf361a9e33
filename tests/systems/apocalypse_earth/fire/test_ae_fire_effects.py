"""Fire and what it meets: casualties, cover and sight at their bounds, forecasts (AE-FIRE-06 to -10)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent
from engine.core.rules.events import ActionResolved
from engine.rulesets.apocalypse_earth.rules.fire.firing import Fire
from engine.rulesets.apocalypse_earth.rules.flow import VERBS
from engine.rulesets.apocalypse_earth.rules.table import aims, sighting
from engine.rulesets.apocalypse_earth.rules.turns import rallying
from engine.rulesets.apocalypse_earth.state.fire_events import BlastLanded, FiguresFell, MoraleChecked, VolleyFired
from engine.rulesets.apocalypse_earth.state.lasting import Blaze, Cloud, Shot
from engine.rulesets.apocalypse_earth.state.model import Feature, Options
from engine.rulesets.apocalypse_earth.state.setup_events import UnitRevealed
from engine.rulesets.apocalypse_earth.state.state import Battle
from engine.space.terrain.contact import Base
from protocol.ids import NO_FIGURE, FigureId, GroupId
from tests.support.systems.ae_battle import Fight, battle, block, cm, line, row, squad, vehicle
from tests.support.systems.ae_shipped import content

UNIT, ENEMY = GroupId("0.1"), GroupId("1.1")
FAR = squad((150, 110))


def shot(number: int, weapon: str, **where: Any) -> Shot:
    """A shot of a figure of the first unit."""
    return Shot(FigureId(f"0.1.{number}"), weapon, **where)


def at(x: float, y: float) -> tuple[int, int]:
    """A place in centimetres."""
    return cm((x, y))[0]


def sees(state: Battle, unit: str = "0.1", target: str = "1.1") -> bool:
    """Tell if a unit sees another."""
    return sighting.sees(state, state.units[GroupId(unit)], state.units[GroupId(target)])


@pytest.mark.rule("AE-FIRE-07", "AE-OPEN-02")
def test_hits_strike_the_picked_figure_and_others_at_random() -> None:
    own = squad((50, 60), weapons=("ar",), abilities=("assassin",))
    state = battle([own], [squad(*row(3, 48, 80)), FAR])
    picked = shot(1, "ar", target=ENEMY, victim=FigureId("1.1.1"))
    # of the two who are left the first falls
    fight = Fight(state, 6, 6, 1, 1, 3, 3).do(0, Fire(UNIT, shots=(picked,)))
    assert fight.unit("1.1").figures == ("1.1.3",)
    # nobody behind them is rolled for: the shot goes no further
    deep = battle([squad((50, 60))], [squad((50, 80)), squad((50, 83)), FAR])
    assert [one.killed for one in Fight(deep, 6, 1, 1).do(0, Fire(UNIT, ENEMY)).events(VolleyFired)] == [1]


@pytest.mark.rule("AE-FIRE-07", "AE-OPEN-02", "AE-FIRE-09")
def test_a_circle_lies_on_the_figure_that_is_hit() -> None:
    state = battle([squad((50, 60), weapons=("rpg",))], [squad((50, 80), (52.5, 80), (57, 80)), FAR])
    fight = Fight(state, 5, 3, 6, 4).do(0, Fire(UNIT, ENEMY))
    assert [(one.at, one.killed) for one in fight.events(BlastLanded)] == [(at(57, 80), 1)]
    assert fight.unit("1.1").figures == ("1.1.1", "1.1.2")


@pytest.mark.rule("AE-FIRE-07")
@pytest.mark.parametrize(("weapon", "tended"), [("ar", True), ("ft", False)])
def test_a_medic_helps_those_who_are_shot_not_those_who_burn(weapon: str, tended: bool) -> None:
    state = battle([squad((50, 60), weapons=(weapon,))], [squad((50, 70)), squad((54, 72), roles={0: ("medic",)})])
    shots = (shot(1, "ft", facing=90),) if weapon == "ft" else (shot(1, "ar", target=ENEMY),)
    fight = Fight(state, *((2,) if weapon == "ft" else (6, 1, 1, 6))).do(0, Fire(UNIT, shots=shots))
    assert len(fight.unit("1.1").figures) == tended
    # where casualties are not all dead, their condition is rolled for instead
    kept = replace(state, resolved=replace(state.resolved, options=Options(casualties=True)))
    fight = Fight(kept, *((2,) if weapon == "ft" else (6, 1, 1, 4))).do(0, Fire(UNIT, shots=shots))
    assert [(one.how, len(one.down)) for one in fight.events(FiguresFell)] == [
        ("burnt", 0) if weapon == "ft" else ("shot", 1)
    ]


@pytest.mark.rule("AE-FIRE-07", "AE-SETUP-04")
def test_casualties_reveal_a_hidden_unit() -> None:
    state = battle([squad((50, 60), weapons=("fr",))], [squad((50, 68), (70, 68), hidden=True), FAR])
    fight = Fight(state, 4, 2, 3, 3).do(0, Fire(UNIT, shots=(shot(1, "fr", at=at(50, 68)),)))
    assert [one.why for one in fight.events(UnitRevealed)] == ["hurt"]
    assert not fight.unit("1.1").hidden


@pytest.mark.rule("AE-FIRE-01", "AE-FIRE-07", "AE-QA-02", "AE-SCEN-02")
def test_fire_is_noted_whether_it_hits_or_not() -> None:
    for gap, noted in ((12, False), (12.01, True)):
        state = battle([squad((50, 60))], [squad((50, 62 + gap), suppressed=True), FAR], table={"alarm": 1})
        fight = Fight(state, 1, 1, 1).do(0, Fire(UNIT, ENEMY))
        assert fight.now.alarmed
        assert fight.unit("1.1").shot is noted
        assert rallying.checks(fight.now, fight.unit("1.1")) == 1 + noted


@pytest.mark.rule("AE-FIRE-09", "AE-FIRE-07")
def test_fire_ends_with_the_losses_of_its_target_and_those_of_all() -> None:
    """A grenade at a place has no target."""
    own, foe = squad((50, 60), weapons=("ar", "fr")), squad((50, 70), (56, 70))
    lobbed, aimed = Fire(UNIT, shots=(shot(1, "fr", at=at(50, 68)),)), Fire(UNIT, ENEMY)
    for fire, dice, losses in ((lobbed, (4, 2, 6, 6), 0), (aimed, (6, 1, 1, 1, 6, 6), 1)):
        [ended] = Fight(battle([own], [foe, FAR]), *dice).do(0, fire).events(ActionResolved)
        assert (ended.how, ended.losses, ended.counts) == ("done", losses, {"killed": 1})


@pytest.mark.rule("AE-FIRE-09", "AE-MOR-06", "AE-MOR-02")
def test_who_checks_for_casualties() -> None:
    """Not the suppressed; veterans for half of their strength; a lost leader asks for two dice, if that is played."""

    def checks(*dice: int, sarge: bool = True, **target: Any) -> list[int]:
        other = squad(*row(4, 45, 70), **target)
        state = battle([squad((50, 60), weapons=("pi",))], [other, FAR], options=Options(sarge=sarge))
        fight = Fight(state, 6, *dice).do(0, Fire(UNIT, ENEMY))
        return [count for _, purpose, count in fight.rolls if purpose == "ae.dice.morale"]

    assert checks(2, 3) == [1]
    assert checks(1, 3, 3) == [2]
    assert checks(1, 3, sarge=False) == [1]
    assert checks(2, suppressed=True) == []
    assert checks(1, experience="veteran") == []
    assert checks(2, 3, experience="veteran", lost=1) == [1]


@pytest.mark.rule("AE-FIRE-09", "AE-OPEN-16")
def test_a_crew_checks_for_a_penetration_on_the_table_once() -> None:
    for suppressed, whys in ((False, ["crew"]), (True, [])):
        car = vehicle((50, 80), 90, suppressed=suppressed)
        state = battle([squad((50, 60), weapons=("rg",))], [car, FAR])
        dice = (5, 6, 3, 4, *([4] if whys else []))  # a hit, 12 + 6, a stunned crew
        fight = Fight(state, *dice).do(0, Fire(UNIT, ENEMY))
        assert [one.why for one in fight.events(MoraleChecked)] == whys


@pytest.mark.rule("AE-FIRE-06", "AE-BLD-02")
def test_cover_by_place() -> None:
    def cover(*features: Feature, at: tuple[float, float] = (50, 90), car: bool = False) -> str:
        state = battle([squad((50, 60)), vehicle((50, 80)) if car else FAR], [squad(at)], features=features)
        figure = state.figures[FigureId("1.1.1")]
        return aims.cover_of(state, Base(NO_FIGURE, (5000, 6000), 100), figure)

    assert cover() == "open"
    assert cover(block("h", "house", 45, 88, 55, 98)) == "hard"  # inside
    assert cover(block("t", "trench", 45, 88, 55, 98)) == "hard"
    assert cover(block("b", "broken", 45, 88, 55, 98)) == "soft"
    assert cover(line("h", "hedge", (45, 88), (55, 88))) == "hard"
    assert cover(car=True) == "hard"  # some way behind a vehicle


@pytest.mark.rule("AE-FIRE-06")
def test_a_hill_shelters_those_near_its_edge_from_fire_from_off_it() -> None:
    hill = block("h", "hill", 30, 80, 70, 110)
    for eye, place, cover in (
        ((50, 60), (50, 82), "hard"),
        ((50, 60), (50, 83), "hard"),
        ((50, 60), (50, 83.02), "open"),
        ((50, 90), (50, 82), "open"),
    ):
        state = battle([squad(eye)], [squad(place)], features=[hill])
        base = Base(NO_FIGURE, at(*eye), 100)
        assert aims.cover_of(state, base, state.figures[FigureId("1.1.1")]) == cover


@pytest.mark.rule("AE-OPEN-28", "AE-FIRE-06")
@pytest.mark.parametrize("kind", ["hill", "steep_hill"])
def test_the_hills_that_are_shipped_shelter_so(kind: str) -> None:
    state = battle([squad((50, 60))], [squad((50, 82), (50, 84))], features=[block("h", kind, 30, 80, 70, 110)])
    state = replace(state, resolved=replace(state.resolved, terrain=content().terrain))
    base = Base(NO_FIGURE, at(50, 60), 100)
    assert [aims.cover_of(state, base, one) for one in state.members(state.units[ENEMY])] == ["hard", "open"]


@pytest.mark.rule("AE-FIRE-06")
def test_the_cover_that_a_place_would_give() -> None:
    pieces = (block("b", "broken", 45, 88, 55, 92), line("h", "hedge", (60, 80), (70, 80)))
    state = battle([squad((50, 60))], [FAR], features=pieces)
    eye = Base(NO_FIGURE, (5000, 6000), 100)
    assert [aims.at_place(state, eye, at(*place)) for place in ((50, 90), (62, 82), (20, 90))] == [
        "soft",
        "hard",
        "open",
    ]


@pytest.mark.rule("AE-FIRE-08", "AE-GEN-01")
def test_sight_of_and_to_a_place() -> None:
    wall = block("b", "house", 45, 70, 55, 76)
    state = battle([squad((50, 60))], [FAR], features=[wall])
    own = state.figures[FigureId("0.1.1")]
    assert [sighting.sees_point(state, own, at(*place)) for place in ((50, 80), (70, 80), (50, 69))] == [
        False,
        True,
        True,
    ]
    assert sighting.gap_to_point(state, own, at(50, 80)) == 1900
    inside = battle([squad((50, 73))], [FAR], features=[wall])
    assert sighting.gap_to_point(inside, inside.figures[FigureId("0.1.1")], at(50, 80)) == 400


@pytest.mark.rule("AE-FIRE-08", "AE-FIRES-03")
def test_only_from_a_hill_one_sees_over_a_fire() -> None:
    grass = block("g", "broken", 40, 80, 60, 84)
    for kind, over in (("hill", True), ("broken", False)):
        ground = block("h", kind, 40, 55, 60, 65)
        state = battle([squad((50, 60))], [squad((50, 95))], features=(grass, ground), fires=(Blaze("g", 1),))
        assert sees(state) is over
    house = block("g", "house", 40, 80, 60, 84)
    hill = block("h", "hill", 40, 55, 60, 65)
    assert not sees(battle([squad((50, 60))], [squad((50, 95))], features=(house, hill), fires=(Blaze("g", 1),)))


@pytest.mark.rule("AE-FIRE-08")
def test_a_vehicle_looks_out_of_its_middle_where_it_can_and_of_its_corners() -> None:
    state = battle([vehicle((50, 60), 90)], [squad((50, 90))])
    [(_, _, eye)] = sighting.view(state, state.units[UNIT], state.units[ENEMY])
    assert eye.at == at(50, 60)
    wall = block("b", "house", 46, 70, 50.5, 76)
    state = battle([vehicle((50, 60), 90)], [squad((50, 90))], features=[wall])
    [(_, _, eye)] = sighting.view(state, state.units[UNIT], state.units[ENEMY])
    assert eye.at in (at(51.5, 57), at(51.5, 63))


@pytest.mark.rule("AE-FIRE-08", "AE-GEN-01")
def test_sight_and_distance_follow_what_they_depend_on_and_are_kept_while_that_stays() -> None:
    def look(state: Battle) -> Any:
        return sighting.view(state, state.units[UNIT], state.units[ENEMY])

    def moved(figure: str, x: float, y: float) -> Battle:
        id = FigureId(figure)
        return replace(state, figures={**state.figures, id: replace(state.figures[id], at=at(x, y))})

    state = battle([squad((50, 60)), squad((100, 60)), vehicle((90, 80))], [squad((50, 90))])
    before = look(state)
    assert before
    assert look(moved("0.2.1", 104, 60)) is before
    assert not look(moved("0.3.1", 50, 86.5))  # the vehicle, directly before the target
    assert not look(replace(state, clouds=(Cloud("c", at(50, 75), 300, 1),)))
    nearer = moved("1.1.1", 50, 80)
    assert look(nearer)
    assert [sighting.distance(one, one.units[UNIT], one.units[ENEMY]) for one in (state, nearer)] == [2800, 1800]


@pytest.mark.rule("AE-FIRE-05", "AE-FIRE-07")
def test_a_forecast_of_fire() -> None:
    """The figures that fall: the hits of each volley, at most its class. None of what lays circles."""

    def forecast(own: Any, other: Any, *features: Feature) -> Any:
        state = battle([own], [other, FAR], features=features)
        fields = {"unit": ["group/0.1"], "target": ["group/1.1"]}
        fight: Any = Fight(state)
        choice = next(one for one in VERBS.choices(state, Seat(0)) if one.id == "fire")
        return VERBS.forecast(fight.match.probe(Seat(0)), Seat(0), choice, fields)

    scrub = block("s", "broken", 45, 68, 55, 75)
    pistol = squad((50, 60), weapons=("pi",))
    for pieces, need, mean in (((), 6, 17), ((scrub,), 6, 8)):
        found = forecast(pistol, squad((50, 70)), *pieces)
        assert [(one.count, one.needs) for one in found.pools] == [(1, need)]
        assert found.mean == mean
    # ten shots at a single figure
    assert forecast(squad((50, 60), weapons=("mg",)), squad((50, 70))).mean == 84
    sniper = forecast(squad((50, 60), weapons=("sr",)), squad((50, 70)))
    assert [(one.count, one.needs) for one in sniper.pools] == [(1, 4)]
    with pytest.raises(IllegalIntent, match="fire/no-shot"):
        forecast(pistol, vehicle((50, 70)))
    assert forecast(squad((50, 60), weapons=("rpg",)), squad((50, 70))) is None
    mortar = squad((50, 60), (52.5, 60), arms=(("mo60",), ("sv",)))
    assert forecast(mortar, squad((50, 90))) is None
