"""Fire support and those who serve at their bounds (AE-SUPPORT, AE-OPEN-24, AE-OPEN-26)."""

from __future__ import annotations

from typing import Any, Final

import pytest
from msgspec.structs import replace

from engine.core.rules.events import ActionDeclared
from engine.rulesets.apocalypse_earth.rules.ending import Finish
from engine.rulesets.apocalypse_earth.rules.fire.firing import Fire
from engine.rulesets.apocalypse_earth.rules.moves.errands import TakeSet, Treat
from engine.rulesets.apocalypse_earth.rules.support import support
from engine.rulesets.apocalypse_earth.rules.support.support import Call
from engine.rulesets.apocalypse_earth.rules.turns import officers
from engine.rulesets.apocalypse_earth.state.fire_events import BlastLanded, MoraleChecked
from engine.rulesets.apocalypse_earth.state.lasting import Combat, Effect, Mission, Wounded, Wreckage
from engine.rulesets.apocalypse_earth.state.model import Options
from engine.rulesets.apocalypse_earth.state.state import CLOSE, Activation, Battle
from engine.rulesets.apocalypse_earth.state.support_events import (
    FigureBusy,
    MedicTended,
    MissionCalled,
    MissionEnded,
    StrikeFlown,
)
from engine.rulesets.apocalypse_earth.state.turn_events import FiguresMoved, MarchEnded
from protocol.ids import FigureId, GroupId
from tests.support.systems.ae_battle import Fight, Squad, battle, block, cm, row, squad, vehicle
from tests.support.systems.ae_bounds import code_of, refusal, told

HQ, FOE = GroupId("0.1"), GroupId("1.1")
OFFICER, OPERATOR = FigureId("0.1.1"), FigureId("0.1.2")
SPOT: Final = (6000, 6000)
FAR = squad((150, 110))
STAFF: Final[dict[int, tuple[str, ...]]] = {0: ("officer",), 1: ("radio",)}


def staff(*places: tuple[float, float], **changes: Any) -> Squad:
    """A headquarters: an officer, a radio operator and others."""
    return squad(*(places or row(3, 20, 60)), roles=changes.pop("roles", STAFF), role="platoon", **changes)


def table(*others: Squad, own: Squad | None = None, cards: tuple[str, ...] = ("FS-3",), **changes: Any) -> Battle:
    """A table on which a headquarters may call these cards."""
    return battle([own or staff()], [*others, FAR], support=(cards, ()), **changes)


@pytest.mark.rule("AE-SUPPORT-01", "AE-SUPPORT-02", "AE-SUPPORT-03")
def test_why_a_call_is_refused() -> None:
    def code(at: tuple[int, int] = SPOT, card: str = "FS-3", facing: int = -1, **changes: Any) -> Any:
        return refusal(table(**changes), 0, Call(HQ, card, at, facing), at=True)

    assert code() == ""
    assert code(facing=45) == ""
    assert code(facing=47) == ("move/turn", None)
    assert code(cards=()) == ("call/no-card", None)
    assert code(card="FS-7") == ("call/no-card", None)
    assert code_of(lambda: support.check_callers(table(cards=()), 0, HQ)) == "call/no-card"
    assert code(own=staff(fired=True)) == ("call/nobody", None)
    assert code(own=staff(roles={0: ("officer",)})) == ("call/nobody", None)
    assert code(at=(18001, 6000)) == ("call/off-table", (18001, 6000))
    assert code(at=(18000, 12000)) == ""
    assert code(at=(6000, -1)) == ("call/off-table", (6000, -1))
    assert code(features=[block("h", "house", 40, 50, 50, 70)]) == ("call/no-sight", SPOT)


