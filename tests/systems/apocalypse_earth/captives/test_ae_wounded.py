"""Casualties that are not dead, and the Forward Aid Post (AE-CAS)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from engine.core.rules.errors import IllegalIntent
from engine.core.rules.events import ActionResolved
from engine.rulesets.apocalypse_earth.rules.ending import Finish
from engine.rulesets.apocalypse_earth.rules.fire import arming
from engine.rulesets.apocalypse_earth.rules.fire.firing import Fire
from engine.rulesets.apocalypse_earth.rules.moves import errands
from engine.rulesets.apocalypse_earth.rules.moves.errands import Carry, Treat
from engine.rulesets.apocalypse_earth.rules.moves.moving import Move
from engine.rulesets.apocalypse_earth.rules.scenario import aid_posts, scoring
from engine.rulesets.apocalypse_earth.rules.scenario.deployment import DeployRest
from engine.rulesets.apocalypse_earth.rules.table import zones
from engine.rulesets.apocalypse_earth.state.captive_events import FigureStunned
from engine.rulesets.apocalypse_earth.state.lasting import AidPost, Shot, Wounded
from engine.rulesets.apocalypse_earth.state.model import Options
from engine.rulesets.apocalypse_earth.state.state import DEPLOY, POWERS, Activation, Battle
from engine.space.vectors.paths import path_length
from engine.space.vectors.points import box_of, middle_of, within
from protocol.ids import FigureId, GroupId
from protocol.scene.nodes import Reply
from tests.support.systems.ae_battle import WEAPONS, Fight, battle, block, cm, refused, row, squad, vehicle

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
    with pytest.raises(IllegalIntent, match="carry/far"):  # 3 cm to him, and 2 for each of 4.6
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
    with pytest.raises(IllegalIntent, match="treat/far"):
        Fight(down(squad((60, 75), roles={0: ("medic",)}))).do(0, Treat(GroupId("0.2"), FigureId("0.1.2")))


@pytest.mark.rule("AE-OPEN-27", "AE-CAS-02", "AE-OPEN-26")
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


@pytest.mark.rule("AE-CAS-01", "AE-TURN-02")
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


@pytest.mark.rule("AE-CAS-01")
def test_the_stunned_do_not_fire_in_the_next_action_of_their_unit() -> None:
    """Who is stunned in his own unit's action is so for the next one too."""
    own = squad((20, 60), (22.5, 60), weapons=("fr",))
    state = battle([own], [FAR], options=PLAYED)
    lob = Shot(FigureId("0.1.1"), "fr", at=cm((22.5, 62))[0])
    fight = Fight(state, 4, 2, 2, 6, 6).do(0, Fire(UNIT, shots=(lob,)))
    assert [(one.figure, one.actions) for one in fight.events(FigureStunned)] == [("0.1.1", 2), ("0.1.2", 2)]
    assert [one.actions for one in shot(6).events(FigureStunned)] == [1]


@pytest.mark.rule("AE-CAS-01")
def test_whom_a_unit_may_carry() -> None:
    """A man down of its own whom one of it reaches with what is left of his movement."""
    man = FigureId("0.1.2")
    assert refused(lambda: errands.check_carriers(down(), 0, UNIT)) == ""
    assert errands.check_carriers(down(), 0, UNIT) == [man]
    for code, state in (
        ("", down(at=(65, 73.98))),
        ("carry/nobody", down(at=(65, 74))),
        ("carry/nobody", replace(down(), wounded=())),
    ):
        assert refused(lambda: errands.check_carriers(state, 0, UNIT)) == code  # noqa: B023 - called at once
    other = down(squad((60, 62)))
    assert refused(lambda: errands.check_carriers(other, 0, GroupId("0.2"))) == "carry/nobody"
    assert Fight(other).why_not(0, Carry(GroupId("0.2"), man, cm((60, 58))[0])) == "carry/nobody"
    assert Fight(other).why_not(0, Carry(UNIT, FigureId("0.1.1"), cm((60, 58))[0])) == "carry/nobody"
    assert Fight(other).why_not(0, Carry(UNIT, man, cm((60, 56))[0])) == ""
    aboard = down(squad((60, 62)))
    riding = replace(aboard.units[UNIT], where="aboard", vessel=GroupId("0.2"))
    aboard = replace(aboard, units={**aboard.units, UNIT: riding})
    assert refused(lambda: errands.check_carriers(aboard, 0, UNIT)) == "carry/nobody"
    assert refused(lambda: errands.check_carry(aboard, 0, Carry(UNIT, man, cm((60, 58))[0]))) == "carry/nobody"


