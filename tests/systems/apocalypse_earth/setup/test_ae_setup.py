"""Initiative, zones, deployment, hidden units, fireteams (AE-SETUP, AE-SEAT, AE-OPEN-09)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.core.match.causes import Conceded
from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent
from engine.rulesets.apocalypse_earth.rules.scenario import deployment
from engine.rulesets.apocalypse_earth.rules.scenario.deployment import Deploy, DeployRest, Split
from engine.rulesets.apocalypse_earth.rules.scenario.setup import start
from engine.rulesets.apocalypse_earth.rules.table import hiding, traits, zones
from engine.rulesets.apocalypse_earth.rules.turns import coherency
from engine.rulesets.apocalypse_earth.state.model import Options, Zone
from engine.rulesets.apocalypse_earth.state.setup_events import (
    HidingPlace,
    OrderSettled,
    PlacingBegun,
    TerrainLaid,
    UnitHid,
    UnitPlaced,
    ZoneTaken,
)
from engine.rulesets.apocalypse_earth.state.state import COMING, DEPLOY, INFILTRATE, NOWHERE, Battle
from engine.rulesets.apocalypse_earth.state.turn_events import TurnStarted
from engine.space.vectors.outlines import contains
from protocol.ids import FigureId, GroupId
from tests.support.systems.ae_battle import Fight, Squad, battle, block, cm, resolved, row, scenario, squad, vehicle

SQUAD = squad(*row(9, 0, 0))
PAIR = squad((0, 0), (0, 0), abilities=("camouflage", "infiltrate"))
UNIT = GroupId("0.1")


def fresh(*forces: list[Squad], sides: tuple[int, ...] = (0, 1), **changes: Any) -> Battle:
    """A match before anything has happened."""
    return start(resolved(forces, scenario(sides, **changes), Options(air=False)), len(forces))


def opened(*forces: list[Squad], dice: tuple[int, ...] = (6, 1), **changes: Any) -> Fight:
    """A match in which seat 0 wins the initiative and takes the south edge."""
    fight = Fight(fresh(*forces, **changes), *dice)
    return fight.answer(0, "0") if fight.asked else fight


@pytest.mark.rule("AE-SETUP-01")
def test_the_winner_chooses_the_edge_and_the_loser_sets_up_first() -> None:
    fight = Fight(fresh([SQUAD], [SQUAD]), 3, 3, 2, 5)  # a tie is rolled again
    assert fight.asked == ("ae.zone", (1,))
    fight.answer(1, "0")
    assert [zones.zone_of(fight.now, seat).edge for seat in (0, 1)] == ["north", "south"]
    assert fight.now.acting == 0
    fight.do(0, DeployRest()).do(1, DeployRest())
    assert fight.asked == ("ae.first", (1,))
    fight.answer(1, "second")
    assert (fight.now.turn, fight.now.acting) == (1, 0)


@pytest.mark.rule("AE-SETUP-01", "AE-SEAT-02")
def test_the_seat_with_the_highest_rating_rolls_for_its_side() -> None:
    state = fresh([SQUAD], [SQUAD], [SQUAD], sides=(0, 0, 1))
    forces = [msgspec.structs.replace(force, initiative=n) for n, force in enumerate(state.resolved.forces)]
    state = msgspec.structs.replace(state, resolved=msgspec.structs.replace(state.resolved, forces=tuple(forces)))
    fight = Fight(state, 6, 1)
    assert [seat for seat, purpose, _ in fight.rolls if purpose == "ae.dice.initiative"] == [1, 2]
    assert fight.asked == ("ae.zone", (1,))


@pytest.mark.rule("AE-SETUP-01", "AE-SEAT-04")
def test_in_a_free_for_all_the_highest_chooses_first_and_the_lowest_deploys_first() -> None:
    three = tuple(Zone(((0, y), (6000, y), (6000, y + 1200), (0, y + 1200)), "west") for y in (1000, 5000, 9000))
    fight = Fight(fresh([SQUAD], [SQUAD], [SQUAD], sides=(0, 1, 2), zones=three), 2, 6, 4)
    state = msgspec.structs.replace(fight.now)
    assert fight.asked == ("ae.zone", (1,))
    fight.answer(1, "2").answer(2, "0")
    assert state.order == (1, 2, 0)
    assert [one.zone for one in fight.now.seats] == [1, 2, 0]
    assert fight.now.acting == 0


@pytest.mark.rule("AE-TURN-03")
def test_initiative_comes_first_then_zones_then_the_forces() -> None:
    fight = opened([SQUAD], [SQUAD]).do(1, DeployRest()).do(0, DeployRest()).answer(0, "first")
    kinds = (TerrainLaid, OrderSettled, ZoneTaken, PlacingBegun, UnitPlaced, TurnStarted)
    order = [type(event) for event in fight.events(*kinds)]
    assert order == [
        *(TerrainLaid, OrderSettled, ZoneTaken, ZoneTaken),
        *(PlacingBegun, UnitPlaced, PlacingBegun, UnitPlaced, TurnStarted),
    ]


@pytest.mark.rule("AE-SEAT-01")
def test_sides_share_friends_and_enemies_and_no_headquarters() -> None:
    allied = battle(
        [squad((90, 50))], [squad((70, 50), role="platoon")], [squad((150, 100))], [squad((20, 20))], sides=(0, 0, 1, 1)
    )
    assert [unit.owner for unit in allied.friends(0)] == [0, 1]
    assert [unit.owner for unit in allied.enemies(0)] == [2, 3]
    assert coherency.superiors(allied, allied.units[UNIT])[1] == []
    alone = battle([squad((90, 50))], [squad((70, 50))], [squad((150, 100))], sides=())
    assert [unit.owner for unit in alone.enemies(0)] == [1, 2]


@pytest.mark.rule("AE-SETUP-03")
def test_a_unit_stands_wholly_in_its_zone_and_in_one_chain() -> None:
    fight = opened([SQUAD], [SQUAD]).do(1, DeployRest())
    for at in ((23, 6), (90, 11.5), (90, 0.5)):
        with pytest.raises(IllegalIntent, match="place/zone"):
            fight.do(0, Deploy(UNIT, cm(at)[0]))
    places = dict(zip(fight.unit("0.1").figures, cm(*row(8, 30, 5), (55.6, 5)), strict=True))
    with pytest.raises(IllegalIntent, match="place/chain"):
        fight.do(0, Deploy(UNIT, places[FigureId("0.1.1")], places=places))
    places[FigureId("0.1.9")] = cm((55.5, 5))[0]  # 6 cm from the eighth, edge to edge
    fight.do(0, Deploy(UNIT, places[FigureId("0.1.1")], places=places))
    assert fight.place("0.1.9") == (55.5, 5)


@pytest.mark.rule("AE-SETUP-03")
def test_all_others_are_placed_by_default_the_middle_first() -> None:
    fight = opened([SQUAD, vehicle((0, 0))], [SQUAD]).do(1, DeployRest()).do(0, DeployRest())
    placed = fight.events(UnitPlaced)
    assert [one.unit for one in placed] == ["1.1", "0.1", "0.2"]
    assert fight.place("0.1.1") == (90, 6)
    assert fight.now.figures[FigureId("0.2.1")].facing == 90
    outline = zones.zone_of(fight.now, 0).outline
    assert all(contains(fight.now.figures[id].at, outline) for one in placed[1:] for id in one.places)


@pytest.mark.rule("AE-SETUP-03")
def test_a_unit_without_room_comes_in_from_turn_two_on() -> None:
    water = block("w", "water", 24, 0, 156, 12)
    fight = opened([SQUAD], [SQUAD], features=(water,)).do(1, DeployRest()).do(0, DeployRest())
    assert fight.unit("0.1").where == COMING


@pytest.mark.rule("AE-SETUP-04")
def test_a_unit_hides_in_cover_and_its_side_alone_knows_where() -> None:
    woods = block("w", "woods", 80, 0, 100, 12)
    fight = opened([SQUAD], [SQUAD], [SQUAD], sides=(0, 0, 1), features=(woods,)).do(2, DeployRest())
    with pytest.raises(IllegalIntent, match="deploy/hidden"):
        fight.do(0, Deploy(UNIT, cm((40, 6))[0], hidden=True))
    fight.do(0, Deploy(UNIT, cm((90, 6))[0], hidden=True))
    assert fight.unit("0.1").hidden
    assert fight.place("0.1.1") == (90, 6)
    [hid] = fight.events(UnitHid)
    assert not hasattr(hid, "places")
    assert fight.events(HidingPlace)[0].audience().seats == (0,)
    ally, enemy = (hiding.known(fight.now, Seat(seat)) for seat in (1, 2))
    assert ally is fight.now
    assert enemy.figures[FigureId("0.1.1")].at == NOWHERE
    assert enemy.units[UNIT].hidden


@pytest.mark.rule("AE-SETUP-04", "AE-OPEN-07")
def test_camouflage_hides_in_the_open() -> None:
    hunters = squad(*row(2, 0, 0), abilities=("camouflage",))
    fight = opened([hunters], [SQUAD]).do(1, DeployRest()).do(0, Deploy(UNIT, cm((60, 6))[0], hidden=True))
    assert fight.unit("0.1").hidden


@pytest.mark.rule("AE-SETUP-01", "AE-SETUP-03", "AE-OPEN-07")
def test_infiltrators_come_last_one_in_turn_far_from_the_enemy() -> None:
    fight = opened([SQUAD, PAIR, PAIR], [SQUAD, PAIR]).do(1, DeployRest()).do(0, DeployRest())
    begun = [(one.seat, one.phase) for one in fight.events(PlacingBegun)]
    assert begun == [(1, DEPLOY), (0, DEPLOY), (1, INFILTRATE)]
    fight.do(1, Deploy(GroupId("1.2"), cm((20, 60))[0]))
    assert fight.now.acting == 0
    with pytest.raises(IllegalIntent, match="place/zone"):
        fight.do(0, Deploy(GroupId("0.2"), cm((45, 60))[0]))
    fight.do(0, Deploy(GroupId("0.2"), cm((49, 60))[0]))
    assert fight.now.acting == 0  # seat 1 has none left
    fight.do(0, DeployRest())
    assert fight.place("0.3.1")[1] < 12


@pytest.mark.rule("AE-OPEN-09")
def test_a_squad_may_be_split_into_fireteams() -> None:
    whole = squad(*row(9, 0, 0), teams=((0, 1, 2), (7, 3, 4), (8, 5, 6)))
    fight = opened([whole, SQUAD], [SQUAD]).do(1, DeployRest()).do(0, Split(UNIT))
    assert list(fight.now.units) == ["0.1", "0.1b", "0.1c", "0.2", "1.1"]
    assert fight.unit("0.1b").figures == ("0.1.8", "0.1.4", "0.1.5")
    teams = [traits.infantry(fight.now, fight.unit(id)) for id in ("0.1", "0.1b", "0.2")]
    assert [team.role for team in teams] == ["fireteam", "fireteam", "squad"]
    with pytest.raises(IllegalIntent, match="deploy/whole"):
        fight.do(0, Split(GroupId("0.2")))
    fight.do(0, DeployRest())
    assert all(unit.where == "table" for unit in fight.now.units.values())


@pytest.mark.rule("AE-SCEN-02")
def test_a_unit_stands_by_each_hut() -> None:
    huts = (block("h1", "house", 50, 20, 58, 28), block("h2", "house", 120, 90, 128, 98))
    zone = Zone(((0, 0), (18000, 0), (18000, 12000), (0, 12000)), "east")
    plan = scenario().seats[0]
    seats = (plan, msgspec.structs.replace(plan, zone=1, near=("h1", "h2")))
    given: dict[str, Any] = {"zones": (zone, zone), "features": huts, "first": 0, "deploys": (1, 0)}
    fight = Fight(fresh([SQUAD], [SQUAD, SQUAD], seats=(msgspec.structs.replace(plan, zone=0), seats[1]), **given))
    with pytest.raises(IllegalIntent, match="deploy/watch"):
        fight.do(1, Deploy(GroupId("1.1"), cm((90, 60))[0]))
    fight.do(1, DeployRest())
    assert deployment.unwatched(fight.now, 1) == []


@pytest.mark.rule("AE-SEAT-01", "AE-SETUP-03")
@pytest.mark.parametrize(("leaves", "acting", "placing"), [(1, 2, "2.1"), (2, 1, "1.1")])
def test_a_concession_ends_the_placing_of_its_own_seat_alone(leaves: int, acting: int, placing: str) -> None:
    away, one = squad(*row(3, 0, 0), where="away"), GroupId("1.1")
    state = battle([away], [away], [away], sides=(0, 1, 1), phase=DEPLOY, acting=1, placing=(one,), placed=(1,))
    fight = Fight(msgspec.structs.replace(state, order=(0, 1)))
    fight.run(Conceded(leaves))
    assert (fight.now.acting, fight.now.placing) == (acting, (GroupId(placing),))
    fight.do(acting, DeployRest())
    assert (fight.unit(placing).where, fight.now.acting) == ("table", 0)
