"""Order of play, steps of an action and the administration phase at their bounds (AE-TURN-01, -02, -04, AE-SEAT)."""

from __future__ import annotations

from typing import Any, Final

import pytest
from msgspec.structs import replace

from engine.core.rules.audience import Seat
from engine.core.rules.events import ActionDeclared, RoundBegun
from engine.core.rules.system import Intent
from engine.rulesets.apocalypse_earth.rules.assault.charging import Charge
from engine.rulesets.apocalypse_earth.rules.ending import Finish
from engine.rulesets.apocalypse_earth.rules.fire.aiming import TakeAim
from engine.rulesets.apocalypse_earth.rules.fire.firing import Fire
from engine.rulesets.apocalypse_earth.rules.flow import BattleRules, is_left
from engine.rulesets.apocalypse_earth.rules.moves.errands import Carry, TakeSet, Treat
from engine.rulesets.apocalypse_earth.rules.moves.leaving import LeadOff, Leave
from engine.rulesets.apocalypse_earth.rules.moves.moving import Move
from engine.rulesets.apocalypse_earth.rules.support.support import Call
from engine.rulesets.apocalypse_earth.rules.turns import coherency, rallying, turns
from engine.rulesets.apocalypse_earth.rules.turns.rallying import Rally
from engine.rulesets.apocalypse_earth.rules.turns.turns import PassTurn
from engine.rulesets.apocalypse_earth.state.combat_events import RoundFought
from engine.rulesets.apocalypse_earth.state.fire_events import RallyTried
from engine.rulesets.apocalypse_earth.state.lasting import Blaze, Combat, Prisoners, Shot, Wounded
from engine.rulesets.apocalypse_earth.state.model import Options
from engine.rulesets.apocalypse_earth.state.state import (
    ABOARD,
    ADMINISTRATION,
    AWAY,
    CLOSE,
    COMING,
    DEPLOY,
    FIRE,
    GONE,
    MOVE,
    POWERS,
    TABLE,
    Activation,
    Battle,
)
from engine.rulesets.apocalypse_earth.state.turn_events import Activated, TurnStarted
from protocol.ids import FigureId, GroupId
from tests.support.systems.ae_battle import Fight, Squad, battle, block, cm, scenario, squad, vehicle
from tests.support.systems.ae_bounds import refusal, told

PLAIN: Final = Options(overwatch=False)
UNIT, SECOND, FOE = GroupId("0.1"), GroupId("0.2"), GroupId("1.1")
HERE, FAR = squad((20, 20)), squad((150, 100))
ENGAGED: Final = (Combat(1, (UNIT,), (FOE,)),)


def played(*forces: list[Squad], **changes: Any) -> Battle:
    """A table without the question for overwatch at the end of each turn."""
    return battle(*forces, options=PLAIN, **changes)


@pytest.mark.rule("AE-TURN-01")
@pytest.mark.parametrize(
    ("where", "turn", "acted", "able"),
    [
        (TABLE, 1, False, True),
        (TABLE, 1, True, False),
        (ABOARD, 1, False, True),
        (COMING, 1, False, False),
        (COMING, 2, False, True),
        (AWAY, 2, False, False),
        (GONE, 2, False, False),
    ],
)
def test_who_can_act(where: str, turn: int, acted: bool, able: bool) -> None:
    state = battle([squad((20, 20), where=where, acted=acted)], [FAR], turn=turn)
    assert turns.can_act(state, state.units[UNIT]) == able


@pytest.mark.rule("AE-TURN-01")
def test_who_may_pass_and_when() -> None:
    hidden, watching = squad((20, 20), hidden=True), squad((30, 20), overwatch=True)
    assert refusal(battle([hidden, watching], [FAR]), 0, PassTurn()) == ""
    assert refusal(battle([hidden, HERE], [FAR]), 0, PassTurn()) == "pass/must-act"
    assert refusal(battle([hidden], [hidden]), 1, PassTurn()) == "turn/not-yours"
    begun = battle([hidden, watching], [FAR], active=Activation(UNIT))
    assert refusal(begun, 0, PassTurn()) == "act/not-now"
    assert refusal(battle([hidden], [FAR], phase=DEPLOY, placing=(UNIT,)), 0, PassTurn()) == "act/not-now"


@pytest.mark.rule("AE-TURN-01")
def test_who_passes_for_the_rest_of_the_turn_is_not_asked_again() -> None:
    watching = squad((30, 20), overwatch=True)
    for rest, after in ((False, 0), (True, 1)):
        fight = Fight(played([watching], [FAR, FAR, FAR])).do(0, PassTurn(rest=rest)).do(1, Finish(FOE))
        assert fight.now.acting == after