@pytest.mark.rule("AE-CAS-01")
def test_carrying_ends_the_move_of_a_unit() -> None:
    state = battle([squad((65, 57), (67.5, 57), (62, 60), (60, 60))], [squad((60, 80))], options=PLAYED)
    left = replace(state.units[UNIT], figures=(FigureId("0.1.1"), FigureId("0.1.2")))
    men = tuple([Wounded(FigureId(f"0.1.{n}"), UNIT) for n in (3, 4)])
    fight = Fight(replace(state, units={**state.units, UNIT: left}, wounded=men))
    fight.do(0, Move(UNIT, cm((65, 60)))).do(0, Carry(UNIT, men[1].figure, cm((62, 58))[0]))
    assert fight.now.active is not None
    # after 3 cm, 3 cm to the man and twice 2 cm with him; who only watches has gone the 3 cm before
    assert fight.now.active.spent == {"0.1.1": 300 + 300 + 2 * 200, "0.1.2": 300}
    again = Carry(UNIT, FigureId("0.1.3"), cm((62, 58))[0])
    assert fight.why_not(0, again) == "act/step-past"
    assert refused(lambda: errands.check_carriers(fight.now, 0, UNIT)) == "act/step-past"
    assert Fight(replace(fight.now, active=Activation(UNIT, POWERS))).why_not(0, again) == ""
    first = Fight(replace(state, units={**state.units, UNIT: left}, wounded=men))
    first.do(0, Carry(UNIT, men[1].figure, cm((62, 58))[0]))
    assert first.now.active is not None
    assert first.now.active.step == POWERS


@pytest.mark.rule("AE-CAS-01")
def test_a_man_is_left_where_his_carrier_is_stopped() -> None:
    shoots = Reply("answer", {"each": {"group/1.1": "300"}})
    carry = Carry(UNIT, FigureId("0.1.2"), cm((60, 56))[0])
    arrived = Fight(down()).do(0, carry)
    assert [one.how for one in arrived.events(ActionResolved)] == ["done"]
    watched = down(enemies=(squad((60, 80), overwatch=True, weapons=("sr",)), FAR))
    watched = replace(watched, resolved=replace(watched.resolved, options=Options(casualties=True)))
    fight = Fight(watched, 4, 1).do(0, carry).answer(1, shoots).expire()  # the carrier is shot dead
    assert [one.how for one in fight.events(ActionResolved) if one.counts == {}][-1] == "stopped"
    assert fight.place("0.1.2") == (60, 60)
    # a carrier who lives, and is suppressed with his unit, leaves the man as well
    trio = battle([squad((65, 60), (67.5, 60), (60, 60))], [squad((60, 80), overwatch=True, weapons=("sr",)), FAR])
    left = replace(trio.units[UNIT], figures=(FigureId("0.1.1"), FigureId("0.1.2")))
    trio = replace(trio, units={**trio.units, UNIT: left}, wounded=(Wounded(FigureId("0.1.3"), UNIT),))
    fight = Fight(trio, 4, 1).do(0, replace(carry, man=FigureId("0.1.3"))).answer(1, shoots).expire()
    assert fight.unit("0.1").figures == ("0.1.1",)
    assert fight.unit("0.1").suppressed
    assert fight.place("0.1.3") == (60, 60)
    # where he falls at the end of his way he has brought the man nowhere
    last = Reply("answer", {"each": {"group/1.1": str(path_length(errands.check_carry(watched, 0, carry).way))}})
    fight = Fight(watched, 4, 1).do(0, carry).answer(1, last).expire()
    assert fight.place("0.1.2") == (60, 60)


