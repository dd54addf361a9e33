"""Scenarios of TOML by value: a table in each of its forms, with the plan of each seat."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from engine.core.rules.implements import implements
from engine.kit.values import value
from engine.rulesets.apocalypse_earth.content.battle_schema import (
    FormEntry,
    GivenForce,
    LaidEntry,
    ScenarioEntry,
    SideEntry,
)
from engine.rulesets.apocalypse_earth.state.model import Lot, Scenario, SeatPlan
from engine.space.vectors.points import Point

USUAL_AREA: Final = 18_000 * 12_000
"""The table, 180 x 120 cm, for which the pieces of [laid] are counted."""
ALWAYS: Final = frozenset({"woods", "walls", "houses"})
"""Pieces of which every table has one at least."""


class PlayedForm(NamedTuple):
    """A scenario in one of its forms. `id`: that of the scenario and of the form; `given`: for each seat the forces
    that it has, none where it brings its own; `usual`: the faction of each seat where nobody chooses."""

    id: str
    of: str
    scenario: Scenario
    given: tuple[tuple[GivenForce, ...], ...]
    usual: tuple[str, ...]

    @property
    def seats(self) -> int:
        """The number of its seats."""
        return len(self.scenario.seats)


def forms_of(entry: ScenarioEntry, laid: Mapping[str, LaidEntry]) -> Iterator[PlayedForm]:
    """Yield each form of a checked scenario."""
    lots = tuple(lots_of(entry, laid))
    for form in entry.form:
        id = f"{entry.id}:{form.id}" if form.id else entry.id
        forces = {one.id: one for one in entry.force}
        given = tuple([tuple([forces[id] for id in ids]) for ids in form.forces]) or ((),) * len(form.points)
        usual = tuple(form.usual) or ("",) * len(given)
        yield PlayedForm(id, entry.id if form.id else "", _scenario(entry, form, id, lots), given, usual)


@implements("AE-OPEN-30")
def lots_of(entry: ScenarioEntry, laid: Mapping[str, LaidEntry]) -> Iterator[Lot]:
    """Yield what the dice lay: as many of each piece as the scenario says, or as the area of its table asks for; of
    several kinds by turns."""
    for one in laid.values():
        count = scaled(one, entry.size) if entry.standard else entry.laid.get(one.id, 0)
        for number, kind in enumerate(one.kinds):
            share = (count + len(one.kinds) - 1 - number) // len(one.kinds)
            if share:
                yield Lot(kind, share, one.size)


@implements("AE-OPEN-30")
def scaled(laid: LaidEntry, size: Point) -> int:
    """Return how many pieces lie on a table of this size: their number by its area, halves up."""
    count = (2 * laid.count * size[0] * size[1] + USUAL_AREA) // (2 * USUAL_AREA)
    return max(count, 1) if laid.id in ALWAYS else count


def _scenario(entry: ScenarioEntry, form: FormEntry, id: str, lots: tuple[Lot, ...]) -> Scenario:
    chosen = [zone for zone in entry.zones if not form.choose or zone.id in form.choose]
    places = {zone.id: number for number, zone in enumerate(chosen)}
    return value(
        Scenario,
        entry,
        id=id,
        turns=form.turns,
        minutes=form.minutes,
        seats=tuple(_seats(entry, form, places)),
        sides=tuple(form.sides),
        lots=lots,
        zones=tuple(chosen),
    )


def _seats(entry: ScenarioEntry, form: FormEntry, places: Mapping[str, int]) -> Iterator[SeatPlan]:
    """Yield the plan of each seat."""
    forces = {force.id: force for force in entry.force}
    for seat in range(seats_of(form)):
        own = [forces[id] for id in (form.forces[seat] if form.forces else ())]
        points = sum(force.points for force in own) or form.points[seat]
        zone = (form.zones[seat] if form.zones else "") or next((force.zone for force in own), "")
        side = form.sides[seat] if form.sides else seat
        rules = entry.side[side] if entry.side else SideEntry()
        yield SeatPlan(points, places.get(zone, -1), rules.hides, tuple(rules.leaves), tuple(rules.near))


def seats_of(form: FormEntry) -> int:
    """Return the number of seats of a form."""
    return len(form.forces) or len(form.points)
