"""Odds of Apocalypse: Earth that are told before an act, to the thousandth, each worked out from its dice."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

import pytest
from msgspec.structs import replace

from engine.core.rules.audience import Seat
from engine.rulesets.apocalypse_earth.rules.harm import damage
from engine.rulesets.apocalypse_earth.state.lasting import Combat, Effect, Shot
from engine.rulesets.apocalypse_earth.state.state import FIRE, Activation, Battle
from engine.rulesets.apocalypse_earth.system import system
from protocol.ids import FigureId, GroupId
from protocol.scene.advice import Forecast, Outcome
from protocol.scene.nodes import Reply
from tests.support.play.many_plays import forecast_of
from tests.support.systems.ae_battle import Squad, battle, block, row, squad, vehicle
from tests.support.systems.ae_bounds import code_of

OWN, FOE, THIRD = GroupId("0.1"), GroupId("1.1"), GroupId("1.2")
AIMED: Final[dict[str, object]] = {"unit": ["group/0.1"], "target": ["group/1.1"]}
SHOTS: Final = Reply("fire", AIMED)
CHARGE: Final = Reply("charge", AIMED)
TRIO: Final = row(3, 50, 60)
OTHER: Final = squad((150, 110))
SIDE_ON: Final = vehicle((50, 80), armour=(11, 8, 8, 8))
"""A wheeled vehicle whose side has armour 8 and is lost by 2, 3 and 12 of two dice: by 4 of 36."""
TRUCK: Final = vehicle((50, 60), armour=(7, 7, 7, 6), places=20, weapons=())
GUN: Final = ("hmg127",)
"""10 shots with a crew, 5 without, which get through armour 8 by 5 + 2D6: by 35 of 36."""


def told(state: Battle, reply: Reply, seat: int = 0) -> Forecast | None:
    """Return the forecast that a seat is told. Raises IllegalIntent."""
    return forecast_of(system, state, Seat(seat), reply)


def odds(state: Battle, reply: Reply = SHOTS, seat: int = 0) -> tuple[Outcome, ...]:
    """Return the losses of the enemy that are told, each with its thousandths."""
    forecast = told(state, reply, seat)
    return forecast.outcomes if forecast is not None else ()


@pytest.mark.rule("AE-FIRE-05", "AE-FIRE-07")
@pytest.mark.parametrize(
    ("kind", "effects", "expected"),
    [
        ("", (), ((0, 579), (1, 421))),  # 5/6 three times over: 125/216
        ("broken", (), ((0, 770), (1, 230))),  # soft cover, a 6 and a 4: 11/12 three times over, 1331/1728
        ("rubble", (), ((0, 842), (1, 158))),  # hard cover, a 6 and a 5: 17/18 three times over, 4913/5832
        ("rubble", (Effect("fog_of_mind", FOE),), ((0, 919), (1, 81))),  # a 6 and a 6: 35/36, 42875/46656
    ],
)
def test_three_shots_at_a_man_in_cover(kind: str, effects: tuple[Effect, ...], expected: tuple[Outcome, ...]) -> None:
    pieces = [block("p", kind, 45, 74, 55, 86)] if kind else []
    assert odds(battle([squad((50, 60), effects=effects)], [squad((50, 80)), OTHER], features=pieces)) == expected


@pytest.mark.rule("AE-FIRE-05", "AE-FIRE-07")
def test_nine_shots_at_four_men_take_four_at_most() -> None:
    """Of 6^9 = 10,077,696 throws 5^9 hit nobody, 9 x 5^8 one, 36 x 5^7 two, 84 x 5^6 three: the rest is more."""
    nine = ((0, 194), (1, 349), (2, 279), (3, 130), (4, 48))
    for foe in (squad(*row(4, 50, 75)), squad(*row(4, 50, 75), moved=True)):
        assert odds(battle([squad(*TRIO)], [foe, OTHER])) == nine
    assert odds(battle([squad(*TRIO, arms=(("ar",), GUN, ("ar",)))], [squad((50, 75), moved=True), OTHER])) == (
        # 3 shots and, with its crew, 10: 5/6 thirteen times over
        (0, 93),
        (1, 907),
    )


@pytest.mark.rule("AE-FIRE-07")
def test_surplus_hits_of_two_weapons_on_the_same_figures_are_lost() -> None:
    """Two of five stand beside the house: of 13 shots at them none hits by (5/6)^13, one by 13/5 of that."""
    house = block("h", "house", 54, 67, 75, 70)
    foe = squad((50, 75), (52.5, 75), (59, 75), (61.5, 75), (64, 75))
    state = battle([squad((50, 60), (52.5, 60), arms=(("mg",), ("ar",)))], [foe, OTHER], features=[house])
    assert odds(state) == ((0, 93), (1, 243), (2, 664))


@pytest.mark.rule("AE-FIRE-07", "AE-FIRE-05")
def test_nothing_exact_is_told_where_one_weapon_reaches_some_and_another_all() -> None:
    """Chance decides which figure the rifle takes, and so what the submachine gun, of half its range, can hit."""
    own = squad((50, 60), (52.5, 60), arms=(("ar",), ("smg",)))
    apart = [squad((50, 83), (52.5, 83), (50, 88), (52.5, 88)), OTHER]
    assert told(battle([own], apart), SHOTS) is None
    # 8 shots at all four who are in range of both: 5^8 of 6^8, then 8 x 5^7, 28 x 5^6, 56 x 5^5
    near = [squad(*row(4, 50, 80)), OTHER]
    assert odds(battle([own], near)) == ((0, 233), (1, 372), (2, 260), (3, 104), (4, 31))


@pytest.mark.rule("AE-FIRE-07", "AE-FIRE-05")
def test_nothing_exact_is_told_of_fire_that_is_not_at_the_target_alone() -> None:
    own = squad(*TRIO, arms=(("ar",), ("ar", "ft"), ("ar",)))
    foes = [squad(*row(4, 50, 80)), squad((80, 75)), OTHER]

    def aimed(*shots: Shot) -> Battle:
        return battle([own], foes, active=Activation(OWN, FIRE, aimed=shots))

    second = FigureId("0.1.2")
    assert odds(aimed(Shot(second, "ar", FOE))) == odds(aimed())
    for shot in (Shot(second, "ar", THIRD), Shot(second, "ft", facing=90), Shot(second, "ft", FOE, at=(5000, 8000))):
        assert told(aimed(shot), SHOTS) is None
    rocket = squad(*TRIO, weapons=("rpg",))
    assert told(battle([rocket], foes), SHOTS) is None


@pytest.mark.rule("AE-FIRE-05", "AE-FIRE-07", "AE-VEH-01", "AE-VEH-02")
def test_a_vehicle_is_lost_by_any_hit_that_gets_through_and_ends_it() -> None:
    """A shot ends it by 1/6 x 35/36 x 1/9 = 35/1944: none of five by 0.9132, none of ten by its square."""
    one, two = squad((50, 60), weapons=GUN), squad((50, 60), (52.5, 60), weapons=GUN)
    driven = vehicle((50, 80), armour=(11, 8, 8, 8), moved=True)
    for target in (SIDE_ON, driven):
        assert odds(battle([one], [target, OTHER])) == ((0, 913), (1, 87))
    assert odds(battle([two], [SIDE_ON, OTHER])) == ((0, 834), (1, 166))
    state = battle([one], [SIDE_ON, OTHER])
    assert damage.end_chance(state, state.units[FOE], "rear") == Fraction(7, 36)  # by a 10, too
    assert told(battle([two], [driven, OTHER]), SHOTS) is None  # a hit on its driver lets it run on
    # a rocket hits by 2 of 6 and gets through by 10 + 2D6 always: 1/27
    assert odds(battle([squad((50, 60), weapons=("rpg",))], [SIDE_ON, OTHER])) == ((0, 963), (1, 37))


@pytest.mark.rule("AE-FIRE-07", "AE-OPEN-16")
def test_those_who_fire_out_of_a_truck_hit_as_others_do() -> None:
    """Nine shots of three rifles at one man."""
    riders = squad(*row(3, 50, 60, 0), where="aboard", vessel=OWN)
    state = battle([TRUCK, riders], [squad((50, 80)), OTHER])
    assert odds(state, Reply("fire", {**AIMED, "unit": ["group/0.2"]})) == ((0, 194), (1, 806))


@pytest.mark.rule("AE-ASLT-01", "AE-ASLT-04")
def test_a_suppressed_unit_gives_up_to_those_who_pass_their_check_to_charge() -> None:
    """All four, by 2 or more on a die; to the frenzied, who do not check, always."""
    weary = squad(*row(4, 50, 68), suppressed=True)
    wild = squad(*TRIO, effects=(Effect("frenzy", OWN),))
    assert odds(battle([squad(*TRIO)], [weary, OTHER]), CHARGE) == ((0, 167), (4, 833))
    assert odds(battle([wild], [weary, OTHER]), CHARGE) == ((4, 1000),)


@pytest.mark.rule("AE-ASLT-01", "AE-ASLT-04")
def test_nothing_exact_is_told_of_a_charge_at_those_who_fight_who_are_watched_over_or_in_a_vehicle() -> None:
    armed, watch = squad(*TRIO, weapons=("ar", "fr")), squad((150, 110), overwatch=True)
    fired, weary = squad(*row(4, 50, 68), fired=True), squad(*row(4, 50, 68), suppressed=True)
    for foe, other in ((fired, OTHER), (weary, watch), (vehicle((50, 70), suppressed=True), OTHER)):
        assert told(battle([armed], [foe, other]), CHARGE) is None


def engaged(own: Squad, foe: Squad, acting: int = 0, **changes: Any) -> Battle:
    state = battle([own, squad((150, 20))], [foe, OTHER], acting=acting)
    return replace(state, combats=(Combat(1, (OWN,), (FOE,), **changes),))


def fight(unit: str) -> Reply:
    return Reply("fight_on", {"unit": [f"group/{unit}"]})


@pytest.mark.rule("AE-ASLT-05", "AE-ASLT-09", "AE-ASLT-10")
def test_a_duel_is_told_from_both_sides() -> None:
    """Rating 4 against 3: of the 31 pairs of dice that do not tie 21 win, 10 lose."""
    better, worse = (((0, 323), (1, 677)), 68), (((0, 677), (1, 323)), 32)
    for seat, mine, theirs in ((0, better, worse), (1, worse, better)):
        state = engaged(squad((50, 60), ccr=4), squad((50, 61), ccr=3), acting=seat)
        forecast = told(state, fight(f"{seat}.1"), seat)
        assert forecast is not None
        assert (forecast.outcomes, forecast.mean) == mine
        assert [(back.group, back.outcomes, back.mean) for back in forecast.back] == [(f"group/{1 - seat}.1", *theirs)]


@pytest.mark.rule("AE-ASLT-10")
def test_nothing_is_told_of_who_is_in_no_fight() -> None:
    state = engaged(squad((50, 60)), squad((50, 61)))
    assert code_of(lambda: told(state, fight("0.2"))) == "fight/free"


@pytest.mark.rule("AE-ASLT-07", "AE-ASLT-09")
def test_the_odds_of_the_worked_example() -> None:
    """Rating 5 against 2 in soft cover. With the charge four duels at +3, of the 33 pairs that do not tie 30 win. After
    it, three against six: the first opponent of each at +2 falls by 26 of 32, and then the second at +1 by 21 of 31."""
    four, nine = squad(*row(4, 90, 50), ccr=5), squad(*row(9, 84, 52), ccr=2)
    state = engaged(four, nine, fresh=(OWN,), covers={FigureId(f"1.1.{n}"): "soft" for n in range(1, 10)})
    forecast = told(state, fight("0.1"))
    assert forecast is not None
    # of 11^4 = 14,641: 1, 40, 600, 4,000 and 10,000
    assert forecast.outcomes == ((1, 3), (2, 41), (3, 273), (4, 683))
    assert forecast.back[0].outcomes == ((0, 683), (1, 273), (2, 41), (3, 3))
    three, six = squad(*row(3, 90, 50), ccr=5), squad(*row(6, 84, 52), ccr=2)
    state = engaged(three, six, covers={FigureId(f"1.1.{n}"): "soft" for n in range(1, 7)})
    forecast = told(state, fight("0.1"))
    assert forecast is not None
    # at each place none falls by 93 of 496, one by 130, two by 273; the charger by 223
    assert forecast.outcomes == ((0, 6), (1, 28), (2, 97), (3, 180), (4, 284), (5, 238), (6, 167))
    assert forecast.back[0].outcomes == ((0, 167), (1, 408), (2, 334), (3, 91))


@pytest.mark.rule("AE-ASLT-07", "AE-ASLT-09")
def test_the_second_of_two_fights_the_opponent_that_the_first_has_left() -> None:
    """At +2 the first wins by 13/16; where he does not the second, at +3, by 10/11."""
    pair, man = squad((50, 60), (52.5, 60), ccr=5), squad((50, 61), ccr=2)
    forecast = told(engaged(pair, man, covers={FigureId("1.1.1"): "soft"}), fight("0.1"))
    assert forecast is not None
    assert forecast.outcomes == ((0, 17), (1, 983))  # 173 of 176
    assert forecast.back[0].outcomes == ((0, 813), (1, 170), (2, 17))  # 143, 30 and 3 of 176


@pytest.mark.rule("AE-ASLT-07")
def test_a_weapon_used_in_contact_takes_the_place_of_a_duel() -> None:
    state = engaged(squad((50, 60), (52.5, 60), ccr=4), squad((50, 61), (52.5, 61), ccr=3), idle=(FigureId("0.1.2"),))
    assert odds(state, fight("0.1")) == ((0, 323), (1, 677))


def power(id: str, target: Squad, *others: Squad, rating: int = 3) -> Forecast | None:
    """Return what is told of a power of a psychic."""
    seer = squad(*TRIO, roles={0: (f"psi_{rating}",)})
    return told(battle([seer], [target, *others, OTHER]), Reply("power", {**AIMED, "power": id}))


NULL: Final = squad((60, 80), roles={0: ("null",)})
"""A figure that makes powers near it harder by 2."""


@pytest.mark.rule("AE-OPEN-25", "AE-PSY-01")
@pytest.mark.parametrize(
    ("id", "target", "others", "needs", "expected"),
    [
        # difficulty 4 less rating 3, but a 1 always fails
        ("fog_of_mind", squad(*row(2, 50, 75)), (), 2, ((0, 1000),)),
        # 3 or more; one to three stones, each takes one of two: 1/3 fail, 2/3 x 1/3 one, 2/3 x 2/3 two
        ("hurled_stone", squad(*row(2, 50, 75)), (), 3, ((0, 333), (1, 222), (2, 445))),
        # 8 + D6 reaches 12 by half: works 7/24, 11/24 and 6/24
        ("hurled_stone", squad(*row(2, 50, 75), armour=12), (), 3, ((0, 528), (1, 305), (2, 167))),
        # 8 + D6 gets through 8, and each stone that does ends it by 1/9: 451/2187, in 2 of 3 tries
        ("hurled_stone", SIDE_ON, (), 3, ((0, 863), (1, 137))),
        # 5 or more, and one roll of damage: 1/3 x 1/9
        ("break_steel", SIDE_ON, (), 5, ((0, 963), (1, 37))),
        # beside a null 5 or more, and 7 for the steel, which no die shows
        ("hurled_stone", squad(*row(2, 50, 75)), (NULL,), 5, ((0, 667), (1, 111), (2, 222))),
        ("break_steel", SIDE_ON, (NULL,), 6, ((0, 1000),)),
    ],
)
def test_a_power_works_by_its_die_and_then_by_its_effect(
    id: str, target: Squad, others: tuple[Squad, ...], needs: int, expected: tuple[Outcome, ...]
) -> None:
    forecast = power(id, target, *others)
    assert forecast is not None
    assert forecast.outcomes == expected
    assert [(pool.count, pool.sides, pool.needs) for pool in forecast.pools] == [(1, 6, needs)]


@pytest.mark.rule("AE-OPEN-25", "AE-PSY-01")
@pytest.mark.parametrize("id", ["dread", "puppet", "word_of_command"])
def test_nothing_exact_is_told_of_powers_after_which_others_check_or_fire(id: str) -> None:
    assert power(id, squad(*row(2, 50, 70)), rating=4) is None
