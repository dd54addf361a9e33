"""After a melee, and out of a transport into one: each condition from both sides (OP-MELEE-05, OP-SR-07)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.rulesets.one_page.rules import assaults, contact
from engine.rulesets.one_page.rules.assaults import Assault, Sally
from engine.rulesets.one_page.state.events import ActivationEnded, MeleeFought, MoraleTested, UnitMoved
from engine.rulesets.one_page.state.model import Feature, Point
from engine.rulesets.one_page.state.state import Battle
from protocol.ids import GroupId
from protocol.scene.nodes import Reply
from tests.support.systems.battle import Fight, battle, block, refusal, row, squad

GROUP_0_1 = GroupId("0.1")
GROUP_1_1 = GroupId("1.1")

FAR = squad((9000, 6000))
SWORD = ("sword",)


@pytest.mark.rule("OP-MELEE-05")
@pytest.mark.parametrize(
    ("enemies", "places"),
    [
        (((3000, 1200),), {}),
        (((3000, 1199),), {"0.1.1": (3000, 998)}),
        (((3000, 1102),), {"0.1.1": (3000, 901)}),
        (((3300, 1400), (3000, 1102)), {"0.1.1": (3000, 901)}),
        (((3000, 1102), (3300, 1400)), {"0.1.1": (3000, 901)}),
        (((3102, 1000),), {"0.1.1": (2901, 1000)}),
    ],
)
def test_who_goes_back_stands_an_inch_from_the_nearest_enemy(
    enemies: tuple[Point, ...], places: dict[str, Point]
) -> None:
    state = battle([squad((3000, 1000))], [squad(*enemies), FAR])
    assert contact.parted(state, state.units[GROUP_0_1], state.units[GROUP_1_1]) == places


@pytest.mark.rule("OP-MELEE-05")
@pytest.mark.parametrize(("own", "enemy", "back"), [(False, False, ["0.1"]), (True, False, ["1.1"]), (True, True, [])])
def test_the_tracked_stay_and_the_others_make_room(own: bool, enemy: bool, back: list[str]) -> None:
    one = squad((3000, 1000), kind="walker", tough=9, tracked=own)
    other = squad((3000, 1102), kind="walker", tough=9, tracked=enemy)
    fight = Fight(battle([one, squad((9000, 1000))], [other, FAR]), *[1] * 3)
    assert refusal(fight.do, 0, Assault(GROUP_0_1, GROUP_1_1)) == ""
    assert [move.unit for move in fight.events(UnitMoved) if move.how == "back"] == back
    assert [one.unit for one in fight.events(ActivationEnded)] == ["0.1"]


def won(*features: Feature, more: tuple[int, ...] = ()) -> Fight:
    """Let a unit charge another and destroy it."""
    own = squad((3000, 1698), weapons=SWORD)
    state = battle([own, squad((9000, 1000))], [squad((3000, 1800), weapons=SWORD), FAR], *features)
    return Fight(state, 6, 6, 6, 1, 1, 1, 1, 1, *more)


@pytest.mark.rule("OP-MELEE-05")
@pytest.mark.parametrize(
    ("to", "code"),
    [((3000, 1998), ""), ((3000, 1999), "move/too-far"), ((3000, 1850), ""), ((3350, 1698), "move/too-far")],
)
def test_who_is_left_alone_moves_up_to_three_inches(to: Point, code: str) -> None:
    fight = won()
    assert refusal(fight.do, 0, Assault(GROUP_0_1, GROUP_1_1)) == ""
    assert fight.asked == ("op.pursue", (0,))
    assert refusal(fight.answer, 0, Reply("go", {"to": list(to)})) == code
    assert [move.way[-1] for move in fight.events(UnitMoved) if move.how == "on"] == ([] if code else [to])


@pytest.mark.rule("OP-MELEE-05", "OP-OPEN-15")
def test_who_goes_on_through_mines_rolls_for_them() -> None:
    fight = won(block("mines", "minefield", 2500, 1860, 3500, 1900), more=(2,))
    assert refusal(fight.do, 0, Assault(GROUP_0_1, GROUP_1_1)) == ""
    assert refusal(fight.answer, 0, Reply("go", {"to": [3000, 1980]})) == ""
    assert fight.rolls[-1] == (0, "op.dice.mines", 1)
    assert (fight.place("0.1.1"), fight.unit("0.1").done) == ((3000, 1980), True)


@pytest.mark.rule("OP-MELEE-05")
def test_who_fights_an_inch_away_in_one_wood_need_not_go_back() -> None:
    """The enemy in the same piece is out of an Assault's reach, and in contact all the same."""
    wood = block("wood", "forest", 2500, 900, 3500, 3000)
    state = battle([squad((3000, 1000)), squad((9000, 1000))], [squad((3000, 2800)), FAR], wood)
    fight = Fight(state, *[1] * 3)
    assert refusal(fight.do, 0, Assault(GROUP_0_1, GROUP_1_1)) == ""
    assert [move.how for move in fight.events(UnitMoved)] == ["assault"]
    assert (fight.place("0.1.1"), len(fight.events(MeleeFought))) == ((3000, 1000), 1)


