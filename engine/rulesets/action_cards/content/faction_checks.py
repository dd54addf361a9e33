"""Checks of a faction beyond the schema: names of its own parts, size, organisations, crewed weapons, vehicles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.core.content.content_files import ContentFault, used_twice
from engine.core.content.toml_source import Loc
from engine.core.content.unsound import sound
from engine.kit.scenario.references import ids_of, unknown
from engine.rulesets.action_cards.content.goal_checks import special_faults
from engine.rulesets.action_cards.content.known_names import force_of
from engine.rulesets.action_cards.content.schema import FactionEntry, FigureEntry, SquadEntry
from engine.rulesets.action_cards.text.texts import ENGLISH
from protocol import near_names

MOST_FIGURES: Final = 60
LONGEST_INCHES: Final = 12
TRAIT: Final = "trait."
"""Beginning of the catalogue keys of traits."""


def faction_faults(faction: FactionEntry) -> Iterator[ContentFault]:
    """Yield everything that is wrong with a faction."""
    yield from sound(
        used_twice(("faction", "weapon"), ids_of(faction.weapon)),
        used_twice(("faction", "figure"), ids_of(faction.figure)),
        special_faults(("faction", "special"), faction.special, None),
        _figures(faction),
        *[_squad(("faction", "squad", place, "figures"), squad, faction) for place, squad in enumerate(faction.squad)],
        _traits(faction),
        _size(faction),
        _organised(faction),
    )


def _figures(faction: FactionEntry) -> Iterator[ContentFault]:
    for place, figure in enumerate(faction.figure):
        yield from sound(_armed(place, figure, faction), _based(place, figure))


def _armed(place: int, figure: FigureEntry, faction: FactionEntry) -> Iterator[ContentFault]:
    weapons = {weapon.id for weapon in faction.weapon}
    yield from unknown(("faction", "figure", place, "weapons"), "weapon", figure.weapons, weapons)


def _based(place: int, figure: FigureEntry) -> Iterator[ContentFault]:
    if figure.base <= 0:
        yield ContentFault(("faction", "figure", place, "base"), "a base is wider than nothing")


def _squad(here: Loc, squad: SquadEntry, faction: FactionEntry) -> Iterator[ContentFault]:
    figures = {figure.id: figure for figure in faction.figure}
    yield from unknown(here, "figure", squad.figures, figures.keys())
    for id, figure in figures.items():
        if squad.figures.count(id) % figure.crew:
            yield ContentFault(here, f"{id} stand {figure.crew} to a base: name them so many at a time")


def _traits(faction: FactionEntry) -> Iterator[ContentFault]:
    known = [key.removeprefix(TRAIT) for key in ENGLISH if key.startswith(TRAIT)]
    for place, trait in enumerate(faction.traits):
        if trait not in known:
            here = ("faction", "traits", place)
            yield ContentFault(here, f"no trait is called {trait}{near_names.meant(trait, known)}")


def _size(faction: FactionEntry) -> Iterator[ContentFault]:
    if not faction.squad:
        yield ContentFault(("faction", "squad"), "a faction needs at least one squad")
    _, figures_in_all = next(force_of(faction))
    if figures_in_all > MOST_FIGURES:
        yield ContentFault(("faction", "squad"), f"a force of {figures_in_all} figures: {MOST_FIGURES} at most")


def _organised(faction: FactionEntry) -> Iterator[ContentFault]:
    sizes = {"": faction.size, **{one.id: one.size for one in faction.organisation}}
    if len(sizes) <= len(faction.organisation):
        yield ContentFault(("faction", "organisation"), "an id of an organisation is used twice")
    weapons = {weapon.id for weapon in faction.weapon}
    vehicles = {figure.id for figure in faction.figure if figure.vehicle is not None}
    for place, figure in enumerate(faction.figure):
        for key, reason in (*_gun(figure, weapons), *_vehicle(figure)):
            yield ContentFault(("faction", "figure", place, key), reason)
    for place, squad in enumerate(faction.squad):
        for key, reason in _group(squad, sizes, vehicles):
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


def _group(squad: SquadEntry, sizes: dict[str, int], vehicles: set[str]) -> Iterator[tuple[str, str]]:
    if squad.organisation not in sizes:
        yield "organisation", f"the faction has no organisation {squad.organisation}"
    elif len(squad.figures) > sizes[squad.organisation]:
        yield "figures", f"a group of {len(squad.figures)} is larger than its {sizes[squad.organisation]}"
    if vehicles.intersection(squad.figures) and len(squad.figures) > 1:
        yield "figures", "a vehicle is a group of its own"