@pytest.mark.rule("AE-TURN-01", "AE-SEAT-02")
def test_the_turn_of_a_seat_that_passes_goes_to_its_ally() -> None:
    watching = squad((30, 20), overwatch=True)
    fight = Fight(played([watching], [HERE], [FAR, FAR], sides=(0, 0, 1))).do(0, PassTurn())
    assert fight.now.acting == 1


@pytest.mark.rule("AE-TURN-01", "AE-GEN-03")
def test_nobody_is_to_act_in_the_administration_phase_and_after_the_end() -> None:
    rules, state = BattleRules(), battle([HERE], [FAR])
    assert rules.turn(state)[Seat(0)].expiry == Finish(UNIT)
    begun = replace(state, active=Activation(UNIT))
    assert rules.turn(begun)[Seat(0)].expiry == Finish()
    for over in (replace(state, phase=ADMINISTRATION), replace(begun, ended="turns"), replace(begun, phase="")):
        assert rules.turn(over) == {}


@pytest.mark.rule("AE-TURN-01", "AE-SEAT-04")
def test_each_turn_has_dice_of_its_own_and_its_order_from_the_second_on() -> None:
    third = squad((20, 100))
    fight = Fight(played([HERE], [FAR], [third], sides=(), order=(2, 0, 1), turn=0))
    for unit in ("0.1", "1.1", "2.1"):
        fight.do(int(unit[0]), Finish(GroupId(unit)))
    [first] = fight.events(TurnStarted)
    assert first.order == (2, 0, 1)  # of the first turn: nobody has begun one
    assert len(fight.events(RoundBegun)) == 1
    both = Fight(played([HERE], [FAR], order=(0, 1))).do(0, Finish(UNIT)).do(1, Finish(FOE))
    assert [one.order for one in both.events(TurnStarted)] == [(0, 1)]


@pytest.mark.rule("AE-TURN-01", "AE-TURN-02", "AE-ASLT-10")
def test_an_engaged_unit_that_does_nothing_fights_its_round() -> None:
    fight = Fight(played([squad((50, 60))], [squad((52, 60)), FAR], combats=ENGAGED), 6, 1).do(0, Finish(UNIT))
    assert [one.unit for one in fight.events(RoundFought)] == [UNIT]


def caught(*places: tuple[float, float], **changes: Any) -> Squad:
    """A unit in the burning woods around (50, 60)."""
    return squad(*(places or ((50, 60),)), **changes)


WOODS: Final = (block("w", "woods", 45, 55, 60, 65),)
STEP: Final = Move(UNIT, cm((52, 60)))


@pytest.mark.rule("AE-TURN-02")
@pytest.mark.parametrize(
    ("own", "table", "intent", "code"),
    [
        ({}, {}, STEP, ""),
        ({"suppressed": True}, {}, STEP, "act/suppressed"),
        ({}, {"fires": (Blaze("w", 1),), "features": WOODS}, STEP, "act/burning"),
        ({}, {"fires": (Blaze("w", 1),), "features": WOODS}, Fire(UNIT, FOE), "act/burning"),
        ({"suppressed": True}, {"fires": (Blaze("w", 1),), "features": WOODS}, Rally(UNIT), "act/burning"),
        ({}, {"combats": ENGAGED}, STEP, "act/engaged"),
        ({}, {"combats": ENGAGED}, Fire(UNIT, FOE), "act/engaged"),
        ({}, {"active": Activation(UNIT, POWERS)}, STEP, "act/step-past"),
        ({}, {"active": Activation(UNIT, FIRE)}, Fire(UNIT, FOE), ""),
        ({"fired": True}, {}, Fire(UNIT, FOE), "fire/fired"),
        ({"where": ABOARD, "vessel": GroupId("0.2")}, {}, Fire(UNIT, FOE), "act/not-yours"),
        ({"where": ABOARD, "vessel": GroupId("0.2")}, {}, STEP, "move/on-foot"),
        ({"acted": True}, {}, STEP, "act/done"),
        ({}, {}, Rally(UNIT), "rally/steady"),
        ({"suppressed": True, "tried": True}, {}, Rally(UNIT), "rally/steady"),
        ({}, {"active": Activation(UNIT, MOVE, {FigureId("0.1.1"): 300})}, Charge(UNIT, FOE), "charge/moved"),
        ({}, {}, Charge(UNIT, FOE), ""),
        ({}, {}, Charge(SECOND, FOE), "move/on-foot"),
        ({}, {}, Move(SECOND, cm((82, 40))), "move/on-foot"),
    ],
)
def test_what_bars_a_step(own: dict[str, Any], table: dict[str, Any], intent: Intent, code: str) -> None:
    state = battle([caught(**own), vehicle((80, 40))], [squad((50, 70)), FAR], **table)
    assert refusal(state, 0, intent) == code


