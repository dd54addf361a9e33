"""The table, deployment, characters, reserves, scouts, the mission (OP-SETUP, OP-UNIT-02, -03, OP-SR-02, -17)."""

from __future__ import annotations

from itertools import combinations

import msgspec
import pytest

from engine.core.rules.errors import ContentRefused, IllegalIntent
from engine.rulesets.one_page.rules import deployment, rounds, scoring, traits
from engine.rulesets.one_page.rules.activations import Finish
from engine.rulesets.one_page.rules.arrivals import DeployRest, Join, Keep
from engine.rulesets.one_page.rules.deployment import Deploy
from engine.rulesets.one_page.rules.transports import Load
from engine.rulesets.one_page.state.events import BattleEnded
from engine.rulesets.one_page.state.model import Lot
from engine.rulesets.one_page.state.placing_events import PlacingBegun, SidesTaken, TerrainLaid
from engine.rulesets.one_page.state.state import Battle, SeatState
from engine.rulesets.one_page.system import system
from engine.space.terrain.gaps import outlines_gap
from protocol.ids import GroupId
from tests.support.systems import op_shipped
from tests.support.systems.battle import Fight, Squad, battle, row, squad

GROUP_1_1 = GroupId("1.1")

GROUP_0_1 = GroupId("0.1")
GROUP_0_2 = GroupId("0.2")
GROUP_1_2 = GroupId("1.2")
GROUP_0_3 = GroupId("0.3")


def opening(own: list[Squad], enemy: list[Squad], **changes: object) -> Battle:
    """Return the first state: all units are off the table."""
    state = battle(own, enemy)
    units = {id: msgspec.structs.replace(unit, where="away") for id, unit in state.units.items()}
    seats = (SeatState(), SeatState())
    return msgspec.structs.replace(state, units=units, seats=seats, phase="", round=0, **changes)


def begun(own: list[Squad], enemy: list[Squad] | None = None, *dice: int) -> Fight:
    """Seat 0 won the roll-off, chose the south, and deploys."""
    return Fight(opening(own, enemy or [squad((0, 0))]), 6, 1, *dice).answer(0, "south")


@pytest.mark.rule("OP-SETUP-02", "OP-OPEN-15")
def test_the_dice_lay_fifteen_pieces_three_inches_apart() -> None:
    state = opening([squad((0, 0))], [squad((0, 0))])
    lots = (Lot("forest", 8), Lot("building", 7))
    scenario = msgspec.structs.replace(state.resolved.scenario, lots=lots)
    resolved = msgspec.structs.replace(state.resolved, scenario=scenario)
    fight = Fight(msgspec.structs.replace(state, resolved=resolved), *range(1, 99), *range(1, 85))
    [laid] = fight.events(TerrainLaid)
    assert len(laid.features) == 15
    for one, other in combinations(laid.features, 2):
        assert outlines_gap(one.outline, other.outline) >= 300
    for table in op_shipped.content().scenarios.values():
        # the table of the first lesson is small, so that both sides meet at once
        assert table.size == ((4800, 4000) if table.id == "first_clash" else (9600, 7200))
        assert len(table.features) + sum(lot.count for lot in table.lots) >= 15


@pytest.mark.rule("OP-SETUP-02")
def test_a_table_with_fewer_pieces_is_refused() -> None:
    texts = op_shipped.texts()
    bare = texts["scenario_open_field_3000.toml"].replace("count = 5", "count = 4")
    with pytest.raises(ContentRefused, match="14 pieces of terrain: a table has 15"):
        system.content({**texts, "scenario_open_field_3000.toml": bare})


@pytest.mark.rule("OP-SETUP-03")
def test_the_winner_of_the_roll_off_chooses_a_side_and_deploys_first() -> None:
    fight = Fight(opening([squad((0, 0))], [squad((0, 0))]), 3, 3, 2, 5)
    assert fight.asked == ("op.side", (1,))
    fight.answer(1, "north")
    [taken] = fight.events(SidesTaken)
    assert (taken.seat, taken.side, fight.now.seats[0].side) == (1, "north", "south")
    assert fight.now.acting == 1
    fight.do(1, DeployRest())
    assert fight.now.acting == 0
    fight.do(0, DeployRest())
    assert (fight.now.phase, fight.now.round, fight.now.acting) == ("battle", 1, 1)


@pytest.mark.rule("OP-SETUP-03")
def test_whole_bases_stand_within_twelve_inches_of_the_own_edge() -> None:
    fight = begun([squad((0, 0)), squad((0, 0))])
    for place in ((3000, 1151), (3000, 49), (40, 500)):
        with pytest.raises(IllegalIntent):
            fight.do(0, Deploy(GROUP_0_1, place))
    fight.do(0, Deploy(GROUP_0_1, (3000, 1150)))
    assert fight.place("0.1.1") == (3000, 1150)
    with pytest.raises(IllegalIntent):
        fight.do(0, Deploy(GROUP_0_2, (3000, 1000)))


