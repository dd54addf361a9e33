"""Reactions to moves, flight into cover and rallies at their bounds (AE-OVER, AE-QA, AE-TURN-05)."""

from __future__ import annotations

from typing import Any, Final

import pytest
from msgspec.structs import replace

from engine.core.rules.audience import Seat
from engine.core.rules.record import StandingOrder
from engine.core.rules.system import MomentReached
from engine.rulesets.apocalypse_earth.rules.assault.charging import Charge
from engine.rulesets.apocalypse_earth.rules.ending import Finish
from engine.rulesets.apocalypse_earth.rules.fire import arming
from engine.rulesets.apocalypse_earth.rules.fire.aiming import TakeAim
from engine.rulesets.apocalypse_earth.rules.fire.firing import Fire
from engine.rulesets.apocalypse_earth.rules.moves import overwatch, reactions
from engine.rulesets.apocalypse_earth.rules.moves.driving import Drive
from engine.rulesets.apocalypse_earth.rules.moves.moving import Move
from engine.rulesets.apocalypse_earth.rules.turns import rallying
from engine.rulesets.apocalypse_earth.state.fire_events import RallyTried, ShotAt, UnitFired
from engine.rulesets.apocalypse_earth.state.lasting import Combat, March, Shot
from engine.rulesets.apocalypse_earth.state.model import Feature
from engine.rulesets.apocalypse_earth.state.setup_events import UnitRevealed
from engine.rulesets.apocalypse_earth.state.state import Battle
from engine.rulesets.apocalypse_earth.state.turn_events import FiguresMoved, MarchGone, OverwatchUsed
from protocol.ids import FigureId, GroupId
from protocol.scene.nodes import Reply
from tests.support.systems import ae_shipped
from tests.support.systems.ae_battle import Fight, Squad, battle, block, cm, squad, vehicle
from tests.support.systems.ae_bounds import told

UNIT, LEAD, FOE = GroupId("0.1"), FigureId("0.1.1"), GroupId("1.1")
FAR = squad((150, 110))
NOWHERE_TO_GO: Final = ((5000, 6000), (5000, 6000))


def marched(*way: tuple[int, int], how: str = "move", target: str = "") -> March:
    """A march of one figure along a way in hundredths."""
    return March(UNIT, how, LEAD, {LEAD: way}, 1200, GroupId(target))


def reply(**slots: str) -> Reply:
    """An answer that gives units, by number, their reactions."""
    return Reply("answer", {"each": {f"group/1.{number[1:]}": slot for number, slot in slots.items()}})


@pytest.mark.rule("AE-OVER-02")
@pytest.mark.parametrize(
    ("length", "how", "points"),
    [
        (700, "move", [300, 600, 700]),
        (300, "move", [300]),
        (600, "move", [300, 600]),
        (700, "charge", [300, 350, 600, 700]),
        (700, "drive", [300, 600, 700]),
        (0, "move", [1]),
        (0, "charge", [1]),
        (2, "charge", [1, 2]),
    ],
)
def test_the_points_at_which_a_reaction_fires(length: int, how: str, points: list[int]) -> None:
    assert reactions.points(marched((5000, 6000), (5000 + length, 6000), how=how)) == points


@pytest.mark.rule("AE-OVER-02", "AE-ASLT-02")
def test_who_is_asked() -> None:
    watching, hidden, idle = squad((50, 90), overwatch=True), squad((60, 90), hidden=True), squad((70, 90))
    going, staying = marched((5000, 6000), (5300, 6000)), marched(*NOWHERE_TO_GO)

    def asked(*forces: Squad, march: March = going, sides: tuple[int, ...] = (0, 1, 1)) -> list[int]:
        return list(reactions.concerned(battle([squad((50, 60))], *[[one] for one in forces], sides=sides), march))

    assert asked(watching, hidden) == [1, 2]
    assert asked(watching, idle) == [1]
    assert asked(idle, idle) == []
    assert asked(watching, hidden, march=staying) == []
    assert asked(watching, watching, sides=(0, 0, 1)) == [2]
    charge = marched((5000, 6000), (5300, 6000), how="charge", target="2.1")
    assert asked(idle, idle, march=charge) == [2]
    assert asked(idle, squad((70, 90), fired=True), march=charge) == []


