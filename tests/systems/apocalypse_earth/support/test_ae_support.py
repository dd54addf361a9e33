"""Fire support, the air, officers, radio operators and medics (AE-SUPPORT, AE-OPEN-24, AE-OPEN-26)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent
from engine.rulesets.apocalypse_earth.rules.ending import Finish
from engine.rulesets.apocalypse_earth.rules.fire.firing import Fire
from engine.rulesets.apocalypse_earth.rules.moves.errands import TakeSet
from engine.rulesets.apocalypse_earth.rules.support import support
from engine.rulesets.apocalypse_earth.rules.support.support import Call
from engine.rulesets.apocalypse_earth.rules.table import hiding
from engine.rulesets.apocalypse_earth.rules.turns import officers
from engine.rulesets.apocalypse_earth.rules.turns.rallying import Rally
from engine.rulesets.apocalypse_earth.state.fire_events import BlastLanded
from engine.rulesets.apocalypse_earth.state.model import Options
from engine.rulesets.apocalypse_earth.state.support_events import MissionEnded, StrikeFlown
from protocol.ids import GroupId
from tests.support.systems.ae_battle import Fight, Squad, battle, row, squad, vehicle

HQ, FOE = GroupId("0.1"), GroupId("1.1")
STAFF = {0: ("officer",), 1: ("radio",)}
SPOT = (6000, 6000)


def staff(*places: tuple[float, float], **changes: Any) -> Squad:
    """A headquarters: an officer, a radio operator and others."""
    return squad(*(places or row(3, 20, 60)), roles=STAFF, role="platoon", **changes)


def called(card: str, *dice: int, at: tuple[int, int] = SPOT, target: Squad | None = None, **changes: Any) -> Fight:
    """Call a card on a spot, 40 cm away from the officer."""
    state = battle([staff()], [target or squad((150, 110))], support=((card,), ()), **changes)
    return Fight(state, *dice).do(0, Call(HQ, card, at))


@pytest.mark.rule("AE-SUPPORT-03", "AE-SUPPORT-05")
def test_the_worked_example() -> None:
    """Dice 2 and 4 under the enemy's air denial: 5, off target; distance dice 3 and 5: 16 cm."""
    fight = called("FS-3", 2, 4, 3, 5, 12, air={0: 5, 1: 6})
    assert [one.how for one in fight.events(StrikeFlown)] == ["astray"]
    [blast] = fight.events(BlastLanded)
    assert blast.at == (7600, 6000)
    assert fight.now.support == ((), ())


@pytest.mark.rule("AE-SUPPORT-03")
@pytest.mark.parametrize(
    ("dice", "how", "at"),
    [
        ((2, 2), "aborted", None),
        ((3, 3, 1, 1, 12), "astray", (6400, 6000)),
        ((3, 4, 1, 1, 3), "near", (6000, 5800)),
        ((4, 5, 1, 2, 6), "near", (5700, 6000)),
        ((4, 6), "on", SPOT),
    ],
)
def test_the_results_of_an_airstrike(dice: tuple[int, ...], how: str, at: Any) -> None:
    fight = called("FS-3", *dice)
    assert [one.how for one in fight.events(StrikeFlown)] == [how]
    assert [one.at for one in fight.events(BlastLanded)] == ([at] if at else [])
    assert fight.now.support == ((), ())


@pytest.mark.rule("AE-SUPPORT-05")
@pytest.mark.parametrize(
    ("lead", "own", "other"), [(0, 0, 0), (1, 0, -1), (3, 0, -1), (4, 1, -1), (6, 1, -1), (7, 3, -3)]
)
def test_the_status_in_the_air(lead: int, own: int, other: int) -> None:
    state = battle([staff()], [staff()], air={0: 3 + lead, 1: 3})
    assert (support.modifier(state, 0), support.modifier(state, 1)) == (own, other)
    three = battle([staff()], [staff()], [staff()], sides=(), air={0: 9, 1: 3, 2: 8})
    assert [support.modifier(three, side) for side in (0, 1, 2)] == [0, -1, -1]


@pytest.mark.rule("AE-SUPPORT-05")
def test_a_rod_from_orbit_minds_no_aircraft() -> None:
    fight = called("FS-5", 4, 6, air={0: 1, 1: 9})
    assert [one.how for one in fight.events(StrikeFlown)] == ["on"]