@pytest.mark.rule("AE-SUPPORT-02", "AE-OPEN-26")
def test_who_calls_in_a_unit() -> None:
    def callers(roles: Any, **changes: Any) -> list[str]:
        state = battle([squad(*row(3, 20, 60), roles=roles, **changes.pop("own", {}))], [FAR], **changes)
        return [one.id for one in officers.callers(state, state.units[HQ])]

    both = {0: ("officer",), 1: ("radio",), 2: ("second",)}
    assert callers(both) == ["0.1.1", "0.1.3"]
    assert callers(STAFF) == ["0.1.1"]
    assert callers({1: ("radio",)}) == []
    assert callers({0: ("officer",)}) == []
    assert callers(both, own={"suppressed": True}) == []
    assert callers(both, combats=(Combat(1, (HQ,), (FOE,)),)) == []
    assert callers(both, active=Activation(HQ, busy=(OFFICER,))) == ["0.1.3"]
    state = battle([squad(*row(3, 20, 60), roles=both)], [FAR])
    shaken = replace(state.figures[OFFICER], shaken=True)
    assert [
        one.id for one in officers.callers(replace(state, figures={**state.figures, OFFICER: shaken}), state.units[HQ])
    ] == ["0.1.3"]


@pytest.mark.rule("AE-SUPPORT-02", "AE-OPEN-26", "AE-OPEN-25")
def test_whose_net_works() -> None:
    def works(*others: Squad, roles: Any = STAFF, **own: Any) -> bool:
        state = battle([staff(roles=roles, **own), *others], [FAR])
        return officers.has_net(state, state.units[HQ])

    voice, once = Effect("far_voice", HQ), Effect("far_voice", FOE, once=True)
    command = vehicle((60, 60), traits=("command",))
    assert works()
    assert not works(roles={0: ("officer",)})
    assert not works(where="coming")
    assert not works(effects=(once,))
    assert works(effects=(voice,), roles={0: ("officer",)})
    assert works(squad((90, 90), effects=(voice,)), roles={0: ("officer",)})
    assert not works(squad((90, 90), effects=(once,)), roles={0: ("officer",)})
    assert not works(squad((90, 90), effects=(Effect("shroud", HQ),)), roles={0: ("officer",)})
    assert works(command, where="aboard", vessel=GroupId("0.2"), roles={0: ("officer",)})
    assert not works(vehicle((60, 60)), where="aboard", vessel=GroupId("0.2"))
    assert not works(
        vehicle((60, 60), traits=("command",), hull=Wreckage(("com",))), where="aboard", vessel=GroupId("0.2")
    )


@pytest.mark.rule("AE-OPEN-26")
def test_who_works_a_radio_set() -> None:
    state = battle([staff()], [FAR], turn=3)

    def radios(**changes: Any) -> list[str]:
        third = replace(state.figures[FigureId("0.1.3")], radio=changes.get("since", 0))
        second = replace(state.figures[OPERATOR], shaken=changes.get("shaken", False))
        now = replace(state, figures={**state.figures, third.id: third, second.id: second})
        return list(officers.radios(now, replace(now.units[HQ], effects=changes.get("effects", ()))))

    assert radios() == ["0.1.2"]
    assert radios(shaken=True) == []
    assert [radios(since=turn) for turn in (3, 4)] == [["0.1.2", "0.1.3"], ["0.1.2"]]
    assert radios(effects=(Effect("far_voice", FOE, once=True),)) == []
    assert radios(effects=(Effect("far_voice", HQ),)) == ["0.1.2"]
    assert radios(effects=(Effect("fog_of_mind", FOE, once=True),)) == ["0.1.2"]


@pytest.mark.rule("AE-SUPPORT-02", "AE-SUPPORT-03", "AE-OPEN-24")
def test_aircraft_come_at_once_and_artillery_is_on_its_way() -> None:
    fight = Fight(table(squad((30, 70)), cards=("FS-6", "FS-3"))).do(0, Call(HQ, "FS-6", SPOT))
    assert [one.mission for one in fight.events(MissionCalled)] == [Mission(0, HQ, "FS-6", SPOT)]
    assert (fight.events(StrikeFlown), fight.now.support[0]) == ([], ("FS-3",))
    assert [one.figure for one in fight.events(FigureBusy)] == [OFFICER]
    assert told(fight)[0] == "done"
    assert next(one.kind for one in fight.events(ActionDeclared)) == "call"
    flown = Fight(table(cards=("FS-6", "FS-3")), 4, 6).do(0, Call(HQ, "FS-3", SPOT))
    assert [(one.seat, one.card, one.how) for one in flown.events(StrikeFlown)] == [(0, "FS-3", "on")]
    assert (flown.now.missions, flown.now.support[0]) == ((), ("FS-6",))