@pytest.mark.rule("OP-MELEE-02", "OP-MELEE-04", "OP-MELEE-05")
@pytest.mark.parametrize(("die", "tested", "gone"), [(1, ["1.1"], "1.1"), (4, ["1.1"], ""), (0, [], "1.1")])
def test_who_loses_a_melee_tests_morale_unless_nobody_is_left(die: int, tested: list[str], gone: str) -> None:
    """A beast of Tough 6 or 3 takes three wounds: it is at half, routs on a 1, and is dead at once if it had three."""
    beast = squad((3000, 1800), kind="monster", tough=6 if die else 3, weapons=SWORD)
    state = battle([squad((3000, 1000), weapons=["claw"], rules=["fear"]), squad((9000, 1000))], [beast, FAR])
    fight = Fight(state, 6, 6, 6, 1, 1, 1, *([die] if die else []))
    assert refusal(fight.do, 0, Assault(GROUP_0_1, GROUP_1_1)) == ""
    assert [(one.unit, one.why) for one in fight.events(MoraleTested)] == [(unit, "melee") for unit in tested]
    assert fight.unit("1.1").where == ("gone" if gone else "table")
    assert (fight.asked is not None) is bool(gone)


@pytest.mark.rule("OP-MELEE-05")
@pytest.mark.parametrize("tracked", [False, True])
def test_who_is_tracked_does_not_go_on(tracked: bool) -> None:
    own = squad((3000, 1698), kind="walker", tough=9, weapons=SWORD, tracked=tracked)
    state = battle([own, squad((9000, 1000))], [squad((3000, 1800), weapons=SWORD), FAR])
    fight = Fight(state, 6, 6, 6, 1, 1, 1, 1, 1)
    assert refusal(fight.do, 0, Assault(GROUP_0_1, GROUP_1_1)) == ""
    assert (fight.asked is None) is tracked
    assert fight.unit("0.1").done is tracked


def aboard(
    *enemies: Point,
    features: tuple[Feature, ...] = (),
    models: int = 1,
    rules: tuple[str, ...] = ("furious",),
    **changes: Any,
) -> Battle:
    """A Furious unit in a transport, and enemies around it."""
    carrier = squad((3000, 2000), kind="vehicle", tough=9, size=300, facing=90, rules=["transport.9"], id="T-09")
    riders = squad(*row(models, 0, 0), where="aboard", vessel="0.2", rules=rules, weapons=SWORD, **changes)
    return battle([riders, carrier], [squad(*enemies), FAR], *features)


EAST, NORTH = (3700, 2000), (3000, 2850)
CLEFT = block("w", "water", 0, 2400, 2945, 3500), block("e", "water", 3055, 2400, 6000, 3500)


@pytest.mark.rule("OP-SR-07")
@pytest.mark.parametrize(
    ("enemies", "features", "models", "code"),
    [
        ((EAST,), (), 1, ""),
        (((3000, 2898),), (), 1, ""),
        (((3000, 2910),), (), 1, "move/too-far"),
        ((EAST, NORTH), (block("east", "water", 3350, 1900, 3450, 2100),), 1, ""),
        ((EAST, (3000, 3100)), (block("east", "water", 3350, 1900, 3450, 2100),), 1, "move/closed"),
        (
            ((3000, 2650),),
            (block("w", "water", 0, 2400, 2945, 3500), block("e", "water", 3055, 2400, 6000, 3500)),
            9,
            "place/no-room",
        ),
        ((EAST,), (block("wood", "forest", 3300, 1900, 3500, 2100),), 1, "move/cover"),
    ],
)
def test_the_furious_get_out_at_the_first_enemy_whom_they_reach(
    enemies: tuple[Point, ...], features: tuple[Feature, ...], models: int, code: str
) -> None:
    """At half of an Assault; refused for what was in the way to the nearest."""
    state = aboard(*enemies, features=features, models=models)
    assert refusal(assaults.check_sally, state, 0, Sally(GROUP_0_1, GROUP_1_1)) == code


@pytest.mark.rule("OP-SR-07")
def test_those_who_are_sallied_at_step_in() -> None:
    """One of two defenders steps into contact; both strike."""
    fight = Fight(aboard((3000, 2650), (3190, 2640)), *[1] * 6)
    assert refusal(fight.do, 0, Sally(GROUP_0_1, GROUP_1_1)) == ""
    assert [(move.unit, move.how, {*move.places}) for move in fight.events(UnitMoved)][:1] == [("1.1", "in", {"1.1.2"})]
    assert len(fight.events(MeleeFought)) == 1


@pytest.mark.rule("OP-SR-07")
@pytest.mark.parametrize(
    ("rules", "effects", "code"),
    [
        ((), (), "assault/not-furious"),
        (("furious",), (), ""),
        ((), ("furious",), ""),
        ((), ("hatred",), "assault/not-furious"),
    ],
)
def test_who_is_furious_by_a_power_may_sally_too(rules: tuple[str, ...], effects: tuple[str, ...], code: str) -> None:
    state = aboard(EAST, rules=rules, effects=effects)
    assert refusal(assaults.check_sally, state, 0, Sally(GROUP_0_1, GROUP_1_1)) == code
