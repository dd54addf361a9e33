"""The set-up at its bounds: zones, order, places, hiding, air power (AE-SETUP, AE-SEAT, AE-TURN-03)."""

from __future__ import annotations

from typing import Any, Final

import pytest
from msgspec.structs import replace

from engine.rulesets.apocalypse_earth.rules.ending import Finish
from engine.rulesets.apocalypse_earth.rules.fire.firing import Fire
from engine.rulesets.apocalypse_earth.rules.moves.carrying import Load
from engine.rulesets.apocalypse_earth.rules.moves.moving import Move
from engine.rulesets.apocalypse_earth.rules.scenario import deployment, setup
from engine.rulesets.apocalypse_earth.rules.scenario.deployment import Deploy, DeployRest
from engine.rulesets.apocalypse_earth.rules.scenario.edges import Enter
from engine.rulesets.apocalypse_earth.rules.scenario.setup import start
from engine.rulesets.apocalypse_earth.rules.table import hiding, meetings, traits, zones
from engine.rulesets.apocalypse_earth.state.lasting import AidPost
from engine.rulesets.apocalypse_earth.state.model import Options, Zone
from engine.rulesets.apocalypse_earth.state.setup_events import (
    HidingPlace,
    OrderSettled,
    PlacingBegun,
    UnitHid,
    UnitPlaced,
    UnitRevealed,
)
from engine.rulesets.apocalypse_earth.state.state import DEPLOY, INFILTRATE, Battle
from engine.rulesets.apocalypse_earth.state.turn_events import TurnStarted
from engine.space.terrain.contact import Base
from engine.space.terrain.footprints import BoxBase
from engine.space.vectors.outlines import outline_of
from protocol.ids import NO_FIGURE, FigureId, GroupId
from tests.support.systems.ae_battle import (
    Fight,
    Squad,
    battle,
    block,
    cm,
    line,
    resolved,
    scenario,
    squad,
    vehicle,
)
from tests.support.systems.ae_bounds import refusal

PAIR: Final = squad((0, 0), (0, 0))
SCOUTS: Final = squad((0, 0), (0, 0), abilities=("infiltrate",))
UNIT, FOE = GroupId("0.1"), GroupId("1.1")
FAR = squad((150, 110))
NO_AIR: Final = Options(air=False)
ROLLS: Final = "ae.dice.initiative"


def fresh(
    *forces: list[Squad], sides: tuple[int, ...] = (0, 1), options: Options = NO_AIR, ratings: Any = (), **table: Any
) -> Battle:
    """A match before anything has happened. `ratings`: initiative and air power by seat."""
    match = resolved(forces, scenario(sides, **table), options)
    played = match.scenario if len(set(sides)) == 2 else replace(match.scenario, sides=())
    given = [
        replace(force, initiative=ratings[seat][0], air=ratings[seat][1]) if ratings else force
        for seat, force in enumerate(match.forces)
    ]
    return start(replace(match, scenario=played, forces=tuple(given)), len(forces))


def seated(*numbers: int) -> tuple[Any, ...]:
    """Plans of seats whose zones the scenario gives."""
    return tuple([replace(scenario().seats[0], zone=number) for number in numbers])


@pytest.mark.rule("AE-SETUP-01", "AE-SEAT-04")
def test_zones_that_a_scenario_gives_are_taken_and_others_chosen() -> None:
    given = Fight(fresh([PAIR], [PAIR], seats=seated(0, 1)), 6, 1)
    assert (given.asked, [one.zone for one in given.now.seats]) == (None, [0, 1])
    turned = Fight(fresh([PAIR], [PAIR], seats=seated(1, 0)), 6, 1)
    assert [one.zone for one in turned.now.seats] == [1, 0]
    for dice, zone in (((6, 1), [0, 1]), ((1, 6), [0, 1])):  # by default the one that is next to a side's seat
        assert [one.zone for one in Fight(fresh([PAIR], [PAIR]), *dice).expire().now.seats] == zone
    three = Fight(fresh([PAIR], [PAIR], zones=zone_of_all()), 6, 1).answer(0, "1").expire()
    assert [one.zone for one in three.now.seats] == [1, 0]  # its own is taken
    allies = Fight(fresh([PAIR], [PAIR], [PAIR], sides=(0, 0, 1)), 1, 6).answer(2, "0")
    assert [one.zone for one in allies.now.seats] == [1, 1, 0]


