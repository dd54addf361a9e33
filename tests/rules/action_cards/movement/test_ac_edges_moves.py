"""Edges of moves, on foot and on wheels: both sides of each condition (AC-MOVE, AC-TERR-01)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine.core.rules.errors import IllegalIntent
from engine.rulesets.action_cards.rules.board import cover, table as lookup
from engine.rulesets.action_cards.rules.movement.moves import Move
from engine.rulesets.action_cards.rules.vehicles import boarding
from engine.rulesets.action_cards.rules.vehicles.boarding import Embark
from engine.rulesets.action_cards.rules.vehicles.driving import Drive
from engine.rulesets.action_cards.rules.vehicles.transports import Disembark
from engine.rulesets.action_cards.state.state import Lasting, Skirmish
from protocol.ids import FigureId, GroupId
from tests.support.systems import motors, skirmish
from tests.support.systems.motors import aboard, refusal, with_vehicle
from tests.support.systems.skirmish import MILITIA, UNIT, Play, area, laid, line_up

GROUP_0_1 = GroupId("0.1")
FIGURE_0_1_1 = FigureId("0.1/1")
GROUP_0_9 = GroupId("0.9")
GROUP_1_1 = GroupId("1.1")

FAR = {"1.1": line_up(4, 6000, 4500)}
SQUAD = line_up(4, 400, 1600)


@pytest.mark.rule("AC-MOVE-01")
def test_a_group_makes_room_for_itself() -> None:
    """A figure may stand where the lead was, and the lead where a figure was."""
    state = skirmish.table({"0.1": line_up(4, 1000, 1000), **FAR})
    swapped = Move(GROUP_0_1, FIGURE_0_1_1, (1120, 1000), {FigureId("0.1/2"): (1000, 1000)})
    play = Play(state)
    assert play.may(0, swapped)
    assert play.do(0, swapped).at("0.1/2") == (1000, 1000)


@pytest.mark.rule("AC-MOVE-01")
def test_where_the_others_find_no_room_at_all_nobody_moves() -> None:
    """A table three inches square has room for nine of ten."""
    small = skirmish.table({"0.1": line_up(10, 50, 50, 20), "1.1": ((250, 250),)}, factions=(MILITIA, UNIT))
    content = replace(small.resolved, scenario=replace(small.resolved.scenario, size=(300, 300)))
    assert (
        refusal(Play(replace(small, resolved=content)), 0, Move(GROUP_0_1, FIGURE_0_1_1, (50, 60))) == "place/no-room"
    )


@pytest.mark.rule("AC-MOVE-01")
@pytest.mark.parametrize(("truce", "code"), [((0, 1), "truce/kept"), ((0, 2), ""), ((1, 2), "")])
def test_no_move_ends_in_contact_with_a_partner_of_a_cease_fire(truce: tuple[int, int], code: str) -> None:
    groups = {"0.1": ((1000, 1000),), "1.1": ((1000, 1400),), "2.1": line_up(2, 6000, 4500)}
    state = replace(skirmish.table(groups), lasting=(Lasting("flag", 9, truce=truce),))
    assert refusal(Play(state), 0, Move(GROUP_0_1, FIGURE_0_1_1, (1000, 1300))) == code
    assert refusal(Play(state), 0, Move(GROUP_0_1, FIGURE_0_1_1, (1000, 1290))) == ""


@pytest.mark.rule("AC-MOVE-02")
@pytest.mark.parametrize(("truce", "code"), [((0, 1), "truce/kept"), ((0, 2), ""), ((1, 2), "")])
def test_nobody_gets_out_into_contact_with_a_partner_of_a_cease_fire(truce: tuple[int, int], code: str) -> None:
    """The right door is at (1000, 1900), the partner 5 inches before it."""
    state = motors.table({"0.1": SQUAD, "1.1": ((1000, 1400),), "2.1": line_up(2, 6000, 4500)})
    state = aboard(with_vehicle(state, GROUP_0_9, "lorry", (1000, 2000)), GROUP_0_1, FigureId("0.9/1"))
    play = Play(replace(state, lasting=(Lasting("flag", 9, truce=truce),)))
    assert refusal(play, 0, Disembark(GROUP_0_1, (1000, 1502))) == code


@pytest.mark.rule("AC-MOVE-02")
@pytest.mark.parametrize(("ruined", "code"), [(("house",), ""), ((), "move/no-door")])
def test_a_building_that_is_rubble_is_left_on_all_sides(ruined: tuple[str, ...], code: str) -> None:
    house = area("house", "building", 900, 800, 1300, 1200, (1300, 1000))
    state = replace(skirmish.table({"0.1": [(1000, 1000)], **FAR}, [house]), gone=ruined, ruined=ruined)
    assert refusal(Play(state), 0, Move(GROUP_0_1, FIGURE_0_1_1, (1000, 2000))) == code


# Getting in and out


def stand(kind: str = "lorry") -> Skirmish:
    """Return a lorry at (1000, 2000) that faces right: doors at its rear (800, 2000) and its right (1000, 1900)."""
    state = motors.table({"0.1": SQUAD, "0.2": line_up(2, 3000, 3000), **FAR})
    return with_vehicle(state, GROUP_0_9, kind, (1000, 2000))


def riding() -> Skirmish:
    return aboard(stand(), GROUP_0_1, FigureId("0.9/1"))


def without_doors(state: Skirmish) -> Skirmish:
    lorry = motors.LORRY.vehicle
    assert lorry is not None
    walled = replace(motors.LORRY, vehicle=replace(lorry, doors=()))
    own = replace(motors.MOTORS, profiles=tuple(walled if p.id == "lorry" else p for p in motors.MOTORS.profiles))
    return replace(state, resolved=replace(state.resolved, factions=(own, *state.resolved.factions[1:])))


@pytest.mark.rule("AC-MOVE-02")
def test_who_is_a_boarder() -> None:
    assert boarding.check_boarder(stand(), 0, GROUP_0_1).id == "0.1"
    for state, group, code in (
        (motors.table({"0.1": SQUAD, **FAR}), "0.1", "embark/no-transport"),
        (stand(), "0.9", "move/vehicle"),
    ):
        with pytest.raises(IllegalIntent) as refused:
            boarding.check_boarder(state, 0, GroupId(group))
        assert refused.value.refusal.code == code


@pytest.mark.rule("AC-MOVE-02", "AC-MOVE-04")
@pytest.mark.parametrize("vehicle", ["0.2", "0.77", "1.1"])
def test_one_gets_into_vehicles_of_ones_own_that_carry_people(vehicle: GroupId) -> None:
    """A group on foot, an unknown group and an enemy's vehicle are refused."""
    assert refusal(Play(stand()), 0, Embark(GROUP_0_1, vehicle)) == "embark/no-transport"