@pytest.mark.rule("AE-CAS-01", "AE-OPEN-26")
def test_why_a_medic_may_not_treat_a_man() -> None:
    man, aid = FigureId("0.1.2"), GroupId("0.2")
    medic: dict[str, Any] = {"roles": {0: ("medic",)}}
    treated = replace(down(squad((60, 66), **medic)), wounded=(Wounded(man, UNIT, aided=True),))
    busy = Activation(aid, POWERS, busy=(FigureId("0.2.1"),))
    cases = (
        ("", down(squad((60, 66), **medic))),
        ("treat/nobody", down(squad((60, 66), fired=True, **medic))),
        ("treat/nobody", down(squad((60, 66), where="aboard", vessel=GroupId("0.3"), **medic), vehicle((60, 66)))),
        ("treat/nobody", down(squad((60, 66)))),
        ("treat/nobody", treated),
        ("treat/nobody", down(squad((60, 66), **medic), active=busy)),
        ("treat/far", down(squad((60, 74.1), **medic))),
    )
    for code, state in cases:
        assert refused(lambda: errands.check_treat(state, 0, Treat(aid, man))) == code  # noqa: B023 - called at once


@pytest.mark.rule("AE-CAS-01")
def test_who_takes_a_man_down() -> None:
    """An enemy that ends its move within 2 cm while no friend is within 6 cm, if it is not suppressed."""
    for gap, friend, taken in ((2, 6.01, True), (2.01, 6.01, False), (2, 6, False)):
        own, foe = squad((60 - 2 - friend, 60)), squad((60, 50 - 2 - gap))
        state = down(own, enemies=(foe, FAR), at=(60, 60))
        away = replace(state.figures[FigureId("0.1.1")], at=cm((150, 10))[0])
        state = replace(state, figures={**state.figures, away.id: away}, acting=1)
        fight = Fight(state).do(1, Move(FOE, cm((60, 60 - 2 - gap))))
        assert (not fight.now.wounded) is taken
    foes = squad((60, 56), (58, 52), (58, 50))
    state = down(squad((60, 90), overwatch=True, weapons=("sr",)), enemies=(foes, FAR), at=(60, 60))
    away = replace(state.figures[FigureId("0.1.1")], at=cm((150, 10))[0])
    state = replace(state, figures={**state.figures, away.id: away}, acting=1)
    state = replace(state, resolved=replace(state.resolved, options=Options(casualties=True)))
    fight = Fight(state, 4, 1, 1).do(1, Move(FOE, cm((60, 57))))
    fight.answer(0, Reply("answer", {"each": {"group/0.2": "100"}})).expire()
    assert fight.unit("1.1").suppressed
    assert fight.now.wounded[0].figure == "0.1.2"
    mate = down(squad((60, 50)), at=(60, 60))
    away = replace(mate.figures[FigureId("0.1.1")], at=cm((150, 10))[0])
    fight = Fight(replace(mate, figures={**mate.figures, away.id: away})).do(0, Move(GroupId("0.2"), cm((60, 57))))
    assert fight.now.wounded


@pytest.mark.rule("AE-CAS-02")
def test_what_may_be_an_aid_post() -> None:
    zone = zones.zone_of(battle([FAR], [FAR], options=PLAYED), 0).outline
    top = max(y for _, y in zone) / 100
    for gap, found in ((12, ["h"]), (12.01, [])):
        house = block("h", "house", 60, top + gap, 70, top + gap + 5)
        state = battle([FAR], [FAR], options=PLAYED, features=[house])
        assert [piece.id for piece in aid_posts.places_for_post(state, 0)] == found


