"""Roles of all scenarios: points that win, secrets, conditions and their subjects, facings (AC-SCEN-01).

The shares are tuned (docs/balance.md): a tuned role changes its row here too.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Final, NamedTuple

import pytest

from engine.rulesets.action_cards import system
from engine.rulesets.action_cards.content.schema import ConditionEntry, RoleEntry, ScenarioEntry
from engine.rulesets.action_cards.state.model import CardMix
from tests.support.systems.shipped import resolved_scenario, shipped_content


class Row(NamedTuple):
    """Row of a role: the points that it wins with, its secrets, its facing in degrees, its conditions."""

    win: int
    secrets: int
    facing: int
    wants: tuple[str, ...]


def row(win: int, secrets: int, facing: int, *wants: str) -> Row:
    return Row(win, secrets, facing, wants)


ROLES: Final = {
    "first_patrol": {
        "finders": row(2, 0, 0, "hold mill: 2", "destroy x8"),
        "keepers": row(2, 0, 180, "hold mill: 2", "destroy x12"),
    },
    "harrow_cross": {
        "wardens": row(3, 1, 45, "hold relay: 2", "survive 10%", "destroy 12%", "destroy 11% of seat 2"),
        "listeners": row(3, 1, 135, "done tune_relay", "hold cottage_se", "survive 14%", "destroy 24%"),
        "salvagers": row(3, 1, 225, "done search_mill x3: 2", "reach yard x2", "destroy 26%"),
        "pilgrims": row(3, 1, 315, "done search_chapel x2: 2", "reach east_gate x2", "destroy 46% of seat 0"),
    },
    "dyke_end": {
        "reeves": row(3, 1, 45, "stands sluice", "done wind_gates", "survive 14%", "destroy 19%"),
        "smugglers": row(3, 1, 135, "falls sluice", "done mine_sluice: 2", "reach east_bank", "destroy 15%"),
        "millers": row(3, 1, 225, "stands sluice", "together wind_gates", "destroy 27%", "reach east_bank"),
        "eelers": row(3, 1, 315, "falls sluice", "hold toll_house", "done mine_sluice: 2", "destroy 20%"),
    },
    "last_train": {
        "stokers": row(3, 1, 45, "done load_coal x2", "hold station", "survive 16%", "destroy 14%"),
        "guards": row(3, 1, 135, "done sort_mail x2: 2", "reach up_line x2", "destroy 17%"),
        "robbers": row(3, 1, 225, "done crack_safe x3: 2", "reach up_line x2", "destroy 26%"),
        "strikers": row(3, 1, 315, "hold signal_box", "done sort_mail", "destroy 33% of seat 0", "survive 30%"),
    },
    "salt_road": {
        "carriers": row(2, 1, 45, "reach north_gate x2: 2", "survive 3%", "destroy 8%"),
        "bailiffs": row(3, 1, 135, "done weigh_cargo x3: 2", "destroy 34% of seat 0", "hold weigh_house"),
        "diggers": row(3, 1, 315, "done open_sluice x3: 2", "reach crossing x4", "destroy 16%"),
        "wreckers": row(3, 1, 225, "destroy 38%: 2", "done blow_crane", "reach north_gate x2"),
    },
    "kiln_row": {
        "tilers": row(3, 1, 270, "done light_2: 2", "done light_3", "hold kiln_1", "survive 38%", "destroy 39%"),
        "carters": row(3, 1, 180, "done light_3: 2", "done light_4", "hold kiln_2", "survive 20%", "destroy 30%"),
        "founders": row(3, 1, 135, "done light_4: 2", "done light_5", "hold kiln_3", "survive 11%", "destroy 19%"),
        "masons": row(3, 1, 45, "done light_5: 2", "done light_1", "hold kiln_4", "survive 11%", "destroy 25%"),
        "glaziers": row(3, 1, 0, "done light_1: 2", "done light_2", "hold kiln_5", "survive 17%", "destroy 26%"),
    },
    "long_meadow": {
        "drovers": row(2, 1, 20, "reach east_stile 4%: 2", "reach well x2", "survive 42%", "destroy 10%"),
        "pedlars": row(2, 1, 160, "reach west_stile 4%: 2", "together draw_water x2", "survive 7%"),
        "shearers": row(2, 1, 200, "reach west_stile 4%: 2", "destroy 10% of seat 1", "survive 23%", "hold smithy"),
        "mourners": row(2, 1, 270, "reach ford 4%: 2", "together draw_water x2", "destroy 9%"),
        "tinkers": row(2, 1, 340, "reach east_stile 4%: 2", "hold byre", "survive 28%", "destroy 10%"),
    },
    "lantern_fair": {
        "waxmen": row(2, 2, 45, "hold guild_wax", "survive 30%", "destroy 14%"),
        "oilmen": row(2, 2, 90, "hold guild_oil", "survive 3%", "destroy 8%"),
        "wickers": row(2, 2, 135, "hold guild_wick", "survive 26%", "destroy 22%"),
        "glassmen": row(2, 2, 225, "hold guild_glass", "survive 30%", "destroy 20%"),
        "tinmen": row(2, 2, 270, "hold guild_tin", "survive 3%", "destroy 8%"),
        "papermen": row(2, 2, 315, "hold guild_paper", "survive 30%", "destroy 16%"),
    },
    "low_water": {
        "lock_keepers": row(3, 1, 45, "reach silo_west: 2", "survive 32%: 2", "destroy 13%"),
        "engineers": row(3, 1, 90, "done run_pump: 2", "survive 12%", "destroy 15% of seat 4"),
        "breakers": row(3, 1, 135, "done open_east: 2", "reach east_shore x2", "destroy 19%"),
        "heirs": row(3, 1, 225, "hold silo_east: 2", "survive 9%", "destroy 8%"),
        "divers": row(3, 1, 270, "done run_pump: 2", "survive 23%", "destroy 15% of seat 1"),
        "scavengers": row(3, 1, 315, "done open_west: 2", "reach west_shore x2", "survive 25%", "destroy 21%"),
    },
    "marrow": {
        "surgeons": row(3, 1, 45, "together seal_gate", "done seal_gate", "survive 44%", "destroy 18%"),
        "orderlies": row(3, 1, 90, "done ledger_south x2: 2", "reach west_road x2", "survive 47%"),
        "kin": row(3, 1, 135, "done serum_east x2: 2", "reach east_road x2", "destroy 15%"),
        "inspectors": row(3, 1, 225, "together seal_gate", "survive 12%", "hold wing_east", "destroy 15%"),
        "heirs_of_marrow": row(3, 1, 270, "done ledger_north x2: 2", "reach east_road x2", "survive 37%"),
        "quacks": row(5, 1, 315, "done serum_west x2: 3", "reach west_road: 2", "survive 10%"),
    },
}
CARDS: Final = {"first_patrol": CardMix(2, 3, 0)}
"""Cards of each role in place of the faction's own."""
GROUPS: Final = {"first_patrol": 3}
"""The most groups of a faction that take part; in the other scenarios all do."""
ADJUSTED: Final = {("salt_road", "carriers"): (-1, 1, 0)}
"""Single, Double and Triple cards more than the faction's own; all others have those."""
OF_SIX: Final = [(10, 1), (15, 1), (6, 1)]
"""Reserves of each role for five and six, the last group of its force first: rows, and numbers of groups."""
LATE: Final = {
    "last_train": [(3, 1)],
    **dict.fromkeys(("kiln_row", "long_meadow", "lantern_fair", "low_water", "marrow"), OF_SIX),
}
"""Each role's reserves; the other scenarios keep nothing back."""


