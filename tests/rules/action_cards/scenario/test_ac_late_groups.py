"""Late groups: reserves that a role keeps back of a force, and the late groups of a faction."""

from __future__ import annotations

import msgspec
import pytest

from engine.rulesets.action_cards.content.forms import for_seats, reserves_of, scaled_row
from engine.rulesets.action_cards.content.schema import ReserveEntry, RoleEntry
from engine.rulesets.action_cards.rules.scenario import setup
from engine.rulesets.action_cards.state import model
from engine.rulesets.action_cards.state.model import Faction, Reserve
from tests.support.systems.shipped import faults_with, resolved_scenario, shipped_scenario
from tests.support.systems.skirmish import UNIT

kept = pytest.mark.rule("AC-SCEN-01", "AC-FACT-01")
START = ((0, 0), (1000, 0), (1000, 500), (0, 500))
EDGE = ((2000, 0), (3000, 0), (3000, 500), (2000, 500))


def role(*rows: int) -> RoleEntry:
    """Return a role that keeps a group back for each of these rows; those of row 6 come on elsewhere."""
    entries = [{"row": row, **({"start": [20, 0, 10, 5]} if row == 6 else {})} for row in rows]
    return RoleEntry.model_validate({"name": "r", "start": [0, 0, 10, 5], "win": 1, "reserve": entries})


def force(groups: int, *late: int) -> Faction:
    return msgspec.structs.replace(UNIT, force=UNIT.force[:1] * groups, late=late)


@kept
@pytest.mark.parametrize(
    ("groups", "late", "comes"),
    [
        (6, (), [(10, START), (15, START), (6, EDGE)]),
        (4, (), [(10, START), (15, START)]),
        (3, (), [(10, START)]),
        (2, (), []),
        (4, (9, 14), [(10, START), (15, START)]),  # the late groups are those that the role keeps back
    ],
)
def test_two_groups_start_whatever_a_role_keeps_back(
    groups: int, late: tuple[int, ...], comes: list[tuple[int, object]]
) -> None:
    found = reserves_of(role(10, 15, 6), force(groups, *late), 6)
    assert [(one.row, one.start) for one in found] == comes
    assert {one.groups for one in found} <= {1}


@kept
def test_late_groups_come_with_their_own_rows_where_the_role_has_none() -> None:
    assert reserves_of(role(), force(4, 10, 15), 4) == (Reserve(15, 1, START), Reserve(10, 1, START))
    # the last of the force is the group of row 15: the role has it come with row 3
    assert reserves_of(role(3), force(4, 10, 15), 4) == (Reserve(3, 1, START), Reserve(10, 1, START))
    assert reserves_of(role(), force(3, 10), 2) == (Reserve(5, 1, START),)


@kept
def test_a_role_keeps_no_more_back_than_it_names() -> None:
    entry = role().model_copy(update={"reserve": [ReserveEntry(row=4, groups=10)]})
    assert reserves_of(entry, force(6), 4) == (Reserve(4, 4, START),)


@pytest.mark.rule("AC-SCEN-01")
@pytest.mark.parametrize(
    ("row", "seats", "count", "found"),
    [(10, 5, 6, 10), (10, 4, 6, 10), (10, 3, 6, 7), (10, 2, 6, 5), (3, 2, 6, 2), (10, 2, 3, 6), (6, 3, 4, 4)],
)
def test_fewer_players_have_fewer_rows(row: int, seats: int, count: int, found: int) -> None:
    assert scaled_row(row, seats, count) == found


@pytest.mark.rule("AC-SCEN-01")
def test_a_form_for_fewer_brings_its_reserves_sooner() -> None:
    pair = for_seats(shipped_scenario("marrow"), 2)
    assert [[one.row for one in role.reserve] for role in pair.role] == [[5, 7, 3]] * 2


@kept
@pytest.mark.parametrize("scenario", ["kiln_row", "long_meadow", "lantern_fair", "low_water", "marrow"])
def test_shipped_scenarios_for_five_and_six_keep_groups_of_everybody_back(scenario: str) -> None:
    resolved, seats = resolved_scenario(scenario)
    content = msgspec.msgpack.decode(resolved, type=model.Resolved)
    state = setup.start(content, seats)
    for seat, faction in enumerate(content.factions):
        due = sorted(ride.due for ride in state.aboard.values() if ride.group.owner == seat)
        assert due == ([10, 15] if len(faction.force) == 4 else [6, 10, 15])


def test_late_groups_are_the_last_of_a_force_and_never_all_of_it() -> None:
    before = "[[faction.squad]]\ncount = 2\nfigures"
    (fault,) = faults_with("faction_2_daleks.toml", before, before.replace("count = 2", "count = 2\nlate = 4"))
    assert "a group that is not late must start" in fault
    early = '[[faction.squad]]\nlate = 4\nfigures = ["dalek"]\n\n' + before
    (fault,) = faults_with("faction_2_daleks.toml", before, early)
    assert "groups that come late are the last of the force" in fault
