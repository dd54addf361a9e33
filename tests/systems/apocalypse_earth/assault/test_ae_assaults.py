"""Charges and close combats, with the worked example (AE-ASLT)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent
from engine.rulesets.apocalypse_earth.rules.assault import approaches
from engine.rulesets.apocalypse_earth.rules.assault.charging import Charge
from engine.rulesets.apocalypse_earth.rules.assault.combats import FightOn
from engine.rulesets.apocalypse_earth.rules.ending import Finish
from engine.rulesets.apocalypse_earth.rules.fire.firing import Fire
from engine.rulesets.apocalypse_earth.rules.flow import VERBS
from engine.rulesets.apocalypse_earth.rules.moves import reactions
from engine.rulesets.apocalypse_earth.rules.moves.moving import Move
from engine.rulesets.apocalypse_earth.rules.table import stands
from engine.rulesets.apocalypse_earth.state.combat_events import (
    CombatBegun,
    CombatEnded,
    CombatJoined,
    DuelFought,
    RoundFought,
)
from engine.rulesets.apocalypse_earth.state.fire_events import MoraleChecked, Surrendered, UnitFired
from engine.rulesets.apocalypse_earth.state.lasting import Combat, Effect, March
from engine.rulesets.apocalypse_earth.state.model import Options
from engine.rulesets.apocalypse_earth.state.state import POWERS, Activation
from engine.rulesets.apocalypse_earth.state.turn_events import MarchBegun, MarchGone
from protocol.ids import FigureId, GroupId
from protocol.scene.nodes import Reply
from tests.support.systems.ae_battle import Fight, battle, block, cm, row, squad, vehicle

FOUR = squad(*row(4, 90, 40), ccr=5, experience="veteran", weapons=("smg",))
NINE = squad(*row(9, 84, 52), ccr=2, fired=True)
SCRUB = block("scrub", "broken", 70, 50, 120, 60)
ALONE = squad((90, 40), ccr=4)
PREY = squad((90, 52), ccr=2, fired=True)
FAR = squad((20, 110))
NO_SARGE = Options(sarge=False)
CHECKS = (4, 5)
"""The check to charge and that of the charged."""


def charge(fight: Fight, *, unit: str = "0.1", target: str = "1.1", lines: bool = True) -> Fight:
    """Charge as the rules draw the way; with lines in their usual order."""
    fight.do(int(unit[0]), Charge(GroupId(unit), GroupId(target)))
    return fight.expire() if lines and fight.asked and fight.asked[0] == "ae.duels" else fight


def totals(fight: Fight) -> list[tuple[int, int]]:
    """Return the totals of all duels."""
    return [duel.totals for duel in fight.events(DuelFought)]


@pytest.mark.rule("AE-ASLT-09", "AE-ASLT-05", "AE-ASLT-06")
def test_the_first_round_of_the_worked_example() -> None:
    duels = (4, 3, 2, 6, 5, 3, 4, 3)
    fight = charge(Fight(battle([FOUR], [NINE], features=(SCRUB,)), *CHECKS, *duels, 3))
    assert totals(fight) == [(10, 6), (8, 9), (11, 6), (10, 6)]
    assert [len(fight.unit(id).figures) for id in ("0.1", "1.1")] == [3, 6]
    assert [(one.why, one.passed) for one in fight.events(MoraleChecked)] == [
        ("charge", True),
        ("charged", True),
        ("round", True),
    ]
    assert fight.now.combats[0].units == ("0.1", "1.1")


@pytest.mark.rule("AE-ASLT-09", "AE-ASLT-07", "AE-ASLT-08")
def test_the_second_round_of_the_worked_example() -> None:
    first, second = (4, 3, 2, 6, 5, 3, 4, 3, 3), (3, 3, 5, 1, 2, 5, 6, 6, 3, 3, 2)
    fight = charge(Fight(battle([FOUR], [NINE], features=(SCRUB,), options=NO_SARGE), *CHECKS, *first, *second))
    fight.do(1, FightOn(GroupId("1.1")))
    assert totals(fight)[4:] == [(8, 6), (10, 5), (7, 8), (11, 9), (8, 7)]
    assert not fight.events(MoraleChecked)[-1].passed  # a 2, with -1 for the round lost before
    assert [(one.unit, one.captor) for one in fight.events(Surrendered)] == [("1.1", "0.1")]
    assert fight.now.combats == ()
    assert fight.now.ended == "destroyed"
    assert len(fight.unit("0.1").figures) == 2


@pytest.mark.rule("AE-ASLT-01")
def test_a_charge_goes_six_centimetres_farther_than_the_rating() -> None:
    near, far = squad((90, 60), fired=True), squad((90, 60.06), fired=True)
    charge(Fight(battle([ALONE], [near]), 4, 4, 6, 1))  # 18 cm between the bases
    with pytest.raises(IllegalIntent, match="charge/too-far"):
        Fight(battle([ALONE], [far])).do(0, Charge(GroupId("0.1"), GroupId("1.1")))


@pytest.mark.rule("AE-ASLT-01")
def test_a_unit_that_fails_its_check_is_suppressed_where_it_stands() -> None:
    far = squad((90, 56), fired=True)
    fight = charge(Fight(battle([ALONE], [far]), 1))
    assert fight.unit("0.1").suppressed
    assert fight.place("0.1.1") == (90, 40)
    assert fight.now.acting == 1


@pytest.mark.rule("AE-ASLT-01")
def test_a_unit_that_has_fired_does_not_charge_and_one_that_charges_does_not_fire() -> None:
    fired = squad((90, 40), fired=True)
    with pytest.raises(IllegalIntent, match="charge/fired"):
        Fight(battle([fired], [PREY])).do(0, Charge(GroupId("0.1"), GroupId("1.1")))
    fight = charge(Fight(battle([ALONE], [PREY]), 1))
    assert fight.unit("0.1").fired


@pytest.mark.rule("AE-ASLT-01")
def test_others_come_into_contact_where_they_can_in_coherency() -> None:
    fight = charge(Fight(battle([FOUR], [NINE]), *CHECKS, *(6, 1) * 4, 6), lines=False)
    [march] = [one.march for one in fight.events(MarchBegun)]
    foes = [fight.now.figures[id].at for id in fight.unit("1.1").figures]
    ends = [way[-1] for way in march.ways.values()]
    assert all(any((x - a) ** 2 + (y - b) ** 2 < 205**2 for a, b in foes) for x, y in ends)
    fight.expire()


@pytest.mark.rule("AE-ASLT-01")
def test_a_player_may_draw_the_way_and_one_figure_at_least_ends_in_contact() -> None:
    fight = Fight(battle([ALONE], [PREY]), 4, 4, 6, 1)
    with pytest.raises(IllegalIntent, match="charge/no-contact"):
        fight.do(0, Charge(GroupId("0.1"), GroupId("1.1"), cm((90, 49))))
    fight.do(0, Charge(GroupId("0.1"), GroupId("1.1"), cm((86, 46), (90, 49.98))))
    assert fight.place("0.1.1") == (90, 49.98)


@pytest.mark.rule("AE-ASLT-04", "AE-MOR-03")
def test_a_charged_unit_that_fails_its_check_surrenders_without_a_fight() -> None:
    friend = squad((92, 52), (120, 100))
    fight = charge(Fight(battle([ALONE], [PREY, friend]), 4, 1))
    assert not fight.events(RoundFought)
    assert [(one.unit, one.captor) for one in fight.events(Surrendered)] == [("1.1", "0.1")]
    assert not fight.events(DuelFought)
    assert fight.unit("0.1").acted


@pytest.mark.rule("AE-ASLT-04", "AE-MOR-03")
def test_a_suppressed_unit_surrenders_at_contact() -> None:
    weary = squad((90, 52), suppressed=True)
    friend = squad((92, 52), (120, 100))  # as near as the chargers, and would save it otherwise
    fight = charge(Fight(battle([ALONE], [weary, friend]), 4))
    assert [one.unit for one in fight.events(Surrendered)] == ["1.1"]


@pytest.mark.rule("AE-ASLT-05")
def test_tied_duels_are_rolled_again() -> None:
    equal = squad((90, 40), ccr=1)
    fight = charge(Fight(battle([equal], [PREY]), *CHECKS, 3, 3, 5, 5, 2, 3))
    assert totals(fight) == [(4, 5)]
    assert [count for _, purpose, count in fight.rolls if purpose == "ae.dice.duel"] == [1] * 6


@pytest.mark.rule("AE-ASLT-06")
@pytest.mark.parametrize(("kind", "worth"), [("", 0), ("broken", 1), ("trench", 2)])
def test_the_charged_have_the_cover_that_they_stand_in_and_chargers_none(kind: str, worth: int) -> None:
    pieces = (block("p", kind, 80, 30, 100, 60),) if kind else ()
    fight = charge(Fight(battle([ALONE], [PREY], features=pieces), *CHECKS, 6, 1))
    assert totals(fight) == [(6 + 4 + 1, 1 + 2 + worth)]


@pytest.mark.rule("AE-ASLT-07")
def test_in_the_round_of_a_charge_only_chargers_double_up() -> None:
    three, hard = squad(*row(3, 90, 40), ccr=5), squad((90, 52), ccr=4, fired=True)
    fight = charge(Fight(battle([three], [hard]), *CHECKS, 1, 6, 1, 6, 2, 5, 4))
    # two die, and the third has +2 for those before him
    assert totals(fight) == [(1 + 5 + 1, 6 + 4), (1 + 5 + 1 + 1, 6 + 4), (2 + 5 + 1 + 2, 5 + 4)]


@pytest.mark.rule("AE-ASLT-07")
def test_owners_order_their_figures_sealed_and_the_leader_is_last_by_default() -> None:
    pair, other = squad(*row(2, 90, 40), ccr=5), squad(*row(2, 90, 52), ccr=2, fired=True)
    fight = Fight(battle([pair], [other]), *CHECKS, 6, 1, 6, 1)
    charge(fight, lines=False)
    assert fight.asked == ("ae.duels", (0, 1))
    fight.answer(0, Reply("line", {"line": ["piece/0.1.1", "piece/0.1.2"]}))
    fight.expire()
    assert [(one.charger, one.charged) for one in fight.events(DuelFought)] == [("0.1.1", "1.1.2"), ("0.1.2", "1.1.1")]


@pytest.mark.rule("AE-ASLT-07", "AE-OPEN-02")
def test_single_figures_are_not_asked() -> None:
    fight = charge(Fight(battle([ALONE], [PREY]), *CHECKS, 6, 1), lines=False)
    assert fight.asked is None
    assert fight.now.ended == "destroyed"


@pytest.mark.rule("AE-ASLT-07")
def test_the_charged_do_not_pile_on_in_the_first_round_and_the_larger_side_does_later() -> None:
    pair, six = squad(*row(2, 90, 40), ccr=4), squad(*row(6, 85, 52), ccr=2, fired=True)
    fight = charge(Fight(battle([pair], [six]), *CHECKS, 6, 1, 6, 1, 6, *(6, 1) * 4))
    assert len(totals(fight)) == 2
    fight.do(1, FightOn(GroupId("1.1")))
    assert [one[1] for one in totals(fight)[2:]] == [1 + 2, 1 + 2 + 1, 1 + 2, 1 + 2 + 1]


@pytest.mark.rule("AE-ASLT-08")
def test_equal_losses_ask_for_no_check() -> None:
    pair, other = squad(*row(2, 90, 40), ccr=2), squad(*row(2, 90, 52), ccr=2, fired=True)
    fight = charge(Fight(battle([pair], [other], options=NO_SARGE), *CHECKS, 6, 1, 1, 6))
    assert [one.lost for one in fight.events(RoundFought)] == [(1, 1)]
    assert [one.why for one in fight.events(MoraleChecked)] == ["charge", "charged"]


@pytest.mark.rule("AE-ASLT-08", "AE-MOR-06")
def test_a_unit_whose_leader_falls_checks_twice_even_if_it_has_not_lost_the_round() -> None:
    pair, other = squad(*row(2, 90, 40), ccr=2), squad(*row(2, 90, 52), ccr=2, fired=True)
    fight = charge(Fight(battle([pair], [other]), *CHECKS, 6, 1, 1, 6, 4, 1))
    assert [one.unit for one in fight.events(Surrendered)] == ["0.1"]


@pytest.mark.rule("AE-ASLT-08", "AE-EXP-02")
def test_experienced_troops_check_a_lost_round_only_for_two_losses_or_their_leader() -> None:
    pair = squad(*row(2, 90, 40), ccr=5)
    for experience, lost in (("green", 1), ("experienced", 0)):
        prey = squad(*row(5, 85, 52), ccr=2, fired=True, experience=experience)
        dice = (*CHECKS, 6, 1, 1, 6) if not lost else (*CHECKS, 6, 1, 6, 1, 6)
        fight = charge(Fight(battle([pair], [prey], options=NO_SARGE), *dice))
        assert len(fight.events(MoraleChecked)) == 2 + lost


@pytest.mark.rule("AE-ASLT-10")
def test_an_engaged_unit_fights_a_round_as_its_action_and_does_nothing_else() -> None:
    pair, trio = squad(*row(2, 90, 40), ccr=2), squad(*row(3, 90, 52), ccr=2, fired=True)
    other = squad((20, 20))
    fight = charge(Fight(battle([pair, other], [trio], options=NO_SARGE), *CHECKS, 6, 1, 1, 6, 1, 6))
    with pytest.raises(IllegalIntent, match="act/not-yours"):
        fight.do(1, FightOn(GroupId("0.1")))
    with pytest.raises(IllegalIntent, match="act/engaged"):
        fight.do(1, Charge(GroupId("1.1"), GroupId("0.1")))
    fight.do(1, Finish(GroupId("1.1")))
    assert len(fight.events(RoundFought)) == 2


@pytest.mark.rule("AE-ASLT-10", "AE-TURN-04")
def test_open_combats_are_fought_out_before_the_administration_phase() -> None:
    pair, trio = squad(*row(2, 90, 40), ccr=3), squad(*row(3, 90, 52), ccr=3, fired=True, acted=True)
    rounds = (6, 1, 6, 1, 6, 1, 6, 6, 1)
    fight = charge(Fight(battle([pair], [trio]), *CHECKS, *rounds))
    assert fight.now.combats == ()
    assert len(fight.events(CombatEnded)) == 1


@pytest.mark.rule("AE-SEAT-04", "AE-ASLT-10")
def test_a_third_side_stays_out_of_a_fight() -> None:
    pair, trio, third = squad(*row(2, 90, 40)), squad(*row(3, 90, 52), fired=True), squad((96, 64), (98, 64))
    state = battle([pair], [trio], [third], sides=(), options=NO_SARGE, order=(0, 2, 1))
    fight = charge(Fight(state, *CHECKS, 6, 1, 1, 6))
    with pytest.raises(IllegalIntent, match="charge/their-fight"):
        charge(fight, unit="2.1", target="1.1")


@pytest.mark.rule("AE-ASLT-10", "AE-ASLT-06")
def test_a_supporting_charge_joins_the_fight_with_a_bonus_of_its_own() -> None:
    pair, trio = squad(*row(2, 90, 40), ccr=2), squad(*row(3, 90, 52), ccr=2, fired=True)
    support = squad(*row(2, 100, 60), ccr=2)
    joined = (4, 6, 1, 6, 6, 1, 1, 6, 5)
    state = battle([pair, support], [trio, squad((20, 20))], options=NO_SARGE)
    fight = charge(Fight(state, *CHECKS, 1, 6, 6, 1, *joined))
    fight.do(1, Finish(GroupId("1.2")))
    charge(fight, unit="0.2")
    assert fight.now.combats[0].chargers == ("0.1", "0.2")
    # the bonus of a charge is for those who have just come; the one after another has another
    assert totals(fight)[2:] == [(1 + 2, 6 + 2), (6 + 2 + 1 + 1, 1 + 2), (1 + 2 + 1, 6 + 2)]


@pytest.mark.rule("AE-ASLT-02")
def test_a_charged_unit_that_has_not_fired_fires_at_the_chargers_half_way() -> None:
    three, prey = squad(*row(3, 90, 40), ccr=5), squad((90, 52), ccr=2)
    fight = Fight(battle([three], [prey, FAR]), 4, 6, 1, 1, 2, 5, 6, 1)
    charge(fight)
    assert fight.asked == ("ae.march", (1,))
    fight.expire().expire()  # to fire is the default; then the lines in their usual order
    assert fight.unit("0.1").figures == ("0.1.1", "0.1.3")
    events = fight.events(MarchGone, UnitFired)
    before = events[next(n for n, one in enumerate(events) if isinstance(one, UnitFired)) - 1]
    assert before.places[FigureId("0.1.1")][1] == 4499  # half of the lead's way
    assert fight.unit("1.1").fired


@pytest.mark.rule("AE-ASLT-02")
@pytest.mark.parametrize("state", ["fired", "suppressed"])
def test_a_unit_that_has_fired_or_is_suppressed_gives_no_defensive_fire(state: str) -> None:
    prey = squad((90, 52), ccr=2, fired=state == "fired", suppressed=state == "suppressed")
    dice = (4, 4, 6, 1) if state == "fired" else (4,)
    fight = charge(Fight(battle([ALONE], [prey, FAR]), *dice))
    assert fight.unit("1.1").fate


@pytest.mark.rule("AE-ASLT-03", "AE-GEN-04")
def test_chargers_do_not_check_for_the_fire_on_their_way() -> None:
    three, prey = squad(*row(3, 90, 40), ccr=5), squad((90, 52), ccr=2)
    fight = charge(Fight(battle([three], [prey, FAR]), 4, 6, 1, 1, 2, 5, 6, 1)).expire().expire()
    assert [one.why for one in fight.events(MoraleChecked)] == ["charge", "charged"]
    assert len(fight.unit("0.1").figures) == 2


@pytest.mark.rule("AE-TURN-05", "AE-ASLT-10")
def test_the_example_of_a_turn() -> None:
    ours = [squad((60, 40), (62.5, 40)), squad((70, 50), (70, 52.5)), squad((46, 46), (46, 48.5))]
    theirs = [squad((60, 70), (62.5, 70)), squad((50, 30), (50, 27.5)), squad((100, 60), overwatch=True)]
    ones, duels = (1,) * 6, (6, 1, 1, 6)
    charges = (5, 1, 1, 1, 5, *duels, 5, 5, *duels, 5, 5, 1, 6)
    fight = Fight(battle(ours, theirs, options=NO_SARGE), *ones, *ones, *charges, 6, 1)
    fight.do(0, Move(GroupId("0.1"), cm((60, 42)))).expire().do(0, Fire(GroupId("0.1"), GroupId("1.1")))
    fight.do(1, Move(GroupId("1.1"), cm((60, 68)))).do(1, Fire(GroupId("1.1"), GroupId("0.1")))
    fight.do(0, Charge(GroupId("0.2"), GroupId("1.1")))
    fight.answer(1, Reply("answer", {"each": {"group/1.3": "300"}})).expire().expire()
    assert fight.unit("1.3").acted  # the shot was its action
    charge(fight, unit="1.2", target="0.1")  # a unit that has acted can be charged
    charge(fight, unit="0.3", target="1.2")  # and another joins the fight
    assert fight.now.turn == 1
    assert fight.events(CombatJoined)
    assert fight.asked == ("ae.overwatch", (0, 1))  # nobody is left to act: the administration phase


@pytest.mark.rule("AE-ASLT-01")
def test_another_figure_leads_a_charge_that_the_leader_cannot() -> None:
    pair, prey = squad((90, 30), (90, 35), ccr=4), squad((90, 55), ccr=2, fired=True)
    fight = charge(Fight(battle([pair], [prey, FAR]), *CHECKS, 6, 1))
    [march] = [one.march for one in fight.events(MarchBegun)]
    assert march.lead == "0.1.2"
    assert fight.place("0.1.2") == (90, 52.98)
    with pytest.raises(IllegalIntent, match="charge/out-of-reach"):
        Fight(battle([pair], [prey])).do(0, Charge(GroupId("0.1"), GroupId("1.1"), lead=FigureId("0.1.1")))


@pytest.mark.rule("AE-ASLT-01", "AE-MOVE-01")
def test_chargers_go_neither_through_those_they_charge_nor_near_others() -> None:
    trio = squad((90, 50), (87, 50), (90, 54), ccr=2, fired=True)
    with pytest.raises(IllegalIntent, match="move/enemy"):
        Fight(battle([ALONE], [trio])).do(0, Charge(GroupId("0.1"), GroupId("1.1"), cm((90, 56.02))))
    other = squad((91.9, 46))
    with pytest.raises(IllegalIntent, match="move/too-near"):
        Fight(battle([ALONE], [trio, other])).do(0, Charge(GroupId("0.1"), GroupId("1.1"), cm((90, 47.98))))


@pytest.mark.rule("AE-ASLT-01", "AE-ASLT-05")
def test_what_a_prompt_offers_for_a_charge_can_be_declared() -> None:
    pair, prey = squad((90, 30), (90, 35), ccr=4), squad((90, 55), ccr=2, fired=True)
    state = battle([pair], [prey, FAR])
    fields: dict[str, Any] = {}
    for key in ("unit", "target", "lead", "way"):
        field: Any = VERBS.detail(state, Seat(0), "charge", fields)
        assert field.key == key
        if key == "target":  # 4 + 1 against 2: of 30 pairs of dice that differ, 3 more wins 27 of 33
            assert field.options[0].numbers == {"cm": 18, "figures": 2, "against": 1, "duel": 90}
        fields[key] = list(field.default) or [option.id for option in field.options][:1]
    assert fields["lead"] == ["piece/0.1.2"]
    assert fields["way"] == [9000, 5298]
    intent = VERBS.parse(state, Seat(0), Reply("charge", fields))
    assert Fight(state).may(0, intent)


@pytest.mark.rule("AE-ASLT-10")
def test_a_unit_that_is_engaged_gives_up_overwatch() -> None:
    pair = squad(*row(2, 90, 40), ccr=2)
    trio = squad(*row(3, 90, 52), ccr=2, overwatch=True)
    fight = Fight(battle([pair, squad((20, 20))], [trio], options=NO_SARGE), *CHECKS, 6, 1, 1, 6)
    charge(fight).answer(1, "hold").expire().expire()
    assert fight.now.combats
    assert not fight.unit("1.1").overwatch


@pytest.mark.rule("AE-SCEN-02", "AE-ASLT-01")
def test_a_charge_alarms_a_side_that_is_asleep() -> None:
    fight = charge(Fight(battle([ALONE], [PREY, FAR], table={"alarm": 1}), 1))
    assert fight.now.alarmed


@pytest.mark.rule("AE-OPEN-25", "AE-ASLT-01", "AE-ASLT-06")
def test_the_frenzied_charge_without_a_check_and_fight_better() -> None:
    wild = squad((90, 40), ccr=4, effects=(Effect("frenzy", GroupId("0.2")),))
    fight = charge(Fight(battle([wild], [PREY, FAR]), 5, 6, 1))
    assert [one.why for one in fight.events(MoraleChecked)] == ["charged"]
    assert totals(fight)[-1] == (6 + 4 + 1 + 2, 1 + 2)


@pytest.mark.rule("AE-ASLT-01", "AE-ASLT-10")
def test_who_may_not_charge_and_what_may_not_be_charged() -> None:
    hidden, truck = squad((90, 52), hidden=True), vehicle((90, 40), weapons=())
    for own, other, code in (
        (ALONE, hidden, "charge/no-target"),
        (truck, PREY, "move/on-foot"),
        (ALONE, vehicle((90, 52), weapons=()), "charge/no-explosives"),
    ):
        with pytest.raises(IllegalIntent, match=code):
            Fight(battle([own], [other, FAR])).do(0, Charge(GroupId("0.1"), GroupId("1.1")))
    fight = Fight(battle([squad((90, 38))], [PREY, FAR])).do(0, Move(GroupId("0.1"), cm((90, 40))))
    with pytest.raises(IllegalIntent, match="charge/moved"):
        fight.do(0, Charge(GroupId("0.1"), GroupId("1.1")))


@pytest.mark.rule("AE-ASLT-01")
def test_others_end_at_chosen_places_in_one_chain() -> None:
    pair = squad((90, 40), (92.5, 40), ccr=4)
    for at, fits in (((93, 45), True), ((80, 42), False)):
        places = {FigureId("0.1.2"): cm(at)[0]}
        intent = Charge(GroupId("0.1"), GroupId("1.1"), cm((90, 49.98)), places=places)
        assert Fight(battle([pair], [PREY, FAR])).may(0, intent) is fits
    fight = Fight(battle([pair], [PREY, FAR]), *CHECKS, 6, 1)
    fight.do(0, Charge(GroupId("0.1"), GroupId("1.1"), cm((90, 49.98)), places={FigureId("0.1.2"): cm((93, 45))[0]}))
    fight.expire()
    assert fight.place("0.1.2") == (93, 45)
    intent = Charge(GroupId("0.1"), GroupId("1.1"), cm((92.5, 44), (90, 49.98)), FigureId("0.1.2"))
    assert Fight(battle([pair], [PREY, FAR])).may(0, intent)


@pytest.mark.rule("AE-ASLT-01")
def test_a_charge_goes_round_a_place_that_is_taken() -> None:
    friend = squad((90, 50.02), ccr=4)
    fight = charge(Fight(battle([ALONE, friend], [PREY, FAR]), *CHECKS, 6, 1))
    assert fight.place("0.1.1") != (90, 49.98)
    assert fight.now.units[GroupId("1.1")].fate == "destroyed"


@pytest.mark.rule("AE-ASLT-01")
def test_chargers_of_whom_nobody_comes_into_contact_stop_without_a_fight() -> None:
    pair, prey = squad((90, 34), (90, 40), ccr=4), squad((90, 57), ccr=2, arms=(("sr",),))
    fight = Fight(battle([pair], [prey, FAR]), 4, 4).do(0, Charge(GroupId("0.1"), GroupId("1.1")))
    fight.expire()
    assert fight.unit("0.1").figures == ("0.1.1",)  # the other alone would have come there
    assert fight.now.combats == ()
    assert fight.unit("0.1").acted
    assert fight.place("0.1.1")[1] > 40


@pytest.mark.rule("AE-ASLT-04", "AE-EXP-03", "AE-MOR-03")
def test_veterans_check_when_charged_by_twice_their_number_those_in_the_fight_already_too() -> None:
    pair = squad(*row(2, 90, 52), ccr=2, fired=True, experience="veteran")
    trio, support = squad(*row(3, 90, 40), ccr=2), squad((80, 52), ccr=2)
    state = battle([trio, support], [pair, FAR], options=NO_SARGE)
    fight = charge(Fight(state, 4, 6, 1, 1, 6, 4, 4, 6, 1))
    assert [one.why for one in fight.events(MoraleChecked)] == ["charge"]  # three are less than twice two
    fight.do(1, Finish(GroupId("1.2")))
    charge(fight, unit="0.2")
    assert [one.why for one in fight.events(MoraleChecked)] == ["charge", "charge", "charged"]


@pytest.mark.rule("AE-ASLT-06", "AE-ASLT-05")
def test_an_assassin_has_two_more_in_its_first_duel() -> None:
    killer = squad((90, 40), ccr=4, abilities=("assassin",))
    fight = charge(
        Fight(
            battle([killer], [squad(*row(3, 88, 52), fired=True), FAR], options=NO_SARGE), *CHECKS, 6, 1, 6, 6, 1, 6, 1
        )
    )
    fight.do(1, FightOn(GroupId("1.1")))
    assert [one[0] for one in totals(fight)] == [6 + 4 + 1 + 2, 6 + 4, 6 + 4]


@pytest.mark.rule("AE-ASLT-07")
def test_in_the_round_of_a_support_only_its_side_doubles_up() -> None:
    five, pair = squad(*row(5, 88, 40), ccr=2), squad(*row(2, 92, 52), ccr=2, fired=True)
    state = battle([five, squad((20, 20))], [pair, squad((92, 64), ccr=2)], options=NO_SARGE)
    fight = charge(Fight(state, *CHECKS, 6, 1, 1, 6, 1, 6, 4, 4, 4, 1, 6, 6, 1))
    charge(fight, unit="1.2", target="0.1")
    assert len(totals(fight)) == 5  # three chargers are left, but there are two duels


@pytest.mark.rule("AE-ASLT-08")
def test_of_a_losing_side_only_units_that_lost_figures_check() -> None:
    combat = Combat(1, (GroupId("0.1"),), (GroupId("1.1"), GroupId("1.2")), fresh=(GroupId("0.1"),))
    pair, trio = squad(*row(2, 90, 50)), squad(*row(3, 90, 52))
    state = battle([pair], [trio, squad(*row(2, 98, 52))], combats=(combat,), options=NO_SARGE)
    fight = Fight(state, 6, 1, 6, 1, 5).do(0, FightOn(GroupId("0.1")))
    assert [one.unit for one in fight.events(MoraleChecked)] == ["1.1"]


@pytest.mark.rule("AE-ASLT-10", "AE-COH-03", "AE-ASLT-08")
def test_a_side_that_can_put_up_nobody_breaks() -> None:
    state = battle([ALONE], [PREY, squad((92, 52), (120, 100))])
    shaken = msgspec.structs.replace(state.figures[FigureId("1.1.1")], shaken=True)
    state = msgspec.structs.replace(state, figures={**state.figures, shaken.id: shaken})
    fight = charge(Fight(state, *CHECKS))
    assert [one.unit for one in fight.events(Surrendered)] == ["1.1"]


@pytest.mark.rule("AE-ASLT-10", "AE-MOR-03")
def test_an_engaged_unit_that_a_blast_suppresses_surrenders_to_its_enemies_in_the_fight() -> None:
    pair, trio = squad(*row(2, 90, 40), ccr=2), squad(*row(3, 90, 52), ccr=2, fired=True)
    friend = squad((88, 52), (20, 20))
    fight = charge(Fight(battle([pair], [trio, friend], options=NO_SARGE), *CHECKS, 6, 1, 1, 6))
    broken = msgspec.structs.replace(fight.unit("1.1"), suppressed=True)
    state = msgspec.structs.replace(fight.now, units={**fight.now.units, broken.id: broken})
    again = Fight(state).do(1, Finish(GroupId("1.2")))
    assert [(one.unit, one.captor) for one in again.events(Surrendered)] == [("1.1", "0.1")]
    assert again.now.combats == ()


@pytest.mark.rule("AE-ASLT-10")
def test_winners_close_ranks() -> None:
    # the leader falls, and the two who are left are far apart
    trio = squad((90, 40), (90, 36), (90, 44), ccr=2)
    fight = charge(Fight(battle([trio], [PREY, FAR], options=NO_SARGE), *CHECKS, 6, 1))
    assert stands.loose(fight.now, fight.unit("0.1")) == ()
    scattered = battle([squad((90, 50), (90, 59), ccr=2)], [PREY, FAR], options=NO_SARGE)
    combat = Combat(1, (GroupId("0.1"),), (GroupId("1.1"),))
    gone = msgspec.structs.replace(scattered.units[GroupId("1.1")], figures=(), where="gone", fate="destroyed")
    state = msgspec.structs.replace(scattered, combats=(combat,), units={**scattered.units, gone.id: gone})
    fight = Fight(state)
    assert fight.now.combats == ()
    assert fight.place("0.1.2") == (90, 58)


@pytest.mark.rule("AE-ASLT-03")
def test_those_who_only_move_do_check_for_the_fire_on_their_way() -> None:
    ways = {FigureId("0.1.1"): cm((1, 1), (2, 2))}
    march = March(GroupId("0.1"), "move", FigureId("0.1.1"), ways, 1200)
    assert reactions.spared(march) == ()
    assert reactions.spared(msgspec.structs.replace(march, how="charge")) == ("0.1",)


@pytest.mark.rule("AE-ASLT-01", "AE-TURN-02")
def test_a_unit_that_has_used_a_power_may_charge() -> None:
    state = battle([ALONE], [PREY], active=Activation(GroupId("0.1"), POWERS))
    assert Fight(state).may(0, Charge(GroupId("0.1"), GroupId("1.1")))


@pytest.mark.rule("AE-ASLT-02")
def test_who_gives_defensive_fire_and_who_is_asked() -> None:
    combat = Combat(1, (GroupId("0.2"),), (GroupId("1.1"),))
    for hidden, combats, gives in ((False, (), True), (True, (), False), (False, (combat,), False)):
        state = battle([ALONE, ALONE], [squad((90, 52), hidden=hidden)], combats=combats)
        assert reactions.defends(state, state.units[GroupId("1.1")]) is gives
    march = March(GroupId("0.1"), "charge", FigureId("0.1.1"), {FigureId("0.1.1"): cm((90, 40), (90, 50))}, 1800)
    march = msgspec.structs.replace(march, target=GroupId("1.1"))
    for watch, asked in ((True, [1]), (False, [])):
        state = battle([ALONE], [PREY, squad((20, 110), overwatch=watch)])
        assert reactions.concerned(state, march) == asked


@pytest.mark.rule("AE-ASLT-01")
def test_the_nearest_after_the_leader_leads_a_charge() -> None:
    """Whoever is nearest to any of the target, where the leader does not come there."""
    own = squad((87, 39), (82, 45), (92, 45), ccr=4)
    state = battle([own], [squad((90, 60), (70, 60), fired=True), FAR])
    assert approaches.approach(state, GroupId("0.1"), GroupId("1.1")).lead == "0.1.3"


@pytest.mark.rule("AE-ASLT-01", "AE-ASLT-10", "AE-SEAT-04")
def test_why_a_unit_may_not_charge() -> None:
    wall = block("b", "house", 84, 44, 96, 47)
    truck = vehicle((90, 50), weapons=())
    theirs = (Combat(1, (GroupId("1.1"),), (GroupId("2.1"),)),)
    engaged = squad((110, 54))
    cases: tuple[tuple[str, Any, Any, dict[str, Any]], ...] = (
        ("", ALONE, PREY, {}),
        ("charge/fired", squad((90, 40), fired=True), PREY, {}),
        ("move/on-foot", truck, PREY, {}),
        ("charge/too-far", ALONE, squad((90, 60.01)), {}),
        ("", ALONE, squad((90, 60)), {}),
        ("charge/no-target", ALONE, squad((90, 52), hidden=True), {}),
        ("charge/no-sight", ALONE, PREY, {"features": (wall,)}),
        ("charge/no-explosives", ALONE, truck, {}),
        ("", squad((90, 40), weapons=("fr",)), truck, {}),
        ("fire/dust", ALONE, PREY, {"table": {"dust": True}}),
        ("charge/their-fight", ALONE, PREY, {"combats": theirs}),
    )
    for code, own, prey, table in cases:
        state = battle([own, FAR], [prey, FAR], [engaged], sides=(), **table)
        assert Fight(state).why_not(0, Charge(GroupId("0.1"), GroupId("1.1"))) == code


@pytest.mark.rule("AE-ASLT-02", "AE-OVER-02")
def test_a_seat_that_hides_a_unit_is_asked_at_every_move() -> None:
    march = March(GroupId("0.1"), "move", FigureId("0.1.1"), {FigureId("0.1.1"): cm((90, 40), (90, 45))}, 1200)
    for hidden, asked in ((True, [1]), (False, [])):
        state = battle([ALONE], [squad((20, 110), hidden=hidden)])
        assert reactions.concerned(state, march) == asked


@pytest.mark.rule("AE-ASLT-10")
def test_combats_are_numbered_from_one() -> None:
    ours = [squad(*row(2, 90, 40), ccr=2), squad(*row(2, 20, 40), ccr=2)]
    theirs = [squad(*row(3, 90, 52), ccr=2, fired=True), squad(*row(3, 20, 52), ccr=2, fired=True)]
    even = (4, 4, 6, 1, 1, 6)
    fight = charge(Fight(battle(ours, [*theirs, FAR], options=NO_SARGE), *even, *even))
    fight.do(1, Finish(GroupId("1.3")))
    charge(fight, unit="0.2", target="1.2")
    assert [one.combat.number for one in fight.events(CombatBegun)] == [1, 2]
    assert [one.number for one in fight.now.combats] == [1, 2]