@pytest.mark.rule("AE-SUPPORT-01", "AE-SUPPORT-03")
def test_he_calls_who_sees_the_spot() -> None:
    both = staff((20, 60), (22.5, 60), (20, 72), roles={0: ("officer",), 1: ("radio",), 2: ("second",)})
    house = block("h", "house", 30, 55, 34, 65)
    fight = Fight(table(own=both, features=[house]), 4, 6).do(0, Call(HQ, "FS-3", SPOT))
    assert [one.figure for one in fight.events(FigureBusy)] == ["0.1.3"]


@pytest.mark.rule("AE-SUPPORT-03", "AE-SUPPORT-05")
@pytest.mark.parametrize(
    ("card", "air", "dice", "how", "at"),
    [
        ("FS-3", {}, (4, 5, 1, 2, 12), "near", (6300, 6000)),
        ("FS-3", {0: 9, 1: 3}, (4, 5), "on", SPOT),
        ("FS-3", {0: 3, 1: 9}, (1, 4), "aborted", None),
        ("FS-3", {}, (1, 4, 1, 2, 12), "astray", (6600, 6000)),
        ("FS-5", {0: 9, 1: 1}, (4, 5, 1, 2, 12), "near", (6300, 6000)),
        ("FS-5", {0: 1, 1: 9}, (4, 6), "on", SPOT),
    ],
)
def test_what_becomes_of_an_airstrike(card: str, air: dict[int, int], dice: Any, how: str, at: Any) -> None:
    fight = Fight(table(cards=(card,), air=air), *dice).do(0, Call(HQ, card, SPOT))
    assert [one.how for one in fight.events(StrikeFlown)] == [how]
    assert [one.at for one in fight.events(BlastLanded)] == ([] if at is None else [at])


@pytest.mark.rule("AE-SUPPORT-03", "AE-SUPPORT-05", "AE-OPEN-24")
def test_a_strip_lies_as_it_was_said_or_away_from_the_caller_and_its_dead_count() -> None:
    along, across = squad(*row(3, 70, 60)), squad((60, 70), (60, 72.5), (60, 75))
    for facing, hit in ((-1, "1.1"), (0, "1.1"), (90, "1.2")):
        fight = Fight(table(along, across, cards=("FS-1",)), 6, 6, 1, 4, 1, 6).do(0, Call(HQ, "FS-1", SPOT, facing))
        assert [unit.id for unit in fight.now.units.values() if unit.lost] == [hit]
        assert [(one.unit, one.why) for one in fight.events(MoraleChecked)] == [(hit, "losses")]


@pytest.mark.rule("AE-SUPPORT-04", "AE-OPEN-24")
@pytest.mark.parametrize(
    ("shelled", "how"),
    [
        (((2, (6000, 6600)),), "on"),
        (((2, (6000, 6601)),), "near"),
        (((1, SPOT),), "near"),
        (((3, SPOT),), "near"),
        ((), "near"),
    ],
)
def test_a_point_that_was_hit_in_the_turn_before_is_hit_better(shelled: Any, how: str) -> None:
    state = table(cards=("FS-10",), turn=3, shelled=shelled, options=Options(overwatch=False))
    fight = Fight(state, 3, 5, *([] if how == "on" else [1, 12])).do(0, Call(HQ, "FS-10", SPOT)).do(1, Finish(FOE))
    assert [one.how for one in fight.events(MissionEnded)] == [how]


