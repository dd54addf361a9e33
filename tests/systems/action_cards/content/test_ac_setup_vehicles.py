"""Room for every faction, vehicles included, in every start zone, with no two bases overlapping."""

from __future__ import annotations

import pytest

from engine.core.rules.system import Setup
from engine.rulesets.action_cards import system
from engine.rulesets.action_cards.rules.board import hulls, table
from engine.rulesets.action_cards.rules.vehicles import driving
from engine.rulesets.action_cards.state.state import Skirmish
from engine.space.terrain.contact import overlaps
from engine.space.vectors.outlines import outlines_overlap
from tests.support.systems.shipped import held_for_lessons, shipped_content

CONTENT = shipped_content()
SEATS = [
    (info.id, 0, info.seats)
    for info in system.scenarios(CONTENT)
    if not info.form_of and info.id not in held_for_lessons()
]


def _started(scenario: str, seat: int, seats: int) -> Skirmish:
    chosen = ["" for _ in range(seats)]
    chosen[seat] = "column"
    return system.start(system.setup(CONTENT, Setup(scenario, tuple(chosen))), seats)


@pytest.mark.parametrize(("scenario", "seat", "seats"), SEATS)
def test_the_column_finds_room_with_all_its_wheels(scenario: str, seat: int, seats: int) -> None:
    state = _started(scenario, seat, seats)
    vehicles = [id for id in state.groups if table.board(state).vehicle(id) is not None]
    later = [ride for ride in state.aboard.values() if state.profile(ride.figures[0]).vehicle is not None]
    assert len(vehicles) + len(later) == 3
    bases = [base for id in state.groups for base in table.board(state).bases(id)]
    assert not [(a.id, b.id) for n, a in enumerate(bases) for b in bases[:n] if overlaps(a, b)]
    for id in vehicles:
        vehicle = table.board(state).vehicle(id)
        assert vehicle is not None
        chassis = hulls.base_of(driving.figure_of(state, id), vehicle)
        around = driving.surroundings(state, id)
        assert around.holds(chassis.outline())
        assert around.bar(chassis.outline()) is None
        assert around.met(chassis.outline()) is None
        zone = state.resolved.scenario.roles[seat].start
        assert outlines_overlap(chassis.outline(), zone)