@cache
def scenarios() -> dict[str, ScenarioEntry]:
    return dict(shipped_content().scenarios)


def name_of(role: RoleEntry) -> str:
    return role.name.removeprefix("role.")


def told(condition: ConditionEntry) -> str:
    words = [condition.kind, condition.feature or condition.zone or condition.special]
    words.append(f"{condition.share}%" if condition.share else f"x{condition.goal}" if condition.goal > 1 else "")
    words.append(f"of seat {condition.seat}" if condition.seat >= 0 else "")
    worth = f": {condition.points}" if condition.points != 1 else ""
    return " ".join(filter(None, words)) + worth


@pytest.mark.rule("AC-SCEN-01")
@pytest.mark.parametrize("id", ROLES)
def test_each_role_wants_what_it_was_given(id: str) -> None:
    roles = scenarios()[id].role
    assert {
        name_of(role): Row(role.win, role.secrets, role.facing, tuple(map(told, role.condition))) for role in roles
    } == ROLES[id]


@pytest.mark.rule("AC-SCEN-01")
@pytest.mark.parametrize("id", ROLES)
def test_what_hinders_and_helps_a_role(id: str) -> None:
    for role in scenarios()[id].role:
        adjusted = (role.adjust.single, role.adjust.double, role.adjust.triple) if role.adjust else (0, 0, 0)
        assert role.cards == CARDS.get(id)
        assert role.groups == GROUPS.get(id)
        assert adjusted == ADJUSTED.get((id, name_of(role)), (0, 0, 0))
        assert [(late.row, late.groups) for late in role.reserve] == LATE.get(id, [])


@pytest.mark.rule("AC-SCEN-01")
def test_every_scenario_has_its_rows() -> None:
    assert scenarios().keys() == ROLES.keys()


@pytest.mark.rule("AC-SCEN-01")
def test_as_many_groups_take_part_as_the_roles_of_the_first_patrol_say() -> None:
    state = system.start(*resolved_scenario("first_patrol"))
    assert Counter(group.owner for group in state.groups.values()) == {0: 3, 1: 3}
    assert not state.aboard
