"""Forms of a scenario: in sides, or for fewer players; and the groups that come late at a table of so many."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from engine.core.rules.implements import implements
from engine.rulesets.action_cards.content.schema import FIRST_LATE_ROW, ConditionEntry, RoleEntry, ScenarioEntry
from engine.rulesets.action_cards.state.model import Faction, Reserve

LEAST: Final = 2
WIDE: Final = 4
"""From so many players on a match has the same number of rows: as many cards are drawn as there are factions."""
MARK: Final = ":"
"""Between a scenario's id and the form that is not its own; no id of a scenario holds one."""
IN_SIDES: Final = "sides"


def forms_of(scenario: ScenarioEntry) -> Iterator[tuple[str, ScenarioEntry]]:
    """Yield the other forms of a scenario by id: in sides, then for fewer players, the largest first."""
    if scenario.sides:
        yield f"{scenario.id}{MARK}{IN_SIDES}", scenario
    for seats in range(len(scenario.role) - 1, LEAST - 1, -1):
        yield f"{scenario.id}{MARK}{seats}", for_seats(scenario, seats)


def find(scenarios: Mapping[str, ScenarioEntry], id: str) -> ScenarioEntry | None:
    """Return the scenario of this id, whole, in sides or for fewer players; None without one."""
    plain, mark, form = id.partition(MARK)
    scenario = scenarios.get(plain)
    if scenario is None:
        return None
    return dict(forms_of(scenario)).get(f"{plain}{MARK}{form}") if mark else each_alone(scenario)


def each_alone(scenario: ScenarioEntry) -> ScenarioEntry:
    """Return the scenario without sides."""
    return scenario.model_copy(update={"sides": []}) if scenario.sides else scenario


@implements("AC-SCEN-01", "AC-SETUP-01")
def for_seats(scenario: ScenarioEntry, seats: int) -> ScenarioEntry:
    """Return the scenario for so many players: roles taken evenly round the table, and the time that they need."""
    kept = [seat * len(scenario.role) // seats for seat in range(seats)]
    roles = [_fitted(scenario.role[old], new, kept, len(scenario.role)) for new, old in enumerate(kept)]
    minutes = max(1, scenario.minutes * seats // len(scenario.role))
    secrets = [_about(condition, -1, kept, len(scenario.role)) for condition in scenario.secret]
    return scenario.model_copy(update={"role": roles, "secret": secrets, "minutes": minutes, "sides": []})


def _fitted(role: RoleEntry, seat: int, kept: list[int], count: int) -> RoleEntry:
    conditions = [_about(c, seat, kept, count) for c in role.condition]
    reserves = [one.model_copy(update={"row": scaled_row(one.row, len(kept), count)}) for one in role.reserve]
    return role.model_copy(update={"condition": conditions, "reserve": reserves})


@implements("AC-SCEN-01")
def scaled_row(row: int, seats: int, count: int) -> int:
    """Return the row that is as far on with so many players as `row` is with `count`: below four, rows are fewer."""
    return max(FIRST_LATE_ROW, row * min(seats, WIDE) // min(count, WIDE))


def _about(condition: ConditionEntry, seat: int, kept: list[int], count: int) -> ConditionEntry:
    """Return a condition about another role with that one's new seat, or with the next one that is played."""
    if condition.seat < 0:
        return condition
    order = [(condition.seat + step) % count for step in range(count)]
    rival = next(kept.index(old) for old in order if old in kept and kept.index(old) != seat)
    return condition.model_copy(update={"seat": rival})


LEAST_AT_START: Final = 2
"""Groups on the table from the start, of a force that has them, however many a role keeps back."""


@implements("AC-SCEN-01", "AC-FACT-01")
def reserves_of(role: RoleEntry, faction: Faction, seats: int) -> tuple[Reserve, ...]:
    """Return the reserves of a role where this faction plays it, at a table of so many seats.

    The last groups of the force come as the role says, in the order in which it says so. Late groups of the faction
    beyond these come with their own rows, where the role starts.
    """
    return tuple(_reserves(role, faction, seats))


def _reserves(role: RoleEntry, faction: Faction, seats: int) -> Iterator[Reserve]:
    left = max(len(faction.late), len(faction.force) - LEAST_AT_START)
    spare = len(faction.late)
    for one in role.reserve:
        groups = min(one.groups, left)
        left, spare = left - groups, spare - groups
        if groups:
            yield Reserve(one.row, groups, one.start or role.start)
    for row in reversed(faction.late[: max(0, spare)]):
        yield Reserve(scaled_row(row, seats, WIDE), 1, role.start)