@pytest.mark.rule("AE-OPEN-24")
def test_a_guided_missile_scatters_half() -> None:
    fight = called("FS-4", 3, 4, 2, 3, 12)
    assert [one.at for one in fight.events(BlastLanded)] == [(6250, 6000)]


@pytest.mark.rule("AE-OPEN-24", "AE-SUPPORT-03")
def test_a_strafing_run_lies_along_its_direction_and_strikes_tops() -> None:
    state = battle([staff()], [squad((60, 74)), vehicle((60, 50))], support=(("FS-1",), ()))
    fight = Fight(state, 6, 6, 5, 1, 1, 4, 4, 6).do(0, Call(HQ, "FS-1", SPOT, 90))
    assert fight.unit("1.1").figures == ()
    assert fight.unit("1.2").hull.shaken == 1  # 7 + 1 + 1 = 9 reaches the top's 8, not the side's 10


@pytest.mark.rule("AE-SUPPORT-02", "AE-OPEN-26")
def test_only_an_officer_or_his_second_with_a_radio_calls() -> None:
    def may(**changes: Any) -> bool:
        state = battle([squad(*row(2, 20, 60), **changes)], [squad((150, 110))], support=(("FS-3",), ()))
        return Fight(state).may(0, Call(HQ, "FS-3", SPOT))

    assert may(roles=STAFF)
    assert may(roles={0: ("second",), 1: ("radio",)})
    assert not may(roles={0: ("officer",)})
    assert not may(roles={1: ("radio",)})
    assert not may(roles=STAFF, suppressed=True)
    state = battle(
        [squad((20, 60), roles={0: ("officer",)}), squad((23, 60), roles={0: ("radio",)})], [squad((150, 110))]
    )
    with pytest.raises(IllegalIntent, match="call/nobody"):
        Fight(replace(state, support=(("FS-3",), ()))).do(0, Call(HQ, "FS-3", SPOT))


@pytest.mark.rule("AE-SUPPORT-02", "AE-SUPPORT-03")
def test_a_call_takes_the_place_of_the_callers_fire_alone() -> None:
    state = battle([staff()], [squad((60, 70)), squad((150, 110))], support=(("FS-6", "FS-3"), ()))
    fight = Fight(state, *[1] * 6).do(0, Call(HQ, "FS-6", SPOT))
    with pytest.raises(IllegalIntent, match="call/nobody"):
        fight.do(0, Call(HQ, "FS-3", SPOT))
    fight.do(0, Fire(HQ, FOE))
    assert fight.rolls == [(0, "ae.dice.hit", 6)]


@pytest.mark.rule("AE-SUPPORT-01", "AE-GEN-06")
def test_a_card_is_secret_until_it_is_played_and_must_be_held() -> None:
    state = battle([staff()], [staff((150, 110), (153, 110))], support=(("FS-3",), ("FS-7",)))
    assert hiding.known(state, Seat(0)).support == (("FS-3",), ("",))
    with pytest.raises(IllegalIntent, match="call/no-card"):
        Fight(state).do(0, Call(HQ, "FS-7", SPOT))


def shelled(card: str, *dice: int, **changes: Any) -> Fight:
    """Call artillery and let it land."""
    return called(card, *dice, **changes).do(1, Finish(FOE))


@pytest.mark.rule("AE-SUPPORT-04", "AE-OPEN-24", "AE-TURN-04")
@pytest.mark.parametrize(
    ("dice", "how", "at"),
    [
        ((1, 2), "refused", None),
        ((2, 3, 2, 3, 12), "astray", (6500, 6000)),
        ((3, 5, 4, 12), "near", (6400, 6000)),
        ((4, 5), "on", SPOT),
    ],
)
def test_artillery_lands_in_the_administration_phase(dice: tuple[int, ...], how: str, at: Any) -> None:
    spread = (2, 12) if at else ()
    fight = called("FS-8", *dice, *spread)
    assert [mission.at for mission in fight.now.missions] == [SPOT]
    fight.do(1, Finish(FOE))
    assert [one.how for one in fight.events(MissionEnded)] == [how]
    places = [one.at for one in fight.events(BlastLanded)]
    assert places == ([at, (at[0] + 200, at[1])] if at else [])
    assert fight.now.support == ((("FS-8",), ()) if how == "refused" else ((), ()))


