"""Prisoners at their bounds: who escorts, how they walk, who leads them off (AE-POW, AE-SEAT-03)."""

from __future__ import annotations

from itertools import combinations
from typing import Any, Final

import pytest
from msgspec.structs import replace

from engine.rulesets.apocalypse_earth.rules.fire.aiming import TakeAim
from engine.rulesets.apocalypse_earth.rules.fire.firing import Fire
from engine.rulesets.apocalypse_earth.rules.moves import captives
from engine.rulesets.apocalypse_earth.rules.moves.captives import Escort
from engine.rulesets.apocalypse_earth.rules.moves.carrying import BoardVehicle
from engine.rulesets.apocalypse_earth.rules.moves.leaving import LeadOff, check_lead_off
from engine.rulesets.apocalypse_earth.rules.moves.moving import Move
from engine.rulesets.apocalypse_earth.rules.turns import surrender
from engine.rulesets.apocalypse_earth.state.captive_events import (
    CarriedAlong,
    EscortChanged,
    PrisonersFell,
    PrisonersFreed,
)
from engine.rulesets.apocalypse_earth.state.lasting import Prisoners, Shot
from engine.rulesets.apocalypse_earth.state.model import Options
from engine.rulesets.apocalypse_earth.state.state import Activation, Battle
from engine.rulesets.apocalypse_earth.state.turn_events import Activated
from engine.space.vectors.points import squared, within
from protocol.ids import FigureId, GroupId
from protocol.scene.nodes import Reply
from tests.support.systems.ae_battle import Fight, Squad, battle, block, cm, row, squad, vehicle
from tests.support.systems.ae_bounds import code_of, refusal, told

PLAYED: Final = Options(prisoners=True, overwatch=False)
GUARD, OTHER, TAKEN = GroupId("0.1"), GroupId("0.2"), GroupId("1.1")
FAR = squad((150, 110))
MEN = ((50, 22.5), (52.5, 22.5))
LOST: Final[dict[str, Any]] = {"where": "gone", "fate": "captured", "captor": 0}


def held(
    *own: Squad,
    men: tuple[tuple[float, float], ...] = MEN,
    more: tuple[tuple[float, float], ...] = (),
    others: tuple[Squad, ...] = (),
    sides: tuple[int, ...] = (0, 1),
    **changes: Any,
) -> Battle:
    """A table on which the first unit of seat 0 escorts men who stand there, and `more` of a second unit."""
    own = own or (squad(*row(3, 50, 20)),)
    groups = [one for one in (men, more) if one]
    units = [squad(*one, **LOST) for one in groups]
    state = battle([*own], [*units, *others, FAR], sides=sides, options=PLAYED, **changes)
    prisoners = []
    for n in range(len(groups)):
        unit = state.units[GroupId(f"1.{n + 1}")]
        prisoners.append(Prisoners(unit.id, GUARD, 0, unit.figures))
        state = replace(state, units={**state.units, unit.id: replace(unit, figures=())})
    return replace(state, prisoners=tuple(prisoners))


def places(fight: Fight) -> list[tuple[int, int]]:
    """The places of all prisoners."""
    return [fight.now.figures[id].at for group in fight.now.prisoners for id in group.figures]


@pytest.mark.rule("AE-POW-02")
@pytest.mark.parametrize(
    ("y", "where", "near"), [(24, "table", True), (24.01, "table", False), (24, "aboard", False), (24, "gone", False)]
)
def test_who_is_by_his_escort(y: float, where: str, near: bool) -> None:
    state = held(squad((50, 20), where=where), men=((50, y),))
    assert captives.is_by(state, state.prisoners[0], state.units[GUARD]) == near


@pytest.mark.rule("AE-POW-01", "AE-TURN-02")
def test_prisoners_walk_beside_their_escort_apart_from_each_other() -> None:
    fight = Fight(held(more=((55, 22.5), (50, 24.7)))).do(0, Move(GUARD, cm((50, 12))))
    found = places(fight)
    assert len(found) == 4
    guards = [one.at for one in fight.now.members(fight.unit("0.1"))]
    assert all(any(within(at, guard, 400) for guard in guards) for at in found)
    assert min(squared(a, b) for a, b in combinations([*found, *guards], 2)) >= 200**2
    assert len(fight.events(CarriedAlong)) == 2
    alone = Fight(held(squad((50, 20)), more=((47.5, 22.5), (50, 24.6)))).do(0, Move(GUARD, cm((50, 12))))
    assert len(alone.events(CarriedAlong)) == 2
    assert min(squared(a, b) for a, b in combinations(places(alone), 2)) >= 200**2


@pytest.mark.rule("AE-POW-01")
def test_who_stands_where_he_would_walk_to_stays() -> None:
    first = places(Fight(held(squad((50, 20)), men=((50, 23),))).do(0, Move(GUARD, cm((50, 19)))))
    there = (first[0][0] / 100, first[0][1] / 100)
    assert places(Fight(held(squad((50, 20)), men=(there,))).do(0, Move(GUARD, cm((50, 19))))) == first


