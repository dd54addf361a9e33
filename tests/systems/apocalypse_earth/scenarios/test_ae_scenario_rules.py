"""Rules of scenarios and seats at their bounds: prizes, the alarm, posts, ends, seats that leave (AE-SCEN, AE-SEAT-01,
AE-OPEN-07, AE-OPEN-29)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from engine.core.rules.errors import SetupRefused
from engine.rulesets.apocalypse_earth.rules import ending
from engine.rulesets.apocalypse_earth.rules.ending import ConcedeBattle, Finish
from engine.rulesets.apocalypse_earth.rules.fire import arming, firing
from engine.rulesets.apocalypse_earth.rules.fire.firing import Fire
from engine.rulesets.apocalypse_earth.rules.moves.leaving import Leave, check_leave
from engine.rulesets.apocalypse_earth.rules.moves.moving import Move
from engine.rulesets.apocalypse_earth.rules.scenario import deployment, scoring
from engine.rulesets.apocalypse_earth.rules.scenario.deployment import Deploy
from engine.rulesets.apocalypse_earth.rules.scenario.setup import start
from engine.rulesets.apocalypse_earth.rules.table import aims, traits
from engine.rulesets.apocalypse_earth.rules.turns import rallying, turns
from engine.rulesets.apocalypse_earth.rules.turns.rallying import Rally
from engine.rulesets.apocalypse_earth.state.fire_events import Alarmed, RallyTried
from engine.rulesets.apocalypse_earth.state.lasting import Combat, Shot
from engine.rulesets.apocalypse_earth.state.model import INFANTRY, Objective, Options, Prize
from engine.rulesets.apocalypse_earth.state.setup_events import UnitRevealed
from engine.rulesets.apocalypse_earth.state.state import DEPLOY, Battle, Earned
from engine.rulesets.apocalypse_earth.state.turn_events import TurnPlayed
from engine.space.terrain.contact import Base
from engine.space.vectors.outlines import outline_of
from protocol.ids import NO_FIGURE, FigureId, GroupId
from tests.support.systems.ae_battle import WEAPONS, Fight, Squad, battle, block, cm, refused, scenario, squad, vehicle
from tests.support.systems.ae_shipped import resolved as shipped

UNIT, ENEMY = GroupId("0.1"), GroupId("1.1")
HERE, FAR = squad((20, 20)), squad((150, 100))
PLAIN = Options(overwatch=False)
GONE = {"where": "gone", "figures": ()}


def points(state: Battle) -> list[int]:
    """The points of each side."""
    return [scoring.score(state, side) for side in scoring.scores(state)]


def turn(fight: Fight, *units: str) -> Fight:
    """Let units act by doing nothing."""
    for id in units:
        fight.do(int(id[0]), Finish(GroupId(id)))
    return fight


def away(one: Squad, fate: str, **changes: Any) -> Squad:
    """A unit that is off the table."""
    return one._replace(changes={"where": "gone", "fate": fate, **changes})


@pytest.mark.rule("AE-OPEN-29")
def test_a_battle_lasts_its_turns() -> None:
    fight = turn(Fight(battle([HERE], [FAR], table={"turns": 2}, options=PLAIN)), "0.1", "1.1")
    assert (fight.now.turn, fight.now.ended) == (2, "")
    assert turn(fight, "0.1", "1.1").now.ended == "turns"


@pytest.mark.rule("AE-OPEN-29")
def test_a_side_is_beaten_once_nothing_of_it_is_left_anywhere() -> None:
    lost = away(HERE, "destroyed", figures=())
    assert ending.is_beaten(battle([HERE], [lost]))
    for where in ("table", "aboard", "coming"):
        assert not ending.is_beaten(battle([HERE], [lost, squad((50, 50), where=where)]))
    assert not ending.is_beaten(battle([HERE], [squad((50, 50), hidden=True)]))
    assert ending.is_beaten(battle([HERE], [HERE], [lost], sides=(0, 0, 1)))
    assert not ending.is_beaten(battle([HERE], [HERE], [lost], sides=()))
    fight = Fight(battle([squad((50, 60), weapons=("pi",))], [squad((50, 68))]), 6).do(0, Fire(UNIT, ENEMY))
    assert fight.now.ended == "destroyed"


@pytest.mark.rule("AE-SCEN-03", "AE-SCEN-05", "AE-SCEN-07")
def test_an_objective_pays_each_turn_or_at_the_end_or_both() -> None:
    place = cm((26, 20))[0]
    for worth, each, earned, total in ((50, 0, [], 50), (50, 25, [25], 75), (0, 25, [25], 25)):
        flag = {"objectives": (Objective("flag", place, worth, each),), "turns": 3}
        fight = turn(Fight(battle([HERE], [FAR], table=flag, options=PLAIN, turn=2)), "0.1", "1.1")
        assert [one.points for one in fight.now.earned] == earned
        assert points(fight.now) == [total, 0]
        assert len(scoring.scored(fight.now, 0)) == 1 + len(earned) + (worth > 0)
    first = turn(Fight(battle([HERE], [FAR], table={"objectives": (Objective("flag", place, 0, 25),)}, options=PLAIN)))
    assert turn(first, "0.1", "1.1").now.earned == ()


@pytest.mark.rule("AE-SCEN-03", "AE-SCEN-05", "AE-SCEN-06", "AE-SCEN-07", "AE-SCEN-02")
def test_buildings_pay_at_the_end_of_their_turns_alone_and_whoever_is_in_them() -> None:
    house, hut = block("h", "house", 40, 40, 60, 60), block("u", "house", 70, 40, 80, 50)
    prize = Prize("houses", "inside", 40, features=("h", "u"), turns=(2,))
    table = {"prizes": (prize,), "turns": 4}
    state = battle([squad((45, 45)), HERE], [squad((75, 45))], features=[house, hut], table=table, options=PLAIN)
    fight = turn(Fight(state), "0.1", "1.1", "0.2")
    assert (fight.now.earned, points(fight.now)) == ((), [0, 0])
    assert turn(fight, "0.1", "1.1", "0.2").now.earned == (Earned(0, "houses", 40), Earned(1, "houses", 40))
    unfit = battle([squad((45, 45), suppressed=True)], [FAR], features=[house], table=table, options=PLAIN, turn=2)
    assert Fight(unfit, 1).do(0, Finish(UNIT)).do(1, Finish(ENEMY)).now.earned == ()
    ruin = battle([squad((45, 45))], [FAR], features=[block("h", "rubble", 40, 40, 60, 60)], table=table, turn=2)
    assert turn(Fight(replace_options(ruin)), "0.1", "1.1").now.earned == ()
    city = {"prizes": (Prize("city", "inside", 50, 0, 1, ("h", "u")),)}
    assert points(battle([squad((45, 45))], [squad((75, 45))], features=[house, hut], table=city)) == [50, 50]
    assert points(battle([squad((45, 45))], [FAR], features=[house], table=city)) == [50, 50]  # the other has gone
    own = {"prizes": (Prize("city", "inside", 50, 0, -1, ("h",)),)}
    assert points(battle([FAR], [squad((45, 45))], features=[house], table=own)) == [0, 0]
    ruins = [block("h", "rubble", 40, 40, 60, 60), hut]
    assert points(battle([squad((45, 45))], [FAR], features=ruins, table=city)) == [0, 100]


def replace_options(state: Battle) -> Battle:
    """The same table without overwatch."""
    return replace(state, resolved=replace(state.resolved, options=PLAIN))


@pytest.mark.rule("AE-SCEN-02", "AE-SCEN-04")
def test_a_prize_counts_the_units_that_it_names_of_its_own_side() -> None:
    plan, other = scenario().seats
    seats = {"seats": (plan, other)}
    left, car = away(HERE, "left"), away(vehicle((20, 20)), "left")
    named = Prize("out", "out", 80, 0, units=("t_01",))
    walking = Prize("out", "out", 30, 0, units=(INFANTRY,))

    def paid(prize: Prize, *own: Squad) -> int:
        return points(battle([HERE, *own], [left], table={**seats, "prizes": (prize,)}))[0]

    assert [paid(named, one) for one in (left, car, HERE, away(HERE, "captured"))] == [80, 0, 0, 0]
    assert [paid(walking, one) for one in (left, car, HERE)] == [30, 0, 0]
    cars = Prize("out", "out", 80, 0, units=("t_v1",))
    assert [paid(cars, one) for one in (car, left)] == [80, 0]
    thin = away(squad(*[(20, 20)] * 5), "left", figures=(FigureId("0.2.1"), FigureId("0.2.2")))
    assert paid(named, thin) == 0
    half = away(squad(*[(20, 20)] * 4), "left", figures=(FigureId("0.2.1"), FigureId("0.2.2")))
    assert paid(named, half) == 80


@pytest.mark.rule("AE-SCEN-02", "AE-SCEN-04")
def test_what_is_stopped_is_destroyed_captured_or_still_there() -> None:
    kept = {"prizes": (Prize("kept", "kept", 60, 1, units=("t_01",)),)}

    def stopped(one: Squad) -> int:
        return points(battle([one, vehicle((30, 30))], [FAR], table=kept))[1]

    found = [stopped(one) for one in (HERE, away(HERE, "left"), squad((20, 20), where="coming"))]
    assert found == [60, 0, 60]
    for fate in ("destroyed", "captured"):
        assert stopped(away(HERE, fate, figures=())) == 60 + 60  # and its price of 60


@pytest.mark.rule("AE-SCEN-02", "AE-SCEN-04")
def test_units_come_home_on_the_table_and_huts_burn_each_for_itself() -> None:
    home = Prize("home", "home", 30, 0, units=("t_01",), figures=1, outline=outline_of((0, 0, 3000, 12000)))
    assert points(battle([HERE], [HERE], table={"prizes": (home,)})) == [30, 0]
    both = {"prizes": (replace(home, figures=2),)}
    assert points(battle([squad((20, 20), (25, 20))], [FAR], table=both)) == [30, 0]
    assert points(battle([squad((20, 20), (35, 20))], [FAR], table=both)) == [0, 0]
    assert points(battle([vehicle((20, 20))], [FAR], table={"prizes": (home,)})) == [0, 0]
    assert points(battle([away(HERE, "left")], [FAR], table={"prizes": (home,)})) == [0, 0]
    hut, ruin = block("a", "house", 40, 40, 48, 48), block("b", "rubble", 60, 40, 68, 48)
    huts = {"prizes": (Prize("huts", "razed", 100, 0, features=("a", "b", "c")),)}
    assert points(battle([HERE], [FAR], features=[hut, ruin], table=huts)) == [200, 0]


@pytest.mark.rule("AE-SCEN-02")
def test_only_the_side_that_sleeps_is_alarmed_and_once() -> None:
    target = squad((20, 46))

    def alarmed(alarm: int, **changes: Any) -> int:
        state = battle([HERE], [target, FAR], table={"alarm": alarm}, **changes)
        return len(Fight(state, 1, 1, 1).do(0, Fire(UNIT, ENEMY)).events(Alarmed))

    assert [alarmed(1), alarmed(0), alarmed(-1), alarmed(1, alarmed=True)] == [1, 0, 0, 0]
    wall = block("b", "house", 10, 30, 60, 34)
    unseen = battle([HERE], [squad((20, 45)), FAR], features=[wall], table={"alarm": 1})
    assert not Fight(unseen).do(0, Move(UNIT, cm((22, 22)))).events(Alarmed)


@pytest.mark.rule("AE-SCEN-02")
def test_a_side_that_sleeps_stirs_with_two_units_in_a_turn() -> None:
    acted = squad((150, 100), acted=True)

    def willing(*units: Squad, **changes: Any) -> bool:
        return turns.is_willing(battle([HERE], [*units, FAR], table={"alarm": 1}, **changes), 1)

    assert willing(acted)
    assert not willing(acted, acted)
    assert willing(acted, acted, alarmed=True)
    assert turns.is_willing(battle([acted, acted, HERE], [FAR], table={"alarm": 1}), 0)


@pytest.mark.rule("AE-SCEN-02")
def test_each_hut_has_a_unit_within_ten_centimetres() -> None:
    huts = [block("a", "house", 40, 14, 48, 20), block("b", "house", 100, 14, 108, 20)]
    plan = replace(scenario().seats[0], near=("a", "b"))
    table = {"seats": (plan, scenario().seats[1])}

    def unwatched(*units: Squad) -> list[str]:
        return deployment.unwatched(battle([*units], [FAR], features=huts, table=table), 0)

    assert unwatched(squad((44, 31))) == ["b"]
    assert unwatched(squad((44, 31.1))) == ["a", "b"]
    assert unwatched(squad((44, 60), (44, 30)), squad((104, 30))) == []

    def may(units: int, x: float) -> bool:
        own = [squad((0, 0), where="away")] * units
        ids = tuple([GroupId(f"0.{n}") for n in range(1, units + 1)])
        state = battle(own, [FAR], features=huts, table=table, phase=DEPLOY, placing=ids)
        return Fight(state).may(0, Deploy(UNIT, cm((x, 6))[0]))

    assert [may(2, 44), may(2, 74), may(1, 44), may(3, 74)] == [True, False, False, True]


@pytest.mark.rule("AE-SEAT-01")
def test_every_seat_begins_with_its_units_and_all_of_them_must_be_there() -> None:
    match = shipped("loophole:four")
    state = start(match, 4)
    assert [sum(unit.owner == seat for unit in state.units.values()) for seat in range(4)] == [5, 4, 4, 4]
    assert state.units[GroupId("3.1")].figures == tuple(FigureId(f"3.1.{n}") for n in range(1, 7))
    assert {unit.where for unit in state.units.values()} == {"away"}
    column = start(shipped("the_hummvees:four"), 4)
    car = column.units[GroupId("0.2")]
    assert (car.size, car.figures) == (1, ("0.2.1",))
    ready = start(shipped("meeting_engagement", "western_alliance", "holy_army"), 2)
    assert ready.support == (("FS-3", "FS-10"), ("FS-6",))
    assert [force.cards for force in ready.resolved.forces] == [(), ()]
    for wrong, content in ((3, match), (5, match), (4, replace(match, forces=match.forces[:3]))):
        with pytest.raises(SetupRefused, match="seats"):
            start(content, wrong)


@pytest.mark.rule("AE-SEAT-01")
def test_a_seat_acts_while_it_has_units_that_it_may_not_let_wait() -> None:
    watching = squad((20, 20), overwatch=True)

    def willing(unit: Squad, **own: Any) -> bool:
        state = battle([unit], [FAR])
        return turns.is_willing(replace(state, seats=(replace(state.seats[0], **own), state.seats[1])), 0)

    assert willing(HERE)
    assert willing(watching)
    assert [willing(watching, **{key: True}) for key in ("skipped", "resting", "conceded")] == [False, False, False]
    assert [willing(HERE, **{key: True}) for key in ("skipped", "resting", "conceded")] == [True, True, False]
    assert not willing(squad((20, 20), acted=True))


@pytest.mark.rule("AE-SEAT-01", "AE-GEN-06")
def test_who_concedes_shows_what_was_hidden_and_cannot_win() -> None:
    hidden = squad((30, 30), hidden=True)
    state = battle([HERE, hidden], [FAR], [FAR], sides=(), earned=(Earned(0, "x", 9), Earned(1, "x", 3)))
    fight = Fight(state).do(0, ConcedeBattle())
    assert [one.unit for one in fight.events(UnitRevealed)] == ["0.2"]
    assert (fight.now.acting, fight.now.ended, fight.now.seats[0].conceded) == (1, "", True)
    assert scoring.winners(fight.now) == [1]


@pytest.mark.rule("AE-SEAT-01")
def test_friends_are_those_of_ones_side() -> None:
    state = battle([HERE], [HERE], [FAR], sides=(0, 0, 1))
    assert [state.hostile(0, other) for other in (0, 1, 2)] == [False, False, True]
    alone = battle([HERE], [HERE], [FAR], sides=())
    assert [alone.hostile(0, other) for other in (0, 1, 2)] == [False, True, True]


@pytest.mark.rule("AE-OPEN-07")
def test_camouflage_hides_from_more_than_twenty_four_centimetres_until_a_move() -> None:
    def seen(y: float, **changes: Any) -> str:
        state = battle(
            [squad((50, 60))], [squad((50, y), abilities=changes.pop("abilities", ("camouflage",)), **changes)]
        )
        eye = Base(NO_FIGURE, state.figures[FigureId("0.1.1")].at, traits.RADIUS)
        return aims.cover_of(state, eye, state.figures[FigureId("1.1.1")])

    assert seen(86) == "open"
    assert seen(86.02) == "soft"
    assert seen(110) == "soft"
    assert seen(110, moved=True) == "open"
    assert seen(110, abilities=()) == "open"


@pytest.mark.rule("AE-OPEN-07", "AE-SETUP-03")
def test_units_infiltrate_where_all_of_them_can_and_the_scenario_lets_them() -> None:
    def infiltrates(abilities: tuple[str, ...], **table: Any) -> bool:
        state = battle([squad((20, 20), (23, 20), abilities=abilities)], [FAR], table=table)
        return deployment.infiltrates(state, state.units[UNIT])

    assert infiltrates(("infiltrate",))
    assert not infiltrates(())
    assert not infiltrates(("infiltrate",), infiltrates=False)
    some = battle([squad((20, 20), (23, 20), roles={0: ("infiltrate",)})], [FAR])
    assert not deployment.infiltrates(some, some.units[UNIT])


@pytest.mark.rule("AE-OPEN-07")
def test_fanatics_roll_again_and_a_leader_saves_a_check_of_a_rally() -> None:
    def rallied(*dice: int, abilities: tuple[str, ...] = ("fanatic",)) -> bool:
        shaken = squad((20, 20), (23, 20), abilities=abilities, suppressed=True, lost=1)
        fight = Fight(battle([shaken], [FAR]), *dice).do(0, Rally(UNIT))
        passed = [one.passed for one in fight.events(RallyTried)]
        return passed == [True]

    assert [rallied(1, 3, 4), rallied(1, 3, 1), rallied(1, 1, 4, 4), rallied(1, 1, 4, 1)] == [True, False, True, False]
    assert not rallied(1, 3, abilities=())

    def checks(lost: int, *roles: str) -> int:
        one = squad((20, 20), (23, 20), roles={0: roles}, suppressed=True, lost=lost)
        state = battle([one], [FAR])
        return rallying.checks(state, state.units[UNIT])

    assert [checks(0), checks(2), checks(2, "leader"), checks(0, "leader")] == [1, 3, 2, 1]


@pytest.mark.rule("AE-OPEN-07")
def test_an_assassin_picks_with_every_weapon() -> None:
    state = battle([squad((20, 20), abilities=("assassin",)), HERE], [FAR])
    own, other = state.figures[FigureId("0.1.1")], state.figures[FigureId("0.2.1")]
    assert [arming.picks(state, figure, WEAPONS[id]) for figure in (own, other) for id in ("pi", "sr")] == [
        True,
        True,
        False,
        True,
    ]


@pytest.mark.rule("AE-SCEN-08")
def test_dust_covers_the_first_turn_of_who_has_not_acted() -> None:
    def covered(dust: bool, turn: int, acted: bool) -> bool:
        state = battle([HERE], [squad((50, 50), acted=acted)], table={"dust": dust}, turn=turn)
        return firing.is_in_dust(state, state.units[ENEMY])

    assert covered(dust=True, turn=1, acted=False)
    others = [(False, 1, False), (True, 2, False), (True, 1, True)]
    assert [covered(dust, turn, acted) for dust, turn, acted in others] == [False, False, False]


@pytest.mark.rule("AE-SCEN-04")
def test_a_unit_leaves_with_what_is_left_of_its_own_move() -> None:
    plan = replace(scenario().seats[0], leaves=cm((180, 33), (180, 57)))
    table = {"seats": (plan, scenario().seats[1])}
    pair, next_to_it = squad((160, 45), (168, 47)), squad((170, 40))
    fight = Fight(battle([pair, next_to_it], [squad((150, 45))], table=table, options=PLAIN))
    stays = {FigureId("0.1.2"): cm((168, 47))[0]}
    fight.do(0, Move(UNIT, cm((169.9, 45)), places=stays))
    assert refused(lambda: check_leave(fight.now, 0, GroupId("0.1")))  # the one has 2.1 cm left, the other 12
    assert not refused(lambda: check_leave(replace(fight.now, active=None), 0, GroupId("0.2")))
    near = squad((172, 45))
    assert refused(lambda: check_leave(battle([near], [HERE]), 0, UNIT))
    engaged = battle([near], [squad((174, 45))], table=table, combats=(Combat(1, (UNIT,), (ENEMY,)),))
    assert refused(lambda: check_leave(engaged, 0, UNIT))
    for unfit in ({"suppressed": True}, {"where": "aboard"}):
        state = battle([squad((172, 45), **unfit)], [HERE], table=table)
        assert refused(lambda: check_leave(state, 0, UNIT))  # noqa: B023 - called at once
    fired = Fight(battle([near], [squad((150, 45))], table=table, options=PLAIN), 1, 1, 1)
    fired.do(0, Fire(UNIT, ENEMY))
    assert not fired.may(0, Leave(UNIT))


@pytest.mark.rule("AE-OPEN-05", "AE-FIRE-01")
def test_at_most_two_figures_throw_in_one_fire() -> None:
    thrower = squad((50, 60), (52.5, 60), (55, 60), weapons=("ar", "fr"))
    state = battle([thrower], [squad((50, 70), (52.5, 70))])
    shots = tuple([Shot(FigureId(f"0.1.{n}"), "fr", at=cm((50, 70))[0]) for n in (1, 2, 3)])
    assert Fight(state).may(0, Fire(UNIT, shots=shots[:2]))
    assert not Fight(state).may(0, Fire(UNIT, shots=shots))
    assert not Fight(state).may(0, Fire(UNIT, shots=(shots[0], shots[0])))


@pytest.mark.rule("AE-OPEN-05", "AE-FIRE-01")
def test_a_shot_is_of_the_units_own_figure_at_a_class_in_sight() -> None:
    scrub = block("scrub", "broken", 52, 68, 60, 72)
    own = squad((50, 60), weapons=("ar", "sr"))
    state = battle([own, squad((60, 60))], [squad((50, 70), (55, 70))], features=[scrub])

    def may(figure: str = "0.1.1", weapon: str = "ar", **changes: Any) -> bool:
        return Fight(state).may(0, Fire(UNIT, shots=(Shot(FigureId(figure), weapon, ENEMY, **changes),)))

    assert [may(cover=kind) for kind in ("open", "soft", "hard")] == [True, True, False]
    assert [may("0.2.1", cover="open"), may("0.1.2", cover="open"), may(weapon="mg", cover="open")] == [False] * 3
    picked, other = FigureId("1.1.1"), FigureId("1.1.2")
    assert may(weapon="sr", cover="open", victim=picked)
    assert not may(weapon="sr", cover="open", victim=other)
    assert not may(weapon="ar", cover="open", victim=picked)


@pytest.mark.rule("AE-SEAT-01")
def test_who_concedes_before_the_battle_leaves_the_set_up_to_the_others() -> None:
    fresh = squad((0, 0), where="away")
    state = battle([fresh], [fresh], [fresh], sides=(0, 0, 1), phase=DEPLOY, placing=(UNIT,))
    fight = Fight(state).do(0, ConcedeBattle())
    assert (fight.now.phase, fight.events(TurnPlayed)) == (DEPLOY, [])


@pytest.mark.rule("AE-SEAT-01", "AE-SEAT-04")
def test_two_sides_draw_where_nobody_leads_and_three_share() -> None:
    even = (Earned(0, "x", 60), Earned(1, "x", 60))
    assert scoring.winners(battle([HERE], [FAR], earned=even)) == []
    assert scoring.winners(battle([HERE], [FAR], [FAR], sides=(), earned=even)) == [0, 1]
    assert scoring.winners(battle([HERE], [FAR], earned=(Earned(1, "x", 60),))) == [1]
