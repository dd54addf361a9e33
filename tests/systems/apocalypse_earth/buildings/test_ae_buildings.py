"""Buildings: doors and room, fire at them and at those inside, grenades, collapse (AE-BLD, AE-OPEN-28)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent
from engine.rulesets.apocalypse_earth.rules.assault.charging import Charge
from engine.rulesets.apocalypse_earth.rules.assault.combats import FightOn
from engine.rulesets.apocalypse_earth.rules.fire import storming
from engine.rulesets.apocalypse_earth.rules.fire.aiming import TakeAim
from engine.rulesets.apocalypse_earth.rules.fire.firing import Fire
from engine.rulesets.apocalypse_earth.rules.flow import VERBS
from engine.rulesets.apocalypse_earth.rules.moves import moving
from engine.rulesets.apocalypse_earth.rules.moves.moving import Move
from engine.rulesets.apocalypse_earth.rules.scenario.deployment import Deploy
from engine.rulesets.apocalypse_earth.rules.table import ground, sighting, stands, ways
from engine.rulesets.apocalypse_earth.state.combat_events import BuildingHit, DuelFought
from engine.rulesets.apocalypse_earth.state.fire_events import Surrendered
from engine.rulesets.apocalypse_earth.state.lasting import Shot
from engine.rulesets.apocalypse_earth.state.model import Options
from engine.rulesets.apocalypse_earth.state.state import DEPLOY, Activation
from protocol.ids import FigureId, GroupId
from protocol.scene.nodes import Reply
from tests.support.systems.ae_battle import Fight, battle, block, cm, row, squad, vehicle

HOUSE = block("house", "house", 84, 40, 96, 50)
UNIT = GroupId("0.1")
FAR = squad((20, 110))


@pytest.mark.rule("AE-BLD-01")
def test_a_way_into_a_building_leads_through_a_door_for_two_centimetres() -> None:
    state = battle([squad((90, 34))], [FAR], features=(HOUSE,))
    fight = Fight(state).do(0, Move(UNIT, cm((86, 48))))
    assert fight.place("0.1.1") == (86, 48)
    way = ways.routed(state, cm((90, 34), (86, 48)))
    assert way == cm((90, 34), (90, 40), (86, 48))
    assert ways.cost(state, state.units[UNIT], way) == 800  # 6 cm to the door, 2 through it, nothing inside


@pytest.mark.rule("AE-BLD-01")
def test_a_way_out_leads_by_the_door_in_view_that_is_nearest() -> None:
    state = battle([squad((85, 41))], [FAR], features=(HOUSE,))
    with pytest.raises(IllegalIntent, match="move/too-far"):
        Fight(state).do(0, Move(UNIT, cm((90, 60.1))))
    assert Fight(state).do(0, Move(UNIT, cm((90, 60)))).place("0.1.1") == (90, 60)


@pytest.mark.rule("AE-BLD-01")
def test_a_building_holds_so_many_figures_of_one_side() -> None:
    inside = [(85 + 2.2 * (n % 5), 41 + 2.2 * (n // 5)) for n in range(14)]
    pair = squad((89, 34), (91, 34))
    places = dict(zip((FigureId("0.1.1"), FigureId("0.1.2")), cm((88, 48.5), (92, 48.5)), strict=True))
    fight = Fight(battle([pair, squad(*inside)], [FAR], features=(HOUSE,)))
    with pytest.raises(IllegalIntent, match="place/full"):
        fight.do(0, Move(UNIT, cm((88, 48.5)), places=places))
    places[FigureId("0.1.2")] = cm((91, 36))[0]
    fight.do(0, Move(UNIT, cm((88, 48.5)), places=places))
    with pytest.raises(IllegalIntent, match="move/impassable"):  # an enemy is inside
        Fight(battle([pair], [squad(*inside)], features=(HOUSE,))).do(0, Move(UNIT, cm((88, 48.5))))


@pytest.mark.rule("AE-BLD-01", "AE-MOVE-01")
def test_nobody_before_the_wall_is_in_the_way_of_a_move_within_a_building() -> None:
    foe = squad((90, 51.2))
    within = Fight(battle([squad((86, 49)), squad((20, 20))], [foe], features=(HOUSE,)))
    assert within.may(0, Move(UNIT, cm((94, 49))))
    outside = Fight(battle([squad((86, 49)), squad((20, 20))], [foe]))
    assert not outside.may(0, Move(UNIT, cm((94, 49))))


@pytest.mark.rule("AE-BLD-01", "AE-COH-02")
def test_figures_inside_are_in_coherency_with_each_other_and_measured_to_by_the_outline() -> None:
    state = battle([squad((85, 41), (95, 49), (90, 57), (90, 33))], [FAR], features=(HOUSE,))
    assert stands.loose(state, state.units[UNIT]) == ()
    bare = replace(state, features=())
    assert len(stands.loose(bare, state.units[UNIT])) == 3


@pytest.mark.rule("AE-BLD-01", "AE-GEN-01")
def test_figures_inside_see_out_of_every_side_and_are_measured_to_at_the_outline() -> None:
    state = battle([squad((90, 45))], [squad((90, 60)), squad((70, 45))], features=(HOUSE,))
    own = state.units[UNIT]
    for other, gap in (("1.1", 900), ("1.2", 1300)):
        enemy = state.units[GroupId(other)]
        assert sighting.sees(state, own, enemy)
        assert sighting.distance(state, own, enemy) == gap


@pytest.mark.rule("AE-BLD-01", "AE-MOVE-01")
def test_the_centimetre_from_enemies_is_not_measured_through_the_wall() -> None:
    state = battle([squad((90, 34))], [squad((90, 41))], features=(HOUSE,))
    assert Fight(state).do(0, Move(UNIT, cm((90, 39)))).place("0.1.1") == (90, 39)


@pytest.mark.rule("AE-BLD-01", "AE-SETUP-04")
def test_a_hidden_unit_inside_stops_a_mover_at_the_door() -> None:
    hidden = squad((85, 49), hidden=True)
    fight = Fight(battle([squad((90, 34))], [hidden], features=(HOUSE,))).do(0, Move(UNIT, cm((90, 43)))).expire()
    assert not fight.unit("1.1").hidden
    assert fight.place("0.1.1")[1] < 40


@pytest.mark.rule("AE-BLD-01")
def test_the_reach_of_a_lead_holds_buildings_that_it_can_enter_and_leave() -> None:
    state = battle([squad((90, 34))], [FAR], features=(HOUSE,))
    assert HOUSE.outline in moving.reach(state, state.units[UNIT], FigureId("0.1.1"), 1200)
    assert HOUSE.outline not in moving.reach(state, state.units[UNIT], FigureId("0.1.1"), 700)
    state = battle([squad((90, 45))], [FAR], features=(HOUSE,))
    assert len(moving.reach(state, state.units[UNIT], FigureId("0.1.1"), 1200)) == 5
    assert ways.cost(state, state.units[UNIT], cm((90, 45), (85, 41))) == 0


@pytest.mark.rule("AE-BLD-01", "AE-SETUP-03")
def test_a_unit_may_deploy_in_a_building_that_has_room() -> None:
    hall = block("house", "house", 84, 1, 96, 11)
    for count, fits in ((15, True), (16, False)):
        state = battle([squad(*row(count, 0, 0), where="away")], [FAR], features=(hall,), phase=DEPLOY, placing=(UNIT,))
        places = [(85 + 2.2 * (n % 5), 1.2 + 2.2 * (n // 5)) for n in range(count)]
        found = dict(zip(state.units[UNIT].figures, cm(*places), strict=True))
        assert Fight(state).may(0, Deploy(UNIT, found[FigureId("0.1.1")], places=found)) is fits


NINE = tuple((85 + 2.2 * (n % 5), 41 + 2.2 * (n // 5)) for n in range(9))
GUN = squad((70, 45), (70, 47.5), arms=(("hmg145",), ("pi",)))


def raze(fight: Fight, weapon: str, *figures: str, unit: str = "0.1") -> Fight:
    """Fire at the building with these figures."""
    shots = tuple(Shot(FigureId(figure), weapon, house="house") for figure in figures)
    return fight.do(int(unit[0]), Fire(GroupId(unit), shots=shots))


@pytest.mark.rule("AE-BLD-02", "AE-GEN-05")
def test_the_worked_example_of_a_machine_gun_at_a_building() -> None:
    to_hit, penetration = (6, 6, 6, 1, 2, 3, 4, 5), (3, 4, 2, 3, 4, 6)  # 13, 11 and 16 against 15
    state = battle([GUN], [squad(*NINE)], features=(HOUSE,))
    fight = raze(Fight(state, *to_hit, *penetration, 3, 4), "hmg145", "0.1.1")
    assert [(hit.hits, hit.through) for hit in fight.events(BuildingHit)] == [(3, 1)]
    assert "1.1.3" not in fight.unit("1.1").figures
    assert len(fight.unit("1.1").figures) == 8


@pytest.mark.rule("AE-BLD-03", "AE-OPEN-28", "AE-BLD-02")
def test_high_calibre_hits_all_inside_as_a_frag_grenade_and_brings_the_building_down() -> None:
    rocket = squad((70, 45), weapons=("rpg",))
    state = battle([rocket], [squad(*NINE)], features=(HOUSE,), breaches={"house": 2})
    frag = (4, 5, 6, 3, 3, 2, 1, 3, 3)
    fight = raze(Fight(state, 5, 2, 3, *frag, 6, 6), "rpg", "0.1.1")  # 10 + 5 against 15
    assert len(fight.unit("1.1").figures) == 6
    assert fight.now.breaches == {"house": 3}
    state = replace(state, breaches={"house": 3})
    fall = (5, 6, 1, 4, 5, 6)
    fight = raze(Fight(state, 5, 2, 3, *frag, *fall, 6, 6), "rpg", "0.1.1")
    assert len(fight.unit("1.1").figures) == 4
    assert [one.kind for one in fight.now.features] == ["rubble"]
    assert all(fight.now.figures[id].at in cm(*NINE) for id in fight.unit("1.1").figures)


@pytest.mark.rule("AE-BLD-02", "AE-FIRE-06")
def test_men_inside_are_fired_at_in_hard_cover_and_the_building_without_any() -> None:
    rifle = squad((70, 45))
    state = battle([rifle], [squad(*NINE)], features=(HOUSE,))
    fight = Fight(state, 6, 6, 1, 4, 4).do(0, Fire(GroupId("0.1"), GroupId("1.1")))
    assert len(fight.unit("1.1").figures) == 9  # two sixes, but hard cover needs a 5 after them
    fight = raze(Fight(state, 6, 6, 1, 6, 6), "ar", "0.1.1")
    assert [(one.hits, one.through) for one in fight.events(BuildingHit)] == [(2, 0)]


@pytest.mark.rule("AE-BLD-02", "AE-FIRE-08")
def test_fire_at_a_building_needs_sight_and_range() -> None:
    for other, at, code in (
        (block("b", "house", 74, 30, 80, 60), (70, 45), "fire/no-sight"),
        (block("b", "marsh", 1, 1, 2, 2), (30, 45), "fire/too-far"),
    ):
        state = battle([squad(at)], [squad(*NINE)], features=(HOUSE, other))
        with pytest.raises(IllegalIntent, match=code):
            raze(Fight(state), "ar", "0.1.1")


@pytest.mark.rule("AE-BLD-02", "AE-OPEN-02")
def test_a_circle_whose_centre_lies_in_a_building_is_one_hit_on_it() -> None:
    mortar = squad((30, 45), (32.5, 45), arms=(("mo60",), ("pi",)))
    other = squad((97.5, 45), (99.6, 45))
    state = battle([mortar, squad((70, 45), roles={0: ("radio",)})], [squad(*NINE), other], features=(HOUSE,))
    shot = Shot(FigureId("0.1.1"), "mo60", at=cm((95, 45))[0])
    # penetration 5 + 6 against 15; those outside are hidden from the centre by the wall
    fight = Fight(state, 4, 6).do(0, Fire(GroupId("0.1"), shots=(shot,)))
    assert [(one.hits, one.through) for one in fight.events(BuildingHit)] == [(1, 0)]
    assert len(fight.unit("1.2").figures) == 2


@pytest.mark.rule("AE-BLD-06", "AE-MOR-04")
def test_the_worked_example_of_a_grenade_through_a_loophole() -> None:
    guards = squad((90, 39), (93, 39), (87, 39), arms=(("fr",), ("smg",), ("smg",)), ccr=3)
    state = battle([guards], [squad(*NINE), FAR], features=(HOUSE,))
    grenade = (4, 4, 5, 6, 4, 5, 1, 2, 3)
    fight = Fight(state, *(1,) * 10, *grenade, 3, 1)  # the check is a double one where the leader has fallen
    with pytest.raises(IllegalIntent, match="fire/no-weapon"):
        fight.do(0, TakeAim(UNIT, Shot(FigureId("0.1.2"), "fr", house="house")))
    fight.do(0, TakeAim(UNIT, Shot(FigureId("0.1.1"), "fr", house="house")))
    fight.do(0, Fire(UNIT, GroupId("1.1")))
    assert [(one.unit, one.captor) for one in fight.events(Surrendered)] == [("1.1", "0.1")]
    assert len(fight.events(Surrendered)[0].figures) == 3


@pytest.mark.rule("AE-BLD-06")
def test_a_grenade_goes_in_by_those_who_touch_the_wall_only() -> None:
    guards = squad((90, 38.9), arms=(("fr",),))
    state = battle([guards], [squad(*NINE)], features=(HOUSE,))
    with pytest.raises(IllegalIntent, match="fire/no-contact"):
        Fight(state).do(0, TakeAim(UNIT, Shot(FigureId("0.1.1"), "fr", house="house")))


@pytest.mark.rule("AE-BLD-07", "AE-ASLT-06")
def test_those_inside_are_charged_at_the_outline_and_count_as_in_hard_cover() -> None:
    prey = squad((90, 45), ccr=2, fired=True)
    fight = Fight(battle([squad((90, 30), ccr=4)], [prey, FAR], features=(HOUSE,)), 4, 4, 6, 1)
    fight.do(0, Charge(UNIT, GroupId("1.1")))
    assert [one.totals for one in fight.events(DuelFought)] == [(11, 5)]
    assert fight.place("0.1.1") == (90, 38.98)


@pytest.mark.rule("AE-OPEN-02", "AE-ASLT-04", "AE-ASLT-07", "AE-ASLT-10")
def test_a_demolition_charge_goes_off_before_the_check_of_the_charged() -> None:
    bearer = squad((90, 40), arms=(("dc",),), ccr=4)
    prey = squad((90, 52), (92.5, 52), (95, 52), ccr=2, fired=True)
    fight = Fight(battle([bearer], [prey, FAR]), 4, 3, 2, 2, 1, 5, 6, 6)
    fight.do(0, Charge(UNIT, GroupId("1.1")))
    assert fight.asked == ("ae.duels", (0, 1))
    asks = fight.match.question.asks if fight.match.question else {}
    offered = [[field.key for field in ask.choices[0].fields] for ask in asks.values()]
    assert offered == [["line", "blown"], ["line"]]
    fight.answer(0, Reply("line", {"line": ["piece/0.1.1"], "blown": ["piece/0.1.1"]})).expire()
    # two fall to the charge (open, kill number 2), and there is no duel in its round
    assert len(fight.unit("1.1").figures) == 1
    assert not fight.events(DuelFought)
    assert fight.now.figures[FigureId("0.1.1")].spent == ("dc",)


@pytest.mark.rule("AE-OPEN-02", "AE-BLD-03")
def test_a_vest_against_a_wall_is_a_high_calibre_hit_and_removes_its_bearer() -> None:
    bomber = squad((90, 39), (60, 10), arms=(("sv",), ("pi",)))
    state = battle([bomber], [squad(*NINE)], features=(HOUSE,))
    fight = Fight(state, 1, 2, *(1,) * 9, 6, 6).do(0, TakeAim(UNIT, Shot(FigureId("0.1.1"), "sv", house="house")))
    fight.do(0, Fire(UNIT))
    assert fight.now.breaches == {"house": 1}
    assert fight.unit("0.1").figures == ("0.1.2",)


@pytest.mark.rule("AE-OPEN-16", "AE-OPEN-02", "AE-ASLT-01", "AE-OPEN-05")
def test_a_vehicle_is_charged_with_what_harms_it_and_there_is_no_duel() -> None:
    truck = vehicle((90, 50), weapons=(), armour=(10, 10, 10, 10))
    with pytest.raises(IllegalIntent, match="charge/no-explosives"):
        Fight(battle([squad((90, 40))], [truck])).do(0, Charge(UNIT, GroupId("1.1")))
    cutter = squad((90, 40), arms=(("cu",),))
    fight = Fight(battle([cutter], [truck, FAR]), 4, 1, 4, 4, 5).do(0, Charge(UNIT, GroupId("1.1"))).expire()
    assert fight.unit("1.1").hull.penetrated == 1  # 9 + 1 against 10
    assert fight.now.combats == ()
    assert not fight.events(DuelFought)
    grenadier = squad((90, 40), arms=(("fr",),))
    fight = Fight(battle([grenadier], [truck, FAR]), 4, 6).do(0, Charge(UNIT, GroupId("1.1"))).expire()
    assert fight.unit("1.1").hull.penetrated == 0  # 3 + 6


@pytest.mark.rule("AE-ASLT-06", "AE-ASLT-07", "AE-ASLT-04", "AE-OPEN-02", "AE-OPEN-05")
def test_a_cutter_takes_a_figure_out_before_the_duels_and_adds_to_them() -> None:
    miner = squad((90, 40), arms=(("cu", "bl"),), ccr=3)
    prey = squad((90, 52), (92.5, 52), (95, 52), ccr=2, fired=True)
    fight = Fight(battle([miner], [prey, FAR], options=Options(sarge=False)), 4, 5, 6, 6, 1, 6, 1)
    fight.do(0, Charge(UNIT, GroupId("1.1")))
    fight.answer(0, Reply("line", {"line": ["piece/0.1.1"], "blown": ["piece/0.1.1"]})).expire()
    assert fight.unit("1.1").figures == ("1.1.2", "1.1.3")
    fight.do(1, FightOn(GroupId("1.1")))
    assert [one.totals for one in fight.events(DuelFought)] == [(6 + 3 + 1, 1 + 2), (6 + 3 + 1, 1 + 2 + 1)]


@pytest.mark.rule("AE-BLD-01")
def test_a_building_is_looked_out_of_at_its_corners_and_the_middles_of_its_sides() -> None:
    house = ground.buildings(battle([FAR], [FAR], features=(HOUSE,)))[0]
    spots = {one.at for one in sighting.openings(house.outline)}
    assert spots == {*cm((84, 40), (96, 40), (96, 50), (84, 50)), *cm((90, 40), (96, 45), (90, 50), (84, 45))}
    assert set(ground.doors_of(house)) == set(cm((90, 40), (96, 45), (90, 50), (84, 45)))


@pytest.mark.rule("AE-BLD-01")
def test_a_way_goes_in_by_doors_alone_and_out_again_on_the_other_side() -> None:
    state = battle([squad((90, 34))], [FAR], features=(HOUSE,))
    for way, fits in (
        (cm((90, 38), (90, 40)), True),
        (cm((88, 38), (88, 44)), False),  # the wall beside the door
        (cm((83.5, 34), (83.5, 45)), False),  # along the wall, too near to it
        (cm((83, 34), (83, 45)), True),
    ):
        assert stands.StandRoom(state, state.units[UNIT]).is_free((9000, 3400), (way[0], way[1])) is fits
    assert ways.routed(state, cm((90, 39), (90, 51))) == cm((90, 39), (90, 51))
    assert ways.routed(state, cm((85, 41), (90, 45))) == cm((85, 41), (90, 45))
    assert ways.cost(state, state.units[UNIT], cm((90, 39), (90, 40), (90, 50), (90, 51))) == 600


@pytest.mark.rule("AE-BLD-01")
def test_room_is_counted_by_figures_of_ones_own_side_and_is_none_where_an_enemy_is() -> None:
    three = squad((86, 42), (88, 42), (70, 70))
    for other, room in (([three], 13), ([], 15)):
        state = battle([squad((90, 34)), *other], [FAR], features=(HOUSE,))
        assert ways.room_in(state, state.units[UNIT]) == {"house": room}
    state = battle([squad((90, 34))], [three], features=(HOUSE,))
    assert ways.room_in(state, state.units[UNIT]) == {"house": 0}
    assert not stands.StandRoom(state, state.units[UNIT]).is_free((9000, 3400), cm((90, 34), (90, 40)))


@pytest.mark.rule("AE-BLD-02", "AE-BLD-05")
def test_the_best_fire_at_a_building_is_what_gets_through() -> None:
    pair = squad((70, 45), (70, 47.5), arms=(("ar", "rpg"), ("ar", "fr")))
    state = battle([pair], [squad(*NINE)], features=(HOUSE,))
    house = ground.buildings(state)[0]
    # a rifle comes to 9 at most, against 15; what is thrown is not fired
    assert [(one.figure, one.weapon) for one in storming.best(state, state.units[UNIT], house)] == [("0.1.1", "rpg")]
    field: Any = VERBS.detail(state, Seat(0), "raze", {"unit": ["group/0.1"]})
    assert [option.id for option in field.options] == ["feature/house"]
    intent = VERBS.parse(state, Seat(0), Reply("raze", {"unit": ["group/0.1"], "house": ["feature/house"]}))
    assert Fight(state).may(0, intent)


@pytest.mark.rule("AE-BLD-06")
def test_a_prompt_offers_what_can_be_put_into_a_building() -> None:
    guards = squad((90, 39), (93, 39), (87, 38.9), arms=(("fr", "smg"), ("dc",), ("fr",)))
    state = battle([guards], [squad(*NINE)], features=(HOUSE,))
    field: Any = VERBS.detail(state, Seat(0), "place", {"unit": ["group/0.1"]})
    assert [option.id for option in field.options] == ["0.1.1/fr/house", "0.1.2/dc/house"]
    intent = VERBS.parse(state, Seat(0), Reply("place", {"unit": ["group/0.1"], "use": "0.1.1/fr/house"}))
    assert Fight(state).may(0, intent)
    away = battle([squad((90, 38.5), arms=(("fr",),))], [squad(*NINE)], features=(HOUSE,))
    assert "place" not in [choice.id for choice in VERBS.choices(away, Seat(0))]


@pytest.mark.rule("AE-BLD-06", "AE-CAS-01", "AE-FIRE-01")
@pytest.mark.parametrize("state_of", ["shaken", "stunned", "busy"])
def test_who_may_not_fire_puts_nothing_into_a_building(state_of: str) -> None:
    pair = squad((90, 39), (93, 39), arms=(("fr",), ("dc",)))
    state = battle([pair], [squad(*NINE)], features=(HOUSE,))
    first, intent = FigureId("0.1.1"), TakeAim(UNIT, Shot(FigureId("0.1.1"), "fr", house="house"))
    assert Fight(state).may(0, intent)
    if state_of == "busy":
        out = replace(state, active=Activation(UNIT, busy=(first,)))
    else:
        figure = replace(state.figures[first], shaken=state_of == "shaken", stunned=int(state_of == "stunned"))
        out = replace(state, figures={**state.figures, first: figure})
    with pytest.raises(IllegalIntent, match="fire/no-weapon"):
        Fight(out).do(0, intent)
    field: Any = VERBS.detail(out, Seat(0), "place", {"unit": ["group/0.1"]})
    assert [option.id for option in field.options] == ["0.1.2/dc/house"]


@pytest.mark.rule("AE-BLD-03", "AE-BLD-06", "AE-OPEN-02")
def test_armour_counts_against_a_grenade_inside() -> None:
    guards, armoured = squad((90, 39), arms=(("fr",),)), squad((86, 42), (88, 42), (90, 42), armour=9)
    fight = Fight(battle([guards], [armoured], features=(HOUSE,)), 4, 4, 3, 6, 5, 4, 4)
    fight.do(0, TakeAim(UNIT, Shot(FigureId("0.1.1"), "fr", house="house"))).do(0, Fire(UNIT))
    # two would fall to the kill number of 4; 3 + D6 reaches 9 for the first of them alone
    assert fight.unit("1.1").figures == ("1.1.2", "1.1.3")


@pytest.mark.rule("AE-BLD-02")
def test_mortars_and_grenades_are_not_fired_at_walls() -> None:
    mortar = squad((60, 45), (62.5, 45), arms=(("mo60", "ar"), ("pi",)))
    state = battle([mortar], [squad(*NINE)], features=(HOUSE,))
    assert Fight(state).may(0, Fire(UNIT, shots=(Shot(FigureId("0.1.1"), "ar", house="house"),)))
    for weapon, house in (("mo60", "house"), ("ar", "nowhere")):
        assert not Fight(state).may(0, Fire(UNIT, shots=(Shot(FigureId("0.1.1"), weapon, house=house),)))
