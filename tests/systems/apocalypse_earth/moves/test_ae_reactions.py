"""Overwatch, reactions to moves, flight into cover, rallies, surrenders (AE-OVER, AE-QA, AE-MOR)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.core.match.causes import Aside
from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent
from engine.core.rules.record import SeatSettings, StandingOrder
from engine.core.rules.system import MomentReached
from engine.rulesets.apocalypse_earth.rules.assault.charging import Charge
from engine.rulesets.apocalypse_earth.rules.ending import Finish
from engine.rulesets.apocalypse_earth.rules.fire.firing import Fire
from engine.rulesets.apocalypse_earth.rules.moves import reactions
from engine.rulesets.apocalypse_earth.rules.moves.moving import Move
from engine.rulesets.apocalypse_earth.rules.table import hiding
from engine.rulesets.apocalypse_earth.rules.turns import rallying
from engine.rulesets.apocalypse_earth.rules.turns.rallying import Rally
from engine.rulesets.apocalypse_earth.state.fire_events import MoraleChecked, RallyTried, Surrendered
from engine.rulesets.apocalypse_earth.state.lasting import March
from engine.rulesets.apocalypse_earth.state.setup_events import UnitRevealed
from engine.rulesets.apocalypse_earth.state.turn_events import FiguresMoved, HiddenOnWatch, OverwatchSet, OverwatchUsed
from protocol.ids import FigureId, GroupId
from protocol.scene.nodes import Reply
from tests.support.systems.ae_battle import Fight, battle, block, cm, row, squad

UNIT, WATCHER = GroupId("0.1"), GroupId("1.1")
NODE = "group/1.1"
FAR = squad((150, 110))


def at(x: float, y: float) -> tuple[int, int]:
    """A place in centimetres."""
    return cm((x, y))[0]


def reply(**slots: str) -> Reply:
    """An answer that gives units, by number, their reactions."""
    return Reply("answer", {"each": {f"group/1.{number[1:]}": slot for number, slot in slots.items()}})


@pytest.mark.rule("AE-OVER-02")
def test_every_enemy_seat_with_overwatch_or_hidden_units_is_asked_at_once_sealed() -> None:
    watching, hidden = squad((50, 90), overwatch=True), squad((100, 60), hidden=True)
    fight = Fight(battle([squad((50, 60))], [watching], [hidden], [squad((20, 20))], sides=(0, 1, 1, 1)))
    fight.do(0, Move(UNIT, (at(58, 60),)))
    assert fight.asked == ("ae.march", (1, 2))
    assert fight.match.question is not None
    assert fight.match.question.window.kind == "sealed"
    assert [choice.id for choice in fight.match.question.asks[Seat(2)].choices] == ["hold"]
    fight.expire()
    assert fight.place("0.1.1") == (58, 60)


@pytest.mark.rule("AE-OVER-02")
def test_overwatch_fires_at_its_point_and_the_move_goes_on() -> None:
    state = battle([squad(*row(2, 50, 60))], [squad((50, 90), overwatch=True)])
    fight = Fight(state, 6, 1, 1, 2, 6).do(0, Move(UNIT, (at(60, 60),)))
    fight.answer(1, reply(_1="300")).expire()
    # one figure falls 3 cm on the way; the check passes; the rest arrives
    assert fight.unit("0.1").figures == ("0.1.1",)
    assert fight.place("0.1.1") == (60, 60)
    assert (fight.unit("1.1").overwatch, fight.unit("1.1").acted, fight.unit("1.1").fired) == (False, True, True)


@pytest.mark.rule("AE-OVER-02")
def test_a_shot_without_a_visible_target_lapses_and_the_unit_keeps_its_overwatch() -> None:
    wall = block("b", "house", 40, 70, 80, 80)
    fight = Fight(battle([squad((50, 60))], [squad((50, 90), overwatch=True)], features=[wall]))
    fight.do(0, Move(UNIT, (at(60, 60),))).answer(1, reply(_1="300")).expire()
    assert fight.unit("1.1").overwatch
    assert not fight.events(OverwatchUsed)


@pytest.mark.rule("AE-QA-01", "AE-OVER-02")
def test_a_unit_suppressed_on_its_move_runs_for_cover_and_stays() -> None:
    woods = block("w", "woods", 52, 50, 60, 56)
    state = battle([squad(*row(3, 48, 60))], [squad((50, 90), overwatch=True), FAR], features=[woods])
    fight = Fight(state, 6, 1, 1, 3, 1).do(0, Move(UNIT, (at(57, 60),))).answer(1, reply(_1="300")).expire()
    assert fight.unit("0.1").suppressed
    assert [run.why for run in fight.events(FiguresMoved)] == ["cover"]
    x, y = fight.place("0.1.1")
    assert 52 <= x <= 60
    assert y <= 56
    assert fight.unit("0.1").acted


@pytest.mark.rule("AE-OVER-02")
def test_overwatch_moves_after_the_action_and_draws_no_reaction() -> None:
    state = battle([squad((50, 60), overwatch=True), squad((20, 20))], [squad((50, 90), overwatch=True)], acting=0)
    fight = Fight(state).do(0, Move(GroupId("0.2"), (at(25, 20),))).answer(1, reply(_1="move")).expire()
    assert fight.asked == ("ae.reply", (1,))
    fight.answer(1, Reply("reply", {"unit": [NODE], "way": [5500, 9500]}))
    assert fight.place("1.1.1") == (55, 95)
    assert fight.asked is None
    assert fight.unit("1.1").acted


@pytest.mark.rule("AE-OVER-01", "AE-TURN-04")
def test_overwatch_is_set_in_the_administration_phase_all_together() -> None:
    state = battle([squad((50, 60)), squad((20, 20), suppressed=True)], [squad((50, 90))])
    fight = Fight(state, 1).do(0, Finish(UNIT)).do(1, Finish(WATCHER)).do(0, Finish(GroupId("0.2")))
    assert fight.asked == ("ae.overwatch", (0, 1))
    assert fight.match.question is not None
    picked = fight.match.question.asks[Seat(0)].choices[0].fields[0]
    assert [option.id for option in picked.options] == ["group/0.1"]  # type: ignore[union-attr]
    fight.answer(0, ["group/0.1"]).expire()
    assert [unit.overwatch for unit in fight.now.units.values()] == [True, False, False]
    assert fight.now.turn == 2
    fight.do(0, Move(UNIT, (at(52, 60),)))  # it drops overwatch and acts as usual
    assert not fight.unit("0.1").overwatch


@pytest.mark.rule("AE-OVER-01", "AE-GEN-06")
def test_overwatch_of_hidden_units_is_known_to_their_side_alone() -> None:
    state = battle([squad((50, 60))], [squad((50, 90), hidden=True), squad((20, 90))])
    fight = Fight(state).do(0, Finish(UNIT)).do(1, Finish(GroupId("1.2"))).do(1, Finish(WATCHER))
    fight.answer(1, [NODE, "group/1.2"]).expire()
    fight = Fight(battle([squad((50, 60))], [squad((50, 90), hidden=True, acted=True), squad((20, 90))], acting=0))
    fight.do(0, Finish(UNIT)).do(1, Finish(GroupId("1.2"))).answer(1, [NODE, "group/1.2"]).expire()
    assert [one.units for one in fight.events(OverwatchSet)] == [("1.2",)]
    assert [(one.seat, one.units) for one in fight.events(HiddenOnWatch)] == [(1, ("1.1",))]
    known = hiding.known(fight.now, Seat(0))
    assert [unit.overwatch for unit in known.units.values()] == [False, False, True]
    assert fight.unit("1.1").overwatch


@pytest.mark.rule("AE-SETUP-04", "AE-OVER-02")
def test_a_hidden_unit_reveals_itself_to_fire() -> None:
    state = battle([squad((50, 60))], [squad((50, 90), hidden=True, overwatch=True)])
    fight = Fight(state, 1, 1, 1).do(0, Move(UNIT, (at(58, 60),))).answer(1, reply(_1="300")).expire()
    assert [one.why for one in fight.events(UnitRevealed)] == ["reacts"]
    assert not fight.unit("1.1").hidden


@pytest.mark.rule("AE-OVER-02")
def test_orders_by_unit_answer_for_their_seat() -> None:
    state = battle([squad((50, 60))], [squad((50, 90), overwatch=True), squad((80, 60), overwatch=True)])
    march = March(UNIT, "move", FigureId("0.1.1"), {FigureId("0.1.1"): cm((50, 60), (62, 60))}, 1200)
    known = msgspec.structs.replace(state, march=march)
    game: Any = Fight(known).match.probe(Seat(1))
    reached = MomentReached(reactions.MOMENT, ())
    orders = [
        StandingOrder(reactions.MOMENT, "hold", (NODE,)),
        StandingOrder(reactions.MOMENT, "fire", ("group/1.2",), {"within": 24}),
    ]
    found = reactions.obey(game, Seat(1), reached, orders)
    assert found == reply(_1="hold", _2="600")  # 30 cm off at first: the first point within 24 cm is at 6 cm
    vehicles = [StandingOrder(reactions.MOMENT, "vehicles", (NODE, "group/1.2"))]
    assert reactions.obey(game, Seat(1), reached, vehicles) == reply(_1="hold", _2="hold")


@pytest.mark.rule("AE-OVER-02")
def test_a_seat_is_asked_unless_it_has_left_orders() -> None:
    state = battle([squad((50, 60))], [squad((50, 90), overwatch=True)])
    march = Move(UNIT, (at(58, 60),))
    assert Fight(state).do(0, march).match.automatic() == ()
    orders = (StandingOrder(reactions.MOMENT, "fire", (NODE,), {"within": 48}),)
    fight = Fight(state, 1, 1, 1)
    fight.run(Aside(1, bytes(16), SeatSettings(standing=orders)))
    fight.do(0, march)
    assert fight.match.automatic() == (1,)
    assert fight.match.silent_reply(Seat(1)) == reply(_1="300")
    fight.expire()
    assert fight.unit("1.1").fired
    stopping = Fight(state)
    stopping.run(Aside(1, bytes(16), SeatSettings((reactions.MOMENT,), standing=orders)))
    assert stopping.do(0, march).match.automatic() == ()


@pytest.mark.rule("AE-OVER-02", "AE-ASLT-02")
@pytest.mark.parametrize("order", ["hold", "charged"])
def test_orders_of_units_that_cannot_react_leave_the_question_and_defensive_fire_to_the_seat(order: str) -> None:
    gone = squad((20, 90), where="destroyed")
    fight = Fight(battle([squad((50, 80))], [squad((50, 90)), squad((80, 60)), gone]), 4)
    orders = (StandingOrder(reactions.MOMENT, order, ("group/1.2", "group/1.3"), {}),)
    fight.run(Aside(1, bytes(16), SeatSettings(standing=orders)))
    fight.do(0, Charge(UNIT, WATCHER))
    assert fight.match.automatic() == (), "asked of the charged unit"
    assert fight.match.silent_reply(Seat(1)) == reply(_1="charge")


@pytest.mark.rule("AE-MOR-05", "AE-TURN-02")
def test_a_rally_is_a_check_and_one_more_for_each_casualty_of_the_turn() -> None:
    hurt = squad(*row(5, 50, 60), suppressed=True, lost=2)
    fight = Fight(battle([hurt], [FAR]), 6, 6, 1).do(0, Rally(UNIT))
    assert [one.passed for one in fight.events(RallyTried)] == [False]
    assert Fight(battle([hurt], [FAR]), 6, 6, 2).do(0, Rally(UNIT)).unit("0.1").suppressed is False
    led = squad(*row(5, 50, 60), suppressed=True, lost=2, roles={0: ("leader",)})
    assert rallying.checks(battle([led]), battle([led]).units[UNIT]) == 2


@pytest.mark.rule("AE-MOR-03", "AE-MOR-05", "AE-TURN-04")
def test_a_suppressed_unit_does_nothing_else_and_rallies_in_the_administration_phase() -> None:
    state = battle([squad((50, 60), suppressed=True)], [squad((50, 90))])
    for act in (Move(UNIT, (at(52, 60),)), Fire(UNIT, WATCHER)):
        with pytest.raises(IllegalIntent, match="act/suppressed"):
            Fight(state).do(0, act)
    fight = Fight(battle([squad((50, 60), suppressed=True, acted=True)], [squad((50, 90))], acting=1), 6)
    fight.do(1, Finish(WATCHER))
    assert [one.passed for one in fight.events(RallyTried)] == [True]


@pytest.mark.rule("AE-QA-02", "AE-MOR-05")
def test_fire_from_afar_at_a_suppressed_unit_makes_two_checks() -> None:
    state = battle(
        [squad((50, 60), weapons=("pi",)), squad((50, 60), weapons=("ar",))], [squad((50, 90), suppressed=True)]
    )
    fight = Fight(state, 1, 1, 1).do(0, Fire(GroupId("0.2"), WATCHER))
    assert fight.unit("1.1").shot
    assert not fight.events(MoraleChecked)
    assert rallying.checks(fight.now, fight.unit("1.1")) == 2


@pytest.mark.rule("AE-MOR-04")
def test_a_suppressed_unit_surrenders_to_a_visible_enemy_nearer_than_any_friend() -> None:
    coming = squad((50, 75))
    state = battle([coming], [squad((50, 90), suppressed=True), squad((150, 110))])
    fight = Fight(state).do(0, Move(UNIT, (at(50, 77),)))
    assert [(one.unit, one.captor) for one in fight.events(Surrendered)] == [("1.1", "0.1")]
    assert (fight.unit("1.1").fate, fight.unit("1.1").captor) == ("captured", 0)
    saved = battle([coming], [squad((50, 90), suppressed=True), squad((50, 103))])
    assert not Fight(saved).do(0, Move(UNIT, (at(50, 77),))).events(Surrendered)  # at equal distances
    far = battle([coming], [squad((50, 90), suppressed=True)])
    assert not Fight(far).do(0, Move(UNIT, (at(50, 75.9),))).events(Surrendered)
    wall = block("b", "house", 40, 80, 60, 84)
    unseen = battle([coming], [squad((50, 90), suppressed=True)], features=[wall])
    assert not Fight(unseen).do(0, Move(UNIT, (at(50, 77),))).events(Surrendered)


@pytest.mark.rule("AE-MOR-04")
def test_a_suppressed_friend_or_a_suppressed_enemy_does_not_count() -> None:
    state = battle([squad((50, 75))], [squad((50, 90), suppressed=True), squad((50, 95), suppressed=True)])
    fight = Fight(state).do(0, Move(UNIT, (at(50, 78),)))
    assert [one.unit for one in fight.events(Surrendered)] == ["1.1"]
    shaken = battle([squad((20, 20)), squad((50, 78), suppressed=True)], [squad((50, 90), suppressed=True)])
    assert not Fight(shaken).do(0, Move(UNIT, (at(25, 20),))).events(Surrendered)
