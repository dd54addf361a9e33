"""Army lists: units, vehicles and support cards, their options, their sums and their faults (AE-OPEN-29)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Final, NamedTuple

from pydantic import Field

from engine.core.content.content_schema import WrittenAs
from engine.core.rules.implements import implements
from engine.kit.lists import page_rules
from engine.kit.lists.page_rules import ListLine
from engine.rulesets.apocalypse_earth.content.armies import Book, Fitted, fitted
from engine.rulesets.apocalypse_earth.state.profiles import HEADQUARTERS, Faction, Profile, SupportCard, UnitProfile
from protocol.text import Text, text

LIMITS: Final = (1000, 350, 500, 525, 600, 700, 1500)
STEP: Final = 25
"""All limits are multiples of it."""
CARD_POINTS: Final = 250
"""A force may have a support card for each full number of so many points."""
SQUADS: Final = (2, 4)
CELL_UNITS: Final = (2, 10)
MOST_COMPANIES: Final = 1
MOST_SMALL: Final = 3
SMALL: Final = 2
"""Figures of a unit that counts as a small one, at most."""
MOST_OPTIONS: Final = 7
MOST_OPTION: Final = 30

Options = Annotated[list[Annotated[int, Field(ge=1, le=MOST_OPTION)]], Field(max_length=MOST_OPTIONS)]


class EarthLine(ListLine, frozen=True, omit_defaults=True):
    """A line of a list: a unit, vehicle or support card. `options`: numbers of what each of it has more, in order."""

    options: Annotated[tuple[int, ...], WrittenAs(Options, lambda given: tuple(sorted(given)))] = ()


ArmyList = page_rules.ArmyList[EarthLine]


class Sums(NamedTuple):
    """Counts of a list against its limits. `halves`: of squads, as two fireteams count as one; `others`:
    specialists and vehicles; `machines`: points of vehicles and of support."""

    points: int = 0
    cards: int = 0
    companies: int = 0
    platoons: int = 0
    cells: int = 0
    units: int = 0
    halves: int = 0
    others: int = 0
    small: int = 0
    machines: int = 0

    @property
    def headquarters(self) -> int:
        """The headquarters that lead squads: those of platoons, or where there are none that of the company."""
        return self.platoons or self.companies

    def plus(self, profile: Profile | None, price: int, times: int = 1) -> Sums:
        """Return the sums with so many of a unit or vehicle more, or (None) of a card, at this price each."""
        unit = profile if isinstance(profile, UnitProfile) else None
        role = unit.role if unit is not None else "card" if profile is None else "vehicle"
        more = Sums(
            points=price,
            cards=role == "card",
            companies=role == "company",
            platoons=role == "platoon",
            cells=role == "cell",
            units=role != "card" and role not in HEADQUARTERS,
            halves={"squad": 2, "fireteam": 1}.get(role, 0),
            others=role in ("specialists", "vehicle"),
            small=unit is not None and len(unit.figures) <= SMALL,
            machines=price if unit is None else 0,
        )
        return Sums(*[own + times * one for own, one in zip(self, more, strict=True)])


def fitted_line(book: Book, faction: Faction, line: EarthLine) -> Fitted | None:
    """Return the unit or vehicle of a line with its options; None for a card, or what the faction does not have."""
    profile = faction.profile(line.unit)
    return None if profile is None else fitted(book, profile, line.options)


def price(book: Book, faction: Faction, line: EarthLine) -> int:
    """Return the price of one of a line, 0 for what the faction does not have."""
    found = fitted_line(book, faction, line)
    if found is not None:
        return found.profile.points
    return book.cards[line.unit].price if line.unit in book.cards else 0


def sums(book: Book, listed: ArmyList) -> Sums:
    """Return the sums over the lines that the faction knows."""
    faction, found = book.factions[listed.army], Sums()
    for line in listed.entries:
        profile = faction.profile(line.unit)
        if profile is not None or line.unit in book.cards:
            found = found.plus(profile, price(book, faction, line), line.count)
    return found


@implements("AE-OPEN-24", "AE-OPEN-29")
def line_faults(book: Book, listed: ArmyList, entry: EarthLine) -> Iterator[tuple[str, Text]]:
    """Yield the faults of a line, each with the key of what is wrong."""
    faction = book.factions[listed.army]
    match fitted_line(book, faction, entry), book.cards.get(entry.unit):
        case Fitted(profile, refused), _:
            for number in refused:
                yield "options", text("ae.list.no-option", unit=Text(profile.name), number=number)
        case None, SupportCard(name=name) if entry.unit not in faction.support:
            yield "unit", text("ae.list.no-card", card=Text(name), army=Text(faction.name))
        case None, SupportCard():
            for number in entry.options:
                yield "options", text("ae.list.no-option", unit=entry.unit, number=number)
        case _:
            yield "unit", text("ae.list.no-unit", unit=entry.unit, army=Text(faction.name))


def composition(book: Book, listed: ArmyList) -> Iterator[Text]:
    """Yield what a list has too much or too little of."""
    return breaches(listed.limit, sums(book, listed))


@implements("AE-OPEN-29")
def breaches(limit: int, s: Sums) -> Iterator[Text]:
    """Yield what a force has too much or too little of."""
    if s.points > limit:
        yield text("ae.list.points", points=s.points, limit=limit, over=s.points - limit)
    if s.cards > s.points // CARD_POINTS:
        yield text("ae.list.cards", cards=s.cards, most=s.points // CARD_POINTS, each=CARD_POINTS)
    if s.companies > MOST_COMPANIES:
        yield text("ae.list.companies", companies=s.companies)
    if s.cells:
        least, most = CELL_UNITS
        if not least * s.cells <= s.units <= most * s.cells:
            yield text("ae.list.cells", cells=s.cells, units=s.units, least=least * s.cells, most=most * s.cells)
    elif not s.headquarters:
        yield text("ae.list.no-headquarters")
    else:
        least, most = SQUADS[0] * s.headquarters, SQUADS[1] * s.headquarters
        if not 2 * least <= s.halves <= 2 * most:
            squads = text("ae.list.halves" if s.halves % 2 else "ae.list.wholes", squads=s.halves // 2)
            yield text("ae.list.squads", headquarters=s.headquarters, squads=squads, least=least, most=most)
    if 2 * s.others > s.halves:
        yield text("ae.list.others", others=s.others, most=s.halves // 2)
    if s.small > MOST_SMALL:
        yield text("ae.list.small", small=s.small, most=MOST_SMALL)
    if 2 * s.machines > s.points:
        yield text("ae.list.machines", machines=s.machines, most=s.points // 2)
