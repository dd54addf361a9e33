"""Groups in vehicles: getting in, getting out, and out of a wreck (AC-MOVE-02, AC-MOVE-04, AC-OPEN-01)."""

import pytest
from msgspec.structs import replace

from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent
from engine.rulesets.action_cards.rules.board import table as lookup
from engine.rulesets.action_cards.rules.card_end import EndCard
from engine.rulesets.action_cards.rules.movement.moves import Move
from engine.rulesets.action_cards.rules.scenario import conditions, ending
from engine.rulesets.action_cards.rules.scenario.ending import LeaveGame
from engine.rulesets.action_cards.rules.shooting.shooting import Shoot
from engine.rulesets.action_cards.rules.special_actions.proposals import Propose
from engine.rulesets.action_cards.rules.vehicles import boarding, transports
from engine.rulesets.action_cards.rules.vehicles.boarding import Embark
from engine.rulesets.action_cards.rules.vehicles.driving import Drive
from engine.rulesets.action_cards.rules.vehicles.transports import Disembark
from engine.rulesets.action_cards.state.events import FactionFell
from engine.rulesets.action_cards.state.model import Condition, Feature
from engine.rulesets.action_cards.state.state import Skirmish
from engine.rulesets.action_cards.state.vehicle_events import GroupDisembarked
from engine.space.terrain.contact import overlaps
from protocol.ids import FigureId, GroupId
from tests.support.systems import motors
from tests.support.systems.motors import aboard, refusal, with_vehicle
from tests.support.systems.skirmish import Play, area, line_up, role

FIGURE_0_9_1 = FigureId("0.9/1")
FIGURE_0_1_1 = FigureId("0.1/1")

GROUP_0_1 = GroupId("0.1")
GROUP_0_9 = GroupId("0.9")
GROUP_1_1 = GroupId("1.1")

FAR = {"1.1": line_up(4, 6000, 4500)}
SQUAD = line_up(4, 400, 1600)


def stand(squad: tuple[tuple[int, int], ...] = SQUAD, kind: str = "lorry", *features: Feature) -> Skirmish:
    """Return a lorry at (1000, 2000) that faces right: doors at its rear (800, 2000) and its right (1000, 1900)."""
    state = motors.table({"0.1": squad, **FAR}, features)
    return with_vehicle(state, GROUP_0_9, kind, (1000, 2000))


def riding(kind: str = "lorry", *, airborne: bool = False, cards: tuple[str, ...] = ("0.triple.1",)) -> Skirmish:
    state = motors.table({"0.1": SQUAD, **FAR}, cards=cards)
    return aboard(with_vehicle(state, GROUP_0_9, kind, (1000, 2000), 0, airborne=airborne), GROUP_0_1, FIGURE_0_9_1)


@pytest.mark.rule("AC-MOVE-02")
def test_a_group_gets_in_as_its_move_and_leaves_the_table() -> None:
    play = Play(stand()).do(0, Embark(GROUP_0_1, GROUP_0_9))
    assert "0.1" not in play.state.groups
    assert not [figure for figure in play.state.figures if figure.startswith("0.1/")]
    assert play.state.aboard[GROUP_0_1].vehicle == "0.9/1"
    assert play.state.left == 2
    assert boarding.seats_left(play.state, GROUP_0_9) == 5


@pytest.mark.rule("AC-MOVE-02")
def test_a_door_must_be_within_a_move() -> None:
    assert refusal(Play(stand(line_up(4, 400, 700))), 0, Embark(GROUP_0_1, GROUP_0_9)) == "move/too-far"
    # the front has no door: the way round to the others is not straight
    assert refusal(Play(stand(line_up(1, 1600, 2000))), 0, Embark(GROUP_0_1, GROUP_0_9)) == "move/impassable"


