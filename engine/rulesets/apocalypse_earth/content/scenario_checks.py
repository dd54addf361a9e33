"""Checks of terrain and scenarios beyond the schema: what exists, lies on the table, and makes a fair game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from engine.core.content.content_files import ContentFault, Unread, defined_twice, used_twice
from engine.core.content.toml_source import Loc
from engine.core.rules.implements import implements
from engine.kit.scenario.references import is_blind, own_ids, unknown
from engine.kit.scenario.seats import seat_faults
from engine.kit.terrain.checks import barrier_kinds, on_table, outline_faults, outlined_faults
from engine.rulesets.apocalypse_earth.content.battle_schema import BattleDocument, FormEntry, LaidEntry, ScenarioEntry
from engine.rulesets.apocalypse_earth.content.scenarios import lots_of, seats_of
from engine.rulesets.apocalypse_earth.state.model import INFANTRY

FIELD: Final = 3000
"""AE-OPEN-30: a piece lies in a field so wide and deep."""


Prices = Mapping[str, Mapping[str, int]]
"""The points of all units and vehicles by faction and id."""


def complaints(
    documents: Mapping[str, BattleDocument], unread: Unread, prices: Prices
) -> Iterator[tuple[str, ContentFault]]:
    """Yield everything that is wrong with these files, by file."""
    lines = barrier_kinds(documents.values(), unread)
    laid = {row.id: row for document in documents.values() for row in document.laid}
    known = None if unread else prices
    for file, document in documents.items():
        yield from ((file, fault) for fault in _document(document, lines, laid, known, blind=is_blind(unread)))
    yield from defined_twice({file: own_ids(one, "terrain", "scenario") for file, one in documents.items()})


def _document(
    own: BattleDocument, lines: Mapping[str, bool], laid: Mapping[str, LaidEntry], prices: Prices | None, *, blind: bool
) -> Iterator[ContentFault]:
    kinds, scenario = lines.keys(), own.scenario
    for id, kind in own.terrain.items():
        yield from unknown(("terrain", id, "ruin"), "terrain", [kind.ruin] if kind.ruin else [], kinds, blind=blind)
    for place, row in enumerate(own.laid):
        yield from unknown(("laid", "lot", place, "kinds"), "terrain", row.kinds, kinds, blind=blind)
    if scenario is not None:
        yield from _table(scenario, lines, blind=blind)
        yield from _names(scenario, blind=blind)
        yield from _forces(scenario, prices) if prices is not None else ()
        for place, form in enumerate(scenario.form):
            yield from _form(("scenario", "form", place), scenario, form)
        yield from _laid(scenario, laid) if laid else ()


def _table(entry: ScenarioEntry, lines: Mapping[str, bool], *, blind: bool) -> Iterator[ContentFault]:
    yield from outlined_faults(("scenario", "feature"), entry.features, entry.size, lines, blind=blind)
    for place, zone in enumerate(entry.zones):
        yield from outline_faults(("scenario", "zone", place, "outline"), zone.outline, line=False)
    shapes = [(("zone", n, "outline"), one.outline) for n, one in enumerate(entry.zones)]
    shapes += [(("prize", n, "outline"), one.outline) for n, one in enumerate(entry.prizes) if one.outline]
    shapes += [(("objective", n, "at"), (one.at,)) for n, one in enumerate(entry.objectives)]
    for loc, outline in shapes:
        if not on_table(outline, entry.size):
            yield ContentFault(("scenario", *loc), "reaches beyond the table")


def _names(entry: ScenarioEntry, *, blind: bool) -> Iterator[ContentFault]:
    """Yield names within a scenario that nothing in it has."""
    zones, features = {zone.id for zone in entry.zones}, {feature.id for feature in entry.features}
    units = {one.id for force in entry.force for one in force.units} | {INFANTRY}
    for table in ("zones", "objectives", "prizes", "force", "form"):
        yield from used_twice(("scenario", table.removesuffix("s")), [one.id for one in getattr(entry, table)])
    for place, prize in enumerate(entry.prizes):
        here = ("scenario", "prize", place)
        yield from unknown((*here, "features"), "feature", prize.features, features)
        yield from unknown((*here, "units"), "unit of the forces", prize.units, units)
        if (prize.what == "home") != bool(prize.outline):
            yield ContentFault((*here, "outline"), "units come home to a place, and for nothing else is one given")
    for place, force in enumerate(entry.force):
        yield from unknown(("scenario", "force", place, "zone"), "zone", [force.zone], zones)
    for place, side in enumerate(entry.side):
        yield from unknown(("scenario", "side", place, "near"), "feature", side.near, features)
        if len(side.leaves) == 1:
            yield ContentFault(("scenario", "side", place, "leaves"), "a stretch of the edge has two ends")
    for place, form in enumerate(entry.form):
        here = ("scenario", "form", place)
        yield from unknown((*here, "choose"), "zone", form.choose, zones)
        yield from unknown((*here, "zones"), "zone", [id for id in form.zones if id], zones)
        zone_of = {force.id: force.zone for force in entry.force}
        for seat, ids in enumerate(form.forces):
            if len({zone_of.get(id) for id in ids}) > 1 and not (form.zones and form.zones[seat]):
                yield ContentFault((*here, "zones"), f"the forces of seat {seat} have several zones: name one for it")
        named = [id for ids in form.forces for id in ids]
        yield from unknown((*here, "forces"), "force", named, {force.id for force in entry.force})


def _forces(entry: ScenarioEntry, prices: Prices) -> Iterator[ContentFault]:
    """Yield forces with units that their faction does not have, or with other points than theirs."""
    for place, force in enumerate(entry.force):
        here = ("scenario", "force", place)
        known = prices.get(force.faction)
        if known is None:
            yield ContentFault((*here, "faction"), f"no faction has the id {force.faction}")
            continue
        named = [one.id for one in force.units]
        missing = [*unknown((*here, "units"), f"unit of {force.faction}", named, known.keys())]
        yield from missing
        points = sum(one.times * known.get(one.id, 0) for one in force.units)
        if not missing and points != force.points:
            yield ContentFault((*here, "points"), f"its units make {points}")


@implements("AE-SEAT-01", "AE-SEAT-05")
def _form(here: Loc, entry: ScenarioEntry, form: FormEntry) -> Iterator[ContentFault]:
    """Yield what keeps a form from being a game: two sides of one to three seats each, or three to six for themselves,
    of equal points where they bring their forces."""
    seats = seats_of(form)
    for key in ("sides", "points", "forces", "zones", "usual"):
        given: Sequence[object] = getattr(form, key)
        if given and len(given) != seats:
            yield ContentFault((*here, key), f"is given for {len(given)} seats, of {seats}")
            return
    yield from seat_faults(here, seats, form.sides, form.points)
    if form.choose and len(form.choose) < seats:
        yield ContentFault((*here, "choose"), f"{seats} seats choose among {len(form.choose)} zones")
    sides = set(form.sides) or set(range(seats))
    for key, named in (("deploys", entry.deploys), ("first", [entry.first] if entry.first >= 0 else [])):
        if not set(named) <= sides:
            yield ContentFault(("scenario", key), "names a side that no seat has")


def _laid(entry: ScenarioEntry, laid: Mapping[str, LaidEntry]) -> Iterator[ContentFault]:
    yield from unknown(("scenario", "laid"), "piece that dice lay", entry.laid, laid.keys())
    if entry.standard and entry.laid:
        yield ContentFault(("scenario", "laid"), "a table is laid as usual, or with so many of each")
    fields = (entry.size[0] // FIELD) * (entry.size[1] // FIELD)
    if sum(lot.count for lot in lots_of(entry, laid)) > fields:
        yield ContentFault(("scenario", "size"), f"there is room for {fields} pieces that dice lay")