@pytest.mark.rule("AE-POW-01")
def test_who_does_not_come_so_far_stays_and_who_is_suppressed_leads_nobody() -> None:
    late = Fight(held(men=((50, 27),))).do(0, Move(GUARD, cm((50, 9))))
    assert (places(late), late.events(CarriedAlong)) == ([(5000, 2700)], [])
    near = Fight(held(men=((50, 24.9),))).do(0, Move(GUARD, cm((50, 9))))
    assert len(near.events(CarriedAlong)) == 1
    watching = squad((50, 44), overwatch=True)
    state = held(squad(*row(2, 50, 20)), others=(watching,))
    fight = Fight(state, 6, 1, 1, 2, 1).do(0, Move(GUARD, cm((50, 12))))
    fight.answer(1, Reply("answer", {"each": {"group/1.2": "300"}})).expire()
    assert (fight.unit("0.1").suppressed, fight.events(CarriedAlong)) == (True, [])


@pytest.mark.rule("AE-POW-01", "AE-SEAT-03")
def test_who_may_take_prisoners_over() -> None:
    near, far = squad(*row(3, 50, 25.2)), squad(*row(3, 50, 40))
    guard = squad(*row(3, 50, 20))

    def code(unit: GroupId, *own: Squad, seat: int = 0, **changes: Any) -> Any:
        return refusal(held(*own, **changes), seat, Escort(unit, TAKEN))

    assert code(OTHER, guard, near) == ""
    assert code(OTHER, guard, far) == "escort/far"
    assert code(GUARD, guard, near) == "escort/none"
    allied = battle([guard], [near], [squad((50, 22.6))], sides=(0, 0, 1), acting=1, options=PLAYED)
    allied = replace(allied, prisoners=(Prisoners(GroupId("2.1"), GUARD, 0, (FigureId("2.1.1"),)),))
    assert refusal(allied, 1, Escort(TAKEN, GroupId("2.1"))) == "escort/none"
    two = held(guard, near, more=((90, 90),))
    assert refusal(two, 0, Escort(OTHER, GroupId("1.2"))) == "escort/none"
    fight = Fight(held(guard, near)).do(0, Escort(OTHER, TAKEN))
    assert [(one.unit, one.escort) for one in fight.events(EscortChanged)] == [(TAKEN, OTHER)]
    assert told(fight) == ["done"]
    assert fight.may(0, Move(OTHER, cm((50, 27))))


@pytest.mark.rule("AE-POW-01")
def test_prisoners_that_nobody_guards_are_freed_by_their_own_side_alone() -> None:
    def freed(guard: Squad, coming: Squad, to: tuple[float, float] = (50, 26)) -> int:
        state = held(guard, squad((90, 90)), others=(coming,), acting=1)
        return len(Fight(state).do(1, Move(GroupId("1.2"), cm(to))).events(PrisonersFreed))

    away, there = squad(*row(2, 50, 60)), squad(*row(2, 50, 20))
    coming = squad((50, 33))
    assert freed(away, coming) == 1
    assert freed(there, coming) == 0
    assert freed(away, coming, to=(50, 26.51)) == 0


@pytest.mark.rule("AE-POW-02")
@pytest.mark.parametrize(
    ("own", "men", "code"),
    [
        (squad((50, 10)), ((50, 12.2),), "leave/far"),
        (squad((50, 9.8)), ((50, 12),), ""),
        (squad((50, 8)), ((50, 10.2),), ""),
        (squad((50, 8)), ((50, 12.1),), "escort/far"),
        (squad((50, 8), move=16), ((50, 12),), ""),
        (squad((50, 9), move=16), ((50, 12.5),), "leave/far"),
        (squad((50, 8)), tuple((47.8 + 2.2 * (n % 3), 5.8 + 2.2 * n) for n in range(3)), ""),
        (squad((50, 6)), ((48, 4), (48, 6), (48, 8), (50, 4), (50, 8), (52, 6)), "escort/few"),
        (squad((50, 6)), ((48, 4), (48, 6), (48, 8), (50, 4), (50, 8)), ""),
    ],
)
def test_who_is_led_off(own: Squad, men: tuple[tuple[float, float], ...], code: str) -> None:
    assert refusal(held(own, men=men), 0, LeadOff(GUARD)) == code