@pytest.mark.rule("AE-TURN-02", "AE-MOR-05")
@pytest.mark.parametrize(
    ("own", "combats", "able"),
    [
        ({"suppressed": True}, (), True),
        ({}, (), False),
        ({"suppressed": True, "tried": True}, (), False),
        ({"suppressed": True, "where": ABOARD}, (), False),
        ({"suppressed": True}, ENGAGED, False),
    ],
)
def test_who_may_try_to_rally(own: dict[str, Any], combats: tuple[Combat, ...], able: bool) -> None:
    state = battle([caught(**own)], [FAR], combats=combats)
    assert rallying.may_try(state, state.units[UNIT]) == able


@pytest.mark.rule("AE-TURN-02", "AE-MOR-03")
def test_who_acts_as_it_likes() -> None:
    def free(*, fires: tuple[Blaze, ...] = (), combats: tuple[Combat, ...] = (), **own: Any) -> bool:
        state = battle([caught(**own)], [FAR], features=WOODS, fires=fires, combats=combats)
        return coherency.is_free(state, state.units[UNIT])

    assert free()
    assert not free(suppressed=True)
    assert not free(combats=ENGAGED)
    assert not free(fires=(Blaze("w", 1),))


@pytest.mark.rule("AE-TURN-02")
def test_what_is_left_to_an_acting_unit() -> None:
    near, far = squad((50, 70)), squad((170, 110))

    def left(step: int, foe: Squad, **own: Any) -> bool:
        active = Activation(UNIT, step)
        state = battle([squad((50, 60), **own)], [foe], active=active)
        return is_left(state)

    assert left(MOVE, far)
    assert left(FIRE, near)
    assert not left(FIRE, far)
    assert not left(FIRE, near, fired=True)
    assert not left(CLOSE, near)


@pytest.mark.rule("AE-TURN-02")
def test_a_rally_is_an_action_and_told_by_how_it_ended() -> None:
    for die, how in ((1, "failed"), (2, "done")):
        fight = Fight(played([squad((50, 60), suppressed=True), HERE], [FAR]), die).do(0, Rally(UNIT))
        assert told(fight) == [how]
        assert [one.unit for one in fight.events(Activated)] == [UNIT]
        assert [one.passed for one in fight.events(RallyTried)] == [die > 1]
        assert (fight.unit("0.1").acted, fight.now.acting) == (True, 1)


@pytest.mark.rule("AE-TURN-02", "AE-FIRE-01")
def test_fire_is_told_of_its_own_target_whatever_else_was_aimed_at() -> None:
    pair = squad((50, 60), (52.5, 60), arms=(("sr",), ("ar",)))
    state = battle([pair], [squad((50, 70)), squad((56, 70))])
    aimed = Shot(FigureId("0.1.1"), "sr", GroupId("1.2"), victim=FigureId("1.2.1"))
    fight = Fight(state, *[1] * 4).do(0, TakeAim(UNIT, aimed)).do(0, Fire(UNIT, FOE))
    assert [one.about.get("target") for one in fight.events(ActionDeclared) if one.kind == "fire"] == ["group/1.1"]
    alone = Fight(state, 1).do(0, TakeAim(UNIT, aimed)).do(0, Fire(UNIT))
    assert [one.about.get("target") for one in alone.events(ActionDeclared) if one.kind == "fire"] == ["group/1.2"]


@pytest.mark.rule("AE-TURN-02", "AE-MOVE-01")
def test_a_move_that_comes_to_its_end_is_done() -> None:
    fight = Fight(played([squad((50, 60)), HERE], [FAR])).do(0, STEP)
    assert told(fight) == ["done"]
    assert fight.unit("0.1").acted


