"""Repairs of vehicles (AE-VEH-05)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.rulesets.apocalypse_earth.rules.ending import Finish
from engine.rulesets.apocalypse_earth.rules.harm import repairs
from engine.rulesets.apocalypse_earth.state.lasting import Wreckage
from engine.rulesets.apocalypse_earth.state.model import Options
from protocol.ids import FigureId, GroupId
from tests.support.systems.ae_battle import Fight, battle, squad, vehicle

PLAYED = Options(repairs=True, overwatch=False)
FOE = squad((150, 110))


def crew(*places: tuple[float, float], **changes: Any) -> Any:
    """A unit whose first figure is a mechanic."""
    return squad(*(places or ((60, 62.5), (60, 66))), roles={0: ("mechanic",)}, **changes)


def turn(*dice: int, options: Options = PLAYED, codes: tuple[str, ...] = ("wpn/hmg50", "whl"), **changes: Any) -> Fight:
    """Play a turn in which nobody does anything beside a damaged vehicle."""
    state = battle([vehicle((60, 60), hull=Wreckage(codes)), crew(**changes)], [FOE], options=options)
    fight = Fight(state, *dice)
    for unit in ("0.1", "1.1", "0.2"):
        fight.do(int(unit[0]), Finish(GroupId(unit)))
    return fight


@pytest.mark.rule("AE-VEH-05", "AE-TURN-04")
def test_a_mechanic_in_contact_repairs_a_piece_on_a_6() -> None:
    fight = turn(6)
    assert fight.asked == ("ae.repair", (0,))
    assert fight.expire().unit("0.1").hull.codes == ("wpn/hmg50",)  # what stops it comes first
    assert turn(5).expire().unit("0.1").hull.codes == ("wpn/hmg50", "whl")
    fight = turn(6).answer(0, "0.1:wpn/hmg50")
    assert fight.unit("0.1").hull.codes == ("whl",)
    assert [weapon.id for weapon in fight.now.weapons_of(fight.now.figures[FigureId("0.1.1")])] == ["hmg50"]


@pytest.mark.rule("AE-VEH-05")
def test_nothing_is_repaired_without_the_option_or_where_it_cannot_be() -> None:
    assert turn(options=Options(overwatch=False)).now.turn == 2
    assert turn(codes=("crash",)).now.turn == 2


@pytest.mark.rule("AE-VEH-05")
@pytest.mark.parametrize(
    "changes", [{"fired": True}, {"acted": True, "moved": True}, {"suppressed": True}, {"overwatch": True}]
)
def test_a_busy_mechanic_repairs_nothing(changes: dict[str, bool]) -> None:
    for now, there in (({}, True), (changes, False)):
        state = battle([vehicle((60, 60), hull=Wreckage(("whl",))), crew(**now)], [FOE], options=PLAYED)
        found = repairs.in_reach(state, state.units[GroupId("0.2")], state.figures[FigureId("0.2.1")])
        assert bool([*found]) == there


@pytest.mark.rule("AE-VEH-05")
def test_only_own_vehicles_in_contact_or_around_him() -> None:
    cases: list[tuple[Any, bool]] = [
        (crew((60, 62.5)), True),
        (crew((60, 62.7)), False),
        (crew((60, 60), where="aboard", vessel=GroupId("0.1")), True),
    ]
    for one, there in cases:
        state = battle([vehicle((60, 60), hull=Wreckage(("whl",))), one], [FOE], options=PLAYED)
        found = repairs.in_reach(state, state.units[GroupId("0.2")], state.figures[FigureId("0.2.1")])
        assert bool([*found]) == there
    allied = battle([vehicle((60, 60), hull=Wreckage(("whl",)))], [crew()], [FOE], sides=(0, 0, 1), options=PLAYED)
    assert not [*repairs.in_reach(allied, allied.units[GroupId("1.1")], allied.figures[FigureId("1.1.1")])]


@pytest.mark.rule("AE-VEH-05")
def test_each_piece_is_tried_once_a_turn() -> None:
    two = squad((60, 62.5), (57, 62.5), roles={0: ("mechanic",), 1: ("mechanic",)})
    state = battle([vehicle((60, 60), hull=Wreckage(("whl",))), two], [FOE], options=PLAYED)
    fight = Fight(state, 2)
    for unit in ("0.1", "1.1", "0.2"):
        fight.do(int(unit[0]), Finish(GroupId(unit)))
    assert fight.expire().now.turn == 2


@pytest.mark.rule("AE-VEH-05")
def test_nobody_repairs_a_psychic() -> None:
    assert turn(codes=("psi",)).now.turn == 2
    assert turn(6, codes=("psi", "whl")).expire().unit("0.1").hull.codes == ("psi",)
