"""Casualties that are not dead, and the Forward Aid Post (AE-CAS)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from engine.core.rules.errors import IllegalIntent
from engine.rulesets.apocalypse_earth.rules.ending import Finish
from engine.rulesets.apocalypse_earth.rules.fire import arming
from engine.rulesets.apocalypse_earth.rules.fire.firing import Fire
from engine.rulesets.apocalypse_earth.rules.moves.errands import Carry, Treat
from engine.rulesets.apocalypse_earth.rules.moves.moving import Move
from engine.rulesets.apocalypse_earth.rules.scenario import aid_posts, scoring
from engine.rulesets.apocalypse_earth.rules.scenario.deployment import DeployRest
from engine.rulesets.apocalypse_earth.state.lasting import AidPost, Wounded
from engine.rulesets.apocalypse_earth.state.model import Options
from engine.rulesets.apocalypse_earth.state.state import DEPLOY, Battle
from engine.space.vectors.points import within
from protocol.ids import FigureId, GroupId
from tests.support.systems.ae_battle import WEAPONS, Fight, battle, block, cm, row, squad

PLAYED = Options(casualties=True, overwatch=False)
UNIT, FOE = GroupId("0.1"), GroupId("1.1")
FAR = squad((150, 110))


def shot(die: int, *more: int, **table: Any) -> Fight:
    """Hit the second of three figures, with this die for his condition."""
    state = battle([squad((20, 60))], [squad(*row(3, 60, 60))], options=PLAYED, **table)
    return Fight(state, 6, 1, 1, 2, die, *more).do(0, Fire(UNIT, FOE))


def down(
    *own: Any, at: tuple[float, float] = (60, 60), enemies: Any = (FAR,), officer: bool = False, **changes: Any
) -> Battle:
    """A table on which the last figure of the first unit is a man down."""
    state = battle([squad((65, 60), at, roles={1: ("officer",)} if officer else {}), *own], [*enemies], options=PLAYED)
    man, unit = FigureId("0.1.2"), state.units[UNIT]
    units = {**state.units, UNIT: replace(unit, figures=(FigureId("0.1.1"),))}
    return replace(state, units=units, wounded=(Wounded(man, UNIT),), **changes)


@pytest.mark.rule("AE-CAS-01")
def test_the_condition_of_a_casualty() -> None:
    dead = shot(2, 6)
    assert (dead.unit("1.1").figures, dead.now.wounded) == (("1.1.1", "1.1.3"), ())
    hurt = shot(3, 6)
    assert [one.figure for one in hurt.now.wounded] == ["1.1.2"]
    assert hurt.unit("1.1").figures == ("1.1.1", "1.1.3")
    assert FigureId("1.1.2") in hurt.now.figures
    assert shot(5, 6).now.wounded
    stunned = shot(6)  # no casualty, so no check
    assert len(stunned.unit("1.1").figures) == 3
    unit, figure = stunned.unit("1.1"), stunned.now.figures[FigureId("1.1.2")]
    assert not arming.may_fire(stunned.now, unit, figure, WEAPONS["ar"])
    stunned.do(1, Finish(FOE))
    assert stunned.now.figures[FigureId("1.1.2")].stunned == 0


@pytest.mark.rule("AE-CAS-01")
def test_a_stunned_figure_goes_into_the_nearest_cover() -> None:
    near, far = block("a", "woods", 61, 62, 66, 66), block("a", "woods", 61, 70, 66, 76)
    at = shot(6, features=[near]).now.figures[FigureId("1.1.2")].at
    assert 6200 <= at[1] <= 6600
    assert within(at, (6250, 6000), 600)
    assert shot(6, features=[far]).place("1.1.2") == (62.5, 60)


@pytest.mark.rule("AE-CAS-01")
def test_a_man_down_is_carried_at_half_movement_by_one_who_does_not_fire() -> None:
    fight = Fight(down()).do(0, Carry(UNIT, FigureId("0.1.2"), cm((60, 56))[0]))
    assert fight.place("0.1.2") == (60, 56)
    with pytest.raises(IllegalIntent):  # 3 cm to him, and 2 for each of 4.6
        Fight(down()).do(0, Carry(UNIT, FigureId("0.1.2"), cm((62, 55.4))[0]))
    near = down(enemies=(squad((60, 80)),))
    armed = Fight(near).do(0, Carry(UNIT, FigureId("0.1.2"), cm((60, 56))[0]))
    assert not armed.may(0, Fire(UNIT, FOE))


@pytest.mark.rule("AE-OPEN-26", "AE-CAS-01")
@pytest.mark.parametrize(("die", "figures", "aided"), [(6, 2, []), (5, 1, [True]), (3, 1, [True]), (2, 1, [False])])
def test_a_medic_treats_a_man_down_in_place_of_firing(die: int, figures: int, aided: list[bool]) -> None:
    medic = squad((60, 66), roles={0: ("medic",)})
    fight = Fight(down(medic), die).do(0, Treat(GroupId("0.2"), FigureId("0.1.2")))
    assert len(fight.unit("0.1").figures) == figures
    assert [man.aided for man in fight.now.wounded] == aided
    assert within(fight.now.figures[FigureId("0.2.1")].at, (6000, 6000), 205)
    with pytest.raises(IllegalIntent):
        Fight(down(squad((60, 75), roles={0: ("medic",)}))).do(0, Treat(GroupId("0.2"), FigureId("0.1.2")))


@pytest.mark.rule("AE-OPEN-27", "AE-CAS-02")
def test_wounded_at_medical_aid_or_at_the_post_bring_points() -> None:
    cases: list[tuple[Battle, int]] = [
        (down(), 0),
        (down(squad((60, 65), roles={0: ("medic",)})), 4),
        (down(squad((60, 65.2), roles={0: ("medic",)})), 0),
        (down(posts={0: AidPost("", (6000, 6250))}), 4),
        (down(posts={0: AidPost("", (6000, 6250))}, officer=True), 12),
        (replace(down(), wounded=(Wounded(FigureId("0.1.2"), UNIT, aided=True),)), 4),
    ]
    for state, points in cases:
        assert aid_posts.points(state, 0) == points
        assert scoring.score(state, 0) - scoring.score(replace(state, wounded=()), 0) == points


@pytest.mark.rule("AE-CAS-01")
def test_the_enemy_takes_a_man_down_of_whom_no_friend_is_near() -> None:
    for friend, gone in (((60, 69), True), ((60, 67), False)):
        state = down(squad(friend), enemies=(squad((60, 45)),))
        state = replace(state, units={**state.units}, acting=1)
        far = replace(state.figures[FigureId("0.1.1")], at=(9000, 6000))
        fight = Fight(replace(state, figures={**state.figures, far.id: far})).do(1, Move(FOE, cm((60, 56.5))))
        assert (not fight.now.wounded) == gone


@pytest.mark.rule("AE-CAS-02", "AE-TURN-03")
def test_each_seat_marks_an_aid_post_after_the_forces() -> None:
    house, woods = block("h", "house", 60, 2, 70, 8), block("w", "woods", 90, 2, 100, 8)
    state = battle(
        [squad((40, 6), where="away")],
        [squad((40, 114))],
        options=PLAYED,
        features=[house, woods],
        phase=DEPLOY,
        turn=0,
        placing=(UNIT,),
        placed=(0, 1),
        table={"first": 0},
    )
    assert [piece.id for piece in aid_posts.places_for_post(state, 0)] == ["h"]
    bare = replace(state, features=(woods,))
    assert [piece.id for piece in aid_posts.places_for_post(bare, 0)] == ["w"]
    fight = Fight(state).do(0, DeployRest())
    assert fight.asked == ("ae.post", (0,))
    fight.expire()
    assert fight.now.posts[0] == AidPost("h", (6500, 500))
    assert fight.now.posts[1].feature == ""