@pytest.mark.rule("AE-TURN-02")
def test_a_unit_that_has_moved_may_still_do_what_comes_after_a_move() -> None:
    man, medics = FigureId("0.1.2"), {0: ("medic",)}
    state = battle(
        [squad((50, 60), (55, 60), roles=medics)],
        [FAR],
        options=Options(casualties=True, prisoners=True, overwatch=False),
    )
    unit = replace(state.units[UNIT], figures=(FigureId("0.1.1"),))
    alone = replace(state, units={**state.units, UNIT: unit})
    assert Fight(alone).do(0, STEP).now.active is None
    hurt = replace(alone, wounded=(Wounded(man, UNIT),))
    assert Fight(hurt).do(0, STEP).may(0, Treat(UNIT, man))
    assert Fight(hurt).do(0, STEP).may(0, Carry(UNIT, man, cm((54, 59))[0]))
    assert Fight(replace(alone, radio_sets={UNIT: cm((55, 60))[0]})).do(0, STEP).may(0, TakeSet(UNIT))
    plan = replace(scenario().seats[0], leaves=cm((54, 0), (54, 90)))
    table = replace(alone.resolved.scenario, seats=(plan, scenario().seats[1]))
    leaving = replace(alone, resolved=replace(alone.resolved, scenario=table))
    assert Fight(leaving).do(0, STEP).may(0, Leave(UNIT))
    south = replace(alone.figures[FigureId("0.1.1")], at=cm((50, 6))[0])
    held = replace(alone, prisoners=(Prisoners(FOE, UNIT, 0, (man,)),), figures={**alone.figures, south.id: south})
    walked = Fight(held).do(0, Move(UNIT, cm((50, 5))))
    assert walked.now.active is None  # the prisoner is far away
    near = replace(held.figures[man], at=cm((52.5, 6))[0])
    assert (
        Fight(replace(held, figures={**held.figures, man: near})).do(0, Move(UNIT, cm((50, 5)))).may(0, LeadOff(UNIT))
    )


@pytest.mark.rule("AE-SEAT-02", "AE-TURN-01")
def test_whose_turn_it_is_next() -> None:
    state = battle([HERE], [HERE], [FAR], sides=(0, 0, 1), order=(1, 0), last={0: 0})
    assert turns.next_seat(state) == 2
    assert [turns.next_seat(state, seat) for seat in (0, 1, 2)] == [2, 2, 1]
    assert [turns.next_seat(state, seat, passed=True) for seat in (0, 1)] == [1, 0]
    done = squad((20, 20), acted=True)
    assert turns.next_seat(battle([done], [done], [done], sides=(0, 0, 1)), 0) == -1


@pytest.mark.rule("AE-SEAT-04", "AE-ASLT-01")
def test_whom_a_side_may_charge() -> None:
    def code(target: str, own: Squad, *forces: Squad, combats: tuple[Combat, ...] = (), **changes: Any) -> Any:
        state = battle([own, squad((20, 20))], *[[one, FAR] for one in forces], sides=(), combats=combats, **changes)
        return refusal(state, 0, Charge(UNIT, GroupId(target)), at=True)

    one, other, own = squad((50, 70)), squad((52, 70)), squad((50, 60))
    theirs = (Combat(1, (GroupId("1.1"),), (GroupId("2.1"),)),)
    ours = (Combat(1, (GroupId("0.2"),), (GroupId("1.1"),)),)
    assert code("1.1", own, one, other) == ""
    assert code("1.1", own, one, other, combats=theirs) == ("charge/their-fight", "group/1.1")
    assert code("1.1", own, one, other, combats=ours) == ""
    house = block("h", "house", 40, 63, 60, 67)
    assert code("1.1", own, one, other, features=[house]) == ("charge/no-sight", "group/1.1")
    assert code("1.1", own, vehicle((50, 70)), other) == ("charge/no-explosives", "group/1.1")
    assert code("1.1", squad((50, 60), weapons=("dc",)), vehicle((50, 70)), other) == ""
    assert code("0.2", own, one, other)[0] == "charge/no-target"


@pytest.mark.rule("AE-TURN-02", "AE-ASLT-01")
def test_a_unit_that_has_done_something_in_place_of_its_fire_charges_nobody() -> None:
    wounded, foe = FigureId("0.1.3"), squad((50, 70))
    roles = {0: ("officer",), 1: ("radio", "medic")}
    state = battle(
        [squad((50, 60), (53, 60), (53, 62), roles=roles, role="platoon"), HERE],
        [foe, FAR],
        options=Options(overwatch=False, casualties=True),
        support=(("FS-3",), ()),
    )
    unit = replace(state.units[UNIT], figures=(FigureId("0.1.1"), FigureId("0.1.2")))
    state = replace(state, units={**state.units, UNIT: unit}, wounded=(Wounded(wounded, UNIT),))
    assert Fight(state).may(0, Charge(UNIT, FOE))
    treated = Fight(state, 2).do(0, Treat(UNIT, wounded))
    aborted = Fight(state, 1, 1).do(0, Call(UNIT, "FS-3", cm((150, 100))[0]))
    assert [fight.why_not(0, Charge(UNIT, FOE)) for fight in (treated, aborted)] == ["act/step-past"] * 2
