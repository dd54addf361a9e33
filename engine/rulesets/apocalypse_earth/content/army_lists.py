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
from engine.kit.lists.page_lists import PageLists
from engine.kit.lists.page_rules import MOST_COUNT, FactionPage, ListFault
from engine.rulesets.apocalypse_earth.content import builder, lists, random_lists
from engine.rulesets.apocalypse_earth.content.armies import Book
from engine.rulesets.apocalypse_earth.content.lists import ArmyList, EarthLine, fitted_line, price, sums
from engine.rulesets.apocalypse_earth.state.profiles import Faction, Force, Profile
from engine.rulesets.apocalypse_earth.text.texts import ARMY_LISTS
from protocol.text import Text, text
from protocol.wire.list_form import FormSection

VEHICLES: Final = 100
CARDS: Final = 200


class EarthLists(PageLists[Book, EarthLine]):
    """The ArmyLists of this system (engine/core/rules/army_lists.py); `content` is a Book, or has one as `book`."""

    limits = lists.LIMITS
    words = "ae."
    english = ARMY_LISTS
    step = lists.STEP
    document = document_of(EarthLine, lists.STEP)

    def pages(self, book: Book) -> Mapping[str, Faction]:
        """Return the factions, by id."""
        return book.factions

    def faults(self, book: Book, listed: ArmyList) -> list[ListFault]:
        """Return all faults of a list, each once."""
        return lists.faults(book, listed)

    def points(self, book: Book, listed: ArmyList) -> int:
        """Return the points of a list."""
        return sums(book, book.factions[listed.army], listed).points

    def total(self, book: Book, listed: ArmyList) -> Text:
        """Say what counts against the limits of a list."""
        found = sums(book, book.factions[listed.army], listed)
        leaders = found.companies + found.platoons + found.cells
        blanks = {"headquarters": leaders, "units": found.units, "cards": found.cards}
        return text("ae.list.total", limit=listed.limit, points=found.points, **blanks)

    def row(self, book: Book, listed: ArmyList, entry: EarthLine) -> Text:
        """Describe a line of a sound list."""
        page = book.factions[listed.army]
        points = entry.count * price(book, page, entry)
        told = text("ae.list.row", count=entry.count, unit=_name(book, page, entry.unit), points=points)
        if not entry.options:
            return told
        more = builder.names_of([_option(book, number) for number in entry.options])
        return Text("ae.list.row.more", {**told.a, "more": more})

    def plain(self, book: Book, army: str, unit: str, count: int = 1) -> EarthLine | None:
        """Return a line of a unit, vehicle or card without options; None where the faction has no such one."""
        page = book.factions[army]
        known = page.profile(unit) is not None or (unit in page.support and unit in book.cards)
        return EarthLine(unit, count) if known else None

    def drawn(self, book: Book, army: str, limit: int, seed: int) -> ArmyList:
        """Draw a list without faults, the same for a seed. Raises ListRefused."""
        return random_lists.random_list(book, army, limit, seed)

    def ready(self, book: Book, army: str, limit: int) -> ArmyList:
        """Return the ready list of a faction. Raises ListRefused."""
        return random_lists.ready_list(book, army, limit)

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
        name = found.profile.name if found is not None else self._english(book, entry.unit)
        yield f'id = "{entry.unit}"' + (f"  # {name}, {price(book, page, entry)} points" if name else "")
        if entry.count != 1:
            yield f"count = {entry.count}"
        if entry.options:
            names = [ARMY_LISTS.get(_option(book, number), "") for number in entry.options if number in book.options]
            yield f"options = {list(entry.options)}  # {', '.join(names)}"

    def _english(self, book: Book, card: str) -> str:
        return ARMY_LISTS.get(book.cards[card].name, "") if card in book.cards else ""

    def sections(self, book: Book, listed: ArmyList) -> Iterator[FormSection]:
        """Yield the sections of the form: the units of the faction, and the lines of the list."""
        return builder.sections(book, listed)

    def refitted(self, book: Book, army: str, entry: EarthLine, what: str, which: str, value: int) -> EarthLine:
        """Return a line after a change of its row WHAT/LINE/WHICH; the same where there is no such row."""
        known = which.isdigit() and int(which) in book.options
        return builder.refitted(entry, what, which, value) if known else entry

    def another(self, entry: EarthLine) -> EarthLine:
        """Return the line that is split off another: one of its unit, without options."""
        return replace(entry, count=1, options=())


LISTS: Final = EarthLists()


def _id(code: str, number: int) -> str:
    """Return the id of a number of a code. Raises ValueError for one that no unit has."""
    if number > CARDS:
        return f"FS-{bounded(number - CARDS, 1, 99)}"
    return f"{code}-V{bounded(number - VEHICLES, 1, 9)}" if number > VEHICLES else f"{code}-{bounded(number, 1, 99):02}"


def _name(book: Book, page: Faction, unit: str) -> Text:
    profile = page.profile(unit)
    return text("ae.words", words=profile.name) if profile is not None else Text(book.cards[unit].name)


def _option(book: Book, number: int) -> str:
    """Return the key of the name of what an option adds."""
    row = book.options[number]
    return book.worth.traits[row.trait].name if row.trait else book.worth.weapons[row.adds].name


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
