"""Checks of a scenario beyond the schema: names that it uses, places on its table, what can be won."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.core.content.content_files import ContentFault, used_twice
from engine.core.content.toml_source import Loc
from engine.core.content.unsound import sound
from engine.kit.scenario.references import ids_of, unknown
from engine.kit.terrain.checks import beyond_faults, layout_faults
from engine.rulesets.action_cards.content import playable
from engine.rulesets.action_cards.content.goal_checks import condition_faults, special_faults
from engine.rulesets.action_cards.content.known_names import Known
from engine.rulesets.action_cards.content.schema import MapEntry, RoleEntry, ScenarioEntry
from engine.space.vectors.points import Point

LEAST_SEATS: Final = 2
MOST_SEATS: Final = 6


def scenario_faults(scenario: ScenarioEntry, known: Known) -> Iterator[ContentFault]:
    """Yield everything that is wrong with a scenario."""
    yield from sound(
        _one_table(scenario),
        _seats(scenario),
        _wins(scenario),
        _secrets(scenario),
        _suggestions(scenario, known),
        _mix(scenario, known),
        _laid(scenario, known),
    )


def _mix(scenario: ScenarioEntry, known: Known) -> Iterator[ContentFault]:
    yield from unknown(("scenario", "events"), "event", scenario.events, known.events, blind=known.blind)
    for id in sorted({id for id in scenario.events if scenario.events.count(id) > 1}):
        yield ContentFault(("scenario", "events"), f"{id} is named twice")


def _one_table(scenario: ScenarioEntry) -> Iterator[ContentFault]:
    if bool(scenario.map) == any(scenario.size):
        yield ContentFault(("scenario",), "give the table in one way: a size of its own, or a map")


def _laid(written: ScenarioEntry, known: Known) -> Iterator[ContentFault]:
    """Yield what is wrong with a scenario on its table, where that is known."""
    if written.map:
        yield from unknown(("scenario", "map"), "map", (written.map,), known.maps.keys(), blind=known.blind)
    elif not any(written.size):
        return
    scenario = known.table(written)
    for name in ("feature", "zone"):
        yield from sound(_taken(written, name, known.maps.get(written.map)))
    own = [
        *layout_faults("scenario", written.feature, written.zone, scenario.size, known.kinds, blind=known.blind),
        *[fault for place, role in enumerate(scenario.role) for fault in sound(_starts(place, role, scenario.size))],
    ]
    yield from own
    yield from sound(
        special_faults(("scenario", "special"), scenario.special, scenario),
        *[_role(place, role, scenario) for place, role in enumerate(scenario.role)],
        condition_faults(("scenario", "secret"), scenario.secret, scenario),
        playable.problems(scenario, known.terrain, known.forces, blind=known.blind),
        () if own else _ways(scenario, known),
    )


def _ways(scenario: ScenarioEntry, known: Known) -> Iterator[ContentFault]:
    """Yield the ways that are barred, on a table whose map has no faults."""
    layout = layout_faults("map", scenario.feature, scenario.zone, scenario.size, known.kinds, blind=known.blind)
    if not any(True for _ in layout):
        yield from playable.barred_ways(scenario, known.terrain)


def _taken(written: ScenarioEntry, name: str, table: MapEntry | None) -> Iterator[ContentFault]:
    """Yield the ids of features or zones that the map has, too."""
    taken = {entry.id for entry in getattr(table, name, ())}
    for place, entry in enumerate(getattr(written, name)):
        if entry.id in taken:
            yield ContentFault(("scenario", name, place, "id"), f"the map has {entry.id} already")


def _starts(place: int, role: RoleEntry, size: Point) -> Iterator[ContentFault]:
    """Yield the places of a role that are not on the table."""
    here = ("scenario", "role", place)
    yield from sound(beyond_faults((*here, "start"), role.start, size, "the start zone reaches beyond the table"))
    for number, reserve in enumerate(role.reserve):
        reason = "the place where they come on reaches beyond the table"
        at = (*here, "reserve", number, "start")
        yield from sound(beyond_faults(at, reserve.start or role.start, size, reason))


def _seats(scenario: ScenarioEntry) -> Iterator[ContentFault]:
    if not LEAST_SEATS <= len(scenario.role) <= MOST_SEATS:
        yield ContentFault(("scenario", "role"), f"a scenario has {LEAST_SEATS} to {MOST_SEATS} roles")


def _role(place: int, role: RoleEntry, scenario: ScenarioEntry) -> Iterator[ContentFault]:
    yield from condition_faults(("scenario", "role", place, "condition"), role.condition, scenario)


def _wins(scenario: ScenarioEntry) -> Iterator[ContentFault]:
    for place, role in enumerate(scenario.role):
        yield from sound(_win(("scenario", "role", place, "win"), role, scenario))


def _win(here: Loc, role: RoleEntry, scenario: ScenarioEntry) -> Iterator[ContentFault]:
    reachable = sum(c.points for c in role.condition) + _best_secrets(scenario, role.secrets)
    if reachable < role.win:
        yield ContentFault(here, f"only {reachable} points can be had")


def _secrets(scenario: ScenarioEntry) -> Iterator[ContentFault]:
    conditions = [one for role in scenario.role for one in role.condition] + scenario.secret
    yield from used_twice(("scenario", "secret"), ids_of(conditions))
    if len(scenario.secret) < sum(role.secrets for role in scenario.role):
        yield ContentFault(("scenario", "secret"), "there are fewer secret conditions than the roles are dealt")


def _suggestions(scenario: ScenarioEntry, known: Known) -> Iterator[ContentFault]:
    """Yield problems of a scenario's references to other files: usual factions, terrain that suits vehicles."""
    yield from sound(
        *[_usual(place, role, scenario, known) for place, role in enumerate(scenario.role)],
        *[_suited(key, scenario, known) for key in ("off_road", "road")],
    )


def _usual(place: int, role: RoleEntry, scenario: ScenarioEntry, known: Known) -> Iterator[ContentFault]:
    here = ("scenario", "role", place, "faction")
    if role.faction:
        yield from unknown(here, "faction", (role.faction,), known.factions, blind=known.blind)
    if role.faction and role.faction in [other.faction for other in scenario.role[:place]]:
        yield ContentFault(here, f"{role.faction} is another role's already")


def _suited(key: str, scenario: ScenarioEntry, known: Known) -> Iterator[ContentFault]:
    if key in scenario.travel.model_fields_set:
        suited = getattr(scenario.travel, key)
        yield from unknown(("scenario", "travel", key), "terrain", suited, known.kinds.keys(), blind=known.blind)


def _best_secrets(scenario: ScenarioEntry, count: int) -> int:
    return sum(sorted((secret.points for secret in scenario.secret), reverse=True)[:count])
