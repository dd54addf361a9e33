"""Army lists of this system: what the kit asks about them (engine/kit/lists/page_rules.py), and forces made of them.

A line of a code has the number of its unit (a vehicle's from 100 on, a card's from 200), its count, how many options,
and the numbers of those.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from msgspec.structs import replace

from engine.core.rules.implements import implements
from engine.kit.lists.codes import bounded
from engine.kit.lists.list_texts import document_of, sound
from engine.kit.lists.name_rows import names_of
from engine.kit.lists.page_lists import PageLists
from engine.kit.lists.page_rules import MOST_COUNT, FactionPage
from engine.rulesets.apocalypse_earth.content import builder, lists, random_lists
from engine.rulesets.apocalypse_earth.content.armies import Book
from engine.rulesets.apocalypse_earth.content.lists import ArmyList, EarthLine, fitted_line, price, sums
from engine.rulesets.apocalypse_earth.state.profiles import Faction, Force, Profile
from engine.rulesets.apocalypse_earth.text.texts import ARMY_LISTS
from protocol.text import Text, text

VEHICLES: Final = 100
CARDS: Final = 200


class EarthLists(PageLists[Book, EarthLine]):
    """The ArmyLists of this system (engine/core/rules/army_lists.py); `content` is a Book, or has one as `book`."""

    limits, words, english, step = lists.LIMITS, "ae.", ARMY_LISTS, lists.STEP
    document = document_of(EarthLine, lists.STEP)

    line_faults = staticmethod(lists.line_faults)
    composition = staticmethod(lists.composition)
    drawn = staticmethod(random_lists.random_list)
    sections = staticmethod(builder.sections)
    refitted = staticmethod(builder.refitted)

    def pages(self, book: Book) -> Mapping[str, Faction]:
        """Return the factions, by id."""
        return book.factions

    def points(self, book: Book, listed: ArmyList) -> int:
        """Return the points of a list."""
        return sums(book, listed).points

    def total(self, book: Book, listed: ArmyList) -> Text:
        """Say what counts against the limits of a list."""
        found = sums(book, listed)
        leaders = found.companies + found.platoons + found.cells
        blanks = {"headquarters": leaders, "units": found.units, "cards": found.cards}
        return text("ae.list.total", limit=listed.limit, points=found.points, **blanks)

    def row(self, book: Book, listed: ArmyList, entry: EarthLine) -> Text:
        """Describe a line of a sound list."""
        page = book.factions[listed.army]
        told = text(
            "ae.list.row.more" if entry.options else "ae.list.row",
            count=entry.count,
            unit=builder.described(book, page.profile(entry.unit), entry.unit)[0],
            points=entry.count * price(book, page, entry),
        )
        more = {"more": names_of("ae.", [Text(book.added_by(number).name) for number in entry.options])}
        return replace(told, a=told.a | more) if entry.options else told

    def plain(self, book: Book, army: str, unit: str, count: int = 1) -> EarthLine | None:
        """Return a line of a unit, vehicle or card without options; None where the faction has no such one."""
        page = book.factions[army]
        known = page.profile(unit) is not None or (unit in page.support and unit in book.cards)
        return EarthLine(unit, count) if known else None

    @implements("AE-OPEN-31")
    def sampled(self, book: Book, army: str, limit: int) -> ArmyList | None:
        """Return the ready list of a faction's page for a limit, None where it has none."""
        page, lines = book.factions[army], book.ready[army].get(limit, ())
        return ArmyList(army, page.version, limit, tuple([EarthLine(one.id, one.times) for one in lines]), page.name)

    def numbers(self, book: Book, entry: EarthLine) -> Iterator[int]:
        """Yield the numbers of a line in a code."""
        letters, _, number = entry.unit.partition("-")
        vehicle = number.startswith("V")
        yield CARDS + int(number) if letters == "FS" else VEHICLES + int(number[1:]) if vehicle else int(number)
        yield entry.count
        yield len(entry.options)
        yield from entry.options

    def entry(self, book: Book, page: FactionPage, rest: list[int]) -> EarthLine:
        """Take the numbers of a line off the end of `rest`, the first last. Raises ValueError or IndexError for numbers
        that no line has."""
        number, count, bought = rest.pop(), rest.pop(), rest.pop()
        numbers = range(bounded(bought, 0, lists.MOST_OPTIONS))
        options = tuple([bounded(rest.pop(), 1, lists.MOST_OPTION) for _ in numbers])
        return EarthLine(_id(page.code, number), bounded(count, 0, MOST_COUNT), options)

    def written(self, book: Book, listed: ArmyList, entry: EarthLine) -> Iterator[str]:
        """Yield a line as TOML."""
        page = book.factions[listed.army]
        found = fitted_line(book, page, entry)
        card = book.cards.get(entry.unit)
        name = found.profile.name if found is not None else ARMY_LISTS.get(card.name, "") if card is not None else ""
        yield f'id = "{entry.unit}"' + (f"  # {name}, {price(book, page, entry)} points" if name else "")
        if entry.count != 1:
            yield f"count = {entry.count}"
        if entry.options:
            names = [ARMY_LISTS.get(book.added_by(one).name, "") for one in entry.options if one in book.options]
            yield f"options = {list(entry.options)}  # {', '.join(names)}"

    def another(self, entry: EarthLine) -> EarthLine:
        """Return the line that is split off another: one of its unit, without options."""
        return replace(entry, count=1, options=())


LISTS: Final = EarthLists()


def _id(code: str, number: int) -> str:
    """Return the id of a number of a code. Raises ValueError for one that no unit has."""
    if number > CARDS:
        return f"FS-{bounded(number - CARDS, 1, 99)}"
    return f"{code}-V{bounded(number - VEHICLES, 1, 9)}" if number > VEHICLES else f"{code}-{bounded(number, 1, 99):02}"


@implements("AE-OPEN-08")
def muster(book: Book, listed: ArmyList) -> Force:
    """Return the force of a list. Raises ListRefused with every fault; of a list from an older page also with what
    changed."""
    current, _ = sound(LISTS, book, listed)
    page = book.factions[current.army]
    units: list[Profile] = []
    cards: list[str] = []
    for line in current.entries:
        found = fitted_line(book, page, line)
        if found is None:
            cards += [line.unit] * line.count
        else:
            units += [found.profile] * line.count
    return force(book, page, units, cards)


def force(book: Book, page: Faction, units: Iterable[Profile], cards: Iterable[str] = ()) -> Force:
    """Return the force of these units and cards."""
    own, bought = tuple(units), tuple(cards)
    points = sum(unit.points for unit in own) + sum(book.cards[id].price for id in bought)
    return Force(page.id, page.name, points, own, bought, page.initiative, page.air)