@pytest.mark.rule("AE-OVER-02")
def test_orders_answer_for_the_units_that_have_some() -> None:
    watchers = [squad((50, 90), overwatch=True), squad((80, 60), overwatch=True)]
    state = replace(battle([squad((50, 60))], watchers), march=marched((5000, 6000), (6200, 6000)))

    def answered(*orders: StandingOrder) -> Reply | None:
        game: Any = Fight(state).match.probe(Seat(1))
        return reactions.obey(game, Seat(1), MomentReached(reactions.MOMENT, ()), orders)

    assert answered(StandingOrder("ae.march", "fire", ("group/1.2",), {"within": 24})) == reply(_1="hold", _2="600")
    assert answered(StandingOrder("ae.march", "fire", ("group/0.1",), {"within": 24})) is None
    assert answered() is None


@pytest.mark.rule("AE-OVER-02", "AE-ASLT-02", "AE-TURN-05")
def test_a_charged_unit_fires_once_at_half_of_the_way() -> None:
    state = battle([squad((50, 60))], [squad((50, 75), weapons=("pi",)), FAR])
    fight = Fight(state, 4, 1, 4, 6, 1).do(0, Charge(UNIT, FOE)).expire()  # to fire is the default
    steps = [type(one).__name__ for one in fight.events(MarchGone, UnitFired)]
    halts = reactions.points(marched((5000, 6000), (5000, 7300), how="charge"))
    assert halts == [300, 600, 650, 900, 1200, 1300]
    assert steps == [*["MarchGone"] * 3, "UnitFired", *["MarchGone"] * 3]
    assert fight.events(OverwatchUsed) == []


@pytest.mark.rule("AE-OVER-02", "AE-TURN-05")
def test_who_is_suppressed_or_sees_nobody_left_does_not_react() -> None:
    own, two = squad((50, 60)), [squad((50, 90), overwatch=True), squad((52.5, 90), overwatch=True), FAR]
    fight = Fight(battle([own, FAR], two), 6, 1, 1).do(0, Move(UNIT, cm((60, 60))))
    fight.answer(1, reply(_1="300", _2="300")).expire()
    assert [one.unit for one in fight.events(OverwatchUsed)] == ["1.1"]
    assert fight.unit("1.2").overwatch
    assert told(fight)[0] == "done"
    marching = replace(
        battle([own], [squad((50, 90), suppressed=True), FAR]), march=marched((5000, 6000), (5600, 6000))
    )
    fired = arming.best(marching, marching.units[FOE], marching.units[UNIT], reacting=True)
    assert [shot.figure for shot in fired] == ["1.1.1"]


@pytest.mark.rule("AE-OVER-02")
def test_a_hidden_unit_on_overwatch_shows_itself_to_move_and_only_it_moves() -> None:
    state = battle([squad((50, 60)), FAR], [squad((50, 90), hidden=True, overwatch=True), FAR])
    fight = Fight(state).do(0, Move(UNIT, cm((58, 60)))).answer(1, reply(_1="move")).expire()
    fight.do(0, Finish())
    assert [(one.unit, one.why) for one in fight.events(UnitRevealed)] == [("1.1", "reacts")]
    assert [(one.unit, one.moves) for one in fight.events(OverwatchUsed)] == [("1.1", True)]
    assert fight.asked == ("ae.reply", (1,))


@pytest.mark.rule("AE-OVER-02")
@pytest.mark.parametrize(
    ("one", "asked"),
    [
        (squad((50, 90)), ("ae.reply", (1,))),
        (squad((50, 90), suppressed=True), None),
        (squad((50, 90), where="gone", figures=()), None),
    ],
)
def test_who_moves_by_its_overwatch_once_the_action_is_over(one: Squad, asked: Any) -> None:
    fight = Fight(battle([squad((50, 60))], [one, FAR], replies=(FOE,)))
    assert fight.asked == asked
    assert fight.now.replies == (() if asked is None else (FOE,))