@pytest.mark.rule("OP-UNIT-02")
def test_two_copies_of_infantry_become_one_big_unit() -> None:
    copies = [squad(*row(3, 0, 0)), squad(*row(3, 0, 0)), squad(*row(3, 0, 0), id="T-02"), squad((0, 0), kind="walker")]
    fight = begun(copies)
    with pytest.raises(IllegalIntent):
        fight.do(0, Deploy(GROUP_0_1, (3000, 900), twin=GROUP_0_3))
    with pytest.raises(IllegalIntent):
        fight.do(0, Deploy(GROUP_0_1, (3000, 900), twin=GroupId("0.4")))
    fight.do(0, Deploy(GROUP_0_1, (3000, 900), twin=GROUP_0_2))
    assert (len(fight.unit("0.1").figures), fight.unit("0.1").size) == (6, 6)
    assert fight.unit("0.2").where == "joined"


@pytest.mark.rule("OP-UNIT-02")
def test_what_was_bought_for_all_models_is_bought_for_both_copies() -> None:
    state = opening([squad(*row(3, 0, 0)), squad(*row(3, 0, 0))], [squad((0, 0))])
    force = state.resolved.forces[0]
    better = (msgspec.structs.replace(force.units[0], upgrades=("T-01.1",)), force.units[1])
    forces = (msgspec.structs.replace(force, units=better), state.resolved.forces[1])
    for whole, refused in ((("T-01.1",), True), ((), False)):
        resolved = msgspec.structs.replace(state.resolved, forces=forces, whole=whole)
        fight = Fight(msgspec.structs.replace(state, resolved=resolved), 6, 1).answer(0, "south")
        if refused:
            with pytest.raises(IllegalIntent, match="deploy/twin-upgrades"):
                fight.do(0, Deploy(GROUP_0_1, (3000, 900), twin=GROUP_0_2))
        else:
            fight.do(0, Deploy(GROUP_0_1, (3000, 900), twin=GROUP_0_2))


@pytest.mark.rule("OP-UNIT-02")
def test_two_walkers_stay_two_units() -> None:
    fight = begun([squad((0, 0), kind="walker"), squad((0, 0), kind="walker")])
    with pytest.raises(IllegalIntent, match="deploy/twin"):
        fight.do(0, Deploy(GROUP_0_1, (3000, 900), twin=GROUP_0_2))


@pytest.mark.rule("OP-UNIT-03")
def test_a_character_joins_infantry_of_his_quality() -> None:
    hero = squad((0, 0), kind="hero", tough=3, rules=["fearless", "fast"], id="T-02")
    other = squad((0, 0), kind="hero", tough=3, id="T-03")
    fight = begun([squad(*row(3, 0, 0)), squad(*row(3, 0, 0), quality=5), hero, other])
    fight.do(0, Deploy(GROUP_0_1, (3000, 600))).do(0, Deploy(GROUP_0_2, (5000, 600)))
    with pytest.raises(IllegalIntent):
        fight.do(0, Join(GROUP_0_3, GROUP_0_2))
    fight.do(0, Join(GROUP_0_3, GROUP_0_1))
    unit = fight.unit("0.1")
    assert (unit.leader, unit.figures[-1], unit.size) == ("0.1.1", "0.3.1", 4)
    assert not traits.has(fight.now, unit, "fast")
    assert not traits.has(fight.now, unit, "fearless")
    with pytest.raises(IllegalIntent):
        fight.do(0, Join(GroupId("0.4"), GROUP_0_1))


@pytest.mark.rule("OP-SR-01", "OP-UNIT-03")
def test_armour_holds_if_half_of_the_models_have_it() -> None:
    hero = squad((0, 0), kind="hero", rules=["armored"], id="T-02")
    for models, armoured in ((1, True), (2, False)):
        fight = begun([squad(*row(models, 0, 0)), hero])
        fight.do(0, Deploy(GROUP_0_1, (3000, 600))).do(0, Join(GROUP_0_2, GROUP_0_1))
        assert traits.has(fight.now, fight.unit("0.1"), "armored") is armoured


@pytest.mark.rule("OP-SR-17")
def test_scouts_deploy_last_anywhere_twelve_inches_from_enemies() -> None:
    scout = squad((0, 0), rules=["scout"], id="T-02")
    fight = begun([squad((0, 0)), scout], [squad((0, 0)), scout], 1, 6)
    assert fight.now.placing == ("0.1",)
    fight.do(0, Deploy(GROUP_0_1, (3000, 600))).do(1, Deploy(GROUP_1_1, (3000, 6600)))
    assert [(one.seat, one.phase) for one in fight.events(PlacingBegun)][-1] == (1, "scouts")
    with pytest.raises(IllegalIntent):
        fight.do(1, Deploy(GROUP_1_2, (3000, 1800)))
    fight.do(1, Deploy(GROUP_1_2, (3000, 1900)))
    fight.do(0, Deploy(GROUP_0_2, (3000, 5300)))
    assert fight.now.phase == "battle"


