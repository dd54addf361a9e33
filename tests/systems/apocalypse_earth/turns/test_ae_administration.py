"""The administration phase in its order, and the ends of a battle (AE-TURN-04, AE-OPEN-29, AE-SCEN)."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Final

import pytest
from msgspec.structs import replace

from engine.rulesets.apocalypse_earth.rules import ending
from engine.rulesets.apocalypse_earth.rules.ending import Finish
from engine.rulesets.apocalypse_earth.rules.fire.firing import Fire
from engine.rulesets.apocalypse_earth.rules.moves.leaving import Leave, check_leave
from engine.rulesets.apocalypse_earth.rules.moves.moving import Move
from engine.rulesets.apocalypse_earth.rules.scenario import scoring
from engine.rulesets.apocalypse_earth.state.fire_events import Alarmed
from engine.rulesets.apocalypse_earth.state.lasting import Blaze, Cloud, Combat, Mission, Wreckage
from engine.rulesets.apocalypse_earth.state.model import INFANTRY, Options, Prize
from engine.rulesets.apocalypse_earth.state.state import Activation, Battle
from engine.rulesets.apocalypse_earth.state.turn_events import Activated, BattleEnded
from engine.rulesets.apocalypse_earth.state.vehicle_events import CrewmanReplaced
from engine.space.vectors.outlines import outline_of
from protocol.ids import FigureId, GroupId
from tests.support.systems.ae_battle import Fight, Squad, battle, block, cm, refused, scenario, squad, vehicle
from tests.support.systems.ae_bounds import refusal
from tests.support.systems.ae_shipped import content, unit_entry

UNIT, FOE = GroupId("0.1"), GroupId("1.1")
HERE, FAR = squad((20, 20)), squad((150, 100))
PLAIN: Final = Options(overwatch=False)


@pytest.mark.rule("AE-TURN-04", "AE-OPEN-29")
def test_the_administration_phase_goes_through_its_steps_in_order() -> None:
    own = [
        squad((50, 60), acted=True),
        squad((20, 20), suppressed=True, acted=True),
        vehicle((100, 100), hull=Wreckage(("whl",), blocked={"drv": 1}), acted=True),
        squad((100, 102.5), roles={0: ("mechanic",)}, acted=True),
    ]
    state = battle(
        own,
        [squad((52, 60), acted=True), FAR],
        options=Options(repairs=True),
        features=[block("w", "woods", 120, 20, 130, 30)],
        fires=(Blaze("w", 0),),
        combats=(Combat(1, (UNIT,), (FOE,)),),
        missions=(Mission(0, GroupId("0.2"), "FS-10", (6000, 9000)),),
        acting=1,
    )
    fight = Fight(state, 6, 1, 2, 6, 6, 2, 1).do(1, Finish(GroupId("1.2")))
    purposes = [purpose for _, purpose, _ in fight.rolls]
    assert purposes == [*["ae.dice.duel"] * 2, "ae.dice.morale", "ae.dice.artillery", "ae.dice.fire"]
    assert fight.asked == ("ae.overwatch", (0, 1))
    assert fight.expire().asked == ("ae.repair", (0,))
    assert fight.events(CrewmanReplaced) == []
    fight.expire()
    assert [one.code for one in fight.events(CrewmanReplaced)] == ["drv"]
    assert (fight.now.turn, [step.__name__ for step in ending.STEPS][-1]) == (2, "end_turn")


@pytest.mark.rule("AE-TURN-04", "AE-OPEN-29")
def test_a_battle_that_one_side_has_lost_ends_after_the_step() -> None:
    def ended(*foes: Squad, turn: int = 1) -> Fight:
        state = battle(
            [squad((20, 20), acted=True)],
            [squad((60, 60), acted=True), *foes],
            features=[block("w", "woods", 120, 20, 130, 30)],
            fires=(Blaze("w", 0),),
            missions=(Mission(0, UNIT, "FS-7", (6000, 6000)),),
            options=PLAIN,
            turn=turn,
            acting=1,
        )
        return Fight(state, 6, 6, 6, 1, 12, *([2] if foes else []))

    lost = ended()
    assert ([one.why for one in lost.events(BattleEnded)], lost.now.turn) == (["destroyed"], 1)
    assert "ae.dice.fire" not in [purpose for _, purpose, _ in lost.rolls]
    goes_on = ended(squad((150, 100), acted=True))
    assert (goes_on.events(BattleEnded), goes_on.now.turn) == ([], 2)
    last = ended(squad((150, 100), acted=True), turn=6)
    assert ([one.why for one in last.events(BattleEnded)], last.now.ended) == (["turns"], "turns")


@pytest.mark.rule("AE-TURN-04")
def test_smoke_lasts_until_the_end_of_the_next_turn() -> None:
    clouds = tuple([Cloud(str(until), (9000, 9000), 400, until) for until in (1, 2)])
    fight = Fight(battle([HERE], [FAR], options=PLAIN, clouds=clouds)).do(0, Finish(UNIT)).do(1, Finish(FOE))
    assert [cloud.id for cloud in fight.now.clouds] == ["2"]


@pytest.mark.rule("AE-SCEN-02")
@pytest.mark.parametrize(("alarm", "mover", "alarmed"), [(0, 1, 1), (1, 0, 1), (-1, 0, 0), (1, 1, 1), (0, 0, 1)])
def test_any_side_may_be_the_one_that_sleeps(alarm: int, mover: int, alarmed: int) -> None:
    state = battle([squad((20, 20))], [squad((20, 52))], table={"alarm": alarm}, acting=mover)
    to = cm((20, 26)) if mover == 0 else cm((20, 46))
    fight = Fight(state).do(mover, Move(GroupId(f"{mover}.1"), to))
    assert len(fight.events(Alarmed)) == alarmed


@pytest.mark.rule("AE-SCEN-02", "AE-SCEN-03", "AE-SCEN-06")
def test_to_whom_a_building_gives_its_prize() -> None:
    house, ruin = block("h", "house", 40, 40, 60, 60), block("h", "rubble", 40, 40, 60, 60)
    first, second, away = squad((45, 45)), squad((55, 55)), squad((20, 20))

    def given(prize: Prize, *forces: Squad, feature: Any = house, **changes: Any) -> list[int]:
        state = battle(*[[one] for one in forces], features=[feature], table={"prizes": (prize,)}, **changes)
        return [scoring.score(state, side) for side in scoring.scores(state)]

    whoever = Prize("x", "inside", 40, features=("h",))
    assert given(whoever, first, FAR) == [40, 0]
    assert given(whoever, away, second) == [0, 40]
    assert given(whoever, first, second) == [0, 0]
    assert given(whoever, away, FAR) == [0, 0]
    assert given(whoever, first, FAR, feature=ruin) == [0, 0]
    assert given(whoever, first, FAR, fires=(Blaze("h", 1),)) == [40, 0]
    assert given(whoever, squad((45, 45), suppressed=True), FAR) == [0, 0]
    left = Prize("x", "inside", 40, otherwise=1, features=("h",))
    assert given(left, first, FAR) == [40, 0]
    assert given(left, away, FAR) == [0, 40]
    assert given(left, first, second) == [0, 40]
    own = Prize("x", "inside", 40, 0, 1, ("h",))
    assert given(own, away, second) == [0, 40]
    assert given(own, first, FAR) == [40, 0]
    theirs = Prize("x", "inside", 40, 1, features=("h",))
    assert given(theirs, first, FAR) == [0, 0]
    razed = Prize("x", "razed", 40, 0, features=("h",))
    assert given(razed, first, FAR) == [0, 0]
    assert given(razed, first, FAR, feature=ruin) == [40, 0]
    assert given(razed, first, FAR, fires=(Blaze("h", 1),)) == [40, 0]


@pytest.mark.rule("AE-SCEN-02", "AE-SCEN-04")
def test_which_units_bring_a_prize() -> None:
    def brings(what: Any, one: Squad, *, units: tuple[str, ...] = ("t_01",), side: int = 0) -> bool:
        prize = Prize("x", what, 40, side, units=units, figures=1, outline=outline_of((0, 0, 3000, 12000)))
        state = battle([one], [FAR], table={"prizes": (prize,)})
        return scoring._counts(state, state.units[UNIT], prize)

    def left(*figures: int, of: int = 4) -> Squad:
        ids = tuple([FigureId(f"0.1.{n}") for n in figures])
        return squad(*[(20, 20)] * of)._replace(changes={"where": "gone", "fate": "left", "figures": ids})

    assert [brings("home", one) for one in (HERE, squad((31, 20)), squad((20, 20), where="aboard"))] == [
        True,
        False,
        False,
    ]
    assert not brings("home", HERE, side=1)
    assert [brings("out", left(*figures)) for figures in ((1, 2), (1,))] == [True, False]
    assert not brings("out", HERE)
    assert not brings("out", left(1, 2), side=1)
    assert [brings("kept", one, side=1) for one in (HERE, left(1, 2))] == [True, False]
    assert not brings("kept", HERE)
    assert not brings("home", HERE, units=("t_v1",))
    assert brings("home", HERE, units=(INFANTRY,))
    assert not brings("home", vehicle((20, 20)), units=(INFANTRY,))
    assert brings("home", vehicle((20, 20)), units=("t_v1",))


def leaving(own: Squad, *others: Squad, **changes: Any) -> Battle:
    """A table whose east edge may be left between y 33 and 57."""
    plan = replace(scenario().seats[0], leaves=cm((180, 33), (180, 57)))
    return battle([own, *others], [squad((20, 100))], table={"seats": (plan, scenario().seats[1])}, **changes)


@pytest.mark.rule("AE-SCEN-04")
@pytest.mark.parametrize(
    ("own", "changes", "able"),
    [
        (squad((168, 45)), {}, True),
        (squad((167.99, 45)), {}, False),
        (squad((168, 57)), {}, True),
        (squad((168, 57.01)), {}, False),
        (squad((170, 45), (167, 45)), {}, False),
        (squad((170, 45), suppressed=True), {}, False),
        (squad((170, 45), where="aboard"), {}, False),
        (squad((170, 45)), {"combats": (Combat(1, (UNIT,), (FOE,)),)}, False),
        (squad((174, 45)), {"active": Activation(UNIT, spent={FigureId("0.1.1"): 600})}, True),
        (squad((173.99, 45)), {"active": Activation(UNIT, spent={FigureId("0.1.1"): 600})}, False),
        (vehicle((150, 45)), {}, True),
        (vehicle((150, 45), hull=Wreckage(("eng",))), {}, False),
    ],
)
def test_who_may_leave_the_table(own: Squad, changes: dict[str, Any], able: bool) -> None:
    state = leaving(own, **changes)
    assert (refused(lambda: check_leave(state, 0, UNIT)) == "") == able


@pytest.mark.rule("AE-SCEN-04")
def test_who_leaves_has_acted_and_takes_along_who_is_aboard() -> None:
    riders = squad((170, 45), where="aboard", vessel=UNIT)
    state = leaving(vehicle((170, 45)), riders, HERE)
    fight = Fight(state).do(0, Leave(UNIT))
    assert [one.unit for one in fight.events(Activated)] == [UNIT]
    assert [(unit.where, unit.fate) for unit in fight.now.units.values()][:2] == [("gone", "left")] * 2
    assert (fight.now.active, fight.now.acting, fight.unit("0.1").acted) == (None, 1, True)
    assert refusal(battle([HERE], [FAR]), 0, Leave(UNIT)) == "leave/far"


@pytest.mark.rule("AE-OPEN-06")
def test_a_figure_is_worth_its_body_and_what_it_carries() -> None:
    worth = content().book.worth
    gun, ability = next(iter(worth.weapons)), next(iter(worth.abilities))
    body = worth.figure["green"]
    prices = {(): 0, (gun,): worth.weapons[gun].price, (ability,): worth.abilities[ability].price}
    for gear, more in prices.items():
        assert worth.of_figure(unit_entry(), gear) == body + more
    assert worth.of_figure(unit_entry(abilities=[ability]), (gun,)) == body + sum(prices.values())
    assert worth.of_figure(unit_entry(ccr=4), ()) == body + 2
    assert [worth.of_figure(unit_entry(armour=armour), ()) - body for armour in (1, 2, 3)] == [1, 1, 2]
    moves = [Decimal(written) for written in ("10", "12.01", "14", "14.01")]
    assert [worth.of_figure(unit_entry(move=move), ()) - body for move in moves] == [0, 1, 1, 2]


@pytest.mark.rule("AE-OPEN-05", "AE-FIRE-01")
def test_who_serves_a_gun_fires_nothing_of_his_own() -> None:
    crewed = squad((50, 60), (52.1, 60), (54.2, 60), arms=(("hmg50",), ("ar",), ("ar",)))
    fight = Fight(battle([crewed], [squad((50, 80)), FAR]), *[1] * 13).do(0, Fire(UNIT, FOE))
    assert fight.rolls == [(0, "ae.dice.hit", 3), (0, "ae.dice.hit", 10)]