@pytest.mark.rule("AE-OVER-02", "AE-ASLT-10")
@pytest.mark.parametrize(("faces", "asked"), [((1, 6, 6, 1, 6, 6), None), ((1, 6, 1, 6), ("ae.reply", (1,)))])
def test_a_charged_unit_moves_by_its_overwatch_only_where_it_is_not_engaged(faces: tuple[int, ...], asked: Any) -> None:
    charger, watcher = squad((50, 60), (52.5, 60)), squad((50, 75), (52.5, 75), experience="veteran", overwatch=True)
    fight = Fight(battle([charger, FAR], [watcher, FAR]), 4, *faces).do(0, Charge(UNIT, FOE))
    fight.answer(1, reply(_1="move")).expire().expire()
    assert [one.moves for one in fight.events(OverwatchUsed)] == [True]
    assert fight.asked == asked
    assert (fight.now.combat_of(FOE) is None) == (asked is not None)


@pytest.mark.rule("AE-OVER-02")
def test_what_a_vehicle_may_do_by_its_overwatch() -> None:
    def open_to(one: Squad, *, how: str = "move", target: str = "") -> tuple[list[str], set[str]]:
        march = marched((5000, 6000), (5600, 6000), how=how, target=target)
        state = battle([squad((50, 60))], [one])
        field = reactions.slots(state, [state.units[FOE]], march)
        [bars] = field.bars.values()
        barred = {bar.id for bar in bars}
        return [slot.id for slot in field.slots if slot.id not in barred], {bar.why.k for bar in bars}

    car = vehicle((50, 90), overwatch=True)
    assert open_to(car) == (["hold", "300", "600"], {"refuse.react/drives"})
    assert open_to(car, how="charge", target="1.1") == (["hold", "charge", "300", "600"], {"refuse.react/charged"})
    assert open_to(squad((50, 90), overwatch=True)) == (["hold", "300", "600", "move"], set())
    assert open_to(squad((50, 90), overwatch=True), how="charge", target="1.2")[1] == {"refuse.react/other"}


@pytest.mark.rule("AE-OVER-02", "AE-FIRE-01")
def test_what_a_unit_fires_best() -> None:
    def best(own: Squad, *features: Any, reacting: bool = False) -> list[tuple[str, str]]:
        state = battle([own], [squad((50, 72))], features=features)
        found = arming.best(state, state.units[UNIT], state.units[FOE], reacting=reacting)
        return [(shot.figure, shot.weapon) for shot in found]

    crewed = squad((50, 60), (52.5, 60), (55, 60), arms=(("hmg50", "pi"), ("ar",), ("pi", "ar")))
    assert best(crewed) == [("0.1.1", "hmg50"), ("0.1.3", "ar")]  # the second serves the gun
    grenadier = squad((50, 64), arms=(("fr", "ar"),))
    assert best(grenadier) == best(grenadier, reacting=True) == [("0.1.1", "ar")]
    house = block("h", "house", 60, 62, 70, 70)
    behind = squad((50, 60), (65, 60), arms=(("ar",), ("ar",)))
    assert best(behind, house) == [("0.1.1", "ar")]
    armed = vehicle((50, 60), weapons=("mg", "hmg50"))
    assert [weapon for _, weapon in best(armed)] == ["mg", "hmg50"]


@pytest.mark.rule("AE-OVER-01", "AE-MOR-03")
@pytest.mark.parametrize(
    ("own", "combats", "able"),
    [
        ({}, (), True),
        ({"hidden": True}, (), True),
        ({"suppressed": True}, (), False),
        ({"where": "aboard"}, (), False),
        ({}, (Combat(1, (UNIT,), (FOE,)),), False),
    ],
)
def test_who_may_be_set_on_overwatch(own: dict[str, Any], combats: tuple[Combat, ...], able: bool) -> None:
    state = battle([squad((50, 60), **own)], [FAR], combats=combats)
    assert overwatch.may_watch(state, state.units[UNIT]) == able