@pytest.mark.rule("AE-CAS-02", "AE-TURN-03")
@pytest.mark.parametrize("played", [True, False])
def test_the_usual_aid_post_is_the_one_nearest_to_the_middle_of_the_zone(played: bool) -> None:
    pieces = [block("a", "house", 20, 2, 30, 8), block("b", "house", 80, 2, 90, 8), block("c", "house", 130, 2, 140, 8)]
    state = battle(
        [squad((40, 6), where="away")],
        [squad((40, 114))],
        options=replace(PLAYED, casualties=played),
        features=pieces,
        phase=DEPLOY,
        turn=0,
        placing=(UNIT,),
        placed=(0, 1),
        table={"first": 0},
    )
    fight = Fight(state).do(0, DeployRest())
    assert fight.asked == (("ae.post", (0,)) if played else None)
    if played:
        fight.expire()
        middle = middle_of(box_of(zones.zone_of(fight.now, 1).outline))
        assert fight.now.posts == {0: AidPost("b", (8500, 500)), 1: AidPost("", middle)}


@pytest.mark.rule("AE-CAS-01", "AE-CAS-02", "AE-GEN-06")
def test_a_hidden_unit_counts_neither_as_aid_nor_as_a_friend_beside_a_man_down() -> None:
    for hidden in (False, True):
        medic = down(squad((60, 64), roles={0: ("medic",)}, hidden=hidden))
        assert aid_posts.is_safe(medic, medic.wounded[0]) is not hidden
        assert scoring.score(medic, 0) == (0 if hidden else 4)
        state = down(squad((52, 60), hidden=hidden), enemies=(squad((60, 46)), FAR), at=(60, 60))
        away = replace(state.figures[FigureId("0.1.1")], at=cm((150, 10))[0])
        state = replace(state, figures={**state.figures, away.id: away}, acting=1)
        fight = Fight(state).do(1, Move(FOE, cm((60, 56))))
        if fight.asked:
            fight.answer(0, "hold").expire()
        assert (not fight.now.wounded) is hidden
        assert fight.unit("0.2").hidden is hidden


@pytest.mark.rule("AE-OPEN-26", "AE-MOR-04")
def test_a_medic_who_goes_to_a_man_down_is_one_to_surrender_to() -> None:
    state = battle(
        [squad((50, 60), (59, 60), roles={0: ("medic",)})], [squad((68.5, 60), suppressed=True), FAR], options=PLAYED
    )
    unit = replace(state.units[UNIT], figures=(FigureId("0.1.1"),))
    state = replace(state, units={**state.units, UNIT: unit}, wounded=(Wounded(FigureId("0.1.2"), UNIT),))
    fight = Fight(state, 2).do(0, Treat(UNIT, FigureId("0.1.2")))
    assert (fight.unit("1.1").where, fight.unit("1.1").captor) == ("gone", 0)


@pytest.mark.rule("AE-CAS-01")
def test_a_man_is_left_where_his_carrier_is_wounded() -> None:
    own, man = squad((65, 60), (60, 60), (67.5, 60)), FigureId("0.1.2")
    state = battle([own], [squad((60, 80), overwatch=True), FAR], options=Options(casualties=True))
    unit = replace(state.units[UNIT], figures=(FigureId("0.1.1"), FigureId("0.1.3")))
    state = replace(state, units={**state.units, UNIT: unit}, wounded=(Wounded(man, UNIT),))
    hit, carrier, wounded, steady = (6, 1, 1), 1, 3, (6, 6)
    fight = Fight(state, *hit, carrier, wounded, *steady).do(0, Carry(UNIT, man, cm((60, 56))[0]))
    march = fight.now.march
    assert march is not None
    end = str(path_length(march.way))
    fight.answer(1, Reply("answer", {"each": {"group/1.1": end}})).expire()
    assert [one.figure for one in fight.now.wounded] == ["0.1.2", "0.1.1"]
    assert fight.place("0.1.2") == (60, 60)