@pytest.mark.rule("AE-SUPPORT-04", "AE-OPEN-24")
def test_shells_land_in_the_order_of_play_and_their_dead_count() -> None:
    missions = (Mission(1, FOE, "FS-10", (9000, 9000)), Mission(0, HQ, "FS-6", SPOT))
    state = battle(
        [staff(acted=True)],
        [squad(*row(3, 55.5, 60), acted=True), FAR],
        missions=missions,
        acting=1,
        options=Options(overwatch=False),
    )
    dice = (6, 6, 1, 6, 1, 6, 12, 6, 12, 6, 6, 6)
    fight = Fight(state, *dice).do(1, Finish(GroupId("1.2")))
    assert [(one.mission.seat, one.how) for one in fight.events(MissionEnded)] == [(0, "on"), (1, "on")]
    assert [(one.unit, one.passed) for one in fight.events(MoraleChecked)] == [("1.1", True)]
    assert next(one.at for one in fight.events(BlastLanded)) == SPOT


@pytest.mark.rule("AE-SUPPORT-05")
def test_in_the_air_the_best_enemy_counts() -> None:
    three = battle([FAR], [FAR], [FAR], sides=(), air={0: 9, 1: 3, 2: 8})
    assert [support.modifier(three, side) for side in (0, 1, 2)] == [0, -1, -1]
    assert support.modifier(replace(three, air={}), 0) == 0


def hurt(*medics: Squad, **changes: Any) -> Battle:
    """A table on which a unit of three is under fire at 40 cm, and medics of its seat stand about."""
    return battle([squad((20, 60))], [squad(*row(3, 60, 60), **changes), *medics], options=Options(overwatch=False))


@pytest.mark.rule("AE-OPEN-26")
@pytest.mark.parametrize(
    ("one", "changes", "helps"),
    [
        ((60, 68), {}, False),
        ((62.5, 68), {}, True),
        ((62.5, 68.01), {}, False),
        ((62.5, 66), {"hidden": True}, False),
        ((62.5, 66), {"suppressed": True}, False),
        ((62.5, 66), {"where": "aboard"}, False),
    ],
)
def test_which_medic_helps(one: tuple[float, float], changes: dict[str, Any], helps: bool) -> None:
    medic = squad(one, roles={0: ("medic",)}, **changes)
    fight = Fight(hurt(medic), 6, 1, 1, 2, *([5] if helps else []), 6).do(0, Fire(HQ, FOE))
    assert [(tended.medic, tended.figure, tended.saved) for tended in fight.events(MedicTended)] == (
        [("1.2.1", "1.1.2", False)] if helps else []
    )


@pytest.mark.rule("AE-OPEN-26")
def test_a_medic_saves_one_casualty_a_turn_on_a_6_and_not_himself() -> None:
    medic = squad((60, 66), roles={0: ("medic",)})
    saved = Fight(hurt(medic), 6, 6, 1, 2, 2, 6, 6).do(0, Fire(HQ, FOE))
    assert [(tended.figure, tended.saved) for tended in saved.events(MedicTended)] == [("1.1.2", True)]
    assert saved.unit("1.1").figures == ("1.1.1", "1.1.2")
    himself = Fight(hurt(roles={1: ("medic",)}), 6, 1, 1, 2, 6).do(0, Fire(HQ, FOE))
    assert himself.events(MedicTended) == []