@pytest.mark.rule("AC-MOVE-02", "AC-HTH-01")
def test_nobody_gets_in_by_a_door_where_he_would_touch_an_enemy() -> None:
    """Enemies stand beside the place at the right door, then beside that at the rear door too."""
    beside = {"1.2": ((1101, 1848),), "1.3": ((748, 2101),)}
    for enemies, code in ((("1.2",), ""), (("1.2", "1.3"), "move/enemy-in-the-way")):
        state = motors.table({"0.1": SQUAD, **FAR, **{id: beside[id] for id in enemies}})
        assert (
            refusal(Play(with_vehicle(state, GROUP_0_9, "lorry", (1000, 2000))), 0, Embark(GROUP_0_1, GROUP_0_9))
            == code
        )


@pytest.mark.rule("AC-MOVE-02", "AC-MOVE-04")
def test_it_carries_as_many_as_it_has_seats() -> None:
    crowd = motors.table({"0.1": SQUAD, "0.2": line_up(4, 400, 1500), "0.3": line_up(4, 400, 1400), **FAR})
    crowd = with_vehicle(crowd, GROUP_0_9, "lorry", (1000, 2000))
    crowd = aboard(aboard(crowd, GroupId("0.2"), FIGURE_0_9_1), GroupId("0.3"), FIGURE_0_9_1)
    assert refusal(Play(crowd), 0, Embark(GROUP_0_1, GROUP_0_9)) == "embark/no-seats"


@pytest.mark.rule("AC-MOVE-02")
def test_the_last_seat_is_taken_and_that_of_others_never() -> None:
    crowd = motors.table({"0.1": SQUAD, "0.2": line_up(5, 400, 1500), **FAR})
    crowd = aboard(with_vehicle(crowd, GROUP_0_9, "lorry", (1000, 2000)), GroupId("0.2"), FIGURE_0_9_1)
    full = Play(crowd).do(0, Embark(GROUP_0_1, GROUP_0_9)).state
    assert boarding.seats_left(full, GROUP_0_9) == 0
    own, other, *rest = crowd.resolved.factions
    factions = (own, replace(other, profiles=(*other.profiles, motors.LORRY)), *rest)
    state = replace(crowd, resolved=replace(crowd.resolved, factions=factions))
    state = with_vehicle(state, GroupId("1.9"), "lorry", (1000, 1000))
    assert refusal(Play(state), 0, Embark(GROUP_0_1, GroupId("1.9"))) == "embark/no-transport"


@pytest.mark.rule("AC-MOVE-02", "AC-MOVE-04")
def test_only_its_player_gets_a_group_out_by_an_action_or_a_free_move() -> None:
    state = riding()
    spent = replace(state, left=0)
    for seat, one, code in ((1, state, "group/not-yours"), (0, spent, "card/no-actions-left")):
        with pytest.raises(IllegalIntent, match=code):
            transports.check_rider(one, seat, GROUP_0_1)
    for one in (state, replace(spent, free_moves={GROUP_0_1: 1})):
        assert transports.check_rider(one, 0, GROUP_0_1) is state.aboard[GROUP_0_1]
    waiting = replace(state.aboard[GROUP_0_1], due=3)
    with pytest.raises(IllegalIntent, match="group/unknown"):
        transports.check_rider(replace(state, aboard={GROUP_0_1: waiting}), 0, GROUP_0_1)


@pytest.mark.rule("AC-MOVE-02", "AC-MOVE-04")
def test_who_gets_in_where() -> None:
    play = Play(stand())
    assert refusal(play, 0, Embark(GROUP_0_1, GROUP_1_1)) == "embark/no-transport"
    assert refusal(play, 0, Embark(GROUP_0_9, GROUP_0_9)) == "move/vehicle"
    up = with_vehicle(motors.table({"0.1": SQUAD, **FAR}), GROUP_0_9, "gull", (1000, 2000), 0, airborne=True)
    assert refusal(Play(up), 0, Embark(GROUP_0_1, GROUP_0_9)) == "embark/airborne"


@pytest.mark.rule("AC-MOVE-02")
def test_getting_out_is_measured_from_a_door() -> None:
    play = Play(riding())
    assert refusal(play, 0, Disembark(GROUP_0_1, (1000, 1050))) == "move/too-far"
    play.do(0, Disembark(GROUP_0_1, (1000, 1150)))
    assert (play.at(FIGURE_0_1_1), play.state.left) == ((1000, 1150), 2)
    assert set(play.state.groups[GROUP_0_1].figures) <= set(play.state.figures)
    assert not play.state.aboard
    assert play.state.groups[GROUP_0_1].came == (1000, 1900)


