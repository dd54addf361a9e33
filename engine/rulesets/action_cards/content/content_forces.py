"""Checks beyond the schema of a faction's organisations, crewed weapons and vehicles."""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.content.content_files import ContentFault
from engine.rulesets.action_cards.content.schema import FactionEntry, FigureEntry, SquadEntry

LONGEST_INCHES = 12


def force_faults(faction: FactionEntry) -> Iterator[ContentFault]:
    """Yield everything that is wrong with them."""
    sizes = {"": faction.size, **{one.id: one.size for one in faction.organisation}}
    if len(sizes) <= len(faction.organisation):
        yield ContentFault(("faction", "organisation"), "an id of an organisation is used twice")
    weapons = {weapon.id for weapon in faction.weapon}
    vehicles = {figure.id for figure in faction.figure if figure.vehicle is not None}
    for place, figure in enumerate(faction.figure):
        for key, reason in (*_gun(figure, weapons), *_vehicle(figure)):
            yield ContentFault(("faction", "figure", place, key), reason)
    for place, squad in enumerate(faction.squad):
        for key, reason in _squad(squad, sizes, vehicles):
            yield ContentFault(("faction", "squad", place, key), reason)
    late = [squad.late is not None for squad in faction.squad]
    if late != sorted(late):
        yield ContentFault(
            ("faction", "squad", late.index(True), "late"), "groups that come late are the last of the force"
        )
    if late and all(late):
        yield ContentFault(("faction", "squad", 0, "late"), "a group that is not late must start")


def _gun(figure: FigureEntry, weapons: set[str]) -> Iterator[tuple[str, str]]:
    if figure.gun and figure.gun not in weapons:
        yield "gun", f"no weapon has the id {figure.gun}"
    if figure.least > figure.crew:
        yield "least", f"a crew of {figure.crew} can never be {figure.least}"


def _vehicle(figure: FigureEntry) -> Iterator[tuple[str, str]]:
    vehicle = figure.vehicle
    if vehicle is None:
        return
    length, width = vehicle.size
    if not 0 < width <= length <= LONGEST_INCHES * 100:
        yield ("vehicle", f"size is length and width: the longer first, more than nothing, at most {LONGEST_INCHES}")
    if vehicle.seats and not vehicle.doors:
        yield "vehicle", "who rides in it needs doors"
    if len(set(vehicle.doors)) < len(vehicle.doors):
        yield "vehicle", "a side has one door"
    if figure.crew > 1 or figure.gun:
        yield "vehicle", "a vehicle is one figure: give it weapons instead of a crew with a gun"


def _squad(squad: SquadEntry, sizes: dict[str, int], vehicles: set[str]) -> Iterator[tuple[str, str]]:
    if squad.organisation not in sizes:
        yield "organisation", f"the faction has no organisation {squad.organisation}"
    elif len(squad.figures) > sizes[squad.organisation]:
        yield "figures", f"a group of {len(squad.figures)} is larger than its {sizes[squad.organisation]}"
    if vehicles.intersection(squad.figures) and len(squad.figures) > 1:
        yield "figures", "a vehicle is a group of its own"