@pytest.mark.rule("AE-OPEN-24")
def test_the_same_point_again_is_hit_better_and_the_air_does_not_matter() -> None:
    fight = shelled("FS-10", 3, 5, turn=2, shelled=((1, (6000, 6500)),), air={0: 1, 1: 9})
    assert [one.how for one in fight.events(MissionEnded)] == ["on"]
    assert [(cloud.at, cloud.radius) for cloud in fight.now.clouds] == [(SPOT, 800)]


@pytest.mark.rule("AE-OPEN-24")
def test_rockets_scatter_double_and_lie_around_the_point() -> None:
    fight = shelled("FS-9", 3, 4, 2, 12, *[1, 1, 12] * 4)
    assert [one.at for one in fight.events(BlastLanded)] == [(6600, 6000)] * 4


@pytest.mark.rule("AE-OPEN-26")
def test_an_officer_near_by_lets_one_die_of_a_rally_be_rolled_again() -> None:
    shaky = squad(*row(3, 25, 60), suppressed=True, lost=1)
    fight = Fight(battle([shaky, staff(*row(3, 25, 66))], [squad((150, 110))]), 1, 3, 4).do(0, Rally(HQ))
    assert not fight.unit("0.1").suppressed
    for far in (staff(*row(3, 25, 90)), staff(*row(3, 25, 66), suppressed=True)):
        fight = Fight(battle([shaky, far], [squad((150, 110))]), 1, 3).do(0, Rally(HQ))
        assert fight.unit("0.1").suppressed


@pytest.mark.rule("AE-OPEN-26")
def test_a_medic_saves_the_first_casualty_of_a_turn_on_a_6() -> None:
    medic = squad((60, 66), roles={0: ("medic",)})
    for die, left in ((6, 3), (5, 2)):
        state = battle([squad((20, 60), weapons=("smg", "ar"))], [squad(*row(3, 60, 60)), medic])
        dice = (6, 1, 1, 2, die) if die == 6 else (6, 1, 1, 2, die, 6)
        fight = Fight(state, *dice).do(0, Fire(HQ, FOE))
        assert len(fight.unit("1.1").figures) == left


@pytest.mark.rule("AE-OPEN-18", "AE-OPEN-26")
def test_an_officer_calls_from_a_command_vehicle_while_its_set_works() -> None:
    riding = squad(*row(2, 20, 60), roles={0: ("officer",)}, where="aboard", vessel=GroupId("0.2"))
    for traits, allowed in ((("command",), True), ((), False)):
        car = vehicle((20, 60), traits=traits)
        state = battle([riding, car], [squad((150, 110))], support=(("FS-3",), ()))
        assert Fight(state).may(0, Call(HQ, "FS-3", SPOT)) == allowed


@pytest.mark.rule("AE-SUPPORT-05")
def test_the_air_is_settled_by_the_best_rating_of_each_side_where_it_is_in_play() -> None:
    state = battle([staff()], [staff()], options=Options(air=False))
    assert support.modifier(state, 0) == 0
    assert officers.radios(state, state.units[HQ]) == ["0.1.2"]


@pytest.mark.rule("AE-OPEN-26")
def test_another_takes_up_the_set_of_a_fallen_operator_for_the_next_turn() -> None:
    state = battle([staff(*row(3, 60, 60))], [squad((60, 90))], acting=1)
    fight = Fight(state, 6, 1, 1, 2, 6).do(1, Fire(FOE, HQ))
    assert fight.unit("0.1").figures == ("0.1.1", "0.1.3")
    assert not officers.radios(fight.now, fight.unit("0.1"))
    assert fight.now.radio_sets == {HQ: (6250, 6000)}
    fight.do(0, TakeSet(HQ))
    assert not officers.radios(fight.now, fight.unit("0.1"))
    assert not fight.now.radio_sets
    fight.do(0, Finish(HQ)).expire()
    assert fight.now.turn == 2
    assert officers.radios(fight.now, fight.unit("0.1")) == ["0.1.1"]


@pytest.mark.rule("AE-OPEN-26")
def test_a_set_is_taken_up_with_3_cm_of_movement_left() -> None:
    for far, able in ((9, True), (9.1, False)):
        lying = {HQ: (round(100 * (62 + far)), 6000)}
        state = battle([squad((60, 60))], [squad((150, 110))], radio_sets=lying)
        assert Fight(state).may(0, TakeSet(HQ)) == able