@pytest.mark.rule("AC-MOVE-02")
def test_the_whole_move_is_open_from_a_door_and_no_more() -> None:
    """The door on the right is at (1000, 1900)."""
    assert Play(riding()).do(0, Disembark(GROUP_0_1, (1000, 1100))).at(FIGURE_0_1_1) == (1000, 1100)
    assert refusal(Play(riding()), 0, Disembark(GROUP_0_1, (1000, 2900))) == "move/too-far"


@pytest.mark.rule("AC-MOVE-02")
def test_a_group_whose_faction_has_no_transport_boards_nothing() -> None:
    with pytest.raises(IllegalIntent, match="embark/no-transport"):
        boarding.check_boarder(stand(), 1, GROUP_1_1)


@pytest.mark.rule("AC-MOVE-02")
def test_nobody_gets_out_through_the_vehicle() -> None:
    assert refusal(Play(riding()), 0, Disembark(GROUP_0_1, (1000, 2400))) == "disembark/through-vehicle"
    assert refusal(Play(riding()), 0, Disembark(GROUP_0_1, (1000, 1880))) == "move/no-room"


@pytest.mark.rule("AC-MOVE-02", "AC-HTH-01")
def test_who_gets_out_next_to_an_enemy_is_in_contact() -> None:
    state = motors.table({"0.1": SQUAD, "1.1": ((1000, 1400),), "1.2": line_up(3, 6000, 4500)})
    state = aboard(with_vehicle(state, GROUP_0_9, "lorry", (1000, 2000)), GROUP_0_1, FIGURE_0_9_1)
    play = Play(state).do(0, Disembark(GROUP_0_1, (1000, 1502)))
    assert play.state.combats[0].groups == ("1.1", "0.1")


@pytest.mark.rule("AC-MOVE-04", "AC-MOVE-02")
def test_passengers_in_the_air_cannot_act() -> None:
    play = Play(riding("gull", airborne=True))
    assert refusal(play, 0, Disembark(GROUP_0_1, (1000, 2400))) == "disembark/airborne"
    assert refusal(play, 0, Move(GROUP_0_1, FIGURE_0_1_1, (500, 1600))) == "group/unknown"
    assert refusal(play, 0, Shoot(GROUP_0_1, GROUP_1_1)) == "group/unknown"


@pytest.mark.rule("AC-MOVE-02")
def test_they_ride_along() -> None:
    play = Play(riding()).do(0, Drive(GROUP_0_9, 10, 0)).do(0, Disembark(GROUP_0_1, (2000, 1150)))
    assert play.at(FIGURE_0_1_1) == (2000, 1150)


@pytest.mark.rule("AC-MOVE-02", "AC-SPEC-02")
def test_who_may_move_twice_gets_in_and_out_again() -> None:
    state = motors.table({"0.1": SQUAD, **FAR}, cards=("0.single.1",))
    play = Play(with_vehicle(state, GROUP_0_9, "lorry", (1000, 2000))).do(
        0, Propose(GROUP_0_1, "again", "Through the cab")
    )
    play.answer(1, "yes").expire()
    play.do(0, Embark(GROUP_0_1, GROUP_0_9))
    assert (play.state.turn, play.state.left) == (1, 0)
    play.do(0, Disembark(GROUP_0_1, (1000, 1150)))
    assert play.at(FIGURE_0_1_1) == (1000, 1150)


def shot_up(*faces: int, airborne: bool = False) -> Play:
    """Shoot with 8 dice at the lorry (or the helicopter) while a group is in it."""
    kind = "gull" if airborne else "lorry"
    state = motors.table(
        {"0.1": SQUAD, "0.2": line_up(2, 200, 4600), "1.1": line_up(4, 1000, 700)}, cards=("1.triple.1",)
    )
    state = aboard(with_vehicle(state, GROUP_0_9, kind, (1000, 2000), 0, airborne=airborne), GROUP_0_1, FIGURE_0_9_1)
    return Play(state, 6, 6, 6, 6, 1, 1, 1, 1, *faces).do(1, Shoot(GROUP_1_1, GROUP_0_9))


