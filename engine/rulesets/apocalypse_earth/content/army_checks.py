"""Checks of army lists and tables beyond the schema: names of one another, sizes of units, prices by their sums."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from functools import partial
from typing import NamedTuple

from engine.core.content.content_files import ContentFault, Unread, defined_twice, used_twice
from engine.core.content.toml_source import Loc
from engine.core.rules.implements import implements
from engine.kit.lists.page_checks import row_faults, stray_faults
from engine.kit.lists.price_checks import price_faults
from engine.kit.scenario.references import not_among, own_ids, unknown
from engine.rulesets.apocalypse_earth.content.armies import worth_of
from engine.rulesets.apocalypse_earth.content.army_schema import ArmsDocument, UnitEntry, VehicleEntry
from engine.rulesets.apocalypse_earth.content.prices import Worth
from engine.rulesets.apocalypse_earth.state.model import Options
from engine.rulesets.apocalypse_earth.state.profiles import GUERRILLA, NULL, QUARTERS

TABLES = ("weapon", "ability", "class_", "trait", "damage", "power")
PAGE = ("cards", "page", "motor_pool", "ready")
SIZES = {"squad": (6, 10), "fireteam": (3, 4)}
LOOSEST = (1, 10)


class Known(NamedTuple):
    """Names that all files define. `blind`: some could not be read, so that unknown names are no faults."""

    worth: Worth
    classes: Set[str]
    damage: Set[str]
    cards: Set[str]
    blind: bool

    def lacks(self, loc: Loc, what: str, names: Iterator[str] | list[str], known: Set[str]) -> Iterator[ContentFault]:
        """Yield a fault for each name that is surely unknown."""
        return unknown(loc, what, names, known, blind=self.blind)

    @property
    def gear(self) -> Set[str]:
        """The ids of weapons and abilities."""
        return self.worth.weapons.keys() | self.worth.abilities.keys()


@implements("AE-OPEN-01")
def complaints(documents: Mapping[str, ArmsDocument], unread: Unread) -> Iterator[tuple[str, ContentFault]]:
    """Yield everything that is wrong with these files, by file."""
    every = list(documents.values())
    cards = {card.id for one in every for card in one.support}
    classes = {id for one in every for id in one.class_}
    damage = {id for one in every for id in one.damage}
    known = Known(worth_of(every), classes, damage, cards, bool(unread))
    for file, document in documents.items():
        for fault in (*_tables(document, known), *_page(document, known)):
            yield file, fault
    yield from defined_twice({file: _ids(document) for file, document in documents.items()})


def _ids(document: ArmsDocument) -> Iterator[tuple[Loc, str]]:
    yield from own_ids(document, *TABLES)
    for place, card in enumerate(document.support):
        yield ("support", "card", place, "id"), card.id
    if document.faction is not None:
        yield ("faction", "id"), document.faction.id
        yield ("faction", "code"), document.faction.code


def _tables(document: ArmsDocument, known: Known) -> Iterator[ContentFault]:
    for id, one in document.class_.items():
        for quarter in QUARTERS:
            yield from known.lacks(("class", id, quarter), "damage", list(getattr(one, quarter)), known.damage)
    for id, code in document.damage.items():
        yield from known.lacks(("damage", id, "again"), "damage", [code.again] if code.again else [], known.damage)
    for id, power in document.power.items():
        yield from not_among(("power", id, "option"), power.option, ("", *Options.__struct_fields__))
    yield from used_twice(("support", "card"), [card.id for card in document.support])
    yield from used_twice(("options", "row"), [str(option.number) for option in document.options], "number")
    for place, option in enumerate(document.options):
        weapons = [id for id in (option.adds, option.drops, option.bearer) if id]
        here = ("options", "row", place)
        yield from known.lacks(here, "weapon", weapons, known.worth.weapons.keys())
        yield from known.lacks(here, "trait", [option.trait] if option.trait else [], known.worth.traits.keys())
        if bool(option.adds) == bool(option.trait):
            yield ContentFault(here, "an option adds either a weapon or a trait")


def _page(document: ArmsDocument, known: Known) -> Iterator[ContentFault]:
    faction = document.faction
    if faction is None:
        yield from stray_faults(document, PAGE, "an army list: its [faction]")
        return
    known = known._replace(worth=known.worth._replace(rate=faction.rate))
    if not document.page:
        yield ContentFault(("page",), "an army list needs units: [[page.unit]]")
    yield from row_faults(("page", "unit"), document.page, faction.code)
    yield from row_faults(("motor_pool", "vehicle"), document.motor_pool, faction.code)
    for number, unit in enumerate(document.page):
        yield from unit_faults(("page", "unit", number), unit, known)
    for number, vehicle in enumerate(document.motor_pool):
        yield from _vehicle(("motor_pool", "vehicle", number), vehicle, known)
    if document.cards is not None:
        yield from known.lacks(("cards", "ids"), "support card", document.cards.ids, known.cards)
    yield from _ready(document, known)


@implements("AE-COH-01")
def unit_faults(here: Loc, unit: UnitEntry, known: Known) -> Iterator[ContentFault]:
    """Yield what is wrong with a unit: what nothing defines, its size and part in a force, its price."""
    gear = [id for rank in unit.figures for id in rank.gear]
    missing = [
        *known.lacks((*here, "figures"), "weapon or ability", gear, known.gear),
        *known.lacks((*here, "abilities"), "ability", unit.abilities, known.worth.abilities.keys()),
    ]
    yield from missing
    figures = sum(rank.times for rank in unit.figures)
    least, most = LOOSEST if GUERRILLA in unit.abilities else SIZES.get(unit.role, LOOSEST)
    if not least <= figures <= most:
        yield ContentFault((*here, "figures"), f"a {unit.role} has {least} to {most} figures, not {figures}")
    if unit.teams and sorted(number for team in unit.teams for number in team) != list(range(1, figures + 1)):
        yield ContentFault((*here, "teams"), f"the teams name each figure from 1 to {figures} once")
    if unit.role in SIZES and any(id.startswith("psi_") or id == NULL for id in (*gear, *unit.abilities)):
        yield ContentFault((*here, "role"), "a unit with a Psi or Null ability is of specialists")
    if not missing:
        yield from price_faults((*here, "points"), unit.points, partial(_sum, unit, known.worth), blind=known.blind)


def _sum(unit: UnitEntry, worth: Worth) -> tuple[int, str]:
    points = worth.of_unit(unit)
    return points, f"{points} of it"


def _vehicle(here: Loc, vehicle: VehicleEntry, known: Known) -> Iterator[ContentFault]:
    missing = [
        *known.lacks((*here, "kind"), "class", [vehicle.kind], known.classes),
        *known.lacks((*here, "weapons"), "weapon", vehicle.weapons, known.worth.weapons.keys()),
        *known.lacks((*here, "traits"), "trait", vehicle.traits, known.worth.traits.keys()),
    ]
    yield from missing
    if not missing:
        price = partial(_vehicle_sum, vehicle, known.worth)
        yield from price_faults((*here, "points"), vehicle.points, price, blind=known.blind)


def _vehicle_sum(vehicle: VehicleEntry, worth: Worth) -> tuple[int, str]:
    points = worth.of_vehicle(vehicle)
    return points, f"{points} of it"


def _ready(document: ArmsDocument, known: Known) -> Iterator[ContentFault]:
    units = {unit.id for unit in document.page} | {vehicle.id for vehicle in document.motor_pool} | known.cards
    for place, ready in enumerate(document.ready):
        yield from known.lacks(("ready", "list", place, "units"), "unit", [one.id for one in ready.units], units)