@pytest.mark.rule("AE-SETUP-01", "AE-SEAT-04")
def test_in_a_free_for_all_the_lowest_free_zone_is_the_default() -> None:
    strips = tuple(Zone(outline_of((0, y, 6000, y + 1200)), "west") for y in (1000, 5000, 9000))
    fight = Fight(fresh([PAIR], [PAIR], [PAIR], sides=(0, 1, 2), zones=strips), 1, 3, 6).expire().expire()
    assert [one.zone for one in fight.now.seats] == [2, 1, 0]
    assert setup.deployment_order(fight.now) == [0, 1, 2]
    assert setup.deployment_order(replace(fight.now, order=(1, 2, 0))) == [0, 2, 1]


@pytest.mark.rule("AE-SETUP-01", "AE-SEAT-04")
def test_the_order_of_deployment_is_the_scenarios_or_the_winner_last() -> None:
    own: dict[str, Any] = {"sides": (0, 0, 1), "order": (1, 0)}
    assert setup.deployment_order(battle([PAIR], [PAIR], [PAIR], **own)) == [0, 1, 2]
    assert setup.deployment_order(battle([PAIR], [PAIR], [PAIR], **own, table={"deploys": (1, 0)})) == [2, 0, 1]


@pytest.mark.rule("AE-SETUP-01", "AE-SEAT-04")
def test_ties_are_rolled_again_among_the_tied_a_hundred_times() -> None:
    three = Fight(fresh([PAIR], [PAIR], [PAIR], sides=(0, 1, 2), zones=zone_of_all()), 4, 6, 4, 2, 5)
    assert three.now.order == (1, 2, 0)
    assert [seat for seat, purpose, _ in three.rolls if purpose == ROLLS] == [0, 1, 2, 0, 2]
    even = Fight(fresh([PAIR], [PAIR]), *[3] * 200)
    assert even.now.order == (0, 1)
    assert len(even.rolls) == 200


def zone_of_all() -> tuple[Zone, ...]:
    """Three zones at the west edge."""
    return tuple(Zone(outline_of((0, y, 6000, y + 1200)), "west") for y in (1000, 5000, 9000))


@pytest.mark.rule("AE-SETUP-01", "AE-SEAT-02")
def test_ratings_count_and_the_seat_with_the_best_speaks_for_its_side() -> None:
    def speaker(*ratings: int) -> int:
        given = [(one, 0) for one in (*ratings, 0)]
        return setup.speaker(fresh([PAIR], [PAIR], [PAIR], sides=(0, 0, 1), ratings=given), 0)

    assert [speaker(2, 2), speaker(1, 2), speaker(3, 2)] == [0, 1, 0]
    won = Fight(fresh([PAIR], [PAIR], ratings=((4, 0), (1, 0))), 2, 4)
    assert won.now.order == (0, 1)  # 6 to 5


@pytest.mark.rule("AE-SETUP-01")
def test_who_goes_first_is_asked_where_the_scenario_does_not_say_it() -> None:
    def asked(fight: Fight) -> Any:
        for seat in fight.now.order[::-1]:
            fight.do(seat, DeployRest())
        return fight.asked

    assert asked(Fight(fresh([PAIR], [PAIR], seats=seated(0, 1)), 1, 6)) == ("ae.first", (1,))
    given = Fight(fresh([PAIR], [PAIR], seats=seated(0, 1), first=0))
    assert (asked(given), given.rolls, given.now.turn) == (None, [], 1)
    assert [one.order for one in given.events(OrderSettled)] == [(0, 1)]
    last = Fight(fresh([PAIR], [PAIR], seats=seated(0, 1), first=1))
    assert [one.order for one in last.events(OrderSettled)] == [(1, 0)]
    alone = Fight(fresh([PAIR], [PAIR], [PAIR], sides=(0, 1, 2), zones=zone_of_all(), seats=seated(0, 1, 2)), 6, 4, 2)
    assert (asked(alone), alone.now.turn, alone.now.acting) == (None, 1, 0)