@pytest.mark.rule("AE-OVER-01")
def test_a_seat_without_such_a_unit_is_not_asked_nor_anybody_after_the_last_turn() -> None:
    state = battle([squad((50, 60))], [squad((150, 110), suppressed=True)], [FAR], sides=(0, 1, 1))
    fight = Fight(state, 1)
    for unit in ("0.1", "1.1", "2.1"):
        fight.do(int(unit[0]), Finish(GroupId(unit)))
    assert fight.asked == ("ae.overwatch", (0, 2))
    last = Fight(battle([squad((50, 60))], [FAR], table={"turns": 1})).do(0, Finish(UNIT)).do(1, Finish(FOE))
    assert last.now.ended == "turns"


def fled(*features: Any, foes: tuple[Squad, ...] = (), dice: tuple[int, ...] = (6, 1, 1, 2, 1)) -> Fight:
    """Suppress one of two figures on the first 3 cm of a move of 12 cm to the east, under fire from the north."""
    own = squad((50, 60), (47.5, 60))
    state = battle([own, FAR], [squad((50, 90), overwatch=True), *foes], features=features)
    fight = Fight(state, *dice).do(0, Move(UNIT, cm((62, 60))))
    return fight.answer(1, reply(_1="300")).expire()


@pytest.mark.rule("AE-QA-01", "AE-OVER-02", "AE-TURN-02", "AE-MOVE-01")
def test_who_is_suppressed_on_the_move_runs_into_cover_with_what_is_left() -> None:
    assert [one.why for one in fled(block("w", "broken", 45, 45, 65, 54)).events(FiguresMoved)] == ["cover"]
    near = fled(block("w", "broken", 45, 45, 65, 54))
    assert near.place("0.1.1") == (53, 54)
    beyond = fled(block("w", "broken", 45, 20, 65, 40))
    assert beyond.place("0.1.1") == (53, 51)  # 9 cm of its way are left
    hill = fled(block("h", "hill", 45, 20, 65, 40))  # it covers its rim alone, from some sides
    assert [hill.place("0.1.1"), len(hill.events(FiguresMoved))] == [(53, 60), 0]
    assert [fled().place("0.1.1"), len(fled().events(FiguresMoved))] == [(53, 60), 0]
    inside = fled(block("w", "broken", 40, 55, 70, 65), dice=(6, 1, 1, 4, 2, 1))
    assert [inside.place("0.1.1"), len(inside.events(FiguresMoved))] == [(53, 60), 0]
    assert told(near)[-1] == "stopped"


@pytest.mark.rule("AE-QA-01", "AE-MOR-05", "AE-TURN-01", "AE-TURN-02")
@pytest.mark.parametrize("waits", [False, True])
def test_who_is_suppressed_on_the_move_rallies_in_the_administration_phase(waits: bool) -> None:
    state = battle([squad((50, 60), (47.5, 60)), FAR], [squad((50, 90), overwatch=True)])
    fight = Fight(state, 6, 1, 1, 2, 1, 6, 6)
    if waits:
        fight.wait(0)
    fight.do(0, Move(UNIT, cm((62, 60)))).answer(1, reply(_1="300")).expire()
    if waits:
        fight.do(0, Finish())
    assert fight.unit("0.1").suppressed
    assert (fight.unit("0.1").acted, fight.events(RallyTried)) == (True, [])
    fight.do(0, Finish(GroupId("0.2")))
    assert [(one.unit, one.passed) for one in fight.events(RallyTried)] == [("0.1", True)]


@pytest.mark.rule("AE-QA-01")
def test_nobody_flees_towards_the_unit_that_fired() -> None:
    north, south = block("n", "broken", 45, 64, 65, 70), block("s", "broken", 45, 44, 65, 53)
    for y in (10, 32):  # an enemy that has not fired, farther and nearer than the one that has
        assert fled(north, south, foes=(squad((53, y)),)).place("0.1.1") == (53, 53)


