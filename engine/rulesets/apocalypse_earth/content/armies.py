"""Army lists of TOML pages, by value: units, vehicles and what they may have more, and all that is installed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import chain
from typing import NamedTuple, TypeVar

from msgspec.structs import replace

from engine.core.content.content_schema import paragraphs
from engine.core.rules.implements import implements
from engine.kit.values import value
from engine.rulesets.apocalypse_earth.content import army_schema as schema
from engine.rulesets.apocalypse_earth.content.army_schema import ArmsDocument, UnitEntry, UnitOption, VehicleEntry
from engine.rulesets.apocalypse_earth.content.prices import Worth
from engine.rulesets.apocalypse_earth.state import profiles
from engine.rulesets.apocalypse_earth.state.profiles import Faction, FigureProfile, Profile, UnitProfile, VehicleProfile

N = TypeVar("N", UnitEntry, VehicleEntry)
V = TypeVar("V", bound=Profile)


class Book(NamedTuple):
    """All that is installed, by id. `options`: what units may have more, by number; `ready`: the ready lists of each
    faction by size."""

    factions: Mapping[str, Faction]
    worth: Worth
    classes: Mapping[str, profiles.VehicleClass]
    damage: Mapping[str, profiles.DamageCode]
    cards: Mapping[str, profiles.SupportCard]
    powers: Mapping[str, profiles.Power]
    options: Mapping[int, UnitOption]
    ready: Mapping[str, Mapping[int, tuple[schema.Several, ...]]]

    def added_by(self, number: int) -> profiles.Weapon | profiles.VehicleTrait:
        """Return the weapon or the trait that an option adds."""
        row = self.options[number]
        return self.worth.traits[row.trait] if row.trait else self.worth.weapons[row.adds]


def worth_of(documents: Iterable[ArmsDocument]) -> Worth:
    """Return everything that has a price in these files; what is missing is absent."""
    found = Worth({}, {}, {}, {}, {})
    for one in documents:
        found = found._replace(
            weapons={**found.weapons, **one.weapon},
            abilities={**found.abilities, **one.ability},
            traits={**found.traits, **one.trait},
        )
        if one.points is not None:
            found = found._replace(figure=one.points.figure, crew=one.points.crew)
    return found


def book_of(documents: Iterable[ArmsDocument]) -> Book:
    """Build the book of files that have been checked."""
    found = list(documents)
    worth = worth_of(found)
    classes = {id: one for document in found for id, one in document.class_.items()}
    pages = [(document.faction, document) for document in found if document.faction is not None]
    return Book(
        {faction.id: _faction(faction, document, worth, classes) for faction, document in pages},
        worth,
        classes,
        {id: code for document in found for id, code in document.damage.items()},
        {card.id: card for document in found for card in document.support},
        {id: power for document in found for id, power in document.power.items()},
        {option.number: option for document in found for option in document.options},
        {faction.id: {one.limit: tuple(one.units) for one in document.ready} for faction, document in pages},
    )


def _faction(
    entry: schema.FactionEntry, page: ArmsDocument, worth: Worth, classes: Mapping[str, profiles.VehicleClass]
) -> Faction:
    own = worth._replace(rate=entry.rate)
    return value(
        Faction,
        entry,
        units=_made(page.page, lambda unit: unit_of(unit, own)),
        vehicles=_made(page.motor_pool, lambda vehicle: vehicle_of(vehicle, own, classes)),
        support=tuple(page.cards.ids) if page.cards is not None else (),
        lines=paragraphs(entry.about),
    )


def _made(entries: Iterable[N], make: Callable[[N], V]) -> dict[str, V]:
    """Return what the entries of a page make, by id, without those that name what no rule in force defines."""
    made: dict[str, V] = {}
    for entry in entries:
        with suppress(KeyError):
            made[entry.id] = make(entry)
    return made


def unit_of(entry: UnitEntry, worth: Worth) -> UnitProfile:
    """Return a unit by value, its figures priced by the sums and its faction. Raises KeyError for gear that nothing
    defines."""
    ranks = [[_figure(entry, rank.name, rank.gear, worth)] * rank.times for rank in entry.figures]
    figures = tuple(chain.from_iterable(ranks))
    teams = tuple([tuple([number - 1 for number in team]) for team in entry.teams])
    return value(UnitProfile, entry, figures=figures, teams=teams)


def _figure(entry: UnitEntry, name: str, gear: Iterable[str], worth: Worth) -> FigureProfile:
    carried = (*gear, *entry.abilities)
    abilities = tuple([id for id in carried if id in worth.abilities])
    psi = max((worth.abilities[id].psi for id in abilities), default=0)
    # rounded down, so that the figures of a unit never cost more than it
    points = worth.of_figure(entry, gear) * worth.rate // schema.FULL
    return FigureProfile(name, tuple([id for id in carried if id in worth.weapons]), abilities, psi, points)


def vehicle_of(entry: VehicleEntry, worth: Worth, classes: Mapping[str, profiles.VehicleClass]) -> VehicleProfile:
    """Return a vehicle by value. Raises KeyError for what nothing defines."""
    length, width = entry.size or classes[entry.kind].size
    psi = max((worth.traits[id].psi for id in entry.traits), default=0)
    return value(VehicleProfile, entry, length=length, width=width, psi=psi)


class Fitted(NamedTuple):
    """A unit or vehicle with its options, and the numbers of those that nobody in it may have."""

    profile: Profile
    refused: tuple[int, ...] = ()


@implements("AE-OPEN-06")
def fitted(book: Book, profile: Profile, numbers: Iterable[int]) -> Fitted:
    """Return a unit with these options at the difference in price: each figure takes at most one, each unit each option
    once; of several figures that may, the last takes it."""
    refused: list[int] = []
    taken: set[int] = set()
    had: list[int] = []
    for number in numbers:
        option = book.options.get(number)
        if option is None or number in had:
            refused.append(number)
            continue
        had.append(number)
        if isinstance(profile, VehicleProfile):
            better: Profile | None = _with_trait(book, profile, option)
        else:
            place = next((place for place in _bearers(profile, option) if place not in taken), None)
            better = None if place is None else _with_weapon(book, profile, option, place)
            taken |= set() if place is None else {place}
        refused += [number] if better is None else []
        profile = better or profile
    return Fitted(profile, tuple(refused))


def option_price(book: Book, option: UnitOption) -> int:
    """Return the difference in price that an option makes."""
    dropped = book.worth.weapons[option.drops].price if option.drops else 0
    return book.added_by(option.number).price - dropped


def options_for(book: Book, profile: Profile) -> Iterator[UnitOption]:
    """Yield the options that a unit or vehicle may have, each taken alone."""
    return (option for option in book.options.values() if not fitted(book, profile, (option.number,)).refused)


def _bearers(unit: UnitProfile, option: UnitOption) -> list[int]:
    """Return the places of figures that may take an option, the last first."""
    if option.trait or (option.roles and unit.role not in option.roles):
        return []
    common = set.intersection(*(set(figure.abilities) for figure in unit.figures))
    return [
        place
        for place in range(len(unit.figures) - 1, -1, -1)
        if (not option.bearer or option.bearer in unit.figures[place].weapons)
        and option.adds not in unit.figures[place].weapons
        and (option.anybody or set(unit.figures[place].abilities) == common)
    ]


def _with_weapon(book: Book, unit: UnitProfile, option: UnitOption, place: int) -> UnitProfile:
    figure, more = unit.figures[place], option_price(book, option)
    weapons = (*[id for id in figure.weapons if id != option.drops], option.adds)
    better = replace(figure, weapons=weapons, points=figure.points + more)
    figures = (*unit.figures[:place], better, *unit.figures[place + 1 :])
    return replace(unit, figures=figures, points=unit.points + more)


def _with_trait(book: Book, vehicle: VehicleProfile, option: UnitOption) -> VehicleProfile | None:
    if not option.trait or vehicle.has(option.trait):
        return None
    points = vehicle.points + option_price(book, option)
    return replace(vehicle, traits=(*vehicle.traits, option.trait), points=points)