@pytest.mark.rule("AE-SETUP-01", "AE-SETUP-03")
def test_infiltrators_come_one_in_turn_of_the_sides_seat_after_seat() -> None:
    forces: list[list[Squad]] = [[SCOUTS, SCOUTS], [SCOUTS], [SCOUTS, SCOUTS]]
    fight = Fight(fresh(*forces, sides=(0, 0, 1), seats=seated(0, 0, 1), first=0))
    while fight.now.phase == INFILTRATE and fight.now.turn == 0:
        fight.do(fight.now.acting, DeployRest())
    begun = [(one.seat, one.phase) for one in fight.events(PlacingBegun)]
    assert begun == [(seat, INFILTRATE) for seat in (2, 0, 1, 2, 0)]
    assert len(fight.events(TurnStarted)) == 1


@pytest.mark.rule("AE-SETUP-03", "AE-TURN-03", "AE-SETUP-01")
def test_after_the_forces_aid_posts_are_marked_and_the_first_turn_begins() -> None:
    options = Options(air=False, casualties=True)
    fight = Fight(fresh([PAIR], [PAIR], seats=seated(0, 1), options=options), 6, 1)
    fight.do(1, DeployRest()).do(0, DeployRest())
    assert fight.now.posts == {0: AidPost("", (9000, 600)), 1: AidPost("", (9000, 11400))}
    assert fight.asked == ("ae.first", (0,))
    plain = Fight(fresh([PAIR], [PAIR], seats=seated(0, 1), first=0)).do(1, DeployRest()).do(0, DeployRest())
    assert plain.now.posts == {}
    assert (plain.now.turn, plain.now.phase) == (1, "battle")


@pytest.mark.rule("AE-SETUP-02", "AE-SUPPORT-05", "AE-SEAT-02")
@pytest.mark.parametrize(
    ("options", "rolled", "air"),
    [
        (Options(), [1, 2], {0: 3 + 4, 1: 2 + 5}),
        (Options(air=False), [], {}),
        (Options(support=False), [], {}),
    ],
)
def test_the_air_is_settled_where_it_is_in_play(options: Options, rolled: list[int], air: dict[int, int]) -> None:
    ratings = ((0, 1), (0, 3), (0, 2))
    state = fresh([PAIR], [PAIR], [PAIR], sides=(0, 0, 1), seats=seated(0, 0, 1), first=0, options=options)
    forces = [replace(force, air=own[1]) for force, own in zip(state.resolved.forces, ratings, strict=True)]
    state = replace(state, resolved=replace(state.resolved, forces=tuple(forces)))
    fight = Fight(state, *([4, 5] if rolled else []))
    assert [seat for seat, purpose, _ in fight.rolls if purpose == "ae.dice.air"] == rolled
    assert fight.now.air == air


@pytest.mark.rule("AE-SETUP-02", "AE-SEAT-02")
def test_of_equal_ratings_in_the_air_the_lowest_seat_rolls() -> None:
    fight = Fight(
        fresh([PAIR], [PAIR], [PAIR], sides=(0, 0, 1), seats=seated(0, 0, 1), first=0, options=Options()), 4, 5
    )
    assert [seat for seat, purpose, _ in fight.rolls if purpose == "ae.dice.air"] == [0, 2]


@pytest.mark.rule("AE-SETUP-03")
def test_the_zones_of_the_book_and_of_a_scenario() -> None:
    plain = battle([PAIR], [PAIR])
    boxes = [(one.outline[0], one.outline[2], one.edge) for one in zones.zones(plain)]
    assert boxes == [((2400, 0), (15600, 1200), "south"), ((2400, 10800), (15600, 12000), "north")]
    own = zone_of_all()[:2]
    assert zones.zones(battle([PAIR], [PAIR], table={"zones": own})) == own


def site(*, free: bool, foe: Squad = FAR) -> deployment.Site:
    """The places of a unit in its zone, or far from an enemy."""
    state = battle([PAIR], [foe], phase=INFILTRATE if free else DEPLOY)
    return deployment.Site(state, state.units[UNIT], free=free)


@pytest.mark.rule("AE-SETUP-03", "AE-OPEN-07")
@pytest.mark.parametrize(
    ("base", "able"),
    [
        (Base(NO_FIGURE, (2500, 600), 100), True),
        (Base(NO_FIGURE, (2499, 600), 100), False),
        (Base(NO_FIGURE, (9000, 1100), 100), True),
        (Base(NO_FIGURE, (9000, 1101), 100), False),
        (Base(NO_FIGURE, (9000, 6000), 100), False),
        (BoxBase((2700, 600), 0, 600, 300, NO_FIGURE), True),
        (BoxBase((2699, 600), 0, 600, 300, NO_FIGURE), False),
        (BoxBase((2700, 600), 90, 600, 300, NO_FIGURE), True),
    ],
)
def test_the_whole_base_is_within_the_zone(base: Any, able: bool) -> None:
    assert site(free=False).admits(base) == able