@pytest.mark.rule("AE-OPEN-26")
def test_a_set_is_taken_up_by_the_nearest_who_goes_to_it() -> None:
    def take(*places: tuple[float, float], lying: tuple[int, int] = (6000, 6000)) -> Battle:
        return battle([squad(*places)], [FAR], radio_sets={HQ: lying})

    fight = Fight(take((66, 60), (54, 60), (50, 60))).do(0, TakeSet(HQ))
    assert [(one.unit, one.places, one.why) for one in fight.events(FiguresMoved)] == [
        (HQ, {"0.1.1": (6200, 6000)}, "set")
    ]
    other = Fight(take((66, 60), (55, 60))).do(0, TakeSet(HQ))
    assert [one.places for one in other.events(FiguresMoved)] == [{"0.1.2": (5800, 6000)}]
    assert [one.spent for one in fight.events(MarchEnded)] == [{"0.1.1": 700}]  # 4 cm and 3
    beside = Fight(take((62, 60))).do(0, TakeSet(HQ))
    assert (beside.events(FiguresMoved), beside.now.figures[OFFICER].radio) == ([], 2)
    assert refusal(battle([squad((62, 60))], [FAR]), 0, TakeSet(HQ)) == "set/none"
    aboard = battle([squad((62, 60), where="aboard"), squad((20, 20))], [FAR], radio_sets={HQ: SPOT})
    assert refusal(aboard, 0, TakeSet(HQ)) == "set/none"
    shaken = take((62, 60), (55, 60))
    first = replace(shaken.figures[OFFICER], shaken=True)
    passed_over = Fight(replace(shaken, figures={**shaken.figures, OFFICER: first})).do(0, TakeSet(HQ))
    assert passed_over.now.figures[OPERATOR].radio == 2


@pytest.mark.rule("AE-OPEN-26", "AE-CAS-01")
def test_which_medic_treats_a_man_down() -> None:
    man = FigureId("0.1.3")
    state = battle(
        [squad((60, 70), (60, 64), (60, 60), roles={0: ("medic",), 1: ("medic",)})],
        [FAR],
        options=Options(casualties=True, overwatch=False),
    )
    unit = replace(state.units[HQ], figures=(OFFICER, OPERATOR))
    lying = replace(state, units={**state.units, HQ: unit}, wounded=(Wounded(man, HQ),))

    def code(**changes: Any) -> str:
        now = replace(lying, units={**lying.units, HQ: replace(unit, **changes)})
        return str(refusal(now, 0, Treat(HQ, man)))

    assert code() == ""
    assert code(fired=True) == "treat/nobody"
    assert code(where="aboard") == "treat/nobody"
    aided = replace(lying, wounded=(Wounded(man, HQ, aided=True),))
    assert refusal(aided, 0, Treat(HQ, man)) == "treat/nobody"
    assert refusal(replace(lying, active=Activation(HQ, CLOSE)), 0, Treat(HQ, man)) != ""
    fight = Fight(lying, 3).do(0, Treat(HQ, man))
    assert [(one.places, one.why) for one in fight.events(FiguresMoved)] == [({OPERATOR: (6000, 6200)}, "treat")]
    busy = replace(lying, active=Activation(HQ, busy=(OPERATOR,)))
    other = Fight(busy, 2).do(0, Treat(HQ, man))
    assert [one.places for one in other.events(FiguresMoved)] == [{OFFICER: (6000, 6200)}]
    beside = replace(lying, figures={**lying.figures, OPERATOR: replace(lying.figures[OPERATOR], at=cm((60, 62))[0])})
    still = Fight(beside, 6).do(0, Treat(HQ, man))
    assert (still.events(FiguresMoved), told(still)[0]) == ([], "done")


@pytest.mark.rule("AE-OPEN-26")
@pytest.mark.parametrize(
    ("y", "roles", "changes", "helps"),
    [
        (74, ("officer",), {}, True),
        (74.01, ("officer",), {}, False),
        (70, ("second",), {}, True),
        (70, ("leader",), {}, False),
        (70, ("officer",), {"hidden": True}, False),
        (70, ("officer",), {"where": "aboard"}, False),
        (70, ("officer",), {"suppressed": True}, False),
    ],
)
def test_which_officer_helps_to_rally(y: float, roles: tuple[str, ...], changes: dict[str, Any], helps: bool) -> None:
    state = battle([squad((50, 60), suppressed=True), squad((50, y), roles={0: roles}, **changes)], [FAR])
    assert officers.inspires(state, state.units[HQ]) == helps
    fighting = replace(state, combats=(Combat(1, (GroupId("0.2"),), (FOE,)),))
    assert not officers.inspires(fighting, fighting.units[HQ])
    himself = battle([squad((50, 60), suppressed=True, roles={0: roles})], [FAR])
    assert not officers.inspires(himself, himself.units[HQ])