@pytest.mark.rule("AE-QA-01", "AE-OVER-02")
def test_of_those_who_fire_at_one_point_a_unit_flees_from_the_one_that_suppressed_it() -> None:
    north, south = block("n", "broken", 45, 64, 65, 70), block("s", "broken", 45, 44, 65, 53)
    watchers = [squad((53, 90), overwatch=True), squad((53, 30), overwatch=True), FAR]
    for dice, y in (((6, 1, 1, 2, 1, 1, 1, 1), 53), ((1, 1, 1, 6, 1, 1, 2, 1), 64)):
        state = battle([squad((50, 60), (47.5, 60)), FAR], watchers, features=[north, south])
        fight = Fight(state, *dice).do(0, Move(UNIT, cm((62, 60))))
        assert fight.answer(1, reply(_1="300", _2="300")).expire().place("0.1.1") == (53, y)


@pytest.mark.rule("AE-QA-01", "AE-OVER-02", "AE-MOVE-01")
def test_nobody_flees_who_is_shot_dead_where_he_was_suppressed() -> None:
    watchers = [squad((53, 90), overwatch=True), squad((53, 30), overwatch=True), FAR]
    state = battle([squad((50, 60), (47.5, 60)), FAR], watchers, features=[block("w", "broken", 45, 45, 65, 54)])
    fight = Fight(state, 6, 1, 1, 2, 1, 6, 1, 1).do(0, Move(UNIT, cm((62, 60))))
    fight.answer(1, reply(_1="300", _2="300")).expire()
    assert (fight.unit("0.1").where, fight.events(FiguresMoved)) == ("gone", [])


@pytest.mark.rule("AE-QA-01")
def test_nobody_flees_from_a_firer_whom_his_own_rocket_killed() -> None:
    own, firer = squad((50, 60), (47.5, 60)), squad((58, 63), weapons=("rpg",), overwatch=True)
    state = battle([own, FAR], [firer, FAR], features=[block("w", "broken", 45, 45, 65, 57)])
    fight = Fight(state, 5, 1, 6, 1, 6, 1, 1).do(0, Move(UNIT, cm((58, 60)))).answer(1, reply(_1="800")).expire()
    assert (fight.unit("0.1").suppressed, fight.unit("1.1").where) == (True, "gone")
    assert fight.events(FiguresMoved) == []


@pytest.mark.rule("AE-QA-01", "AE-FIRE-06")
def test_buildings_are_cover_for_those_who_flee() -> None:
    def ends(left: float, bottom: float, right: float, top: float, *others: Feature) -> tuple[float, float]:
        state = battle([squad((50, 60), (47.5, 60)), FAR], [squad((50, 90), overwatch=True)])
        hut = ae_shipped.content().terrain["hut"]
        resolved = replace(state.resolved, terrain={**state.resolved.terrain, "hut": hut})
        state = replace(state, resolved=resolved, features=(block("h", "hut", left, bottom, right, top), *others))
        fight = Fight(state, 6, 1, 1, 2, 1).do(0, Move(UNIT, cm((62, 60)))).answer(1, reply(_1="300")).expire()
        return fight.place("0.1.1")

    assert ends(48, 45, 58, 55) == (53, 55)  # into the door of the north wall, for 7 of the 9 cm that are left
    # rather than to what is nearer to them, and to the firer
    assert ends(48, 45, 58, 55, block("n", "broken", 45, 64, 65, 70)) == (53, 55)
    assert ends(48, 35, 58, 45) == (53, 51)  # as far towards it as they come
    assert ends(48, 42, 58, 52) == (53, 53)  # to the wall: going in takes 2 cm more