@pytest.mark.rule("AE-SETUP-03", "AE-OPEN-07")
def test_infiltrators_stand_more_than_24_cm_from_enemies_that_are_not_hidden() -> None:
    def admits(gap: int, foe: Squad) -> bool:
        return site(free=True, foe=foe).admits(Base(NO_FIGURE, (9000 - gap - 200, 6000), 100))

    seen, hidden = squad((90, 60)), squad((90, 60), hidden=True)
    assert [admits(gap, seen) for gap in (2399, 2400, 2401, 2402)] == [False, False, True, True]
    assert admits(300, hidden)


def placing(own: Squad, *others: Squad, **changes: Any) -> Battle:
    """A table on which seat 0 is to deploy its first unit."""
    return battle([own, *others], [FAR], phase=DEPLOY, placing=(UNIT,), placed=(0, 1), turn=0, **changes)


@pytest.mark.rule("AE-SETUP-03", "AE-SETUP-04")
def test_a_unit_is_placed_as_it_was_said_and_hidden_only_if_it_was() -> None:
    away = squad((0, 0), where="away")
    woods = block("w", "woods", 80, 0, 100, 12)
    shown = Fight(placing(away, features=[woods])).do(0, Deploy(UNIT, (9000, 600)))
    assert [(one.unit, one.places, one.facing) for one in shown.events(UnitPlaced)] == [
        (UNIT, {"0.1.1": (9000, 600)}, 0)
    ]
    assert shown.events(UnitHid) == []
    hid = Fight(placing(away, features=[woods])).do(0, Deploy(UNIT, (9000, 600), hidden=True))
    assert [one.places for one in hid.events(HidingPlace)] == [{"0.1.1": (9000, 600)}]
    assert (hid.unit("0.1").hidden, hid.events(UnitPlaced)) == (True, [])
    car = vehicle((0, 0), where="away")
    for facing, found in ((-1, 90), (45, 45), (0, 0)):
        fight = Fight(placing(car)).do(0, Deploy(UNIT, (9000, 600), facing=facing))
        assert fight.now.figures[FigureId("0.1.1")].facing == found
    assert refusal(placing(car, features=[woods]), 0, Deploy(UNIT, (9000, 600), hidden=True)) == "deploy/hidden"
    assert refusal(placing(away), 0, Deploy(UNIT, (9000, 600), hidden=True)) == "deploy/hidden"


@pytest.mark.rule("AE-SETUP-03")
def test_a_vehicle_has_the_first_free_place_and_nobody_deploys_in_the_battle() -> None:
    blocked = block("w", "wreck", 84, 0, 96, 12)
    fight = Fight(placing(vehicle((0, 0), where="away"), features=[blocked])).do(0, DeployRest())
    x, y = fight.place("0.1.1")
    assert x <= 82.5 or x >= 97.5
    assert 3 <= y <= 9
    assert refusal(battle([squad((20, 20))], [FAR]), 0, DeployRest()) == "deploy/not-now"


@pytest.mark.rule("AE-SETUP-03")
def test_who_comes_in_is_not_there_yet() -> None:
    assert refusal(battle([squad((20, 20))], [FAR], turn=2), 0, Enter(UNIT, (9000, 100))) == "enter/there"
    late = battle([squad((0, 0), where="coming")], [FAR], turn=2)
    assert refusal(late, 0, Enter(UNIT, (9000, 100))) == ""


@pytest.mark.rule("AE-OPEN-16")
def test_a_full_vehicle_takes_nobody_aboard_at_the_start() -> None:
    for places, code in ((2, ""), (1, "board/full")):
        state = battle(
            [vehicle((90, 6), places=places), squad((0, 0), (0, 0), where="away")],
            [FAR],
            phase=DEPLOY,
            placing=(GroupId("0.2"),),
            placed=(0, 1),
        )
        assert refusal(state, 0, Load(GroupId("0.2"), UNIT)) == code