@pytest.mark.rule("AC-MOVE-02", "AC-MOVE-04")
def test_the_last_seat_is_a_seat() -> None:
    """Four figures fit into a car of four seats."""
    assert refusal(Play(stand("car")), 0, Embark(GROUP_0_1, GROUP_0_9)) == ""


@pytest.mark.rule("AC-MOVE-02")
def test_nobody_gets_in_or_out_without_a_door() -> None:
    assert refusal(Play(without_doors(stand())), 0, Embark(GROUP_0_1, GROUP_0_9)) == "embark/no-seats"
    assert refusal(Play(without_doors(riding())), 0, Disembark(GROUP_0_1, (1000, 1150))) == "move/too-far"


@pytest.mark.rule("AC-MOVE-02", "AC-MOVE-04")
def test_who_gets_out_is_aboard_and_ones_own() -> None:
    out = (1000, 1150)
    assert refusal(Play(riding()), 0, Disembark(GroupId("0.7"), out)) == "group/unknown"
    later = replace(riding().aboard[GROUP_0_1], due=3)
    assert refusal(Play(replace(riding(), aboard={"0.1": later})), 0, Disembark(GROUP_0_1, out)) == "group/unknown"
    enemies = aboard(with_vehicle(stand(), GroupId("0.8"), "lorry", (4000, 1000)), GROUP_1_1, FigureId("0.9/1"))
    assert refusal(Play(enemies), 0, Disembark(GROUP_1_1, out)) == "group/not-yours"


@pytest.mark.rule("AC-MOVE-02")
@pytest.mark.parametrize(("free", "code"), [({"0.1": 1}, ""), ({"0.2": 1}, "card/no-actions-left")])
def test_getting_out_takes_an_action_or_a_free_move(free: dict[str, int], code: str) -> None:
    play = Play(replace(riding(), left=0, free_moves=free))
    assert refusal(play, 0, Disembark(GROUP_0_1, (1000, 1150))) == code


@pytest.mark.rule("AC-MOVE-02")
def test_why_one_does_not_get_out_is_what_the_nearest_door_says() -> None:
    """From the right door the way leads through the lorry; from the rear door it is too far."""
    assert refusal(Play(riding()), 0, Disembark(GROUP_0_1, (1620, 2150))) == "disembark/through-vehicle"


# Wheels and wings


@pytest.mark.rule("AC-MOVE-03")
def test_nobody_drives_backwards_or_on_foot() -> None:
    assert refusal(Play(stand()), 0, Drive(GROUP_0_9, -1, 0)) == "drive/too-far"
    assert refusal(Play(stand()), 0, Drive(GROUP_0_1, 1, 0)) == "drive/not-able"


@pytest.mark.rule("AC-MOVE-02", "AC-TERR-01")
def test_a_vehicle_covers_those_behind_it_whatever_terrain_is_known() -> None:
    """A vehicle shields without a terrain entry of its own, and is no position."""
    state = motors.table({"1.1": ((1000, 2000),), "2.1": ((2920, 2000),)})
    state = with_vehicle(state, GROUP_0_1, "car", (2700, 2000), 90)
    kinds = {id: kind for id, kind in state.resolved.terrain.items() if id != "vehicle"}
    bare = replace(state, resolved=replace(state.resolved, terrain=kinds))
    assert cover.cover_against(bare, (FigureId("1.1/1"),), GroupId("2.1")) == "cover"
    kind = lookup.kind(bare, "0.1/1")
    assert (kind.position, kind.impassable, kind.shields) == (False, True, True)
    assert refusal(Play(laid(bare, "1.single.1")), 1, Move(GROUP_1_1, FigureId("1.1/1"), (1700, 2000))) == ""


@pytest.mark.rule("AC-MOVE-04")
def test_fire_from_above_is_at_the_nearest_figure() -> None:
    state = motors.table({"1.1": ((3000, 2000), (2000, 2000), (4000, 2000))})
    up = with_vehicle(state, GROUP_0_1, "gull", (1000, 2000), 0, airborne=True)
    assert lookup.sight(up, GROUP_0_1, GROUP_1_1).lines == (("0.1/1", "1.1/2"),)