@pytest.mark.rule("AE-OVER-02")
def test_a_crew_that_is_suppressed_on_its_way_stays() -> None:
    gunner = squad((60, 90), (62.5, 90), arms=(("hmg127",), ("pi",)), overwatch=True)
    state = battle([vehicle((40, 60)), FAR], [gunner, FAR], features=[block("w", "broken", 40, 48, 60, 56)])
    fight = Fight(state, 6, *[1] * 9, 6, 6, 4, 4, 1).do(0, Drive(UNIT, ((0, 3000),)))
    fight.answer(1, reply(_1="600")).expire()
    assert fight.unit("0.1").suppressed
    assert (fight.place("0.1.1"), fight.events(FiguresMoved)) == ((46, 60), [])


@pytest.mark.rule("AE-QA-02", "AE-MOR-05")
@pytest.mark.parametrize(
    ("lost", "shot", "led", "checks"),
    [
        (0, False, False, 1),
        (0, True, False, 2),
        (1, True, False, 2),
        (2, False, False, 3),
        (2, True, True, 2),
        (3, True, True, 3),
        (0, False, True, 1),
        (1, False, True, 1),
    ],
)
def test_how_many_checks_a_rally_takes(lost: int, shot: bool, led: bool, checks: int) -> None:
    roles = {0: ("leader",)} if led else {}
    state = battle([squad((50, 60), suppressed=True, lost=lost, shot=shot, roles=roles)], [FAR])
    assert rallying.checks(state, state.units[UNIT]) == checks


@pytest.mark.rule("AE-QA-02")
def test_fire_from_more_than_12_cm_is_noted_once() -> None:
    state = battle([squad((50, 60))], [squad((50, 90), suppressed=True), FAR])
    assert [one.unit for one in Fight(state, 1, 1, 1).do(0, Fire(UNIT, FOE)).events(ShotAt)] == ["1.1"]
    again = battle([squad((50, 60))], [squad((50, 90), suppressed=True, shot=True), FAR])
    assert Fight(again, 1, 1, 1).do(0, Fire(UNIT, FOE)).events(ShotAt) == []
    steady = battle([squad((50, 60))], [squad((50, 90)), FAR])
    assert Fight(steady, 1, 1, 1).do(0, Fire(UNIT, FOE)).events(ShotAt) == []


@pytest.mark.rule("AE-QA-02", "AE-FIRE-10")
def test_what_is_thrown_at_a_place_is_fire_at_nobody() -> None:
    thrown = Shot(LEAD, "fr", at=cm((50, 70))[0])
    state: Battle = battle([squad((50, 60), weapons=("fr",))], [squad((50, 80), suppressed=True), FAR])
    fight = Fight(state, 4).do(0, TakeAim(UNIT, thrown)).do(0, Fire(UNIT))
    assert fight.events(ShotAt) == []
    assert told(fight) == ["done"]


@pytest.mark.rule("AE-OVER-02", "AE-TURN-05")
@pytest.mark.parametrize("slot", ["800", "move"])
def test_who_is_suppressed_by_its_own_side_reacts_no_more(slot: str) -> None:
    rocket = squad((60.5, 66.2), weapons=("rpg",), overwatch=True)
    near = squad((58, 63), (60.5, 63), overwatch=True)
    fight = Fight(battle([squad((50, 60)), FAR], [rocket, near, FAR]), 5, 1, 6, 1, 6).do(0, Move(UNIT, cm((58, 60))))
    fight.answer(1, reply(_1="800", _2=slot)).expire()
    assert (fight.unit("1.2").suppressed, fight.unit("1.2").where) == (True, "table")
    assert [one.unit for one in fight.events(OverwatchUsed)] == ["1.1"]
    assert (fight.asked, fight.now.replies) == (None, ())


@pytest.mark.rule("AE-QA-02")
def test_fire_of_an_enemy_that_is_not_seen_is_noted_however_near() -> None:
    def noted(*shield: Squad) -> list[str]:
        state = battle([squad((50, 60)), *shield], [squad((50, 71), suppressed=True), squad((50, 73.1))])
        return [one.unit for one in Fight(state, 1, 1, 1).do(0, Fire(UNIT, FOE)).events(ShotAt)]

    assert noted() == []
    assert noted(vehicle((50, 62.6))) == ["1.1"]