@pytest.mark.rule("AE-POW-02", "AE-OPEN-27")
def test_an_escort_alone_leads_off_and_with_what_is_left_of_its_move() -> None:
    near = squad(*row(3, 50, 10.5))
    riding = held(squad((50, 6), where="aboard"), squad((90, 90)), men=((50, 8.2),))
    assert refusal(riding, 0, LeadOff(GUARD)) == "escort/none"
    assert refusal(held(squad(*row(3, 50, 6)), near, men=((50, 8.2),)), 0, LeadOff(OTHER)) == "escort/none"
    moved = Activation(GUARD, 1, {FigureId("0.1.1"): 600})
    far = held(squad((50, 5)), men=((50, 7),), active=moved)
    assert code_of(lambda: check_lead_off(far, 0, GUARD)) == "leave/far"
    assert refusal(held(squad((50, 4)), men=((50, 6),), active=moved), 0, LeadOff(GUARD)) == ""
    fight = Fight(held(squad((50, 5)), squad((90, 90)), men=((50, 7),))).do(0, LeadOff(GUARD))
    assert [one.unit for one in fight.events(Activated)] == [GUARD]
    assert (fight.now.active, fight.now.acting, fight.unit("0.1").acted) == (None, 1, True)


@pytest.mark.rule("AE-POW-01", "AE-OPEN-02")
def test_a_template_rolls_for_the_prisoners_that_it_touches() -> None:
    def thrown(at: tuple[float, float], *dice: int) -> list[tuple[str, ...]]:
        state = held(squad((50, 20)), squad((70, 30), weapons=("fr",)), men=((70, 20), (80, 20)))
        fight = Fight(state, 4, *dice).do(0, TakeAim(OTHER, Shot(FigureId("0.2.1"), "fr", at=cm(at)[0])))
        return [one.figures for one in fight.do(0, Fire(OTHER)).events(PrisonersFell)]

    assert thrown((70, 22), 2) == [("1.1.1",)]
    assert thrown((70, 22), 1) == [()]
    assert thrown((62, 26)) == []


@pytest.mark.rule("AE-SEAT-03", "AE-MOR-04")
def test_to_whom_a_unit_surrenders() -> None:
    def captor(*others: tuple[int, Squad], sides: tuple[int, ...] = (0, 1, 0), figure: bool = False) -> str:
        forces: list[list[Squad]] = [[squad((50, 60), suppressed=True)], [], []]
        for seat, one in others:
            forces[seat].append(one)
        forces = [force or [squad((150, 10 + 40 * seat))] for seat, force in enumerate(forces)]
        state = battle(*forces, sides=sides)
        found = surrender.captor_of(state, state.units[GUARD])
        return "" if found is None else found.id

    foe, nearer, friend = squad((50, 70)), squad((54, 60)), squad((50, 52))
    assert captor((1, foe)) == "1.1"
    assert captor((1, foe), (1, nearer)) == "1.2"
    assert captor((1, foe), (2, friend)) == ""
    assert captor((1, foe), (2, friend), sides=()) == "2.1"
    assert captor((1, foe), (0, friend)) == ""
    assert captor((1, foe), (2, squad((50, 50)))) == ""
    assert captor((1, foe), (2, squad((50, 49.99)))) == "1.1"
    assert captor((1, squad((50, 56))), (2, friend)) == "1.1"
    assert captor((2, friend)) == ""


@pytest.mark.rule("AE-SEAT-03", "AE-OPEN-16")
def test_friends_ride_in_vehicles_of_their_own_alone() -> None:
    car, team = vehicle((60, 60)), squad(*row(2, 58, 65))

    def code(state: Battle, unit: str, vessel: str) -> Any:
        return refusal(state, int(unit[0]), BoardVehicle(GroupId(unit), GroupId(vessel)), at=True)

    assert code(battle([car, team], [FAR]), "0.2", "0.1") == ""
    allied = battle([car], [team, vehicle((90, 60))], [FAR], sides=(0, 0, 1), acting=1)
    assert code(allied, "1.1", "0.1") == ("board/no-vehicle", "group/0.1")
    assert code(battle([team, squad((60, 60))], [FAR]), "0.1", "0.2") == ("board/no-vehicle", None)
    two = battle([team, squad((60, 62)), vehicle((90, 60))], [FAR])
    assert code(two, "0.1", "0.2") == ("board/no-vehicle", "group/0.2")
    gone = battle([team, vehicle((60, 60), where="gone"), vehicle((90, 60))], [FAR])
    assert code(gone, "0.1", "0.2") == ("board/no-vehicle", "group/0.2")
    small = battle([team, vehicle((60, 60), places=1), vehicle((90, 60))], [FAR])
    assert code(small, "0.1", "0.2") == ("board/full", "group/0.2")
    none = battle([team, vehicle((60, 60), places=0), vehicle((90, 60))], [FAR])
    assert code(none, "0.1", "0.2") == ("board/no-vehicle", "group/0.2")


@pytest.mark.rule("AE-POW-01")
def test_prisoners_do_not_walk_into_what_is_closed() -> None:
    water = block("w", "water", 40, 13, 70, 15)
    fight = Fight(held(men=((51, 24),), features=[water])).do(0, Move(GUARD, cm((50, 16.1))))
    assert all(y >= 1600 for _, y in places(fight))