@pytest.mark.rule("AE-SETUP-04")
@pytest.mark.parametrize(
    ("at", "covered"),
    [
        ((5000, 4000), True),
        ((3999, 4000), False),
        ((9000, 4300), True),
        ((9000, 4301), False),
        ((9000, 4000), True),
        ((12000, 4000), True),
        ((15000, 4000), False),
        ((2000, 8000), False),
        ((12000, 8100), False),
    ],
)
def test_where_a_figure_is_hidden(at: tuple[int, int], covered: bool) -> None:
    pieces = [
        block("w", "woods", 40, 35, 60, 45),
        line("f", "fence", (80, 40), (100, 40)),
        block("h", "house", 115, 35, 125, 45),
        block("m", "marsh", 145, 35, 155, 45),
        block("hill", "hill", 110, 80, 130, 100),
    ]
    assert hiding.is_covered(battle([PAIR], [PAIR], features=pieces), at) == covered


@pytest.mark.rule("AE-SETUP-04")
def test_infantry_hides_where_the_scenario_lets_it() -> None:
    def may(own: Squad, *, hides: bool = True) -> bool:
        seats = tuple([replace(plan, hides=hides) for plan in scenario().seats])
        state = battle([own], [FAR], table={"seats": seats})
        return hiding.may_hide(state, state.units[UNIT])

    assert may(squad((20, 20)))
    assert not may(squad((20, 20)), hides=False)
    assert not may(vehicle((20, 20)))


@pytest.mark.rule("AE-SETUP-04")
def test_whom_a_mover_meets() -> None:
    house = block("h", "house", 100, 55, 110, 65)
    hidden, seen = squad((60, 60), hidden=True), squad((60, 70))
    inside = squad((105, 60), hidden=True)
    state = battle([squad((20, 20)), hidden], [hidden, seen, inside], [hidden], sides=(0, 1, 0), features=[house])

    def met(x: float, y: float) -> list[str]:
        return list(hiding.met_by(state, 0, [Base(NO_FIGURE, cm((x, y))[0], traits.RADIUS)]))

    assert met(60, 65) == ["1.1"]
    assert met(60, 65.01) == []
    assert met(60, 68) == []  # nobody is met who is to be seen
    assert (met(96, 60), met(95.99, 60)) == (["1.3"], [])  # by the outline of the house


@pytest.mark.rule("AE-SETUP-04", "AE-MOVE-01")
def test_a_move_that_meets_somebody_goes_on_if_it_may() -> None:
    def moved(y: float) -> Fight:
        state = battle([squad((50, 60))], [squad((56, y), hidden=True), FAR])
        return Fight(state).do(0, Move(UNIT, cm((62, 60)))).expire()

    past, stopped = moved(64), moved(61)
    assert [(one.unit, one.why) for one in past.events(UnitRevealed)] == [("1.1", "met")]
    assert past.place("0.1.1") == (62, 60)
    assert [(one.unit, one.why) for one in stopped.events(UnitRevealed)] == [("1.1", "met")]
    assert stopped.place("0.1.1")[0] < 56
    clear = moved(66)
    assert (clear.events(UnitRevealed), clear.place("0.1.1")) == ([], (62, 60))


@pytest.mark.rule("AE-SETUP-04")
def test_the_places_of_a_way_at_which_hidden_enemies_are_met() -> None:
    state = battle([squad((50, 60)), squad((56, 62), hidden=True)], [squad((56, 64), hidden=True), squad((62, 64))])

    def bases(part: int) -> list[Base]:
        return [Base(FigureId("0.1.1"), (5000 + part, 6000), traits.RADIUS)]

    assert meetings.along(state, 0, 1200, bases) == {300: ["1.1"]}
    assert meetings.along(state, 0, 299, bases) == {}
    assert hiding.met_by(state, 0, bases(600)) == ["1.1"]
    assert hiding.met_by(state, 0, bases(1200)) == []


@pytest.mark.rule("AE-SETUP-04", "AE-FIRE-01")
def test_a_hidden_unit_is_no_target_until_it_acts() -> None:
    state = battle([squad((50, 60))], [squad((50, 70), hidden=True), FAR])
    assert refusal(state, 0, Fire(UNIT, FOE)) == "fire/no-target"
    shown = Fight(replace(state, acting=1)).do(1, Finish(FOE))
    assert [(one.unit, one.why, one.places) for one in shown.events(UnitRevealed)] == [
        ("1.1", "acts", {"1.1.1": (5000, 7000)})
    ]
    assert shown.may(0, Fire(UNIT, FOE))