@pytest.mark.rule("AC-OPEN-01", "AC-MOVE-04")
def test_who_rolls_three_or_more_gets_out_of_a_wreck() -> None:
    play = shot_up(3, 2, 6, 1)
    assert play.rolls[-1] == (0, "dice.bail_out", 4)
    assert "0.9" not in play.state.groups
    assert not play.state.aboard
    play.expire()  # the owner's choice of the lost ones falls to the cheapest
    assert len(play.state.groups[GROUP_0_1].figures) == 2
    [out] = play.events(GroupDisembarked)
    assert (out.how, out.came) == ("wreck", (1000, 2000))
    assert play.at(play.state.groups[GROUP_0_1].figures[0]) == (1000, 2000)
    assert play.state.seats[1].removed == {0: 3}


@pytest.mark.rule("AC-OPEN-01", "AC-MOVE-04")
def test_nobody_may_get_out() -> None:
    play = shot_up(1, 2, 2, 1)
    assert "0.1" not in play.state.groups
    assert not play.state.aboard
    assert play.state.seats[1].removed == {0: 5}
    assert play.events(GroupDisembarked) == []


@pytest.mark.rule("AC-OPEN-01")
def test_all_may_get_out() -> None:
    play = shot_up(3, 4, 5, 6)
    assert (play.asked, len(play.state.groups[GROUP_0_1].figures)) == (None, 4)


@pytest.mark.rule("AC-OPEN-01", "AC-MOVE-04")
def test_in_the_air_all_are_lost_without_a_roll() -> None:
    play = shot_up(airborne=True)
    assert play.rolls[-1][1] == "dice.shooting"
    assert not play.state.aboard
    assert play.state.seats[1].removed == {0: 5}


@pytest.mark.rule("AC-OPEN-01")
def test_a_wreck_in_a_crowd_leaves_them_where_there_is_room() -> None:
    around = {id: tuple((x, 2000 + dy) for dy in (-160, 0, 160)) for id, x in (("0.2", 740), ("0.3", 1260))}
    state = motors.table({"0.1": SQUAD, **around, "1.1": line_up(4, 1000, 700)}, cards=("1.triple.1",))
    state = aboard(with_vehicle(state, GROUP_0_9, "lorry", (1000, 2000)), GROUP_0_1, FIGURE_0_9_1)
    play = Play(state, 6, 6, 6, 6, 1, 1, 1, 1, 6, 6, 6, 6).do(1, Shoot(GROUP_1_1, GROUP_0_9))
    assert len(play.state.groups[GROUP_0_1].figures) == 4
    bases = [base for id in play.state.groups for base in lookup.board(play.state).bases(id)]
    assert not [(a.id, b.id) for n, a in enumerate(bases) for b in bases[:n] if overlaps(a, b)]


@pytest.mark.rule("AC-ACT-02")
def test_a_faction_that_is_aboard_is_still_in_the_game() -> None:
    play = Play(riding()).do(0, EndCard())
    assert not play.events(FactionFell)
    assert len(ending.figures_of(play.state, Seat(0))) == 5


@pytest.mark.rule("AC-ACT-02")
def test_who_concedes_takes_his_passengers_along() -> None:
    play = Play.opened(riding(), 1)
    play.do(0, LeaveGame())
    assert not play.state.aboard
    assert not play.state.seats[0].alive


@pytest.mark.rule("AC-SCEN-01")
def test_passengers_live_but_are_nowhere() -> None:
    own = (
        Condition("s", "survive", "s", "s", goal=5),
        Condition("r", "reach", "r", "r", feature="field"),
    )
    roles = (role(*own), role(left=2400), role(left=4800), role())
    state = motors.table({"0.1": SQUAD, **FAR}, (area("field", "scrub", 100, 1000, 3000, 3000),), roles=roles)
    state = aboard(with_vehicle(state, GROUP_0_9, "lorry", (1000, 2000)), GROUP_0_1, FIGURE_0_9_1)
    assert [status.progress for status in conditions.statuses(state, 0)] == [5, 1]