@pytest.mark.rule("OP-SR-02")
def test_deep_strikers_wait_in_reserve_and_come_down_far_from_enemies() -> None:
    deep = squad((0, 0), rules=["deep_strike"], id="T-02")
    fight = begun([squad((0, 0)), deep], None, 3, 4)
    with pytest.raises(IllegalIntent):
        fight.do(0, Keep(GROUP_0_1))
    fight.do(0, Keep(GROUP_0_2)).do(0, Deploy(GROUP_0_1, (3000, 600))).do(1, Deploy(GROUP_1_1, (3000, 6600)))
    assert fight.unit("0.2").where == "reserve"
    fight.do(0, Finish(GROUP_0_1)).do(1, Finish(GROUP_1_1))
    assert (fight.now.round, fight.now.phase) == (2, "battle")
    fight.do(0, Finish(GROUP_0_1)).do(1, Finish(GROUP_1_1))
    assert (fight.now.round, fight.now.placing) == (3, ("0.2",))
    with pytest.raises(IllegalIntent):
        fight.do(0, Deploy(GROUP_0_2, (3000, 5400)))
    fight.do(0, Deploy(GROUP_0_2, (6000, 5000)))
    assert fight.unit("0.2").where == "table"
    assert not fight.unit("0.2").done


@pytest.mark.rule("OP-SETUP-03", "OP-SR-02")
def test_who_finds_no_room_comes_in_by_the_own_edge_in_round_two() -> None:
    state = opening([squad((0, 0)), squad((0, 0))], [squad((0, 0))])
    fight = Fight(state, 6, 1).answer(0, "south")
    late = msgspec.structs.replace(fight.now.units[GROUP_0_2], where="reserve")
    assert deployment.areas(msgspec.structs.replace(fight.now, phase="reserves"), late) == ((0, 0, 9600, 600),)


@pytest.mark.rule("OP-SR-22")
def test_units_may_start_aboard() -> None:
    carrier = squad((0, 0), kind="vehicle", tough=6, size=300, rules=["transport.3"], id="T-09")
    fight = begun([squad(*row(3, 0, 0)), carrier])
    with pytest.raises(IllegalIntent):
        fight.do(0, Load(GROUP_0_1, GROUP_0_2))
    fight.do(0, Deploy(GROUP_0_2, (3000, 600), 90)).do(0, Load(GROUP_0_1, GROUP_0_2))
    assert fight.unit("0.1").vessel == "0.2"


@pytest.mark.rule("OP-SETUP-04")
def test_points_are_for_units_destroyed_or_pinned() -> None:
    state = battle([squad((3000, 1000))], [squad((1, 1), points=n) for n in (100, 50, 20, 7)])
    units = dict(state.units)
    units[GROUP_1_1] = msgspec.structs.replace(units[GROUP_1_1], where="gone", figures=())
    units[GROUP_1_2] = msgspec.structs.replace(units[GROUP_1_2], pinned=True)
    units[GroupId("1.3")] = msgspec.structs.replace(units[GroupId("1.3")], where="reserve")
    after = msgspec.structs.replace(state, units=units)
    assert scoring.score(after, 0) == 150
    assert [(line.k, line.a["points"]) for line in scoring.scored(after, 0)] == [
        ("op.mission.lost", 100),
        ("op.mission.pinned", 50),
    ]
    assert [line.k for line in scoring.scored(after, 1)] == ["op.mission.none"]
    after = msgspec.structs.replace(after, ended="rounds")
    assert (scoring.score(after, 0), scoring.score(after, 1), scoring.winner(after)) == (170, 0, 0)
    assert scoring.winner(state) == -1


@pytest.mark.rule("OP-SETUP-04")
def test_characters_with_a_unit_count_by_themselves() -> None:
    state = battle([squad((3000, 1000))], [squad((1, 1), points=100), squad((2, 2), kind="hero", points=60)])
    joined = msgspec.structs.replace(state.units[GROUP_1_1], joined=(1,), figures=("1.1.1",))
    units = {
        **state.units,
        GROUP_1_1: joined,
        GROUP_1_2: msgspec.structs.replace(state.units[GROUP_1_2], where="joined", figures=()),
    }
    assert scoring.score(msgspec.structs.replace(state, units=units), 0) == 60
    whole = {**units, GROUP_1_1: msgspec.structs.replace(joined, figures=("1.1.1", "1.2.1"))}
    assert scoring.score(msgspec.structs.replace(state, units=whole), 0) == 0
    alone = {**units, GROUP_1_1: msgspec.structs.replace(joined, figures=("1.2.1",))}
    assert scoring.score(msgspec.structs.replace(state, units=alone), 0) == 100
    pinned = {**units, GROUP_1_1: msgspec.structs.replace(joined, figures=("1.1.1", "1.2.1"), pinned=True)}
    assert scoring.score(msgspec.structs.replace(state, units=pinned), 0) == 160


@pytest.mark.rule("OP-SETUP-04", "OP-ACT-01")
def test_the_battle_ends_after_six_rounds() -> None:
    fight = Fight(battle([squad((3000, 1000))], [squad((9000, 6000))], round=6))
    fight.do(0, Finish(GROUP_0_1)).do(1, Finish(GROUP_1_1))
    assert [one.why for one in fight.events(BattleEnded)] == ["rounds"]
    assert rounds.ROUNDS == 6
    result = scoring.result(fight.now)
    assert result is not None
    assert [seat.won for seat in result.seats] == [False, False]
